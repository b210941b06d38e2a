//! Values, failures, costs, limits and traces of whole expressions.

mod changes;
mod coverage;
mod generated;
mod instantiation;
mod limits;
mod trace;

use super::{Bindings, Limits, Outcome, Program};
use crate::check::{Checked, check};
use crate::env::{EnvBuilder, Rules};
use crate::value::{Key, Map, Value};
use crate::{Ast, Env, Type, parse};
use expect_test::{Expect, expect};

pub(super) fn environment() -> Env {
    let libraries = [
        &crate::stdlib::LIBRARY,
        &crate::ext::strings::LIBRARY,
        &crate::ext::lists::LIBRARY,
        &crate::ext::sets::LIBRARY,
        &crate::ext::optionals::LIBRARY,
        &crate::ext::comprehensions::LIBRARY,
    ];
    let builder = Env::builder()
        .rules(Rules::STRICT)
        .variable("object", Type::Dyn)
        .variable("numbers", Type::list(Type::Int))
        .variable("missing", Type::Dyn);
    let builder = libraries.into_iter().fold(builder, EnvBuilder::library);
    builder.build().unwrap()
}

fn map(entries: &[(&str, Value)]) -> Value {
    let entry = |(key, value): &(&str, Value)| (Key::String((*key).into()), value.clone());
    Value::Map(entries.iter().map(entry).collect::<Map>())
}

pub(super) fn bindings() -> Bindings {
    let numbers: Vec<Value> = [3, 1, 2].map(Value::Int).into();
    let object = map(&[
        ("name", Value::string("web")),
        ("replicas", Value::Int(5)),
        ("nothing", Value::Null),
        ("tags", Value::list(["b", "a"].map(Value::string).into())),
        (
            "labels",
            map(&[
                ("app", Value::string("web")),
                ("tier", Value::string("front")),
            ]),
        ),
        (
            "spec",
            map(&[
                ("on", Value::Bool(true)),
                ("deep", map(&[("x", Value::Int(1))])),
            ]),
        ),
    ]);
    Bindings::new()
        .with("object", object)
        .with("numbers", Value::list(numbers))
}

pub(super) fn checked(text: &str) -> (Ast, Checked) {
    let parsed = parse(text);
    assert!(parsed.is_ok(), "{text}: {:?}", parsed.errors);
    let checked = check(&parsed.ast, &environment());
    assert!(checked.is_ok(), "{text}: {:?}", checked.errors());
    (parsed.ast, checked)
}

pub(super) fn program(text: &str) -> Program {
    Program::new(&checked(text).1, &environment()).unwrap()
}

pub(super) fn run(text: &str, limits: &Limits<'_>) -> Outcome {
    program(text).run(&bindings(), limits)
}

fn render(outcome: &Outcome) -> String {
    match &outcome.result {
        Ok(value) => format!("{value} for {}", outcome.cost),
        Err(error) => format!("failed: {error} for {}", outcome.cost),
    }
}

/// Prints the value and the cost of each line.
fn check_all(lines: &str, expected: &Expect) {
    let answer = |line: &str| format!("{line} => {}\n", render(&run(line, &Limits::default())));
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    expected.assert_eq(&lines.map(answer).collect::<String>());
}

