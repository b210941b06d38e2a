//! The bounds of a LimitRange: minimum, maximum, and the ratio of limits to requests.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/limitranger/admission.go, minConstraint,
//! maxConstraint, maxRequestConstraint, limitRequestRatioConstraint, podRequests.

use crate::fields::{get, list, text};
use cel::Value;
use cel::value::Map;
use kubernetes::Quantity;
use kubernetes::defaults::key_text;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Quantities by the name of their resource.
type Quantities = BTreeMap<String, String>;

/// A function that returns the error of a bound of one resource, by its name.
type Check = fn(&Usage, &str, &str) -> Option<String>;

/// The requests and limits of a container, a pod or a claim.
pub(super) struct Usage {
    /// The type of the bounds: `Container`, `Pod` or `PersistentVolumeClaim`.
    pub(super) of: &'static str,
    requests: Quantities,
    limits: Quantities,
}

impl Usage {
    pub(super) fn of_claim(spec: &Value) -> Self {
        Self {
            of: "PersistentVolumeClaim",
            requests: quantities(spec, "requests"),
            limits: Quantities::new(),
        }
    }

    /// Returns the usages of the containers of a pod, and of the pod.
    pub(super) fn of_pod(spec: &Value) -> Vec<Self> {
        let containers = [list(spec, "containers"), list(spec, "initContainers")];
        let containers = containers.into_iter().flatten();
        let mut usages: Vec<Self> = containers
            .map(|container| Self {
                of: "Container",
                requests: quantities(container, "requests"),
                limits: quantities(container, "limits"),
            })
            .collect();
        usages.push(Self {
            of: "Pod",
            requests: total(spec, "requests"),
            limits: total(spec, "limits"),
        });
        usages
    }

    /// Returns the errors of the bounds that the usage violates.
    pub(super) fn errors(&self, item: &Value) -> Vec<String> {
        let maximum = if self.of == "PersistentVolumeClaim" {
            Self::request
        } else {
            Self::maximum
        };
        let bounds: [(&str, Check); 3] = [
            ("min", Self::minimum),
            ("max", maximum),
            ("maxLimitRequestRatio", Self::ratio),
        ];
        let mut errors = Vec::new();
        for (field, check) in bounds {
            for (name, bound) in read(get(item, field)) {
                errors.extend(check(self, &name, &bound));
            }
        }
        errors
    }

    fn minimum(&self, name: &str, bound: &str) -> Option<String> {
        let words = format!("minimum {name} usage per {} is {bound}", self.of);
        let Some(request) = self.requests.get(name) else {
            return Some(format!("{words}.  No request is specified"));
        };
        let mut usages = [("request", Some(request)), ("limit", self.limits.get(name))].into_iter();
        usages.find_map(|(what, usage)| outside(&words, what, usage?, bound, Ordering::Less))
    }

    fn maximum(&self, name: &str, bound: &str) -> Option<String> {
        let words = format!("maximum {name} usage per {} is {bound}", self.of);
        let Some(limit) = self.limits.get(name) else {
            return Some(format!("{words}.  No limit is specified"));
        };
        let mut usages = [("limit", Some(limit)), ("request", self.requests.get(name))].into_iter();
        usages.find_map(|(what, usage)| outside(&words, what, usage?, bound, Ordering::Greater))
    }

    /// Checks the maximum of something without limits.
    fn request(&self, name: &str, bound: &str) -> Option<String> {
        let words = format!("maximum {name} usage per {} is {bound}", self.of);
        match self.requests.get(name) {
            None => Some(format!("{words}.  No request is specified")),
            Some(request) => outside(&words, "request", request, bound, Ordering::Greater),
        }
    }

    fn ratio(&self, name: &str, bound: &str) -> Option<String> {
        let words = format!(
            "{name} max limit to request ratio per {} is {bound}",
            self.of
        );
        let number = |text: &String| Quantity::parse(text).ok().map(|it| it.as_float());
        let of = |all: &Quantities| all.get(name).and_then(number).filter(|it| *it != 0.0);
        let Some(request) = of(&self.requests) else {
            return Some(format!(
                "{words}, but no request is specified or request is 0"
            ));
        };
        let Some(limit) = of(&self.limits) else {
            return Some(format!("{words}, but no limit is specified or limit is 0"));
        };
        let ratio = limit / request;
        let is_above =
            number(&bound.to_owned()).is_some_and(|bound| ratio * 1000.0 > bound * 1000.0);
        is_above.then(|| format!("{words}, but provided ratio is {ratio:.6}"))
    }
}

fn outside(words: &str, what: &str, usage: &str, bound: &str, side: Ordering) -> Option<String> {
    let is_outside = Quantity::order(usage, bound) == Some(side);
    is_outside.then(|| format!("{words}, but {what} is {usage}"))
}

/// Returns the requests or the limits of something with `resources`.
fn quantities(owner: &Value, field: &str) -> Quantities {
    read(get(owner, "resources").and_then(|it| get(it, field)))
}

fn read(quantities: Option<&Value>) -> Quantities {
    let entries = quantities
        .and_then(Value::as_map)
        .into_iter()
        .flat_map(Map::iter);
    let entries = entries.filter_map(|(name, quantity)| {
        let quantity = match quantity {
            Value::String(text) => text.to_string(),
            number => number.to_string(),
        };
        Some((key_text(name)?.to_owned(), Quantity::canonical(&quantity)?))
    });
    entries.collect()
}

/// Returns the requests or limits of a pod: the sum of those of its containers, or the most that
/// its init containers need, with the sidecars started before them. Those of the pod itself take
/// precedence.
fn total(spec: &Value, field: &str) -> Quantities {
    let mut sum = Quantities::new();
    let containers = list(spec, "containers").iter();
    containers.for_each(|it| add(&mut sum, &quantities(it, field)));
    let (mut sidecars, mut most) = (Quantities::new(), Quantities::new());
    for container in list(spec, "initContainers") {
        let mut own = quantities(container, field);
        if text(container, "restartPolicy") == "Always" {
            add(&mut sum, &own);
            add(&mut sidecars, &own);
            own.clone_from(&sidecars);
        } else {
            add(&mut own, &sidecars);
        }
        raise(&mut most, own);
    }
    raise(&mut sum, most);
    sum.extend(quantities(spec, field));
    sum
}

fn add(sum: &mut Quantities, other: &Quantities) {
    for (name, quantity) in other {
        let known = sum.get(name);
        let both = known.and_then(|known| Quantity::sum(known, quantity));
        sum.insert(name.clone(), both.unwrap_or_else(|| quantity.clone()));
    }
}

fn raise(most: &mut Quantities, other: Quantities) {
    for (name, quantity) in other {
        let known = most.entry(name).or_insert_with(|| quantity.clone());
        if Quantity::order(known, &quantity) == Some(Ordering::Less) {
            *known = quantity;
        }
    }
}
