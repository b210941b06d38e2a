//! `rules`: the list and the pages.

use crate::project::Project;
use serde_json::Value;

fn all_rules(project: &Project) -> Vec<Value> {
    let run = project.run(["rules", "--format=json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(all["version"], 1);
    all["rules"].as_array().unwrap().clone()
}

#[test]
fn the_list_has_every_rule() {
    let project = Project::new::<&str>(&[]);
    let rules = all_rules(&project);
    assert!(rules.len() > 15);
    let run = project.run(["rules"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout.lines().count(), rules.len());
    for (line, rule) in run.stdout.lines().zip(&rules) {
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), rule["code"].as_str());
        assert_eq!(words.next(), rule["severity"].as_str());
        let off = if rule["enabled"].as_bool().unwrap() {
            ""
        } else {
            " (off by default)"
        };
        let end = format!("{}{off}", rule["summary"].as_str().unwrap());
        assert!(line.ends_with(&end), "{line}");
    }
}

#[test]
fn a_rule_is_explained() {
    let project = Project::new::<&str>(&[]);
    for rule in all_rules(&project) {
        let run = project.run(["rules", rule["code"].as_str().unwrap()]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        let severity = rule["severity"].as_str().unwrap();
        let end = if rule["enabled"].as_bool().unwrap() {
            format!("\nIts severity is `{severity}` unless `admissible.toml` sets another.\n")
        } else {
            format!(
                "\nIt is off unless `admissible.toml` enables it. Its severity is then \
                 `{severity}`.\n"
            )
        };
        assert!(run.stdout.ends_with(&end), "{}", run.stdout);
        for markup in ["```", "# `", "## ", "|---"] {
            assert!(!run.stdout.contains(markup), "{markup} in {}", run.stdout);
        }
    }
}

#[test]
fn json_has_the_pages() {
    let project = Project::new::<&str>(&[]);
    for rule in all_rules(&project) {
        let page = rule["page"].as_str().unwrap();
        assert!(page.starts_with("# "), "{page}");
        assert!(!rule["summary"].as_str().unwrap().is_empty());
    }
    let one = project
        .run(["rules", "yaml-syntax", "--format=json"])
        .stdout;
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["rules"].as_array().unwrap().len(), 1);
    assert_eq!(one["rules"][0]["code"], "yaml-syntax");
    assert_eq!(one["rules"][0]["severity"], "error");
}

#[test]
fn an_unknown_code_has_a_hint() {
    let project = Project::new::<&str>(&[]);
    let near = project.run(["rules", "unknown-feild"]);
    assert_eq!((near.code, near.stdout.as_str()), (2, ""));
    assert_eq!(
        near.stderr,
        "error: unknown rule `unknown-feild`. Did you mean `unknown-field`?\n"
    );
    let part = project.run(["rules", "unguarded"]);
    assert_eq!((part.code, part.stdout.as_str()), (2, ""));
    assert_eq!(
        part.stderr,
        "error: unknown rule `unguarded`. Did you mean `unguarded-field` or `unguarded-key`?\n"
    );
    let far = project.run(["rules", "E0308"]);
    assert_eq!(far.code, 2);
    assert_eq!(
        far.stderr,
        "error: unknown rule `E0308`. Run `admissible rules` to list them.\n"
    );
}
