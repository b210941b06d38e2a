//! The report of a replay is the same for whole objects and for their parts.

mod known;

use super::super::{Rows, files, json, replay, result};
use super::Policies;
use crate::arguments::{Arguments, Command, Replay};
use admission::JsonReader;
use cel::Value as CelValue;
use cel::value::Key;
use clap::Parser as _;
use evaluation::run::read_object;
use proptest::prelude::{Just, Strategy, prop_assert, prop_assume, prop_oneof, proptest};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;

/// Returns the report, without the duration of the replay.
fn report(directory: &Path, dump: &str) -> String {
    let path = directory.join("dump.ndjson");
    std::fs::write(&path, dump).unwrap();
    let policies = directory.join("policies");
    report_of(&options([policies.into_os_string(), path.into_os_string()]))
}

/// Returns the options for policies and objects.
fn options(paths: [OsString; 2]) -> Replay {
    let arguments = ["admissible", "replay", "--quiet", "--limit=1000", "--diff"];
    let arguments = arguments.into_iter().map(Into::into);
    let parsed = Arguments::parse_from(arguments.chain(paths));
    match parsed.command {
        Command::Replay(options) => options,
        _ => panic!("another command"),
    }
}

fn report_of(options: &Replay) -> String {
    let mut problems = Vec::new();
    let policies = Policies::load(options, &mut problems).unwrap_or_else(|| panic!("{problems:?}"));
    let files = files(options, &mut problems);
    let mut outcome = replay(options, policies, &files, Rows::None, &mut problems).unwrap();
    problems.append(&mut outcome.tally.problems);
    let mut out = Vec::new();
    let report = json::Report {
        policies: &result::row_names(&outcome.tally, &outcome.policies),
        result: &json::segment(&outcome.tally),
        problems: &problems
            .iter()
            .map(crate::problem::Problem::json)
            .collect::<Vec<_>>(),
        is_partial: outcome.is_partial,
    };
    report.write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Checks that the parts of objects, and those of copies with other names, yield the same report as
/// the objects. A key with an escape is read as a whole.
#[track_caller]
fn check(policies: &[String], objects: &[Value]) -> String {
    let copies = (0..3).flat_map(|copy| objects.iter().map(move |it| copied(it, copy)));
    let dump: String = copies.map(|it| format!("{it}\n")).collect();
    check_dump(policies, &dump)
}

/// Checks the same for the text of objects.
#[track_caller]
fn check_dump(policies: &[String], parts: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("policies")).unwrap();
    for (index, policy) in policies.iter().enumerate() {
        let path = directory.path().join(format!("policies/p{index:03}.yaml"));
        std::fs::write(path, policy).unwrap();
    }
    let whole = parts.replace("{\"apiVersion\":", "{\"\\u0061piVersion\":");
    let whole = whole.replace("{\"kind\":", "{\"\\u006bind\":");
    assert_eq!(
        JsonReader::default().read(parts).map(|(value, _)| value),
        JsonReader::default().read(&whole).map(|(value, _)| value)
    );
    let of_parts = report(directory.path(), parts);
    let of_whole = report(directory.path(), &whole);
    // Columns after a longer key differ only within a line, and objects begin lines.
    let is_offset = |line: &&str| !line.contains("\"offset\"");
    let plain = |text: &str| {
        text.lines()
            .filter(is_offset)
            .collect::<Vec<_>>()
            .join("\n")
    };
    similar_asserts(&plain(&of_parts), &plain(&of_whole));
    of_parts
}

#[track_caller]
fn similar_asserts(parts: &str, whole: &str) {
    let differing = parts
        .lines()
        .zip(whole.lines())
        .find(|(it, other)| it != other);
    assert_eq!(differing, None);
    assert_eq!(parts, whole);
}

/// Returns a copy of an object, with a name of its own. The last one is in another namespace.
fn copied(object: &Value, copy: usize) -> Value {
    let mut object = object.clone();
    if copy > 0 {
        let fields: &[&str] = match copy {
            1 => &["name", "uid"],
            _ => &["name", "uid", "namespace"],
        };
        for field in fields {
            let field = object.pointer_mut(&format!("/metadata/{field}"));
            if let Some(Value::String(text)) = field {
                let _ = write!(text, "-{copy}");
            }
        }
    }
    object
}

