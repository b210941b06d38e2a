//! Roles, networking, storage, admission and other policy kinds.

use super::check_at;

#[test]
fn roles_are_bound_in_their_own_group() {
    let binding = "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, roleRef: {kind: \
                   Role, name: r}, subjects: [{kind: Group, name: g}, {kind: ServiceAccount, \
                   name: s, namespace: nn}, {kind: User, apiGroup: x, name: u}]}";
    check_at(
        binding,
        "roleRef",
        r#"{apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r"}"#,
    );
    check_at(
        binding,
        "subjects",
        r#"[{apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "g"}, {kind: "ServiceAccount", name: "s", namespace: "nn"}, {apiGroup: "x", kind: "User", name: "u"}]"#,
    );
    let role = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, aggregationRule: \
                {clusterRoleSelectors: [{matchLabels: {a: b}}]}}";
    check_at(role, "rules", "null");
}

#[test]
fn networks_and_their_classes() {
    let policy = "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {egress: [{}]}}";
    check_at(
        policy,
        "spec",
        r#"{egress: [{}], podSelector: {}, policyTypes: ["Ingress", "Egress"]}"#,
    );
    let class = "{apiVersion: networking.k8s.io/v1, kind: IngressClass, spec: {controller: c, \
                 parameters: {kind: K, name: nn}}}";
    check_at(
        class,
        "spec.parameters",
        r#"{kind: "K", name: "nn", scope: "Cluster"}"#,
    );
    let slice = "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, \
                 endpoints: [{addresses: [1.2.3.4]}], ports: [{port: 1}]}";
    check_at(slice, "ports", r#"[{name: "", port: 1, protocol: "TCP"}]"#);
    check_at(
        slice,
        "endpoints",
        r#"[{addresses: ["1.2.3.4"], conditions: {}}]"#,
    );
}

#[test]
fn storage_kinds() {
    let class = "{apiVersion: storage.k8s.io/v1, kind: StorageClass, provisioner: p, \
                 allowVolumeExpansion: false}";
    check_at(class, "reclaimPolicy", r#""Delete""#);
    check_at(class, "volumeBindingMode", r#""Immediate""#);
    check_at(class, "allowVolumeExpansion", "false");
    let driver = "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: d}}";
    check_at(
        driver,
        "spec",
        r#"{attachRequired: true, fsGroupPolicy: "ReadWriteOnceWithFSType", podInfoOnMount: false, requiresRepublish: false, seLinuxMount: false, storageCapacity: false, volumeLifecycleModes: ["Persistent"]}"#,
    );
    let attachment = "{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, spec: {}}";
    check_at(attachment, "status", "{attached: false}");
}

#[test]
fn webhooks_and_policies() {
    let hooks = "{apiVersion: admissionregistration.k8s.io/v1, kind: \
                 MutatingWebhookConfiguration, webhooks: [{name: a, sideEffects: None, \
                 admissionReviewVersions: [v1], clientConfig: {service: {name: s, namespace: nn}}, \
                 rules: [{operations: ['*']}]}]}";
    check_at(
        hooks,
        "webhooks.0",
        r#"{admissionReviewVersions: ["v1"], clientConfig: {service: {name: "s", namespace: "nn", port: 443}}, failurePolicy: "Fail", matchPolicy: "Equivalent", name: "a", namespaceSelector: {}, objectSelector: {}, reinvocationPolicy: "Never", rules: [{operations: ["*"], scope: "*"}], sideEffects: "None", timeoutSeconds: 10}"#,
    );
    let policy = "{apiVersion: admissionregistration.k8s.io/v1, kind: \
                  MutatingAdmissionPolicy, spec: {matchConstraints: {resourceRules: [{}]}}}";
    check_at(
        policy,
        "spec",
        r#"{failurePolicy: "Fail", matchConstraints: {matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {}, resourceRules: [{scope: "*"}]}}"#,
    );
    let binding = |version: &str| {
        format!(
            "{{apiVersion: admissionregistration.k8s.io/{version}, kind: \
             MutatingAdmissionPolicyBinding, spec: {{paramRef: {{name: nn}}}}}}"
        )
    };
    check_at(&binding("v1"), "spec.paramRef", r#"{name: "nn"}"#);
    check_at(
        &binding("v1alpha1"),
        "spec.paramRef",
        r#"{name: "nn", parameterNotFoundAction: "Deny"}"#,
    );
}

#[test]
fn flows_and_levels() {
    let flow = "{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: FlowSchema, spec: {}}";
    check_at(
        flow,
        "spec",
        r#"{matchingPrecedence: 1000, priorityLevelConfiguration: {name: ""}}"#,
    );
    let level = |spec: &str| {
        format!(
            "{{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, \
             spec: {{{spec}}}}}"
        )
    };
    check_at(&level("type: Exempt"), "spec", r#"{type: "Exempt"}"#);
    check_at(
        &level("type: Exempt, exempt: {}"),
        "spec.exempt",
        "{lendablePercent: 0, nominalConcurrencyShares: 0}",
    );
    check_at(
        &level("type: Limited, limited: {limitResponse: {type: Queue, queuing: {}}}"),
        "spec.limited",
        r#"{lendablePercent: 0, limitResponse: {queuing: {handSize: 8, queueLengthLimit: 50, queues: 64}, type: "Queue"}, nominalConcurrencyShares: 30}"#,
    );
}

#[test]
fn claims_of_devices() {
    let claim = |version: &str, request: &str| {
        format!(
            "{{apiVersion: resource.k8s.io/{version}, kind: ResourceClaim, spec: {{devices: \
             {{requests: [{{name: r, {request}}}]}}}}}}"
        )
    };
    check_at(
        &claim(
            "v1",
            "exactly: {deviceClassName: c, tolerations: [{key: k}]}",
        ),
        "spec.devices.requests.0.exactly",
        r#"{allocationMode: "ExactCount", count: 1, deviceClassName: "c", tolerations: [{key: "k", operator: "Equal"}]}"#,
    );
    check_at(
        &claim(
            "v1",
            "firstAvailable: [{name: s, deviceClassName: c, allocationMode: All}]",
        ),
        "spec.devices.requests.0",
        r#"{firstAvailable: [{allocationMode: "All", deviceClassName: "c", name: "s"}], name: "r"}"#,
    );
    check_at(
        &claim("v1", "x: y"),
        "spec.devices.requests.0",
        r#"{name: "r"}"#,
    );
    check_at(
        &claim("v1beta1", "deviceClassName: c"),
        "spec.devices.requests.0",
        r#"{allocationMode: "ExactCount", count: 1, deviceClassName: "c", name: "r"}"#,
    );
}

#[test]
fn definitions_and_services_of_the_server() {
    let definition = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, \
                      spec: {names: {kind: Widget, plural: widgets}, conversion: {strategy: \
                      Webhook, webhook: {clientConfig: {service: {name: s, namespace: nn}}}}, \
                      versions: [{name: v1}, {name: v2, storage: true}]}}";
    check_at(
        definition,
        "spec.names",
        r#"{kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget"}"#,
    );
    check_at(
        definition,
        "spec.conversion.webhook",
        r#"{clientConfig: {service: {name: "s", namespace: "nn", port: 443}}, conversionReviewVersions: null}"#,
    );
    check_at(
        definition,
        "status",
        r#"{acceptedNames: {kind: "", plural: ""}, conditions: null, storedVersions: ["v2"]}"#,
    );
    let service = "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, spec: {service: \
                   {name: s, namespace: nn}}}";
    check_at(
        service,
        "spec",
        r#"{groupPriorityMinimum: 0, service: {name: "s", namespace: "nn", port: 443}, versionPriority: 0}"#,
    );
}

#[test]
fn kinds_with_few_defaults() {
    let class = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: p}}";
    check_at(class, "preemptionPolicy", r#""PreemptLowerPriority""#);
    check_at(class, "value", "0");
    let budget = "{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {maxUnavailable: 0}}";
    check_at(budget, "spec", "{maxUnavailable: 0}");
    let runtime = "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, handler: h, overhead: \
                   {podFixed: {cpu: 100u}}}";
    check_at(runtime, "overhead", r#"{podFixed: {cpu: "1m"}}"#);
}
