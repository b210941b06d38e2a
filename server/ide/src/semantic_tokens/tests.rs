//! The tokens of expressions, each with its kind and its modifiers.

use super::*;
use crate::fixture::{policy, source_file};
use expect_test::{Expect, expect};
use std::fmt::Write as _;
use text::TextSize;

fn all(file: &SourceFile) -> Vec<SemanticToken> {
    semantic_tokens(file, TextRange::up_to(TextSize::of(file.text())))
}

fn shown(file: &SourceFile, tokens: &[SemanticToken]) -> String {
    let mut shown = String::new();
    for token in tokens {
        let modifiers: String = SemanticModifier::ALL
            .into_iter()
            .filter(|it| token.modifiers.contains(*it))
            .map(|it| format!(" {it:?}"))
            .collect();
        let text = file.slice(token.range);
        writeln!(shown, "{text:?} {:?}{modifiers}", token.kind).unwrap();
    }
    shown
}

#[track_caller]
fn check(expression: &str, expected: &Expect) {
    let file = source_file(&validation(&format!("|-\n        {expression}")));
    expected.assert_eq(&shown(&file, &all(&file)));
}

fn validation(expression: &str) -> String {
    policy(&format!(
        "  variables: [{{name: limit, expression: '5'}}]\n  validations:\n    - expression: {expression}\n"
    ))
}

