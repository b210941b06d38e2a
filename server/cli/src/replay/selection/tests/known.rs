//! Known results compared with those of each object.

use super::super::super::interrupt::Interrupt;
use super::super::super::object_evaluator::ObjectEvaluator;
use super::super::super::object_outcome::Finding;
use super::super::super::part_visitor::PartVisitor;
use super::super::super::plan::Plans;
use super::super::super::row_table::RowTable;
use super::super::super::tally::PartResult;
use super::super::{Selected, Selection};
use super::{Policies, check, check_dump, options, stored};
use admission::JsonReader;
use serde_json::{Value, json};
use workspace::ObjectStream;

/// A policy of config maps, whose name follows.
const POLICY: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAME}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}
";

/// A binding of it.
const BINDING: &str = "---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: BINDING}
spec:
  policyName: NAME
  validationActions: [Deny]
";

fn policy(name: &str, rest: &str) -> String {
    format!("{POLICY}{rest}").replace("NAME", name)
}

/// Returns config maps that differ in each of a few places.
fn config_maps() -> Vec<Value> {
    let mut objects = Vec::new();
    for namespace in ["a", "b", "7"] {
        for label in ["x", "y"] {
            for data in [
                json!({"k": "v"}),
                json!({"k": "w"}),
                json!({"l": ["k"]}),
                json!([]),
            ] {
                let name = format!("c{}", objects.len());
                let object = json!({
                    "apiVersion": "v1", "kind": "ConfigMap",
                    "metadata": {"name": name, "namespace": namespace, "labels": {"l": label}},
                    "data": data,
                });
                objects.extend(stored(object, objects.len()));
            }
        }
    }
    objects
}

/// Returns the number of results that were known, and of those that were not.
fn counts(policies: &[String], objects: &[Value]) -> (u64, u64) {
    evaluated(policies, objects).0
}

/// Returns these numbers, and the rows of the findings of each object.
fn evaluated(policies: &[String], objects: &[Value]) -> ((u64, u64), Vec<Vec<usize>>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("policies.yaml");
    std::fs::write(&path, policies.join("---\n")).unwrap();
    let options = options([path.into_os_string(), "-".into()]);
    let policies = Policies::load(&options, &mut Vec::new()).unwrap();
    let rows = RowTable::new(&policies);
    let plans = Plans::new(&policies, &[], None);
    let mut evaluator = ObjectEvaluator::new(&policies, &rows, plans, &options);
    let mut selection = Selection::new(&policies, &rows, &options);
    let dump: String = objects.iter().map(|it| format!("{it}\n")).collect();
    let chunk = ObjectStream::new(dump.as_bytes())
        .next_chunk()
        .unwrap()
        .unwrap();
    let mut result = PartResult::new("dump".into(), dump.len(), rows.0.len());
    let mut visitor = PartVisitor {
        evaluator: &mut evaluator,
        selection: &mut selection,
        result: &mut result,
        positions: chunk.positions(),
        interrupt: &Interrupt::default(),
    };
    chunk.visit(&mut JsonReader::default(), &mut visitor);
    let counts = selection.selections.iter().find_map(|it| match it {
        Selected::Known(results) => Some(results.counts()),
        _ => None,
    });
    let rows = |findings: &[Finding]| findings.iter().map(|it| it.row).collect();
    let rows = result.found.iter().map(|it| rows(&it.findings)).collect();
    (counts.unwrap_or_default(), rows)
}

/// Checks the report of a policy, and for how many of the objects its result is evaluated.
#[track_caller]
fn check_policy(rest: &str, evaluated: u64) {
    let policy = [policy("demo", rest)];
    let objects = config_maps();
    check(&policy, &objects);
    let (known, missing) = counts(&policy, &objects);
    assert_eq!(missing, evaluated, "{rest}");
    assert_eq!(known + missing, objects.len() as u64, "{rest}");
}

/// Checks the report of a policy whose objects are not compared, since no result is kept.
#[track_caller]
fn check_not_kept(rest: &str) {
    let policy = [policy("demo", rest)];
    check(&policy, &config_maps());
    assert_eq!(counts(&policy, &config_maps()), (0, 0), "{rest}");
}

#[test]
fn a_policy_is_evaluated_once_for_equal_parts() {
    // For each text, and for the first object of each namespace.
    check_policy("  validations: [{expression: \"has(object.data)\"}]\n", 4);
    check_policy("  validations: [{expression: \"'k' in object.data\"}]\n", 6);
    check_policy(
        "  validations: [{expression: \"object.data.k == 'v'\"}]\n",
        6,
    );
    check_policy(
        "  validations: [{expression: \"object.metadata.labels.l == 'x'\"}]\n",
        4,
    );
    check_not_kept("  validations: [{expression: \"object.metadata.name == 'c0'\"}]\n");
}

