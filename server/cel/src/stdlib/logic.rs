//! Logic.
//!
//! The evaluator runs these itself, since they take what fails; what stands here is what a call
//! of them answers that has come through as a value.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// `_?_:_`
pub(super) const CONDITIONAL: Function = Function {
    doc: "Chooses between two values: the first if the condition is true, else the second. The other one is not evaluated.",
    example: "(2 > 1 ? 'yes' : 'no') == 'yes'",
    overloads: &[Overload::global(
        "conditional",
        "bool, <A>, <A>",
        "<A>",
        FIRST,
    )],
    ..Function::named("_?_:_")
};

/// `_&&_`
pub(super) const AND: Function = Function {
    doc: "True if both sides are true. If one side is false, the result is false, even if the other side fails.",
    example: "true && 2 > 1",
    overloads: &[Overload::global("logical_and", "bool, bool", "bool", FIRST)],
    ..Function::named("_&&_")
};

/// `_||_`
pub(super) const OR: Function = Function {
    doc: "True if one of both sides is true, even if the other side fails.",
    example: "false || 2 > 1",
    overloads: &[Overload::global("logical_or", "bool, bool", "bool", FIRST)],
    ..Function::named("_||_")
};

/// `!_`
pub(super) const NOT: Function = Function {
    doc: "Turns true to false and false to true.",
    example: "!(1 > 2)",
    overloads: &[Overload::global("logical_not", "bool", "bool", FIRST)],
    ..Function::named("!_")
};

/// `@not_strictly_false`
pub(super) const NOT_STRICTLY_FALSE: Function = Function {
    overloads: &[Overload::global(
        "not_strictly_false",
        "bool",
        "bool",
        FIRST,
    )],
    ..Function::named("@not_strictly_false")
};
