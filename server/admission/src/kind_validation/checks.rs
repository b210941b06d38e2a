//! The rules by the names that rows use, for single values.

use super::formats::{config_key, port_name};
use super::internal_json::internal_json;
use super::pass::{Check, Pass, Place, is_set, shown};
use super::{jobs, relations, updates, warnings};
use crate::fields::{entries, plain};
use cel::Value;
use kubernetes::Quantity;
use kubernetes::names::format::{label_value, qualified_name};
use kubernetes::quote::quote;
use policy::field_error::ErrorType;
use std::cmp::Ordering;

/// The rules.
pub(super) static CHECKS: &[(&str, Check)] = &[
    ("required", |pass, place| {
        let is_missing = match place.value {
            Some(Value::Map(map)) => map.is_empty(),
            value => !value.is_some_and(is_set),
        };
        require(pass, place, is_missing);
    }),
    ("set", |pass, place| {
        require(pass, place, place.value.is_none());
    }),
    ("missing", |pass, place| require(pass, place, true)),
    ("invalid", |pass, place| {
        if place.rule.strict || place.value.is_some() {
            invalid(pass, place, place.rule.detail);
        }
    }),
    ("forbidden", |pass, place| {
        if place.rule.strict || is_written(place.value) {
            pass.forbid(place.rule.detail);
        }
    }),
    ("unsupported", |pass, place| {
        let (first, known) = place.rule.arguments.split_first().unwrap_or((&"", &[]));
        let value = match *first {
            "plain" => shown(place.value),
            ty => internal_json(ty, place.value),
        };
        unsupported(pass, value, known, "");
    }),
    ("enum", |pass, place| {
        let text = place.text();
        let is_known = place.rule.arguments.contains(&text);
        if !is_known && (place.rule.strict || !text.is_empty()) {
            unsupported(pass, quote(text), &place.rule.arguments, place.rule.detail);
        }
    }),
    ("int", int),
    ("port_or_name", |pass, place| match place.value {
        Some(Value::String(text)) => {
            pass.malformed(text, &port_name(text));
        }
        _ => {
            let number = place.value.and_then(Value::as_int);
            if number.is_some() || place.rule.strict {
                in_range(pass, number.unwrap_or(0), (1, 65_535), PORT);
            }
        }
    }),
    ("int_or_percent", |pass, place| match place.value {
        Some(Value::String(text)) if percent(text).is_none() => pass.invalid(quote(text), PERCENT),
        Some(Value::Int(number)) => in_range(pass, *number, (0, i64::MAX), NOT_NEGATIVE),
        _ => {}
    }),
    ("hundred", |pass, place| {
        if percent(place.text()).is_some_and(|percent| percent > 100) {
            pass.invalid(quote(place.text()), "must not be greater than 100%");
        }
    }),
    ("labels", |pass, place| {
        for (key, value) in place.value.map(entries).unwrap_or_default() {
            pass.malformed(key, &qualified_name(key));
            let value = value.as_str().unwrap_or_default();
            pass.malformed(value, &label_value(value));
        }
    }),
    ("keys", |pass, place| {
        for (key, _) in place.value.map(entries).unwrap_or_default() {
            pass.malformed(key, &qualified_name(&key.to_lowercase()));
        }
    }),
    ("config_keys", |pass, place| {
        for (key, _) in place.value.map(entries).unwrap_or_default() {
            pass.within(&["[", key, "]"], |pass| {
                pass.malformed(key, &config_key(key));
            });
        }
    }),
    ("pod_field", pod_field),
    ("nonnegative", |pass, place| {
        compare_to_zero(pass, place, Ordering::Less, NOT_NEGATIVE);
    }),
    ("positive", |pass, place| {
        compare_to_zero(pass, place, Ordering::Equal, "must be greater than zero");
    }),
    ("basic_quantity", |pass, place| {
        let detail = "must be a valid resource quantity";
        compare_to_zero(pass, place, Ordering::Less, detail);
    }),
    ("size_limit", |pass, place| {
        let quantity = Quantity::parse(place.text());
        if quantity.is_ok_and(|it| it.sign() < 0) {
            pass.forbid(place.rule.detail);
        }
    }),
    ("one_value", |pass, place| {
        let count = place.value.and_then(Value::as_list).map_or(0, <[_]>::len);
        require(pass, place, count != 1);
    }),
    ("immutable", |pass, place| {
        if place.is_changed() {
            let detail = match place.rule.detail {
                "" => "field is immutable",
                detail => detail,
            };
            invalid(pass, place, detail);
        }
    }),
    ("unchanged", |pass, place| {
        if place.is_changed() {
            pass.forbid(place.rule.detail);
        }
    }),
    ("single", relations::single),
    ("unique", relations::unique),
    ("unique_pair", relations::unique_pair),
    ("unique_port", relations::unique_port),
    ("host_ports", relations::host_ports),
    ("known", relations::known),
    ("selected", relations::selected),
    ("convertible", relations::convertible),
    ("within_limits", relations::within_limits),
    ("ordered", relations::ordered),
    ("at_least", |pass, place| {
        relations::compare(pass, place, i64::ge);
    }),
    ("more_than", |pass, place| {
        relations::compare(pass, place, i64::gt);
    }),
    ("inside", relations::inside),
    ("only_added", relations::only_added),
    ("first_kept", relations::first_kept),
    ("unchanged_but", relations::unchanged_but),
    ("pod_unchanged", updates::pod_unchanged),
    ("source_unchanged", updates::source_unchanged),
    ("claim_unchanged", updates::claim_unchanged),
    ("generated_selector", jobs::generated_selector),
    ("in_tandem", jobs::in_tandem),
    ("template_kept", jobs::template_kept),
    ("fraction", warnings::fraction),
    ("hidden", warnings::hidden),
    ("annotation", warnings::annotation),
    ("ports", warnings::ports),
];

