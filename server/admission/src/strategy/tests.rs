//! Objects as the validating policies see them.

use crate::{ApiServer, EvaluationLimits, Inputs, Operation, Request, Resources};
use cel::Value;
use kubernetes::ServerVersion;
use kubernetes::defaults;
use kubernetes::object;
use kubernetes::openapi::{Catalog, Definitions};
use policy::recognize;
use std::sync::Arc;

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    object(stream.documents().next().unwrap().root().unwrap()).unwrap()
}

/// Returns the object at the end of admission, and the name in the request.
fn admitted(documents: &str, text: &str, old: Option<&str>) -> (Value, String) {
    let documents = recognize(&Arc::new(yaml::parse(documents.into()))).policies;
    let mut resources = Resources::default();
    let mut kinds = Catalog::built_in(ServerVersion(36));
    for document in &documents {
        resources.add(document);
        if let Some(definitions) = Definitions::from_crd(document.root()) {
            kinds = Arc::new(kinds.with_definitions([Arc::new(definitions)]));
        }
    }
    let mut api_server = ApiServer::new(Arc::clone(&kinds), resources);
    for document in documents {
        api_server.add(document);
    }
    let defaulted = |text: &str| {
        let mut object = read(text);
        defaults::apply(&kinds, &mut object);
        object
    };
    let inputs = Inputs {
        object: Some(defaulted(text)),
        old_object: old.map(defaulted),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, api_server.resources()).unwrap();
    assert_eq!(request.operation == Operation::Create, old.is_none());
    request.fill_in();
    let limits = EvaluationLimits::default();
    let answer = api_server.evaluate(&request, &limits);
    let names = answer
        .results
        .last()
        .map(|result| result.request.name.clone());
    let response = answer.response;
    let object = response.object;
    let object = object.unwrap_or_else(|| panic!("{}", response.message));
    (object, names.unwrap_or_default())
}

fn at(object: &Value, path: &str) -> String {
    path.split('.')
        .try_fold(object, |value, field| value.as_map()?.get_str(field))
        .map_or_else(|| "nothing".to_owned(), ToString::to_string)
}

#[track_caller]
fn check(text: &str, old: Option<&str>, expected: &[(&str, &str)]) {
    let (object, _) = admitted("", text, old);
    for (path, expected) in expected {
        assert_eq!(at(&object, path), *expected, "{path} of {object}");
    }
}

#[test]
fn the_status_of_a_new_object_is_empty() {
    check(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, generation: 7}, status: \
         {replicas: 3}}",
        None,
        &[("status", "{}"), ("metadata.generation", "1")],
    );
    check(
        "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a}, status: {numberReady: 3}}",
        None,
        &[
            (
                "status",
                "{currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, \
                 numberReady: 0}",
            ),
            (
                "metadata.annotations",
                "{deprecated.daemonset.template.generation: 1}",
            ),
        ],
    );
    check(
        "{apiVersion: v1, kind: Service, metadata: {name: a}, status: {loadBalancer: {ingress: \
         [{ip: 1.2.3.4}]}}}",
        None,
        &[
            ("status", "{loadBalancer: {}}"),
            ("metadata.generation", "nothing"),
        ],
    );
    check(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
        None,
        &[("metadata.generation", "nothing")],
    );
}

#[test]
fn some_kinds_begin_with_a_state() {
    check(
        "{apiVersion: v1, kind: Namespace, metadata: {name: a}}",
        None,
        &[
            ("spec.finalizers", "[kubernetes]"),
            ("status", "{phase: Active}"),
        ],
    );
    check(
        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}}",
        None,
        &[
            ("status", "{phase: Pending}"),
            ("metadata.finalizers", "[kubernetes.io/pvc-protection]"),
        ],
    );
    check(
        "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: \
         a}, spec: {versions: [{name: v1, storage: true}]}, status: {storedVersions: [v0]}}",
        None,
        &[("status.storedVersions", "[v1]")],
    );
    check(
        "{apiVersion: v1, kind: Node, metadata: {name: a}}",
        None,
        &[(
            "spec.taints",
            "[{key: node.kubernetes.io/not-ready, effect: NoSchedule}]",
        )],
    );
}

#[test]
fn services_get_addresses_and_ports() {
    let service = |spec: &str| {
        format!("{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{{spec}}}}}")
    };
    check(
        &service(
            "selector: {a: b}, type: NodePort, ports: [{port: 1}, {port: 2, nodePort: 30000}]",
        ),
        None,
        &[
            ("spec.clusterIPs", "[10.96.0.10]"),
            ("spec.ipFamilies", "[IPv4]"),
            ("spec.ipFamilyPolicy", "SingleStack"),
            (
                "spec.ports",
                "[{port: 1, protocol: TCP, targetPort: 1, nodePort: 32769}, {port: 2, nodePort: \
                 30000, protocol: TCP, targetPort: 2}]",
            ),
        ],
    );
    check(
        &service("clusterIP: None"),
        None,
        &[
            ("spec.clusterIPs", "[None]"),
            ("spec.ipFamilyPolicy", "RequireDualStack"),
        ],
    );
    check(
        &service("type: ExternalName, externalName: e"),
        None,
        &[("spec.clusterIP", "nothing")],
    );
}

