//! Amounts of resources.
//!
//! `1.5Gi`, `250m`, `2e3`: the notation of requests and limits, compared and added without rounding.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// Amounts of resources.
pub static QUANTITY: Library = Library {
    name: "quantity",
    macros: &[],
    functions: &[
        Function {
            doc: "Reads an amount, such as `1.5Gi`, `250m` or `2e3`. Anything else is an error.",
            example: "quantity('1Gi').isGreaterThan(quantity('1G'))",
            overloads: &[Overload::global(
                "string_to_quantity",
                "string",
                "struct(kubernetes.Quantity)",
                Version(28),
            )],
            estimate: Some(calls::reads_argument),
            ..Function::named("quantity")
        },
        Function {
            doc: "Whether `quantity()` can read a text.",
            example: "isQuantity('1.5Gi') && !isQuantity('1 Gi')",
            overloads: &[Overload::global(
                "is_quantity_string",
                "string",
                "bool",
                Version(28),
            )],
            estimate: Some(calls::reads_argument),
            ..Function::named("isQuantity")
        },
        Function {
            doc: "-1, 0 or 1: whether an amount is below, at or above zero.",
            example: "sign(quantity('-1')) == -1",
            overloads: &[Overload::global(
                "quantity_sign",
                "struct(kubernetes.Quantity)",
                "int",
                Version(28),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("sign")
        },
        Function {
            doc: "Whether an amount is greater than another.",
            example: "quantity('2k').isGreaterThan(quantity('1k'))",
            overloads: &[Overload::member(
                "quantity_is_greater_than",
                "struct(kubernetes.Quantity), struct(kubernetes.Quantity)",
                "bool",
                Version(28),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isGreaterThan")
        },
        Function {
            doc: "Whether an amount is less than another.",
            example: "quantity('50M').isLessThan(quantity('50Mi'))",
            overloads: &[Overload::member(
                "quantity_is_less_than",
                "struct(kubernetes.Quantity), struct(kubernetes.Quantity)",
                "bool",
                Version(28),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isLessThan")
        },
        Function {
            doc: "-1, 0 or 1: whether an amount is less than, equal to or greater than another.",
            example: "quantity('1Ki').compareTo(quantity('1024')) == 0",
            overloads: &[Overload::member(
                "quantity_compare_to",
                "struct(kubernetes.Quantity), struct(kubernetes.Quantity)",
                "int",
                Version(28),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("compareTo")
        },
        Function {
            doc: "An amount as a double, which can round it.",
            example: "quantity('250m').asApproximateFloat() == 0.25",
            overloads: &[Overload::member(
                "quantity_get_float",
                "struct(kubernetes.Quantity)",
                "double",
                Version(28),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("asApproximateFloat")
        },
        Function {
            doc: "An amount as an integer. One that is not whole, or too large for 64 bits, is an error.",
            example: "quantity('2k').asInteger() == 2000",
            overloads: &[Overload::member(
                "quantity_get_int",
                "struct(kubernetes.Quantity)",
                "int",
                Version(28),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("asInteger")
        },
        Function {
            doc: "Whether `asInteger()` can give an amount.",
            example: "quantity('2k').isInteger() && !quantity('250m').isInteger()",
            overloads: &[Overload::member(
                "quantity_is_integer",
                "struct(kubernetes.Quantity)",
                "bool",
                Version(28),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isInteger")
        },
        Function {
            doc: "The sum of an amount and another amount or integer.",
            example: "quantity('1k').add(quantity('2k')) == quantity('3k')",
            overloads: &[
                Overload::member(
                    "quantity_add",
                    "struct(kubernetes.Quantity), struct(kubernetes.Quantity)",
                    "struct(kubernetes.Quantity)",
                    Version(28),
                ),
                Overload::member(
                    "quantity_add_int",
                    "struct(kubernetes.Quantity), int",
                    "struct(kubernetes.Quantity)",
                    Version(28),
                ),
            ],
            estimate: Some(calls::nominal),
            ..Function::named("add")
        },
        Function {
            doc: "The difference of an amount and another amount or integer.",
            example: "quantity('3k').sub(1000) == quantity('2k')",
            overloads: &[
                Overload::member(
                    "quantity_sub",
                    "struct(kubernetes.Quantity), struct(kubernetes.Quantity)",
                    "struct(kubernetes.Quantity)",
                    Version(28),
                ),
                Overload::member(
                    "quantity_sub_int",
                    "struct(kubernetes.Quantity), int",
                    "struct(kubernetes.Quantity)",
                    Version(28),
                ),
            ],
            estimate: Some(calls::nominal),
            ..Function::named("sub")
        },
    ],
};
