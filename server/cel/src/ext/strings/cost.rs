//! What calls of the strings library have cost in Kubernetes.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `CallCost` and `traversalCost`.

use crate::value::Value;

/// The cost of looking at one code point.
const TRAVERSAL: f64 = 0.1;

/// A look at each code point of the text.
pub(super) fn reads_text(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let size = args.first()?.size();
    Some((size as f64 * TRAVERSAL).ceil() as u64)
}

/// A look at each code point of the text, and as much for what is made of it.
pub(super) fn rewrites_text(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    Some(twice(args.first()?.size()))
}

/// A look at each code point of the result, and as much for writing it.
pub(super) fn writes_text(_: &str, _: &[Value], result: &Value) -> Option<u64> {
    Some(twice(result.size()))
}

fn twice(size: u64) -> u64 {
    (size as f64 * 2.0 * TRAVERSAL).ceil() as u64
}

/// A look at everything that is searched.
pub(super) fn scans(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    Some(args.first().map_or(0, traversal))
}

/// The cost of looking at all of a value. Here bytes count, also those of a text.
fn traversal(value: &Value) -> u64 {
    let bytes = |length: usize| (length as f64 * TRAVERSAL) as u64;
    match value {
        Value::String(text) => bytes(text.len()),
        Value::Bytes(content) => bytes(content.len()),
        Value::List(elements) => elements.iter().map(traversal).sum(),
        Value::Map(map) => map
            .iter()
            .map(|(key, value)| traversal(&key.value()) + traversal(value))
            .sum(),
        _ => 1,
    }
}
