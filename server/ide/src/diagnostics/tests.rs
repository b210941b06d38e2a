//! Properties of every rule: its page is true, and its ranges and fixes are right in every form of
//! the file.

use super::{Diagnostic, RULES, Rule, Severity};
use crate::diagnostics::diagnose;
use crate::file::SourceFile;
use crate::fixture::{apply, check_diagnostics, check_fixes, findings, render, slice};
use crate::settings::{Level, Settings};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the example of a page below a heading.
#[track_caller]
fn example(rule: &Rule, heading: &str) -> String {
    let (_, section) = rule
        .page
        .split_once(&format!("\n## {heading}\n\n```yaml\n"))
        .unwrap_or_else(|| panic!("{} has no example {heading}", rule.code));
    let (example, _) = section.split_once("```").unwrap();
    example.to_owned()
}

fn codes(found: &[Diagnostic]) -> BTreeSet<&str> {
    found.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn every_bad_example_has_its_finding_and_no_other() {
    for rule in RULES {
        let text = example(rule, "Bad");
        let found = findings(&text);
        let mut expected = BTreeSet::from([rule.code]);
        // A comment that does not suppress its finding leaves it unchanged.
        if rule.code == "unknown-suppression" {
            expected.insert("unused-variable");
        }
        assert_eq!(codes(&found), expected, "{}", render(&text, &found));
    }
}

#[test]
fn every_good_example_is_silent() {
    for rule in RULES {
        let text = example(rule, "Good");
        let found = findings(&text);
        assert!(found.is_empty(), "{}: {}", rule.code, render(&text, &found));
    }
}

#[test]
fn every_page_has_a_title_a_summary_and_reasons() {
    for rule in RULES {
        let mut blocks = rule.page.split("\n\n");
        let title = format!("# `{}`", rule.code);
        assert_eq!(blocks.next(), Some(title.as_str()));
        for _ in 0..2 {
            let text = blocks.next().unwrap();
            let starts = text.starts_with(|first: char| first.is_uppercase() || first == '`');
            assert!(starts && text.contains('.'), "{}: {text}", rule.code);
        }
        let longest = rule.page.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{} has long lines", rule.code);
    }
}

#[test]
fn every_table_of_a_page_has_as_many_cells_in_each_row() {
    for rule in RULES {
        let lines: Vec<&str> = rule.page.lines().collect();
        let cells = |row: &str| row.replace("\\|", "").matches('|').count();
        for pair in lines.windows(2) {
            if pair.iter().all(|line| line.starts_with('|')) {
                assert_eq!(cells(pair[0]), cells(pair[1]), "{}: {}", rule.code, pair[1]);
            }
        }
    }
}

#[test]
fn every_file_is_a_rule_with_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diagnostics/rules");
    let names = |ending: &str| -> BTreeSet<String> {
        let files = std::fs::read_dir(&folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let stems = names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned));
        stems.collect()
    };
    let rules: BTreeSet<String> = RULES
        .iter()
        .map(|rule| rule.code.replace('-', "_"))
        .collect();
    assert_eq!(rules.len(), RULES.len());
    assert_eq!(names(".rs"), rules);
    assert_eq!(names(".md"), rules);
}

/// Returns the findings without their positions in the file, but with the text at them.
fn essence(text: &str) -> Vec<(&'static str, String, String)> {
    let plain = |text: &str| text.replace('\r', "");
    findings(text)
        .iter()
        .map(|diagnostic| {
            let range = diagnostic.range;
            (
                diagnostic.code,
                plain(slice(text, range)),
                plain(&diagnostic.message),
            )
        })
        .collect()
}

#[test]
fn places_are_right_after_characters_of_any_width_and_with_any_line_ending() {
    for rule in RULES {
        let text = example(rule, "Bad");
        let expected = essence(&text);
        for changed in [
            text.replace('\n', "\r\n"),
            format!("# 😀 é\n{text}"),
            format!("\u{feff}{text}"),
            text.replace(
                "metadata:\n",
                "metadata:\n  annotations: {\"😀\\n\": 'it''s 😀'}\n",
            ),
        ] {
            let kept: Vec<_> = essence(&changed)
                .into_iter()
                .filter(|(_, _, message)| !message.contains("annotations"))
                .collect();
            assert_eq!(kept, expected, "{changed}");
        }
    }
}