#[test]
fn a_job_knows_its_pods() {
    let job = |spec: &str| {
        format!("{{apiVersion: batch/v1, kind: Job, metadata: {{name: j}}, spec: {{{spec}}}}}")
    };
    let (object, _) = admitted("", &job("template: {metadata: {labels: {a: b}}}"), None);
    let labels = at(&object, "spec.template.metadata.labels");
    assert!(
        labels.contains("batch.kubernetes.io/job-name: j"),
        "{labels}"
    );
    assert!(labels.contains("job-name: j"), "{labels}");
    let uid = at(&object, "metadata.uid");
    assert_eq!(
        at(&object, "spec.selector.matchLabels"),
        format!("{{batch.kubernetes.io/controller-uid: {uid}}}")
    );
    check(
        &job("manualSelector: true"),
        None,
        &[("spec.selector", "nothing")],
    );
}

#[test]
fn a_change_counts() {
    let deployment = |rest: &str| {
        format!("{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: a{rest}}}}}")
    };
    let old = deployment(", generation: 4}, status: {replicas: 3");
    for (rest, generation) in [
        ("", "4"),
        (", labels: {a: b}", "4"),
        (", annotations: {a: b}", "5"),
        ("}, spec: {replicas: 2", "5"),
    ] {
        check(
            &deployment(rest),
            Some(&old),
            &[
                ("metadata.generation", generation),
                ("status", "{replicas: 3}"),
            ],
        );
    }
}

#[test]
fn an_old_service_has_its_addresses_and_ports() {
    let service = "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: LoadBalancer, \
         externalTrafficPolicy: Local, ports: [{name: a, port: 1}, {name: b, port: 2}]}}";
    check(
        service,
        Some(service),
        &[
            ("spec.clusterIPs", "[10.96.0.10]"),
            ("spec.ipFamilies", "[IPv4]"),
            ("spec.healthCheckNodePort", "31769"),
            (
                "spec.ports",
                "[{name: a, port: 1, protocol: TCP, targetPort: 1, nodePort: 32769}, {name: b, \
                 port: 2, protocol: TCP, targetPort: 2, nodePort: 32770}]",
            ),
        ],
    );
}

#[test]
fn a_manifest_of_an_old_object_is_complete() {
    let same = |text: &str, expected: &[(&str, &str)]| check(text, Some(text), expected);
    same(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, \
         resources: {limits: {cpu: 1}}}]}}",
        &[
            ("status", "{phase: Pending, qosClass: Burstable}"),
            ("spec.priority", "0"),
            ("metadata.generation", "1"),
        ],
    );
    same(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a}]}, \
         status: {phase: Running, podIP: 10.0.0.1}}",
        &[(
            "status",
            "{phase: Running, qosClass: BestEffort, podIP: 10.0.0.1}",
        )],
    );
    same(
        "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}",
        &[
            ("spec.finalizers", "[kubernetes]"),
            ("status", "{phase: Active}"),
        ],
    );
    same(
        "{apiVersion: v1, kind: Node, metadata: {name: worker}, status: {phase: a}}",
        &[("status.phase", "a")],
    );
}

#[test]
fn node_ports_stay_with_the_names_of_their_ports() {
    let service = |ports: &str| {
        format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{type: NodePort, \
             ports: [{ports}]}}}}"
        )
    };
    let old = service("{name: a, port: 1, nodePort: 30001}, {name: b, port: 2, nodePort: 30002}");
    for (ports, expected) in [
        ("{name: b, port: 3}", "nodePort: 30002"),
        ("{name: c, port: 3}", "nodePort: 32769"),
        (
            "{name: a, port: 3}, {name: c, port: 1, nodePort: 30001}",
            "nodePort: 32769",
        ),
    ] {
        let (object, _) = admitted("", &service(ports), Some(&old));
        let ports = at(&object, "spec.ports");
        assert!(ports.contains(expected), "{ports}");
    }
}

