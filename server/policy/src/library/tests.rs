//! The declarations against Kubernetes' own list of them.

use super::{Answer, AuthorizationRequest, Authorizer, AuthorizerValue, Decision};
use crate::environment::{EnvironmentKind, NEWEST, env};
use cel::check::check;
use cel::eval::{Bindings, Limits, Program};
use cel::syntax::MacroKind;
use cel::value::Value;
use kubernetes::EnvironmentVersion;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Every overload and macro of Kubernetes 1.36 with the version that brought it.
const ENVIRONMENT: &str = include_str!("../../tests/cel-environment.json");

/// Old names of operators, which no expression can contain.
const OLD_NAMES: [&str; 3] = ["in", "_in_", "__not_strictly_false__"];

fn minor(since: &Json) -> u8 {
    let (_, minor) = since.as_str().unwrap().split_once('.').unwrap();
    minor.parse().unwrap()
}

/// Kubernetes' list does not include that numbers of different types are compared since 1.28.
fn compares_types(id: &str) -> bool {
    let is = |types: [&str; 2]| id.ends_with(&format!("{}_{}", types[0], types[1]));
    let order = ["less", "greater"].iter().any(|word| id.starts_with(word));
    let pairs = [
        ["double", "int64"],
        ["double", "uint64"],
        ["int64", "double"],
        ["int64", "uint64"],
        ["uint64", "double"],
        ["uint64", "int64"],
    ];
    order && pairs.into_iter().any(is)
}

fn expected(version: u8) -> BTreeSet<String> {
    let environment: Json = serde_json::from_str(ENVIRONMENT).unwrap();
    let functions = environment["functions"].as_array().unwrap();
    let mut found = BTreeSet::new();
    for function in functions {
        let name = function["name"].as_str().unwrap();
        if OLD_NAMES.contains(&name) {
            continue;
        }
        for overload in function["overloads"].as_array().unwrap() {
            let id = overload["id"].as_str().unwrap();
            let cross_type = if compares_types(id) { 28 } else { 0 };
            if minor(&overload["since"]).max(cross_type) > version {
                continue;
            }
            let args = overload["args"].as_array().unwrap();
            let args: Vec<_> = args.iter().map(|arg| arg.as_str().unwrap()).collect();
            found.insert(format!(
                "{name} {id} {} ({}) -> {}",
                if overload["member"] == true {
                    "member"
                } else {
                    "global"
                },
                args.join(", "),
                overload["result"].as_str().unwrap()
            ));
        }
    }
    found
}

fn ours(version: EnvironmentVersion) -> BTreeSet<String> {
    let env = env(version, EnvironmentKind::Schema);
    let mut found = BTreeSet::new();
    for function in env.functions() {
        for overload in &function.overloads {
            // A parameter of a type is printed without its brackets.
            let text = |ty: &cel::Type| bracketed(&ty.to_string());
            let params: Vec<_> = overload.params.iter().map(text).collect();
            let is_new = found.insert(format!(
                "{} {} {} ({}) -> {}",
                function.name,
                overload.id(),
                if overload.declaration.member {
                    "member"
                } else {
                    "global"
                },
                params.join(", "),
                text(&overload.result)
            ));
            assert!(is_new, "{} is declared twice", overload.id());
        }
    }
    found
}

/// Returns `list(T)` as `list(<T>)`, and the full names of times.
fn bracketed(ty: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for char in ty.chars().chain(['\n']) {
        if char.is_alphanumeric() || char == '.' || char == '_' {
            word.push(char);
            continue;
        }
        match word.as_str() {
            "duration" => out.push_str("google.protobuf.Duration"),
            "timestamp" => out.push_str("google.protobuf.Timestamp"),
            _ if word.len() == 1 => out.push_str(&format!("<{word}>")),
            _ => out.push_str(&word),
        }
        word.clear();
        if char != '\n' {
            out.push(char);
        }
    }
    out
}

/// The functions that are newer than the server of the list.
const LATER: [(u8, &str); 1] = [(
    37,
    "includes list_includes_dyn_dyn member (dyn, dyn) -> bool",
)];

#[test]
fn every_version_has_the_functions_of_kubernetes_and_no_others() {
    for version in EnvironmentVersion::all() {
        let (mut expected, ours) = (expected(version.0), ours(version));
        let later = LATER.iter().filter(|(since, _)| *since <= version.0);
        expected.extend(later.map(|(_, overload)| (*overload).to_owned()));
        let missing: Vec<_> = expected.difference(&ours).collect();
        let extra: Vec<_> = ours.difference(&expected).collect();
        assert_eq!((missing, extra), (vec![], vec![]), "{version}");
    }
}

