//! Syntax of other languages that CEL does not have.

use super::check;
use expect_test::expect;

#[test]
fn comparison() {
    check(
        &[
            "object.spec.replicas = 5",
            "a === b && c !== d || e <> f",
            "x := 1",
            "a not in [1]",
            "name matches '^a'",
        ],
        &expect![[r#"
            object.spec.replicas = 5
                                 ^ CEL has no `=`. Write `==` to compare.

            a === b && c !== d || e <> f
              ^^^ CEL has no `===`. Write `==` to compare.
                         ^^^ CEL has no `!==`. Write `!=` to compare.
                                    ^^ CEL has no `<>`. Write `!=` for "not equal".

            x := 1
              ^^ CEL has no `:=`. Write `==` to compare.

            a not in [1]
              ^^^^^^ CEL has no `not in` operator. Write `!(value in list)`.

            name matches '^a'
                 ^^^^^^^ CEL has no `matches` operator. Write `string.matches('pattern')`.
        "#]],
    );
}

#[test]
fn logic() {
    check(
        &["a and b or not c", "a & b | c"],
        &expect![[r#"
            a and b or not c
              ^^^ CEL has no `and` operator. Write `&&`.
                    ^^ CEL has no `or` operator. Write `||`.
                       ^^^ CEL has no `not` operator. Write `!` before the operand.

            a & b | c
              ^ CEL has no `&`. Write `&&` for "and".
                  ^ CEL has no `|`. Write `||` for "or".
        "#]],
    );
}

#[test]
fn defaults() {
    check(
        &["a ?? b", "a?.b", "a ?: b"],
        &expect![[r#"
            a ?? b
              ^^ CEL has no `??`. For a default, write `value.?field.orValue(default)`.

            a?.b
             ^^ CEL has no `?.`. Write `.?` to select a field that may be absent.

            a ?: b
              ^^ CEL has no `?:`. Write `condition ? value : other`. For a default, write `value.?field.orValue(default)`.
        "#]],
    );
}

#[test]
fn arithmetic() {
    check(
        &["a++", "a ** 2", "a += 1"],
        &expect![[r#"
            a++
             ^^ CEL has no `++`. Values cannot be modified. Write `+ 1` or `- 1`.

            a ** 2
              ^^ CEL has no `**`. Multiply instead, as in `x * x`.

            a += 1
              ^^ CEL has no `+=`. Values cannot be modified. Write the operator without `=`.
        "#]],
    );
}

#[test]
fn signs() {
    check(
        &["a; b", "a::b", "list.0 == 1"],
        &expect![[r#"
            a; b
             ^ CEL has no `;`. CEL has no statements. Remove it, or join conditions with `&&`.

            a::b
             ^^ CEL has no `::`. Write a dot between names.

            list.0 == 1
                ^^ CEL has no `.0`. Write the index in brackets, as in `list[0]`.
        "#]],
    );
}

#[test]
fn lambdas() {
    check(
        &["l.all(x => x > 0)", "l.all(x -> x > 0)", "x => x"],
        &expect![[r#"
            l.all(x => x > 0)
                    ^^ CEL has no `=>`. Separate the variable from the expression with a comma: `list.all(x, x > 0)`.

            l.all(x -> x > 0)
                    ^^ CEL has no `->`. Separate the variable from the expression with a comma: `list.all(x, x > 0)`.

            x => x
              ^^ CEL has no `=>`. Write `>=`.
        "#]],
    );
}

#[test]
fn comments() {
    check(
        &["# comment", "a # it's a comment\n && b", "a /* c */ && b"],
        &expect![[r#"
            # comment
            ^^^^^^^^^ `#` does not begin a comment in CEL. Write `//`.

            a # it's a comment
              ^^^^^^^^^^^^^^^^ `#` does not begin a comment in CEL. Write `//`.
             && b

            a /* c */ && b
              ^^^^^^^ CEL has no `/* … */` comments. Write `//` at the beginning of each line.
        "#]],
    );
}

#[test]
fn characters() {
    check(
        &["a $ b", "@", "a\u{a0}&& b", "a\0\0\0&& b"],
        &expect![[r#"
            a $ b
              ^ Unexpected character `$`. Remove it, or put strings in quotes.

            @
            ^ Unexpected character `@`. Remove it, or put strings in quotes.

            a && b
             - Invisible character U+00A0. Replace it with a space, or remove it.

            a␀␀␀&& b
             ^^^ Invisible character U+0000. Replace it with a space, or remove it.
        "#]],
    );
}

#[test]
fn templates() {
    check(
        &["{{ .Values.x }} == 1", "${x} == 1"],
        &expect![[r#"
            {{ .Values.x }} == 1
            ^^^^^^^^^^^^^^^ `{{` starts a template placeholder, which is not CEL. Check the rendered output of the template instead.

            ${x} == 1
            ^^^^ `${` starts a template placeholder, which is not CEL. Check the rendered output of the template instead.
        "#]],
    );
}

#[test]
fn statements() {
    check(
        &[
            "let x = 1; x",
            "if (a) { b } else { c }",
            "for x in y",
            "return true",
        ],
        &expect![[r#"
            let x = 1; x
            ^^^ `let` is a reserved word and cannot be used as a name. CEL has no assignments.

            if (a) { b } else { c }
            ^^ `if` is a reserved word and cannot be used as a name. Write `condition ? value : other`.

            for x in y
            ^^^ `for` is a reserved word and cannot be used as a name. To iterate over a list, write `list.all(x, condition)` or `list.map(x, value)`.

            return true
            ^^^^^^ `return` is a reserved word and cannot be used as a name. Write only the value.
        "#]],
    );
}

#[test]
fn operands() {
    check(
        &[
            "a =< 1 && b => 1",
            "a.all(x => x > 1)",
            "a in ('b', 'c')",
            "a.matches(/^b/)",
            "a[*].b == 1",
            "[x for x in a]",
        ],
        &expect![[r#"
            a =< 1 && b => 1
              ^^ CEL has no `=<`. Write `<=`.
                        ^^ CEL has no `=>`. Write `>=`.

            a.all(x => x > 1)
                    ^^ CEL has no `=>`. Separate the variable from the expression with a comma: `list.all(x, x > 0)`.

            a in ('b', 'c')
                     ^ Parentheses hold one expression. Write a list in brackets: `['a', 'b']`.

            a.matches(/^b/)
                      ^^^^ CEL has no `/…/`. Write a regular expression as a string, as in `'^a'`.

            a[*].b == 1
              ^ CEL has no `[*]`. Write `list.all(x, condition)` or `list.exists(x, condition)` for the elements of a list.

            [x for x in a]
               ^^^ `for` is a reserved word and cannot be used as a name. To iterate over a list, write `list.all(x, condition)` or `list.map(x, value)`.
               ^^^ `for` is a reserved word and cannot be used as a name. To iterate over a list, write `list.all(x, condition)` or `list.map(x, value)`.
        "#]],
    );
}
