//! Changes of cel-go: what an expression means or costs since a release of the host.
//!
//! A host is built with one version of cel-go, so that these changes apply to all its
//! environments, also to expressions that were compiled before. Functions that a host adds to an
//! environment have their version in the table of their library.

/// Something that hosts do from a release on.
#[derive(Debug)]
pub struct Change {
    /// The first release of the host that does it.
    pub since: u8,
    /// A description in one sentence.
    pub description: &'static str,
    /// The change to cel-go.
    pub source: &'static str,
}

impl Change {
    /// Returns whether a release of the host does it.
    #[must_use]
    pub const fn applies(&self, release: u8) -> bool {
        release >= self.since
    }
}

/// Upstream: cel-go, checker/env.go, `resolveSimpleIdent`, `resolveQualifiedIdent` and
/// `resolveTypeIdent`.
pub const NAMES_HAVE_SCOPES: Change = Change {
    since: 37,
    description: "A dot before a name skips the variables of macros: in `['x'].exists(object, .object \
           == object)`, `.object` is the variable of the policy. A variable of a macro hides \
           everything that begins with its name. In earlier versions `.object` is the variable of \
           the macro, and `authorizer.requestResource` always that of the policy.",
    source: "https://github.com/google/cel-go/pull/1256",
};

/// Upstream: cel-go, cel/library.go, `evalOptionalOr` and `evalOptionalOrValue`.
pub const ONLY_OPTIONALS_HAVE_DEFAULTS: Change = Change {
    since: 37,
    description: "`or` and `orValue` of a value that is not optional fail with `no such overload`. \
                  Earlier versions return the value.",
    source: "https://github.com/google/cel-go/pull/1276",
};

/// Upstream: cel-go, interpreter/attributes.go, `applyQualifiers`.
pub const CONTENT_OF_OPTIONALS_STAYS: Change = Change {
    since: 37,
    description: "The content of an optional does not change when the optional is the value of a \
           variable of a macro or of `?:`. In earlier versions, an optional in an optional becomes \
           its content, and a quantity, a URL, an IP address or a CIDR range becomes an error.",
    source: "https://github.com/google/cel-go/pull/1315",
};

/// Upstream: cel-go, common/stdlib/standard.go.
pub const NO_INTEGER_DURATIONS: Change = Change {
    since: 37,
    description: "`duration` does not accept an integer when an expression is compiled. In earlier \
                  versions, such a call fails when it is evaluated.",
    source: "https://github.com/google/cel-go/pull/1300",
};

/// Upstream: cel-go, common/types/timestamp.go, `timeZone`.
pub const OFFSET_MINUTES_HAVE_A_RANGE: Change = Change {
    since: 37,
    description: "The minutes of a time zone, as in `'+02:30'`, must be from 0 to 59. Earlier versions \
           accept any integer.",
    source: "https://github.com/google/cel-go/pull/1336",
};

/// Upstream: cel-go, ext/strings.go, `indexOfOffset` and `lastIndexOfOffset`.
pub const EMPTY_STRINGS_HAVE_A_PLACE: Change = Change {
    since: 37,
    description: "`indexOf` and `lastIndexOf` find an empty string at the end of the string, if the \
           offset is beyond it, and fail if the offset is negative. Earlier versions return the \
           offset.",
    source: "https://github.com/google/cel-go/pull/1335",
};

/// Upstream: cel-go, ext/lists.go, `genRange`.
pub const RANGES_HAVE_A_LIMIT: Change = Change {
    since: 37,
    description: "`lists.range` fails for a negative number and for more than 1,000,000 elements. \
                  Earlier versions return an empty list for a negative number, and have no limit.",
    source: "https://github.com/google/cel-go/pull/1310",
};

/// Upstream: cel-go, checker/cost.go, `functionCost`; interpreter/runtimecost.go, `costCall`.
pub const MATCHES_FUNCTION_HAS_COST: Change = Change {
    since: 37,
    description: "`matches(string, pattern)` costs as much as `string.matches(pattern)`. In earlier \
                  versions it costs one unit.",
    source: "https://github.com/google/cel-go/pull/1350",
};

/// Upstream: cel-go, interpreter/runtimecost.go, `costCall`.
pub const AFFIXES_ARE_COUNTED: Change = Change {
    since: 37,
    description: "At run time, `startsWith` and `endsWith` cost a tenth of the length of the argument, \
           as in estimates. In earlier versions they cost a tenth of the length of the string.",
    source: "https://github.com/google/cel-go/pull/1351",
};
