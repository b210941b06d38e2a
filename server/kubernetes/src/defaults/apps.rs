//! Defaults of workloads.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/apps/v1/defaults.go.

use super::Rule;
use super::tree::{child, default, default_int, default_text, get_mut, is_empty, text, text_of};
use cel::Value;

/// Returns the defaulting function of a type.
pub(super) fn rule(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "Deployment" => deployment,
        "DaemonSet" => daemon_set,
        "StatefulSet" => stateful_set,
        "ReplicaSet" => replica_set,
        _ => return None,
    })
}

fn deployment(deployment: &mut Value) {
    let Some(spec) = child(deployment, "spec") else {
        return;
    };
    default_int(spec, "replicas", 1);
    if let Some(update) = rolling_update(spec, "strategy") {
        default(update, "maxUnavailable", || text("25%"));
        default(update, "maxSurge", || text("25%"));
    }
    default_int(spec, "revisionHistoryLimit", 10);
    default_int(spec, "progressDeadlineSeconds", 600);
}

/// Returns the parameters of a rolling update, created if that is the strategy.
fn rolling_update<'a>(spec: &'a mut Value, field: &str) -> Option<&'a mut Value> {
    let strategy = child(spec, field)?;
    default_text(strategy, "type", "RollingUpdate");
    if text_of(strategy, "type") != "RollingUpdate" {
        return None;
    }
    child(strategy, "rollingUpdate")
}

fn daemon_set(set: &mut Value) {
    let Some(spec) = child(set, "spec") else {
        return;
    };
    if let Some(update) = rolling_update(spec, "updateStrategy") {
        default_int(update, "maxUnavailable", 1);
        default_int(update, "maxSurge", 0);
    }
    default_int(spec, "revisionHistoryLimit", 10);
}

fn stateful_set(set: &mut Value) {
    let Some(spec) = child(set, "spec") else {
        return;
    };
    default_text(spec, "podManagementPolicy", "OrderedReady");
    if let Some(strategy) = child(spec, "updateStrategy") {
        if is_empty(strategy, "type") {
            default_text(strategy, "type", "RollingUpdate");
            child(strategy, "rollingUpdate");
        }
        let is_rolling = text_of(strategy, "type") == "RollingUpdate";
        if is_rolling && let Some(update) = get_mut(strategy, "rollingUpdate") {
            default_int(update, "partition", 0);
        }
    }
    if let Some(retention) = child(spec, "persistentVolumeClaimRetentionPolicy") {
        default_text(retention, "whenDeleted", "Retain");
        default_text(retention, "whenScaled", "Retain");
    }
    default_int(spec, "replicas", 1);
    default_int(spec, "revisionHistoryLimit", 10);
}

fn replica_set(set: &mut Value) {
    if let Some(spec) = child(set, "spec") {
        default_int(spec, "replicas", 1);
    }
}
