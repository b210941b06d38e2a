//! Libraries: the declarations of functions and macros.
//!
//! A library is one constant table. For each function it holds everything that the checker, the
//! evaluator, the cost model, hover and completion need, so that a function is described in one
//! place.

mod context;

use crate::changes::Change;
use crate::cost::{CallEstimate, EstimatedCall};
use crate::syntax::MacroKind;
use crate::value::{EvalError, Value};
use std::fmt;

pub use context::Context;

/// The position of an addition in the order in which hosts adopted them.
///
/// The host assigns the numbers; here they are only compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Since(pub u8);

impl Since {
    /// In every environment.
    pub const ALWAYS: Since = Since(0);
    /// Only in an environment of plain CEL, which includes everything.
    pub const PLAIN_CEL: Since = Since(u8::MAX);
}

/// A library: functions and macros that are enabled together.
#[derive(Debug)]
pub struct Library {
    /// The name of the library in the documentation, such as `sets`.
    pub name: &'static str,
    /// The functions.
    pub functions: &'static [Function],
    /// The macros.
    pub macros: &'static [Macro],
}

/// A macro of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Macro {
    /// The kind.
    pub kind: MacroKind,
    /// The number of variables: some macros exist with one and with two.
    pub variables: usize,
    /// The first environment that expands it.
    pub since: Since,
}

impl Macro {
    /// Returns a macro with this many variables.
    #[must_use]
    pub const fn new(kind: MacroKind, variables: usize, since: Since) -> Self {
        Self {
            kind,
            variables,
            since,
        }
    }
}

/// A function with its overloads.
///
/// Several libraries can declare overloads of one name. An environment combines them in the order
/// of the libraries.
pub struct Function {
    /// The name, such as `optional.of` in a namespace, or the name of an operator in cel-go, `_+_`.
    pub name: &'static str,
    /// The description for hovers, in one or two sentences. Empty for internal functions, which
    /// users cannot call.
    pub doc: &'static str,
    /// A call with its result, `[3, 1].sort() == [1, 3]`: an expression that is true.
    pub example: &'static str,
    /// The signatures.
    pub overloads: &'static [Overload],
    /// The implementation of all overloads that do not have their own.
    pub implementation: Option<Implementation>,
    /// The actual cost of a call. `None` for the general rules.
    pub cost: Option<CallCost>,
    /// The estimated cost of a call. `None` for the general rules.
    pub estimate: Option<CallCostEstimate>,
    /// Which argument is a regular expression, counted from the target. A constant one is
    /// translated before the expression runs.
    pub regex_argument: Option<usize>,
}

/// A signature of a function.
pub struct Overload {
    /// Its name in cel-go and Kubernetes.
    pub id: &'static str,
    /// Whether the first parameter is the target.
    pub member: bool,
    /// The types of the parameters as [`crate::Type::read_list`] reads them.
    pub params: &'static str,
    /// The type of the result as [`crate::Type`] reads it.
    pub result: &'static str,
    /// The first environment that has it.
    pub since: Since,
    /// The change of cel-go that removed it.
    pub until: Option<&'static Change>,
    /// The implementation of this overload.
    pub implementation: Option<Implementation>,
}

/// Runs a call. The arguments begin with the target. They have the types of one of the overloads
/// only if the checker knew them: an implementation rejects anything else with
/// [`EvalError::no_such_overload`].
pub type Implementation = fn(&Context<'_>, &[Value]) -> Result<Value, EvalError>;

/// The cost units of a call that has run, by the ID of its overload (empty if several were
/// possible), its arguments and its result. An argument that failed is `null`. `None` leaves it to
/// the general rules.
pub type CallCost = fn(overload: &str, args: &[Value], result: &Value) -> Option<u64>;

/// The result of a [`CallCost`] where cel-go panics: it casts an argument to a list without a
/// check.
pub(crate) const PANICS: u64 = u64::MAX;

/// The cost units that a call may need. `None` leaves it to the general rules.
pub type CallCostEstimate = fn(&EstimatedCall<'_>) -> Option<CallEstimate>;

impl Function {
    /// Returns a function with only a name: the base of an entry of a table, as in `Function { doc:
    /// "…", ..Function::named("size") }`.
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        Self {
            name,
            doc: "",
            example: "",
            overloads: &[],
            implementation: None,
            cost: None,
            estimate: None,
            regex_argument: None,
        }
    }
}

impl Overload {
    /// Returns `name(params)` in every environment.
    #[must_use]
    pub const fn global(id: &'static str, params: &'static str, result: &'static str) -> Self {
        Self {
            id,
            member: false,
            params,
            result,
            since: Since::ALWAYS,
            until: None,
            implementation: None,
        }
    }

    /// Returns `target.name(params)`, where the first of `params` is the target.
    #[must_use]
    pub const fn member(id: &'static str, params: &'static str, result: &'static str) -> Self {
        Self {
            member: true,
            ..Self::global(id, params, result)
        }
    }
}

/// The overloads of a function as a table: whether they are called on a target, the ID, the first
/// environment if not all have it, the change that removed it, the types of the parameters and of the
/// result, and the implementation if they have their own.
#[macro_export]
macro_rules! overloads {
    ($($form:ident $id:literal $(since $since:literal)? $(until $until:path)?: $params:literal -> $result:literal
       $(, runs $run:path)?;)*) => {
        &[$($crate::library::Overload {
            $(since: $crate::library::Since($since),)?
            $(until: Some(&$until),)?
            $(implementation: Some($run),)?
            ..$crate::library::Overload::$form($id, $params, $result)
        }),*]
    };
}

pub use overloads;

impl fmt::Debug for Function {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Function")
            .field("name", &self.name)
            .field("overloads", &self.overloads)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Overload {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: ({}) -> {}", self.id, self.params, self.result)
    }
}
