//! The estimated cost of calls of library functions.
//!
//! Many functions share a rule, such as one pass over the elements or a regular expression over a
//! string. The table of each library refers to the rules here. If Kubernetes has its own rule for a
//! function of the language, that rule applies.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `EstimateCallCost`; cel-go,
//! ext/lists.go and ext/sets.go.

use super::rules;
use super::{
    CREATE_LIST, CallEstimate, CostEstimate, EstimatedCall, EstimatedValue, STRING_TRAVERSAL,
    SizeEstimate, is_text,
};
use crate::types::Type;

/// Costs one unit.
#[must_use]
pub fn nominal(_: &EstimatedCall<'_>) -> Option<CallEstimate> {
    Some(CallEstimate::fixed(1))
}

/// Costs one pass over the code points of the first argument.
#[must_use]
pub fn reads_argument(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let size = call.size(call.args.first()?);
    Some(CallEstimate::cost(size.at(STRING_TRAVERSAL)))
}

/// Costs one pass over the code points of the only argument, with a result of the same size.
#[must_use]
pub fn converts_argument(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let [argument] = call.args else {
        return None;
    };
    let size = call.size(argument);
    Some(CallEstimate::cost(size.at(STRING_TRAVERSAL)).giving(size))
}

/// Costs one pass over the code points of the target, with a result of the same size.
#[must_use]
pub(crate) fn converts_target(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let size = call.size(call.target?);
    Some(CallEstimate::cost(size.at(STRING_TRAVERSAL)).giving(size))
}

/// Costs a comparison for each element of the target: `isSorted`, `sum`, `min`, `max`, `indexOf`,
/// `lastIndexOf`, `includes`. The target can be a string too.
#[must_use]
pub fn scans_target(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let target = call.target?;
    let size = call.size(target);
    let mut each = CostEstimate::fixed(1);
    if let Some(element) = call.element(target) {
        if is_text(element.ty) {
            each = each.plus(call.size(&element).at(STRING_TRAVERSAL));
        }
    } else if call.function != "includes" {
        return Some(CallEstimate::cost(size.at(STRING_TRAVERSAL)));
    }
    Some(CallEstimate::cost(size.cost_of_each(each)))
}

/// Costs reading the string and creating the result of `text.replace(old, new)`.
#[must_use]
pub fn replace(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let (text, [old, new, ..]) = (call.size(call.target?), call.args) else {
        return None;
    };
    let size = replaced(text, call.size(old), call.size(new));
    Some(CallEstimate::cost(text.at(2.0 * STRING_TRAVERSAL)).giving(size))
}

/// Returns the size of a string in which `old` is replaced by `new`.
fn replaced(text: SizeEstimate, old: SizeEstimate, new: SizeEstimate) -> SizeEstimate {
    // An empty `old` occurs before and after every code point.
    let (most, kept_at_most) = if old.min == 0 {
        (text.max.saturating_add(1), text.max)
    } else if new.max <= old.min {
        (0, text.max)
    } else {
        (quotient(text.max, old.min), 0)
    };
    let (fewest, kept_at_least) = if old.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if old.max <= new.min {
        (0, text.min)
    } else {
        (quotient(text.min, old.max), 0)
    };
    let count = SizeEstimate {
        min: fewest,
        max: most,
    };
    count.times(new).plus(SizeEstimate {
        min: kept_at_least,
        max: kept_at_most,
    })
}

/// Returns `size / part`, rounded up, in doubles. Go converts a double that is too large to the
/// middle of the range.
// The server also computes in doubles.
fn quotient(size: u64, part: u64) -> u64 {
    /// The first double past the range of `u64`.
    const TOO_LARGE: f64 = 18_446_744_073_709_551_616.0;
    let quotient = (size as f64 / part as f64).ceil();
    if quotient >= TOO_LARGE {
        return 1 << 63;
    }
    quotient as u64
}

/// Costs reading the string and creating the parts of `text.split(separator, limit)`. In the worst
/// case each code point becomes a part.
#[must_use]
pub fn split(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let size = call.size(call.target?);
    let limit = call
        .args
        .get(1)
        .and_then(EstimatedValue::literal_int)
        .map(i64::cast_unsigned);
    Some(
        CallEstimate::cost(size.at(2.0 * STRING_TRAVERSAL)).giving(SizeEstimate {
            min: 0,
            max: limit.unwrap_or(size.max),
        }),
    )
}

