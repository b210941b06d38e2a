//! Names of files that break a report that does not escape them.

use crate::project::{GOOD, Project, bad};
use serde_json::Value;

const NAMES: [&str; 6] = [
    "%0A%25,line=1::x.yaml",
    "<b>&\"'|`](x).yaml",
    "a::error file=b::c.yaml",
    "new\n::error::line.yaml",
    "up\u{1b}[31m\u{202e}🦊.yaml",
    "ä#?+ %.yaml",
];

fn project() -> Project {
    Project::new(&NAMES.map(|name| (name, bad())))
}

fn report(format: &str) -> Value {
    let run = project().run(["check", "--format", format]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(
        !run.stdout.contains(['\u{1b}', '\u{202e}']),
        "{}",
        run.stdout
    );
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_workflow_command_is_one_line() {
    let run = project().run(["check", "--format", "github", "--quiet"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), NAMES.len(), "{}", run.stdout);
    for line in lines {
        assert!(line.starts_with("::error file="), "{line}");
        let (properties, _) = line
            .trim_start_matches("::error ")
            .split_once("::")
            .unwrap();
        assert!(properties.ends_with(",title=cel-syntax"), "{line}");
        assert_eq!(properties.matches(",line=").count(), 1, "{line}");
    }
}

#[test]
fn the_job_summary_has_a_row_for_each() {
    let project = project();
    let mut command = project.command();
    let path = project.path().join("summary.md");
    command.env("GITHUB_STEP_SUMMARY", &path);
    command.args(["check", "--format", "github", "--quiet"]);
    crate::project::finish(command.spawn().unwrap(), b"");
    let summary = std::fs::read_to_string(path).unwrap();
    let rows = summary
        .lines()
        .filter(|line| line.starts_with("| error | "));
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows.len(), NAMES.len(), "{summary}");
    assert!(!summary.contains(['\u{1b}', '\u{202e}']), "{summary}");
    assert!(
        summary.contains("\\<b\\>\\&\"'\\|\\`\\](x).yaml:13:"),
        "{summary}"
    );
}

#[test]
fn a_code_quality_report_has_every_field_that_gitlab_reads() {
    let report = report("gitlab");
    let issues = report.as_array().unwrap();
    let paths = issues
        .iter()
        .map(|it| it["location"]["path"].as_str().unwrap());
    assert_eq!(paths.collect::<Vec<_>>(), NAMES);
    for issue in issues {
        for field in ["description", "check_name", "fingerprint"] {
            assert!(!issue[field].as_str().unwrap().is_empty(), "{issue}");
        }
        let severity = issue["severity"].as_str().unwrap();
        let known = ["info", "minor", "major", "critical", "blocker"];
        assert!(known.contains(&severity), "{issue}");
        assert_eq!(issue["location"]["lines"]["begin"], 13);
    }
}

#[test]
fn sarif_follows_its_schema_with_these_names() {
    let report = report("sarif");
    crate::sarif::assert_valid(&report);
    let results = report["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), NAMES.len());
    for result in results {
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let uri = place["uri"].as_str().unwrap();
        let is_plain = |it: char| it.is_ascii_graphic() && !"<>\"`|^{}\\".contains(it);
        assert!(uri.chars().all(is_plain), "{uri}");
    }
}

#[test]
fn a_difference_has_each_name_on_one_line() {
    let policy = GOOD.replace(" <= 5", " <= 5 and true");
    let project = Project::new(&NAMES.map(|name| (name, policy.clone())));
    for command in [
        vec!["check", "--diff"],
        vec!["fmt", "--diff"],
        vec!["check"],
    ] {
        let run = project.run(&command);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(!all.contains(['\u{1b}', '\u{202e}', '\r']), "{all}");
        assert!(!all.lines().any(|line| line.starts_with("::")), "{all}");
        let headers = run.stdout.lines().filter(|line| line.starts_with("+++ "));
        let expected = if command == ["check", "--diff"] {
            NAMES.len()
        } else {
            0
        };
        assert_eq!(headers.count(), expected, "{all}");
    }
}
