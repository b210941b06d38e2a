//! Resource quantities.
//!
//! `1.5Gi`, `250m`, `2e3`: the notation of requests and limits, compared and added without
//! rounding.

use super::argument::{opaque, string};
use super::cost::{self, nominal};
use cel::cost::calls;
use cel::library::{Context, Function, Library, overloads};
use cel::types::Type;
use cel::value::{EvalError, Opaque, Value, unsupported};
use kubernetes::Quantity;
use kubernetes::ServerVersion;
use kubernetes::versions::bugs::QUANTITY_CHANGED_BY_ADD;
use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Resource quantities.
pub(crate) static QUANTITY: Library = Library {
    name: "quantity",
    macros: &[],
    functions: &[
        Function {
            doc: "Parses a quantity such as `1.5Gi`, `250m` or `2e3`. Fails if the string is not a quantity.",
            example: "quantity('1Gi').isGreaterThan(quantity('1G'))",
            overloads: overloads![
                global "string_to_quantity" since 28: "string" -> "struct(kubernetes.Quantity)";
            ],
            estimate: Some(calls::reads_argument),
            implementation: Some(to_quantity),
            cost: Some(cost::reads_first),
            ..Function::named("quantity")
        },
        Function {
            doc: "Returns whether the string is a valid quantity.",
            example: "isQuantity('1.5Gi') && !isQuantity('1 Gi')",
            overloads: overloads![
                global "is_quantity_string" since 28: "string" -> "bool";
            ],
            estimate: Some(calls::reads_argument),
            implementation: Some(is_quantity),
            cost: Some(cost::reads_first),
            ..Function::named("isQuantity")
        },
        Function {
            doc: "Returns -1, 0 or 1 for a negative, zero or positive quantity.",
            example: "sign(quantity('-1')) == -1",
            overloads: overloads![
                global "quantity_sign" since 28: "struct(kubernetes.Quantity)" -> "int";
            ],
            implementation: Some(sign),
            ..nominal("sign")
        },
        Function {
            doc: "Returns whether the quantity is greater than another.",
            example: "quantity('2k').isGreaterThan(quantity('1k'))",
            overloads: overloads![
                member "quantity_is_greater_than" since 28:
                    "struct(kubernetes.Quantity), struct(kubernetes.Quantity)" -> "bool";
            ],
            implementation: Some(is_greater),
            ..nominal("isGreaterThan")
        },
        Function {
            doc: "Returns whether the quantity is less than another.",
            example: "quantity('50M').isLessThan(quantity('50Mi'))",
            overloads: overloads![
                member "quantity_is_less_than" since 28:
                    "struct(kubernetes.Quantity), struct(kubernetes.Quantity)" -> "bool";
            ],
            implementation: Some(is_less),
            ..nominal("isLessThan")
        },
        Function {
            doc: "Returns -1, 0 or 1 if the quantity is less than, equal to or greater than another.",
            example: "quantity('1Ki').compareTo(quantity('1024')) == 0",
            overloads: overloads![
                member "quantity_compare_to" since 28:
                    "struct(kubernetes.Quantity), struct(kubernetes.Quantity)" -> "int";
            ],
            implementation: Some(compare),
            ..nominal("compareTo")
        },
        Function {
            doc: "Returns the quantity as a double, which may round it.",
            example: "quantity('250m').asApproximateFloat() == 0.25",
            overloads: overloads![
                member "quantity_get_float" since 28: "struct(kubernetes.Quantity)" -> "double";
            ],
            implementation: Some(as_float),
            ..nominal("asApproximateFloat")
        },
        Function {
            doc: "Returns the quantity as an integer. Fails if it is not whole or does not fit 64 bits.",
            example: "quantity('2k').asInteger() == 2000",
            overloads: overloads![
                member "quantity_get_int" since 28: "struct(kubernetes.Quantity)" -> "int";
            ],
            implementation: Some(as_integer),
            ..nominal("asInteger")
        },
        Function {
            doc: "Returns whether `asInteger()` succeeds.",
            example: "quantity('2k').isInteger() && !quantity('250m').isInteger()",
            overloads: overloads![
                member "quantity_is_integer" since 28: "struct(kubernetes.Quantity)" -> "bool";
            ],
            implementation: Some(is_integer),
            ..nominal("isInteger")
        },
        Function {
            doc: "Returns the sum of the quantity and another quantity or integer.",
            example: "quantity('1k').add(quantity('2k')) == quantity('3k')",
            overloads: overloads![
                member "quantity_add" since 28:
                    "struct(kubernetes.Quantity), struct(kubernetes.Quantity)"
                    -> "struct(kubernetes.Quantity)";
                member "quantity_add_int" since 28:
                    "struct(kubernetes.Quantity), int" -> "struct(kubernetes.Quantity)";
            ],
            implementation: Some(add),
            ..nominal("add")
        },
        Function {
            doc: "Returns the difference of the quantity and another quantity or integer.",
            example: "quantity('3k').sub(1000) == quantity('2k')",
            overloads: overloads![
                member "quantity_sub" since 28:
                    "struct(kubernetes.Quantity), struct(kubernetes.Quantity)"
                    -> "struct(kubernetes.Quantity)";
                member "quantity_sub_int" since 28:
                    "struct(kubernetes.Quantity), int" -> "struct(kubernetes.Quantity)";
            ],
            implementation: Some(sub),
            ..nominal("sub")
        },
    ],
};

