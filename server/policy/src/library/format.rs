//! Named formats.
//!
//! The checks of the API server for names and fields, with its error messages.

mod validate;

use super::argument::{opaque, string};
use super::cost::{self, nominal};
use cel::library::{Context, Function, Library, overloads};
use cel::types::Type;
use cel::value::{EvalError, Opaque, Value};
use validate::{FORMATS, Named};

/// Named formats.
pub static FORMAT: Library = Library {
    name: "format",
    macros: &[],
    functions: &[
        Function {
            doc: "Returns the format with the given name, if it exists.",
            example: "format.named('dns1123Label').hasValue()",
            overloads: overloads![
                global "format-named" since 31:
                    "string" -> "optional_type(struct(kubernetes.NamedFormat))";
            ],
            implementation: Some(named),
            ..nominal("format.named")
        },
        Function {
            doc: "Returns `optional.none()` if the string has the format, otherwise a list of errors.",
            example: "!format.dns1123Label().validate('my-name').hasValue()",
            overloads: overloads![
                member "format-validate" since 31:
                    "struct(kubernetes.NamedFormat), string" -> "optional_type(list(string))";
            ],
            estimate: Some(super::estimate::validate),
            implementation: Some(validate),
            cost: Some(validate_cost),
            ..Function::named("validate")
        },
        Function {
            doc: "Format of base64-encoded data.",
            example: "!format.byte().validate('aGk=').hasValue()",
            overloads: overloads![
                global "format.byte" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<0>),
            ..Function::named("format.byte")
        },
        Function {
            doc: "Format of a date, such as `2024-02-29`.",
            example: "!format.date().validate('2024-02-29').hasValue()",
            overloads: overloads![
                global "format.date" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<1>),
            ..Function::named("format.date")
        },
        Function {
            doc: "Format of an RFC 3339 date and time.",
            example: "!format.datetime().validate('2024-02-29T12:30:45Z').hasValue()",
            overloads: overloads![
                global "format.datetime" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<2>),
            ..Function::named("format.datetime")
        },
        Function {
            doc: "Format of an RFC 1035 DNS label, which begins with a letter.",
            example: "!format.dns1035Label().validate('my-name').hasValue()",
            overloads: overloads![
                global "format.dns1035Label" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<3>),
            ..Function::named("format.dns1035Label")
        },
        Function {
            doc: "Format of a prefix of an RFC 1035 DNS label, which may end with a hyphen.",
            example: "!format.dns1035LabelPrefix().validate('my-').hasValue()",
            overloads: overloads![
                global "format.dns1035LabelPrefix" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<4>),
            ..Function::named("format.dns1035LabelPrefix")
        },
        Function {
            doc: "Format of an RFC 1123 DNS label, as in names of namespaces.",
            example: "!format.dns1123Label().validate('1-name').hasValue()",
            overloads: overloads![
                global "format.dns1123Label" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<5>),
            ..Function::named("format.dns1123Label")
        },
        Function {
            doc: "Format of a prefix of an RFC 1123 DNS label, which may end with a hyphen.",
            example: "!format.dns1123LabelPrefix().validate('my-').hasValue()",
            overloads: overloads![
                global "format.dns1123LabelPrefix" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<6>),
            ..Function::named("format.dns1123LabelPrefix")
        },
        Function {
            doc: "Format of an RFC 1123 DNS subdomain, as in names of most objects.",
            example: "!format.dns1123Subdomain().validate('my.name').hasValue()",
            overloads: overloads![
                global "format.dns1123Subdomain" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<7>),
            ..Function::named("format.dns1123Subdomain")
        },
        Function {
            doc: "Format of a prefix of an RFC 1123 DNS subdomain, which may end with a hyphen.",
            example: "!format.dns1123SubdomainPrefix().validate('my.name-').hasValue()",
            overloads: overloads![
                global "format.dns1123SubdomainPrefix" since 31:
                    "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<8>),
            ..Function::named("format.dns1123SubdomainPrefix")
        },
        Function {
            doc: "Format of the value of a label.",
            example: "!format.labelValue().validate('My_value').hasValue()",
            overloads: overloads![
                global "format.labelValue" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<9>),
            ..Function::named("format.labelValue")
        },
        Function {
            doc: "Format of the key of a label or an annotation.",
            example: "!format.qualifiedName().validate('example.com/name').hasValue()",
            overloads: overloads![
                global "format.qualifiedName" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<10>),
            ..Function::named("format.qualifiedName")
        },
        Function {
            doc: "Format of an absolute URI or an absolute path.",
            example: "!format.uri().validate('https://example.com/').hasValue()",
            overloads: overloads![
                global "format.uri" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<11>),
            ..Function::named("format.uri")
        },
        Function {
            doc: "Format of a UUID.",
            example: "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()",
            overloads: overloads![
                global "format.uuid" since 31: "" -> "struct(kubernetes.NamedFormat)";
            ],
            implementation: Some(constant::<12>),
            ..Function::named("format.uuid")
        },
    ],
};

/// A named format as a value.
#[derive(Clone, Copy, Debug)]
pub struct NamedFormat(&'static Named);

impl Opaque for NamedFormat {
    fn ty(&self) -> Type {
        Type::object("kubernetes.NamedFormat")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| other.0.display == self.0.display)
    }

    fn display(&self) -> String {
        self.0.display.to_owned()
    }

    fn go_type(&self) -> &'static str {
        "*cel.Format"
    }
}

/// Returns the names of the formats in alphabetical order.
pub fn format_names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
}

/// Returns the format at that index of the table.
fn constant<const INDEX: usize>(_: &Context<'_>, _: &[Value]) -> Result<Value, EvalError> {
    let format = FORMATS.get(INDEX).ok_or_else(EvalError::no_such_overload)?;
    Ok(Value::opaque(NamedFormat(format)))
}

fn named(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let name = string(args, 0)?;
    let found = FORMATS.iter().find(|format| format.name == name);
    Ok(found.map_or(Value::Optional(None), |format| {
        Value::some(Value::opaque(NamedFormat(format)))
    }))
}

/// Returns whether a string has the format of a name.
pub(crate) fn has_format(name: &str, text: &str) -> bool {
    let format = FORMATS.iter().find(|format| format.name == name);
    format.is_some_and(|format| (format.check)(text).is_empty())
}

fn validate(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (format, text) = (opaque::<NamedFormat>(args, 0)?, string(args, 1)?);
    let messages = (format.0.check)(text);
    if messages.is_empty() {
        return Ok(Value::Optional(None));
    }
    let messages = messages.into_iter().map(Value::string);
    Ok(Value::some(Value::list(messages.collect())))
}

fn validate_cost(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    let format = args.first()?.downcast::<NamedFormat>()?;
    Some(cost::matches(args.get(1)?.size(), format.0.regex_size))
}

#[cfg(test)]
mod tests;
