//! The rules of jobs by the names that rows use: the server sets the selector and the template of
//! the pods when it creates a job, and they cannot change.
//!
//! Upstream: kubernetes/kubernetes, pkg/registry/batch/job/strategy.go, ValidateUpdate;
//! pkg/apis/batch/validation/validation.go, ValidateJob and ValidateJobUpdate.

use super::internal_json::internal_json;
use super::pass::{Pass, Place};
use crate::fields::{get, selects};
use crate::strategy::is_same;
use cel::Value;
use kubernetes::defaults::key_text;
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
const OF_SUSPENDED: [&str; 4] = [
    "nodeSelector",
    "tolerations",
    "schedulingGates",
    "resources",
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
    let fixed = [place.value, place.old].map(|template| {
        let mut template = template.cloned().unwrap_or(Value::Null);
        if is_suspended {
            drop_changeable(&mut template);
        }
        template
    });
    if is_same(&fixed[0], &fixed[1]) {
        return;
    }
    let (step, ty) = if is_suspended {
        (".spec", "PodSpec")
    } else {
        ("", "PodTemplateSpec")
    };
    let changed = if is_suspended {
        place.value.and_then(|it| get(it, "spec"))
    } else {
        place.value
    };
    let shown = internal_json(ty, changed);
    pass.within(&[step], |pass| pass.invalid(shown, "field is immutable"));
}

/// Removes from a template the fields that a suspended job can change.
fn drop_changeable(template: &mut Value) {
    let drop = |value: Option<&mut Value>, fields: &[&str]| {
        if let Some(map) = value.and_then(Value::as_map_mut) {
            map.retain(|key, _| key_text(key).is_none_or(|key| !fields.contains(&key)));
        }
    };
    let Some(template) = template.as_map_mut() else {
        return;
    };
    drop(template.get_str_mut("metadata"), &["annotations", "labels"]);
    let spec = template.get_str_mut("spec");
    drop(spec, &OF_SUSPENDED);
    let Some(spec) = template.get_str_mut("spec").and_then(Value::as_map_mut) else {
        return;
    };
    drop(spec.get_str_mut("affinity"), &["nodeAffinity"]);
    if spec
        .get_str("affinity")
        .and_then(Value::as_map)
        .is_some_and(cel::value::Map::is_empty)
    {
        spec.take_str("affinity");
    }
    for containers in ["containers", "initContainers"] {
        let list = spec.get_str_mut(containers).and_then(Value::as_list_mut);
        for container in list.into_iter().flatten() {
            drop(Some(container), &["resources"]);
        }
    }
}
