//! Quick fixes are offered where a cursor touches a finding.

use super::{CodeAction, code_actions, fixable_rules, fixed_text, ignore};
use crate::diagnostics::RULES;
use crate::file::SourceFile;
use crate::fix_all::FixAll;
use crate::fixture::{Fixture, findings, policy, source_file};
use crate::report::Diagnostic;
use crate::settings::Settings;
use text::{TextRange, apply_edits};

#[track_caller]
fn titles(rest: &str) -> Vec<String> {
    let fixture = Fixture::parse(&policy(rest));
    let cursor = TextRange::empty(fixture.cursor.expect("a cursor"));
    let file = SourceFile::new(fixture.text);
    let actions = code_actions(&file, &Settings::default(), cursor);
    let titles = actions.into_iter().map(|action| action.title);
    titles
        .filter(|title| !title.starts_with("Ignore "))
        .collect()
}

#[test]
fn a_cursor_at_either_edge_touches() {
    for line in [
        "    - expression: $0objct.a == '😀'\n",
        "    - expression: obj$0ct.a == '😀'\n",
        "    - expression: objct$0.a == '😀'\n",
    ] {
        assert_eq!(
            titles(&format!("  validations:\n{line}")),
            ["Change to `object`"]
        );
    }
}

#[test]
fn a_cursor_elsewhere_does_not() {
    let found = titles("  validations:\n    - expression: objct.$0a == '😀'\n");
    assert!(found.is_empty());
}

#[test]
fn an_empty_finding_can_be_touched() {
    let found = titles("  validations:\n    - expression: (object.a == 1$0\n");
    assert_eq!(found, ["Write `)`"]);
}

#[test]
fn a_selection_takes_all_that_it_touches() {
    let text = policy("  failurePolicy: fail\n  validations:\n    - expression: objct.a == 1\n");
    let all = TextRange::up_to(text::TextSize::of(text.as_str()));
    let file = SourceFile::new(text);
    let actions = code_actions(&file, &Settings::default(), all);
    let code = |action: &CodeAction| action.finding.as_ref().map(|it| it.code);
    let fixes = actions.iter().filter(|action| action.is_preferred);
    let codes: Vec<_> = fixes.filter_map(code).collect();
    assert_eq!(codes, ["unsupported-value", "unknown-name"]);
}

#[test]
fn a_rule_that_is_off_offers_nothing() {
    let text = policy("  failurePolicy: fail\n  validations:\n    - expression: 'true'\n");
    let all = TextRange::up_to(text::TextSize::of(text.as_str()));
    let mut settings = Settings::default();
    settings
        .rules
        .insert("unsupported-value".to_owned(), crate::settings::Level::Off);
    assert_eq!(code_actions(&SourceFile::new(text), &settings, all), []);
}

/// Applies each comment that suppresses a finding: the finding disappears, and no new one appears.
#[track_caller]
fn check_ignored(text: &str) {
    let before = findings(text);
    let file = source_file(text);
    for finding in &before {
        for action in ignore::actions(&file, &[finding]) {
            let after = apply_edits(text, &action.edits).unwrap();
            let left = findings(&after);
            let is_same =
                |it: &&Diagnostic| it.code == finding.code && it.message == finding.message;
            let count = |all: &[Diagnostic]| all.iter().filter(is_same).count();
            let is_new = |it: &Diagnostic| {
                !before
                    .iter()
                    .any(|old| old.code == it.code && old.message == it.message)
            };
            assert!(
                count(&left) < count(&before) && !left.iter().any(is_new),
                "{}:\n{after}",
                action.title
            );
        }
    }
}

#[test]
fn a_comment_suppresses_every_finding_of_every_page() {
    for rule in RULES {
        let (_, bad) = rule.page.split_once("\n## Bad\n\n```yaml\n").unwrap();
        let (text, _) = bad.split_once("```").unwrap();
        for text in [
            text.to_owned(),
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
        ] {
            check_ignored(&text);
        }
    }
}

#[test]
fn a_comment_is_written_above_the_value_in_every_style() {
    for rest in [
        "  validations:\n    - expression: objct.a == 1\n      message: a\n",
        "  validations:\n    - message: a\n      expression: |\n        object != null &&\n        objct.a == 1\n",
        "  validations:\n    - expression: >-\n        object != null &&\n        objct.a == 1\n",
        "  validations:\n    - expression: \"object != null &&\n        objct.a == 1\"\n",
        "  validations:\n    - expression: object != null &&\n        objct.a == 1\n",
        "  validations:\n    - {message: a, expression: objct.a == 1}\n",
        "  validations: [{message: a,\n     expression: 'objct.a == 1'}]\n",
        "  validations:\n    # admissible: ignore[unused-variable] soon\n    - expression: objct.a == 1\n",
    ] {
        check_ignored(&policy(rest));
    }
}

#[test]
fn a_rule_with_several_findings_can_be_fixed_as_a_whole() {
    let text =
        policy("  validations:\n    - expression: objct.a == 1\n    - expression: objct.b == 1\n");
    let all = TextRange::up_to(text::TextSize::of(text.as_str()));
    let file = SourceFile::new(&*text);
    let settings = Settings::default();
    let rules = fixable_rules(&file, &settings, all);
    let [rule] = rules.as_slice() else {
        panic!("{rules:?}")
    };
    assert_eq!((rule.code, rule.count), ("unknown-name", 2));
    let fix = FixAll {
        settings: &settings,
        safety: rule.safety,
        code: Some(rule.code),
    };
    assert_eq!(
        fixed_text(&file, fix).unwrap(),
        text.replace("objct", "object")
    );
}
