//! Functions for JSON patches.
//!
//! Only the environment of mutations has it.
use super::argument::string;
use super::cost;
use cel::cost::calls;
use cel::library::{Context, Function, Library, overloads};
use cel::value::{EvalError, Value};

/// Functions for JSON patches.
pub(crate) static JSONPATCH: Library = Library {
    name: "jsonpatch",
    macros: &[],
    functions: &[Function {
        doc: "Escapes a key for a JSON Pointer: `~0` for `~` and `~1` for `/`.",
        example: "jsonpatch.escapeKey('example.com/a~b') == 'example.com~1a~0b'",
        overloads: overloads![
            global "string_jsonpatch_escapeKey_string" since 24: "string" -> "string";
        ],
        estimate: Some(calls::converts_argument),
        implementation: Some(escape_key),
        cost: Some(cost::reads_first),
        ..Function::named("jsonpatch.escapeKey")
    }],
};

fn escape_key(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let key = string(args, 0)?;
    Ok(Value::string(key.replace('~', "~0").replace('/', "~1")))
}
