//! The priority of a pod, which the server takes from its priority class.
//!
//! The server computes it again after a policy has changed the pod. So a policy that sets the class
//! of a pod without one is too late: the pod already has the default priority.
//!
//! Limit: a class that is neither built in nor among the objects is unknown. A pod with such a
//! class keeps the priority that it has.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/priority/admission.go, admitPod.

use crate::request::{Operation, Request};
use cel::Value;
use cel::value::Map;
use kubernetes::metadata_field;

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

/// Returns the name of the priority class of a pod; empty if it has none.
pub(super) fn class_name(pod: Option<&Value>) -> &str {
    let spec = pod.and_then(|pod| pod.as_map()?.get_str("spec")?.as_map());
    let name = spec.and_then(|spec| spec.get_str("priorityClassName")?.as_str());
    name.unwrap_or_default()
}

/// Sets the priority of the pod of a request. The objects may hold priority classes; `before` is
/// the class of the pod before the policies, if they have run.
///
/// # Errors
/// The pod has another priority than its class, or no such class exists.
pub(super) fn prioritize(
    request: &mut Request,
    objects: &[Value],
    before: Option<&str>,
) -> Result<(), String> {
    if !request.is_of_pod() {
        return Ok(());
    }
    let name = class_name(request.inputs.object.as_ref()).to_owned();
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
    match class(&name, objects) {
        Some(class) => set(spec, &class),
        None if before.is_some_and(|before| before != name) => {
            Err(format!("no PriorityClass with name {name} was found"))
        }
        None => Ok(()),
    }
}

fn spec_mut(pod: &mut Value) -> Option<&mut Map> {
    pod.as_map_mut()?.get_str_mut("spec")?.as_map_mut()
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

/// Returns the class with a name, or the one of pods without a class.
fn class<'a>(name: &'a str, objects: &'a [Value]) -> Option<PriorityClass<'a>> {
    let system = SYSTEM.iter().find(|(known, _)| *known == name);
    if let Some((name, value)) = system {
        return Some(PriorityClass {
            name,
            value: *value,
            preemption: PREEMPTION,
        });
    }
    let mut classes = objects.iter().filter_map(PriorityClass::read);
    if !name.is_empty() {
        return classes.map(|(class, _)| class).find(|it| it.name == name);
    }
    let defaults = classes.by_ref().filter(|(_, is_default)| *is_default);
    let lowest = defaults.map(|(class, _)| class).min_by_key(|it| it.value);
    Some(lowest.unwrap_or(NONE))
}

impl<'a> PriorityClass<'a> {
    /// Reads an object of the kind, and whether it is the global default.
    fn read(object: &'a Value) -> Option<(Self, bool)> {
        let fields = object.as_map()?;
        let text = |field: &str| fields.get_str(field)?.as_str();
        let is_class = text("kind") == Some("PriorityClass")
            && text("apiVersion")?.starts_with("scheduling.k8s.io/");
        let class = Self {
            name: metadata_field(object, "name").filter(|_| is_class)?,
            value: fields.get_str("value")?.as_int()?,
            preemption: text("preemptionPolicy").unwrap_or(PREEMPTION),
        };
        let is_default = fields.get_str("globalDefault") == Some(&Value::Bool(true));
        Some((class, is_default))
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
