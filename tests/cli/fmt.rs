//! `fmt`: what it writes, what it leaves alone, and how it ends.

use crate::project::{GOOD, Project, bad};
use std::fs;

/// The policy with an expression that is not formatted.
fn dense() -> String {
    GOOD.replace("replicas <= 5", "replicas<=5")
}

fn read(project: &Project, path: &str) -> String {
    fs::read_to_string(project.path().join(path)).unwrap()
}

#[test]
fn files_are_written() {
    let project = Project::new(&[("a.yaml", dense()), ("b.yaml", GOOD.to_owned())]);
    let run = project.run(["fmt"]);
    let line = "Formatted 1 expression in 1 of 2 files\n";
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, line, "")
    );
    assert_eq!(read(&project, "a.yaml"), GOOD);
    assert_eq!(read(&project, "b.yaml"), GOOD);
    let run = project.run(["fmt", "a.yaml", "b.yaml"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "2 files already formatted\n")
    );
}

#[test]
fn a_check_and_a_diff_write_nothing() {
    let project = Project::new(&[("a.yaml", dense()), ("b.yaml", GOOD.to_owned())]);
    let run = project.run(["fmt", "--check"]);
    let lines = "Would format a.yaml\nWould format 1 expression in 1 of 2 files\n";
    assert_eq!((run.code, run.stdout.as_str()), (1, lines));
    let run = project.run(["fmt", "--diff"]);
    let diff = "\
--- a.yaml
+++ a.yaml
@@ -10,4 +10,4 @@
         operations: [CREATE, UPDATE]
         resources: [deployments]
   validations:
-    - expression: object.spec.replicas<=5
+    - expression: object.spec.replicas <= 5
";
    assert_eq!((run.code, run.stdout.as_str()), (1, diff));
    assert_eq!(run.stderr, "Would format 1 expression in 1 of 2 files\n");
    assert_eq!(read(&project, "a.yaml"), dense());
    let run = project.run(["fmt", "--check", "-q", "b.yaml"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
}

#[test]
fn expressions_with_errors_are_reported() {
    let project = Project::new(&[("a.yaml", bad())]);
    let run = project.run(["fmt"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stderr,
        "warning: a.yaml:13: not formatted: the expression has a syntax error\n"
    );
    assert_eq!(
        run.stdout,
        "1 file already formatted, 1 expression left alone\n"
    );
    assert_eq!(read(&project, "a.yaml"), bad());
}

#[test]
fn standard_input_is_written_to_standard_output() {
    let project = Project::new(&[("a.yaml", dense())]);
    let run = project.run_with_input(["fmt", "-"], dense().as_bytes());
    assert_eq!((run.code, run.stdout.as_str()), (0, GOOD));
    let run = project.run_with_input(["fmt", "-"], b"a: 1");
    assert_eq!((run.code, run.stdout.as_str()), (0, "a: 1"));
    let run = project.run_with_input(["fmt", "--check", "-"], dense().as_bytes());
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (1, "Would format <stdin>\n")
    );
    assert_eq!(read(&project, "a.yaml"), dense());
}

#[test]
fn the_line_width_is_a_setting() {
    let long = "a: b\n---\n".to_owned()
        + &GOOD.replace(
            "object.spec",
            ">-\n        object.metadata.name != 'a' && object.spec",
        );
    let toml = "[format]\nline-width = 60\n".to_owned();
    let project = Project::new(&[
        ("a.yaml", long.clone()),
        ("b/a.yaml", long),
        ("b/admissible.toml", toml),
    ]);
    let run = project.run(["fmt"]);
    assert_eq!(run.stdout, "Formatted 1 expression in 1 of 2 files\n");
    let broken = "      object.metadata.name != 'a' &&\n        object.spec.replicas <= 5\n";
    assert!(read(&project, "b/a.yaml").ends_with(broken));
    let run = project.run(["fmt", "--line-width", "60", "a.yaml"]);
    assert_eq!(run.stdout, "Formatted 1 expression in 1 of 1 file\n");
    let run = project.run(["fmt", "--line-width", "6"]);
    assert_eq!(run.code, 2);
    run.reports("expected a number from 40 to 1000");
}

#[test]
fn files_that_cannot_be_read_are_problems() {
    let project = Project::new(&[("a.yaml", dense())]);
    let run = project.run(["fmt", "a.yaml", "missing.yaml"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("missing.yaml: no such file or directory"),
        "{}",
        run.stderr
    );
    assert_eq!(read(&project, "a.yaml"), GOOD);
}

#[test]
fn the_edits_are_available_as_json() {
    let project = Project::new(&[("a.yaml", dense())]);
    let run = project.run(["fmt", "--check", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let run: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(run["files"][0]["changed"], 1);
    assert_eq!(run["files"][0]["edits"][0]["newText"], " ");
    assert_eq!(run["files"][0]["edits"][0]["range"]["start"]["line"], 13);
    assert_eq!(run["summary"]["changed"], 1);
    assert_eq!(run["written"], false);
    assert_eq!(read(&project, "a.yaml"), dense());
}
