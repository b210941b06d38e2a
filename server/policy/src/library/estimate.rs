//! The estimated cost of Kubernetes' own functions to which no rule of the language applies.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, EstimateCallCost.

use cel::cost::{
    CREATE_LIST, CREATE_STRUCT, CallEstimate, CostEstimate, EstimatedCall, STRING_TRAVERSAL,
    SizeEstimate,
};
use cel::types::Type;
use kubernetes::ServerVersion;
use kubernetes::versions::changes::URL_PARTS_ARE_BOUNDED;

/// Limit: an authorization check, so that an expression can afford two.
const CHECK: u64 = 350_000;

/// Limit: the length of the longest regular expression of a named format.
/// kubernetes/apiserver, pkg/cel/limits.go, MaxNameFormatRegexSize.
const FORMAT_REGEX: f64 = 128.0;

/// Limit: the length of the longest name of a format. kubernetes/apiserver,
/// pkg/cel/limits.go, MaxFormatSize.
const MAX_FORMAT: u64 = 64;

/// The bytes of an IP address of either version.
const ADDRESS: SizeEstimate = SizeEstimate { min: 4, max: 16 };

/// Costs a fixed number of units for `check`.
pub(super) fn check(_: &EstimatedCall<'_>) -> Option<CallEstimate> {
    Some(CallEstimate::fixed(CHECK))
}

/// Costs one unit, for a part of a URL, which is not longer than the URL.
pub(super) fn url_part(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    part_of_url(call, 1)
}

/// Costs one unit, for an escaped path: each byte of it can become three.
pub(super) fn escaped_path(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    part_of_url(call, 3)
}

fn part_of_url(call: &EstimatedCall<'_>, factor: u64) -> Option<CallEstimate> {
    let part = CallEstimate::fixed(1);
    if !URL_PARTS_ARE_BOUNDED.applies(ServerVersion(call.release)) {
        return Some(part);
    }
    let factor = SizeEstimate {
        min: 1,
        max: factor,
    };
    Some(part.giving(call.size(call.target?).times(factor)))
}

/// Costs, for `fieldSelector` and `labelSelector`, parsing the string, and a requirement with its
/// list of values for every two code points.
pub(super) fn selector(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let [text] = call.args else {
        return None;
    };
    let text = call.size(text);
    // The sum of two small numbers.
    let requirement = (CREATE_LIST + CREATE_STRUCT) as f64;
    let cost = CostEstimate::fixed(CREATE_LIST)
        .plus(text.at(STRING_TRAVERSAL))
        .plus(text.at(0.5).at(requirement));
    Some(CallEstimate::cost(cost))
}

/// Costs, for `ip.isCanonical`, parsing the string and comparing it.
pub(super) fn reads_argument_twice(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let text = call.size(call.args.first()?);
    Some(CallEstimate::cost(text.at(2.0 * STRING_TRAVERSAL)))
}

/// Costs, for `containsIP`, a comparison of addresses, after parsing one that is a string.
pub(super) fn contains_ip(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let compared = ADDRESS.plus(ADDRESS).at(STRING_TRAVERSAL);
    contains(call, compared, "cidr_contains_ip_string")
}

/// Costs, for `containsCIDR`, a comparison of addresses and of their prefixes, after parsing one
/// that is a string.
pub(super) fn contains_cidr(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let compared = ADDRESS.plus(ADDRESS).at(STRING_TRAVERSAL);
    let masked = ADDRESS.at(STRING_TRAVERSAL).plus(CostEstimate::fixed(1));
    contains(call, compared.plus(masked), "cidr_contains_cidr_string")
}

fn contains(
    call: &EstimatedCall<'_>,
    compared: CostEstimate,
    of_text: &str,
) -> Option<CallEstimate> {
    let other = call.args.first()?;
    if call.overload != of_text {
        return Some(CallEstimate::cost(compared));
    }
    let read = call.size(other).at(STRING_TRAVERSAL);
    Some(CallEstimate::cost(compared.plus(read)))
}

/// Costs, for `validate`, a long regular expression over the string.
pub(super) fn validate(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let text = call.size(call.args.first()?).at(STRING_TRAVERSAL);
    Some(CallEstimate::cost(
        text.at(FORMAT_REGEX * cel::cost::REGEX_LENGTH),
    ))
}

/// Returns the estimated cost of `==` for values of Kubernetes' own types.
pub(crate) fn equality(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    if call.function != "_==_" {
        return None;
    }
    let name = match cel::cost::calls::common_type(call)? {
        Type::Struct(name) => name,
        Type::Opaque(ty) => &ty.name,
        _ => return None,
    };
    Some(match name.as_ref() {
        "kubernetes.NamedFormat" => longest(MAX_FORMAT),
        "kubernetes.URL" => {
            let size = call.args.get(1).and_then(|right| right.computed_size);
            longest(size.map_or(1, |size| size.max))
        }
        "net.IP"
        | "net.CIDR"
        | "kubernetes.Quantity"
        | "kubernetes.Semver"
        | "kubernetes.authorization.Authorizer"
        | "kubernetes.authorization.PathCheck"
        | "kubernetes.authorization.GroupCheck"
        | "kubernetes.authorization.ResourceCheck"
        | "kubernetes.authorization.Decision" => CallEstimate::fixed(1),
        _ => return None,
    })
}

/// Returns the estimate for comparing strings of up to `max` code points, one at least.
fn longest(max: u64) -> CallEstimate {
    CallEstimate::cost(CostEstimate { min: 1, max }.at(STRING_TRAVERSAL))
}
