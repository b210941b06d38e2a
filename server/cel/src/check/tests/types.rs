//! The types of valid expressions.

use super::{assert_answers, checked};
use expect_test::expect;

#[test]
fn literals_and_operators_have_types() {
    assert_answers(&expect![[r#"
        1 + 2
            int
        1u * u
            uint
        -d
            double
        'a' + s
            string
        b'a'
            bytes
        null
            null
        !b && true
            bool
        n < 1.5
            bool
        1 in list
            bool
        'a' in map
            bool
        b ? n : 1
            int
        at - timestamp(0)
            duration
        [1, 2][0]
            int
        map['a']
            int
        object.spec.replicas
            dyn
        any
            any
        wrapped + 1
            int
        wrapped == null
            bool
    "#]]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn aggregates_have_the_types_of_their_elements() {
    assert_answers(&expect![[r#"
        []
            list(dyn)
        {}
            map(dyn, dyn)
        [1, 2]
            list(int)
        [[], [1]]
            list(list(int))
        [[1], []]
            list(list(int))
        {'a': 1}
            map(string, int)
        {'a': [], 'b': ['x']}
            map(string, list(string))
        {'a': {}}
            map(string, map(dyn, dyn))
        [null, duration('1s')]
            15: expected type 'null' but found 'duration'
        [duration('1s'), null]
            17: expected type 'duration' but found 'null'
        [?opt]
            list(int)
        [?opt, 1]
            list(int)
        {?'a': opt}
            map(string, int)
        [object, object.x]
            list(dyn)
        [n, wrapped]
            list(int)
        [ip, null]
            5: expected type 'net.IP' but found 'null'
        [1] + []
            list(int)
        [] + [1]
            list(int)
        {}.a
            dyn
        [].map(x, x)
            list(dyn)
        [[]].map(x, x + [1])
            list(list(int))
    "#]]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn macros_have_types() {
    assert_answers(&expect![[r#"
        list.all(x, x > 0)
            bool
        list.map(x, string(x))
            list(string)
        list.map(x, x > 1, [x])
            list(list(int))
        words.filter(w, w != '')
            list(string)
        map.map(k, k)
            list(string)
        map.filter(k, map[k] > 1)
            list(string)
        object.items.filter(i, i.a)
            list(dyn)
        list.exists_one(x, x == 1)
            bool
        list.exists(i, v, i == v)
            bool
        map.transformMap(k, v, k)
            map(string, string)
        map.transformMapEntry(k, v, {v: k})
            map(int, string)
        list.transformList(i, v, v > 1, i)
            list(int)
        words.sortBy(w, size(w))
            list(string)
        opt.optMap(x, [x])
            optional_type(list(int))
        opt.optFlatMap(x, optional.of('a'))
            optional_type(string)
        optional.none().optMap(x, x)
            optional_type(dyn)
        has(object.a)
            bool
        has(pod.name)
            bool
        map.?a
            optional_type(int)
        map[?'a'].orValue(1)
            int
        object.?a.b.c
            optional_type(dyn)
        pod.?labels.a
            optional_type(string)
        optional.of(pod).next.name
            optional_type(string)
    "#]]);
}

#[test]
fn types_are_values() {
    assert_answers(&expect![[r#"
        int
            type(int)
        type(1)
            type(int)
        type(1) == int
            bool
        type(object) == string
            bool
        google.protobuf.Timestamp
            type(timestamp)
        list == type([])
            5: found no matching overload for '_==_' applied to '(list(int), type(list(dyn)))'
        .list == type([])
            6: found no matching overload for '_==_' applied to '(list(int), type(list(dyn)))'
        optional_type
            type(optional_type)
        acme.Pod
            type(acme.Pod)
        net.IP == type(ip)
            bool
        acme.Pod{}
            acme.Pod
        acme.Pod{name: s, ?count: opt}
            acme.Pod
        google.protobuf.Int64Value{value: 1}
            wrapper(int)
        type(type(1))
            type(type(int))
    "#]]);
}

#[test]
fn several_overloads_make_dyn_or_what_they_have_in_common() {
    assert_answers(&expect![[r#"
        object + object
            dyn
        object + 1
            int
        object < 1
            bool
        size(object)
            int
        object.size()
            int
        -object
            dyn
        object[0]
            dyn
        dyn(1) + dyn(1)
            dyn
        [dyn(1)].map(x, x + 1)
            list(int)
        string(object)
            string
        object in object
            bool
    "#]]);
}

/// Returns the type of the part at each cursor. The cursors are removed first.
fn types_at(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut offsets = Vec::new();
    for part in text.split('|') {
        plain.push_str(part);
        offsets.push(u32::try_from(plain.len()).unwrap());
    }
    offsets.pop();
    let ast = crate::parse(&plain).ast;
    let checked = checked(&plain);
    let at = |offset: u32| {
        let node = *ast.path_at(offset).last().unwrap();
        let ty = checked.type_of_expr(node);
        ty.map_or_else(|| "-".to_owned(), ToString::to_string)
    };
    offsets.into_iter().map(at).collect()
}

#[test]
fn what_macros_take_out_of_the_tree_has_a_type() {
    assert_eq!(types_at("has(pod.|labels)"), ["map(string, string)"]);
    assert_eq!(types_at("has((pod.|labels))"), ["map(string, string)"]);
    assert_eq!(types_at("words.all(|w, |w != '')"), ["string", "string"]);
    assert_eq!(
        types_at("map.all(|k, |v, |v > 0)"),
        ["string", "int", "int"]
    );
    assert_eq!(types_at("words.filter(|w, b)"), ["string"]);
    assert_eq!(types_at("opt.optMap(|x, |x + 1)"), ["int", "int"]);
    assert_eq!(types_at("words.sortBy(|w, |w)"), ["string", "string"]);
    assert_eq!(types_at("|a.b"), ["-"]);
}

#[test]
fn a_text_that_is_not_finished_has_types_as_far_as_it_goes() {
    assert_eq!(types_at("|pod."), ["acme.Pod"]);
    assert_eq!(types_at("words.all(w, |w."), ["string"]);
    assert_eq!(types_at("b && pod.|labels["), ["map(string, string)"]);
    assert!(checked("pod.").is_ok());
    assert!(checked("words.all(w, w.").is_ok());
}
