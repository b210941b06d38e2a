//! The cost of calls, in units of the API server.
//!
//! Kubernetes counts the work of an expression in cost units: while it runs, against a
//! budget, and before, from the sizes that a schema allows. The numbers follow from the
//! tables of cel-go and of Kubernetes' libraries, which bind users: a definition is rejected
//! by its estimate.

pub mod actual;
pub mod calls;
mod path;
pub(crate) mod rules;
mod size;

pub use size::{CallEstimate, CostEstimate, SizeEstimate};

use crate::syntax::Literal;
use crate::types::Type;
pub(crate) use path::Path;
use std::sync::Arc;

/// Limit: the cost of reading an element of a string once. cel-go, common/cost.go,
/// `StringTraversalCostFactor`.
pub const STRING_TRAVERSAL: f64 = 0.1;

/// Limit: what a code point of a regular expression costs for each unit of the string.
/// cel-go, common/cost.go, `RegexStringLengthCostFactor`.
pub const REGEX_LENGTH: f64 = 0.25;

/// Limit: reading a variable or a field. cel-go, common/cost.go, `SelectAndIdentCost`.
pub(crate) const SELECT: u64 = 1;

/// Limit: creating a list. cel-go, common/cost.go, `ListCreateBaseCost`.
pub const CREATE_LIST: u64 = 10;

/// Limit: creating a map. cel-go, common/cost.go, `MapCreateBaseCost`.
pub(crate) const CREATE_MAP: u64 = 30;

/// Limit: creating an object. cel-go, common/cost.go, `StructCreateBaseCost`.
pub const CREATE_STRUCT: u64 = 40;

/// Returns how large the variables of an expression can be.
pub trait SizeOf {
    /// Returns the size of the value at a path. It begins with a variable; the rest are names
    /// of fields, and `@items` of a list, `@keys`, `@values` and `@indices` of a map or list.
    ///
    /// cel-go also creates such a path for some values without a variable: the first part can be
    /// missing, and `@items` of a literal is a complete path.
    fn size_of(&self, path: &[Arc<str>]) -> Option<SizeEstimate>;

    /// Returns the cost of a call. It takes precedence over its library and the general rules.
    fn call(&self, _: &EstimatedCall<'_>) -> Option<CallEstimate> {
        None
    }
}

/// No variable has a known size.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnknownSizes;

impl SizeOf for UnknownSizes {
    fn size_of(&self, _: &[Arc<str>]) -> Option<SizeEstimate> {
        None
    }
}

/// A call of which the cost is estimated.
#[derive(Clone, Copy)]
pub struct EstimatedCall<'a> {
    /// The name of the function.
    pub function: &'a str,
    /// The id of the overload.
    pub overload: &'a str,
    /// The target, before the dot.
    pub target: Option<&'a EstimatedValue<'a>>,
    /// The arguments in the parentheses.
    pub args: &'a [EstimatedValue<'a>],
    /// The release of the host.
    pub release: u8,
    pub(crate) sizes: &'a dyn SizeOf,
}

/// A value of which the size is estimated.
#[derive(Clone, Debug)]
pub struct EstimatedValue<'a> {
    /// Its type.
    pub ty: &'a Type,
    /// The value, if it is a constant.
    pub literal: Option<&'a Literal>,
    /// The size according to the expression and the schema. `None` if unknown.
    pub computed_size: Option<SizeEstimate>,
    pub(crate) path: Path,
}

impl<'a> EstimatedCall<'a> {
    /// Returns the size of the target or of an argument, unbounded if unknown.
    #[must_use]
    pub fn size(&self, value: &EstimatedValue<'_>) -> SizeEstimate {
        value
            .computed_size
            .or_else(|| value.path.with_parts(|path| self.sizes.size_of(path)))
            .unwrap_or(SizeEstimate::UNKNOWN)
    }

    /// Returns the elements of a list: the first parameter of its type, if it has one.
    ///
    /// Upstream: kubernetes/apiserver, pkg/cel/library/cost.go, `listElementNode`.
    #[must_use]
    pub fn element(&self, list: &EstimatedValue<'a>) -> Option<EstimatedValue<'a>> {
        let ty = first_parameter(list.ty)?;
        let path = if list.path.is_empty() {
            Path::default()
        } else {
            list.path.detached().join("@items")
        };
        Some(EstimatedValue {
            ty,
            literal: None,
            computed_size: None,
            path,
        })
    }
}

impl EstimatedValue<'_> {
    /// Returns the integer that it is.
    fn literal_int(&self) -> Option<i64> {
        match self.literal {
            Some(Literal::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the value of a constant integer, 0 if it is negative, or `default` if it is not a
    /// constant.
    ///
    /// Upstream: cel-go, ext/lists.go, `nodeAsIntValue`.
    #[must_use]
    pub fn as_int(&self, default: u64) -> u64 {
        self.literal_int()
            .map_or(default, |value| u64::try_from(value).unwrap_or(0))
    }
}

/// Returns the first type in the parentheses of a type.
fn first_parameter(ty: &Type) -> Option<&Type> {
    match ty {
        Type::List(of) | Type::Optional(of) => Some(of),
        Type::Map(of) => Some(&of.0),
        Type::Type(of) => of.as_deref(),
        Type::Opaque(of) => of.params.first(),
        _ => None,
    }
}

/// Returns whether a type is a string or bytes, or null in place of one.
#[must_use]
pub(crate) fn is_text(ty: &Type) -> bool {
    match ty {
        Type::String | Type::Bytes => true,
        Type::Nullable(of) => is_text(of),
        _ => false,
    }
}

/// Returns whether the size of every value of a type is 1.
///
/// Upstream: cel-go, checker/cost.go, `isScalar`.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => {
            true
        }
        Type::Optional(of) | Type::Nullable(of) => is_scalar(of),
        _ => false,
    }
}
