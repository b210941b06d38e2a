//! Objects with errors, and the errors of the server.

use super::{errors, not_validated, warnings};
use crate::{Inputs, Request, Resources};
use cel::Value;
use expect_test::{Expect, expect};
use kubernetes::openapi::Catalog;
use kubernetes::{ServerVersion, defaults};

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    let object = kubernetes::object(stream.documents().next().unwrap().root().unwrap());
    let mut object = object.unwrap();
    defaults::apply(&Catalog::built_in(ServerVersion::NEWEST), &mut object);
    object
}

fn request(object: &str, old: Option<&str>) -> Request {
    let inputs = Inputs {
        object: Some(read(object)),
        old_object: old.map(read),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, &Resources::default()).unwrap();
    request.validates = true;
    request
}

fn found(request: &Request, before: Option<&Value>) -> String {
    let errors = errors(request, before).into_iter();
    let lines: Vec<String> = errors
        .map(|error| format!("{}: {}", error.field, error.message))
        .collect();
    lines.join("\n")
}

fn check(object: &str, expected: &Expect) {
    expected.assert_eq(&found(&request(object, None), None));
}

fn check_update(old: &str, object: &str, expected: &Expect) {
    expected.assert_eq(&found(&request(object, Some(old)), None));
}

/// A valid pod.
const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {
    volumes: [{name: v, emptyDir: {}}], containers: [{name: a, image: i,
    volumeMounts: [{name: v, mountPath: /v}], ports: [{containerPort: 80}]}]}}";

/// A valid deployment.
const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {
    selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},
    spec: {containers: [{name: a, image: i}]}}}}";

/// A valid service.
const SERVICE: &str = "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {
    selector: {a: b}, ports: [{port: 80}]}}";

#[test]
fn valid_objects_have_no_errors() {
    for object in [POD, DEPLOYMENT, SERVICE] {
        check(object, &expect![[""]]);
        check_update(object, object, &expect![[""]]);
    }
}

