//! The names of internal functions: operators and expanded macros.
//!
//! Each node of a tree holds its name, so there is one copy of each for all trees.
//!
//! Upstream: cel-go, common/operators/operators.go; cel/library.go; ext/comprehensions.go;
//! ext/lists.go.

use crate::syntax::{BinaryOperator, UnaryOperator};
use std::sync::{Arc, LazyLock};

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The names.
        pub(super) struct FunctionNames {
            $($(#[$doc])* pub(super) $name: Arc<str>,)*
        }

        /// The names.
        pub(super) static NAMES: LazyLock<FunctionNames> = LazyLock::new(|| FunctionNames {
            $($name: Arc::from($text),)*
        });
    };
}

names! {
    conditional = "_?_:_",
    and = "_&&_",
    or = "_||_",
    not = "!_",
    equals = "_==_",
    not_equals = "_!=_",
    less = "_<_",
    less_equals = "_<=_",
    greater = "_>_",
    greater_equals = "_>=_",
    add = "_+_",
    subtract = "_-_",
    multiply = "_*_",
    divide = "_/_",
    modulo = "_%_",
    negate = "-_",
    index = "_[_]",
    optional_index = "_[?_]",
    optional_select = "_?._",
    contained = "@in",
    not_strictly_false = "@not_strictly_false",
    map_insert = "cel.@mapInsert",
    sort_by_keys = "@sortByAssociatedKeys",
    has_value = "hasValue",
    value = "value",
    optional_of = "optional.of",
    optional_none = "optional.none",
    /// The variable of the result of a loop so far.
    result = "@result",
    /// The variable of a loop over an empty list, which only names a value.
    unused = "#unused",
    /// The list that is sorted.
    sort_by_input = "@__sortBy_input__",
}

/// Returns the function of an operator between two operands.
pub(super) fn binary(operator: BinaryOperator) -> Arc<str> {
    let names = &*NAMES;
    Arc::clone(match operator {
        BinaryOperator::Or => &names.or,
        BinaryOperator::And => &names.and,
        BinaryOperator::Equals => &names.equals,
        BinaryOperator::NotEquals => &names.not_equals,
        BinaryOperator::Less => &names.less,
        BinaryOperator::LessEquals => &names.less_equals,
        BinaryOperator::Greater => &names.greater,
        BinaryOperator::GreaterEquals => &names.greater_equals,
        BinaryOperator::In => &names.contained,
        BinaryOperator::Add => &names.add,
        BinaryOperator::Subtract => &names.subtract,
        BinaryOperator::Multiply => &names.multiply,
        BinaryOperator::Divide => &names.divide,
        BinaryOperator::Modulo => &names.modulo,
    })
}

/// Returns the function of an operator before an operand.
pub(super) fn unary(operator: UnaryOperator) -> Arc<str> {
    Arc::clone(match operator {
        UnaryOperator::Not => &NAMES.not,
        UnaryOperator::Negate => &NAMES.negate,
    })
}
