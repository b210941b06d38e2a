//! `admissible.toml` as the command line uses it.

use crate::project::{GOOD, Project, bad};
use expect_test::expect;

#[test]
fn levels_and_patterns_count() {
    let project = Project::new(&[
        (
            "admissible.toml",
            "exclude = ['vendor/']\n\n[rules]\ncel-syntax = 'information'\n".to_owned(),
        ),
        ("a.yaml", bad()),
        ("vendor/b.yaml", bad()),
    ]);
    let run = project.run(["check"]);
    assert_eq!(run.code, 0);
    run.prints("information[cel-syntax]");
    run.prints("1 information in 1 of 1 file");
    assert_eq!(project.run(["check", "--fail-level=information"]).code, 1);
    // A file that is named is checked although it is excluded.
    let run = project.run(["check", "vendor/b.yaml"]);
    run.prints("vendor/b.yaml:13:");
}

#[test]
fn the_nearest_file_counts() {
    let project = Project::new(&[
        (
            "admissible.toml",
            "[rules]\ncel-syntax = 'off'\n".to_owned(),
        ),
        ("a.yaml", bad()),
        ("team/admissible.toml", String::new()),
        ("team/deep/b.yaml", bad()),
        ("repo/.git/HEAD", String::new()),
        ("repo/c.yaml", bad()),
    ]);
    let report = project.json(["."]);
    let findings = report["findings"].as_array().unwrap();
    let paths: Vec<&str> = findings
        .iter()
        .map(|finding| finding["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["repo/c.yaml", "team/deep/b.yaml"]);
}

#[test]
fn mistakes_are_shown_at_their_place_and_the_rest_counts() {
    let project = Project::new(&[
        (
            "admissible.toml",
            "excluded = []\n[rules]\ncel-sintax = 'off'\nunused-variable = 'warn'\nunknown-field = 'off'\n",
        ),
        ("a.yaml", &GOOD.replace("metadata:", "metadat:")),
    ]);
    let run = project.run(["check"]);
    assert_eq!(run.code, 2);
    assert!(!run.stdout.contains("unknown-field"), "{}", run.stdout);
    expect![[r#"
        error: Unknown key `excluded`. Did you mean `exclude`?
         --> admissible.toml:1:1
          |
        1 | excluded = []
          | ^^^^^^^^

        error: There is no rule `cel-sintax`. Did you mean `cel-syntax`?
         --> admissible.toml:3:1
          |
        3 | cel-sintax = 'off'
          | ^^^^^^^^^^

        error: There is no level `warn`. Did you mean `warning`?
         --> admissible.toml:4:19
          |
        4 | unused-variable = 'warn'
          |                   ^^^^^^

    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn mistakes_have_a_place_for_programs_too() {
    let project = Project::new(&[("admissible.toml", "[rules]\ncel-sintax = 'off'\n")]);
    let report = project.json(["."]);
    expect![[r#"
        {
          "path": "admissible.toml",
          "message": "There is no rule `cel-sintax`. Did you mean `cel-syntax`?",
          "range": {
            "start": {
              "line": 2,
              "column": 1,
              "offset": 8
            },
            "end": {
              "line": 2,
              "column": 11,
              "offset": 18
            }
          }
        }"#]]
    .assert_eq(&format!("{:#}", report["problems"][0]));
}

/// A policy with a function that new expressions have had since Kubernetes 1.31.
fn with_later_function() -> String {
    GOOD.replace(
        "object.spec.replicas <= 5",
        "isIP(string(object.spec.replicas)) == false",
    )
}

#[test]
fn a_policy_is_judged_for_the_servers_of_the_project() {
    let project = Project::new(&[
        (
            "admissible.toml",
            "kubernetes = \"1.30..1.36\"\n".to_owned(),
        ),
        ("a.yaml", with_later_function()),
    ]);
    let run = project.run(["check"]);
    expect![[r#"
        error[unavailable-function]: `isIP` is available in new expressions as of Kubernetes 1.31. The oldest target version is 1.30.
          --> a.yaml:13:19
           |
        13 |     - expression: isIP(string(object.spec.replicas)) == false
           |                   ^^^^
           |
           = note: Kubernetes reports: undeclared reference to 'isIP' (in container '')

        1 error in 1 of 1 file (1 policy)
        Run `admissible rules CODE` to read about a rule, for example `admissible rules unavailable-function`.
    "#]].assert_eq(&run.stdout);
    assert_eq!(run.code, 1);
    // What the command line names counts instead.
    let run = project.run(["check", "--kubernetes=1.31"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let run = project.run(["check", "--kubernetes=1.29"]);
    run.prints("unavailable-api-version");
}

#[test]
fn a_version_that_is_none_is_explained() {
    let project = Project::new(&[("a.yaml", GOOD)]);
    let run = project.run(["check", "--kubernetes=1.19..1.36"]);
    expect![[r#"
        error: invalid value '1.19..1.36' for '--kubernetes <VERSION>': Kubernetes 1.19 is not supported. Write a version from 1.25 to 1.38.

        For more information, try '--help'.
    "#]].assert_eq(&run.stderr);
    assert_eq!(run.code, 2);
}

#[test]
fn an_evaluation_has_the_functions_of_its_server() {
    let object = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  selector: {matchLabels: {a: b}}\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}\n";
    let project = Project::new(&[
        ("admissible.toml", "kubernetes = '1.30'\n".to_owned()),
        ("p.yaml", with_later_function()),
        ("o.yaml", object.to_owned()),
    ]);
    let arguments = ["eval", "p.yaml", "--object", "o.yaml"];
    let run = project.run(arguments);
    expect![[r#"
        error: the API server rejects the expression: undeclared reference to 'isIP' (in container '')
          --> p.yaml:13:19
           |
        13 |     - expression: isIP(string(object.spec.replicas)) == false
           |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    "#]]
    .assert_eq(&run.stderr);
    assert_eq!(run.code, 2);
    let newer = arguments.into_iter().chain(["--kubernetes=1.31"]);
    let run = project.run(newer);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}
