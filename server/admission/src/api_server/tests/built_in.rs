//! The built-in plugins around the policies, and storing.

use super::{api_server, read};
use crate::fields::{list, text};
use crate::{EvaluationLimits, Inputs, Request, Response};
use cel::Value;
use expect_test::expect;
use kubernetes::defaults;

/// Returns a mutating policy with its binding.
pub(super) fn policy(resource: &str, mutation: &str) -> String {
    let (group, plural) = resource.split_once('/').unwrap();
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n\
         metadata: {{name: p}}\nspec:\n  reinvocationPolicy: Never\n  matchConstraints:\n    \
         resourceRules:\n    - {{apiGroups: ['{group}'], apiVersions: [v1], operations: ['*'], \
         resources: [{plural}]}}\n  mutations:\n  - {mutation}\n---\n\
         apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\n\
         metadata: {{name: b}}\nspec: {{policyName: p}}\n---\n"
    )
}

pub(super) fn applied(fields: &str) -> String {
    format!(
        "{{patchType: ApplyConfiguration, applyConfiguration: {{expression: \"Object{{{fields}}}\"}}}}"
    )
}

pub(super) fn patched(operation: &str) -> String {
    format!("{{patchType: JSONPatch, jsonPatch: {{expression: \"[JSONPatch{{{operation}}}]\"}}}}")
}

/// Returns the response to the creation of an object.
pub(super) fn created(documents: &str, objects: &[String], object: &str) -> Response {
    let api_server = api_server(documents, objects);
    let mut object = read(object);
    defaults::apply(api_server.kinds(), &mut object);
    let inputs = Inputs {
        object: Some(object),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, api_server.resources()).unwrap();
    request.fill_in();
    api_server.admit(&request, &EvaluationLimits::default())
}

pub(super) fn at(response: &Response, path: &[&str]) -> String {
    let object = response.object.as_ref().unwrap();
    path.iter()
        .try_fold(object, |value, field| value.as_map()?.get_str(field))
        .map_or_else(|| "nothing".to_owned(), ToString::to_string)
}

pub(super) const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {generateName: g-, namespace: a}, spec: {containers: [{name: a, image: a}]}}";

pub(super) fn class(name: &str, value: i64, rest: &str) -> String {
    format!(
        "{{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {{name: {name}}}, \
         value: {value}{rest}}}"
    )
}

#[test]
fn a_policy_sets_the_class_of_a_pod_too_late() {
    let classes = [
        class("same", 0, ""),
        class("high", 7, ", preemptionPolicy: Never"),
    ];
    let message = |name: &str| {
        let fields = format!("spec: Object.spec{{priorityClassName: '{name}'}}");
        let response = created(&policy("/pods", &applied(&fields)), &classes, POD);
        assert_eq!(response.allowed, response.code == 201);
        response.message
    };
    let computed = |value: &str| {
        format!(
            "pods \"g-\" is forbidden: the integer value of priority (0) must not be provided in \
             pod spec; priority admission controller computed {value} from the given \
             PriorityClass name"
        )
    };
    assert_eq!(message("system-node-critical"), computed("2000001000"));
    assert_eq!(message("high"), computed("7"));
    assert_eq!(message("same"), "");
    assert_eq!(message("none"), "");
}

#[test]
fn a_pod_has_the_priority_of_its_class() {
    let classes = [
        class("high", 7, ", preemptionPolicy: Never"),
        class("usual", 5, ", globalDefault: true"),
        class("low", 3, ", globalDefault: true"),
    ];
    for (spec, expected) in [
        ("", ["3", "PreemptLowerPriority", "low"]),
        (", priorityClassName: high", ["7", "Never", "high"]),
        (", priorityClassName: x", ["nothing", "nothing", "x"]),
    ] {
        let pod = POD.replace("]}}", &format!("]{spec}}}}}"));
        let response = created("", &classes, &pod);
        let found = ["priority", "preemptionPolicy", "priorityClassName"]
            .map(|field| at(&response, &["spec", field]));
        assert_eq!(found, expected, "{spec}");
    }
    let pod = POD.replace(
        "]}}",
        "], priorityClassName: high, preemptionPolicy: PreemptLowerPriority}}",
    );
    let message = created("", &classes, &pod).message;
    assert!(
        message.contains("the string value of PreemptionPolicy (PreemptLowerPriority)"),
        "{message}"
    );
}

