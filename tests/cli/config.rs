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
    assert!(
        run.stdout.contains("information[cel-syntax]"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("1 information in 1 of 1 file"),
        "{}",
        run.stdout
    );
    assert_eq!(project.run(["check", "--fail-level=information"]).code, 1);
    // A file that is named is checked although it is excluded.
    let run = project.run(["check", "vendor/b.yaml"]);
    assert!(run.stdout.contains("vendor/b.yaml:13:"), "{}", run.stdout);
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
        error: There is no key `excluded`. Did you mean `exclude`?
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
