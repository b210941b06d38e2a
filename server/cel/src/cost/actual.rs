//! The actual costs of calls of Kubernetes' libraries that many functions share.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `CallCost`.

use super::STRING_TRAVERSAL;
use crate::value::Value;

/// Returns `size * factor`, rounded up.
#[must_use]
pub fn part(size: u64, factor: f64) -> u64 {
    (size as f64 * factor).ceil() as u64
}

/// Costs one pass over the code points of the first argument.
#[must_use]
pub fn reads_first(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    Some(part(args.first()?.size(), STRING_TRAVERSAL))
}

/// Costs two passes over the code points of the first argument, or one for it and one for a result
/// of the same size.
#[must_use]
pub fn reads_first_twice(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    Some(part(args.first()?.size(), 2.0 * STRING_TRAVERSAL))
}

/// Costs one pass over the code points of the result, and the same for writing it.
pub(crate) fn writes_result(_: &str, _: &[Value], result: &Value) -> Option<u64> {
    Some(part(result.size(), 2.0 * STRING_TRAVERSAL))
}

/// Costs one pass over everything in the first argument.
#[must_use]
pub fn traverses(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let mut left = MAX_VALUES;
    let cost = args
        .first()
        .map_or(Some(0), |value| traversal(value, &mut left));
    Some(cost.unwrap_or(MAX_COST))
}

/// More than any budget.
const MAX_COST: u64 = 1 << 40;

/// Limit: the values that are visited. No budget allows more, and values that share their parts
/// could take too long.
const MAX_VALUES: u32 = 1 << 22;

/// Returns the cost of reading a whole value. Here a string is measured in bytes, and the units are
/// rounded down. `None` if there are too many.
///
/// Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `traversalCost`.
fn traversal(value: &Value, left: &mut u32) -> Option<u64> {
    *left = left.checked_sub(1)?;
    let bytes = |length: usize| (length as f64 * STRING_TRAVERSAL) as u64;
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
