//! `check --format json`: a promise to programs.

use crate::project::{GOOD, Project, bad};
use expect_test::expect_file;

#[test]
fn the_object_has_the_documented_shape() {
    let project = Project::new(&[("dir/bad.yaml", bad()), ("good.yaml", GOOD.to_owned())]);
    let run = project.run(["check", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    expect_file!["json/finding.json"].assert_eq(&run.stdout);
}

#[test]
fn columns_count_characters_and_offsets_bytes() {
    let expression = "true && '😀é' == (object.spec.replicas <= 5";
    let text = GOOD
        .replace("object.spec.replicas <= 5", expression)
        .replace('\n', "\r\n");
    let report = Project::new(&[("a.yaml", text.as_str())]).json(["a.yaml"]);
    let finding = &report["findings"][0];
    let start = &finding["range"]["start"];
    let offset = usize::try_from(start["offset"].as_u64().unwrap()).unwrap();
    let line_start = text.get(..offset).unwrap().rfind('\n').unwrap() + 1;
    let before = text.get(line_start..offset).unwrap();
    assert_eq!(start["line"], 13);
    assert_eq!(start["column"], before.chars().count() + 1);
    assert!(before.contains('😀'), "{before}");
}

#[test]
fn problems_are_in_the_object_and_on_standard_error() {
    let project = Project::new(&[("a.yaml", b"a: \xFF".as_slice())]);
    let run = project.run(["check", "--format", "json", "a.yaml", "b.yaml"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    expect_file!["json/problems.json"].assert_eq(&run.stdout);
}
