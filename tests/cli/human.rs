//! `check` for people.

use crate::project::{GOOD, Project, bad, suspicious};
use expect_test::expect;

#[test]
fn findings_are_followed_by_a_summary() {
    let project = Project::new(&[
        ("a/good.yaml", GOOD.to_owned()),
        ("b.yaml", bad()),
        ("c.yaml", suspicious()),
        ("d.yaml", "kind: ConfigMap\n".to_owned()),
    ]);
    let run = project.run(["check"]);
    assert_eq!(run.stderr, "");
    expect![[r#"
        error[cel-syntax]: The `(` is never closed. Add `)`.
          --> b.yaml:13:45
           |
        13 |     - expression: (object.spec.replicas <= 5
           |                   - opened here             ^
           |
        help: Write `)`
           |
        13 |     - expression: (object.spec.replicas <= 5)
           |                                             +

        warning[unused-variable]: The variable `unused` is never used. Use it or remove it.
          --> c.yaml:13:13
           |
        13 |     - name: unused
           |             ^^^^^^
           |
        help: Remove `unused`
           |
        12 -   variables:
        13 -     - name: unused
        14 -       expression: '1'
           |

        1 error, 1 warning in 2 of 4 files (3 policies)
        Run `admissible rules CODE` to read about a rule, for example `admissible rules cel-syntax`.
    "#]]
    .assert_eq(&run.stdout);
}

#[test]
fn a_clean_run_says_what_it_has_looked_at() {
    let project = Project::new(&[("a.yaml", GOOD), ("b.yaml", "kind: ConfigMap\n")]);
    let run = project.run(["check", "."]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, "No findings in 2 files (1 policy)\n");
}

#[test]
fn quiet_leaves_the_findings() {
    let project = Project::new(&[("a.yaml", GOOD.to_owned()), ("b.yaml", bad())]);
    assert_eq!(project.run(["check", "-q", "a.yaml"]).stdout, "");
    let run = project.run(["check", "--quiet"]);
    assert!(
        run.stdout.starts_with("error[cel-syntax]: "),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("1 error"), "{}", run.stdout);
}

#[test]
fn a_directory_without_manifests_is_mentioned() {
    let run = Project::new(&[("notes.md", "")]).run(["check"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout,
        "No files to check: no .yaml, .yml or .json file was found\n\
         Searched . for .yaml, .yml and .json files: 0 files found\n\
         Looked for the kinds ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, \
         MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, \
         ValidatingWebhookConfiguration, MutatingWebhookConfiguration, \
         CustomResourceDefinition\n"
    );
}

#[test]
fn two_runs_say_the_same() {
    let files: Vec<(String, String)> = (0..200)
        .map(|number| (format!("{}/{number}.yaml", number % 7), bad()))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let project = Project::new(&files);
    let first = project.run(["check", "."]).stdout;
    assert!(first.contains("200 errors in 200 of 200 files (200 policies)"));
    assert_eq!(project.run(["check", "."]).stdout, first);
}
