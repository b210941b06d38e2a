//! The standard library: operators and functions that every environment of CEL has.
//!
//! Upstream: cel-go, common/stdlib/standard.go. The order of the overloads is the order there,
//! since the checker tries and reports them in that order.

pub mod arithmetic;
pub mod collections;
pub mod comparison;
pub mod conversions;
pub mod equality;
pub mod logic;
pub mod matches;
pub mod strings;
#[cfg(test)]
pub(crate) mod tests;
pub mod time;
mod zone;

use crate::library::{Library, Macro, Since};
use crate::syntax::MacroKind;

/// The standard library.
pub static LIBRARY: Library = Library {
    name: "stdlib",
    functions: &[
        logic::CONDITIONAL,
        logic::AND,
        logic::OR,
        logic::NOT,
        logic::NOT_STRICTLY_FALSE,
        equality::EQUALS,
        equality::NOT_EQUALS,
        arithmetic::ADD,
        arithmetic::DIVIDE,
        arithmetic::MODULO,
        arithmetic::MULTIPLY,
        arithmetic::NEGATE,
        arithmetic::SUBTRACT,
        comparison::LESS,
        comparison::LESS_EQUALS,
        comparison::GREATER,
        comparison::GREATER_EQUALS,
        collections::INDEX,
        collections::IN,
        collections::SIZE,
        conversions::TYPE,
        conversions::BOOL,
        conversions::BYTES,
        conversions::DOUBLE,
        conversions::DURATION,
        conversions::DYN,
        conversions::INT,
        conversions::STRING,
        conversions::TIMESTAMP,
        conversions::UINT,
        strings::CONTAINS,
        strings::ENDS_WITH,
        strings::STARTS_WITH,
        matches::MATCHES,
        time::GET_FULL_YEAR,
        time::GET_MONTH,
        time::GET_DAY_OF_YEAR,
        time::GET_DAY_OF_MONTH,
        time::GET_DATE,
        time::GET_DAY_OF_WEEK,
        time::GET_HOURS,
        time::GET_MINUTES,
        time::GET_SECONDS,
        time::GET_MILLISECONDS,
    ],
    macros: &[
        Macro::new(MacroKind::Has, 0, Since::ALWAYS),
        Macro::new(MacroKind::All, 1, Since::ALWAYS),
        Macro::new(MacroKind::Exists, 1, Since::ALWAYS),
        Macro::new(MacroKind::ExistsOne, 1, Since::ALWAYS),
        Macro::new(MacroKind::Map, 1, Since::ALWAYS),
        Macro::new(MacroKind::Filter, 1, Since::ALWAYS),
    ],
};
