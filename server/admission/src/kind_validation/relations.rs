//! The rules by the names that rows use, for values that depend on others.

use super::formats::parse_cidr;
use super::internal_json::internal_json;
use super::pass::{Pass, Place, elements, is_set, name_of, path_in};
use super::updates::without;
use crate::fields::{entries, get, list, plain, selects as matches, text};
use crate::strategy::is_same;
use cel::Value;
use kubernetes::Quantity;
use kubernetes::defaults::key_text;
use kubernetes::quote::quote;
use policy::field_error::{ErrorType, FieldError};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;

fn items<'a>(place: &Place<'a>) -> &'a [Value] {
    place.value.and_then(Value::as_list).unwrap_or_default()
}

/// Adds an error for each of the fields in the arguments that is set besides another one.
pub(super) fn single(pass: &mut Pass, place: &Place<'_>) {
    let is_present = |name: &&&str| place.value.is_some_and(|it| get(it, name).is_some());
    for name in place.rule.arguments.iter().filter(is_present).skip(1) {
        pass.within(&[".", name], |pass| pass.forbid(place.rule.detail));
    }
}

/// Checks that the field in the first argument differs between elements, and from the elements of
/// the list in the second argument. `.` is the element itself.
pub(super) fn unique(pass: &mut Pass, place: &Place<'_>) {
    let field = place.argument(0);
    let key = |value| match field {
        "." => plain(value),
        _ => get(value, field).map(plain).unwrap_or_default(),
    };
    let others = elements(place.scope, place.argument(1).trim_start_matches('.'));
    let mut seen: HashSet<_> = others.iter().map(key).collect();
    for (index, item) in items(place).iter().enumerate() {
        let key = key(item);
        if (!key.is_empty() || place.rule.strict) && !seen.insert(key.clone()) {
            let step = format!("[{index}].{field}");
            pass.within(&[step.trim_end_matches('.')], |pass| {
                match place.rule.detail {
                    "" => pass.add(ErrorType::Duplicate, Some(quote(&key)), ""),
                    detail => pass.invalid(quote(&key), detail),
                }
            });
        }
    }
}

/// Returns the fields of each element that the arguments name.
fn keys(place: &Place<'_>) -> Vec<Vec<String>> {
    let names = &place.rule.arguments;
    let field = |item, name| get(item, name).map_or_else(String::new, |it| plain(it).into_owned());
    let key = |item| names.iter().map(|name| field(item, name)).collect();
    items(place).iter().map(key).collect()
}

/// Checks that the combination of the fields in the arguments differs. An error is at the earlier
/// element.
pub(super) fn unique_pair(pass: &mut Pass, place: &Place<'_>) {
    let names = place.rule.arguments.join(", ");
    let keys = keys(place);
    for (index, key) in keys.iter().enumerate() {
        for _ in keys.iter().skip(index + 1).filter(|later| *later == key) {
            pass.within(&[&format!("[{index}].{{{names}}}")], |pass| {
                let value = format!("{{{}}}", key.join(", "));
                pass.add(ErrorType::Duplicate, Some(quote(&value)), "");
            });
        }
    }
}

/// Checks that the ports of a service differ in the fields in the arguments. An error shows the
/// last one if it is optional, and the port otherwise.
pub(super) fn unique_port(pass: &mut Pass, place: &Place<'_>) {
    let last = place.argument(1);
    let mut seen = HashSet::new();
    for (index, (item, key)) in items(place).iter().zip(keys(place)).enumerate() {
        let number = key.last().cloned().unwrap_or_default();
        if seen.insert(key) || last == "nodePort" && number.is_empty() {
            continue;
        }
        if last == "nodePort" {
            pass.within(&[&format!("[{index}].{last}")], |pass| {
                pass.add(ErrorType::Duplicate, Some(number), "");
            });
            continue;
        }
        let mut compared = item.clone();
        if let Some(fields) = compared.as_map_mut() {
            let is_key = |key: &str| place.rule.arguments.contains(&key);
            fields.retain(|key, _| key_text(key).is_some_and(is_key));
        }
        let shown = internal_json("ServicePort", Some(&compared));
        pass.within(&[&format!("[{index}]")], |pass| {
            pass.add(ErrorType::Duplicate, Some(shown), "");
        });
    }
}