#[test]
fn every_fix_of_an_example_ends_the_finding() {
    for rule in RULES {
        let text = example(rule, "Bad");
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let before = findings(&text);
            check_fixes(&text, &before);
            for fix in before.iter().flat_map(|diagnostic| &diagnostic.fixes) {
                let after = apply(&text, fix);
                let left = findings(&after);
                let of_rule =
                    |found: &[Diagnostic]| found.iter().filter(|it| it.code == rule.code).count();
                assert!(
                    of_rule(&left) < of_rule(&before),
                    "{} leaves\n{after}\n{}",
                    fix.title,
                    render(&after, &left)
                );
                let bare = after.matches('\n').count() - after.matches("\r\n").count();
                assert!(bare == 0 || !text.contains('\r'), "line endings: {after:?}");
            }
        }
    }
}

#[test]
fn every_fix_in_the_example_files_ends_its_finding() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut fixes = 0;
    for folder in ["examples", "tests/examples/good", "tests/examples/bad"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let before = findings(&text);
            check_fixes(&text, &before);
            fixes += before.iter().map(|it| it.fixes.len()).sum::<usize>();
        }
    }
    assert!(fixes > 30, "{fixes}");
}

const UNUSED: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  variables:
    - name: one
      expression: object.spec
  validations:
    - expression: 'true'
";

#[test]
fn settings_change_the_severity_of_a_rule_or_silence_it() {
    let file = SourceFile::new(UNUSED);
    let with = |level| {
        let mut settings = Settings::default();
        settings.rules.insert("unused-variable".to_owned(), level);
        diagnose(&file, &settings)
    };
    assert_eq!(with(Level::Off), []);
    let [found] = with(Level::At(Severity::Hint)).try_into().unwrap();
    assert_eq!(found.severity, Severity::Hint);
    let [found] = diagnose(&file, &Settings::default()).try_into().unwrap();
    assert_eq!(found.severity, Severity::Warning);
}

#[test]
fn other_documents_are_left_alone() {
    check_diagnostics(
        "\
apiVersion: v1
kind: ConfigMap
metadata: {name: a, name: b}
data:
  policy: |
    kind: ValidatingAdmissionPolicy
---
not: [yaml, 'ValidatingAdmissionPolicy
---
apiVersion: example.com/v1
kind: ValidatingAdmissionPolicyReport
---
{{ if .Values.policy }}
# kind of a ValidatingAdmissionPolicy
{{ end }}
",
    );
}

#[test]
fn a_finding_that_an_alias_repeats_is_reported_once() {
    let text = UNUSED.replace("'true'", "&broken 'true &&'\n    - expression: *broken");
    let found = findings(&text);
    assert_eq!(
        found
            .iter()
            .filter(|found| found.code == "cel-syntax")
            .count(),
        1
    );
}

/// Returns the titles of the fixes of a policy for Deployments with more fields of its `spec`.
fn titles(rest: &str) -> Vec<String> {
    let text = crate::fixture::policy(rest);
    let found = findings(&text);
    check_fixes(&text, &found);
    let fixes = found.into_iter().flat_map(|it| it.fixes);
    fixes.map(|it| it.title).collect()
}

#[test]
fn what_a_message_says_to_write_is_a_fix() {
    for (rest, title) in [
        (
            "  validations:\n    - expression: object.spec.replicas > 1\n      messageExpression: size(object.metadata.name)\n",
            "Convert with `string(…)`",
        ),
        (
            "  validations:\n    - expression: object.metadata.name in ['a', 1]\n",
            "Quote the value",
        ),
        (
            "  validations:\n    - expression: |-\n        duration(\"1 hour, 30 minutes\") < duration('2h') || object.metadata.name == 'a'\n",
            "Write `1h30m`",
        ),
        (
            "  validations:\n    - expression: \"timestamp('2025-01-31 08:00:00') < timestamp(object.metadata.creationTimestamp)\"\n",
            "Write `2025-01-31T08:00:00Z`",
        ),
        (
            "  matchConditions:\n    - {name: a, expression: 'object.metadata.name != \"a\"'}\n    - {name: a, expression: 'object.metadata.name != \"b\"'}\n  validations:\n    - expression: object.spec.replicas > 1\n",
            "Rename it to `a-2`",
        ),
        (
            "  validations:\n    - expression: >-\n        object.spec.template.spec.containers.all(c,\n          object.spec.replicas > 1)\n",
            "Rename it to `_c`, since the elements do not matter",
        ),
    ] {
        for text in [rest.to_owned(), rest.replace('\n', "\r\n")] {
            let titles = titles(&text);
            assert!(titles.iter().any(|it| it == title), "{title}: {titles:?}");
        }
    }
}

#[test]
fn a_rule_has_fixes_or_a_reason_why_not() {
    for rule in RULES {
        assert_eq!(
            rule.fixes.is_empty(),
            !rule.no_fix.is_empty(),
            "{}",
            rule.code
        );
    }
}