const PORT: &str = "must be between 1 and 65535, inclusive";
const NOT_NEGATIVE: &str = "must be greater than or equal to 0";
const PERCENT: &str = "a valid percent string must be a numeric string followed by an ending '%' \
                       (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

fn require(pass: &mut Pass, place: &Place<'_>, is_missing: bool) {
    if is_missing {
        pass.add(ErrorType::Required, None, place.rule.detail);
    }
}

/// Returns whether a client has written a value: `false` and 0 count.
fn is_written(value: Option<&Value>) -> bool {
    value.is_some_and(|value| is_set(value) || matches!(value, Value::Bool(_)))
}

/// Adds an error about a value, shown as the type in the first argument if there is one.
fn invalid(pass: &mut Pass, place: &Place<'_>, detail: &str) {
    let value = match place.argument(0) {
        "" => shown(place.value),
        ty => internal_json(ty, place.value),
    };
    pass.invalid(value, detail);
}

fn unsupported(pass: &mut Pass, value: String, known: &[&str], detail: &str) {
    if !detail.is_empty() {
        return pass.invalid(value, detail);
    }
    let known: Vec<String> = known.iter().map(|it| quote(it)).collect();
    let detail = format!("supported values: {}", known.join(", "));
    pass.add(ErrorType::NotSupported, Some(value), &detail);
}

/// Checks a number: the argument is `FIRST..LAST`, each of which may be left out.
fn int(pass: &mut Pass, place: &Place<'_>) {
    let number = place.value.and_then(Value::as_int);
    if number.is_none() && !place.rule.strict {
        return;
    }
    let (first, last) = place.argument(0).split_once("..").unwrap_or_default();
    let range = (
        first.parse().unwrap_or(i64::MIN),
        last.parse().unwrap_or(i64::MAX),
    );
    in_range(pass, number.unwrap_or(0), range, place.rule.detail);
}

fn in_range(pass: &mut Pass, number: i64, (first, last): (i64, i64), detail: &str) {
    if !(first..=last).contains(&number) {
        pass.invalid(number.to_string(), detail);
    }
}

/// Returns the number of a percentage.
fn percent(text: &str) -> Option<u64> {
    let digits = text.strip_suffix('%')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// Checks the path of a field of a pod: one of the arguments, or a label or an annotation.
fn pod_field(pass: &mut Pass, place: &Place<'_>) {
    let text = place.text();
    let mut keyed = ["metadata.labels['", "metadata.annotations['"].iter();
    let known = &place.rule.arguments;
    let version = place.scope.find("apiVersion").and_then(Value::as_str);
    let version = version.unwrap_or_default();
    if version == "v1" && (known.contains(&text) || keyed.any(|it| text.starts_with(it))) {
        return;
    }
    let parts = ["metadata.", "spec.", "status."];
    let detail = match version {
        "v1" if parts.iter().any(|it| text.starts_with(it)) => {
            return unsupported(pass, quote(text), known, "");
        }
        "v1" => format!("field label not supported: {text}"),
        _ => format!("unsupported pod version: {version}"),
    };
    let detail = format!("error converting fieldPath: {detail}");
    pass.invalid(quote(text), &detail);
}

/// Adds an error if a quantity is less than zero, or also if it is zero. It shows the quantity as
/// a number if that is the argument, and as a string otherwise.
fn compare_to_zero(pass: &mut Pass, place: &Place<'_>, most: Ordering, detail: &str) {
    let text = place.value.map(plain).unwrap_or_default();
    if let Ok(quantity) = Quantity::parse(&text)
        && quantity.sign().cmp(&0) <= most
    {
        let number = quantity.as_int().filter(|_| place.argument(0) == "number");
        pass.invalid(
            number.map_or_else(|| quote(&text), |it| it.to_string()),
            detail,
        );
    }
}