/// Returns an object as a server returns it.
fn stored(mut object: Value, index: usize) -> Option<Value> {
    let api_version = object.get("apiVersion")?.as_str()?.to_owned();
    let kind = object.get("kind")?.as_str()?.to_owned();
    let fields = object.as_object_mut()?;
    let metadata = fields.entry("metadata").or_insert_with(|| json!({}));
    let metadata = metadata.as_object_mut()?;
    metadata.insert("uid".to_owned(), format!("u{index}").into());
    metadata.insert("resourceVersion".to_owned(), "7".into());
    metadata.insert("managedFields".to_owned(), json!([{"manager": "kubectl"}]));
    let mut typed = json!({"apiVersion": api_version, "kind": kind});
    typed.as_object_mut()?.append(fields);
    Some(typed)
}

/// Collects all objects with a kind in some JSON.
fn objects(value: &Value, out: &mut Vec<Value>) {
    if value.get("kind").is_some() && value.get("apiVersion").is_some() {
        return out.push(value.clone());
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|it| objects(it, out)),
        Value::Array(elements) => elements.iter().for_each(|it| objects(it, out)),
        Value::String(text) if text.contains("apiVersion: ") => {
            out.extend(read_object(text).map(|it| to_json(&it)));
        }
        _ => {}
    }
}

fn to_json(value: &CelValue) -> Value {
    match value {
        CelValue::Null => Value::Null,
        CelValue::Bool(value) => (*value).into(),
        CelValue::Int(value) => (*value).into(),
        CelValue::Double(value) => (*value).into(),
        CelValue::String(text) => text.to_string().into(),
        CelValue::List(list) => list.iter().map(to_json).collect(),
        CelValue::Map(map) => {
            let entries = map.iter().filter_map(|(key, value)| match key {
                Key::String(name) => Some((name.to_string(), to_json(value))),
                _ => None,
            });
            Value::Object(entries.collect())
        }
        value => panic!("{value:?} is not JSON"),
    }
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the recorded cases, each a line.
fn recorded(file: &str) -> Vec<Value> {
    let path = Path::new(ROOT).join("tests/conformance").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Gives the policies and bindings of a case unique names. Returns `None` if there is another
/// kind or no policy.
fn renamed(documents: Vec<Value>, case: usize) -> Option<String> {
    let mut out = String::new();
    for mut document in documents {
        let kind = document.get("kind")?.as_str()?.to_owned();
        if kind == "Namespace" || kind == "ConfigMap" {
            continue;
        }
        if !kind.contains("AdmissionPolicy") {
            return None;
        }
        for pointer in ["/metadata/name", "/spec/policyName"] {
            if let Some(Value::String(name)) = document.pointer_mut(pointer) {
                let _ = write!(name, ".case-{case}");
            }
        }
        let _ = write!(out, "{document}\n---\n");
    }
    (!out.is_empty()).then_some(out)
}

#[test]
fn recorded_policies_have_the_same_report() {
    let mut dump = Vec::new();
    let mut policies = Vec::new();
    let mut setups = BTreeSet::new();
    for (index, case) in recorded("admission.jsonl").iter().enumerate() {
        let mut setup = Vec::new();
        objects(&case["setup"], &mut setup);
        if setup.is_empty() || !setups.insert(case["setup"].to_string()) {
            continue;
        }
        policies.extend(renamed(setup, index));
        objects(&case["requests"], &mut dump);
        objects(&case["existing"], &mut dump);
    }
    for (index, case) in recorded("evaluate.jsonl").iter().enumerate() {
        let mut setup = Vec::new();
        objects(&case["manifest"], &mut setup);
        policies.extend(renamed(setup, 1000 + index));
        objects(&case["object"], &mut dump);
    }
    let known: BTreeSet<String> = dump.iter().map(Value::to_string).collect();
    let dump: Vec<Value> = known
        .iter()
        .step_by(known.len() / 200 + 1)
        .map(|it| serde_json::from_str(it).unwrap())
        .enumerate()
        .filter_map(|(index, it)| stored(it, index))
        .collect();
    policies.retain(|policy| load(policy).is_some());
    assert!(policies.len() > 200, "{}", policies.len());
    for policies in policies.chunks(50) {
        let report = check(policies, &dump);
        assert!(report.contains("\"count\""));
    }
    // The results of some of them are not kept, nor are those of the policies next to them.
    for policy in &policies {
        check(std::slice::from_ref(policy), &dump);
    }
}

/// Returns a policy if the API server accepts it.
fn load(policy: &str) -> Option<Policies> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("policy.yaml");
    std::fs::write(&path, policy).unwrap();
    let options = options([path.into_os_string(), "-".into()]);
    Policies::load(&options, &mut Vec::new())
}

const POLICY: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: generated}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}
";

