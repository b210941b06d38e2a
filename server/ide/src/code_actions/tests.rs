//! Quick fixes are offered where a cursor touches a finding.

use super::code_actions;
use crate::file::SourceFile;
use crate::fixture::{Fixture, policy};
use crate::settings::Settings;
use text::TextRange;

#[track_caller]
fn titles(rest: &str) -> Vec<String> {
    let fixture = Fixture::parse(&policy(rest));
    let cursor = TextRange::empty(fixture.cursor.expect("a cursor"));
    let file = SourceFile::new(fixture.text);
    let actions = code_actions(&file, &Settings::default(), cursor);
    actions.into_iter().map(|action| action.fix.title).collect()
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
    let codes: Vec<_> = actions
        .iter()
        .map(|action| action.diagnostic.code)
        .collect();
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
