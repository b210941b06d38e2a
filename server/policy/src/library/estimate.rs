//! What calls of Kubernetes' own functions can cost, where no rule of the language fits.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, EstimateCallCost.

use cel::cost::{
    CREATE_LIST, CREATE_STRUCT, CallEstimate, CostEstimate, EstimatedCall, STRING_TRAVERSAL,
    SizeEstimate,
};

/// Limit: an authorization check, so that an expression can afford two.
const CHECK: u64 = 350_000;

/// Limit: the length of the longest regular expression behind a named format.
/// kubernetes/apiserver, pkg/cel/limits.go, MaxNameFormatRegexSize.
const FORMAT_REGEX: f64 = 128.0;

/// The bytes of an IP address of either version.
const ADDRESS: SizeEstimate = SizeEstimate { min: 4, max: 16 };

/// `check`: a fixed cost.
pub(super) fn check(_: &EstimatedCall<'_>) -> Option<CallEstimate> {
    Some(CallEstimate::fixed(CHECK))
}

/// `fieldSelector` and `labelSelector`: reading the text, and a requirement with its list of
/// values for every two code points.
pub(super) fn selector(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let [text] = call.args else {
        return None;
    };
    let text = call.size(text);
    #[expect(clippy::cast_precision_loss, reason = "the sum of two small numbers")]
    let requirement = (CREATE_LIST + CREATE_STRUCT) as f64;
    let cost = CostEstimate::fixed(CREATE_LIST)
        .plus(text.at(STRING_TRAVERSAL))
        .plus(text.at(0.5).at(requirement));
    Some(CallEstimate::cost(cost))
}

/// `ip.isCanonical`: reading the text and comparing it.
pub(super) fn reads_argument_twice(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let text = call.size(call.args.first()?);
    Some(CallEstimate::cost(text.at(2.0 * STRING_TRAVERSAL)))
}

/// `containsIP`: a comparison of addresses, after reading one that is a text.
pub(super) fn contains_ip(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let compared = ADDRESS.plus(ADDRESS).at(STRING_TRAVERSAL);
    contains(call, compared, "cidr_contains_ip_string")
}

/// `containsCIDR`: a comparison of addresses and of their prefixes, after reading one that is
/// a text.
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

/// `validate`: a long regular expression over the text.
pub(super) fn validate(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let text = call.size(call.args.first()?).at(STRING_TRAVERSAL);
    Some(CallEstimate::cost(
        text.at(FORMAT_REGEX * cel::cost::REGEX_LENGTH),
    ))
}
