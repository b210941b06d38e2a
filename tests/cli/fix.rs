//! `check --fix`: what it writes, what it leaves alone, and how it ends.

use crate::project::{GOOD, Project, bad, suspicious};
use std::fs;

/// A policy with two errors that have a safe fix, and a variable that only an unsafe fix removes.
fn broken() -> String {
    suspicious()
        .replace("object.spec.replicas", "objct.spec.replicas")
        .replace(
            "  validations:",
            "  failurePolicy: fail # sic\n  validations:",
        )
}

fn read(project: &Project, path: &str) -> String {
    fs::read_to_string(project.path().join(path)).unwrap()
}

#[test]
fn a_fix_that_leads_to_another_error_is_not_applied() {
    let text = suspicious()
        .replace("Validating", "Mutating")
        .replace("  validations:", "  reinvocationPolicy: Never\n  mutations:\n  - patchType: JsonPatch\n    jsonPatch: {expression: '[]'}\n  validations:");
    let text = text.split("  validations:").next().unwrap().to_owned();
    let project = Project::new(&[("a.yaml", text)]);
    let run = project.run(["check", "--fix", "--unsafe"]);
    assert!(
        run.stdout
            .contains("1 safe fix is not applied, since it leads to another error."),
        "{}",
        run.stdout
    );
    assert!(read(&project, "a.yaml").contains("patchType: JsonPatch\n"));
}

#[test]
fn safe_fixes_are_written() {
    let project = Project::new(&[("a.yaml", broken()), ("b.yaml", GOOD.to_owned())]);
    let run = project.run(["check", "--fix"]);
    assert!(
        run.stdout
            .contains("Fixed 2 findings; 1 remains, 1 fixable with --unsafe\n"),
        "{}",
        run.stdout
    );
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let fixed = broken()
        .replace("objct", "object")
        .replace("fail #", "Fail #");
    assert_eq!(read(&project, "a.yaml"), fixed);
    assert_eq!(read(&project, "b.yaml"), GOOD);

    let run = project.run(["check", "--fix", "--unsafe"]);
    let line = "Fixed 1 finding\nNo findings in 2 files (2 policies)\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, line));
    let run = project.run(["check", "--fix", "--unsafe"]);
    let line = "Fixed 0 findings\nNo findings in 2 files (2 policies)\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, line));
}

#[test]
fn a_diff_writes_nothing() {
    let project = Project::new(&[("a.yaml", broken())]);
    let run = project.run(["check", "--diff"]);
    assert_eq!(
        run.stdout,
        "\
--- a.yaml
+++ a.yaml
@@ -12,6 +12,6 @@
   variables:
     - name: unused
       expression: '1'
-  failurePolicy: fail # sic
+  failurePolicy: Fail # sic
   validations:
-    - expression: objct.spec.replicas <= 5
+    - expression: object.spec.replicas <= 5
"
    );
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (
            1,
            "Would fix 2 findings in 1 file, 1 fixable with --unsafe\n"
        )
    );
    assert_eq!(read(&project, "a.yaml"), broken());
    project.write("a.yaml", GOOD);
    let run = project.run(["check", "--diff"]);
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "", "Nothing to fix\n")
    );
}

#[test]
fn standard_input_is_fixed_to_standard_output() {
    let project = Project::new(&[("a.yaml", broken())]);
    let text = broken().replace('\n', "\r\n");
    let arguments = ["check", "--fix", "-", "--stdin-filename", "a.yaml"];
    let run = project.run_with_input(arguments, text.as_bytes());
    let fixed = text.replace("objct", "object").replace("fail #", "Fail #");
    assert_eq!(run.stdout, fixed);
    assert_eq!(run.code, 1);
    run.reports("warning[unused-variable]");
    run.reports("Fixed 2 findings");
    assert_eq!(read(&project, "a.yaml"), broken());
    // A text without a fix is written as it is.
    let run = project.run_with_input(["check", "--fix", "-"], bad().as_bytes());
    assert_eq!((run.code, run.stdout), (1, bad()));
}

#[test]
fn the_counts_are_in_json() {
    let project = Project::new(&[("a.yaml", broken())]);
    let report = project.json::<&str>([]);
    assert_eq!(report["summary"]["fixable"], 2);
    assert_eq!(report["summary"]["fixableUnsafe"], 1);
    let report = project.json(["--fix"]);
    assert_eq!(report["summary"]["fixed"], 2);
    assert_eq!(report["summary"]["fixable"], 0);
    assert_eq!(report["findings"][0]["fixes"][0]["safety"], "unsafe");
}

#[test]
fn a_fix_ends_findings_in_other_files() {
    let binding = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: demo
spec:
  policyName: replica-limt
  validationActions: [deny]
";
    let project = Project::new(&[("a.yaml", GOOD), ("b.yaml", binding)]);
    let run = project.run(["check", "--fix", "--unsafe", "--fail-level", "information"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let fixed = binding.replace("limt", "limit").replace("deny", "Deny");
    assert_eq!(read(&project, "b.yaml"), fixed);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_a_problem() {
    let project = Project::new(&[("a.yaml", broken()), ("b.yaml", broken())]);
    let path = project.path().join("a.yaml");
    let mut permissions = path.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let run = project.run(["check", "--fix"]);
    assert_eq!(run.code, 2);
    assert_eq!(
        run.stderr,
        "error: a.yaml: cannot write: permission denied\n"
    );
    run.prints("error[unknown-name]");
    assert!(!run.stdout.contains("not applied"), "{}", run.stdout);
    assert_eq!(read(&project, "a.yaml"), broken());
    assert!(!read(&project, "b.yaml").contains("objct"));
}

#[test]
fn unsafe_alone_is_an_error() {
    let project = Project::new::<&str>(&[]);
    assert_eq!(project.run(["check", "--unsafe"]).code, 2);
}
