//! Guards in all their forms: each expression with the reads that can fail.

use super::{FieldState, Presence, SiteKind};
use crate::file::SourceFile;
use crate::fixture::validation;
use std::sync::Arc;

/// Returns the unguarded paths in a policy for Deployments.
fn unguarded(policy: &str) -> Vec<String> {
    let file = SourceFile::new(policy);
    let document = file.policies().first().unwrap();
    let presence = Presence::new(document, Arc::clone(file.project().kinds()), None);
    let mut found = Vec::new();
    for place in presence.failure_sites() {
        let term = place.site.term;
        if place.site.kind != SiteKind::Read || place.is_present(term) {
            continue;
        }
        let can_lack = place.cases().any(|case| {
            matches!(
                place.state(case, term),
                FieldState::Optional | FieldState::Key
            )
        });
        if can_lack {
            let expression = &document.expressions()[place.site.expression];
            let ast = expression.ast();
            let text = ast.slice(ast.span(place.site.id)).to_owned();
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

#[track_caller]
fn check(expression: &str, expected: &[&str]) {
    let policy = validation("apps/v1/deployments", "CREATE", expression);
    assert_eq!(unguarded(&policy), expected, "{expression}");
}

#[test]
fn what_is_always_there_needs_no_guard() {
    check("object.spec.replicas > 1", &[]);
    check(
        "object.spec.template.spec.containers.all(c, c.image != '')",
        &[],
    );
    check(
        "object.metadata.name == 'a' && object.kind == 'Deployment'",
        &[],
    );
    check("object.spec.strategy.rollingUpdate.maxSurge == 1", &[]);
    check("object.status.readyReplicas > 1", &[]);
}

#[test]
fn optional_fields_and_keys_need_one() {
    check("object.spec.paused", &["object.spec.paused"]);
    check("object['spec']['paused']", &["object['spec']['paused']"]);
    check("dyn(object).spec.paused", &["dyn(object).spec.paused"]);
    check(
        "object.spec.template.spec.containers.all(c, c.securityContext.privileged)",
        &["c.securityContext", "c.securityContext.privileged"],
    );
    check(
        "object.metadata.labels.app == 'a'",
        &["object.metadata.labels", "object.metadata.labels.app"],
    );
    check(
        "object.spec.template.spec.containers.map(c, c.command)[0] == []",
        &["c.command"],
    );
}

#[test]
fn a_guard_on_something_else_is_none() {
    let alone = &["object.spec.paused"];
    check("has(object.spec.paused) || object.spec.paused", alone);
    check("!has(object.spec.paused) && object.spec.paused", alone);
    check(
        "has(object.spec.minReadySeconds) && object.spec.paused",
        alone,
    );
    check(
        "object.spec.?minReadySeconds.orValue(9) > 1 && object.spec.minReadySeconds < 5",
        &["object.spec.minReadySeconds"],
    );
}

#[test]
fn some_metadata_depends_on_the_case() {
    check(
        "object.metadata.resourceVersion == 'a'",
        &["object.metadata.resourceVersion"],
    );
    check("object.metadata.namespace == 'a'", &[]);
    let policy = |resource, operation, field| {
        let expression = format!("object.metadata.{field} == 'a'");
        unguarded(&validation(resource, operation, &expression))
    };
    assert_eq!(policy("/v1/pods", "UPDATE", "resourceVersion"), [""; 0]);
    assert_eq!(
        policy("/v1/nodes", "UPDATE", "namespace"),
        ["object.metadata.namespace"]
    );
}

#[test]
fn a_namespace_has_the_label_of_its_name() {
    let labels = |resource, expression| unguarded(&validation(resource, "UPDATE", expression));
    let name = "object.metadata.labels['kubernetes.io/metadata.name'] == 'a'";
    assert_eq!(labels("/v1/namespaces", name), [""; 0]);
    assert_eq!(
        labels("/v1/namespaces", "oldObject.metadata.labels.team == 'a'"),
        ["oldObject.metadata.labels.team"]
    );
    assert_eq!(labels("/v1/nodes", name).len(), 2);
    let annotations = "object.metadata.annotations == {}";
    assert_eq!(
        labels("/v1/namespaces", annotations),
        ["object.metadata.annotations"]
    );
}

#[test]
fn conditions_are_guards() {
    check("has(object.spec.paused) && object.spec.paused", &[]);
    check("object.spec.paused && has(object.spec.paused)", &[]);
    check("!has(object.spec.paused) || object.spec.paused", &[]);
    check("!(has(object.spec.paused) && object.spec.paused)", &[]);
    check("has(object.spec.paused) ? object.spec.paused : true", &[]);
    check("!has(object.spec.paused) ? true : object.spec.paused", &[]);
    check("has(object.spec.paused) == true && object.spec.paused", &[]);
    check(
        "(has(object.spec.paused) ? true : false) && object.spec.paused",
        &[],
    );
    check("object.?spec.paused.hasValue() && object.spec.paused", &[]);
    check(
        "object.spec.?paused.orValue(false) && object.spec.paused",
        &[],
    );
    check("object.spec.?paused.orValue(false)", &[]);
    check(
        "object.spec.?paused != optional.none() && object.spec.paused",
        &[],
    );
    check(
        "object.spec.?minReadySeconds.orValue(0) > 1 && object.spec.minReadySeconds < 5",
        &[],
    );
}

#[test]
fn condition_that_the_default_does_not_meet_is_a_guard() {
    let volumes = "object.spec.template.spec.?volumes.orValue([])";
    let first = "object.spec.template.spec.volumes[0].name == 'a'";
    for guard in [
        format!("size({volumes}) == 0 ||"),
        format!("0 == {volumes}.size() ||"),
        format!("{volumes} == [] ||"),
        format!("size({volumes}) == 2 &&"),
        format!("{volumes}.size() != 0 &&"),
        format!("{volumes} != [] &&"),
        format!("!(size({volumes}) < 1) &&"),
    ] {
        check(&format!("{guard} {first}"), &[]);
    }
    let alone = &["object.spec.template.spec.volumes"];
    check(&format!("size({volumes}) != 0 || {first}"), alone);
    check(&format!("{volumes}.size() != 2 && {first}"), alone);
}

#[test]
fn condition_on_a_string_that_its_default_does_not_meet_is_a_guard() {
    let name = "object.spec.template.spec.?nodeName.orValue('')";
    for guard in [
        format!("{name} != ''"),
        format!("size({name}) > 0"),
        format!("{name} in ['a', 'b']"),
        format!("!({name} in ['a', ''])"),
        format!("{name}.startsWith('a')"),
        format!("{name} == 'a'"),
        "object.spec.template.spec.?nodeName.optMap(n, n != 'b').orValue(false)".to_owned(),
        "object.spec.template.spec.?nodeName.optMap(n, n).hasValue()".to_owned(),
    ] {
        check(
            &format!("{guard} && object.spec.template.spec.nodeName > 'a'"),
            &[],
        );
    }
    let alone = &["object.spec.template.spec.nodeName"];
    for guard in [
        format!("{name} in ['a', '']"),
        format!("{name}.contains('')"),
        format!("{name} != 'a'"),
    ] {
        check(
            &format!("{guard} && object.spec.template.spec.nodeName > 'a'"),
            alone,
        );
    }
}

#[test]
fn comparison_of_optionals_is_a_guard() {
    check(
        "object.spec.?paused != optional.of(true) || object.spec.paused",
        &[],
    );
    check(
        "optional.of(false) == object.spec.?paused && object.spec.paused",
        &[],
    );
    check(
        "!(object.spec.?paused == optional.of(true)) || object.spec.paused",
        &[],
    );
    let alone = &["object.spec.paused"];
    check(
        "object.spec.?paused == optional.of(true) || object.spec.paused",
        alone,
    );
    check(
        "object.spec.?paused != optional.of(true) && object.spec.paused",
        alone,
    );
}

/// Returns the unguarded paths in a policy for Deployments whose selector is `selector`.
fn selected(selector: &str, operations: &str, expression: &str) -> Vec<String> {
    let policy = validation("apps/v1/deployments", operations, expression);
    unguarded(&policy.replace(
        "    resourceRules:",
        &format!("    {selector}\n    resourceRules:"),
    ))
}

#[test]
fn selector_guarantees_labels_of_the_object_that_it_matches() {
    let selector = "objectSelector: {matchLabels: {app: web}, matchExpressions: [{key: a, operator: \
                    Exists}, {key: b, operator: In, values: [c]}, {key: d, operator: NotIn, values: [e]}]}";
    let label = |root: &str, key: &str| format!("{root}.metadata.labels['{key}'] == 'x'");
    for key in ["app", "a", "b"] {
        assert_eq!(selected(selector, "CREATE", &label("object", key)), [""; 0]);
        assert_eq!(
            selected(selector, "DELETE", &label("oldObject", key)),
            [""; 0]
        );
        assert_eq!(selected(selector, "UPDATE", &label("object", key)).len(), 2);
        assert_eq!(
            selected(selector, "CREATE, UPDATE", &label("object", key)).len(),
            2
        );
    }
    assert_eq!(
        selected(selector, "CREATE", &label("object", "d")),
        ["object.metadata.labels['d']"]
    );
    let none = "objectSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}";
    assert_eq!(selected(none, "CREATE", &label("object", "app")).len(), 2);
    let namespaces = "namespaceSelector: {matchLabels: {app: web}}";
    assert_eq!(
        selected(namespaces, "CREATE", &label("object", "app")).len(),
        2
    );
    let policy = validation("/v1/namespaces", "UPDATE", &label("object", "app"));
    let policy = policy.replace(
        "    resourceRules:",
        &format!("    {namespaces}\n    resourceRules:"),
    );
    assert_eq!(unguarded(&policy), [""; 0]);
}

#[test]
fn a_test_does_not_guard_what_leads_to_it() {
    check(
        "has(object.metadata.labels.app) && object.metadata.labels.app == 'a'",
        &["object.metadata.labels"],
    );
    check(
        "has(object.metadata.labels) && has(object.metadata.labels.app)",
        &[],
    );
}

#[test]
fn conditions_that_belong_together_are_understood() {
    check(
        "has(object.spec.paused) == has(object.spec.minReadySeconds) && \
         (!has(object.spec.paused) || object.spec.minReadySeconds > 1)",
        &[],
    );
    check(
        "(has(object.spec.paused) || has(object.spec.minReadySeconds)) && \
         (has(object.spec.paused) ? object.spec.paused : object.spec.minReadySeconds > 1)",
        &[],
    );
}

#[test]
fn maps_have_their_own_tests() {
    let labels = "has(object.metadata.labels) && ";
    for guard in [
        "'app' in object.metadata.labels",
        "has(object.metadata.labels.app)",
        "object.metadata.labels.exists(k, k == 'app')",
        "['app', 'b'].all(k, k in object.metadata.labels)",
        "object.metadata.?labels[?'app'].hasValue()",
    ] {
        check(
            &format!("{labels}{guard} && object.metadata.labels['app'] == 'a'"),
            &[],
        );
    }
    check(
        &format!("{labels}object.metadata.labels.all(k, object.metadata.labels[k] != '')"),
        &[],
    );
    check(
        &format!("{labels}object.metadata.labels.all(k, v, v != '')"),
        &[],
    );
    check(
        &format!("{labels}'b' in object.metadata.labels && object.metadata.labels['app'] == 'a'"),
        &["object.metadata.labels['app']"],
    );
    check(
        "'app' in object.metadata.?labels.orValue({}) && object.metadata.labels.app == ''",
        &[],
    );
    check("object.metadata.?labels[?'app'].orValue('') == ''", &[]);
}

#[test]
fn loops_keep_what_is_known_of_their_elements() {
    let containers = "object.spec.template.spec.containers";
    check(
        &format!("{containers}.all(c, has(c.command) && c.command.size() > 1)"),
        &[],
    );
    check(
        &format!("{containers}.filter(c, has(c.command)).all(c, c.command.size() > 1)"),
        &[],
    );
    check(
        &format!("{containers}.filter(a, has(a.command)).map(b, b.command)[0] == []"),
        &[],
    );
    check(
        &format!("{containers}.map(c, has(c.command), c.command)[0] == []"),
        &[],
    );
    check(
        &format!("{containers}.all(c, has(c.command)) && {containers}.all(d, d.command == [])"),
        &[],
    );
    check(
        &format!("{containers}.exists(c, has(c.command)) && {containers}.all(d, d.command == [])"),
        &["d.command"],
    );
    check(
        "(has(object.spec.template.spec.volumes) ? object.spec.template.spec.volumes : [])\
         .all(v, !has(v.hostPath) || v.hostPath.path != '/')",
        &[],
    );
    check(
        "object.spec.template.spec.?volumes.orValue([]).all(v, v.hostPath.path != '/')",
        &["v.hostPath"],
    );
    check(
        "object.spec.template.spec.?securityContext.optMap(s, s.runAsNonRoot).orValue(false)",
        &["s.runAsNonRoot"],
    );
}

fn with_variables(variables: &str, conditions: &str, expression: &str) -> String {
    let policy = validation("apps/v1/deployments", "CREATE", expression);
    let fields =
        format!("  variables:\n{variables}  matchConditions:\n{conditions}  validations:\n");
    policy.replace("  validations:\n", &fields)
}

#[test]
fn variables_are_looked_at_where_they_are_used() {
    let paused = "    - {name: paused, expression: object.spec.paused}\n";
    let has = "    - {name: has, expression: has(object.spec.paused)}\n";
    let check = |variables: &str, conditions: &str, expression: &str, expected: &[&str]| {
        let policy = with_variables(variables, conditions, expression);
        assert_eq!(unguarded(&policy), expected, "{policy}");
    };
    check(paused, "", "variables.paused", &["object.spec.paused"]);
    check(
        paused,
        "",
        "has(object.spec.paused) && variables.paused",
        &[],
    );
    check(
        &format!("{has}{paused}"),
        "",
        "variables.has && variables.paused",
        &[],
    );
    check(has, "", "!variables.has || object.spec.paused", &[]);
    check(paused, "", "true", &[]);
    let condition = "    - {name: a, expression: has(object.spec.paused)}\n";
    check(paused, condition, "variables.paused", &[]);
    let later = "    - {name: b, expression: object.spec.paused}\n";
    check("", &format!("{later}{condition}"), "true", &[]);
    let spec = "    - {name: spec, expression: object.spec}\n";
    check(
        spec,
        "",
        "has(variables.spec.paused) && object.spec.paused",
        &[],
    );
    check(
        spec,
        "",
        "variables.spec.paused",
        &["variables.spec.paused"],
    );
}

#[test]
fn default_of_a_variable_is_that_of_its_expression() {
    let volumes =
        "    - {name: volumes, expression: 'object.spec.template.spec.?volumes.orValue([])'}\n";
    let first = "object.spec.template.spec.volumes[0].name == 'a'";
    for guard in [
        "size(variables.volumes) == 0 ||",
        "variables.volumes != [] &&",
    ] {
        let policy = with_variables(volumes, "", &format!("{guard} {first}"));
        assert_eq!(unguarded(&policy), [""; 0], "{guard}");
    }
}

#[test]
fn kinds_that_a_condition_excludes_do_not_count() {
    let check = |expression: &str, expected: &[&str]| {
        let policy = validation("apps/v1/deployments', 'daemonsets", "CREATE", expression);
        assert_eq!(unguarded(&policy), expected, "{expression}");
    };
    check(
        "object.kind == 'DaemonSet' || object.spec.paused",
        &["object.spec.paused"],
    );
    check("object.kind != 'DaemonSet' || object.spec.paused", &[]);
    check(
        "request.resource.resource == 'deployments' && object.spec.paused",
        &["object.spec.paused"],
    );
    check(
        "has(object.spec.replicas) && object.spec.paused",
        &["object.spec.paused"],
    );
}

#[test]
fn an_analysis_ends() {
    let mut variables = String::from("    - {name: v0, expression: object.spec.paused}\n");
    for number in 1..40 {
        let last = number - 1;
        variables.push_str(&format!(
            "    - {{name: v{number}, expression: 'variables.v{last} && (variables.v{last} || !variables.v{last})'}}\n"
        ));
    }
    let started = std::time::Instant::now();
    unguarded(&with_variables(&variables, "", "variables.v39"));
    let deep = format!("{}true{}", "!(".repeat(200), ")".repeat(200));
    check(&deep, &[]);
    assert!(started.elapsed().as_secs() < 20);
}

#[test]
fn each_webhook_has_its_own_rules_and_conditions() {
    let webhook = |name: &str, operations: &str, conditions: &str| {
        format!(
            "- name: {name}.example.com\n  rules: [{{apiGroups: [''], apiVersions: [v1], operations: \
             [{operations}], resources: [configmaps]}}]\n  matchConditions:\n{conditions}"
        )
    };
    let data = "  - {name: a, expression: object.data.a == 'a'}\n";
    let has = "  - {name: b, expression: has(object.data)}\n";
    let text = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: \
         {{name: a}}\nwebhooks:\n{}{}",
        webhook("first", "CREATE", data),
        webhook("second", "CREATE", &format!("{has}{data}"))
    );
    assert_eq!(unguarded(&text), ["object.data", "object.data.a"]);
    let second = text.replace("object.data.a == 'a'}\n- name", "'true'}\n- name");
    assert_eq!(unguarded(&second), ["object.data.a"]);
}
