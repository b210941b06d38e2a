//! Arguments, streams and exit codes.

use crate::project::{GOOD, Project, bad, finish, suspicious};
use std::io::Read;

#[test]
fn the_version_and_the_help_are_no_failure() {
    let project = Project::new::<&str>(&[]);
    let version = project.run(["--version"]);
    assert_eq!(
        version.stdout,
        concat!("admissible ", env!("CARGO_PKG_VERSION"), "\n")
    );
    assert_eq!(version.code, 0);
    for arguments in [vec!["--help"], vec!["check", "--help"], vec!["rules", "-h"]] {
        let help = project.run(arguments);
        assert_eq!((help.code, help.stderr.as_str()), (0, ""));
        help.prints("Usage: admissible");
    }
}

#[cfg(unix)]
#[test]
fn a_plugin_of_kubectl_is_named_by_its_command() {
    let project = Project::new::<&str>(&[]);
    let plugin = project.path().join("kubectl-admissible");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_admissible"), &plugin).unwrap();
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(&plugin).args(arguments).output();
        let output = output.unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, help) = run(&["check", "--help"]);
    assert_eq!(code, Some(0));
    assert!(help.contains("Usage: kubectl admissible check "), "{help}");
    let (code, error) = run(&["chekc"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("Usage: kubectl admissible "), "{error}");
    assert!(run(&["--version"]).1.starts_with("admissible "));
}