#[test]
fn tolerations_come_back_after_a_policy_has_replaced_them() {
    let replaced = patched(
        "op: 'add', path: '/spec/tolerations', value: [{'key': 'z', 'operator': 'Exists'}]",
    );
    let response = created(&policy("/pods", &replaced), &[], POD);
    let tolerations = at(&response, &["spec", "tolerations"]);
    assert!(
        tolerations.starts_with("[{key: z, operator: Exists}, {key: node"),
        "{tolerations}"
    );
    assert_eq!(tolerations.matches("tolerationSeconds: 300").count(), 2);
}

/// Upstream: kubernetes/apiserver, pkg/registry/generic/registry/dryrun.go, copyInto.
#[test]
fn what_is_stored_has_no_empty_lists_and_all_defaults() {
    let role = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: c}, rules: [{verbs: [get]}]}";
    let removed = patched("op: 'remove', path: '/rules/0'");
    let documents = policy("rbac.authorization.k8s.io/clusterroles", &removed);
    let object = created(&documents, &[], role).object.unwrap();
    assert_eq!(
        object.as_map().unwrap().get_str("rules"),
        Some(&Value::Null)
    );
    let claim = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: a}}";
    let labeled = applied("metadata: Object.metadata{labels: {'a': 'b'}}");
    let documents = policy("/persistentvolumeclaims", &labeled);
    assert_eq!(
        at(&created(&documents, &[], claim), &["status"]),
        "{phase: Pending}"
    );
}

#[test]
fn a_namespace_is_complete() {
    let documents = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
        metadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules:\n    - {apiGroups: \
        [''], apiVersions: [v1], operations: ['*'], resources: [pods]}\n  validations:\n  \
        - expression: \"namespaceObject.spec.finalizers == ['kubernetes'] && \
        namespaceObject.status.phase == 'Active'\"\n---\n\
        apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
        metadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]}\n";
    let namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: a}}".to_owned();
    assert_eq!(created(documents, &[namespace], POD).message, "");
}

/// Returns the message about a pod that a mutation changes.
fn pod_error(mutation: &str) -> String {
    created(&policy("/pods", &patched(mutation)), &[], POD).message
}

/// Upstream: kubernetes/kubernetes, pkg/apis/core/validation/validation.go.
#[test]
fn a_policy_may_break_a_pod() {
    let add = |path: &str, value: &str| {
        pod_error(&format!("op: 'add', path: '/spec/{path}', value: {value}"))
    };
    let invalid = |words: &str| format!("Pod \"g-x7k2p\" is invalid: {words}");
    assert_eq!(
        add("containers/-", "{'name': 'a', 'image': 'b'}"),
        invalid("spec.containers[1].name: Duplicate value: \"a\"")
    );
    assert_eq!(
        add("initContainers", "[{'name': 'a'}]"),
        invalid(
            "[spec.initContainers[0].image: Required value, spec.initContainers[0].name: \
             Duplicate value: \"a\"]"
        )
    );
    assert_eq!(
        add(
            "containers/0/volumeMounts",
            "[{'name': 'v', 'mountPath': '/a'}, {'name': 'v', 'mountPath': '/a'}]"
        ),
        invalid(
            "[spec.containers[0].volumeMounts[0].name: Not found: \"v\", \
             spec.containers[0].volumeMounts[1].name: Not found: \"v\", \
             spec.containers[0].volumeMounts[1].mountPath: Invalid value: \"/a\": must be unique]"
        )
    );
    assert_eq!(
        add("volumes", "[{'name': 'v'}, {'name': 'v'}]"),
        // The volume with the token is also replaced.
        invalid(
            "[spec.volumes[1].name: Duplicate value: \"v\", \
             spec.containers[0].volumeMounts[0].name: Not found: \"kube-api-access-x7k2p\"]"
        )
    );
    assert_eq!(
        pod_error("op: 'remove', path: '/spec/containers/0'"),
        invalid("spec.containers: Required value")
    );
    assert_eq!(add("containers/-", "{'name': 'b', 'image': 'b'}"), "");
    assert_eq!(add("hostNetwork", "true"), "");
}