/// Returns the ports of containers, with where they are.
pub(super) fn container_ports(containers: &[Value]) -> impl Iterator<Item = (String, &Value)> {
    containers
        .iter()
        .enumerate()
        .flat_map(|(index, container)| {
            let ports = list(container, "ports").iter().enumerate();
            ports.map(move |(number, port)| (format!("[{index}].ports[{number}]"), port))
        })
}

/// Checks that no two containers use a port of the host.
pub(super) fn host_ports(pass: &mut Pass, place: &Place<'_>) {
    let mut seen = HashSet::new();
    for (step, port) in container_ports(items(place)) {
        let Some(host_port) = get(port, "hostPort").filter(|it| is_set(it)) else {
            continue;
        };
        let [protocol, ip] = ["protocol", "hostIP"].map(|field| text(port, field));
        let key = format!("{protocol}/{ip}/{}", plain(host_port));
        if !seen.insert(key.clone()) {
            pass.within(&[&step, ".hostPort"], |pass| {
                pass.add(ErrorType::Duplicate, Some(quote(&key)), "");
            });
        }
    }
}

/// Checks that a name is that of an element without errors in one of the lists in the arguments.
pub(super) fn known(pass: &mut Pass, place: &Place<'_>) {
    let name = place.text();
    let is_known = place.rule.arguments.iter().any(|path| {
        let mut outer = Some(place.scope);
        for _ in path.matches('^') {
            outer = outer.and_then(|scope| scope.outer);
        }
        let root = outer.map_or("", |scope| scope.path);
        let list = path.trim_start_matches('^');
        let mut names = elements(place.scope, path).iter().map(name_of).enumerate();
        let is_valid = |index| !pass.has_error_in(&format!("{root}.{list}[{index}]"));
        names.any(|(index, known)| known == name && is_valid(index))
    });
    if !is_known {
        pass.add(ErrorType::NotFound, Some(quote(name)), "");
    }
}

/// Checks that the selector in the argument matches labels. It is a map of labels or has
/// `matchLabels`. An invalid selector has its own errors, and no selector matches nothing.
pub(super) fn selected(pass: &mut Pass, place: &Place<'_>) {
    let field = place.argument(0);
    if pass.has_error_in(&path_in(place.scope, field)) && place.scope.find(field).is_some() {
        return;
    }
    let label = |name: &str| get(place.value?, name)?.as_str();
    let is_matched = place.scope.find(field).is_some_and(|selector| {
        if place.argument(1) == "labels" {
            let mut wanted = entries(selector).into_iter();
            wanted.all(|(key, value)| label(key) == value.as_str())
        } else {
            matches(selector, label)
        }
    });
    if !is_matched {
        pass.invalid(internal_json("any", place.value), place.rule.detail);
    }
}

/// Adds an error about the selector in the argument if its parts have errors.
pub(super) fn convertible(pass: &mut Pass, place: &Place<'_>) {
    let path = path_in(place.scope, place.argument(0));
    let selector = place.scope.find(place.argument(0));
    let parts = ["matchLabels", "matchExpressions"];
    let has_error = parts
        .iter()
        .any(|part| pass.has_error_in(&format!("{path}.{part}")));
    if has_error && selector.is_some() {
        let shown = internal_json("LabelSelector", selector);
        let error = FieldError::new(path, ErrorType::Invalid, Some(shown), place.rule.detail);
        pass.errors.push(error);
    }
}

