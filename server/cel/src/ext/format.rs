//! Strings from values: `format`.
//!
//! cel-go has two, which differ in how they write numbers and maps and in what they reject.
//! Kubernetes uses the first; the specification describes the second.
//!
//! Upstream: cel-go, ext/formatting.go and ext/formatting_v2.go.

mod container;
mod integer;
mod localized;
mod plain;

use crate::format_string::Clause;
use crate::library::{Context, Function, Library, overloads};
use crate::value::{EvalError, Value};

/// `format` as Kubernetes has it.
pub static LIBRARY: Library = Library {
    name: "strings",
    functions: &[FORMAT],
    macros: &[],
};

/// `format` as the specification has it, for an environment of plain CEL.
pub static PLAIN_CEL: Library = Library {
    name: "strings",
    functions: &[FORMAT_PLAIN],
    macros: &[],
};

const DOC: &str = "Returns the string with each clause replaced by the next value of the list: `%s` any value, `%d` an integer, `%f` and `%e` a double, `%b` binary, `%x` and `%X` hexadecimal, `%o` octal, `%%` a percent sign. `%.2f` formats two decimal places.";
const EXAMPLE: &str = "'%s has %d replicas'.format(['web', 3]) == 'web has 3 replicas'";

/// `format`
const FORMAT: Function = Function {
    doc: DOC,
    example: EXAMPLE,
    overloads: overloads![
        member "string_format" since 29: "string, list(dyn)" -> "string";
    ],
    implementation: Some(localized_format),
    ..Function::named("format")
};

/// `format`
const FORMAT_PLAIN: Function = Function {
    doc: DOC,
    example: EXAMPLE,
    overloads: overloads![
        member "string_format": "string, list(dyn)" -> "string";
    ],
    implementation: Some(plain_format),
    ..Function::named("format")
};

type Formatter = fn(&Context<'_>, Clause, &Value) -> Result<String, FormatErrorKind>;

/// The reason why a value cannot be formatted.
enum FormatErrorKind {
    /// It does not fit the clause.
    Value(String),
    /// The evaluation ends.
    Fatal(EvalError),
}

impl From<EvalError> for FormatErrorKind {
    fn from(error: EvalError) -> Self {
        Self::Fatal(error)
    }
}

fn localized_format(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    run(context, args, localized::format)
}

fn plain_format(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    run(context, args, plain::format)
}

fn run(context: &Context<'_>, args: &[Value], formatter: Formatter) -> Result<Value, EvalError> {
    let [Value::String(text), Value::List(values)] = args else {
        return Err(EvalError::no_such_overload_of("format", args));
    };
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut values, mut index) = (&**text, values.iter(), 0);
    while let Some((before, clause)) = rest.split_once('%') {
        out.push_str(before);
        if let Some(after) = clause.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let value = values
            .next()
            .ok_or_else(|| EvalError::message(format!("index {index} out of range")))?;
        if clause.is_empty() {
            return Err(EvalError::message("unexpected end of string"));
        }
        let read = Clause::read(clause).map_err(|why| {
            EvalError::message(format!("could not parse formatting clause: {why}"))
        })?;
        context.allocate(read.precision.unwrap_or(0))?;
        let part = formatter(context, read, value).map_err(|why| match why {
            FormatErrorKind::Value(why) => {
                EvalError::message(format!("error during formatting: {why}"))
            }
            FormatErrorKind::Fatal(error) => error,
        })?;
        context.allocate(part.len())?;
        out.push_str(&part);
        rest = clause.get(read.length..).unwrap_or_default();
        index += 1;
    }
    out.push_str(rest);
    Ok(Value::string(out))
}