#[test]
fn a_changed_template_counts() {
    let daemons = |image: &str| {
        format!(
            "{{apiVersion: apps/v1, kind: DaemonSet, metadata: {{name: d}}, spec: {{template: \
             {{spec: {{containers: [{{name: a, image: '{image}'}}]}}}}}}}}"
        )
    };
    for (image, count) in [("a:1", "1"), ("a:2", "2")] {
        check(
            &daemons(image),
            Some(&daemons("a:1")),
            &[(
                "metadata.annotations",
                &format!("{{deprecated.daemonset.template.generation: {count}}}"),
            )],
        );
    }
    let slice = |labels: &str| {
        format!(
            "{{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{name: e, \
             labels: {{{labels}}}}}, addressType: IPv4, endpoints: []}}"
        )
    };
    for (labels, generation) in [("a: b", "1"), ("a: c", "2")] {
        check(
            &slice(labels),
            Some(&slice("a: b")),
            &[("metadata.generation", generation)],
        );
    }
}

#[test]
fn an_object_without_fields_has_no_managed_fields() {
    let manager = |text: &str, old: Option<&str>| {
        let (object, _) = admitted("", text, old);
        at(&object, "metadata.managedFields") != "nothing"
    };
    let account = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: a, namespace: b}}";
    assert!(!manager(account, None));
    assert!(!manager(account, Some(account)));
    let labeled = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: a, labels: {a: b}}}";
    assert!(manager(labeled, None));
    let config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: b}}";
    assert!(manager(config, Some(config)));
}

#[test]
fn custom_resources_lose_a_status_that_is_a_subresource() {
    let definition = |subresources: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: \
             {{name: widgets.x.io}}\nspec:\n  group: x.io\n  scope: Namespaced\n  names: \
             {{kind: Widget, plural: widgets}}\n  versions:\n  - name: v1\n    served: true\n    \
             storage: true\n    subresources: {subresources}\n    schema:\n      \
             openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}\n"
        )
    };
    let widget = "{apiVersion: x.io/v1, kind: Widget, metadata: {name: a}, status: {a: 1}}";
    let (with, _) = admitted(&definition("{status: {}}"), widget, None);
    assert_eq!(at(&with, "status"), "nothing");
    assert_eq!(at(&with, "metadata.generation"), "1");
    let (without, _) = admitted(&definition("{}"), widget, None);
    assert_eq!(at(&without, "status"), "{a: 1}");
}

const POLICY: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: p}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps, secrets]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{metadata: Object.metadata{labels: {
          'seen': string(has(object.metadata.uid)) + string(has(object.metadata.name))}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p}
";

#[test]
fn a_name_and_an_identity_come_after_the_mutations() {
    let config = "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: g-}}";
    let (object, name) = admitted(POLICY, config, None);
    assert_eq!(at(&object, "metadata.labels.seen"), "falsefalse");
    assert_eq!(at(&object, "metadata.name"), "g-x7k2p");
    assert_ne!(at(&object, "metadata.uid"), "nothing");
    assert_eq!(name, "", "the mutating policy sees no name");
}

#[test]
fn pods_are_ranked_by_what_they_ask_for() {
    let rank = |spec: &str, expected: &str| {
        let pod = format!("{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {{{spec}}}}}");
        check(&pod, None, &[("status.qosClass", expected)]);
    };
    rank("containers: [{name: a}]", "BestEffort");
    rank(
        "containers: [{name: a, resources: {limits: {cpu: 0}}}]",
        "BestEffort",
    );
    rank(
        "containers: [{name: a, resources: {limits: {cpu: 1, memory: 1Gi}}}]",
        "Guaranteed",
    );
    rank(
        "containers: [{name: a, resources: {limits: {cpu: 1, memory: 1Gi}}}, {name: b}]",
        "Burstable",
    );
    rank(
        "resources: {limits: {cpu: 1, memory: 1Gi}}, containers: [{name: a}]",
        "Guaranteed",
    );
    rank(
        "resources: {limits: {cpu: 1, memory: 1Gi}}, containers: [{name: a, resources: \
         {requests: {cpu: 500m}}}]",
        "Burstable",
    );
}

#[test]
fn a_job_that_is_deleted_leaves_its_pods() {
    let api_server = ApiServer::new(Catalog::built_in(ServerVersion(36)), Resources::default());
    let warnings = |kind: &str, policy: Option<&str>| {
        let inputs = Inputs {
            old_object: Some(read(&format!(
                "{{apiVersion: batch/v1, kind: {kind}, metadata: {{name: j}}}}"
            ))),
            ..Inputs::default()
        };
        let mut request = Request::new(inputs, api_server.resources()).unwrap();
        let options = request.options.as_map_mut().unwrap();
        match policy {
            Some(policy) => options.set_str("propagationPolicy", Value::string(policy)),
            None => drop(options.take_str("propagationPolicy")),
        }
        api_server
            .admit(&request, &EvaluationLimits::default())
            .warnings
            .len()
    };
    assert_eq!(warnings("Job", None), 1);
    assert_eq!(warnings("Job", Some("Background")), 0);
    assert_eq!(warnings("CronJob", None), 0);
}
