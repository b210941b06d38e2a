//! How the parts stand together.

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
               ^ This `)` closes nothing. Remove it, or add `(` before.

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
                  ^ A call cannot end with a comma. Remove it, or add an argument.

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
                - Expected an expression after `&&`, but the text ends.

            && a
            ^^ Expected an expression, found `&&`.

            a && || b
                 ^^ Expected an expression after `&&`, found `||`.

            a ==
                - Expected an expression after `==`, but the text ends.

            f(a,
                - Expected an expression after `,`, but the text ends.
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
                   - Expected a name after `.`, but the text ends.

            object.spec..x
                       ^^ CEL has no `..`. Write one dot before a field. There are no ranges.

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
                 - The condition has no `:` part. Write all three parts: `condition ? value : other`. (the condition ends here 2..3)

            a ? b :
                   - Expected an expression after `:`, but the text ends.

            ? :
            ^ Expected an expression, found `?`.
              ^ Expected an expression after `?`, found `:`.
               - Expected an expression after `:`, but the text ends.

            true?false?1:2:3
                      ^ A condition within the middle part of another one needs parentheses: `a ? (b ? c : d) : e`.
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
              ^ `b` does not belong here: the expression is complete before it. Join two expressions with an operator such as `&&`, or remove it.

            'a' 'b'
                ^^^ `'b'` does not belong here: the expression is complete before it. Join two expressions with an operator such as `&&`, or remove it.

            a.b c.d && e
                ^ `c` does not belong here: the expression is complete before it. Join two expressions with an operator such as `&&`, or remove it.

            f(x)(y)
                ^ Only a function can be called: a name has to stand before `(`.

            (f)(x)
               ^ Only a function can be called: a name has to stand before `(`.

            f(x){a: 1}
                ^ `{` cannot follow here. Only the name of a type can, as in `Object{field: value}`. CEL has no blocks.
        "#]],
    );
}

#[test]
fn operators_that_do_not_mix() {
    check(
        &["-!a", "!-a"],
        &expect![[r#"
        -!a
         ^ `!` and `-` cannot follow each other. Put the part from `!` on in parentheses.

        !-a
         ^ `!` and `-` cannot follow each other. Put the part from `-` on in parentheses.
    "#]],
    );
}

#[test]
fn maps() {
    check(
        &["{'a' 1}", "{'a' = 1}", "{'a'}", "{a: }", "{: 1}"],
        &expect![[r#"
            {'a' 1}
                 ^ A `:` is missing before `1`. Write `key: value`.

            {'a' = 1}
                 ^ A `:` is missing before `=`. Write `key: value`.

            {'a'}
                ^ A `:` is missing before `}`. Write `key: value`.

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
              ^^^ A field name has no quotes. Write `a`.

            T{a = 1}
                ^ A `:` is missing before `=`. Write `key: value`.

            T{a}
               ^ A `:` is missing before `}`. Write `key: value`.

            T{1: 2}
              ^ `1` is not a field name. Write a name, then `:` and the value.

            T{in: 2}
              ^^ `in` is not a field name. Write a map, which has no type before `{`: `{'in': …}`. Labels and annotations are maps.
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
                                       ^ `has()` needs a field, as in `has(object.spec.replicas)`. To test for a key write `'key' in map`.
                                               ^ CEL has no `=`. Write `==` to compare. Nothing can be assigned.

            a = 1 &&
              ^ CEL has no `=`. Write `==` to compare. Nothing can be assigned.
            'b &&
            ^^^^^ The text has no closing `'` on its line. Add it, write `\n` for a line break, or use `'''` around a text of several lines.
            c &&
            if == 1
            ^^ `if` is a reserved word and cannot be used as a name. Write `condition ? value : other`.
        "#]],
    );
}
