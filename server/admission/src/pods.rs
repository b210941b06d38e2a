//! The status of a new pod, and its AppArmor profiles.
//!
//! Upstream: kubernetes/kubernetes, pkg/registry/core/pod/strategy.go, PrepareForCreate;
//! pkg/apis/core/v1/helper/qos/qos.go.

use super::create_defaults::default;
use super::request::{Operation, Request};
use super::warning::Warning;
use crate::fields::{get, text};
use crate::map::map;
use cel::Value;
use cel::value::Map;
use kubernetes::Quantity;
use std::cmp::Ordering;
use std::sync::Arc;

/// The prefix of the annotations with AppArmor profiles, before the name of a container.
const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// The warning about them.
const DEPRECATED: &str = r#"deprecated since v1.30; use the "appArmorProfile" field instead"#;

/// The resources by which pods are ranked.
const RANKED: [&str; 2] = ["cpu", "memory"];

/// Applies the changes between the mutating and the validating policies. Returns the warnings.
pub(super) fn after_mutations(request: &mut Arc<Request>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if !request.is_of_pod() || request.operation != Operation::Create {
        return warnings;
    }
    let object = Arc::make_mut(request).inputs.object.as_mut();
    let Some(pod) = object.and_then(Value::as_map_mut) else {
        return warnings;
    };
    if let Some(spec) = pod.get_str("spec").cloned() {
        let annotations = pod
            .get_str("metadata")
            .and_then(|it| get(it, "annotations"))
            .cloned();
        pod.set_str(
            "spec",
            with_profiles(spec, annotations.as_ref(), &mut warnings),
        );
    }
    let class = quality(pod);
    let status = [
        ("phase", Value::string("Pending")),
        ("qosClass", Value::string(class)),
    ];
    pod.set_str("status", map(status));
    warnings
}

/// Returns the specification of a pod whose containers have the AppArmor profiles that annotations
/// name.
///
/// Upstream: kubernetes/kubernetes, pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew.
fn with_profiles(
    mut spec: Value,
    annotations: Option<&Value>,
    warnings: &mut Vec<Warning>,
) -> Value {
    let is_windows = get(&spec, "os").is_some_and(|os| text(os, "name") == "windows");
    let (Some(annotations), false, Some(fields)) = (annotations, is_windows, spec.as_map_mut())
    else {
        return spec;
    };
    for field in ["initContainers", "containers"] {
        let containers = fields.get_str_mut(field).and_then(Value::as_list_mut);
        for container in containers.into_iter().flatten() {
            let key = format!("{APP_ARMOR}{}", text(container, "name"));
            let profile = profile(text(annotations, &key));
            if let (Some(profile), Some(container)) = (profile, container.as_map_mut()) {
                default(container, "securityContext", || map([]));
                let context = container.get_str_mut("securityContext");
                if let Some(context) = context.and_then(Value::as_map_mut)
                    && context.get_str("appArmorProfile").is_none()
                {
                    context.set_str("appArmorProfile", profile);
                    let field = format!("metadata.annotations[{key}]");
                    warnings.push(Warning::of_field(field, DEPRECATED));
                }
            }
        }
    }
    spec
}

/// Returns the AppArmor profile that the value of an annotation names.
fn profile(annotation: &str) -> Option<Value> {
    let profile = |kind| map([("type", Value::string(kind))]);
    match annotation {
        "runtime/default" => Some(profile("RuntimeDefault")),
        "unconfined" => Some(profile("Unconfined")),
        local => Some(map([
            ("type", Value::string("Localhost")),
            (
                "localhostProfile",
                Value::string(local.strip_prefix("localhost/")?),
            ),
        ])),
    }
}

/// Returns the quality of service: guaranteed, burstable or best effort.
fn quality(pod: &Map) -> &'static str {
    let Some(spec) = pod.get_str("spec").and_then(Value::as_map) else {
        return "BestEffort";
    };
    let (mut requests, mut limits) = (RankedQuantities::default(), RankedQuantities::default());
    let mut is_guaranteed = true;
    let mut add = |resources: Option<&Map>| {
        let quantities = |field: &str| resources.and_then(|it| it.get_str(field)?.as_map());
        requests.add(quantities("requests"));
        is_guaranteed &= limits.add(quantities("limits"));
    };
    // Pod-level resources override those of containers.
    if let Some(own) = spec.get_str("resources").and_then(Value::as_map) {
        add(Some(own));
    } else {
        for list in ["containers", "initContainers"] {
            let list = spec.get_str(list).and_then(Value::as_list);
            for container in list.unwrap_or_default() {
                let resources = container.as_map().and_then(|it| it.get_str("resources"));
                add(resources.and_then(Value::as_map));
            }
        }
    }
    if requests.is_empty() && limits.is_empty() {
        "BestEffort"
    } else if is_guaranteed && requests.equals(&limits) {
        "Guaranteed"
    } else {
        "Burstable"
    }
}

/// The quantities that determine the QoS class, unless they are zero.
#[derive(Default)]
struct RankedQuantities([Option<String>; RANKED.len()]);

impl RankedQuantities {
    /// Adds further quantities. Returns whether each resource has one.
    fn add(&mut self, quantities: Option<&Map>) -> bool {
        let mut has_all = true;
        for (name, sum) in RANKED.iter().zip(&mut self.0) {
            let quantity = quantities.and_then(|quantities| quantities.get_str(name)?.as_str());
            let is_some =
                |quantity: &&str| Quantity::order(quantity, "0") == Some(Ordering::Greater);
            let Some(quantity) = quantity.filter(is_some) else {
                has_all = false;
                continue;
            };
            let both = sum.as_deref().and_then(|sum| Quantity::sum(sum, quantity));
            *sum = Some(both.unwrap_or_else(|| quantity.to_owned()));
        }
        has_all
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    fn equals(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|pair| match pair {
            (Some(one), Some(other)) => Quantity::order(one, other) == Some(Ordering::Equal),
            (one, other) => one.is_none() && other.is_none(),
        })
    }
}
