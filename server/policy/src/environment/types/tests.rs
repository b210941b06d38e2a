//! The types and values of mutations.

use crate::environment::{EnvironmentKind, NEWEST, env};
use cel::check::check;
use cel::eval::{Bindings, Limits, Program};
use cel::value::Value;
use kubernetes::mutation::Object;

fn run(expression: &str) -> Result<Value, String> {
    let kind = EnvironmentKind::Admission {
        params: false,
        authorizer: true,
        patch_types: true,
    };
    let env = env(NEWEST, kind);
    let parse = cel::parse(expression);
    let checked = check(&parse.ast, &env);
    if let Some(report) = checked.upstream_report() {
        return Err(report.lines().next().unwrap_or_default().to_owned());
    }
    let program = Program::new(&checked, &env).map_err(|error| error.to_string())?;
    let outcome = program.run(&Bindings::new(), &Limits::default());
    outcome.result.map_err(|error| error.to_string())
}

#[test]
fn patches_are_made_and_read() {
    let cases = [
        (
            "Object{spec: Object.spec{replicas: 3}}",
            "Object{spec: Object.spec{replicas: 3}}",
        ),
        ("Object{?a: optional.none()} == Object{}", "true"),
        ("Object{a: 1}.a", "1"),
        ("Object{a: 1}.b == null", "true"),
        ("has(Object{a: 1}.b)", "false"),
        ("has(Object{a: null}.a)", "true"),
        ("Object{a: Object.a{b: [Object.a.b{c: 1}]}}.a.b[0].c", "1"),
        (
            "JSONPatch{op: 'add', path: '/a', value: 1}",
            "JSONPatch{op: add, path: /a, value: 1}",
        ),
        ("JSONPatch{op: 'add'}.op", "add"),
        ("has(JSONPatch{op: 'add'}.path)", "false"),
        ("JSONPatch{value: 1} == JSONPatch{value: 1.0}", "true"),
        ("type(Object.spec{})", "Object.spec"),
        ("optional.ofNonZeroValue(Object{}).hasValue()", "false"),
    ];
    for (expression, expected) in cases {
        let result = run(expression).map(|value| value.to_string());
        assert_eq!(result.as_deref(), Ok(expected), "{expression}");
    }
}

#[test]
fn a_field_that_does_not_fit_is_refused() {
    let cases = [
        (
            "JSONPatch{op: 1}",
            "ERROR: <input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'",
        ),
        (
            "JSONPatch{pth: 'a'}",
            "ERROR: <input>:1:14: expected type of field 'pth' is '' but provided type is 'string'",
        ),
        (
            "Objects{}",
            "ERROR: <input>:1:8: undeclared reference to 'Objects' (in container '')",
        ),
        (
            "JSONPatch{op: dyn(1)}",
            "unexpected type int64 for JSONPatchType 'op' field",
        ),
    ];
    for (expression, expected) in cases {
        assert_eq!(run(expression).unwrap_err(), expected, "{expression}");
    }
}

#[test]
fn types_must_follow_their_places() {
    let misplaced = |expression: &str| {
        let value = run(expression).unwrap();
        value.downcast::<Object>().unwrap().misplaced_types()
    };
    assert!(
        misplaced("Object{spec: Object.spec{a: [Object.spec.a{}], b: {'x': Object.spec.b{}}}}")
            .is_empty()
    );
    assert_eq!(
        misplaced("Object{spec: Object.wrong{}}"),
        [
            "unexpected type name \"Object.wrong\", expected \"Object.spec\", which matches field name path from root Object type"
        ]
    );
}