#[test]
fn every_version_has_the_macros_of_kubernetes() {
    let environment: Json = serde_json::from_str(ENVIRONMENT).unwrap();
    for (key, since) in environment["macros"].as_object().unwrap() {
        let (call, receiver) = key.split_once(' ').unwrap();
        let (name, args) = call.split_once('/').unwrap();
        let has_target = receiver == "receiver=true";
        let (kind, variables) = MacroKind::find(name, has_target, args.parse().unwrap()).unwrap();
        // A macro with two variables is newer than its form with one.
        if variables == 2 && !is_of_two_variables_only(kind) {
            continue;
        }
        for version in EnvironmentVersion::all() {
            let env = env(version, EnvironmentKind::Schema);
            assert_eq!(
                env.has_macro(kind),
                minor(since) <= version.0,
                "{key} {version}"
            );
        }
    }
}

fn is_of_two_variables_only(kind: MacroKind) -> bool {
    matches!(
        kind,
        MacroKind::TransformList | MacroKind::TransformMap | MacroKind::TransformMapEntry
    )
}

#[test]
fn every_function_is_described() {
    for libraries in [super::KUBERNETES, super::MUTATION] {
        for function in libraries.iter().flat_map(|library| library.functions) {
            assert!(function.doc.ends_with('.'), "{}", function.name);
            assert!(!function.example.is_empty(), "{}", function.name);
        }
    }
}

/// Allows everything.
#[derive(Debug)]
struct Everything;

impl Authorizer for Everything {
    fn authorize(&self, _: &AuthorizationRequest<'_>) -> Answer {
        Answer {
            decision: Decision::Allow,
            ..Answer::default()
        }
    }
}

/// A field with all libraries.
const IN_MUTATION: EnvironmentKind = EnvironmentKind::Admission {
    params: true,
    authorizer: true,
    patch_types: true,
};

fn variables() -> Bindings {
    let mut variables = Bindings::new();
    let authorizer = AuthorizerValue {
        user: Arc::default(),
        authorizer: Arc::new(Everything),
    };
    variables.set("authorizer", Value::opaque(authorizer));
    variables
}

fn run(example: &str, env: &cel::Env) -> String {
    run_counting(example, env).0
}

/// Returns the value and the cost of an expression.
fn run_counting(example: &str, env: &cel::Env) -> (String, u64) {
    let parse = cel::parse(example);
    let checked = check(&parse.ast, env);
    if let Some(report) = parse
        .upstream_report()
        .or_else(|| checked.upstream_report())
    {
        return (report, 0);
    }
    match Program::new(&checked, env) {
        Ok(program) => {
            let outcome = program.run(&variables(), &Limits::default());
            let least = cel::estimate::minimum(&checked, env);
            assert!(least <= outcome.cost, "{example}: {least}");
            let result = outcome.result.map(|value| value.to_string());
            let result = result.unwrap_or_else(|error| error.to_string());
            (result, outcome.cost)
        }
        Err(error) => (error.to_string(), 0),
    }
}

