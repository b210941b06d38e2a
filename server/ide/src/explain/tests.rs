//! The documentation for names, and similar names for an unknown one.

use super::*;

/// Returns the only explanation of a name.
#[track_caller]
fn only(name: &str) -> Explanation {
    let mut found = explain(name).unwrap();
    assert_eq!(found.len(), 1, "{name}: {found:?}");
    found.remove(0)
}

#[track_caller]
fn has(name: &str, topic: Topic, parts: &[&str]) -> Explanation {
    let found = only(name);
    assert_eq!(found.topic, topic, "{name}");
    for part in parts {
        assert!(found.markdown.contains(part), "{part}\n{}", found.markdown);
    }
    found
}

#[test]
fn a_rule_has_its_page() {
    let rule = has("null-object", Topic::Rule, &["# "]);
    assert!(RULES.iter().any(|it| it.page == rule.markdown));
}

#[test]
fn a_function_has_every_signature_its_version_and_its_cost() {
    let quantity = has(
        "quantity",
        Topic::Function,
        &[
            "quantity(string) -> ",
            "Example: `",
            "The example costs ",
            "Since Kubernetes ",
        ],
    );
    assert!(quantity.since.is_some());
    has("sets.contains", Topic::Function, &["sets.contains(list("]);
    has(
        "matches",
        Topic::Function,
        &["string.matches(string) -> bool"],
    );
    let string = only("string").markdown;
    assert!(
        string.contains("string(bytes)") && !string.contains("more."),
        "{string}"
    );
    assert!(explain("_+_").is_err(), "an operator has no name");
}

#[test]
fn a_macro_is_explained_as_in_hovers() {
    has(
        "exists",
        Topic::Macro,
        &["list.exists(x, condition) -> bool"],
    );
    let two = has("transformList", Topic::Macro, &["Since Kubernetes "]);
    assert!(two.since.is_some());
}

#[test]
fn variables_have_types_and_fields() {
    has(
        "object",
        Topic::Variable,
        &["object: dyn", "incoming request"],
    );
    has(
        "request.operation",
        Topic::Variable,
        &["operation: string", "`CONNECT`"],
    );
    has(
        "request.userInfo.groups",
        Topic::Variable,
        &["groups: list(string)"],
    );
    assert!(explain("request.operatoin").is_err());
}

#[test]
fn a_field_is_found_by_every_name_of_its_kind() {
    let names = ["pod", "pods", "Pod", "po", "v1/Pod", "PODS"];
    for name in names {
        let field = only(&format!("{name}.spec.containers.image"));
        assert_eq!(field.name, "Pod.spec.containers.image");
        assert!(
            field.markdown.contains("image: string"),
            "{}",
            field.markdown
        );
    }
    let path = only("pods.spec.containers[0].resources");
    assert_eq!(path.name, "Pod.spec.containers.resources");
    assert!(
        path.markdown.contains("Fields:\n\n- `"),
        "{}",
        path.markdown
    );
    has(
        "deployments.spec.replicas",
        Topic::Field,
        &["replicas: int", "In `apps/v1` `Deployment`."],
    );
    has(
        "networking.k8s.io/v1/Ingress.spec.rules",
        Topic::Field,
        &["Optional."],
    );
    has(
        "deploy",
        Topic::Kind,
        &["apps/v1, Kind=Deployment", "- `spec`: "],
    );
}

#[test]
fn a_field_has_its_values_and_the_servers_that_have_it() {
    let policy = has(
        "ValidatingAdmissionPolicy.spec.failurePolicy",
        Topic::Field,
        &["One of `Fail`, `Ignore`.", "since Kubernetes 1.30"],
    );
    assert_eq!(
        policy.since.map(|it| it.to_string()).as_deref(),
        Some("1.30")
    );
    assert_eq!(policy.until, None);
    let former = explain("flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema.spec");
    let until = former.unwrap().remove(0).until;
    assert!(until.is_some());
}

#[test]
fn unknown_names_have_suggestions() {
    let near = |name: &str| explain(name).unwrap_err();
    assert_eq!(near("pod.spec.contaners.image"), ["pod.spec.containers"]);
    assert_eq!(
        near("pod.spec.containers.imgae"),
        ["pod.spec.containers.image"]
    );
    assert_eq!(
        near("deploymnet.spec.replicas"),
        ["deployment.spec.replicas"]
    );
    assert_eq!(near("quantty"), ["quantity"]);
    assert_eq!(
        near("object.spec.minReadySeconds"),
        [
            "replicationcontroller.spec.minReadySeconds",
            "daemonset.spec.minReadySeconds",
            "deployment.spec.minReadySeconds",
            "replicaset.spec.minReadySeconds",
            "statefulset.spec.minReadySeconds"
        ]
    );
    assert!(near("unguarded").contains(&"unguarded-field".to_owned()));
    assert!(near("sets").contains(&"sets.contains".to_owned()));
    assert_eq!(near("zzzzzzzzzzzzzzzz"), [""; 0]);
}
