//! The validation of an update of a job: the server sets the selector and the template of its
//! pods when it creates the job, and they cannot change.
//!
//! Limit: other errors in the fields of a job are found only if a policy causes them.
//!
//! Upstream: kubernetes/kubernetes, pkg/registry/batch/job/strategy.go, ValidateUpdate;
//! pkg/apis/batch/validation/validation.go, ValidateJob and ValidateJobUpdate.

use super::Errors;
use super::internal_json::internal_json;
use crate::fields::{get, selects, text};
use crate::strategy::is_same;
use cel::Value;
use kubernetes::defaults::key_text;
use kubernetes::metadata_field;
use policy::FieldPath;
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

const TEMPLATE_LABELS: [&str; 4] = ["spec", "template", "metadata", "labels"];

/// The fields that cannot change, with the type in which errors show them.
const IMMUTABLE: [(&str, &str); 5] = [
    ("completionMode", "any"),
    ("podFailurePolicy", "*PodFailurePolicy"),
    ("backoffLimitPerIndex", "any"),
    ("managedBy", "any"),
    ("successPolicy", "*SuccessPolicy"),
];

/// The fields of the template that a job can change while it is suspended and not yet started.
const OF_SUSPENDED: [&str; 4] = [
    "nodeSelector",
    "tolerations",
    "schedulingGates",
    "resources",
];

impl Errors {
    /// Checks the update of a job.
    pub(super) fn job_update(&mut self, job: &Value, old: &Value) {
        let path = FieldPath::root().child("spec");
        let empty = Value::Map(cel::value::Map::default());
        let [spec, old_spec] = [job, old].map(|job| get(job, "spec").unwrap_or(&empty));
        self.generated_selector(job, spec, old_spec);
        // The server validates the job on its own, and once more with the old one.
        self.selector(spec, &path);
        self.selector(spec, &path);
        let is_indexed = text(spec, "completionMode") == "Indexed";
        if is_indexed {
            self.completions(spec, old_spec, &path);
        } else {
            self.immutable(spec, old_spec, ("completions", "any"), &path);
        }
        self.immutable(spec, old_spec, ("selector", "*LabelSelector"), &path);
        self.template(old, [spec, old_spec], &path);
        for field in IMMUTABLE {
            self.immutable(spec, old_spec, field, &path);
        }
    }

    /// Checks the selector and the labels that the server sets for the pods of a job.
    fn generated_selector(&mut self, job: &Value, spec: &Value, old_spec: &Value) {
        let selector = get(spec, "selector");
        let is_manual = get(spec, "manualSelector") == Some(&Value::Bool(true));
        let Some(selector) = selector.filter(|_| !is_manual) else {
            return;
        };
        let known = labels(old_spec);
        let has = |name: &&str| known.is_some_and(|known| get(known, name).is_some());
        let sets = 1 + usize::from(LABELS[1].iter().all(has));
        let [uid, name] =
            ["uid", "name"].map(|field| metadata_field(job, field).unwrap_or_default());
        let sets = LABELS.iter().take(sets);
        let expected =
            sets.flat_map(|[uid_label, name_label]| [(*uid_label, uid), (*name_label, name)]);
        let expected: Vec<(&str, &str)> = expected.collect();
        for label in &expected {
            self.has_label(labels(spec), *label);
        }
        let label = |name: &str| expected.iter().find(|it| it.0 == name).map(|it| it.1);
        if !selects(selector, label) {
            let path = FieldPath::root().child("spec").child("selector");
            let shown = internal_json("LabelSelector", Some(selector));
            self.value(
                &path,
                ErrorType::Invalid,
                shown,
                "`selector` not auto-generated",
            );
        }
    }

    fn has_label(&mut self, labels: Option<&Value>, (label, value): (&str, &str)) {
        let path = TEMPLATE_LABELS
            .iter()
            .fold(FieldPath::root(), |path, it| path.child(it));
        let known = labels.and_then(|labels| get(labels, label)?.as_str());
        let detail = format!("must be '{value}'");
        match known {
            None => self.add(&path.key(label), ErrorType::Required, None, &detail),
            Some(known) if known != value => {
                let shown = internal_json("any", labels);
                self.value(&path.key(label), ErrorType::Invalid, shown, &detail);
            }
            Some(_) => {}
        }
    }

    /// Checks that a job has a selector, and that it selects the pods of the job.
    fn selector(&mut self, spec: &Value, path: &FieldPath) {
        let selector = get(spec, "selector");
        if selector.is_none() {
            self.add(&path.child("selector"), ErrorType::Required, None, "");
        }
        let labels = labels(spec);
        let label = |name: &str| labels.and_then(|labels| get(labels, name)?.as_str());
        if !selector.is_some_and(|selector| selects(selector, label)) {
            let path = TEMPLATE_LABELS
                .iter()
                .fold(FieldPath::root(), |path, it| path.child(it));
            let shown = internal_json("any", labels);
            let detail = "`selector` does not match template `labels`";
            self.value(&path, ErrorType::Invalid, shown, detail);
        }
    }

    /// Checks the completions, which an indexed job can change together with the parallelism.
    fn completions(&mut self, spec: &Value, old: &Value, path: &FieldPath) {
        let completions = get(spec, "completions");
        let is_kept = completions == get(old, "completions");
        if let Some(completions) = completions
            && !is_kept
            && Some(completions) != get(spec, "parallelism")
        {
            let detail = "can only be modified in tandem with spec.parallelism";
            let shown = completions.to_string();
            self.value(
                &path.child("completions"),
                ErrorType::Invalid,
                shown,
                detail,
            );
        }
    }

    fn template(&mut self, old: &Value, specs: [&Value; 2], path: &FieldPath) {
        let is_started = get(old, "status").is_some_and(|it| get(it, "startTime").is_some());
        let is_suspended = get(specs[1], "suspend") == Some(&Value::Bool(true)) && !is_started;
        let template = get(specs[0], "template");
        let fixed = specs.map(|spec| {
            let mut template = get(spec, "template").cloned().unwrap_or(Value::Null);
            if is_suspended {
                drop_changeable(&mut template);
            }
            template
        });
        if !is_same(&fixed[0], &fixed[1]) {
            let shown = internal_json("PodTemplateSpec", template);
            let path = path.child("template");
            self.value(&path, ErrorType::Invalid, shown, "field is immutable");
        }
    }

    fn immutable(
        &mut self,
        object: &Value,
        old: &Value,
        (field, ty): (&str, &str),
        path: &FieldPath,
    ) {
        let null = Value::Null;
        let [value, known] = [object, old].map(|it| get(it, field).unwrap_or(&null));
        if !is_same(value, known) {
            let shown = internal_json(ty, get(object, field));
            let path = path.child(field);
            self.value(&path, ErrorType::Invalid, shown, "field is immutable");
        }
    }
}

/// Returns the labels of a job's pods.
fn labels(spec: &Value) -> Option<&Value> {
    get(get(get(spec, "template")?, "metadata")?, "labels")
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
