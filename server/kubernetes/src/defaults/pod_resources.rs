//! Pod-level resources.
//!
//! If a pod requests resources itself, besides its containers, the server completes them: the
//! requests are the sum of all containers' or, if missing, the limits; limits of huge pages are the
//! sum of all containers'.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/core/v1/defaults.go, defaultPodRequests and
//! defaultHugePagePodLimits; staging/src/k8s.io/component-helpers/resource/helpers.go,
//! AggregateContainerRequests and AggregateContainerLimits.

use super::tree::{elements, get, get_mut, key_text, set, text, text_of};
use crate::quantity::Quantity;
use cel::Value;
use cel::value::Map;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Quantities by the names of their resources.
type Quantities = BTreeMap<String, String>;

const HUGE_PAGES: &str = "hugepages-";

/// Completes the resources of a pod, if it has any.
pub(super) fn apply(spec: &mut Value) {
    let Some(resources) = get(spec, "resources") else {
        return;
    };
    let mut limits = quantities(resources, "limits");
    let mut requests = quantities(resources, "requests");
    if limits.is_empty() && requests.is_empty() {
        return;
    }
    for (name, quantity) in container_quantities(spec, "limits") {
        if is_huge_pages(&name) && !requests.contains_key(&name) {
            limits.entry(name).or_insert(quantity);
        }
    }
    if !limits.is_empty() {
        for (name, quantity) in container_quantities(spec, "requests") {
            if is_shared(&name) {
                requests.entry(name).or_insert(quantity);
            }
        }
        for (name, quantity) in &limits {
            if is_shared(name) || is_huge_pages(name) {
                requests
                    .entry(name.clone())
                    .or_insert_with(|| quantity.clone());
            }
        }
    }
    if let Some(resources) = get_mut(spec, "resources") {
        add(resources, "limits", limits);
        add(resources, "requests", requests);
    }
}

/// Returns whether a resource can be overcommitted.
fn is_shared(name: &str) -> bool {
    matches!(name, "cpu" | "memory")
}

fn is_huge_pages(name: &str) -> bool {
    name.starts_with(HUGE_PAGES)
}

fn add(resources: &mut Value, field: &str, quantities: Quantities) {
    let mut all = get(resources, field).cloned().unwrap_or(Value::Null);
    if !matches!(all, Value::Map(_)) {
        all = Value::Map(Map::default());
    }
    for (name, quantity) in quantities {
        if all.as_map().is_some_and(|all| all.get_str(&name).is_none()) {
            set(&mut all, &name, text(&quantity));
        }
    }
    set(resources, field, all);
}

fn quantities(resources: &Value, field: &str) -> Quantities {
    let quantities = get(resources, field).and_then(Value::as_map);
    let quantities = quantities.into_iter().flat_map(Map::iter);
    quantities
        .filter_map(|(name, quantity)| {
            Some((
                key_text(name)?.to_owned(),
                quantity_text(quantity)?.into_owned(),
            ))
        })
        .collect()
}

fn quantity_text(quantity: &Value) -> Option<Cow<'_, str>> {
    Some(match quantity {
        Value::Null => Cow::Borrowed("0"),
        Value::String(text) => Cow::Borrowed(text.trim()),
        Value::Int(number) => Cow::Owned(number.to_string()),
        Value::Double(number) => Cow::Owned(number.to_string()),
        _ => return None,
    })
}

/// Returns the peak of the containers' resources: all of them together, or one of the init
/// containers with the sidecars that run next to it.
fn container_quantities(spec: &Value, field: &str) -> Quantities {
    let of = |container: &Value| {
        get(container, "resources").map_or_else(Quantities::new, |it| quantities(it, field))
    };
    let mut all = Quantities::new();
    for container in elements(spec, "containers") {
        add_up(&mut all, &of(container));
    }
    let mut sidecars = Quantities::new();
    let mut first = Quantities::new();
    for container in elements(spec, "initContainers") {
        let own = of(container);
        if text_of(container, "restartPolicy") == "Always" {
            add_up(&mut all, &own);
            add_up(&mut sidecars, &own);
            raise(&mut first, &sidecars);
        } else {
            let mut together = own;
            add_up(&mut together, &sidecars);
            raise(&mut first, &together);
        }
    }
    raise(&mut all, &first);
    all
}

fn add_up(all: &mut Quantities, more: &Quantities) {
    for (name, quantity) in more {
        let sum = all.get(name).map(|other| Quantity::sum(other, quantity));
        // An overflow does not happen in a real pod.
        let sum = sum.unwrap_or_else(|| Some(quantity.clone()));
        if let Some(sum) = sum {
            all.insert(name.clone(), sum);
        }
    }
}

fn raise(all: &mut Quantities, to: &Quantities) {
    for (name, quantity) in to {
        let is_more = |other: &String| Quantity::order(quantity, other) == Some(Ordering::Greater);
        if all.get(name).is_none_or(is_more) {
            all.insert(name.clone(), quantity.clone());
        }
    }
}
