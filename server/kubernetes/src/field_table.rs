//! Tables of fields: facts of the API that no schema contains.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Some fields of some types, written `Type: field field`, over any number of lines.
#[derive(Debug)]
pub struct FieldTable {
    text: &'static str,
    fields: OnceLock<HashMap<&'static str, Vec<&'static str>>>,
}

impl FieldTable {
    /// Returns a table, which is read when it is first needed.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let fields = OnceLock::new();
        Self { text, fields }
    }

    /// Returns whether the table has a field of a type.
    #[must_use]
    pub fn contains(&self, type_name: &str, field: &str) -> bool {
        let fields = self.fields.get_or_init(|| read(self.text)).get(type_name);
        fields.is_some_and(|fields| fields.contains(&field))
    }
}

fn read(text: &'static str) -> HashMap<&'static str, Vec<&'static str>> {
    let mut table: HashMap<_, Vec<_>> = HashMap::new();
    let mut type_name = "";
    for word in text.split_ascii_whitespace() {
        match word.strip_suffix(':') {
            Some(name) => type_name = name,
            None => table.entry(type_name).or_default().push(word),
        }
    }
    table
}
