//! Defaults of autoscalers.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/autoscaling/v1/defaults.go and v2/defaults.go.

use super::Rule;
use super::tree::{
    add_missing, child, default_int, empty, get, get_mut, is_empty, object, set, text,
};
use cel::Value;

/// The use of the processor that an autoscaler aims at, in percent.
pub(super) const UTILIZATION: i64 = 80;

/// Returns the defaulting function of a type of `autoscaling/v1`.
pub(super) fn rule_v1(type_name: &str) -> Option<Rule> {
    (type_name == "HorizontalPodAutoscaler").then_some(|it| {
        if let Some(spec) = child(it, "spec") {
            default_int(spec, "minReplicas", 1);
        }
    })
}

/// Returns the defaulting function of a type of `autoscaling/v2`.
pub(super) fn rule_v2(type_name: &str) -> Option<Rule> {
    (type_name == "HorizontalPodAutoscaler").then_some(autoscaler)
}

fn autoscaler(autoscaler: &mut Value) {
    let Some(spec) = child(autoscaler, "spec") else {
        return;
    };
    default_int(spec, "minReplicas", 1);
    if is_empty(spec, "metrics") {
        set(spec, "metrics", Value::list(vec![processor(UTILIZATION)]));
    }
    if let Some(behavior) = get_mut(spec, "behavior") {
        rules(behavior, "scaleUp", &scale_up());
        rules(behavior, "scaleDown", &scale_down());
    }
}

/// Returns a metric: the use of the processor in percent.
pub(super) fn processor(utilization: i64) -> Value {
    let target = object([
        ("averageUtilization", Value::Int(utilization)),
        ("type", text("Utilization")),
    ]);
    let resource = object([("name", text("cpu")), ("target", target)]);
    object([("resource", resource), ("type", text("Resource"))])
}

fn rules(behavior: &mut Value, field: &str, defaults: &Value) {
    let mut rules = get(behavior, field).cloned().unwrap_or_else(empty);
    if let Some(rules) = rules.as_map_mut() {
        rules.retain(|_, value| !matches!(value, Value::Null));
    }
    add_missing(&mut rules, defaults);
    set(behavior, field, rules);
}

fn policy(ty: &str, value: i64) -> Value {
    object([
        ("type", text(ty)),
        ("value", Value::Int(value)),
        ("periodSeconds", Value::Int(15)),
    ])
}

fn scale_up() -> Value {
    let policies = vec![policy("Pods", 4), policy("Percent", 100)];
    object([
        ("stabilizationWindowSeconds", Value::Int(0)),
        ("selectPolicy", text("Max")),
        ("policies", Value::list(policies)),
    ])
}

fn scale_down() -> Value {
    object([
        ("selectPolicy", text("Max")),
        ("policies", Value::list(vec![policy("Percent", 100)])),
    ])
}