#[test]
fn missing_fields_are_required() {
    check(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{ports: [{}], \
         env: [{}], livenessProbe: {}, volumeMounts: [{}]}, {}]}}",
        &expect![[r#"
            spec.containers[0].name: Required value
            spec.containers[0].image: Required value
            spec.containers[0].livenessProbe: Required value: must specify a handler type
            spec.containers[0].ports[0].containerPort: Required value
            spec.containers[0].env[0].name: Required value
            spec.containers[0].volumeMounts[0].name: Required value
            spec.containers[0].volumeMounts[0].name: Not found: ""
            spec.containers[0].volumeMounts[0].mountPath: Required value
            spec.containers[1].name: Required value
            spec.containers[1].image: Required value
            spec.containers[1].name: Duplicate value: """#]],
    );
    check(
        "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {}}",
        &expect![[r#"
            spec.maxReplicas: Required value: must be set and greater than 0
            spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`
            spec.scaleTargetRef.kind: Required value
            spec.scaleTargetRef.name: Required value
            spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group"#]],
    );
}

#[test]
fn values_outside_of_their_range_or_format_are_invalid() {
    check(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {restartPolicy: Sometimes, \
         nodeSelector: {'a b': c}, tolerations: [{operator: Equal}], hostAliases: [{ip: 01.2.3.4}], \
         volumes: [{name: A, configMap: {name: c, defaultMode: 512}, secret: {secretName: s}}], \
         containers: [{name: a, image: i, ports: [{containerPort: 70000}], \
         resources: {requests: {cpu: 2, memory: -1}, limits: {cpu: 1}}}]}}",
        &expect![[r#"
            spec.volumes[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type
            spec.volumes[0].configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive
            spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive
            spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0
            spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1
            spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"
            spec.nodeSelector: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"
            spec.hostAliases[0].ip: Invalid value: "01.2.3.4": must not have leading 0s"#]],
    );
}

#[test]
fn a_mount_needs_a_volume_without_errors() {
    check(
        &POD.replace("emptyDir: {}", "configMap: {}"),
        &expect![[r#"
            spec.volumes[0].configMap.name: Required value
            spec.containers[0].volumeMounts[0].name: Not found: "v""#]],
    );
    check(
        "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {serviceName: s, \
         selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: \
         [{name: a, image: i, volumeMounts: [{name: claimed, mountPath: /c}]}]}}, \
         volumeClaimTemplates: [{metadata: {name: claimed}, spec: {accessModes: [ReadWriteOnce], \
         resources: {requests: {storage: 1Gi}}}}]}}",
        &expect![[""]],
    );
}

#[test]
fn a_selector_matches_the_labels_of_its_template() {
    let other = DEPLOYMENT.replace("labels: {a: b}", "labels: {a: c}");
    check(
        &other,
        &expect![[
            r#"spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`"#
        ]],
    );
    let invalid = DEPLOYMENT.replace("{a: b}", "{a: -b}");
    check(
        &invalid,
        &expect![[r#"
        spec.selector.matchLabels: Invalid value: "-b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
        spec.selector: Invalid value: {"matchLabels":{"a":"-b"}}: invalid label selector"#]],
    );
}

#[test]
fn elements_with_the_same_key_are_duplicates() {
    let twice = "ports: [{name: a, port: 80}, {name: a, port: 80}]";
    check(
        &SERVICE.replace("ports: [{port: 80}]", twice),
        &expect![[r#"
            spec.ports[1].name: Duplicate value: "a"
            spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}"#]],
    );
}

#[test]
fn an_update_keeps_immutable_fields() {
    let other = DEPLOYMENT.replace("{a: b}", "{a: c}");
    check_update(
        DEPLOYMENT,
        &other,
        &expect![[
            r#"spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable"#
        ]],
    );
    let claim = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {\
        accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}}";
    check_update(
        claim,
        &claim.replace("2Gi", "1Gi"),
        &expect![[r#"
        spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
        @@ -6,7 +6,7 @@
          "Resources": {
           "Limits": null,
           "Requests": {
        -   "storage": "2Gi"
        +   "storage": "1Gi"
           }
          },
          "VolumeName": "",
    "#]],
    );
}

#[test]
fn an_update_of_a_pod_shows_what_it_may_not_change() {
    let image = POD.replace("image: i", "image: j");
    check_update(POD, &image, &expect![[""]]);
    let port = POD.replace("80", "81");
    check_update(
        POD,
        &port,
        &expect![[r#"
        spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)
        @@ -49,7 +49,7 @@
             {
              "Name": "",
              "HostPort": 0,
        -     "ContainerPort": 80,
        +     "ContainerPort": 81,
              "Protocol": "TCP",
              "HostIP": ""
             }
    "#]],
    );
}

#[test]
fn only_the_errors_of_policies_count_for_a_part_of_an_object() {
    let before = read("{apiVersion: v1, kind: Pod, spec: {containers: [{name: a}]}}");
    let changed = "{apiVersion: v1, kind: Pod, spec: {containers: [{name: b}, {name: a}, {}]}}";
    let mut request = request(changed, None);
    request.validates = false;
    expect![[r#"
        spec.containers[1].image: Required value
        spec.containers[2].name: Required value
        spec.containers[2].image: Required value"#]]
    .assert_eq(&found(&request, Some(&before)));
    expect![[""]].assert_eq(&found(&request, None));
}

#[test]
fn every_kind_has_a_note_about_what_is_not_validated() {
    for (object, expected) in [
        ("{apiVersion: v1, kind: Secret}", Some("the total size")),
        ("{apiVersion: v1, kind: ServiceAccount}", None),
        (
            "{apiVersion: v1, kind: Node}",
            Some("the values of its fields besides the metadata"),
        ),
    ] {
        assert_eq!(not_validated(&request(object, None)), expected, "{object}");
        assert_eq!(
            not_validated(&request(object, Some(object))),
            expected,
            "{object}"
        );
    }
    let mut status = request("{apiVersion: v1, kind: Pod}", None);
    status.subresource = "status".to_owned();
    assert_eq!(not_validated(&status), Some("the values of its fields"));
}

fn check_warnings(object: &str, old: Option<&str>, expected: &Expect) {
    let warnings = warnings(&request(object, old)).into_iter();
    let lines: Vec<String> = warnings.map(|it| it.message).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn pods_have_the_warnings_of_the_strategy() {
    check_warnings(POD, None, &expect![[""]]);
    check_warnings(
        "{apiVersion: v1, kind: Pod, metadata: {name: a.b}, spec: {
            nodeSelector: {beta.kubernetes.io/os: linux}, volumes: [{name: r, rbd: {}}],
            imagePullSecrets: [{name: r}, {name: r}, {}], topologySpreadConstraints: [{topologyKey: zone}],
            containers: [{name: a, image: i, ports: [{containerPort: 80}, {containerPort: 80}],
            env: [{name: A, value: b}, {name: A, value: $(A)c}, {name: A, value: d}],
            resources: {limits: {memory: 100m, cpu: 100m}}}]}}",
        None,
        &expect![[r#"
            metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]
            spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead
            spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod
            spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+
            spec.imagePullSecrets[1].name: duplicate name "r"
            spec.imagePullSecrets[2].name: invalid empty name ""
            spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer
            spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer
            spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply
            spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]"#]],
    );
}

#[test]
fn templates_have_the_warnings_of_pods_if_an_update_changes_them() {
    let annotation = "{labels: {a: b}, annotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}}";
    let deployment = DEPLOYMENT.replacen(
        "metadata: {labels: {a: b}}",
        &format!("metadata: {annotation}"),
        1,
    );
    let expected = expect![[
        r#"spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/a]: deprecated since v1.30; use the "appArmorProfile" field instead"#
    ]];
    check_warnings(&deployment, None, &expected);
    check_warnings(&deployment, Some(DEPLOYMENT), &expected);
    check_warnings(&deployment, Some(&deployment), &expect![[""]]);
}

#[test]
fn services_have_warnings_about_ignored_fields() {
    let headless = SERVICE.replace(
        "ports:",
        "clusterIP: None, sessionAffinity: ClientIP, ports:",
    );
    check_warnings(
        &headless,
        None,
        &expect!["spec.SessionAffinity is ignored for headless services"],
    );
}

#[test]
fn a_daemon_set_without_selector_matches_nothing() {
    check(
        "{apiVersion: apps/v1, kind: DaemonSet, spec: {template: {metadata: {labels: {a: b}},
         spec: {containers: [{name: a, image: i}]}}}}",
        &expect![[
            r#"spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`"#
        ]],
    );
}

#[test]
fn the_path_of_a_field_has_the_version_of_pods() {
    let variable =
        "env: [{name: A, valueFrom: {fieldRef: {apiVersion: v2, fieldPath: metadata.name}}}]";
    check(
        &POD.replace("ports:", &format!("{variable}, ports:")),
        &expect![[
            r#"spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2"#
        ]],
    );
}
