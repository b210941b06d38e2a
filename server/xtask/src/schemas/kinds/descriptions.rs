//! The descriptions of types and fields, separate from the types.

use kubernetes::openapi::{Model, SchemaFacts};
use lzma_rust2::{LzmaOptions, LzmaWriter, Write};
use std::collections::BTreeMap;

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

    /// Returns the bytes of the file: with LZMA, it is a quarter smaller than with Deflate.
    ///
    /// # Errors
    /// If they cannot be compressed.
    pub(super) fn write(self) -> Result<Vec<u8>, lzma_rust2::Error> {
        let model = Model {
            first_version: 0,
            types: vec![self.types],
            kinds: Vec::new(),
        };
        let bytes = kubernetes::openapi::write(&model);
        let mut writer = LzmaWriter::new_use_header(Vec::new(), &options(), None)?;
        writer.write_all(&bytes)?;
        writer.finish()
    }
}

/// The best level. A reader allocates the dictionary, so it is no larger than the file needs.
fn options() -> LzmaOptions {
    LzmaOptions {
        dict_size: 1 << 20,
        nice_len: LzmaOptions::NICE_LEN_MAX,
        ..LzmaOptions::with_preset(9)
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
