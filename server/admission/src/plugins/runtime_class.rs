//! The plugin RuntimeClass: a new pod has the overhead, the node selector and the tolerations of
//! its class.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/runtimeclass/admission.go, Admit and
//! Validate; pkg/util/tolerations/tolerations.go, MergeTolerations.

use super::{Cluster, Notes, PluginResult, Refusal, spec_mut};
use crate::fields::{get, list, text};
use crate::request::{Operation, Request};
use crate::strategy::is_same;
use cel::Value;
use cel::value::Map;
use kubernetes::defaults::key_text;
use kubernetes::quote::quote;

const CLASS: (&str, &str) = ("node.k8s.io/v1", "RuntimeClass");

const OVERHEAD: &str = "Pod's Overhead doesn't match RuntimeClass's defined Overhead";

pub(super) fn admit(
    request: &mut Request,
    cluster: &Cluster<'_>,
    notes: &mut Notes,
) -> PluginResult {
    let class = class(request, cluster, notes)?;
    let spec = request.inputs.object.as_mut().and_then(spec_mut);
    let (Some(class), Some(spec)) = (class, spec) else {
        return Ok(());
    };
    if let Some(overhead) = overhead(class) {
        let written = spec
            .get_str("overhead")
            .filter(|it| !matches!(it, Value::Null));
        if written.is_some_and(|it| !is_same(it, overhead)) {
            return rejected(OVERHEAD);
        }
        spec.set_str("overhead", overhead.clone());
    }
    let Some(scheduling) = get(class, "scheduling") else {
        return Ok(());
    };
    select_nodes(spec, get(scheduling, "nodeSelector"))?;
    let tolerations = spec.get_str("tolerations").and_then(Value::as_list);
    let all = [
        tolerations.unwrap_or_default(),
        list(scheduling, "tolerations"),
    ]
    .concat();
    if !all.is_empty() {
        spec.set_str("tolerations", Value::list(merged(&all)));
    }
    Ok(())
}

pub(super) fn validate(
    request: &Request,
    cluster: &Cluster<'_>,
    notes: &mut Notes,
) -> PluginResult {
    let class = class(request, cluster, notes)?;
    let spec = request
        .inputs
        .object
        .as_ref()
        .and_then(|pod| get(pod, "spec"));
    let Some(spec) = spec.filter(|_| is_new_pod(request)) else {
        return Ok(());
    };
    let written = get(spec, "overhead");
    match (class.and_then(overhead), written) {
        (Some(overhead), _) if written.is_none_or(|it| !is_same(it, overhead)) => {
            rejected(OVERHEAD)
        }
        // A class that is only assumed to exist may have an overhead.
        (None, Some(_)) if class.is_some() || text(spec, "runtimeClassName").is_empty() => {
            rejected("Pod Overhead set without corresponding RuntimeClass defined Overhead")
        }
        _ => Ok(()),
    }
}

/// Returns the class of the pod of a request, if it names a known one.
fn class<'a>(
    request: &Request,
    cluster: &Cluster<'a>,
    notes: &mut Notes,
) -> Result<Option<&'a Value>, Refusal> {
    let spec = request
        .inputs
        .object
        .as_ref()
        .and_then(|pod| get(pod, "spec"));
    let name = spec.map_or("", |spec| text(spec, "runtimeClassName"));
    if name.is_empty() || !is_new_pod(request) {
        return Ok(None);
    }
    let missing = || format!("pod rejected: RuntimeClass {} not found", quote(name));
    let class = cluster.named(CLASS, ("", name), notes);
    class.map_err(|()| Refusal::Forbidden(missing()))
}

fn is_new_pod(request: &Request) -> bool {
    request.is_of_pod() && request.operation == Operation::Create
}

fn overhead(class: &Value) -> Option<&Value> {
    get(get(class, "overhead")?, "podFixed")
}

fn rejected(reason: &str) -> PluginResult {
    Err(Refusal::Forbidden(format!("pod rejected: {reason}")))
}

fn select_nodes(spec: &mut Map, selector: Option<&Value>) -> PluginResult {
    let own = spec.get_str("nodeSelector").and_then(Value::as_map);
    let mut own = own.cloned().unwrap_or_default();
    for (key, wanted) in selector
        .and_then(Value::as_map)
        .into_iter()
        .flat_map(Map::iter)
    {
        let (Some(key), Some(wanted)) = (key_text(key), wanted.as_str()) else {
            continue;
        };
        match own.get_str(key).and_then(Value::as_str) {
            Some(other) if other != wanted => {
                return Err(Refusal::Forbidden(format!(
                    "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {wanted}; \
                     pod.spec.nodeSelector[{key}] = {other}"
                )));
            }
            _ => own.set_str(key, Value::string(wanted)),
        }
    }
    if !own.is_empty() {
        spec.set_str("nodeSelector", Value::Map(own));
    }
    Ok(())
}

/// Returns tolerations without those that others include.
fn merged(all: &[Value]) -> Vec<Value> {
    let mut merged: Vec<Value> = Vec::new();
    for (index, toleration) in all.iter().enumerate() {
        let mut rest = all.iter().skip(index + 1);
        let is_covered = merged.iter().any(|it| includes(it, toleration))
            || rest.any(|it| it != toleration && includes(it, toleration));
        if !is_covered {
            merged.push(toleration.clone());
        }
    }
    merged
}

/// Returns whether a toleration tolerates everything that another one does.
fn includes(wide: &Value, narrow: &Value) -> bool {
    let [is_same_key, is_same_effect, is_same_value] =
        ["key", "effect", "value"].map(|field| text(wide, field) == text(narrow, field));
    let (operator, effect) = (text(wide, "operator"), text(wide, "effect"));
    let seconds = |it| get(it, "tolerationSeconds").and_then(Value::as_int);
    let lasts = effect != "NoExecute"
        || seconds(wide).is_none_or(|most| seconds(narrow).is_some_and(|it| it <= most));
    wide == narrow
        || (is_same_key || text(wide, "key").is_empty() && operator == "Exists")
            && (is_same_effect || effect.is_empty())
            && lasts
            && match operator {
                "" | "Equal" => text(narrow, "operator") == "Equal" && is_same_value,
                operator => operator == "Exists",
            }
}
