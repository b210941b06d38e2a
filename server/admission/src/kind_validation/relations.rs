//! The rules by the names that rows use, for values that depend on others.

use super::formats::parse_cidr;
use super::internal_json::internal_json;
use super::pass::{Pass, Place, Scope, elements, entries, is_set, name_of, plain};
use crate::fields::{get, list, selects as matches, text};
use crate::strategy::is_same;
use cel::Value;
use cel::value::Map;
use kubernetes::Quantity;
use kubernetes::defaults::key_text;
use kubernetes::quote::quote;
use policy::field_error::{ErrorType, FieldError};
use std::cmp::Ordering;
use std::collections::HashSet;

fn items<'a>(place: &Place<'a>) -> &'a [Value] {
    place.value.and_then(Value::as_list).unwrap_or_default()
}

/// Adds an error for each of the fields in the arguments that is set besides another one.
pub(super) fn single(pass: &mut Pass, place: &Place<'_>) {
    let is_present = |name: &&&str| place.value.is_some_and(|it| get(it, name).is_some());
    for name in place.rule.arguments.iter().filter(is_present).skip(1) {
        pass.within(&[".", name], |pass| {
            pass.add(ErrorType::Forbidden, None, place.rule.detail);
        });
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
            let step = if field == "." {
                format!("[{index}]")
            } else {
                format!("[{index}].{field}")
            };
            pass.within(&[&step], |pass| {
                pass.add(ErrorType::Duplicate, Some(quote(&key)), "");
            });
        }
    }
}

/// Returns the fields of each element that the arguments name.
fn keys(place: &Place<'_>) -> Vec<Vec<String>> {
    let key = |item: &Value| {
        let field = |name: &&'static str| get(item, name).map(plain).unwrap_or_default();
        place
            .rule
            .arguments
            .iter()
            .map(|name| field(name).into_owned())
            .collect()
    };
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
        let number = key.last().cloned().filter(|number| !number.is_empty());
        if seen.insert(key) {
            continue;
        }
        if last == "nodePort" {
            pass.within(&[&format!("[{index}].{last}")], |pass| {
                if number.is_some() {
                    pass.add(ErrorType::Duplicate, number, "");
                }
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

/// Checks that no two volumes are mounted at one path.
pub(super) fn unique_mounts(pass: &mut Pass, place: &Place<'_>) {
    let mut seen = HashSet::new();
    for (index, mount) in items(place).iter().enumerate() {
        let path = text(mount, "mountPath");
        if !seen.insert(path) {
            pass.within(&[&format!("[{index}].mountPath")], |pass| {
                pass.invalid(quote(path), "must be unique");
            });
        }
    }
}

/// Checks that no two containers use a port of the host.
pub(super) fn host_ports(pass: &mut Pass, place: &Place<'_>) {
    let mut seen = HashSet::new();
    for (index, container) in items(place).iter().enumerate() {
        for (number, port) in list(container, "ports").iter().enumerate() {
            let Some(host_port) = get(port, "hostPort").filter(|it| is_set(it)) else {
                continue;
            };
            let [protocol, ip] = ["protocol", "hostIP"].map(|field| text(port, field));
            let key = format!("{protocol}/{ip}/{}", plain(host_port));
            if !seen.insert(key.clone()) {
                pass.within(&[&format!("[{index}].ports[{number}].hostPort")], |pass| {
                    pass.add(ErrorType::Duplicate, Some(quote(&key)), "");
                });
            }
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

/// Returns the path of a field of a scope, as errors show it.
fn path_in(scope: &Scope<'_>, field: &str) -> String {
    let separator = if scope.path.is_empty() { "" } else { "." };
    format!("{}{separator}{field}", scope.path)
}

/// Returns whether a selector has no conditions.
fn is_empty(selector: &Value) -> bool {
    let labels = get(selector, "matchLabels").and_then(Value::as_map);
    labels.is_none_or(Map::is_empty) && list(selector, "matchExpressions").is_empty()
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

/// Checks that a selector has conditions.
pub(super) fn selects(pass: &mut Pass, place: &Place<'_>) {
    if place.value.is_some_and(is_empty) {
        let shown = internal_json("LabelSelector", place.value);
        pass.invalid(shown, place.rule.detail);
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

/// Checks that requests for resources do not exceed the limits.
pub(super) fn within_limits(pass: &mut Pass, place: &Place<'_>) {
    for (name, request) in place
        .scope
        .find("requests")
        .map(entries)
        .unwrap_or_default()
    {
        let limits = place.scope.find("limits");
        let limit = limits.and_then(|limits| get(limits, name));
        let Some((limit, request)) = limit.map(|limit| (plain(limit), plain(request))) else {
            continue;
        };
        if Quantity::order(&request, &limit) == Some(Ordering::Greater) {
            let detail = format!("must be less than or equal to {name} limit of {limit}");
            pass.within(&[".requests"], |pass| {
                pass.invalid(quote(&request), &detail);
            });
        }
    }
}

/// Checks that no quantity of the field in the first argument exceeds that of the second one. An
/// error shows the third one; its text has both names.
pub(super) fn ordered(pass: &mut Pass, place: &Place<'_>) {
    let field = |index| place.scope.find(place.argument(index));
    let (low_name, high_name) = place.rule.detail.split_once('|').unwrap_or_default();
    for (name, low) in field(0).map(entries).unwrap_or_default() {
        let of = |map: &Value| get(map, name).map(|it| plain(it).into_owned());
        let (Some(high), Some(value)) = (field(1).and_then(of), field(2).and_then(of)) else {
            continue;
        };
        let low = plain(low);
        if Quantity::order(&low, &high) == Some(Ordering::Greater) {
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
    let bare = |value: &Value| {
        let mut value = value.clone();
        if let Some(fields) = value.as_map_mut() {
            fields.take_str("tolerationSeconds");
        }
        value
    };
    let old = place.old.and_then(Value::as_list).unwrap_or_default();
    let is_kept = |old: &Value| items(place).iter().any(|it| is_same(&bare(it), &bare(old)));
    if !old.iter().all(is_kept) {
        pass.add(ErrorType::Forbidden, None, place.rule.detail);
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
    let mut fixed = [place.value, place.old].map(|it| it.cloned().unwrap_or(Value::Null));
    for fields in fixed.iter_mut().filter_map(Value::as_map_mut) {
        let may_change = |key: &str| place.rule.arguments.contains(&key);
        fields.retain(|key, _| key_text(key).is_some_and(|key| !may_change(key)));
    }
    let [value, old] = &fixed;
    let place = Place {
        value: Some(value),
        old: Some(old),
        ..*place
    };
    if place.is_changed() {
        pass.add(ErrorType::Forbidden, None, place.rule.detail);
    }
}
