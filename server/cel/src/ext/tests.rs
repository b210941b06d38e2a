//! Results of the extension libraries, as tables. They come from cel-go.

use super::format;
use crate::stdlib;
use crate::stdlib::tests::{answer, check_all};

#[test]
fn strings() {
    check_all(&[
        ("'😀x'.charAt(1) + 'x'.charAt(1)", "x"),
        ("'x'.charAt(2)", "error: index out of range: 2"),
        (
            "dyn(1).charAt(1)",
            "error: no such overload: charAt(int, int)",
        ),
        ("'abc'.indexOf('', 7)", "3"),
        ("'abc'.indexOf('a', -1)", "error: index out of range: -1"),
        ("'éaé'.indexOf('é', 1)", "2"),
        ("'ta©o©αT'.lastIndexOf('©', 3)", "2"),
        ("'aaa'.lastIndexOf('aa', 2)", "1"),
        ("'abc'.lastIndexOf('c', 3)", "-1"),
        ("'aXbX'.replace('X', '', 1)", "abX"),
        ("'ab'.replace('', '-')", "-a-b-"),
        ("'aéb'.split('')", "[a, é, b]"),
        ("'a,b'.split(',', 0)", "[]"),
        ("''.split(',')", "[]"),
        (
            "'abc'.substring(2, 1)",
            "error: invalid substring range. start: 2, end: 1",
        ),
        ("'abc'.substring(4)", "error: index out of range: 4"),
        ("'\\u2003 a\\u00a0'.trim()", "a"),
        ("'ÀÉa'.upperAscii()", "ÀÉA"),
        ("strings.quote('\\u0007\\u200b')", "\"\\a\u{200b}\""),
        ("dyn(['a', 1]).join()", "error: join: invalid input: 1"),
        ("dyn([1]).join()", "error: no such overload: join(list)"),
    ]);
}

#[test]
fn lists_and_sets() {
    check_all(&[
        (
            "[1].slice(0, 2)",
            "error: cannot slice(0, 2), list is length 1",
        ),
        ("dyn([1, 2]).flatten()", "[1, 2]"),
        ("dyn(1).flatten()", "error: no such overload: int.flatten()"),
        ("[[1]].flatten(-1)", "error: level must be non-negative"),
        (
            "dyn([1, 'a']).sort()",
            "error: list elements must have the same type",
        ),
        (
            "dyn([[1]]).sort()",
            "error: list elements must be comparable",
        ),
        (
            "lists.range(13).sortBy(x, x % 3)",
            "[6, 3, 0, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11]",
        ),
        ("[double('NaN'), 1.0, 0.5].sort()", "[NaN, 0.5, 1]"),
        (
            "lists.range(-1)",
            "error: lists.range: size must be non-negative, got -1",
        ),
        ("dyn([1, 1.0, 1u]).distinct()", "[1]"),
        ("sets.contains([1], [])", "true"),
        ("sets.intersects([], [])", "false"),
        ("sets.equivalent([1, 1], [1])", "true"),
    ]);
}

#[test]
fn optionals_and_maps() {
    check_all(&[
        (
            "optional.none().value()",
            "error: optional.none() dereference",
        ),
        ("optional.of(null).hasValue()", "true"),
        ("optional.ofNonZeroValue(0.0).hasValue()", "false"),
        ("optional.of([1])", "optional([1])"),
        (
            "dyn([optional.of(1), 2]).unwrapOpt()",
            "error: value 2 is not optional",
        ),
        ("[].first().hasValue()", "false"),
        (
            "['a', 'a'].transformMapEntry(i, v, {v: i})",
            "error: insert failed: key a already exists",
        ),
    ]);
}

#[test]
fn format_of_the_specification() {
    check_all(&[
        (
            "'%d %.2f %e'.format([1.5, 1, 1234.5])",
            "1.5 1.00 1.234500e+03",
        ),
        (
            "'%s'.format([{'b': [1.0, 'x'], 'a': null}])",
            "{a: null, b: [1, x]}",
        ),
        (
            "'%X %x %o %b'.format([255, 'é', -8, true])",
            "FF c3a9 -10 1",
        ),
        ("'%s'.format([duration('1h')])", "3600s"),
        ("'%%%s'.format(dyn([]))", "error: index 0 out of range"),
    ]);
}

#[test]
fn format_of_kubernetes() {
    let libraries = [&stdlib::LIBRARY, &super::strings::LIBRARY, &format::LIBRARY];
    for (expression, expected) in [
        ("'%.2f'.format([-1234567.891])", "-1,234,567.89"),
        ("'%f'.format([-0.0])", "0.000000"),
        ("'%e'.format([1234.5])", "1.234500×10⁰³"),
        ("'%.15e'.format([0.5])", " 5.000000×10⁻⁰¹"),
        ("'%.1f'.format([double('-Infinity')])", "-∞"),
        ("'%s'.format([1e6])", "1e+06"),
        (
            "'%s'.format([[1.5, 'a\\n', b'b', null, duration('1s'), int]])",
            "[1.500000, \"a\\n\", b\"b\", null, duration(\"1s\"), int]",
        ),
        ("'%s'.format([{'b': 1, 'a': {}}])", "{\"a\":{}, \"b\":1}"),
        (
            "'%d'.format(dyn([1.5]))",
            "error: error during formatting: decimal clause can only be used on integers, \
             was given double",
        ),
        (
            "dyn('%q').format([1])",
            "error: could not parse formatting clause: unrecognized formatting clause \"q\"",
        ),
    ] {
        assert_eq!(answer(&libraries, expression), expected, "{expression}");
    }
}

#[test]
fn values_that_share_their_parts_take_no_longer_than_they_are_large() {
    let doubled = format!("[[1]]{}", ".map(x, [x, x])".repeat(60));
    check_all(&[
        (&format!("{doubled} == {doubled}"), "true"),
        (&format!("{doubled} in [{doubled}]"), "true"),
        (
            &format!("'%s'.format([{doubled}])"),
            "error: operation cancelled: memory limit exceeded",
        ),
        (
            &format!("{doubled}.flatten(70)"),
            "error: operation cancelled: memory limit exceeded",
        ),
    ]);
    let shown = answer(
        &super::PLAIN_CEL,
        &format!("dyn(['a', dyn({doubled})]).join()"),
    );
    assert!(shown.len() < 1_000_000);
}
