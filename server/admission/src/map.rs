//! Maps with known fields, for the variables that expressions read.

use cel::Value;
use cel::value::Key;

/// An object of these fields.
pub(crate) fn map(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let entries = fields.into_iter();
    let entries = entries.map(|(field, value)| (Key::String(field.into()), value));
    Value::Map(entries.collect())
}