#[test]
fn attributes() {
    check_all(
        "object.name
         object.labels['app']
         object.tags[1]
         object.tags[1u]
         object.tags[dyn(1.0)]
         object.tags[2]
         object.tags[dyn('a')]
         object.nothing.x
         object.absent
         object.spec.deep.x + object.replicas
         missing
         object.labels[object.name == 'web' ? 'app' : 'tier']
         (object.spec.on ? object.spec : object.labels).deep.x
         object.labels[object.tags]",
        &expect![[r#"
            object.name => web for 2
            object.labels['app'] => web for 3
            object.tags[1] => a for 3
            object.tags[1u] => a for 3
            object.tags[dyn(1.0)] => a for 3
            object.tags[2] => failed: index out of bounds: 2 for 3
            object.tags[dyn('a')] => failed: unsupported index type 'string' in list for 3
            object.nothing.x => failed: no such key: x for 3
            object.absent => failed: no such key: absent for 2
            object.spec.deep.x + object.replicas => 6 for 7
            missing => failed: no such attribute(s): missing for 1
            object.labels[object.name == 'web' ? 'app' : 'tier'] => web for 6
            (object.spec.on ? object.spec : object.labels).deep.x => 1 for 6
            object.labels[object.tags] => failed: invalid qualifier type: []interface {} for 4
        "#]],
    );
}

#[test]
fn presence_and_optionals() {
    check_all(
        "has(object.spec.on)
         has(object.spec.off)
         has(object.absent.x)
         has(object.name.x)
         has(object.tags.x)
         object.?spec.?deep.x
         object.?absent.?deep.x
         object.?absent.orValue('none')
         object.?name.or(optional.of(1 / 0))
         object.?name.optMap(n, n + '!')
         [?object.?name, ?object.?absent]
         {?'a': object.?name, ?'b': object.?absent}
         {?'a': dyn(1)}
         has((object.spec.on ? object.spec : object.labels).deep)
         has((dyn(1) ? object.spec : object.labels).deep)",
        &expect![[r#"
            has(object.spec.on) => true for 2
            has(object.spec.off) => false for 2
            has(object.absent.x) => failed: no such key: absent for 1
            has(object.name.x) => false for 2
            has(object.tags.x) => failed: unsupported index type 'string' in list for 2
            object.?spec.?deep.x => optional(1) for 4
            object.?absent.?deep.x => optional.none() for 1
            object.?absent.orValue('none') => none for 1
            object.?name.or(optional.of(1 / 0)) => optional(web) for 2
            object.?name.optMap(n, n + '!') => optional(web!) for 9
            [?object.?name, ?object.?absent] => [web] for 13
            {?'a': object.?name, ?'b': object.?absent} => {a: web} for 33
            {?'a': dyn(1)} => failed: cannot initialize optional entry 'a' from non-optional value 1 for 0
            has((object.spec.on ? object.spec : object.labels).deep) => true for 4
            has((dyn(1) ? object.spec : object.labels).deep) => failed: no such overload for 18446744073709551615
        "#]],
    );
}

#[test]
fn failures_are_absorbed() {
    check_all(
        "object.absent || true
         object.absent && false
         false || object.absent
         object.absent || object.name == 'x'
         object.name || true
         object.name || false
         true ? 1 : 1 / 0
         object.absent ? 1 : 2
         object.name ? 1 : 2
         numbers.all(n, 6 / (n - 1) > 0)
         numbers.exists(n, 6 / (n - 1) == 3)
         numbers.exists_one(n, 6 / (n - 1) == 3)
         numbers.filter(n, 6 / (n - 1) == 3)",
        &expect![[r#"
            object.absent || true => true for 2
            object.absent && false => false for 2
            false || object.absent => failed: no such key: absent for 2
            object.absent || object.name == 'x' => failed: no such key: absent for 5
            object.name || true => true for 2
            object.name || false => failed: no such overload for 2
            true ? 1 : 1 / 0 => 1 for 0
            object.absent ? 1 : 2 => failed: no such key: absent for 2
            object.name ? 1 : 2 => failed: no such overload for 2
            numbers.all(n, 6 / (n - 1) > 0) => failed: division by zero for 23
            numbers.exists(n, 6 / (n - 1) == 3) => true for 13
            numbers.exists_one(n, 6 / (n - 1) == 3) => failed: division by zero for 17
            numbers.filter(n, 6 / (n - 1) == 3) => failed: division by zero for 27
        "#]],
    );
}

#[test]
fn loops() {
    check_all(
        "numbers.all(n, n > 0)
         numbers.exists(n, n == 1)
         numbers.exists_one(n, n == 1)
         numbers.map(n, n * 2)
         numbers.map(n, n > 1, n * 2)
         numbers.map(n, 1)
         numbers.filter(n, n > 1)
         numbers.all(i, n, n > i)
         numbers.transformList(i, n, i * n)",
        &expect![[r#"
            numbers.all(n, n > 0) => true for 17
            numbers.exists(n, n == 1) => true for 17
            numbers.exists_one(n, n == 1) => true for 11
            numbers.map(n, n * 2) => [6, 2, 4] for 44
            numbers.map(n, n > 1, n * 2) => [6, 4] for 36
            numbers.map(n, 1) => [1, 1, 1] for 8
            numbers.filter(n, n > 1) => [3, 2] for 34
            numbers.all(i, n, n > i) => false for 16
            numbers.transformList(i, n, i * n) => [0, 1, 4] for 47
        "#]],
    );
}

#[test]
fn loops_over_maps_and_what_is_none() {
    check_all(
        "numbers.transformMap(i, n, n > 1, n * 10)
         object.labels.transformMapEntry(k, v, {v: k})
         numbers.transformMapEntry(i, n, {'same': n})
         object.labels.all(k, k != '')
         object.labels.exists(k, v, v == 'front')
         numbers.sortBy(n, -n)
         object.replicas.all(n, true)
         object.replicas.all(i, n, true)
         [].all(n, false)
         numbers.all(x, numbers.exists(y, x == y))",
        &expect![[r#"
            numbers.transformMap(i, n, n > 1, n * 10) => {0: 30, 2: 20} for 18
            object.labels.transformMapEntry(k, v, {v: k}) => {web: app, front: tier} for 71
            numbers.transformMapEntry(i, n, {'same': n}) => failed: insert failed: key same already exists for 101
            object.labels.all(k, k != '') => true for 11
            object.labels.exists(k, v, v == 'front') => true for 15
            numbers.sortBy(n, -n) => [3, 2, 1] for 75
            object.replicas.all(n, true) => failed: got 'types.Int', expected iterable type for 2
            object.replicas.all(i, n, true) => failed: unsupported comprehension range type: types.Int for 2
            [].all(n, false) => true for 1
            numbers.all(x, numbers.exists(y, x == y)) => true for 65
        "#]],
    );
}

#[test]
fn calls() {
    check_all(
        "object.name.startsWith('w')
         object.name.matches('^[a-z]+$')
         dyn(1).startsWith('w')
         object.name.matches(object.name)
         'web' in ['web', 'db']
         object.replicas in [4, 5]
         object.replicas in [5u, 6u]
         1 in []
         'app' in object.labels
         object.name < 'x'
         object.name < 1",
        &expect![[r#"
            object.name.startsWith('w') => true for 3
            object.name.matches('^[a-z]+$') => true for 4
            dyn(1).startsWith('w') => failed: no such overload for 1
            object.name.matches(object.name) => true for 5
            'web' in ['web', 'db'] => true for 0
            object.replicas in [4, 5] => true for 2
            object.replicas in [5u, 6u] => true for 2
            1 in [] => false for 0
            'app' in object.labels => true for 3
            object.name < 'x' => true for 3
            object.name < 1 => failed: no such overload for 3
        "#]],
    );
}

#[test]
fn operators() {
    check_all(
        "object.tags < object.tags
         object.name + object.replicas
         object.name.charAt(object.name)
         -object.name
         !object.name
         9223372036854775807 + 1
         duration('1h') > duration('1m')
         type(object.name) == string
         int('12') + 1
         object.nothing == null
         size(object.tags) == 2
         object.tags.size() != 2",
        &expect![[r#"
            object.tags < object.tags => failed: no such overload: _<_ for 5
            object.name + object.replicas => failed: no such overload for 5
            object.name.charAt(object.name) => failed: no such overload: charAt(string, string) for 5
            -object.name => failed: no such overload for 3
            !object.name => failed: no such overload for 3
            9223372036854775807 + 1 => failed: integer overflow for 1
            duration('1h') > duration('1m') => true for 1
            type(object.name) == string => true for 4
            int('12') + 1 => 13 for 1
            object.nothing == null => true for 3
            size(object.tags) == 2 => true for 4
            object.tags.size() != 2 => false for 4
        "#]],
    );
}

#[test]
fn constants_are_computed_before() {
    let refused = |text: &str| {
        let (_, checked) = checked(text);
        let error = Program::new(&checked, &environment()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused("bool('x')"),
        "type conversion error from 'string' to 'bool'"
    );
    assert_eq!(
        refused("object[null]"),
        "invalid qualifier type: types.Null"
    );
    assert_eq!(
        refused("[type(1)].all(t, t == int)"),
        "reference to undefined type: t"
    );
    assert_eq!(
        refused("[google.protobuf.Any]"),
        "reference to undefined type: google.protobuf.Any"
    );
    let outcome = run(
        "[type('a')].map(int, int)[0] == int && type(null) != google.protobuf.Empty",
        &Limits::default(),
    );
    assert_eq!(render(&outcome), "true for 7");
    let outcome = run("{'a': [1, int('3')]}", &Limits::default());
    assert_eq!(render(&outcome), "{a: [1, 3]} for 0");
    let outcome = run(
        "{1.5: 'a'}[1.5] + {null: 'b'}.map(k, k == null ? 'c' : 'd')[0]",
        &Limits::default(),
    );
    assert_eq!(render(&outcome), "ac for 20");
}