#[test]
fn every_example_is_true() {
    let env = env(NEWEST, IN_MUTATION);
    let libraries = [super::LANGUAGE, super::KUBERNETES, super::MUTATION];
    let mut wrong = Vec::new();
    for library in libraries.into_iter().flatten() {
        for function in library.functions {
            // Functions of later versions and functions that cannot be called by name are left
            // out.
            let known =
                |overload: &cel::Overload| EnvironmentVersion::from(overload.since) <= NEWEST;
            if function.example.is_empty() || !function.overloads.iter().any(known) {
                continue;
            }
            let example = function.example;
            let result = run(example, &env);
            if result != "true" {
                wrong.push(format!("{example}: {result}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn includes_compares_a_list_or_a_value() {
    let at = |version| env(EnvironmentVersion(version), EnvironmentKind::Schema);
    for (expression, expected) in [
        ("[1, 2].includes(2)", "true"),
        ("[1, 2].includes(2.0)", "true"),
        ("[1, 2].includes('2')", "false"),
        ("[[1]].includes([1])", "true"),
        ("[].includes(1)", "false"),
        ("'a'.includes('a')", "true"),
        ("'ab'.includes('a')", "false"),
        ("{'a': 1}.includes('a')", "false"),
        ("null.includes(null)", "true"),
    ] {
        assert_eq!(run(expression, &at(37)), expected, "{expression}");
    }
    let unknown = run("[1].includes(1)", &at(36));
    assert!(
        unknown.contains("undeclared reference to 'includes'"),
        "{unknown}"
    );
}

#[test]
fn values_of_libraries_are_compared_as_in_the_server() {
    let env = env(NEWEST, IN_MUTATION);
    for (expression, expected) in [
        ("quantity('1k') == quantity('1000')", "true"),
        ("quantity('1k').add(0) == quantity('1000')", "true"),
        (
            "quantity('1000') == quantity('1k').add(0)",
            "no such overload",
        ),
        ("quantity('1000') != quantity('1k').add(0)", "true"),
        ("dyn(quantity('1')) == 1", "no such overload"),
        ("1 == dyn(quantity('1'))", "false"),
        ("dyn(ip('::1')) == null", "false"),
        ("dyn(ip('::1')) != 'x'", "true"),
        ("authorizer == authorizer", "no such overload"),
        ("[quantity('3')] == [quantity('1').add(1)]", "true"),
        ("{'a': quantity('3')} == {'a': quantity('2')}", "false"),
        ("[dyn(quantity('3'))] == [null]", "false"),
        ("format.uri() == format.named('uri').value()", "true"),
        ("[quantity('1')].indexOf(quantity('1000m')) == 0", "true"),
        ("Object{a: 1} == Object{a: 1}", "true"),
        ("Object{a: 1} == Object{a: 2}", "false"),
        ("dyn(Object{}) == dyn(JSONPatch{})", "false"),
        ("type(quantity('1')) == type(quantity('2'))", "true"),
        ("type(ip('::1')) == net.IP", "true"),
    ] {
        assert_eq!(run(expression, &env), expected, "{expression}");
    }
}

/// A name and a branch of `?:` extract the value of an optional and create it anew, which cel-go
/// can do only with its own values.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn optionals_are_made_anew_as_in_the_server() {
    let env = env(NEWEST, IN_MUTATION);
    let refused = |value: &str| format!("unsupported conversion to ref.Val: {value}");
    for (expression, expected) in [
        ("optional.of(quantity('1')).value()", "1".to_owned()),
        ("[optional.of(quantity('1'))][0].value()", "1".to_owned()),
        (
            "(true ? optional.of(quantity('1.5Gi')) : optional.none()).value()",
            refused("(*resource.Quantity)1536Mi"),
        ),
        (
            "optional.of(1).optMap(x, ip('::1')).orValue(ip('::2'))",
            refused("(netip.Addr)::1"),
        ),
        (
            "[optional.of(cidr('::/8'))].map(x, x.value())",
            refused("(netip.Prefix)::/8"),
        ),
        (
            "optional.of(1).optFlatMap(x, optional.of(url('https://a'))).value()",
            refused("(*url.URL)https://a"),
        ),
        (
            "[optional.of(1).optMap(x, semver('1.0.0'))].map(x, x)[0].value()",
            refused(
                "(*errors.errorString)unsupported conversion to ref.Val: (semver.Version)1.0.0",
            ),
        ),
        // A list and a map hold the error until the element is read.
        (
            "[?optional.of(1).optMap(x, quantity('1'))].size() == 1",
            "true".to_owned(),
        ),
        (
            "{?'a': optional.of(1).optMap(x, quantity('1'))}.size() == 1",
            "true".to_owned(),
        ),
        (
            "[?optional.of(1).optMap(x, quantity('1'))].all(q, true)",
            "true".to_owned(),
        ),
        (
            "[?optional.of(1).optMap(x, quantity('1'))][0]",
            refused("(*resource.Quantity)1"),
        ),
        (
            "[?optional.of(1).optMap(x, quantity('1'))].map(q, q)",
            refused("(*resource.Quantity)1"),
        ),
        (
            "{?'a': optional.of(1).optMap(x, quantity('1'))}.a",
            refused("(*resource.Quantity)1"),
        ),
        (
            "optional.unwrap([optional.of(1).optMap(x, quantity('1'))]).size()",
            "1".to_owned(),
        ),
        (
            "optional.of(1).optMap(x, authorizer).value().path('/x')",
            "no such overload".to_owned(),
        ),
        (
            "optional.of(1).optMap(x, quantity('1')).hasValue()",
            "true".to_owned(),
        ),
        (
            "optional.of(1).optMap(x, quantity('1')) == optional.of(quantity('1'))",
            refused("(*resource.Quantity)1"),
        ),
        (
            "optional.of(1).optMap(x, quantity('1')) != optional.of(quantity('1'))",
            "true".to_owned(),
        ),
        (
            "optional.of(dyn(1)) == optional.of(1).optMap(x, dyn(quantity('1')))",
            "false".to_owned(),
        ),
        ("optional.of(1).optMap(x, int).value()", "int".to_owned()),
        (
            "dyn((true ? optional.of(optional.of(1)) : optional.none()).value()) == 1",
            "true".to_owned(),
        ),
        (
            "dyn(optional.of(1).optMap(x, Object{a: x}).value()) == {'a': 1}",
            "true".to_owned(),
        ),
        (
            "optional.of('dns1123Label').optFlatMap(n, format.named(n)).value() == format.dns1123Label()",
            "true".to_owned(),
        ),
    ] {
        assert_eq!(run(expression, &env), expected, "{expression}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn calls_cost_and_fail_as_in_the_server() {
    let env = env(NEWEST, IN_MUTATION);
    let mut wrong = Vec::new();
    for (expression, value, cost) in [
        ("cidr('::/0').ip()", "::", 2),
        ("cidr('::/0').ip() == ip('::')", "true", 4),
        (
            "quantity('1n').sub(-9223372036854775808)",
            "9223372036854775808000000001n",
            2,
        ),
        (
            "[duration('2540400h'), duration('2540400h')].sum()",
            "integer overflow",
            2,
        ),
        ("dyn(1).find('a')", "no such overload", 1),
        ("dyn(int).find('i.')", "in", 1),
        ("dyn(optional.of('abc')).findAll('b')", "[b]", 3),
        (
            "dyn(1).find('a' + 'b')",
            "no such overload: find(int, string)",
            2,
        ),
        // cel-go panics, so the failure cannot be absorbed and no more cost is counted.
        (
            "{semver('1.2.3'): 1} == {} || true",
            "internal error: runtime error: hash of unhashable type cel.Semver",
            1,
        ),
        (
            "dyn(b'a') in ['a', 'b'] || true",
            "internal error: runtime error: hash of unhashable type types.Bytes",
            0,
        ),
        (
            "dyn(1).distinct() == [] || true",
            "no such overload: distinct(int)",
            0,
        ),
        ("[1 / 0].sort() == [] || true", "division by zero", 11),
        ("{timestamp(0): 1} == {timestamp(0): 1}", "true", 1),
        (
            "[1, 2].transformMapEntry(i, v, {duration('1s'): v})",
            "insert failed: key 1s already exists",
            67,
        ),
        (
            "dyn([1])[quantity('1')]",
            "invalid qualifier type: cel.Quantity",
            3,
        ),
        (
            "dyn([1])[quantity('1').add(1)]",
            "invalid qualifier type: *cel.Quantity",
            4,
        ),
    ] {
        let found = run_counting(expression, &env);
        if found != (value.to_owned(), cost) {
            wrong.push(format!("{expression}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_of_protocol_buffers_are_values() {
    let env = env(NEWEST, IN_MUTATION);
    for (expression, expected) in [
        ("google.protobuf.Empty{} == google.protobuf.Empty{}", "true"),
        (
            "google.protobuf.Duration{seconds: 5, nanos: 1}",
            "5.000000001s",
        ),
        (
            "google.protobuf.Duration{seconds: 9223372036854775807} == duration('2562047h47m16.854775807s')",
            "true",
        ),
        (
            "google.protobuf.Timestamp{seconds: 1, nanos: -1} == timestamp('1970-01-01T00:00:00.999999999Z')",
            "true",
        ),
        ("google.protobuf.Int32Value{value: 7} + 1", "8"),
        ("google.protobuf.BoolValue{}", "false"),
        (
            "google.protobuf.Int32Value{value: 3000000000}",
            "field type conversion error for google.protobuf.Int32Value.value value type: integer overflow",
        ),
        (
            "google.protobuf.StringValue{value: dyn(1)}",
            "field type conversion error for google.protobuf.StringValue.value value type: unsupported type conversion from 'int' to string",
        ),
        ("google.protobuf.FloatValue{value: 0.1} == 0.1", "false"),
        ("google.protobuf.Value{} == null", "true"),
        ("google.protobuf.Value{number_value: 1.5} == 1.5", "true"),
        (
            "google.protobuf.Struct{fields: {'a': 1}} == {'a': 1.0}",
            "true",
        ),
        ("google.protobuf.UInt64Value{value: 1u} == 1u", "true"),
        (
            "list{}",
            "ERROR: <input>:1:5: 'list' is not a message type\n | list{}\n | ....^",
        ),
    ] {
        assert_eq!(run(expression, &env), expected, "{expression}");
    }
}
