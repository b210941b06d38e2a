//! What an expression costs.
//!
//! Kubernetes counts the work of an expression in cost units: while it runs, against a
//! budget, and before, from the sizes that a schema allows. The numbers follow from the
//! tables of cel-go and of Kubernetes' libraries.

use crate::expand::NodeId;
use crate::types::Type;

/// How large a value can be: code points of a string, bytes, elements of a list, entries of
/// a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeEstimate {
    /// At least.
    pub min: u64,
    /// At most. `u64::MAX` where nothing is known.
    pub max: u64,
}

/// How many cost units something can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostEstimate {
    /// At least.
    pub min: u64,
    /// At most. `u64::MAX` where nothing is known.
    pub max: u64,
}

/// What a call can cost and how large its result can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallEstimate {
    /// The cost units, without those of the arguments.
    pub cost: CostEstimate,
    /// The size of the result, where it has one and something is known of it.
    pub result_size: Option<SizeEstimate>,
}

/// A call of which the cost is estimated.
#[derive(Debug)]
pub struct EstimatedCall<'a> {
    /// The name of the function.
    pub function: &'a str,
    /// The id of the overload.
    pub overload: &'a str,
    /// What stands before the dot.
    pub target: Option<EstimatedValue<'a>>,
    /// The arguments.
    pub args: &'a [EstimatedValue<'a>],
}

/// A value of which the size is estimated.
#[derive(Clone, Debug)]
pub struct EstimatedValue<'a> {
    /// The node.
    pub node: NodeId,
    /// Its type.
    pub ty: &'a Type,
    /// What the expression itself tells of its size: constants, literals, what is built
    /// from them. `None` where nothing is known.
    pub computed_size: Option<SizeEstimate>,
    /// What the schema or the expression tells of its size.
    pub size: SizeEstimate,
}
