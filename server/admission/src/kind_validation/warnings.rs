//! The warnings about pods that depend on several values, by the names that rows use.
//!
//! Upstream: kubernetes/kubernetes, pkg/api/pod/warnings.go.

use super::pass::{Pass, Place, elements, path_in};
use super::relations::container_ports;
use crate::fields::{entries, get, list, plain, text};
use kubernetes::Quantity;
use kubernetes::quote::quote;

/// Warns of a quantity of bytes that is not a whole number.
pub(super) fn fraction(pass: &mut Pass, place: &Place<'_>) {
    let quantity = place
        .value
        .map(plain)
        .and_then(|text| Quantity::canonical(&text));
    if let Some(quantity) = quantity.filter(|it| it.ends_with(['m', 'u', 'n'])) {
        let value = quote(&quantity);
        pass.forbid(&format!(
            "fractional byte value {value} is invalid, must be an integer"
        ));
    }
}

/// Warns of a variable that replaces one of the same name without using it.
pub(super) fn hidden(pass: &mut Pass, place: &Place<'_>) {
    let variables = elements(place.scope, "env");
    for (index, variable) in variables.iter().enumerate() {
        let [name, value] = ["name", "value"].map(|field| text(variable, field));
        let mut before = variables.iter().take(index);
        let reference = format!("$({name})");
        let is_kept = value.contains(&reference) && value != reference;
        let is_kept = is_kept && get(variable, "valueFrom").is_none();
        if !is_kept && before.any(|it| text(it, "name") == name) {
            let name = quote(name);
            let detail = format!(
                "hides previous definition of {name}, which may be dropped when using apply"
            );
            pass.within(&[&format!("[{index}]")], |pass| pass.forbid(&detail));
        }
    }
}

/// Warns of the annotation of a pod about a container: the argument, with the name of the container.
pub(super) fn annotation(pass: &mut Pass, place: &Place<'_>) {
    let annotations = place.scope.find("^metadata.annotations");
    let key = format!("{}{}", place.argument(0), place.text());
    let known = annotations.map(entries).unwrap_or_default();
    if let Some(outer) = place
        .scope
        .outer
        .filter(|_| known.iter().any(|it| it.0 == key))
    {
        let path = path_in(outer, &format!("metadata.annotations[{key}]"));
        let inner = std::mem::replace(&mut pass.path, path);
        pass.forbid(place.rule.detail);
        pass.path = inner;
    }
}

/// Warns of the ports of containers that are equal or overlap.
pub(super) fn ports(pass: &mut Pass, place: &Place<'_>) {
    let mut seen: Vec<([String; 3], String)> = Vec::new();
    for field in ["initContainers", "containers"] {
        let containers = place.value.map(|spec| list(spec, field));
        for (step, port) in container_ports(containers.unwrap_or_default()) {
            let part = |name| get(port, name).map(plain).unwrap_or_default();
            let number = format!("{}/{}", part("containerPort"), part("protocol"));
            let [ip, host] = ["hostIP", "hostPort"].map(|it| part(it).into_owned());
            let path = format!("{}.{field}{step}", pass.path);
            let others = seen.iter().filter(|it| it.0.first() == Some(&number));
            for ([_, other_ip, other_host], other_path) in others {
                let words = if *other_ip == ip && *other_host == host {
                    "duplicate"
                } else if host.is_empty() || other_host.is_empty() {
                    "overlapping"
                } else if *other_host == host && other_ip.is_empty() != ip.is_empty() {
                    "dangerously ambiguous"
                } else {
                    continue;
                };
                let detail = format!("{words} port definition with {other_path}");
                pass.within(&[".", field, &step], |pass| pass.forbid(&detail));
            }
            seen.push(([number, ip, host], path));
        }
    }
}
