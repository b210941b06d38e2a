//! The costs of calls that many functions share.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `CallCost`.

use cel::cost::actual::part;
pub(super) use cel::cost::actual::{reads_first, reads_first_twice, traverses};
use cel::cost::{REGEX_LENGTH, STRING_TRAVERSAL, calls};
use cel::library::Function;
use cel::value::Value;

/// Returns a function whose calls cost one unit: the base of a table's entry.
pub(super) const fn nominal(name: &'static str) -> Function {
    Function {
        cost: Some(one),
        estimate: Some(calls::nominal),
        ..Function::named(name)
    }
}

fn one(_: &str, _: &[Value], _: &Value) -> Option<u64> {
    Some(1)
}

/// Returns the cost of a regular expression over a string.
pub(super) fn finds(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let (text, pattern) = (args.first()?, args.get(1)?);
    Some(matches(text.size(), pattern.size()))
}

/// Returns the cost for the lengths of a string and a regular expression.
pub(super) fn matches(text: u64, pattern: u64) -> u64 {
    part(text.saturating_add(1), STRING_TRAVERSAL).saturating_mul(part(pattern, REGEX_LENGTH))
}