#[test]
fn only_new_errors_count() {
    let pod = POD.replace("image: a", "env: []");
    let sidecar = |name: &str| {
        let operation = format!(
            "op: 'add', path: '/spec/containers/0', value: {{'name': '{name}', 'image': 'b'}}"
        );
        created(&policy("/pods", &patched(&operation)), &[], &pod).message
    };
    assert_eq!(sidecar("b"), "");
    assert_eq!(
        sidecar("a"),
        "Pod \"g-x7k2p\" is invalid: spec.containers[1].name: Duplicate value: \"a\""
    );
}

#[test]
fn a_service_without_addresses_has_none() {
    let external = patched("op: 'replace', path: '/spec/type', value: 'ExternalName'");
    let documents = policy("/services", &external);
    let message = |rest: &str| {
        let service = format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: s, namespace: a}}, spec: \
             {{externalName: a.b, ports: [{{port: 1}}]{rest}}}}}"
        );
        created(&documents, &[], &service).message
    };
    assert_eq!(message(""), "");
    assert_eq!(
        message(", clusterIP: None"),
        "Service \"s\" is invalid: spec.clusterIPs: Forbidden: may not be set for ExternalName services"
    );
}

#[test]
fn an_old_object_from_a_cluster_is_complete() {
    let seen = |metadata: &str| {
        let label = "metadata: Object.metadata{labels: {'class': has(oldObject.spec.priority) ? \
                     'stored' : 'as-written'}}";
        let api_server = api_server(&policy("/pods", &applied(label)), &[]);
        let pod = POD.replace("generateName: g-", &format!("name: g{metadata}"));
        let mut object = read(&pod);
        defaults::apply(api_server.kinds(), &mut object);
        let inputs = Inputs {
            object: Some(object.clone()),
            old_object: Some(object),
            ..Inputs::default()
        };
        let mut request = Request::new(inputs, api_server.resources()).unwrap();
        request.fill_in();
        let response = api_server.admit(&request, &EvaluationLimits::default());
        at(&response, &["metadata", "labels", "class"])
    };
    assert_eq!(seen(""), "stored");
    assert_eq!(seen(", resourceVersion: '7'"), "as-written");
}

/// Returns the names of the volumes that the containers of a pod mount, those of its volumes, and
/// the service account.
fn token(response: &Response) -> [String; 3] {
    let spec = response.object.as_ref().unwrap().as_map().unwrap();
    let spec = spec.get_str("spec").unwrap();
    let names = |of: &Value, field: &str| {
        let names = list(of, field).iter().map(|it| text(it, "name"));
        names.collect::<Vec<_>>().join(" ")
    };
    let containers = ["initContainers", "containers"].map(|field| list(spec, field));
    let mounts = containers.concat();
    let mounts = mounts.iter().map(|it| names(it, "volumeMounts"));
    let accounts = ["serviceAccountName", "serviceAccount"].map(|field| text(spec, field));
    [
        mounts.collect::<Vec<_>>().join(","),
        names(spec, "volumes"),
        accounts.join(" "),
    ]
}

const TOKEN: &str = "kube-api-access-x7k2p";

