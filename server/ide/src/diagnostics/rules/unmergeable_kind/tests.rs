//! Kinds that cannot be mutated, and the outcome.

use crate::fixture::{check_diagnostics, findings, mutated};
use crate::report::Severity;

const SCALE: &str =
    "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a}, spec: {replicas: 2}}";

fn policy(rule: &str, mutation: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - {rule}
  mutations:
    - {mutation}
"
    )
}

const MERGE: &str = "{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{spec: Object.spec{}}'}}";
const PATCH: &str = r#"{patchType: JSONPatch, jsonPatch: {expression: '[JSONPatch{op: "test", path: "/metadata/name", value: "a"}]'}}"#;

#[test]
fn a_kind_without_a_type_is_not_merged() {
    let rule = "{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments, deployments/scale]}";
    let text = policy(rule, MERGE);
    let found = findings(&text);
    let found: Vec<_> = found
        .iter()
        .filter(|it| it.code == "unmergeable-kind")
        .collect();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0].message,
        "The API server has no type for merging the `Scale` of `deployments/scale`, so every `applyConfiguration` fails. Use a JSON patch."
    );
    assert_eq!(found[0].upstream, mutated(&text, SCALE).err());
    let text = policy(rule, PATCH);
    check_diagnostics(&text);
    assert!(mutated(&text, SCALE).is_ok());
    for resource in ["pods/binding", "deployments/status", "'*/*'", "deployments"] {
        let rule = format!(
            "{{apiGroups: ['', apps], apiVersions: [v1], operations: ['*'], resources: [{resource}]}}"
        );
        let found = findings(&policy(&rule, MERGE));
        assert!(
            found.iter().all(|it| it.code != "unmergeable-kind"),
            "{found:#?}"
        );
    }
}

#[test]
fn a_version_that_is_converted_is_not_converted_back() {
    let rule = |versions: &str| {
        format!(
            "{{apiGroups: [autoscaling], apiVersions: [{versions}], operations: [CREATE], resources: [horizontalpodautoscalers]}}"
        )
    };
    let text = policy(&rule("v1"), PATCH);
    let found = findings(&text);
    let said: Vec<_> = found
        .iter()
        .map(|it| (it.code, it.severity, it.message.as_str()))
        .collect();
    let words = "Requests for `horizontalpodautoscalers` in `autoscaling/v2` match too, but the API server cannot convert the mutated object back to that version, so the mutation fails. Add `v2` to `apiVersions`, or set `matchPolicy: Exact`.";
    assert_eq!(said, [("unmergeable-kind", Severity::Warning, words)]);
    assert_eq!(
        found[0].upstream.as_deref(),
        Some(
            "converting (v1.HorizontalPodAutoscaler) to (v2.HorizontalPodAutoscaler): unknown conversion"
        )
    );
    for text in [
        policy(&rule("v1, v2"), PATCH),
        policy(&rule("'*'"), PATCH),
        text.replace(
            "  matchConstraints:",
            "  matchConstraints:\n    matchPolicy: Exact",
        ),
    ] {
        let found = findings(&text);
        assert!(
            found.iter().all(|it| it.code != "unmergeable-kind"),
            "{found:#?}"
        );
    }
}
