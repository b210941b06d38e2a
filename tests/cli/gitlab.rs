//! `check --format gitlab`: a Code Quality report.

use crate::project::{Project, bad, suspicious};
use serde_json::Value;

fn report(project: &Project, paths: &[&str]) -> Vec<Value> {
    let run = project.run(["check", "--format", "gitlab"].iter().chain(paths));
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn each_finding_is_an_issue_at_its_line() {
    let project = Project::new(&[
        ("policies/a.yaml", bad()),
        ("policies/b.yaml", suspicious()),
        ("policies/c.yaml", "a: \0".to_owned()),
    ]);
    let absolute = project.path().canonicalize().unwrap();
    for path in [".", "./policies", absolute.to_str().unwrap()] {
        let issues = report(&project, &[path]);
        let [problem, error, warning] = issues.as_slice() else {
            panic!("{issues:?}");
        };
        assert_eq!(problem["check_name"], "problem");
        assert_eq!(problem["severity"], "blocker");
        assert_eq!(problem["location"]["path"], "policies/c.yaml");
        assert_eq!(error["check_name"], "cel-syntax");
        assert_eq!(error["severity"], "major");
        assert_eq!(error["location"]["path"], "policies/a.yaml");
        assert_eq!(error["location"]["lines"]["begin"], 13);
        assert!(!error["description"].as_str().unwrap().is_empty());
        assert_eq!(warning["check_name"], "unused-variable");
        assert_eq!(warning["severity"], "minor");
    }
}

#[test]
fn a_fingerprint_stays_when_lines_are_added() {
    let project = Project::new(&[("a.yaml", suspicious())]);
    let before = report(&project, &[]);
    project.write("a.yaml", format!("# a comment\n{}", suspicious()));
    let after = report(&project, &[]);
    assert_eq!(before.len(), 1);
    assert_eq!(before[0]["fingerprint"], after[0]["fingerprint"]);
    assert_ne!(
        before[0]["location"]["lines"]["begin"],
        after[0]["location"]["lines"]["begin"]
    );
}

#[test]
fn no_findings_are_an_empty_list() {
    let project = Project::new(&[("a.yaml", crate::project::GOOD)]);
    assert!(report(&project, &[]).is_empty());
}