/// Upstream: kubernetes/kubernetes, plugin/pkg/admission/serviceaccount/admission_test.go.
#[test]
fn a_new_pod_has_a_service_account_with_a_token() {
    let response = created("", &[], POD);
    assert_eq!(token(&response), [TOKEN, TOKEN, "default default"]);
    expect![[r#"[{name: kube-api-access-x7k2p, projected: {sources: [{serviceAccountToken: {expirationSeconds: 3607, path: token}}, {configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}}, {downwardAPI: {items: [{path: namespace, fieldRef: {apiVersion: v1, fieldPath: metadata.namespace}}]}}], defaultMode: 420}}]"#]]
        .assert_eq(&at(&response, &["spec", "volumes"]));
    for (fields, expected) in [
        (
            "automountServiceAccountToken: false",
            ["", "", "default default"],
        ),
        ("serviceAccountName: own", [TOKEN, TOKEN, "own own"]),
        (
            "initContainers: [{name: i, image: i}], volumes: [{name: kube-api-access-1}]",
            [
                "kube-api-access-1,kube-api-access-1",
                "kube-api-access-1",
                "default default",
            ],
        ),
        (
            "initContainers: [{name: i, image: i, volumeMounts: [{name: v, mountPath: \
             /var/run/secrets/kubernetes.io/serviceaccount}]}]",
            [&*format!("v,{TOKEN}"), TOKEN, "default default"],
        ),
    ] {
        let pod = POD.replace("]}}", &format!("], {fields}}}}}"));
        assert_eq!(token(&created("", &[], &pod)), expected, "{fields}");
    }
    let mirror = POD.replace(
        "generateName",
        "annotations: {kubernetes.io/config.mirror: a}, generateName",
    );
    assert_eq!(token(&created("", &[], &mirror)), ["", "", " "]);
}

#[test]
fn the_settings_of_a_service_account_apply_to_its_pods() {
    let account = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: a}, \
        automountServiceAccountToken: false, imagePullSecrets: [{name: s}]}";
    let elsewhere = account.replace("namespace: a", "namespace: b");
    let secrets = |response: &Response| at(response, &["spec", "imagePullSecrets"]);
    let response = created("", &[account.to_owned()], POD);
    assert_eq!(token(&response), ["", "", "default default"]);
    assert_eq!(secrets(&response), "[{name: s}]");
    let response = created("", &[elsewhere], POD);
    assert_eq!(token(&response), [TOKEN, TOKEN, "default default"]);
    assert_eq!(secrets(&response), "nothing");
    let own = POD.replace(
        "]}}",
        "], automountServiceAccountToken: true, imagePullSecrets: [{name: o}]}}",
    );
    let response = created("", &[account.to_owned()], &own);
    assert_eq!(token(&response), [TOKEN, TOKEN, "default default"]);
    assert_eq!(secrets(&response), "[{name: o}]");
}

#[test]
fn a_container_that_a_policy_adds_has_the_token() {
    let fields =
        "spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'm', image: 'm'}]}";
    let response = created(&policy("/pods", &applied(fields)), &[], POD);
    let both = format!("{TOKEN},{TOKEN}");
    assert_eq!(token(&response), [both.as_str(), TOKEN, "default default"]);
    let removed = patched("op: 'remove', path: '/spec/serviceAccountName'");
    let response = created(&policy("/pods", &removed), &[], POD);
    assert_eq!(token(&response), [TOKEN, TOKEN, "default default"]);
}

#[test]
fn a_changed_pod_keeps_its_service_account() {
    let api_server = api_server("", &[]);
    let update = |old: &str| {
        let objects = [POD, old].map(|object| {
            let mut object = read(&object.replace("generateName: g-", "name: g"));
            defaults::apply(api_server.kinds(), &mut object);
            Some(object)
        });
        let [object, old_object] = objects;
        let inputs = Inputs {
            object,
            old_object,
            ..Inputs::default()
        };
        let mut request = Request::new(inputs, api_server.resources()).unwrap();
        request.fill_in();
        token(&api_server.admit(&request, &EvaluationLimits::default()))
    };
    assert_eq!(update(POD), [TOKEN, TOKEN, "default default"]);
    let bare = POD.replace(
        "]}}",
        "], serviceAccountName: o, automountServiceAccountToken: false}}",
    );
    assert_eq!(update(&bare), ["", "", "o o"]);
}
