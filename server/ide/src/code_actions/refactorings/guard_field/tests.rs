//! A guard is offered if no schema shows that a field is optional.

use crate::code_actions::refactorings::refactorings;
use crate::code_actions::refactorings::tests::{check, check_none};
use crate::file::SourceFile;
use crate::fixture::{Fixture, untyped_policy};
use crate::report::Safety;
use text::{TextRange, apply_edits};

/// Returns the titles of the unsafe actions, each with the resulting condition.
#[track_caller]
fn guarded(condition: &str) -> Vec<(String, String)> {
    let text = untyped_policy(&format!("  validations:\n    - expression: {condition}\n"));
    let fixture = Fixture::parse(&text);
    let cursor = TextRange::empty(fixture.cursor.expect("a cursor"));
    let actions = refactorings(&SourceFile::new(&*fixture.text), cursor);
    let guards = actions.into_iter().filter(|it| it.safety == Safety::Unsafe);
    let guards = guards.map(|it| {
        let after = apply_edits(&fixture.text, &it.edits).unwrap();
        let (_, condition) = after.rsplit_once("expression: ").unwrap();
        (it.title, condition.trim_end().to_owned())
    });
    guards.collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = expected.iter();
    pairs
        .map(|(title, text)| ((*title).to_owned(), (*text).to_owned()))
        .collect()
}

#[test]
fn a_field_without_a_schema_is_guarded() {
    assert_eq!(
        guarded("object.spec.si$0ze > 1"),
        pairs(&[
            (
                "Deny if `size` is missing",
                "has(object.spec.size) && object.spec.size > 1"
            ),
            (
                "Allow if `size` is missing",
                "'!has(object.spec.size) || object.spec.size > 1'"
            ),
        ])
    );
    assert_eq!(
        guarded("object.spec.list.all(c, c.na$0me != 'é😀')"),
        pairs(&[
            (
                "Deny if `name` is missing",
                "object.spec.list.all(c, has(c.name) && c.name != 'é😀')"
            ),
            (
                "Count as `true` if `name` is missing",
                "object.spec.list.all(c, !has(c.name) || c.name != 'é😀')"
            ),
        ])
    );
    let entry = guarded("object.spec.map['a$0'] == 'b'");
    assert_eq!(
        entry[0].1,
        "'''a'' in object.spec.map && object.spec.map[''a''] == ''b'''"
    );
}

#[test]
fn what_is_always_there_or_already_guarded_stays() {
    for condition in [
        "has(object.spec.si$0ze)",
        "object.spec.?si$0ze.hasValue()",
        "object.sp$0ec.?size.hasValue()",
        "object.spec.list[$00] == 1",
        "variables.a$0 == 1",
        "request.na$0me == ''",
    ] {
        assert_eq!(guarded(condition), [], "{condition}");
    }
    // The finding has the same fixes.
    check_none(
        "Guard",
        "  validations:\n    - expression: object.spec.pa$0used\n",
    );
}

#[test]
fn the_type_of_a_field_gives_its_default() {
    check(
        "Use",
        "  validations:\n    - expression: object.spec.rep$0licas > 1\n",
        &expect_test::expect![[r#"
            none
        "#]],
    );
}

#[test]
fn a_field_that_is_always_present_needs_no_guard() {
    for condition in [
        "object.spec.repl$0icas > 1",
        "object.metadata.na$0me != 'a'",
    ] {
        let text = crate::fixture::validation("apps/v1/deployments", "CREATE", condition);
        let fixture = Fixture::parse(&text);
        let cursor = TextRange::empty(fixture.cursor.expect("a cursor"));
        let actions = refactorings(&SourceFile::new(&*fixture.text), cursor);
        let guards: Vec<_> = actions
            .iter()
            .filter(|it| it.safety == Safety::Unsafe)
            .collect();
        assert!(guards.is_empty(), "{condition}: {guards:?}");
    }
}
