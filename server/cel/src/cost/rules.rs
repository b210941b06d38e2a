//! The estimated cost of calls without a rule in their library.
//!
//! Upstream: cel-go, checker/cost.go, `functionCost`.

use super::{
    CallEstimate, CostEstimate, EstimatedCall, EstimatedValue, REGEX_LENGTH, STRING_TRAVERSAL,
    SizeEstimate,
};
use crate::changes::MATCHES_FUNCTION_HAS_COST;

/// Returns the cost of a call without its arguments. Operators that decide which of their
/// arguments are evaluated are handled elsewhere.
pub(crate) fn estimate(call: &EstimatedCall<'_>) -> CallEstimate {
    library_cost(call).unwrap_or(CallEstimate::fixed(1))
}

fn library_cost(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let one = || match call.args {
        [only] => Some(size(only)),
        _ => None,
    };
    Some(match call.overload {
        "string_format" => CallEstimate::cost(size(call.target?).at(STRING_TRAVERSAL)),
        "string_to_bytes" => {
            let size = one()?;
            // A code point has up to four bytes. cel-go lets the product overflow.
            CallEstimate::cost(size.at(STRING_TRAVERSAL)).giving(SizeEstimate {
                min: size.min,
                max: size.max.wrapping_mul(4),
            })
        }
        "bytes_to_string" => {
            let size = one()?;
            CallEstimate::cost(size.at(STRING_TRAVERSAL)).giving(SizeEstimate {
                min: size.min / 4,
                max: size.max,
            })
        }
        "strings_quote" => {
            let size = one()?;
            CallEstimate::cost(size.at(STRING_TRAVERSAL)).giving(SizeEstimate {
                min: size.min.wrapping_add(2),
                max: size.max.wrapping_mul(2).wrapping_add(2),
            })
        }
        "starts_with_string" | "ends_with_string" => {
            CallEstimate::cost(one()?.at(STRING_TRAVERSAL))
        }
        "matches_string" => CallEstimate::cost(matches(size(call.target?), one()?)),
        "contains_string" => {
            let text = size(call.target?).at(STRING_TRAVERSAL);
            CallEstimate::cost(text.times(one()?.at(STRING_TRAVERSAL)))
        }
        _ => return of_two(call),
    })
}

/// Returns the cost of an operator or a function with two arguments.
fn of_two(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let [left, right] = call.args else {
        return None;
    };
    let (left, right) = (size(left), size(right));
    Some(match call.overload {
        "in_list" => CallEstimate::cost(right.at(1.0)),
        "matches" if MATCHES_FUNCTION_HAS_COST.applies(call.release) => {
            CallEstimate::cost(matches(left, right))
        }
        "add_list" => CallEstimate::fixed(1).giving(left.plus(right)),
        "add_string" | "add_bytes" => {
            let sum = left.plus(right);
            CallEstimate::cost(sum.at(STRING_TRAVERSAL)).giving(sum)
        }
        "less_string"
        | "greater_string"
        | "less_equals_string"
        | "greater_equals_string"
        | "less_bytes"
        | "greater_bytes"
        | "less_equals_bytes"
        | "greater_equals_bytes"
        | "equals"
        | "not_equals" => CallEstimate::cost(comparison(left, right)),
        _ => return None,
    })
}

/// Returns the cost of matching a string against a regular expression. One is added to the size of
/// the string, since an empty one must be matched too.
pub(super) fn matches(text: SizeEstimate, pattern: SizeEstimate) -> CostEstimate {
    let text = text.plus(SizeEstimate::fixed(1)).at(STRING_TRAVERSAL);
    text.times(pattern.at(REGEX_LENGTH))
}

/// Returns the cost of a comparison, which depends on the smaller value.
fn comparison(left: SizeEstimate, right: SizeEstimate) -> CostEstimate {
    let max = left.max.min(right.max);
    let size = SizeEstimate {
        min: u64::from(max > 0),
        max,
    };
    size.at(STRING_TRAVERSAL)
}

fn size(value: &EstimatedValue<'_>) -> SizeEstimate {
    value.computed_size.unwrap_or(SizeEstimate::UNKNOWN)
}
