//! When two projects are the same, and what their kinds are.

use super::{Arc, FileSummary, Path, Project, Target};
use crate::file::SourceFile;
use policy::Kind;

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec: {}
";

fn summary(path: &str, text: &str) -> Arc<FileSummary> {
    Arc::new(FileSummary::read(&Arc::from(Path::new(path)), text))
}

fn project(files: &[(&str, &str)]) -> Project {
    let files = files.iter().map(|(path, text)| summary(path, text));
    Project::default().with_files(files)
}

#[test]
fn a_text_that_moves_does_not_change_the_project() {
    let moved = format!("# a comment\n{POLICY}");
    assert_eq!(
        project(&[("a.yaml", POLICY)]),
        project(&[("a.yaml", &moved)])
    );
    let renamed = POLICY.replace("demo", "other");
    assert_ne!(
        project(&[("a.yaml", POLICY)]),
        project(&[("a.yaml", &renamed)])
    );
    assert_ne!(
        project(&[("a.yaml", POLICY)]),
        project(&[("b.yaml", POLICY)])
    );
}

#[test]
fn files_of_no_interest_are_left_out() {
    let project = project(&[("b.yaml", "a: 1\n"), ("a.yaml", POLICY)]);
    assert_eq!(project.files().len(), 1);
    assert_eq!(project, self::project(&[("a.yaml", POLICY)]));
}

#[test]
fn what_is_known_of_a_file_itself_does_not_count_for_it() {
    let before = project(&[("a.yaml", POLICY), ("b.yaml", POLICY)]);
    let renamed = POLICY.replace("demo", "other");
    let after = project(&[("a.yaml", &renamed), ("b.yaml", POLICY)]);
    assert!(before.is_same_for(&after, Path::new("a.yaml")));
    assert!(!before.is_same_for(&after, Path::new("b.yaml")));
    assert!(!before.is_same_for(&before.clone().cut(), Path::new("a.yaml")));
}

#[test]
fn the_kinds_are_those_of_the_servers() {
    let target = Target::parse("1.28..1.36").unwrap();
    let project = Project::new(target);
    assert_eq!(project.kinds().version(), target.newest());
    assert!(project.kinds().kind("apps", "v1", "Deployment").is_some());
}

#[test]
fn kinds_are_kept_while_no_definition_changes() {
    let before = project(&[("a.yaml", POLICY)]);
    let kinds = Arc::clone(before.kinds());
    let after = project(&[]).after(&before);
    assert!(Arc::ptr_eq(&kinds, after.kinds()));
}

#[test]
fn a_file_speaks_for_itself() {
    let file =
        SourceFile::new(POLICY.replace("demo", "renamed")).at(Arc::from(Path::new("a.yaml")));
    let known = project(&[("a.yaml", POLICY), ("b.yaml", POLICY)]);
    let file = file.with_project(Arc::new(known));
    let kind = Kind::ValidatingAdmissionPolicy;
    let found = |name: &str| {
        let found = file.surroundings().policies(kind, Some(name));
        let files = found.iter().map(|it| it.location.file.to_str().unwrap());
        files.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found("renamed"), "a.yaml");
    assert_eq!(found("demo"), "b.yaml");
    assert!(file.surroundings().has_policies(kind));
}

#[test]
fn each_document_of_a_file_has_its_summary_and_its_kinds() {
    let item = POLICY.trim_end().replace('\n', "\n  ");
    let many = format!(
        "{POLICY}---\n{}---\n{}",
        POLICY.replace("demo", "b"),
        POLICY.replace("demo", "c")
    );
    let list = format!("apiVersion: v1\nkind: List\nitems:\n- &one\n  {item}\n- *one\n- *one\n");
    for (text, names) in [(many, "demo b c"), (list, "demo demo demo")] {
        let file = SourceFile::new(text);
        let surroundings = file.surroundings();
        let found = file.policies().iter().map(|document| {
            assert!(file.kind_checks_of(document).is_some());
            let summary = surroundings.policy(document).unwrap();
            summary.name.as_deref().unwrap()
        });
        assert_eq!(found.collect::<Vec<_>>().join(" "), names);
    }
}
