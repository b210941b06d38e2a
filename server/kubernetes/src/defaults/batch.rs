//! Defaults of jobs.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/batch/v1/defaults.go.

use super::Rule;
use super::core::own_labels;
use super::tree::{at, child, default, default_int, default_text, get};
use cel::Value;

/// The backoff limit of a job with a limit per index: the maximum.
const UNLIMITED: i64 = i32::MAX as i64;

/// Returns the defaulting function of a type.
pub(super) fn rule(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "Job" => job,
        "CronJob" => cron_job,
        "PodFailurePolicyOnPodConditionsPattern" => |it| default_text(it, "status", "True"),
        _ => return None,
    })
}

fn job(job: &mut Value) {
    let labels = at(job, &["spec", "template", "metadata", "labels"]).cloned();
    if let Some(labels) = labels {
        own_labels(job, labels);
    }
    let Some(spec) = child(job, "spec") else {
        return;
    };
    if get(spec, "parallelism").is_none() {
        default_int(spec, "completions", 1);
    }
    default_int(spec, "parallelism", 1);
    let by_index = get(spec, "backoffLimitPerIndex").is_some();
    default_int(spec, "backoffLimit", if by_index { UNLIMITED } else { 6 });
    default_text(spec, "completionMode", "NonIndexed");
    default(spec, "suspend", || Value::Bool(false));
    default(spec, "manualSelector", || Value::Bool(false));
    let replacement = match get(spec, "podFailurePolicy") {
        Some(_) => "Failed",
        None => "TerminatingOrFailed",
    };
    default_text(spec, "podReplacementPolicy", replacement);
}

fn cron_job(job: &mut Value) {
    let Some(spec) = child(job, "spec") else {
        return;
    };
    default_text(spec, "concurrencyPolicy", "Allow");
    default(spec, "suspend", || Value::Bool(false));
    default_int(spec, "successfulJobsHistoryLimit", 3);
    default_int(spec, "failedJobsHistoryLimit", 1);
}
