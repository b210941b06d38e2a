//! Errors in the order of parts.

use super::check;
use expect_test::expect;

#[test]
fn brackets_that_are_not_closed() {
    check(
        &[
            "l.all(c, c.image.startsWith('x')",
            "[1, 2",
            "{'a': [1}",
            "m['a'",
            "((a)",
            "a ? (b : c",
            "has(",
        ],
        &expect![[r#"
            l.all(c, c.image.startsWith('x')
                                            - The `(` is never closed. Add `)`. (opened here 5..6)

            [1, 2
                 - The `[` is never closed. Add `]`. (opened here 0..1)

            {'a': [1}
                    - The `[` is never closed. Add `]`. (opened here 6..7)

            m['a'
                 - The `[` is never closed. Add `]`. (opened here 1..2)

            ((a)
                - The `(` is never closed. Add `)`. (opened here 0..1)

            a ? (b : c
                  - The `(` is never closed. Add `)`. (opened here 4..5)

            has(
                - The `(` is never closed. Add `)`. (opened here 3..4)
        "#]],
    );
}

#[test]
fn brackets_that_do_not_match() {
    check(
        &["f(a, b]", "f(a, b))", "()", "m[]"],
        &expect![[r#"
            f(a, b]
                  ^ `]` cannot close `(`. Write `)`. (this one is open 1..2)

            f(a, b))
                   ^ Unmatched `)`. Remove it, or add `(` before it.

            ()
             ^ Expected an expression after `(`, found `)`.

            m[]
              ^ Expected an expression after `[`, found `]`.
        "#]],
    );
}

#[test]
fn commas() {
    check(
        &[
            "f(a b)",
            "fail(The value must be set)",
            "[1 2]",
            "size(l,)",
            "f(,)",
            "f(a,,b)",
            "[,1]",
            "{'a': 1 'b': 2}",
        ],
        &expect![[r#"
            f(a b)
                ^ A comma is missing before `b`.

            fail(The value must be set)
                     ^^^^^ A comma is missing before `value`.

            [1 2]
               ^ A comma is missing before `2`.

            size(l,)
                  ^ Trailing commas are not allowed in calls. Remove the comma, or add an argument.

            f(,)
              ^ Expected an expression after `(`, found `,`.

            f(a,,b)
                ^ Expected an expression after `,`, found `,`.

            [,1]
             ^ Expected an expression, found `,`.

            {'a': 1 'b': 2}
                    ^^^ A comma is missing before `'b'`.
        "#]],
    );
}

#[test]
fn operands_that_are_missing() {
    check(
        &[
            "",
            "// only a comment",
            "a &&",
            "&& a",
            "a && || b",
            "a ==\n",
            "f(a,",
        ],
        &expect![[r#"
            - The expression is empty. Write a CEL expression.

            // only a comment
            - The expression is empty. Write a CEL expression.

            a &&
                - Expected an expression after `&&`, found the end of the expression.

            && a
            ^^ Expected an expression, found `&&`.

            a && || b
                 ^^ Expected an expression after `&&`, found `||`.

            a ==
                - Expected an expression after `==`, found the end of the expression.

            f(a,
                - Expected an expression after `,`, found the end of the expression.
        "#]],
    );
}

#[test]
fn fields_that_are_missing() {
    check(
        &[
            "object.",
            "object.spec..x",
            "object.spec. && true",
            ". == 1",
        ],
        &expect![[r#"
            object.
                   - Expected a name after `.`, found the end of the expression.

            object.spec..x
                       ^^ CEL has no `..`. Write one dot before a field. CEL has no ranges.

            object.spec. && true
                         ^^ Expected a name after `.`, found `&&`.

            . == 1
              ^^ Expected a name after `.`, found `==`.
        "#]],
    );
}

#[test]
fn conditions() {
    check(
        &["a ? b", "a ? b :", "? :", "true?false?1:2:3"],
        &expect![[r#"
            a ? b
                 - The conditional has no `:` branch. Write `condition ? value : other`. (the condition ends here 2..3)

            a ? b :
                   - Expected an expression after `:`, found the end of the expression.

            ? :
            ^ Expected an expression, found `?`.
              ^ Expected an expression after `?`, found `:`.
               - Expected an expression after `:`, found the end of the expression.

            true?false?1:2:3
                      ^ A conditional nested between `?` and `:` needs parentheses: `a ? (b ? c : d) : e`.
        "#]],
    );
}

#[test]
fn what_does_not_belong_here() {
    check(
        &[
            "a b c",
            "'a' 'b'",
            "a.b c.d && e",
            "f(x)(y)",
            "(f)(x)",
            "f(x){a: 1}",
        ],
        &expect![[r#"
            a b c
              ^ Unexpected `b` after the end of the expression. Remove it, or join the two expressions with an operator such as `&&`.

            'a' 'b'
                ^^^ Unexpected `'b'` after the end of the expression. Remove it, or join the two expressions with an operator such as `&&`.

            a.b c.d && e
                ^ Unexpected `c` after the end of the expression. Remove it, or join the two expressions with an operator such as `&&`.

            f(x)(y)
                ^ Only functions can be called. Write a function name before `(`.

            (f)(x)
               ^ Only functions can be called. Write a function name before `(`.

            f(x){a: 1}
                ^ Unexpected `{`. Write a type name before it, as in `Object{field: value}`. CEL has no blocks.
        "#]],
    );
}

#[test]
fn operators_that_do_not_mix() {
    check(
        &["-!a", "!-a"],
        &expect![[r#"
            -!a
             ^ `!` and `-` cannot be combined directly. Put the operand starting at `!` in parentheses.

            !-a
             ^ `!` and `-` cannot be combined directly. Put the operand starting at `-` in parentheses.
        "#]],
    );
}

#[test]
fn maps() {
    check(
        &["{'a' 1}", "{'a' = 1}", "{'a'}", "{a: }", "{: 1}"],
        &expect![[r#"
            {'a' 1}
                 ^ Missing `:` before `1`. Write `key: value`.

            {'a' = 1}
                 ^ Missing `:` before `=`. Write `key: value`.

            {'a'}
                ^ Missing `:` before `}`. Write `key: value`.

            {a: }
                ^ Expected an expression after `:`, found `}`.

            {: 1}
             ^ Expected an expression after `{`, found `:`.
        "#]],
    );
}

#[test]
fn structs() {
    check(
        &["T{'a': 1}", "T{a = 1}", "T{a}", "T{1: 2}", "T{in: 2}"],
        &expect![[r#"
            T{'a': 1}
              ^^^ Field names are not quoted. Write `a`.

            T{a = 1}
                ^ Missing `:` before `=`. Write `key: value`.

            T{a}
               ^ Missing `:` before `}`. Write `key: value`.

            T{1: 2}
              ^ `1` is not a field name. Write `name: value`.

            T{in: 2}
              ^^ `in` is not a field name. Write a map, without a type name before `{`: `{'in': …}`. Labels and annotations are maps.
        "#]],
    );
}

#[test]
fn several_mistakes_are_each_told_once() {
    check(
        &[
            "l.exists(c, c.x ==) && has(y) && a = 1",
            "a = 1 &&\n'b &&\nc &&\nif == 1",
        ],
        &expect![[r#"
            l.exists(c, c.x ==) && has(y) && a = 1
                              ^ Expected an expression after `==`, found `)`.
                                       ^ `has()` requires a field selection, as in `has(object.spec.replicas)`. To test for a map key, write `'key' in map`.
                                               ^ CEL has no `=`. Write `==` to compare.

            a = 1 &&
              ^ CEL has no `=`. Write `==` to compare.
            'b &&
            ^^^^^ The string has no closing `'` on its line. Add it, write `\n` for a line break, or use `'''` for a string of several lines.
            c &&
            if == 1
            ^^ `if` is a reserved word and cannot be used as a name. Write `condition ? value : other`.
        "#]],
    );
}
