//! The rules of jobs by the names that rows use: the server sets the selector and the template of
//! the pods when it creates a job, and they cannot change.
//!
//! Upstream: kubernetes/kubernetes, pkg/registry/batch/job/strategy.go, ValidateUpdate;
//! pkg/apis/batch/validation/validation.go, ValidateJob and ValidateJobUpdate.

use super::internal_json::internal_json;
use super::pass::{Pass, Place};
use super::updates::without;
use crate::fields::{get, selects};
use crate::strategy::is_same;
use cel::Value;
use kubernetes::metadata_field;
use policy::field_error::ErrorType;

/// The labels of the pods of a job, without and with a prefix. Validation needs the latter if the
/// old job has them.
const LABELS: [[&str; 2]; 2] = [
    ["controller-uid", "job-name"],
    [
        "batch.kubernetes.io/controller-uid",
        "batch.kubernetes.io/job-name",
    ],
];

/// The fields of the template that a job can change while it is suspended and not yet started.
const OF_SUSPENDED: [&str; 9] = [
    "metadata.annotations",
    "metadata.labels",
    "spec.nodeSelector",
    "spec.tolerations",
    "spec.schedulingGates",
    "spec.resources",
    "spec.affinity.nodeAffinity",
    "spec.containers.resources",
    "spec.initContainers.resources",
];

/// Checks the selector and the labels that the server sets for the pods of a job.
pub(super) fn generated_selector(pass: &mut Pass, place: &Place<'_>) {
    let find = |path| place.scope.find(path);
    let is_manual = find("spec.manualSelector") == Some(&Value::Bool(true));
    let (Some(job), Some(selector)) = (place.value, find("spec.selector")) else {
        return;
    };
    if is_manual {
        return;
    }
    let known = find("@spec.template.metadata.labels");
    let has = |name: &&str| known.is_some_and(|known| get(known, name).is_some());
    let is_new = place.scope.old.is_none();
    let sets = 1 + usize::from(is_new || LABELS[1].iter().all(has));
    let [uid, name] = ["uid", "name"].map(|field| metadata_field(job, field).unwrap_or_default());
    let sets = LABELS.iter().take(sets);
    let expected =
        sets.flat_map(|[uid_label, name_label]| [(*uid_label, uid), (*name_label, name)]);
    let expected: Vec<(&str, &str)> = expected.collect();
    let labels = find("spec.template.metadata.labels");
    for label in &expected {
        has_label(pass, labels, *label);
    }
    let label = |name: &str| expected.iter().find(|it| it.0 == name).map(|it| it.1);
    if !selects(selector, label) {
        let shown = internal_json("LabelSelector", Some(selector));
        pass.within(&["spec.selector"], |pass| {
            pass.invalid(shown, "`selector` not auto-generated");
        });
    }
}

fn has_label(pass: &mut Pass, labels: Option<&Value>, (label, value): (&str, &str)) {
    let known = labels.and_then(|labels| get(labels, label)?.as_str());
    let detail = format!("must be '{value}'");
    let path = ["spec.template.metadata.labels[", label, "]"];
    pass.within(&path, |pass| match known {
        None => pass.add(ErrorType::Required, None, &detail),
        Some(known) if known != value => pass.invalid(internal_json("any", labels), &detail),
        Some(_) => {}
    });
}

/// Checks the completions, which an indexed job can change together with the parallelism.
pub(super) fn in_tandem(pass: &mut Pass, place: &Place<'_>) {
    if let Some(completions) = place.value
        && place.old != place.value
        && place.scope.find(place.argument(0)) != place.value
    {
        pass.invalid(completions.to_string(), place.rule.detail);
    }
}

/// Checks that an update keeps the template of the pods.
pub(super) fn template_kept(pass: &mut Pass, place: &Place<'_>) {
    let find = |path| place.scope.find(path);
    let is_suspended =
        find("@spec.suspend") == Some(&Value::Bool(true)) && find("@status.startTime").is_none();
    let changeable: &[&str] = if is_suspended { &OF_SUSPENDED } else { &[] };
    let [new, old] = [place.value, place.old].map(|it| without(it, changeable));
    if is_same(&new, &old) {
        return;
    }
    let (step, ty, changed) = if is_suspended {
        (".spec", "PodSpec", find("spec.template.spec"))
    } else {
        ("", "PodTemplateSpec", place.value)
    };
    let shown = internal_json(ty, changed);
    pass.within(&[step], |pass| pass.invalid(shown, "field is immutable"));
}
