//! Pod-level resources.
//!
//! If a pod requests resources itself, besides its containers, the server completes them: the
//! requests are those of all containers, or else the limits; limits of huge pages are those of
//! all containers.
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

/// Amounts by the names of their resources.
type Amounts = BTreeMap<String, String>;

const HUGE_PAGES: &str = "hugepages-";

/// Completes the resources of a pod, where it has some.
pub(super) fn apply(spec: &mut Value) {
    let Some(resources) = get(spec, "resources") else {
        return;
    };
    let mut limits = amounts(resources, "limits");
    let mut requests = amounts(resources, "requests");
    if limits.is_empty() && requests.is_empty() {
        return;
    }
    for (name, amount) in of_containers(spec, "limits") {
        if is_huge_pages(&name) && !requests.contains_key(&name) {
            limits.entry(name).or_insert(amount);
        }
    }
    if !limits.is_empty() {
        for (name, amount) in of_containers(spec, "requests") {
            if is_shared(&name) {
                requests.entry(name).or_insert(amount);
            }
        }
        for (name, amount) in &limits {
            if is_shared(name) || is_huge_pages(name) {
                requests
                    .entry(name.clone())
                    .or_insert_with(|| amount.clone());
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

fn add(resources: &mut Value, field: &str, amounts: Amounts) {
    let mut all = get(resources, field).cloned().unwrap_or(Value::Null);
    if !matches!(all, Value::Map(_)) {
        all = Value::Map(Map::default());
    }
    for (name, amount) in amounts {
        if all.as_map().is_some_and(|all| all.get_str(&name).is_none()) {
            set(&mut all, &name, text(&amount));
        }
    }
    set(resources, field, all);
}

fn amounts(resources: &Value, field: &str) -> Amounts {
    let amounts = get(resources, field).and_then(Value::as_map);
    let amounts = amounts.into_iter().flat_map(Map::iter);
    amounts
        .filter_map(|(name, amount)| {
            Some((key_text(name)?.to_owned(), written(amount)?.into_owned()))
        })
        .collect()
}

fn written(amount: &Value) -> Option<Cow<'_, str>> {
    Some(match amount {
        Value::Null => Cow::Borrowed("0"),
        Value::String(text) => Cow::Borrowed(text.trim()),
        Value::Int(number) => Cow::Owned(number.to_string()),
        Value::Double(number) => Cow::Owned(number.to_string()),
        _ => return None,
    })
}

/// Returns the peak of what the containers need: all of them together, or one of the init
/// containers with the sidecars that run next to it.
fn of_containers(spec: &Value, field: &str) -> Amounts {
    let of = |container: &Value| {
        let resources = get(container, "resources");
        resources.map_or_else(Amounts::new, |it| amounts(it, field))
    };
    let mut all = Amounts::new();
    for container in elements(spec, "containers") {
        add_up(&mut all, &of(container));
    }
    let mut beside = Amounts::new();
    let mut first = Amounts::new();
    for container in elements(spec, "initContainers") {
        let own = of(container);
        if text_of(container, "restartPolicy") == "Always" {
            add_up(&mut all, &own);
            add_up(&mut beside, &own);
            raise(&mut first, &beside);
        } else {
            let mut together = own;
            add_up(&mut together, &beside);
            raise(&mut first, &together);
        }
    }
    raise(&mut all, &first);
    all
}

fn add_up(all: &mut Amounts, more: &Amounts) {
    for (name, amount) in more {
        let sum = all.get(name).map(|known| Quantity::sum(known, amount));
        // An overflow does not happen in a real pod.
        let sum = sum.unwrap_or_else(|| Some(amount.clone()));
        if let Some(sum) = sum {
            all.insert(name.clone(), sum);
        }
    }
}

fn raise(all: &mut Amounts, to: &Amounts) {
    for (name, amount) in to {
        let is_more = |known: &String| Quantity::order(amount, known) == Some(Ordering::Greater);
        if all.get(name).is_none_or(is_more) {
            all.insert(name.clone(), amount.clone());
        }
    }
}