/// Returns the quantities of a field that exceed those of another one, by name, with both.
fn exceeding<'a>(place: &Place<'a>, low: &str, high: &str) -> Vec<(&'a str, [Cow<'a, str>; 2])> {
    let [low, high] = [low, high].map(|field| place.scope.find(field));
    let both = low.map(entries).unwrap_or_default().into_iter();
    let both = both.filter_map(|(name, low)| Some((name, [low, get(high?, name)?].map(plain))));
    both.filter(|(_, [low, high])| Quantity::order(low, high) == Some(Ordering::Greater))
        .collect()
}

/// Checks that requests for resources do not exceed the limits.
pub(super) fn within_limits(pass: &mut Pass, place: &Place<'_>) {
    for (name, [request, limit]) in exceeding(place, "requests", "limits") {
        let detail = format!("must be less than or equal to {name} limit of {limit}");
        pass.within(&[".requests"], |pass| {
            pass.invalid(quote(&request), &detail);
        });
    }
}

/// Checks that no quantity of the field in the first argument exceeds that of the second one. An
/// error shows the third one; its text has both names.
pub(super) fn ordered(pass: &mut Pass, place: &Place<'_>) {
    let (low_name, high_name) = place.rule.detail.split_once('|').unwrap_or_default();
    for (name, [low, high]) in exceeding(place, place.argument(0), place.argument(1)) {
        let shown = place.scope.find(place.argument(2));
        if let Some(value) = shown.and_then(|it| get(it, name)).map(plain) {
            let detail = format!("{low_name} {low} is greater than {high_name} {high}");
            pass.within(&["[", name, "]"], |pass| {
                pass.invalid(quote(&value), &detail);
            });
        }
    }
}

/// Compares a number with the one at the path in the argument.
pub(super) fn compare(pass: &mut Pass, place: &Place<'_>, holds: fn(&i64, &i64) -> bool) {
    let other = place.scope.find(place.argument(0)).and_then(Value::as_int);
    let number = place.value.and_then(Value::as_int);
    let number = number.or(place.rule.strict.then_some(0));
    if let Some((number, other)) = number.zip(other)
        && !holds(&number, &other)
    {
        pass.invalid(number.to_string(), place.rule.detail);
    }
}

/// Checks that a range of addresses is a part of the one at the path in the argument.
pub(super) fn inside(pass: &mut Pass, place: &Place<'_>) {
    let outer = place.scope.find(place.argument(0)).and_then(Value::as_str);
    let Some((outer, inner)) = outer.and_then(parse_cidr).zip(parse_cidr(place.text())) else {
        return;
    };
    let network = |(bits, size, _): (u128, u32, u32)| bits.checked_shr(size - outer.2);
    let is_inside = outer.1 == inner.1 && outer.2 < inner.2 && network(outer) == network(inner);
    if !is_inside {
        pass.invalid(quote(place.text()), "must be a strict subset of `cidr`");
    }
}

/// Checks that an update keeps the elements, except for their `tolerationSeconds`.
pub(super) fn only_added(pass: &mut Pass, place: &Place<'_>) {
    let bare = |value: &Value| without(Some(value), &["tolerationSeconds"]);
    let old = place.old.and_then(Value::as_list).unwrap_or_default();
    let is_kept = |old: &Value| items(place).iter().any(|it| is_same(&bare(it), &bare(old)));
    if !old.iter().all(is_kept) {
        pass.forbid(place.rule.detail);
    }
}

/// Checks that an update keeps the first element, if there was one.
pub(super) fn first_kept(pass: &mut Pass, place: &Place<'_>) {
    let old = place.old.and_then(Value::as_list).and_then(<[_]>::first);
    if let Some((old, new)) = old.zip(items(place).first())
        && old != new
    {
        let shown = internal_json("any", place.value);
        pass.within(&["[0]"], |pass| pass.invalid(shown, place.rule.detail));
    }
}

/// Checks that an update changes only the fields in the arguments.
pub(super) fn unchanged_but(pass: &mut Pass, place: &Place<'_>) {
    let [value, old] = [place.value, place.old].map(|it| without(it, &place.rule.arguments));
    if place.scope.old.is_some() && !is_same(&value, &old) {
        pass.forbid(place.rule.detail);
    }
}
