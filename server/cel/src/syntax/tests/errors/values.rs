//! Invalid names and constants.

use super::check;
use expect_test::expect;

#[test]
fn reserved_names() {
    check(
        &["object.in", "object.true == 1", "namespace == 'x'"],
        &expect![[r#"
            object.in
                   ^^ `in` is a keyword and cannot follow a dot. Write `['in']` for a map key, or `__in__` for a typed field.

            object.true == 1
                   ^^^^ `true` is a keyword and cannot follow a dot. Write `['true']` for a map key, or `__true__` for a typed field.

            namespace == 'x'
            ^^^^^^^^^ `namespace` is a reserved word and cannot be used as a name. Choose another name.
        "#]],
    );
}

#[test]
fn names_with_other_characters() {
    check(
        &["`a-b`", "object.`a-b`.c", "T{`a-b`: 1}", "größe > 1"],
        &expect![[r#"
            `a-b`
            ^^^^^ Only field names can be in backticks. Remove the backticks, or quote a string with `'`.

            object.`a-b`.c
                   ^^^^^ Names in backticks are not supported. For a map key write `['a-b']`; a typed field has an escaped name, such as `a__dash__b` for `a-b`.

            T{`a-b`: 1}
              ^^^^^ Names in backticks are not supported. Write a map, without a type name before `{`: `{'a-b': …}`. Labels and annotations are maps.

            größe > 1
            ^^^^^ `größe` is not a valid name: names contain only ASCII letters, digits and `_`. Put strings in quotes.
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
            ^^^^ The string has no closing `'`. Add it.

            name == "abc
                    ^^^^ The string has no closing `"` on its line. Add it, write `\n` for a line break, or use `"""` for a string of several lines.
            && x == 'y'

            'a
            ^^ The string has no closing `'` on its line. Add it, write `\n` for a line break, or use `'''` for a string of several lines.
            b' == x

            '''abc
            ^^^^^^ The string has no closing `'''`. Add it.
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
               ^ This `'` ends the string. Escape it as `\'`, or quote the string with the other kind of quotes.

            “abc” == x
            ^^^^^ `“` is a typographic quotation mark. Quote strings with `'` or `"`.

            rb'x'
            ^^ Write `br` before raw bytes, not `rb`.

            f'{x}'
            ^ `f` is not a string prefix. CEL has `r` (raw string), `b` (bytes) and `br` (raw bytes).
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
               ^^ Unknown escape `\d`. Write `\\d` for a backslash, or use a raw string, as in `r'\d'`.

            '\u12'
             ^^^^ `\u` requires 4 hexadecimal digits.

            'é\ud800'
              ^^^^^^ U+D800 is not a valid character. The escape must be at most U+10FFFF and not a surrogate (U+D800 to U+DFFF).

            b'\u00e9'
              ^^^^^^ `\u` and `\U` are not allowed in bytes. Write each byte as `\x..`, or the character itself.

            '\400'
             ^^^^ An octal escape has three digits, from `\000` to `\377`.

            '\9'
             ^^ An octal escape has three digits, from `\000` to `\377`.

            '\U00110000'
             ^^^^^^^^^^ U+110000 is not a valid character. The escape must be at most U+10FFFF and not a surrogate (U+D800 to U+DFFF).

            '''a\
                ^ A backslash cannot continue a line in CEL. Remove it, or write `\\` for a backslash.
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
            ^^^^^^^^^^^^^^^^^^^^ The number is out of range for an int, -9223372036854775808 to 9223372036854775807.

            9223372036854775808
            ^^^^^^^^^^^^^^^^^^^ The number is out of range for an int, -9223372036854775808 to 9223372036854775807. It fits in a uint: add the suffix `u`.

            -9223372036854775809
            ^^^^^^^^^^^^^^^^^^^^ The number is out of range for an int, -9223372036854775808 to 9223372036854775807.

            18446744073709551616u
            ^^^^^^^^^^^^^^^^^^^^^ The number is out of range for a uint, at most 18446744073709551615.

            1e999
            ^^^^^ The number is out of range for a double, at most about 1.8e308.
        "#]],
    );
}

#[test]
fn numbers_that_are_none() {
    check(
        &["1.", "100Mi", "1_000", "0b11", "0xZ", "1.5u", "1.2.3", "1e"],
        &expect![[r#"
            1.
            ^^ `1.` is not a valid number. Write a digit after the point, as in `1.0`.

            100Mi
            ^^^^^ `100Mi` is not a valid number. Write a number with a unit as a string, as in `quantity('100Mi')` or `duration('10s')`. A name cannot start with a digit.

            1_000
            ^^^^^ `1_000` is not a valid number. Write the digits without `_`.

            0b11
            ^^^^ `0b11` is not a valid number. Write it in decimal, or in hexadecimal as in `0x1f`.

            0xZ
            ^^^ `0xZ` is not a valid number. Write hexadecimal digits after a lowercase `x`, as in `0x1f`.

            1.5u
            ^^^^ `1.5u` is not a valid number. Only integers can have the suffix `u`.

            1.2.3
            ^^^^^ `1.2.3` is not a valid number. Write a version or an address as a string: `'1.2.3'`.

            1e
            ^^ `1e` is not a valid number. Write digits after the `e`, as in `1e3`.
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
                ^^^^^^ `has()` requires a field selection, as in `has(object.spec.replicas)`. To test for a map key, write `'key' in map`.

            has(object['a'])
                ^^^^^^^^^^^ `has()` requires a field selection, as in `has(object.spec.replicas)`. To test for a map key, write `'key' in map`.

            has(object.?a)
                ^^^^^^^^^ `has()` requires a field selection, as in `has(object.spec.replicas)`. To test for a map key, write `'key' in map`.

            l.all(1, true)
                  ^ The first argument of `all` must be a variable name: `all(x, …)`.

            l.map(a.b, true)
                  ^^^ The first argument of `map` must be a variable name: `map(x, …)`.

            l.exists(k, k, true)
                        ^ Both variables are named `k`. Rename one of them.

            l.filter(__result__, true)
                     ^^^^^^^^^^ `__result__` is reserved for CEL. Choose another name.

            {}.sortBy(x, x)
            ^^ `sortBy()` works on lists only.
        "#]],
    );
}
