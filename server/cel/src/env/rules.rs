//! The rules of an environment, apart from its declarations.
//!
//! cel-go leaves them to the host, which can be stricter than the specification.

/// The syntax and literals that an environment accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether expressions follow the specification: the elements of a list, and the keys and
    /// values of a map, can have several types, as in `[1, 'a']`; a presence test of a value
    /// without fields fails; conversions of constants are evaluated with the expression.
    ///
    /// Upstream: cel-go, cel/validator.go, `ValidateHomogeneousAggregateLiterals`;
    /// interpreter/attributes.go, `EnableErrorOnBadPresenceTest`; cel/options.go, `OptOptimize`.
    pub specification: bool,
    /// Whether the constant arguments of `duration()`, `timestamp()` and `matches()` are checked,
    /// and whether the string of `format()` must match its arguments.
    pub validates_constants: bool,
    /// Whether `a.?b`, `a[?b]` and `{?a: b}` are supported.
    pub optional_syntax: bool,
}

impl Rules {
    /// The rules of the specification.
    pub(crate) const SPECIFICATION: Self = Self {
        specification: true,
        validates_constants: false,
        optional_syntax: true,
    };

    /// The rules of a strict host.
    #[cfg(test)]
    pub(crate) const STRICT: Self = Self {
        specification: false,
        validates_constants: true,
        optional_syntax: true,
    };
}