#[test]
fn names_are_told_apart() {
    check(
        "object.spec.replicas <= variables.limit && type(1) == int && unknown",
        &expect![[r#"
            "5" Number
            "object" Variable DefaultLibrary
            "spec" Property
            "replicas" Property
            "<=" Operator
            "variables" Variable DefaultLibrary
            "limit" Variable
            "&&" Operator
            "type" Function DefaultLibrary
            "1" Number
            "==" Operator
            "int" Type DefaultLibrary
            "&&" Operator
            "unknown" Variable
        "#]],
    );
}

#[test]
fn functions_are_told_apart() {
    check(
        "sets.contains([1u], [2.5]) || has(object.spec)",
        &expect![[r#"
            "5" Number
            "sets" Namespace DefaultLibrary
            "contains" Function DefaultLibrary
            "1u" Number
            "2.5" Number
            "||" Operator
            "has" Macro DefaultLibrary
            "object" Variable DefaultLibrary
            "spec" Property
        "#]],
    );
    check(
        "object.metadata.name.lowerAscii().nothing()",
        &expect![[r#"
            "5" Number
            "object" Variable DefaultLibrary
            "metadata" Property
            "name" Property
            "lowerAscii" Method DefaultLibrary
            "nothing" Method
        "#]],
    );
}

#[test]
fn variables_of_macros_are_parameters() {
    check(
        "[1].all(x, y, x > 0 ? true : null == x)",
        &expect![[r#"
        "5" Number
        "1" Number
        "all" Macro DefaultLibrary
        "x" Parameter Declaration
        "y" Parameter Declaration Unused
        "x" Parameter
        ">" Operator
        "0" Number
        "?" Operator
        "true" Keyword Readonly
        ":" Operator
        "null" Keyword Readonly
        "==" Operator
        "x" Parameter
    "#]],
    );
}

#[test]
fn strings_with_a_meaning_have_a_kind() {
    check(
        "object.metadata.name.matches('^a') && request.operation in ['CREATE', 'MOVE']",
        &expect![[r#"
            "5" Number
            "object" Variable DefaultLibrary
            "metadata" Property
            "name" Property
            "matches" Method DefaultLibrary
            "'^a'" Regexp
            "&&" Operator
            "request" Variable DefaultLibrary
            "operation" Property
            "in" Keyword
            "'CREATE'" EnumMember Readonly
            "'MOVE'" String
        "#]],
    );
    check(
        "object.spec.template.spec.restartPolicy != 'Always' && b'x' == b'x'",
        &expect![[r#"
            "5" Number
            "object" Variable DefaultLibrary
            "spec" Property
            "template" Property
            "spec" Property
            "restartPolicy" Property
            "!=" Operator
            "'Always'" EnumMember Readonly
            "&&" Operator
            "b'x'" String
            "==" Operator
            "b'x'" String
        "#]],
    );
}

#[test]
fn deprecated_fields_are_marked() {
    check(
        "object.spec.template.spec.serviceAccount == ''",
        &expect![[r#"
            "5" Number
            "object" Variable DefaultLibrary
            "spec" Property
            "template" Property
            "spec" Property
            "serviceAccount" Property Deprecated
            "==" Operator
            "''" String
        "#]],
    );
}

#[test]
fn types_of_mutations_are_types() {
    let text = policy(
        "  mutations:\n    - patchType: ApplyConfiguration\n      applyConfiguration:\n        expression: \"Object{spec: Object.spec{?replicas: 1}}\"\n",
    );
    let file = source_file(&text.replace("Validating", "Mutating"));
    expect![[r#"
        "Object" Type
        "spec" Property
        "Object" Type
        "spec" Type
        "?" Operator
        "replicas" Property
        "1" Number
    "#]]
    .assert_eq(&shown(&file, &all(&file)));
}

#[test]
fn a_comment_is_a_token() {
    check(
        "1 // one\n        == 1",
        &expect![[r#"
        "5" Number
        "1" Number
        "// one" Comment
        "==" Operator
        "1" Number
    "#]],
    );
}

#[test]
fn every_scalar_style_has_the_same_tokens() {
    let plain = source_file(&validation("object.kind == 'é😀' && [1].exists(x, x > 0)"));
    let expected: Vec<_> = all(&plain)
        .into_iter()
        .map(|it| (plain.slice(it.range).to_owned(), it.kind, it.modifiers))
        .collect();
    assert_eq!(expected.len(), 12);
    for scalar in [
        "\"object.kind == 'é😀' && [1].exists(x, x > 0)\"",
        "|-\n        object.kind == 'é😀' &&\n          [1].exists(x, x > 0)",
        ">-\n        object.kind == 'é😀' &&\n        [1].exists(x, x > 0)",
        "\n        object.kind == 'é😀'\n        && [1].exists(x, x > 0)",
        "\"object.kind == 'é😀'\\\n        \\ && [1].exists(x, x > 0)\"",
        "\"object.kind == 'é😀'\r\n        && [1].exists(x, x > 0)\"",
    ] {
        let file = source_file(&validation(scalar));
        let tokens: Vec<_> = all(&file)
            .into_iter()
            .map(|it| (file.slice(it.range).to_owned(), it.kind, it.modifiers))
            .collect();
        assert_eq!(tokens, expected, "{scalar}");
    }
}

#[test]
fn an_escape_belongs_to_its_token() {
    let text = policy("  validations: [{expression: \"\\\"a\\tb\\\" == 'its'\", message: no}]\n");
    let file = source_file(&text);
    expect![[r#"
        "\\\"a\\tb\\\"" String
        "==" Operator
        "'its'" String
    "#]]
    .assert_eq(&shown(&file, &all(&file)));
}

#[test]
fn a_string_over_folded_lines_is_cut_at_the_indentation() {
    let file = source_file(&validation(">-\n        'one\n        two' == ''"));
    expect![[r#"
        "5" Number
        "'one\n" String
        "two'" String
        "==" Operator
        "''" String
    "#]]
    .assert_eq(&shown(&file, &all(&file)));
}

#[test]
fn a_range_has_its_own_tokens_only() {
    let file = source_file(&validation("|-\n        object.kind ==\n        'Pod'"));
    let from = file.text().find("'Pod'").unwrap();
    let range = TextRange::at(u32::try_from(from).unwrap().into(), TextSize::new(1));
    expect![[r#"
        "'Pod'" String
    "#]]
    .assert_eq(&shown(&file, &semantic_tokens(&file, range)));
}

#[test]
fn there_are_no_tokens_outside_of_expressions() {
    let file = source_file("kind: Pod\nspec: {a: object.spec}\n");
    assert_eq!(all(&file), []);
}
