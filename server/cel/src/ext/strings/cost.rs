//! The actual cost of calls of the strings library in Kubernetes.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `CallCost` and `traversalCost`.

use crate::value::Value;

/// The cost of looking at one code point.
const TRAVERSAL: f64 = 0.1;

/// One pass over the code points of the string.
pub(super) fn reads_text(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let size = args.first()?.size();
    Some((size as f64 * TRAVERSAL).ceil() as u64)
}

/// One pass over the code points of the string, and as much for the result.
pub(super) fn rewrites_text(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    Some(twice(args.first()?.size()))
}

/// One pass over the code points of the result, and as much for writing it.
pub(super) fn writes_text(_: &str, _: &[Value], result: &Value) -> Option<u64> {
    Some(twice(result.size()))
}

fn twice(size: u64) -> u64 {
    (size as f64 * 2.0 * TRAVERSAL).ceil() as u64
}

/// One pass over everything that is searched.
pub(super) fn scans(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let mut left = MAX_VALUES;
    let cost = args
        .first()
        .map_or(Some(0), |value| traversal(value, &mut left));
    Some(cost.unwrap_or(MAX_COST))
}

/// More than any budget.
const MAX_COST: u64 = 1 << 40;

/// The values that are looked at. No budget allows as many, and values that share their parts
/// can have more than there is time for.
const MAX_VALUES: u32 = 1 << 22;

/// The cost of looking at all of a value. Here bytes count, also those of a string. `None` if
/// there are too many.
fn traversal(value: &Value, left: &mut u32) -> Option<u64> {
    *left = left.checked_sub(1)?;
    let bytes = |length: usize| (length as f64 * TRAVERSAL) as u64;
    match value {
        Value::String(text) => Some(bytes(text.len())),
        Value::Bytes(content) => Some(bytes(content.len())),
        Value::List(elements) => elements.iter().map(|value| traversal(value, left)).sum(),
        Value::Map(map) => map
            .iter()
            .map(|(key, value)| Some(traversal(&key.value(), left)? + traversal(value, left)?))
            .sum(),
        _ => Some(1),
    }
}
