//! The descriptions of types and fields, separate from the types.

use kubernetes::openapi::{Model, SchemaFacts};
use std::collections::BTreeMap;
use std::io;
use zopfli::Format;

/// Types with only descriptions, by their names.
#[derive(Default)]
pub(super) struct Descriptions {
    types: BTreeMap<String, SchemaFacts>,
}

impl Descriptions {
    /// Moves the descriptions out of the types of a version. Those of newer versions take
    /// precedence, so they must be added later.
    pub(super) fn take(&mut self, types: &mut BTreeMap<String, SchemaFacts>) {
        for (name, schema) in types {
            let known = self.types.entry(name.clone()).or_default();
            if let Some(text) = schema.description.take() {
                known.description = Some(text);
            }
            for (field, property) in &mut schema.properties {
                if let Some(text) = property.schema.description.take() {
                    let known = known.properties.entry(field.clone()).or_default();
                    known.schema.description = Some(text);
                }
            }
            forget(schema);
        }
    }

    /// Returns the bytes of the file. Zopfli takes about a second. Its output is smaller, and any
    /// inflater can read it.
    ///
    /// # Errors
    /// If they cannot be deflated.
    pub(super) fn write(self) -> io::Result<Vec<u8>> {
        let model = Model {
            first_version: 0,
            types: vec![self.types],
            kinds: Vec::new(),
        };
        let (bytes, mut deflated) = (kubernetes::openapi::write(&model), Vec::new());
        let options = zopfli::Options::default();
        zopfli::compress(options, Format::Deflate, bytes.as_slice(), &mut deflated)?;
        Ok(deflated)
    }
}

/// Drops descriptions of items and values, which repeat those of their types.
fn forget(schema: &mut SchemaFacts) {
    schema.description = None;
    for property in schema.properties.values_mut() {
        forget(&mut property.schema);
    }
    for inner in [&mut schema.items, &mut schema.values]
        .into_iter()
        .flatten()
    {
        forget(inner);
    }
}