#[test]
fn every_shell_gets_completions() {
    let project = Project::new::<&str>(&[]);
    for (shell, part) in [
        ("bash", "complete -F _admissible"),
        ("elvish", "edit:completion:arg-completer[admissible]"),
        ("fish", "complete -c admissible"),
        ("powershell", "-CommandName 'admissible'"),
        ("zsh", "#compdef admissible"),
    ] {
        let run = project.run(["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
        run.prints(part);
        run.prints("fail-level");
    }
}

#[test]
fn wrong_arguments_could_not_run() {
    let project = Project::new::<&str>(&[]);
    for arguments in [
        vec!["chekc"],
        vec!["check", "--format", "xml"],
        vec!["check", "--fail-level", "sometimes"],
        vec![],
    ] {
        let run = project.run(&arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        run.reports("--help");
    }
}

#[test]
fn the_exit_code_follows_the_fail_level() {
    let project = Project::new(&[
        ("good.yaml", GOOD.to_owned()),
        ("bad.yaml", bad()),
        ("suspicious.yaml", suspicious()),
    ]);
    let code = |file: &str, level: &str| {
        let level = format!("--fail-level={level}");
        project.run(["check", file, level.as_str()]).code
    };
    for level in ["never", "error", "warning", "information"] {
        assert_eq!(code("good.yaml", level), 0, "good.yaml at {level}");
        assert_eq!(
            code("bad.yaml", level),
            i32::from(level != "never"),
            "bad.yaml at {level}"
        );
        let counts = level == "warning" || level == "information";
        assert_eq!(
            code("suspicious.yaml", level),
            i32::from(counts),
            "suspicious.yaml at {level}"
        );
    }
    assert_eq!(project.run(["check", "suspicious.yaml"]).code, 1);
}

#[test]
fn what_cannot_be_read_counts_more_than_findings() {
    let project = Project::new(&[("bad.yaml", bad())]);
    for level in ["never", "error"] {
        let run = project.run(["check", "bad.yaml", "missing.yaml", "--fail-level", level]);
        assert_eq!(run.code, 2);
        assert_eq!(
            run.stderr,
            "error: missing.yaml: no such file or directory\n"
        );
        run.prints("error[cel-syntax]");
    }
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let project = Project::new::<&str>(&[]);
    // More output than a pipe holds.
    for number in 0..400 {
        project.write(&format!("{number}.yaml"), bad());
    }
    for format in ["human", "json", "sarif", "github"] {
        let mut command = project.command();
        let mut child = command.args(["check", "--format", format]).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut first = [0; 16];
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let mut stderr = String::new();
        let mut errors = child.stderr.take().unwrap();
        errors.read_to_string(&mut stderr).unwrap();
        assert_eq!(stderr, "", "{format}");
        assert_eq!(child.wait().unwrap().code(), Some(1), "{format}");
    }
}

#[test]
fn color_is_for_terminals_unless_asked_for() {
    let project = Project::new(&[("bad.yaml", bad())]);
    let colored = |arguments: &[&str]| {
        let mut command = project.command();
        let child = command.arg("check").args(arguments).spawn().unwrap();
        finish(child, b"").stdout.contains('\x1b')
    };
    assert!(!colored(&[]));
    assert!(!colored(&["--color", "never"]));
    assert!(colored(&["--color", "always"]));
    assert!(!colored(&["--color", "always", "--format", "json"]));
}

#[test]
fn a_run_with_nothing_to_do_reports_where_it_searched_and_for_what() {
    let project = Project::new(&[
        ("admissible.toml", "exclude = ['vendor/']\n"),
        (".gitignore", "ignored/\n"),
        ("ignored/policy.yaml", GOOD),
        ("vendor/policy.yaml", GOOD),
        (".hidden/policy.yaml", GOOD),
        ("notes.txt", "no manifest"),
    ]);
    for (command, code) in [("check", 0), ("fmt", 0), ("test", 0)] {
        let run = project.run([command]);
        assert_eq!(run.code, code, "{command}");
        let searched = "Searched . for .yaml, .yml and .json files: 0 files found; 3 skipped";
        run.prints(searched);
        let kinds = "Looked for the kinds ValidatingAdmissionPolicy, ";
        run.prints(kinds);
    }
    assert_eq!(project.run(["test", "vendor"]).code, 2);
    project.write("deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\n");
    let run = project.run(["check"]);
    run.prints("1 file found; 3 skipped");
    let quiet = project.run(["check", "--quiet"]);
    assert_eq!(quiet.stdout, "");
    project.write("policy.yaml", GOOD);
    let found = project.run(["check"]);
    assert!(!found.stdout.contains("Looked for"), "{}", found.stdout);
    let tests = project.run(["test"]);
    assert!(
        tests
            .stdout
            .contains("inputs with `expect` in POLICY.inputs.yaml")
    );
}

#[test]
fn names_are_explained() {
    let project = Project::new::<&str>(&[]);
    for (name, part) in [
        ("quantity", "quantity(string) -> "),
        ("matches", "matches(string) -> bool"),
        ("sets.contains", "sets.contains(list("),
        ("pod.spec.containers.image", "image: string"),
        ("deployments.spec.replicas", "replicas: int"),
        ("request.operation", "CONNECT"),
        ("object", "object: dyn"),
        ("ValidatingAdmissionPolicy.spec.failurePolicy", "Fail"),
        ("null-object", "null"),
    ] {
        let run = project.run(["explain", name]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        run.prints(part);
    }
    let run = project.run(["explain", "pod.spec.contaners"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr,
        "error: unknown name `pod.spec.contaners`. Did you mean `pod.spec.containers`?\n"
    );
    let run = project.run(["explain", "--format", "json", "sets.contains"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let found = &json["explanations"][0];
    assert_eq!(
        (&json["version"], &found["topic"]),
        (&1.into(), &"function".into())
    );
    assert!(found["page"].as_str().unwrap().contains("Example"));
}

/// The definition of a kind with one field.
const BACKUP: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: backups.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Backup, plural: backups, singular: backup, shortNames: [bk] }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [schedule]
            properties:
              schedule: { type: string, description: When to copy. }
";

#[test]
fn kinds_of_the_project_are_explained() {
    let project = Project::new(&[("crds/backup.yaml", BACKUP)]);
    for name in ["bk.spec.schedule", "example.com/v1/Backup.spec.schedule"] {
        let run = project.run(["explain", name]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        for part in [
            "schedule: string",
            "Required",
            "When to copy.",
            "In `example.com/v1` `Backup`",
        ] {
            run.prints(part);
        }
    }
    for (name, near) in [
        ("backup.spec.schedul", "backup.spec.schedule"),
        ("Backups.spec.x.y", ""),
    ] {
        let run = project.run(["explain", name]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        run.reports(near);
    }
    let run = project.run(["explain", "Bakup"]);
    run.reports("Did you mean `Backup`?");
}

#[test]
fn schemas_are_printed() {
    let project = Project::new::<&str>(&[]);
    for (format, key) in [("config", "kubernetes"), ("inputs", "definitions")] {
        let run = project.run(["schema", format]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let schema: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        run.prints(key);
    }
}
