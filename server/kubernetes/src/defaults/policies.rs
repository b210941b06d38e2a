//! Defaults of other groups: networking, roles, admission, flow control and others.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/*/v1/defaults.go; kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/v1/defaults.go.

use super::Rule;
use super::core::service_reference;
use super::tree::{
    child, default, default_int, default_text, elements, empty, get, is_empty, object, set, text,
    text_of,
};
use cel::Value;

/// The group of roles.
const RBAC: &str = "rbac.authorization.k8s.io";

/// Returns the defaulting function of a type of `networking.k8s.io`.
pub(super) fn networking(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "NetworkPolicyPort" => |it| default_text(it, "protocol", "TCP"),
        "NetworkPolicy" => network_policy,
        "IngressClassParametersReference" => |it| default_text(it, "scope", "Cluster"),
        _ => return None,
    })
}

fn network_policy(policy: &mut Value) {
    let Some(spec) = child(policy, "spec") else {
        return;
    };
    if is_empty(spec, "policyTypes") {
        let mut types = vec![text("Ingress")];
        if !is_empty(spec, "egress") {
            types.push(text("Egress"));
        }
        set(spec, "policyTypes", Value::list(types));
    }
}

/// Returns the defaulting function of a type of `rbac.authorization.k8s.io`.
pub(super) fn rbac(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "RoleBinding" | "ClusterRoleBinding" => |it| {
            if let Some(role) = child(it, "roleRef") {
                default_text(role, "apiGroup", RBAC);
            }
        },
        "Subject" => |it| {
            if matches!(text_of(it, "kind"), "User" | "Group") {
                default_text(it, "apiGroup", RBAC);
            }
        },
        _ => return None,
    })
}

/// Returns the defaulting function of a type of `storage.k8s.io`.
pub(super) fn storage(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "StorageClass" => |it| {
            default_text(it, "reclaimPolicy", "Delete");
            default_text(it, "volumeBindingMode", "Immediate");
        },
        "CSIDriver" => csi_driver,
        _ => return None,
    })
}

fn csi_driver(driver: &mut Value) {
    let Some(spec) = child(driver, "spec") else {
        return;
    };
    for (field, value) in [
        ("attachRequired", true),
        ("podInfoOnMount", false),
        ("storageCapacity", false),
        ("requiresRepublish", false),
        ("seLinuxMount", false),
    ] {
        default(spec, field, || Value::Bool(value));
    }
    default_text(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    if is_empty(spec, "volumeLifecycleModes") {
        let modes = Value::list(vec![text("Persistent")]);
        set(spec, "volumeLifecycleModes", modes);
    }
}

/// Returns the defaulting function of a type of `admissionregistration.k8s.io`.
pub(super) fn admission(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "ValidatingWebhook" => webhook,
        "MutatingWebhook" => |it| {
            webhook(it);
            default_text(it, "reinvocationPolicy", "Never");
        },
        "Rule" | "RuleWithOperations" | "NamedRuleWithOperations" => {
            |it| default_text(it, "scope", "*")
        }
        "ServiceReference" => service_reference,
        "ValidatingAdmissionPolicySpec" | "MutatingAdmissionPolicySpec" => {
            |it| default_text(it, "failurePolicy", "Fail")
        }
        "MatchResources" => match_resources,
        _ => return None,
    })
}

/// Returns the defaulting function of a type of `admissionregistration.k8s.io/v1alpha1` alone.
pub(super) fn admission_v1alpha1(type_name: &str) -> Option<Rule> {
    match type_name {
        "ParamRef" => Some(|it| default_text(it, "parameterNotFoundAction", "Deny")),
        other => admission(other),
    }
}

fn match_resources(resources: &mut Value) {
    default_text(resources, "matchPolicy", "Equivalent");
    default(resources, "namespaceSelector", empty);
    default(resources, "objectSelector", empty);
}

fn webhook(webhook: &mut Value) {
    default_text(webhook, "failurePolicy", "Fail");
    match_resources(webhook);
    default_int(webhook, "timeoutSeconds", 10);
}

/// Returns the defaulting function of a type of `apiextensions.k8s.io`.
pub(super) fn extensions(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "CustomResourceDefinition" => definition,
        "ServiceReference" => service_reference,
        _ => return None,
    })
}

fn definition(definition: &mut Value) {
    let Some(spec) = child(definition, "spec") else {
        return;
    };
    if let Some(names) = child(spec, "names") {
        let kind = text_of(names, "kind").to_owned();
        default_text(names, "singular", &kind.to_lowercase());
        if !kind.is_empty() {
            default_text(names, "listKind", &format!("{kind}List"));
        }
    }
    default(spec, "conversion", || object([("strategy", text("None"))]));
    let versions = elements(spec, "versions").iter();
    let mut stored = versions
        .filter(|version| get(version, "storage").and_then(Value::as_bool) == Some(true))
        .map(|version| text(text_of(version, "name")));
    let stored = stored.next();
    if let Some(stored) = stored
        && let Some(status) = child(definition, "status")
        && is_empty(status, "storedVersions")
    {
        set(status, "storedVersions", Value::list(vec![stored]));
    }
}

/// Returns the defaulting function of a type of `flowcontrol.apiserver.k8s.io`.
pub(super) fn flow_control(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "FlowSchemaSpec" => |it| default_int(it, "matchingPrecedence", 1000),
        "ExemptPriorityLevelConfiguration" => |it| {
            default_int(it, "nominalConcurrencyShares", 0);
            default_int(it, "lendablePercent", 0);
        },
        "LimitedPriorityLevelConfiguration" => |it| {
            default_int(it, "nominalConcurrencyShares", 30);
            default_int(it, "lendablePercent", 0);
        },
        "QueuingConfiguration" => |it| {
            default_int(it, "handSize", 8);
            default_int(it, "queues", 64);
            default_int(it, "queueLengthLimit", 50);
        },
        _ => return None,
    })
}

/// Returns the defaulting function of a type of `discovery.k8s.io`.
pub(super) fn discovery(type_name: &str) -> Option<Rule> {
    (type_name == "EndpointPort").then_some(|it| {
        default(it, "name", || text(""));
        default_text(it, "protocol", "TCP");
    })
}

/// Returns the defaulting function of a type of `resource.k8s.io`.
pub(super) fn resource(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "ExactDeviceRequest" | "DeviceSubRequest" => device_request,
        // In later versions this holds one of the others. In `v1beta1` it may be a request.
        "DeviceRequest" => |it| {
            if !is_empty(it, "deviceClassName") {
                device_request(it);
            }
        },
        "DeviceToleration" => |it| default_text(it, "operator", "Equal"),
        _ => return None,
    })
}

fn device_request(request: &mut Value) {
    default_text(request, "allocationMode", "ExactCount");
    if text_of(request, "allocationMode") == "ExactCount" {
        default_int(request, "count", 1);
    }
}

/// Returns the defaulting function of a type of `apiregistration.k8s.io`.
pub(super) fn registration(type_name: &str) -> Option<Rule> {
    (type_name == "ServiceReference").then_some(service_reference as Rule)
}

/// Returns the defaulting function of a type of another group.
pub(super) fn other(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "PriorityClass" => |it| {
            // A pointer: an empty string is a value.
            if get(it, "preemptionPolicy").is_none() {
                default_text(it, "preemptionPolicy", "PreemptLowerPriority");
            }
        },
        "TokenRequestSpec" => |it| default_int(it, "expirationSeconds", 3600),
        _ => return None,
    })
}
