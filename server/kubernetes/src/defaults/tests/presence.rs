//! Missing fields that are written, and empty fields that are kept.

use super::check_at;

#[test]
fn a_reference_without_a_name_stays_empty() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {imagePullSecrets: [{}], \
               containers: [{name: a, envFrom: [{configMapRef: {}}, {secretRef: {}}], env: \
               [{name: A, valueFrom: {secretKeyRef: {key: k}}}]}]}}";
    check_at(pod, "spec.imagePullSecrets", "[{}]");
    check_at(
        pod,
        "spec.containers.0.envFrom",
        "[{configMapRef: {}}, {secretRef: {}}]",
    );
    check_at(
        pod,
        "spec.containers.0.env.0.valueFrom",
        "{secretKeyRef: {key: \"k\"}}",
    );
}

#[test]
fn a_pointer_that_is_always_written_keeps_what_is_empty() {
    let claim = "{apiVersion: v1, kind: PersistentVolumeClaim, spec: {dataSource: {apiGroup: '', \
                 kind: PersistentVolumeClaim, name: a}}}";
    check_at(
        claim,
        "spec.dataSource",
        r#"{apiGroup: "", kind: "PersistentVolumeClaim", name: "a"}"#,
    );
    let level = "{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, \
                 spec: {type: Limited, limited: {nominalConcurrencyShares: 0}}}";
    check_at(
        level,
        "spec.limited",
        "{lendablePercent: 0, limitResponse: {type: \"\"}, nominalConcurrencyShares: 0}",
    );
}

#[test]
fn what_is_required_and_left_out_when_empty_is_not_null() {
    let binding = "{apiVersion: admissionregistration.k8s.io/v1, kind: \
                   ValidatingAdmissionPolicyBinding, spec: {}}";
    check_at(binding, "spec", "{}");
    let ingress = "{apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {rules: [{http: \
                   {paths: [{path: /}]}}]}}";
    check_at(
        ingress,
        "spec.rules.0.http.paths.0",
        r#"{backend: {}, path: "/", pathType: null}"#,
    );
    let webhooks = "{apiVersion: admissionregistration.k8s.io/v1, kind: \
                    ValidatingWebhookConfiguration, webhooks: [{name: a}]}";
    check_at(webhooks, "webhooks.0.sideEffects", "null");
    check_at(webhooks, "webhooks.0.admissionReviewVersions", "null");
}

#[test]
fn zero_replicas_of_a_scale_are_not_there() {
    let scale = "{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 0}}";
    check_at(scale, "spec", "{}");
    check_at(scale, "status", "{replicas: 0}");
}

#[test]
fn null_in_a_list_or_a_map_is_an_empty_value() {
    let map = "{apiVersion: v1, kind: ConfigMap, metadata: {labels: {a: null}}, data: {a: null}}";
    check_at(map, "metadata.labels", r#"{a: ""}"#);
    check_at(map, "data", r#"{a: ""}"#);
    let pod = "{apiVersion: v1, kind: Pod, spec: {tolerations: [null], containers: [{name: a, \
               args: [null, b], resources: {limits: {cpu: null}}}]}}";
    check_at(pod, "spec.tolerations", "[{}]");
    check_at(pod, "spec.containers.0.args", r#"["", "b"]"#);
    check_at(
        pod,
        "spec.containers.0.resources",
        r#"{limits: {cpu: "0"}, requests: {cpu: "0"}}"#,
    );
}

#[test]
fn times_are_in_utc() {
    let lease = "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {creationTimestamp: \
                 '2024-01-01T01:00:00.5+01:00'}, spec: {renewTime: '2024-01-01T00:00:00.1Z'}}";
    check_at(
        lease,
        "metadata.creationTimestamp",
        r#""2024-01-01T00:00:00Z""#,
    );
    check_at(lease, "spec.renewTime", r#""2024-01-01T00:00:00.100000Z""#);
}

#[test]
fn bytes_are_on_one_line() {
    let secret = r#"{apiVersion: v1, kind: Secret, data: {a: "YWRt\naW4=\n", b: ""}}"#;
    check_at(secret, "data", r#"{a: "YWRtaW4=", b: ""}"#);
}

#[test]
fn schemas_in_schemas_lose_what_is_empty() {
    let schema = "{type: array, items: {type: object, nullable: false, additionalProperties: \
                  {type: string, required: []}}, default: 0, externalDocs: {url: u}}";
    let definition = format!(
        "{{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {{versions: \
         [{{name: v1, storage: true, schema: {{openAPIV3Schema: {schema}}}}}]}}}}"
    );
    check_at(
        &definition,
        "spec.versions.0.schema.openAPIV3Schema",
        "{default: 0, externalDocs: {url: \"u\"}, items: {additionalProperties: {type: \
         \"string\"}, type: \"object\"}, type: \"array\"}",
    );
    let closed = definition.replace("{type: string, required: []}", "false");
    check_at(
        &closed,
        "spec.versions.0.schema.openAPIV3Schema.items",
        "{additionalProperties: false, type: \"object\"}",
    );
}

#[test]
fn a_revision_without_data_says_so() {
    let revision = "{apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: a}}";
    check_at(revision, "data", "null");
    check_at(revision, "revision", "0");
}