#[test]
fn a_message_decides_even_for_an_allowed_object() {
    let policy = |condition: &str, message: &str| {
        format!(
            "  validations: [{{expression: \"{condition}\", messageExpression: \"{message}\"}}]\n"
        )
    };
    for condition in [
        "object.metadata.labels.l != ''",
        "object.metadata.labels.l == 'x'",
    ] {
        check_not_kept(&policy(condition, "'no ' + object.metadata.name"));
        check_not_kept(&policy(condition, "'no ' + request.name"));
        check_policy(&policy(condition, "'no ' + object.metadata.labels.l"), 4);
        check_policy(&policy(condition, "'no ' + request.namespace"), 6);
    }
}

#[test]
fn a_namespace_decides_by_what_reads_it() {
    let validation = "  validations: [{expression: \"object.metadata.labels.l == 'x'\"}]\n";
    let condition = |text: &str| {
        format!("  matchConditions: [{{name: c, expression: \"{text}\"}}]\n{validation}")
    };
    check_policy(
        "  validations: [{expression: \"request.namespace == 'a'\"}]\n",
        3,
    );
    // A condition has one result in a namespace.
    check_policy(&condition("request.namespace != 'a'"), 5);
    check_policy(&condition("int(request.namespace) == 7"), 6);
    check_policy(
        &condition("int(request.namespace) == 7 || has(object.data.k)"),
        24,
    );
    check_policy(&condition("object.metadata.labels.l != 'x'"), 4);
    check_policy(
        &condition("request.operation == 'UPDATE' && request.userInfo.username != ''"),
        4,
    );
    check_not_kept(&condition("request.name != 'a'"));
    check_not_kept(&condition("request.?namespace.orValue('') != 'a'"));
    check_not_kept(
        "  validations: [{expression: \"authorizer.requestResource.check('get').allowed()\"}]\n",
    );
}

#[test]
fn selectors_decide_for_each_binding() {
    let validation = "  validations: [{expression: \"object.metadata.labels.l == 'x'\"}]\n";
    let bound = |name: &str, rest: &str| format!("{BINDING}{rest}").replace("BINDING", name);
    let in_a = bound(
        "in-a",
        "  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: a}}}\n",
    );
    let all = bound("all", "");
    check_policy(&format!("{validation}{in_a}"), 5);
    check_policy(&format!("{validation}{in_a}{all}"), 5);
    let labels = bound(
        "x",
        "  matchResources: {objectSelector: {matchLabels: {l: x}}}\n",
    );
    check_policy(&format!("{validation}{labels}{all}"), 6);
    let by_label = bound(
        "by-label",
        "  matchResources: {namespaceSelector: {matchLabels: {e: x}}}\n",
    );
    // The namespaces are missing, so denials are unknown.
    check_policy(&format!("{validation}{by_label}"), 15);
    check_not_kept(&format!(
        "{}{all}",
        validation.replace(
            "validations",
            "paramKind: {apiVersion: v1, kind: Secret}\n  validations"
        )
    ));
    let named = "  matchResources: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps], resourceNames: [c1]}]}\n";
    check_not_kept(&format!("{validation}{}", bound("named", named)));
}

#[test]
fn policies_are_known_separately() {
    let named = |name: &str, expression: &str| {
        let text = format!("  validations: [{{expression: \"{expression}\"}}]\n");
        policy(name, &text)
    };
    let labels = (0..6).map(|index| named(&format!("p{index}"), "object.metadata.labels.l == 'x'"));
    let names = named("names", "object.metadata.name != 'c3'");
    let policies: Vec<String> = [names].into_iter().chain(labels).collect();
    check(&policies, &config_maps());
    assert_eq!(counts(&policies, &config_maps()), (6 * 20, 24 + 6 * 4));
    // More than are told apart.
    let many = |index: usize| {
        named(
            &format!("p{index}"),
            &format!("object.data.k == 'v{index}'"),
        )
    };
    let many: Vec<String> = (0..70).map(many).collect();
    check(&many, &config_maps());
    assert_eq!(counts(&many, &config_maps()), (18 * 70, 6 * 70));
}

/// Returns a dump of config maps with repeated names, and with values of other types.
fn unusual_dump() -> String {
    let identity = r#""name":"c","namespace":"a","uid":"u","resourceVersion":"1""#;
    let object = |metadata: &str, data: &str| {
        let metadata = format!("{{{identity},{metadata}}}");
        format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{metadata},"data":{data}}}"#)
    };
    let mut dump = String::new();
    for metadata in [
        r#""labels":{}"#,
        r#""name":"d""#,
        r#""name":"""#,
        r#""name":"","generateName":"g-""#,
        r#""name":7"#,
        r#""generateName":["g"]"#,
        r#""namespace":"b""#,
        r#""namespace":null"#,
        r#""uid":null"#,
        r#""labels":{"a":"x"},"labels":{"a":"y"}"#,
        r#""labels":{"a":"x"}"#,
    ] {
        for data in [
            r#"{"a":1,"a":2}"#,
            r#"{"a":1,"b":2}"#,
            r#"{"b":1,"b":2}"#,
            r#"{"a":"\u0061"}"#,
            r#"[1,1]"#,
            "1.0",
            "1",
            "null",
        ] {
            let object = object(metadata, data);
            let kind_first = r#"{"kind":"ConfigMap","apiVersion":"v1","#;
            let other = object.replace(r#"{"apiVersion":"v1","kind":"ConfigMap","#, kind_first);
            dump = [dump, object, other].join("\n");
        }
    }
    dump
}

