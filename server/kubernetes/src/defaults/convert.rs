//! Objects in another version of their kind.
//!
//! Most versions of a kind have the same fields. The server converts those that differ.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/autoscaling/v1/conversion.go.

use super::autoscaling::processor;
use super::tree::{at, elements, get, get_mut, set, text, text_of};
use cel::Value;

/// Converts an object to another version of its kind.
pub fn convert(object: &mut Value, group: &str, version: &str) {
    let from = text_of(object, "apiVersion").to_owned();
    let to = match group {
        "" => version.to_owned(),
        _ => format!("{group}/{version}"),
    };
    if text_of(object, "kind") == "HorizontalPodAutoscaler" {
        match (from.as_str(), to.as_str()) {
            ("autoscaling/v1", "autoscaling/v2") => to_metrics(object),
            ("autoscaling/v2", "autoscaling/v1") => to_percentage(object),
            _ => {}
        }
    }
    set(object, "apiVersion", text(&to));
}

/// Converts `targetCPUUtilizationPercentage` to a metric of version 2, or sets the default.
fn to_metrics(autoscaler: &mut Value) {
    let Some(spec) = get_mut(autoscaler, "spec") else {
        return;
    };
    let percentage = spec
        .as_map_mut()
        .and_then(|spec| spec.take_str("targetCPUUtilizationPercentage"))
        .and_then(|it| it.as_int())
        .unwrap_or(super::autoscaling::UTILIZATION);
    set(spec, "metrics", Value::list(vec![processor(percentage)]));
    if let Some(status) = autoscaler
        .as_map_mut()
        .and_then(|it| it.get_str_mut("status"))
    {
        set(status, "currentMetrics", Value::Null);
        if let Some(status) = status.as_map_mut() {
            status.take_str("currentCPUUtilizationPercentage");
        }
    }
}

/// Converts the CPU metric to `targetCPUUtilizationPercentage` of version 1.
fn to_percentage(autoscaler: &mut Value) {
    let Some(spec) = get_mut(autoscaler, "spec") else {
        return;
    };
    let is_processor =
        |metric: &&Value| at(metric, &["resource", "name"]).and_then(Value::as_str) == Some("cpu");
    let metric = elements(spec, "metrics").iter().find(is_processor);
    let path = ["resource", "target", "averageUtilization"];
    let percentage = metric.and_then(|metric| at(metric, &path)).cloned();
    if let Some(fields) = spec.as_map_mut() {
        fields.take_str("metrics");
        fields.take_str("behavior");
    }
    if let Some(percentage) = percentage {
        set(spec, "targetCPUUtilizationPercentage", percentage);
    }
    let status = get(autoscaler, "status").is_some();
    if status && let Some(status) = get_mut(autoscaler, "status") {
        if let Some(status) = status.as_map_mut() {
            status.take_str("currentMetrics");
            status.take_str("conditions");
        }
        super::tree::default_int(status, "currentReplicas", 0);
    }
}
