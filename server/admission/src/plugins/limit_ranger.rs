//! The plugin LimitRanger: the containers of a new pod get the default requests and limits of the
//! LimitRanges in its namespace, and pods and claims must be within their bounds.
//!
//! The server visits the resources of a bound in random order; here they are sorted.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/limitranger/admission.go.

mod bounds;

use super::{Cluster, Notes, PluginResult, Refusal, spec_mut};
use crate::create_defaults::{default, metadata_mut};
use crate::fields::{get, list, text};
use crate::map::map;
use crate::request::{Operation, Request};
use bounds::Usage;
use cel::Value;
use cel::value::Map;
use kubernetes::defaults::key_text;
use kubernetes::metadata_field;

/// The annotation that lists what the plugin has set.
const ANNOTATION: &str = "kubernetes.io/limit-ranger";

/// The lists of containers with limits, and what the annotation calls their elements.
const CONTAINERS: [(&str, &str); 2] = [
    ("containers", "container"),
    ("initContainers", "init container"),
];

pub(super) fn admit(request: &mut Request, cluster: &Cluster<'_>, _: &mut Notes) -> PluginResult {
    let is_new_pod = request.is_of_pod() && request.operation == Operation::Create;
    let namespace = request.namespace.clone();
    let Some(pod) = request.inputs.object.as_mut().filter(|_| is_new_pod) else {
        return Ok(());
    };
    for range in ranges(cluster, &namespace) {
        let mut set = Vec::new();
        if let Some(spec) = spec_mut(pod) {
            set_defaults(spec, range, &mut set);
        }
        if let (false, Some(metadata)) = (set.is_empty(), metadata_mut(pod)) {
            default(metadata, "annotations", || map([]));
            let annotations = metadata.get_str_mut("annotations");
            if let Some(annotations) = annotations.and_then(Value::as_map_mut) {
                let words = format!("LimitRanger plugin set: {}", set.join("; "));
                annotations.set_str(ANNOTATION, Value::string(words));
            }
        }
    }
    Ok(())
}

pub(super) fn validate(request: &Request, cluster: &Cluster<'_>, _: &mut Notes) -> PluginResult {
    let is_new_pod = request.is_of_pod() && request.operation == Operation::Create;
    let is_claim = (&*request.resource.group, &*request.resource.plural)
        == ("", "persistentvolumeclaims")
        && request.subresource.is_empty()
        && request.operation != Operation::Delete;
    let is_deleted = |old: &Value| metadata_field(old, "deletionTimestamp").is_some();
    let is_deleted = request.inputs.old_object.as_ref().is_some_and(is_deleted);
    let spec = request
        .inputs
        .object
        .as_ref()
        .and_then(|it| get(it, "spec"));
    let Some(spec) = spec.filter(|_| (is_new_pod || is_claim) && !is_deleted) else {
        return Ok(());
    };
    let usages = if is_claim {
        vec![Usage::of_claim(spec)]
    } else {
        Usage::of_pod(spec)
    };
    for range in ranges(cluster, &request.namespace) {
        let items = get(range, "spec").map_or(&[][..], |it| list(it, "limits"));
        let mut errors: Vec<String> = Vec::new();
        for item in items {
            let usages = usages.iter().filter(|usage| usage.of == text(item, "type"));
            for error in usages.flat_map(|usage| usage.errors(item)) {
                if !errors.contains(&error) {
                    errors.push(error);
                }
            }
        }
        match errors.as_slice() {
            [] => {}
            [one] => return Err(Refusal::Forbidden(one.clone())),
            all => return Err(Refusal::Forbidden(format!("[{}]", all.join(", ")))),
        }
    }
    Ok(())
}

/// Returns the LimitRanges of a namespace.
fn ranges<'a>(cluster: &Cluster<'a>, namespace: &str) -> impl Iterator<Item = &'a Value> {
    let ranges = cluster.objects.of_kind("v1", "LimitRange");
    ranges.filter(move |it| metadata_field(it, "namespace").unwrap_or("default") == namespace)
}

/// Sets the defaults of a range, and adds what it sets to a list.
fn set_defaults(spec: &mut Map, range: &Value, set: &mut Vec<String>) {
    let items = get(range, "spec").map_or(&[][..], |it| list(it, "limits"));
    let items = items.iter().filter(|it| text(it, "type") == "Container");
    let defaults = |field: &str| {
        let mut all = Map::default();
        let maps = items.clone().filter_map(|item| get(item, field)?.as_map());
        for (name, quantity) in maps.flat_map(Map::iter) {
            if let Some(name) = key_text(name) {
                all.set_str(name, quantity.clone());
            }
        }
        all
    };
    let fields = [
        ("requests", "request", defaults("defaultRequest")),
        ("limits", "limit", defaults("default")),
    ];
    for (field, kind) in CONTAINERS {
        let containers = spec.get_str_mut(field).and_then(Value::as_list_mut);
        for container in containers.into_iter().flatten() {
            let name = text(container, "name").to_owned();
            for (field, word, defaults) in &fields {
                let names = add_missing(container, field, defaults);
                if !names.is_empty() {
                    set.push(format!("{} {word} for {kind} {name}", names.join(", ")));
                }
            }
        }
    }
}

/// Adds the quantities that a container does not have. Returns the names of their resources.
fn add_missing(container: &mut Value, field: &str, defaults: &Map) -> Vec<String> {
    let resources = get(container, "resources").and_then(Value::as_map);
    let mut resources = resources.cloned().unwrap_or_default();
    let quantities = resources.get_str(field).and_then(Value::as_map);
    let mut quantities = quantities.cloned().unwrap_or_default();
    let mut names = Vec::new();
    for (name, quantity) in defaults.iter() {
        let Some(name) = key_text(name).filter(|it| quantities.get_str(it).is_none()) else {
            continue;
        };
        quantities.set_str(name, quantity.clone());
        names.push(name.to_owned());
    }
    names.sort_unstable();
    if let (false, Some(container)) = (names.is_empty(), container.as_map_mut()) {
        resources.set_str(field, Value::Map(quantities));
        container.set_str("resources", Value::Map(resources));
    }
    names
}
