//! Documents that `check` does not check, in every format.

use crate::project::Project;
use serde_json::Value;

const KYVERNO: &str = "\
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: a}
spec:
  validations:
    - expression: object.spec.replicas <=
";

const OTHER: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";

#[test]
fn cel_that_is_not_supported_is_named_and_counted() {
    let project = Project::new(&[("a.yaml", KYVERNO), ("b.yaml", OTHER)]);
    let run = project.run(["check"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.prints("information[not-checked]");
    let summary = "1 information in 1 of 2 files (0 policies; 1 document not fully checked)\n";
    run.prints(summary);

    let run = project.run(["check", "--format", "json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["findings"][0]["code"], "not-checked");
    assert_eq!(json["findings"][0]["severity"], "information");
    assert_eq!(json["summary"]["notChecked"], 1);

    let run = project.run(["check", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&run.stdout).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"not-checked".into(), &"note".into())
    );

    let run = project.run(["check", "--format", "github"]);
    assert!(
        run.stdout.starts_with(
            "::notice file=a.yaml,line=2,endLine=2,col=7,endColumn=23,title=not-checked::"
        ),
        "{}",
        run.stdout
    );
}

#[test]
fn files_without_policies_are_no_clean_bill() {
    let run = Project::new(&[("b.yaml", OTHER)]).run(["check"]);
    assert_eq!(run.code, 0);
    let line = "Nothing to check: no policy, binding, webhook or CRD in 1 file\n";
    assert!(run.stdout.starts_with(line), "{}", run.stdout);
}
