//! The plugin Priority: the priority of a pod, which the server takes from its priority class.
//!
//! The server computes it again after a policy has changed the pod. So a policy that sets the class
//! of a pod without one is too late: the pod already has the default priority.
//!
//! A pod whose class may exist, although it is not among the objects, keeps the priority that it
//! has.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/priority/admission.go, admitPod.

use super::{Cluster, Notes, PluginResult, Refusal, spec_mut};
use crate::fields::get;
use crate::request::{Operation, Request};
use cel::Value;
use cel::value::Map;
use kubernetes::{metadata_field, string_field};

const CLASS: (&str, &str) = ("scheduling.k8s.io/v1", "PriorityClass");

/// The classes that every server has.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/scheduling/v1/helpers.go, systemPriorityClasses.
const SYSTEM: [(&str, i64); 2] = [
    ("system-node-critical", 2_000_001_000),
    ("system-cluster-critical", 2_000_000_000),
];

/// The default preemption policy of a class.
const PREEMPTION: &str = "PreemptLowerPriority";

/// A priority class.
struct PriorityClass<'a> {
    name: &'a str,
    value: i64,
    preemption: &'a str,
}

/// The class of pods without one, if no class is the global default.
const NONE: PriorityClass<'static> = PriorityClass {
    name: "",
    value: 0,
    preemption: PREEMPTION,
};

pub(super) fn admit(
    request: &mut Request,
    cluster: &Cluster<'_>,
    notes: &mut Notes,
) -> PluginResult {
    if !request.is_of_pod() {
        return Ok(());
    }
    let inputs = &mut request.inputs;
    let Some(spec) = inputs.object.as_mut().and_then(spec_mut) else {
        return Ok(());
    };
    if request.operation == Operation::Update {
        let old = inputs.old_object.as_ref().and_then(Value::as_map);
        let old = old.and_then(|old| old.get_str("spec")?.as_map());
        keep(spec, old);
        return Ok(());
    }
    let name = spec.get_str("priorityClassName").and_then(Value::as_str);
    let name = name.unwrap_or_default().to_owned();
    let class = if name.is_empty() {
        default_class(cluster)
    } else if let Some(class) = system_class(&name) {
        class
    } else {
        match cluster.named(CLASS, ("", &name), notes) {
            Err(()) => {
                let message = format!("no PriorityClass with name {name} was found");
                return Err(Refusal::Forbidden(message));
            }
            Ok(class) => match class.and_then(PriorityClass::read) {
                Some(class) => class,
                None => return Ok(()),
            },
        }
    };
    set(spec, &class).map_err(Refusal::Forbidden)
}

/// Keeps the priority of a changed pod.
fn keep(spec: &mut Map, old: Option<&Map>) {
    for field in ["priority", "preemptionPolicy"] {
        let known = old.and_then(|old| old.get_str(field));
        if let Some(known) = known.filter(|_| spec.get_str(field).is_none()) {
            spec.set_str(field, known.clone());
        }
    }
}

/// Returns the class of pods without one.
fn default_class<'a>(cluster: &Cluster<'a>) -> PriorityClass<'a> {
    let classes = cluster.objects.of_kind(CLASS.0, CLASS.1);
    let is_default = |it: &&Value| get(it, "globalDefault") == Some(&Value::Bool(true));
    let defaults = classes.filter(is_default).filter_map(PriorityClass::read);
    defaults.min_by_key(|it| it.value).unwrap_or(NONE)
}

fn system_class(name: &str) -> Option<PriorityClass<'static>> {
    let (name, value) = SYSTEM.iter().find(|(known, _)| *known == name)?;
    Some(PriorityClass {
        name,
        value: *value,
        preemption: PREEMPTION,
    })
}

impl<'a> PriorityClass<'a> {
    fn read(object: &'a Value) -> Option<Self> {
        Some(Self {
            name: metadata_field(object, "name")?,
            value: get(object, "value")?.as_int()?,
            preemption: string_field(object, "preemptionPolicy").unwrap_or(PREEMPTION),
        })
    }
}

fn set(spec: &mut Map, class: &PriorityClass<'_>) -> Result<(), String> {
    let words = "must not be provided in pod spec; priority admission controller computed";
    let of_class = "from the given PriorityClass name";
    let value = class.value;
    match spec.get_str("priority").and_then(Value::as_int) {
        Some(given) if given != value => {
            return Err(format!(
                "the integer value of priority ({given}) {words} {value} {of_class}"
            ));
        }
        _ => spec.set_str("priority", Value::Int(value)),
    }
    let computed = class.preemption;
    match spec.get_str("preemptionPolicy").and_then(Value::as_str) {
        Some(given) if given != computed => {
            return Err(format!(
                "the string value of PreemptionPolicy ({given}) {words} {computed} {of_class}"
            ));
        }
        _ => spec.set_str("preemptionPolicy", Value::string(computed)),
    }
    if !class.name.is_empty() {
        spec.set_str("priorityClassName", Value::string(class.name));
    }
    Ok(())
}