#[test]
fn objects_that_no_server_writes_are_told_apart() {
    let dump = unusual_dump();
    for expression in [
        "size(object.data) == 2",
        "object.data != 'a'",
        "'a' in object.data",
        "object.data.a == 2",
        "has(object.data.a)",
        "type(object.data) == int",
        "object.all(k, v, has(v.a))",
        "object[?0].hasValue()",
        "object.map(k, k)[0] == 'kind'",
    ] {
        let validation = format!("  validations: [{{expression: {}}}]\n", json!(expression));
        let selector = "  matchConstraints:\n    objectSelector: {matchLabels: {a: x}}";
        let selects = policy("demo", &validation).replace("  matchConstraints:", selector);
        for (policy, matched) in [(policy("demo", &validation), 352), (selects, 32)] {
            let report = check_dump(&[policy], &[&*dump, &dump].concat());
            let matched = format!("\"matched\": {matched},");
            assert!(report.contains(&matched), "{expression}");
        }
    }
}

#[test]
fn a_message_that_exceeds_the_budget_denies_an_allowed_object() {
    let list = |length: usize| vec![1; length];
    let objects: Vec<Value> = [1, 300, 1, 300]
        .into_iter()
        .enumerate()
        .filter_map(|(index, length)| {
            let object = json!({
                "apiVersion": "v1", "kind": "ConfigMap",
                "metadata": {"name": "c", "namespace": "a"}, "data": list(length),
            });
            stored(object, index)
        })
        .collect();
    let message = "object.data.all(a, object.data.all(b, object.data.all(c, true))) ? 'a' : 'b'";
    let validation =
        json!({"expression": "true || object.data == null", "messageExpression": message});
    // Each message has a budget of its own, and all of them share one.
    let validation = json!(vec![validation; 20]);
    let report = check(
        &[policy("demo", &format!("  validations: {validation}\n"))],
        &objects,
    );
    assert!(report.contains("cost budget"), "{report}");
}

#[test]
fn a_mutating_policy_without_mutations_decides_about_later_policies() {
    let mutating = policy(
        "mutating",
        "  matchConditions: [{name: c, expression: \"int(object.data.k) > 0\"}]\n",
    )
    .replace("Validating", "Mutating");
    let validating = policy(
        "validating",
        "  validations: [{expression: \"object.metadata.labels.l == 'x'\"}]\n",
    );
    check(&[mutating, validating], &config_maps());
}

#[test]
fn a_namespace_is_selected_by_its_own_labels() {
    let selector = "  matchConstraints:\n    namespaceSelector: {matchLabels: {l: x}}";
    let policy = policy("demo", "  validations: [{expression: \"false\"}]\n")
        .replace("configmaps", "namespaces")
        .replace("  matchConstraints:", selector);
    let namespaces = ["x", "y"]
        .into_iter()
        .enumerate()
        .filter_map(|(index, label)| {
            let metadata = json!({"name": label, "labels": {"l": label}});
            stored(
                json!({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}),
                index,
            )
        });
    let namespaces: Vec<Value> = namespaces.collect();
    let report = check(std::slice::from_ref(&policy), &namespaces);
    assert!(report.contains("\"matched\": 3,"), "{report}");
    assert_eq!(counts(&[policy], &namespaces), (0, 0));
}

#[test]
fn findings_are_in_the_order_of_the_policies() {
    let validation = "  validations: [{expression: \"object.metadata.labels.l == 'z'\"}]\n";
    let params = "  paramKind: {apiVersion: v1, kind: ConfigMap}\n";
    let reference = "  paramRef: {name: p, namespace: a, parameterNotFoundAction: Allow}\n";
    let bound = format!("{params}{validation}{BINDING}{reference}");
    let first = policy("a", &bound).replace("BINDING", "a");
    // Missing parameters need no evaluation. The results of the others are known, or none is.
    for count in [1, 6] {
        let others = (0..count).map(|index| policy(&format!("b{index}"), validation));
        let policies: Vec<String> = [first.clone()].into_iter().chain(others).collect();
        let ((known, _), rows) = evaluated(&policies, &config_maps());
        assert_eq!(known > 0, count == 6);
        assert_eq!(rows.len(), config_maps().len());
        for rows in rows {
            assert_eq!(rows, (0..=count).collect::<Vec<_>>());
        }
    }
}
