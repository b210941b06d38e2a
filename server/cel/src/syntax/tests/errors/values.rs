//! Names and constants that are wrong in themselves.

use super::check;
use expect_test::expect;

#[test]
fn reserved_names() {
    check(
        &["object.in", "object.true == 1", "namespace == 'x'"],
        &expect![[r#"
            object.in
                   ^^ `in` is a keyword and cannot follow a dot. Write `['in']` for the key of a map, or `__in__` for a typed field.

            object.true == 1
                   ^^^^ `true` is a keyword and cannot follow a dot. Write `['true']` for the key of a map, or `__true__` for a typed field.

            namespace == 'x'
            ^^^^^^^^^ `namespace` is a reserved word and cannot be used as a name. For the field of a typed object write `__namespace__`; the object of the namespace is `namespaceObject`.
        "#]],
    );
}

#[test]
fn names_with_other_characters() {
    check(
        &["`a-b`", "object.`a-b`.c", "T{`a-b`: 1}", "größe > 1"],
        &expect![[r#"
            `a-b`
            ^^^^^ Only a field can have a name in backticks. Write the name without them, or a text in `'`.

            object.`a-b`.c
                   ^^^^^ Kubernetes reads names in backticks from version 1.37 on. Write `['a-b']` for the key of a map. A typed field has an escaped name, such as `a__dash__b` for `a-b`.

            T{`a-b`: 1}
              ^^^^^ Kubernetes reads names in backticks from version 1.37 on. Write a map, which has no type before `{`: `{'a-b': …}`. Labels and annotations are maps.

            größe > 1
            ^^^^^ `größe` is no name in CEL: a name has only letters a to z, digits and `_`. Write a text in quotes.
        "#]],
    );
}

#[test]
fn texts_without_an_end() {
    check(
        &[
            "'abc",
            "name == \"abc\n&& x == 'y'",
            "'a\nb' == x",
            "'''abc\ndef",
        ],
        &expect![[r#"
            'abc
            ^^^^ The text has no closing `'`. Add it.

            name == "abc
                    ^^^^ The text has no closing `"` on its line. Add it, write `\n` for a line break, or use `"""` around a text of several lines.
            && x == 'y'

            'a
            ^^ The text has no closing `'` on its line. Add it, write `\n` for a line break, or use `'''` around a text of several lines.
            b' == x

            '''abc
            ^^^^^^ The text has no closing `'''`. Add it.
            def
        "#]],
    );
}

#[test]
fn quotes() {
    check(
        &["'it's here' == x", "“abc” == x", "rb'x'", "f'{x}'"],
        &expect![[r#"
            'it's here' == x
               ^ This `'` ends the text. Write `\'` for one within it, or put the other quotes around it.

            “abc” == x
            ^^^^^ `“` is a typographic quotation mark. Write `'` or `"` around a text.

            rb'x'
            ^^ Write `br` before raw bytes, not `rb`.

            f'{x}'
            ^ `f` cannot stand before a text. CEL has `r` (raw text), `b` (bytes) and `br` (raw bytes).
        "#]],
    );
}

#[test]
fn escapes() {
    check(
        &[
            "'C:\\d'",
            "'\\u12'",
            "'é\\ud800'",
            "b'\\u00e9'",
            "'\\400'",
            "'\\9'",
            "'\\U00110000'",
            "'''a\\\nb'''",
        ],
        &expect![[r#"
            'C:\d'
               ^^ CEL has no escape `\d`. Write `\\d` for a backslash, or put `r` before the quotes, as in `r'\d'`.

            '\u12'
             ^^^^ `\u` needs 4 hexadecimal digits after it.

            'é\ud800'
              ^^^^^^ There is no character U+D800. Write one up to U+10FFFF that is no half of a pair (U+D800 to U+DFFF).

            b'\u00e9'
              ^^^^^^ `\u` and `\U` do not work in bytes. Write each byte as `\x..`, or the character itself.

            '\400'
             ^^^^ An octal escape has three digits, from `\000` to `\377`.

            '\9'
             ^^ An octal escape has three digits, from `\000` to `\377`.

            '\U00110000'
             ^^^^^^^^^^ There is no character U+110000. Write one up to U+10FFFF that is no half of a pair (U+D800 to U+DFFF).

            '''a\
                ^ A backslash cannot join lines in CEL. Remove it, or write `\\` for a backslash.
            b'''
        "#]],
    );
}

#[test]
fn numbers_out_of_range() {
    check(
        &[
            "99999999999999999999",
            "9223372036854775808",
            "-9223372036854775809",
            "18446744073709551616u",
            "1e999",
        ],
        &expect![[r#"
            99999999999999999999
            ^^^^^^^^^^^^^^^^^^^^ The number does not fit an int, which goes from -9223372036854775808 to 9223372036854775807.

            9223372036854775808
            ^^^^^^^^^^^^^^^^^^^ The number does not fit an int, which goes from -9223372036854775808 to 9223372036854775807. As a uint it fits: write `u` behind it.

            -9223372036854775809
            ^^^^^^^^^^^^^^^^^^^^ The number does not fit an int, which goes from -9223372036854775808 to 9223372036854775807.

            18446744073709551616u
            ^^^^^^^^^^^^^^^^^^^^^ The number does not fit a uint, which goes up to 18446744073709551615.

            1e999
            ^^^^^ The number is too large for a double, which goes up to about 1.8e308.
        "#]],
    );
}

#[test]
fn numbers_that_are_none() {
    check(
        &["1.", "100Mi", "1_000", "0b11", "0xZ", "1.5u", "1.2.3", "1e"],
        &expect![[r#"
            1.
            ^^ `1.` is no number. Write a digit after the point, as in `1.0`.

            100Mi
            ^^^^^ `100Mi` is no number. Write a quantity with a unit as a text, as in `quantity('100Mi')` or `duration('10s')`. A name cannot begin with a digit.

            1_000
            ^^^^^ `1_000` is no number. Write the digits without `_`.

            0b11
            ^^^^ `0b11` is no number. Write it in decimal, or in hexadecimal as in `0x1f`.

            0xZ
            ^^^ `0xZ` is no number. Write hexadecimal digits after a small `x`, as in `0x1f`.

            1.5u
            ^^^^ `1.5u` is no number. Write `u` after a whole number only.

            1.2.3
            ^^^^^ `1.2.3` is no number. Write a version or an address as a text: `'1.2.3'`.

            1e
            ^^ `1e` is no number. Write digits after the `e`, as in `1e3`.
        "#]],
    );
}

#[test]
fn macros() {
    check(
        &[
            "has(object)",
            "has(object['a'])",
            "has(object.?a)",
            "l.all(1, true)",
            "l.map(a.b, true)",
            "l.exists(k, k, true)",
            "l.filter(__result__, true)",
            "{}.sortBy(x, x)",
        ],
        &expect![[r#"
            has(object)
                ^^^^^^ `has()` needs a field, as in `has(object.spec.replicas)`. To test for a key write `'key' in map`.

            has(object['a'])
                ^^^^^^^^^^^ `has()` needs a field, as in `has(object.spec.replicas)`. To test for a key write `'key' in map`.

            has(object.?a)
                ^^^^^^^^^ `has()` needs a field, as in `has(object.spec.replicas)`. To test for a key write `'key' in map`.

            l.all(1, true)
                  ^ `all` first needs the name of a variable: `all(x, …)`.

            l.map(a.b, true)
                  ^^^ `map` first needs the name of a variable: `map(x, …)`.

            l.exists(k, k, true)
                        ^ Both variables are called `k`. Give one of them another name.

            l.filter(__result__, true)
                     ^^^^^^^^^^ `__result__` is a name that CEL uses itself. Choose another name.

            {}.sortBy(x, x)
            ^^ `sortBy()` works on lists only.
        "#]],
    );
}
