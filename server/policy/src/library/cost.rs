//! The costs of calls that many functions share.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `CallCost`.

use cel::cost::{REGEX_LENGTH, STRING_TRAVERSAL, calls};
use cel::library::Function;
use cel::value::{Key, Value};

/// `size * factor`, rounded up.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the server computes in doubles as well"
)]
pub(super) fn part(size: u64, factor: f64) -> u64 {
    (size as f64 * factor).ceil() as u64
}

/// Returns a function whose calls cost one unit: the base of a table's entry.
pub(super) const fn nominal(name: &'static str) -> Function {
    Function {
        cost: Some(one),
        estimate: Some(calls::nominal),
        ..Function::named(name)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of all cost functions")]
fn one(_: &str, _: &[Value], _: &Value) -> Option<u64> {
    Some(1)
}

/// One pass over the code points of the first argument.
pub(super) fn reads_first(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    Some(part(args.first()?.size(), STRING_TRAVERSAL))
}

/// Two passes over the code points of the first argument.
pub(super) fn reads_first_twice(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    Some(part(args.first()?.size(), 2.0 * STRING_TRAVERSAL))
}

/// Returns the cost of a regular expression over a string.
pub(super) fn finds(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let (text, pattern) = (args.first()?, args.get(1)?);
    Some(matches(text.size(), pattern.size()))
}

/// Returns the cost for the lengths of a string and a regular expression.
pub(super) fn matches(text: u64, pattern: u64) -> u64 {
    let text = part(text.saturating_add(1), STRING_TRAVERSAL);
    text.saturating_mul(part(pattern, REGEX_LENGTH))
}

/// One pass over everything in the first argument.
pub(super) fn traverses(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let mut left = MAX_VISITS;
    let cost = args
        .first()
        .map_or(Some(0), |value| traversal(value, &mut left));
    Some(cost.unwrap_or(MAX_COST))
}

/// Limit: how many values are looked at. Lists that share their elements can hold far more
/// than there are in memory.
const MAX_VISITS: u64 = 1_000_000;

/// More than any budget.
const MAX_COST: u64 = 1 << 40;

/// Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `traversalCost`. Strings count
/// their bytes, and the units are rounded down. `None` if the value is too large to traverse.
fn traversal(value: &Value, left: &mut u64) -> Option<u64> {
    *left = left.checked_sub(1)?;
    match value {
        Value::String(text) => Some(bytes(text.len())),
        Value::Bytes(data) => Some(bytes(data.len())),
        Value::List(elements) => elements.iter().map(|value| traversal(value, left)).sum(),
        Value::Map(map) => map
            .iter()
            .map(|(key, value)| Some(key_cost(key) + traversal(value, left)?))
            .sum(),
        _ => Some(1),
    }
}

fn key_cost(key: &Key) -> u64 {
    match key {
        Key::String(text) => bytes(text.len()),
        _ => 1,
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the server computes in doubles as well"
)]
fn bytes(length: usize) -> u64 {
    (length as f64 * STRING_TRAVERSAL) as u64
}
