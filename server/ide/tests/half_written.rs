//! A file in an editor is half-written most of the time: every feature answers at every one
//! of its states, quickly and without a panic.

use admission::Resources;
use ide::{
    Diagnostic, Settings, SourceFile, Symbol, code_actions, completion, diagnose, document_symbols,
    hover,
};
use std::path::Path;
use std::time::{Duration, Instant};
use text::{TextRange, TextSize, apply_edits};

/// Limit: the time for all features on one state of a small file, without optimization and on
/// a busy machine. Work that grows with the square of the file is far above it.
const BUDGET: Duration = Duration::from_secs(2);

/// All styles of scalar, broken and right.
const STYLES: &str = "\
# admissible: ignore-file[unused-variable] é😀
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: \"demo\\u002e\\x41\", labels: {y: 'it''s'}}
spec:
  failurePolicy: &fail Fail
  matchConditions: [{name: a, expression: \"request.name != \\\"\\U0001F600\\\"\"}]
  variables:
  - name: one
    expression: >-
      object.metadata.labels['a'] == '😀' && // comment
      variables.two
  - name: two
    expression: |2
        # no comment
        variables.one.all(x, x.a__dot__b == 1)
  - *fail
  validations:
    - expression: 'variables.thre == ''x'' ? [1, {2: b\"c\"}] : r\"\\d\"'
      messageExpression: object.spec.a-b +
        string(params) # cut
      <<: {reason: Nope}
---
{\"apiVersion\": \"apiextensions.k8s.io/v1\", \"kind\": \"CustomResourceDefinition\", \"spec\": {\"versions\": [
  {\"name\": \"v1\", \"schema\": {\"openAPIV3Schema\": {\"type\": \"object\", \"properties\": {\"x-y\": {\"type\": \"string\"}},
    \"x-kubernetes-validations\": [{\"rule\": \"self['x-y'] == oldSelf.z && (\"}]}}}]}}
";

fn check_symbols(symbols: &[Symbol], inside: TextRange) {
    for symbol in symbols {
        assert!(inside.contains_range(symbol.range), "{symbol:?}");
        assert!(symbol.range.contains_range(symbol.selection), "{symbol:?}");
        assert!(!symbol.name.is_empty(), "{symbol:?}");
        check_symbols(&symbol.children, symbol.range);
    }
}

fn check_finding(text: &str, finding: &Diagnostic) {
    let fits = |range: TextRange| {
        text.get(usize::from(range.start())..usize::from(range.end()))
            .is_some()
    };
    assert!(fits(finding.range), "{finding:?}");
    assert!(!finding.message.is_empty(), "{finding:?}");
    let mut related = finding.related.iter();
    assert!(
        related.all(|related| related.elsewhere.is_some() || fits(related.range)),
        "{finding:?}"
    );
    for fix in &finding.fixes {
        let after = apply_edits(text, &fix.edits);
        assert!(after.is_ok(), "{finding:?}");
        assert_ne!(after.as_deref(), Ok(text), "a fix that changes nothing");
    }
}

/// Checks the hover and the completions at a cursor.
fn check_cursor(text: &str, file: &SourceFile, cursor: TextSize) {
    if let Some(hover) = hover(file, cursor) {
        assert!(hover.range.contains_inclusive(cursor), "{hover:?}");
        assert!(!hover.markdown.is_empty(), "{hover:?}");
    }
    let items = completion(file, cursor, &[], &Resources::default());
    for item in &items {
        assert!(item.edit.range.contains_inclusive(cursor), "{item:?}");
        for stop in &item.stops {
            let part = stop.start as usize..stop.end as usize;
            assert!(item.edit.insert.get(part).is_some(), "{item:?}");
        }
    }
    // All go through the same hands.
    for item in items.iter().step_by(50) {
        let after = apply_edits(text, std::slice::from_ref(&item.edit));
        assert!(after.is_ok(), "{item:?}");
    }
}

/// Requests every feature of an editor at every `step`th offset.
fn check(text: &str, step: usize) {
    let start = Instant::now();
    let settings = Settings::default();
    let file = SourceFile::new(text);
    for finding in diagnose(&file, &settings) {
        check_finding(text, &finding);
    }
    let all = TextRange::up_to(TextSize::of(text));
    check_symbols(&document_symbols(&file), all);
    for offset in (0..=u32::from(all.len())).rev().step_by(step) {
        let cursor = TextSize::new(offset);
        for action in code_actions(&file, &settings, TextRange::empty(cursor)) {
            let touches = |it: &ide::Diagnostic| it.range.contains_inclusive(cursor);
            assert!(action.finding.as_ref().is_some_and(touches));
        }
    }
    let actions = code_actions(&file, &settings, all);
    let actions = actions.iter().filter(|it| !it.title.starts_with("Ignore "));
    let fixes: usize = diagnose(&file, &settings)
        .iter()
        .map(|finding| finding.fixes.len())
        .sum();
    assert_eq!(actions.count(), fixes, "a selection of all takes every fix");
    assert!(start.elapsed() < BUDGET, "slow on:\n{text}");
}

fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    (0..=text.len()).filter_map(|end| text.get(..end))
}

#[test]
fn every_state_while_typing_is_answered() {
    prefixes(STYLES).for_each(|text| check(text, 37));
}

#[test]
fn every_state_with_other_line_endings_is_answered() {
    let text = STYLES.replace('\n', "\r\n");
    prefixes(&text).for_each(|text| check(text, 101));
}

#[test]
fn every_state_without_its_beginning_is_answered() {
    let starts = STYLES.char_indices().map(|(at, _)| at);
    starts
        .filter_map(|start| STYLES.get(start..))
        .for_each(|text| check(text, 101));
}

#[test]
fn every_cursor_is_answered() {
    for text in [STYLES.to_owned(), STYLES.replace('\n', "\r\n")] {
        let file = SourceFile::new(text.as_str());
        for offset in 0..=u32::from(TextSize::of(&*text)) {
            check_cursor(&text, &file, TextSize::new(offset));
        }
    }
}

#[test]
fn every_end_while_typing_is_answered() {
    for text in prefixes(STYLES) {
        let file = SourceFile::new(text);
        check_cursor(text, &file, TextSize::of(text));
    }
}

#[test]
fn every_line_can_be_missing() {
    for line in STYLES.split_inclusive('\n') {
        check(&STYLES.replacen(line, "", 1), 1);
    }
}

#[test]
fn every_example_is_answered_at_every_line_and_many_offsets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/examples");
    let folders = [folder.join("good"), folder.join("bad")];
    let files = folders.iter().flat_map(|folder| {
        let files = std::fs::read_dir(folder).unwrap();
        files.map(|file| file.unwrap().path())
    });
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        let states = prefixes(&text).enumerate();
        states
            .filter(|(at, state)| at % 41 == 0 || state.ends_with('\n'))
            .for_each(|(_, state)| check(state, 211));
        check(&text, 1);
        let file = SourceFile::new(text.as_str());
        for offset in 0..=u32::from(TextSize::of(&*text)) {
            check_cursor(&text, &file, TextSize::new(offset));
        }
        count += 1;
    }
    assert!(count > 5, "the examples are there");
}
