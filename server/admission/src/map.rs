//! Maps with known fields, for the variables that expressions read.

use cel::Value;
use cel::value::{Key, Map};

/// Returns an object of these fields, which the caller guarantees to be different.
pub(crate) fn map<I>(fields: I) -> Value
where
    I: IntoIterator<Item = (&'static str, Value), IntoIter: ExactSizeIterator>,
{
    let entries = fields
        .into_iter()
        .map(|(field, value)| (Key::String(field.into()), value));
    Value::Map(Map::from_distinct(entries))
}