/// Costs creating the result of `list.join(separator)`.
#[must_use]
pub fn join(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let target = call.target?;
    let count = call.size(target);
    let mut size = SizeEstimate::fixed(0);
    if let Some(element) = call.element(target) {
        size = count.times(call.size(&element));
    }
    if let Some(separator) = call.args.first() {
        let separators = SizeEstimate {
            min: count.min.saturating_sub(1),
            max: count.max.saturating_sub(1),
        };
        size = size.plus(call.size(separator).times(separators));
    }
    Some(CallEstimate::cost(size.at(STRING_TRAVERSAL)).giving(size))
}

/// Returns the cost of `text.find(pattern)` and `text.findAll(pattern)`: in the worst case each
/// code point is a match.
#[must_use]
pub fn find(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let text = call.size(call.target?);
    let pattern = call.size(call.args.first()?);
    Some(
        CallEstimate::cost(rules::matches(text, pattern)).giving(SizeEstimate {
            min: 0,
            max: text.max,
        }),
    )
}

/// Costs a comparison of each element of one set with each of the other.
#[must_use]
pub(crate) fn compares_sets(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    sets(call, 1.0)
}

/// Costs a comparison of two sets in both directions.
#[must_use]
pub(crate) fn compares_sets_twice(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    sets(call, 2.0)
}

fn sets(call: &EstimatedCall<'_>, factor: f64) -> Option<CallEstimate> {
    let [left, right] = call.args else {
        return None;
    };
    let pairs = call.size(left).times(call.size(right));
    Some(CallEstimate::cost(
        pairs.at(factor).plus(CostEstimate::fixed(1)),
    ))
}

/// Costs `list.slice(start, end)`.
#[must_use]
pub fn slice(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let (target, [start, end]) = (call.target?, call.args) else {
        return None;
    };
    let end = end.as_int(call.size(target).max);
    let size = end.wrapping_sub(start.as_int(0));
    Some(makes_list(1.0, SizeEstimate::fixed(size)))
}

/// Costs `lists.range(count)`.
#[must_use]
pub fn range(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let (None, [count]) = (call.target, call.args) else {
        return None;
    };
    let size = SizeEstimate::fixed(count.as_int(u64::MAX));
    Some(makes_list(1.0, size))
}

/// Costs `list.reverse()`.
#[must_use]
pub fn reverse(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    Some(makes_list(1.0, call.size(call.target?)))
}

/// Costs `list.flatten(depth)`.
#[must_use]
// cel-go also computes in doubles.
pub fn flatten(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let depth = call.args.first().map_or(1, |depth| depth.as_int(u64::MAX));
    Some(makes_list(depth as f64, call.size(call.target?)))
}

/// Costs the comparison of each element with each for `list.distinct()`.
#[must_use]
pub fn distinct(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let size = call.size(call.target?);
    Some(makes_list(2.0, size.times(size)))
}

/// Costs the comparison of each element with each for `list.sort()`.
#[must_use]
pub fn sort(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    Some(sorts(call, call.target?))
}

/// Returns the cost of `list.sortBy(x, key)` in its internal form: the keys are compared.
#[must_use]
pub fn sort_by(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let [keys] = call.args else {
        return None;
    };
    call.target?;
    Some(sorts(call, keys))
}

/// Upstream: cel-go, ext/lists.go, `estimateListSortCost`, which searches for the type in the
/// id of the overload.
fn sorts(call: &EstimatedCall<'_>, list: &EstimatedValue<'_>) -> CallEstimate {
    let size = call.size(list);
    let is_text =
        call.overload.starts_with("list_string_") || call.overload.starts_with("list_bytes_");
    let factor = if is_text { 2.0 + STRING_TRAVERSAL } else { 2.0 };
    makes_list(factor, size.times(size))
}

/// Returns the cost of a call that creates a list of that size, at `factor` units per element.
fn makes_list(factor: f64, size: SizeEstimate) -> CallEstimate {
    let cost = size.at(factor).plus(CostEstimate::fixed(1 + CREATE_LIST));
    CallEstimate::cost(cost).giving(size)
}

/// Returns the type that both operands have, if the cost of comparing them depends on it alone.
#[must_use]
pub fn common_type<'a>(call: &EstimatedCall<'a>) -> Option<&'a Type> {
    match call.args {
        [left, right] if left.ty == right.ty => Some(left.ty),
        _ => None,
    }
}
