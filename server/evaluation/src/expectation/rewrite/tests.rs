//! Text that is kept, and updates that are rejected.

use super::*;
use std::sync::Arc;

/// Returns the file with its first input changed.
fn rewritten(
    text: &str,
    changes: &[(ExpectField, Option<Value>)],
    expect: Expect,
) -> Option<String> {
    let path = Path::new("p.inputs.yaml");
    let input = read(path, text).inputs.into_iter().next()?;
    let update = Update {
        input: Arc::new(input),
        expect,
        changes: changes.to_vec(),
    };
    rewrite(path, text, &[&update])
}

fn denied(message: &str) -> Expect {
    Expect {
        decision: Some(super::super::Decision::Deny),
        message: Some(message.to_owned()),
        ..Expect::default()
    }
}

const OBJECT: &str = "object: {apiVersion: v1, kind: Pod, metadata: {name: '😀'}} # kept\r\n";

fn message(text: &str) -> [(ExpectField, Option<Value>); 1] {
    [(ExpectField::Message, Some(Value::string(text)))]
}

#[test]
fn only_the_value_changes() {
    let second = "---\r\nname: second\r\nobject: {apiVersion: v1, kind: Pod}\r\nexpect: deny\r\n";
    let styles = [
        ("'old: 😀'", "\"n\\\"ew\""),
        ("\"old\"", "\"n\\\"ew\""),
        ("old", "\"n\\\"ew\""),
        (">-\r\n    a folded\r\n    message", "\"n\\\"ew\""),
        ("|\r\n    a literal\r\n    message", "\"n\\\"ew\""),
    ];
    for (old, new) in styles {
        let text = |message: &str| {
            format!(
                "{OBJECT}expect: # why\r\n  # a comment\r\n  decision: deny # so\r\n  message: {message}\r\n{second}"
            )
        };
        let changed = rewritten(&text(old), &message("n\"ew"), denied("n\"ew"));
        assert_eq!(changed.as_deref(), Some(text(new).as_str()), "{old}");
    }
}

#[test]
fn the_short_form_keeps_its_quotes_and_place() {
    let allow = Expect {
        decision: Some(super::super::Decision::Allow),
        ..Expect::default()
    };
    let changes = [(ExpectField::Decision, Some(Value::string("allow")))];
    let text = format!("{OBJECT}expect: deny # é\r\n");
    let changed = rewritten(&text, &changes, allow.clone());
    assert_eq!(changed, Some(format!("{OBJECT}expect: allow # é\r\n")));
    let text = format!("{OBJECT}expect: {{decision: deny, message: 'x'}}\r\n");
    let changes = [changes[0].clone(), (ExpectField::Message, None)];
    let changed = rewritten(&text, &changes, allow);
    assert_eq!(
        changed,
        Some(format!("{OBJECT}expect: {{decision: allow}}\r\n"))
    );
}

#[test]
fn blocks_keep_their_indentation() {
    let text = format!(
        "{OBJECT}expect:\r\n    warnings:\r\n      - a\r\n      # b\r\n      - c\r\n    decision: allow\r\n"
    );
    let warnings = vec!["x: y".to_owned(), "z".to_owned()];
    let expect = Expect {
        decision: Some(super::super::Decision::Allow),
        warnings: Some(warnings.clone()),
        ..Expect::default()
    };
    let list = Value::list(
        warnings
            .iter()
            .map(|it| Value::string(it.as_str()))
            .collect(),
    );
    let changed = rewritten(&text, &[(ExpectField::Warnings, Some(list))], expect);
    let wanted = format!(
        "{OBJECT}expect:\r\n    warnings:\r\n      - \"x: y\"\r\n      - z\r\n    decision: allow\r\n"
    );
    assert_eq!(changed, Some(wanted));
}

#[test]
fn what_is_shared_or_has_changed_is_refused() {
    let shared =
        format!("{OBJECT}expect:\r\n  decision: deny\r\n  message: &m old\r\nname: *m\r\n");
    assert_eq!(rewritten(&shared, &message("new"), denied("new")), None);
    let text = format!("{OBJECT}expect: {{decision: deny, message: old}}\r\n");
    let path = Path::new("p.inputs.yaml");
    let input = read(path, &text).inputs.remove(0);
    let update = Update {
        input: Arc::new(input),
        expect: denied("new"),
        changes: message("new").to_vec(),
    };
    assert!(rewrite(path, &text, &[&update]).is_some());
    let other = text.replace("Pod", "Job");
    assert_eq!(rewrite(path, &other, &[&update]), None);
}