/// Expressions that follow `object.a`, a list, and `object.b`, a map, in every way.
const FORMS: [&str; 33] = [
    "object.a + object.b.l",
    "(object.a + object.b.l).map(x, x.?c.orValue(0))",
    "object.a.filter(x, has(x.b))",
    "object.a.filter(x, has(x.b)).map(x, x.b)",
    "object.a.map(x, [x.b, x])",
    "object.a.map(x, x.b).map(x, x.c)",
    "object.a.map(x, object.b.l.map(y, [x.b.c, y]))",
    "[object.a, object.b.l].map(x, x[0])",
    "[[object.a]][0][0][1]",
    "{'k': object.a, 'l': object.b}.k",
    "{'k': {'l': object.b}}.k.l.m",
    "{object.s: object.a}.t",
    "object.a.transformMap(i, x, x.b)",
    "object.a.transformMap(i, x, {'x': x})",
    "object.b.m.map(k, object.b.m[k])",
    "object.b.m.transformList(k, v, v)",
    "object.?a[?0].optMap(x, x.b).orValue({})",
    "object.?a[?7].orValue(object.b)",
    "object.?z.or(object.?b).value()",
    "optional.of(object.b).value().m",
    "object.s == 't' ? object.a : object.b.l",
    "object.b == null ? dyn(object.a) : dyn(object.b)",
    "variables.list",
    "variables.list.map(x, x.?b.orValue(0))",
    "variables.made.l[0]",
    "variables.?made.?m.orValue([])",
    "[variables.made.m, variables.list]",
    "[size(object.b), object.b.size(), size(object.a), size(object.s)]",
    "[object.b.m == {}, object.a == [], object.b.m in [object.b.m], 'm' in object.b]",
    "[has(object.b.m), has(object.b.z), object.?b.?m.hasValue()]",
    "object.a.sortBy(x, x.b.c)",
    "object.a.exists(x, x == object.b.l[0])",
    "object",
];

#[test]
fn every_form_has_the_same_report() {
    let mut policy = format!("{POLICY}  variables:\n");
    for (name, expression) in [
        ("list", "object.a + object.b.l"),
        (
            "made",
            "{'l': object.a.filter(x, true), 'm': [object.b.m, object.s]}",
        ),
    ] {
        let _ = writeln!(
            policy,
            "  - {{name: {name}, expression: {}}}",
            json!(expression)
        );
    }
    let object = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"},
        "a": [{"b": {"c": 1, "d": [1]}, "c": [{"e": 1}]}, {"b": {"c": 0}}],
        "b": {"l": [{"c": {"d": 2}}], "m": {"n": {"o": [1]}, "p": {}}},
        "s": "t",
        "z": {"not": ["read"]},
    });
    let object = [stored(object, 0).unwrap()];
    // An expression alone, since any of them may read the whole object.
    for form in FORMS {
        let message = format!("'%s'.format([{form}])");
        let validation = json!({"expression": "false", "messageExpression": message});
        let policy = format!("{policy}  validations:\n  - {validation}\n");
        assert!(load(&policy).is_some(), "{form}");
        let report = check(&[policy], &object);
        assert!(!report.contains("failed expression"), "{form}: {report}");
    }
}