/// A quantity as a value of CEL.
#[derive(Debug)]
pub struct QuantityValue {
    /// Some functions change it, as on the server.
    quantity: Mutex<Quantity>,
    /// Whether a function has computed it. The server represents such a quantity differently, and
    /// does not find it equal on the right side of `==`.
    is_computed: bool,
}

impl QuantityValue {
    fn value(quantity: Quantity, is_computed: bool) -> Value {
        Value::opaque(Self {
            quantity: Mutex::new(quantity),
            is_computed,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Quantity> {
        self.quantity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> Quantity {
        self.lock().clone()
    }
}

impl Opaque for QuantityValue {
    fn ty(&self) -> Type {
        Type::object("kubernetes.Quantity")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.read().compare(&other.read()).is_eq())
    }

    fn equals_value(&self, other: &Value) -> Option<bool> {
        let other = other.downcast::<Self>()?;
        (!other.is_computed).then(|| self.equals(other))
    }

    fn display(&self) -> String {
        self.read().to_string()
    }

    fn go_type(&self) -> &'static str {
        if self.is_computed {
            "*cel.Quantity"
        } else {
            "cel.Quantity"
        }
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(unsupported("*resource.Quantity", &self.display())))
    }
}

/// Returns the server that computes.
fn server(context: &Context<'_>) -> ServerVersion {
    ServerVersion(context.release())
}

/// Charges the memory for a number of that length. The time to parse it, and so the charge, grows
/// with the square of its length.
fn charge(context: &Context<'_>, text: &str) -> Result<(), EvalError> {
    context.allocate(text.len().saturating_mul(text.len()) / 64)
}

fn to_quantity(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let text = string(args, 0)?;
    charge(context, text)?;
    let quantity = Quantity::parse_on(server(context), text).map_err(EvalError::message)?;
    Ok(QuantityValue::value(quantity, false))
}

fn is_quantity(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let text = string(args, 0)?;
    charge(context, text)?;
    Ok(Value::Bool(
        Quantity::parse_on(server(context), text).is_ok(),
    ))
}

fn quantity(args: &[Value]) -> Result<MutexGuard<'_, Quantity>, EvalError> {
    Ok(opaque::<QuantityValue>(args, 0)?.lock())
}

fn sign(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Int(quantity(args)?.sign().into()))
}

fn order(args: &[Value]) -> Result<Ordering, EvalError> {
    let other = opaque::<QuantityValue>(args, 1)?.read();
    Ok(quantity(args)?.compare_in_place(&other))
}

fn is_greater(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(order(args)?.is_gt()))
}

fn is_less(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(order(args)?.is_lt()))
}

fn compare(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Int(order(args)? as i64))
}

fn as_float(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Double(quantity(args)?.as_float()))
}

fn as_integer(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let number = quantity(args)?
        .as_int()
        .ok_or_else(|| EvalError::message("cannot convert value to integer"))?;
    Ok(Value::Int(number))
}

fn is_integer(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(quantity(args)?.as_int().is_some()))
}

/// Returns the operand of `add` and `sub`: a quantity or an integer.
fn operand(context: &Context<'_>, args: &[Value]) -> Result<Quantity, EvalError> {
    match args.get(1) {
        Some(Value::Int(number)) => Ok(Quantity::whole(*number, server(context))),
        _ => Ok(opaque::<QuantityValue>(args, 1)?.read()),
    }
}

/// Returns the result of `add` or `sub`.
fn computed(context: &Context<'_>, receiver: &Quantity, result: Quantity) -> Value {
    let result = if QUANTITY_CHANGED_BY_ADD.affects(server(context)) {
        receiver.overwritten(result)
    } else {
        result
    };
    QuantityValue::value(result, true)
}

fn add(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let other = operand(context, args)?;
    let quantity = quantity(args)?;
    let sum = quantity.plus(&other, context)?;
    Ok(computed(context, &quantity, sum))
}

fn sub(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let other = operand(context, args)?;
    let quantity = quantity(args)?;
    let difference = quantity.minus(&other, context)?;
    Ok(computed(context, &quantity, difference))
}

#[cfg(test)]
mod tests;
