//! The environment of each field of a policy; every example is true.

use super::{EnvironmentKind, NEWEST, env, variable_type, with_variables};
use cel::check::check;
use cel::env::Env;
use cel::types::Type;
use kubernetes::EnvironmentVersion;

/// Returns the type of an expression, or the first line of its errors.
fn type_in(env: &Env, expression: &str) -> String {
    let parse = cel::parse(expression);
    let checked = check(&parse.ast, env);
    match checked.upstream_report() {
        None => checked.output_type().to_string(),
        Some(report) => report.lines().next().unwrap_or_default().to_owned(),
    }
}

fn admission(params: bool, authorizer: bool, patch_types: bool) -> Env {
    let kind = EnvironmentKind::Admission {
        params,
        authorizer,
        patch_types,
    };
    env(NEWEST, kind)
}

#[test]
fn requests_and_namespaces_have_types() {
    let env = admission(true, true, false);
    for (expression, ty) in [
        ("object.a", "dyn"),
        ("params", "dyn"),
        ("request.userInfo.extra", "map(string, list(string))"),
        ("request.kind", "kubernetes.GroupVersionKind"),
        ("request.options.dryRun", "dyn"),
        ("request.dryRun", "bool"),
        ("namespaceObject.metadata.labels", "map(string, string)"),
        (
            "namespaceObject.status.conditions[0].lastTransitionTime",
            "timestamp",
        ),
        (
            "authorizer.requestResource",
            "kubernetes.authorization.ResourceCheck",
        ),
        ("ip('::1')", "net.IP"),
        ("net.CIDR", "type(net.CIDR)"),
        (
            "request.kinds",
            "ERROR: <input>:1:8: undefined field 'kinds'",
        ),
        (
            "Object{}",
            "ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')",
        ),
    ] {
        assert_eq!(type_in(&env, expression), ty, "{expression}");
    }
}

#[test]
fn places_differ_in_what_they_have() {
    let undeclared = |env: &Env, name: &str| type_in(env, name).contains("undeclared reference");
    let message = admission(false, false, false);
    for name in ["params", "authorizer", "variables", "self", "jsonpatch"] {
        assert!(undeclared(&message, name), "{name}");
    }
    let mutation = admission(false, true, true);
    assert_eq!(type_in(&mutation, "Object.spec{a: 1}"), "Object.spec");
    assert_eq!(type_in(&mutation, "jsonpatch.escapeKey('a')"), "string");
    let schema = env(NEWEST, EnvironmentKind::Schema);
    assert!(undeclared(&schema, "object"));
    assert_eq!(type_in(&schema, "net.IP"), "type(net.IP)");
    let language = env(NEWEST, EnvironmentKind::Language);
    assert_eq!(type_in(&language, "'a'.split('')"), "list(string)");
    assert!(undeclared(&language, "isURL('a')"));
}

#[test]
fn variables_keep_the_types_that_the_server_keeps() {
    let output = |text: &str| text.parse::<Type>().unwrap();
    for (ty, kept) in [
        ("int", "int"),
        ("list(map(string, bool))", "list(map(string, bool))"),
        ("list(struct(kubernetes.URL))", "list(dyn)"),
        ("optional_type(int)", "dyn"),
        ("net.IP", "dyn"),
    ] {
        assert_eq!(variable_type(&output(ty)).to_string(), kept);
    }
    let env = admission(false, true, false);
    let variables = [("a".into(), Type::Int), ("b".into(), Type::Dyn)];
    let env = with_variables(env, false, variables);
    assert_eq!(type_in(&env, "variables.a"), "int");
    assert_eq!(type_in(&env, "variables.b.c"), "dyn");
    assert_eq!(
        type_in(&env, "variables.c"),
        "ERROR: <input>:1:10: undefined field 'c'"
    );
}

#[test]
fn versions_outside_of_the_range_are_like_its_ends() {
    let functions = |version| {
        let env = env(EnvironmentVersion(version), EnvironmentKind::Schema);
        env.functions().count()
    };
    assert_eq!(functions(1), functions(24));
    assert_eq!(functions(99), functions(37));
    assert!(functions(24) < functions(37));
}