/// Returns a path to a part of an object. Most steps do not fail.
fn path() -> impl Strategy<Value = String> {
    let root = prop_oneof![
        4 => Just("object"),
        1 => Just("oldObject"),
        2 => Just("variables.v"),
        3 => Just("x"),
    ];
    let step = prop_oneof![
        8 => "[.][?][abc]",
        1 => "[.][abc]",
        2 => "\\[[?][01]\\]",
        1 => "\\['[abc]'\\]",
        1 => Just("[?x]".to_owned()),
    ];
    let steps = proptest::collection::vec(step, 1..4);
    (root, steps).prop_map(|(root, steps)| match steps.concat() {
        steps if steps.contains('?') => format!("{root}{steps}.orValue([])"),
        steps => format!("{root}{steps}"),
    })
}

/// Returns an expression over paths, which often fails. All types are dynamic, so that it compiles.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => path(),
        1 => Just("1".to_owned()),
        1 => Just("'a'".to_owned()),
        1 => Just("null".to_owned()),
    ];
    let leaf = leaf.prop_map(|leaf| format!("dyn({leaf})"));
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let macros = prop_oneof![
            Just("all"),
            Just("exists"),
            Just("exists_one"),
            Just("map"),
            Just("filter"),
        ];
        let made = prop_oneof![
            two.clone().prop_map(|(a, b)| format!("{a} == {b}")),
            two.clone().prop_map(|(a, b)| format!("{a} + {b}")),
            two.clone().prop_map(|(a, b)| format!("{a} && {b}")),
            two.clone().prop_map(|(a, b)| format!("[{a}, {b}]")),
            two.clone()
                .prop_map(|(a, b)| format!("{{'a': {a}, 'b': {b}}}")),
            two.clone().prop_map(|(a, b)| format!("{a} in {b}")),
            two.clone().prop_map(|(a, b)| format!("{a}[{b}]")),
            (inner.clone(), two.clone()).prop_map(|(a, (b, c))| format!("{a} ? {b} : {c}")),
            (two.clone(), macros).prop_map(|((a, b), name)| format!("{a}.{name}(x, {b})")),
            two.clone()
                .prop_map(|(a, b)| format!("{a}.transformMap(k, x, {b})")),
            two.prop_map(|(a, b)| format!("optional.of({a}).optMap(x, {b}).orValue({a})")),
            inner.clone().prop_map(|a| format!("has({a}.a)")),
            inner.clone().prop_map(|a| format!("{a}.?b.orValue({a})")),
            inner.clone().prop_map(|a| format!("size({a})")),
            inner.clone().prop_map(|a| format!("{a}.b")),
            inner.clone().prop_map(|a| format!("{a}[0]")),
            inner.prop_map(|a| format!("string({a})")),
        ];
        made.prop_map(|made| format!("dyn({made})"))
    })
}

/// Returns the data of an object.
fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!(true)),
        Just(json!(1)),
        Just(json!("a")),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Into::into),
            proptest::collection::btree_map("[abc]", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]
    #[test]
    fn generated_policies_have_the_same_report(
        variable in expression(),
        validations in proptest::collection::vec((expression(), expression()), 1..4),
        data in proptest::collection::vec(data(), 1..12),
    ) {
        let mut policy = format!("{POLICY}  variables:\n");
        let _ = writeln!(policy, "  - {{name: v, expression: {}}}", json!(in_macro(&variable.replace("variables.v", "object"), "[dyn(1), ?object.?c]")));
        policy.push_str("  validations:\n");
        for (condition, message) in &validations {
            let condition = in_macro(condition, "[object.?a.orValue(1), dyn(1)]");
            let condition = format!("'%s'.format([{condition}]) == ''");
            let message = in_macro(message, "[?object.?b]");
            let message = format!("'%s'.format([{message}])");
            let _ = writeln!(
                policy, "  - {{expression: {}, messageExpression: {}}}", json!(condition), json!(message)
            );
        }
        let objects: Vec<Value> = data.into_iter().enumerate().filter_map(|(index, data)| {
            let mut object = json!({
                "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("c{index}")},
            });
            object.as_object_mut()?.extend(data.as_object().cloned().unwrap_or_default());
            stored(object, index)
        }).collect();
        prop_assume!(load(&policy).is_some());
        let report = check(&[policy], &objects);
        prop_assert!(report.contains("\"objects\""));
    }
}

/// Returns an expression in which `x` is a variable.
fn in_macro(expression: &str, list: &str) -> String {
    format!("dyn({list}).map(x, dyn({expression}))[0]")
}
