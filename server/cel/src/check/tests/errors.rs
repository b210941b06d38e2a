//! The messages for invalid expressions, with their positions.

use super::{answers, assert_answers, checked};
use expect_test::expect;

#[test]
fn names_are_declared() {
    assert_answers(&expect![[r#"
        missing
            0: undeclared reference to 'missing' (in container '')
        missing.field
            0: undeclared reference to 'missing' (in container '')
        .missing
            1: undeclared reference to '.missing' (in container '')
        a
            0: undeclared reference to 'a' (in container '')
        missing(1)
            7: undeclared reference to 'missing' (in container '')
        n.missing(1)
            9: undeclared reference to 'missing' (in container '')
        missing.missing(1)
            0: undeclared reference to 'missing' (in container '')
            15: undeclared reference to 'missing' (in container '')
        Missing{a: nope}
            7: undeclared reference to 'Missing' (in container '')
        list.all(x, y)
            12: undeclared reference to 'y' (in container '')
        list.all(x, true) && x
            21: undeclared reference to 'x' (in container '')
        list.all(.x, x == 1)
            13: undeclared reference to 'x' (in container '')
        list.map(x, __result__)
            12: undeclared reference to '__result__' (in container '')
        dyn
            0: undeclared reference to 'dyn' (in container '')
        s{a: nope}
            1: undeclared reference to 's' (in container '')
        list.all(x, x{a: 1})
            13: undeclared reference to 'x' (in container '')
    "#]]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn calls_have_an_overload() {
    assert_answers(&expect![[r#"
        1 + 'a'
            2: found no matching overload for '_+_' applied to '(int, string)'
        1 + 1.5
            2: found no matching overload for '_+_' applied to '(int, double)'
        n == s
            2: found no matching overload for '_==_' applied to '(int, string)'
        !n
            0: found no matching overload for '!_' applied to '(int)'
        -s
            0: found no matching overload for '-_' applied to '(string)'
        s.startsWith(1)
            12: found no matching overload for 'startsWith' applied to 'string.(int)'
        startsWith(s, s)
            10: found no matching overload for 'startsWith' applied to '(string, string)'
        size()
            4: found no matching overload for 'size' applied to '()'
        size(n)
            4: found no matching overload for 'size' applied to '(int)'
        n in map
            2: found no matching overload for '@in' applied to '(int, map(string, int))'
        list['a']
            4: found no matching overload for '_[_]' applied to '(list(int), string)'
        [] + {}
            3: found no matching overload for '_+_' applied to '(list(dyn), map(dyn, dyn))'
        s ? 1 : 2
            2: found no matching overload for '_?_:_' applied to '(string, int, int)'
        b ? 1 : 'a'
            2: found no matching overload for '_?_:_' applied to '(bool, int, string)'
        s.size(1, 2)
            6: found no matching overload for 'size' applied to 'string.(int, int)'
        sets.contains(list, words)
            13: found no matching overload for 'sets.contains' applied to '(list(int), list(string))'
        optional.of(1) + 1
            15: found no matching overload for '_+_' applied to '(optional_type(int), int)'
        type(1) + type(2)
            8: found no matching overload for '_+_' applied to '(type(int), type(int))'
        wrapped + 'a'
            8: found no matching overload for '_+_' applied to '(wrapper(int), string)'
        [].sum() + 'a'
            6: undeclared reference to 'sum' (in container '')
    "#]]);
}

#[test]
fn fields_are_there() {
    assert_answers(&expect![[r#"
        pod.nme
            3: undefined field 'nme'
        has(pod.nme)
            3: undefined field 'nme'
        pod.next.next.nme
            13: undefined field 'nme'
        pod.?nme
            3: undefined field 'nme'
        n.field
            1: type 'int' does not support field selection
        has(n.field)
            3: type 'int' does not support field selection
        s.a.b.c
            1: type 'string' does not support field selection
        ip.address
            2: type 'net.IP' does not support field selection
        int.max
            3: type 'type(int)' does not support field selection
        list.first
            4: type 'list(int)' does not support field selection
        acme.Pod{nme: 1}
            12: undefined field 'nme'
        acme.Pod{name: 1}
            13: expected type of field 'name' is 'string' but provided type is 'int'
        acme.Pod{?name: s}
            16: expected type 'optional_type(string)' but found 'string'
        acme.Pod{?name: opt}
            14: expected type of field 'name' is 'string' but provided type is 'int'
        int{}
            3: 'int' is not a message type
        n{}
            1: undeclared reference to 'n' (in container '')
    "#]]);
}

#[test]
fn operands_have_the_type_that_is_needed() {
    assert_answers(&expect![[r#"
        n && b
            0: expected type 'bool' but found 'int'
        b || s && n
            5: expected type 'bool' but found 'string'
            10: expected type 'bool' but found 'int'
        list.all(x, x)
            12: expected type 'bool' but found 'int'
        list.exists(x, 'a')
            15: expected type 'bool' but found 'string'
        list.filter(x, x)
            11: found no matching overload for '_?_:_' applied to '(int, list(int), list(int))'
        list.exists_one(x, x)
            15: found no matching overload for '_?_:_' applied to '(int, int, int)'
        n.all(x, true)
            0: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)
        s.map(x, x)
            0: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)
        opt.all(x, true)
            0: expression of type 'optional_type(int)' cannot be range of a comprehension (must be list, map, or dynamic)
        any.all(x, true)
            0: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)
        [?n]
            2: expected type 'optional_type(int)' but found 'int'
        {?'a': n}
            7: expected type 'optional_type(int)' but found 'int'
        n.optMap(x, x)
            8: found no matching overload for 'hasValue' applied to 'int.()'
            8: found no matching overload for 'value' applied to 'int.()'
        words.sortBy(w, list)
            12: found no matching overload for '@sortByAssociatedKeys' applied to 'list(string).(list(list(int)))'
        map.transformMapEntry(k, v, k)
            21: found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), string)'
    "#]]);
}

#[test]
fn literals_hold_one_type() {
    assert_answers(&expect![[r#"
        [1, 'a', 2u]
            4: expected type 'int' but found 'string'
        [1, dyn(1)]
            7: expected type 'int' but found 'dyn'
        [object.a, 1]
            11: expected type 'dyn' but found 'int'
        {'a': 1, 2: 'b'}
            9: expected type 'string' but found 'int'
            12: expected type 'int' but found 'string'
        {'a': 1, 'b': 'c', 'd': 1.5}
            14: expected type 'int' but found 'string'
            24: expected type 'int' but found 'double'
        [[1], ['a']]
            6: expected type 'list(int)' but found 'list(string)'
        '%d %s'.format([1, 'a'])
            string
        '%d'.format([[1, 'a'].size()])
            string
        [?opt, 'a']
            7: expected type 'int' but found 'string'
    "#]]);
}

#[test]
fn constants_are_read() {
    assert_answers(&expect![[r#"
        duration('1h30m') > duration('1 hour')
            29: invalid duration argument
        timestamp('2024-01-01T00:00:00Z') > timestamp('2024-01-01')
            46: invalid timestamp argument
        timestamp(0) > timestamp(s)
            bool
        timestamp(null) > timestamp(0)
            10: invalid timestamp argument
        s.matches('[a-z]+') && s.matches('[a-z')
            33: invalid matches argument
        matches('(', 'a')
            8: invalid matches argument
    "#]]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_format_fits_its_arguments() {
    assert_answers(&expect![[r#"
        '%s %d %f %e %b %x %X %o %%'.format([list, 1, 1.5, 1.5, true, s, b'a', 1u])
            string
        '%s'.format([])
            11: index 0 out of range
        '%s'.format([1, 2])
            11: too many arguments supplied to string.format (expected 1, got 2)
        '%'.format([1])
            10: unexpected end of string
        '%z'.format([1])
            11: could not parse formatting clause: unrecognized formatting clause "z"
        '%.f'.format([1.5])
            12: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax
        '%.2'.format([1.5])
            12: could not parse formatting clause: error while parsing precision: could not find end of precision specifier
        '%.99999999999999999999f'.format([1.5])
            32: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "99999999999999999999": value out of range
        '%d'.format(['a'])
            13: error during formatting: decimal clause can only be used on integers, was given string
        '%s'.format([ip])
            13: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given net.IP
        '%s'.format([[1, ip]])
            17: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given net.IP
        '%s'.format([{'a': ip}])
            19: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given net.IP
        '%b'.format([s])
            13: error during formatting: only integers and bools can be formatted as binary, was given string
        '%x'.format([d])
            13: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double
        '%o'.format([s])
            13: error during formatting: octal clause can only be used on integers, was given string
        '%f'.format([n])
            13: error during formatting: fixed-point clause can only be used on doubles, was given int
        '%e'.format([list])
            13: error during formatting: scientific clause can only be used on doubles, was given list
        '%d'.format([object])
            string
        s.format([ip])
            string
        '%d'.format(words)
            string
    "#]]);
}

#[test]
fn an_error_is_reported_once_and_what_follows_is_silent() {
    assert_answers(&expect![[r#"
        missing + 1
            0: undeclared reference to 'missing' (in container '')
        missing.a.b == missing2.c
            0: undeclared reference to 'missing' (in container '')
            15: undeclared reference to 'missing2' (in container '')
        [missing, 1]
            1: undeclared reference to 'missing' (in container '')
        missing.all(x, x.y > 1)
            0: undeclared reference to 'missing' (in container '')
        size(missing) > 1
            5: undeclared reference to 'missing' (in container '')
    "#]]);
}

#[test]
fn a_mistake_in_what_is_copied_is_reported_twice() {
    expect![[r#"
        missing.optMap(x, x)
            0: undeclared reference to 'missing' (in container '')
            0: undeclared reference to 'missing' (in container '')
        {n + s: 1}.a.optMap(x, x)
            3: found no matching overload for '_+_' applied to '(int, string)'
            3: found no matching overload for '_+_' applied to '(int, string)'
            19: found no matching overload for 'hasValue' applied to 'int.()'
            19: found no matching overload for 'value' applied to 'int.()'
    "#]]
    .assert_eq(&answers("missing.optMap(x, x)\n{n + s: 1}.a.optMap(x, x)"));
}

#[test]
fn places_count_lines_and_code_points() {
    let checked = checked("'😀' == 's' &&\n  '😀é' + missing // c\n || list.all(\n😀, 1)");
    assert!(checked.upstream_report().is_some());
    let report = super::checked("['😀é',\n '😀' + n,\n\t'é' + missing]").upstream_report();
    expect![[r#"
        ERROR: <input>:2:6: found no matching overload for '_+_' applied to '(string, int)'
         |  '😀' + n,
         | ..．..^
        ERROR: <input>:3:8: undeclared reference to 'missing' (in container '')
         |  'é' + missing]
         | ..．....^"#]]
    .assert_eq(&report.unwrap());
}

#[test]
fn after_a_hundred_errors_the_rest_is_counted() {
    let checked = checked(&format!("[{}]", "x,".repeat(120)));
    assert_eq!(checked.errors().len(), 100);
    let report = checked.upstream_report().unwrap();
    assert_eq!(report.lines().last(), Some("20 more errors were truncated"));
}

#[test]
fn spans_are_what_a_person_should_look_at() {
    let spans = |text: &'static str| -> Vec<&str> {
        let checked = checked(text);
        let spans = checked.errors().iter().map(|error| error.span.slice(text));
        spans.collect()
    };
    assert_eq!(spans("(pod . nme)"), ["nme"]);
    assert_eq!(spans("s.missing(1)"), ["missing"]);
    assert_eq!(spans("b && (missing)"), ["missing"]);
    assert_eq!(spans("has((pod.nme))"), ["nme"]);
    assert_eq!(spans("1 + ('a')"), ["1 + ('a')"]);
    assert_eq!(spans("list.all(x, x)"), ["x"]);
    assert_eq!(spans("n.optMap(x, x)"), ["optMap", "optMap"]);
}
