//! The descriptions of the fields of the built-in kinds, from the API reference.
//!
//! The descriptions are three times as large as all other facts, and only a reader of a field needs
//! them. They are one file, in the same form as the kinds, that is compressed with LZMA and unpacked
//! when the first one is read. The description of a field comes from the newest version that has it.

use super::definitions::Definitions;
use super::layout::{NAME, node};
use super::model::Model;
use super::schema_node::SchemaNode;
use lzma_rust2::{LzmaReader, Read};
use std::sync::OnceLock;

/// The file, as `cargo xtask schemas` writes it.
static DESCRIPTIONS: &[u8] = include_bytes!("../../assets/descriptions.bin");

/// Limit: the bytes of the unpacked file. It has 0.8 MB.
const MAX_BYTES: usize = 8 << 20;

/// Limit: the memory of the decoder, in KiB. It takes 1 MiB.
const MAX_MEMORY: u32 = 16 << 10;

static UNPACKED: OnceLock<Definitions> = OnceLock::new();

/// Returns the description of a field of a type.
pub(super) fn of_field(type_name: &str, field: &str) -> Option<&'static str> {
    let owner = schema_node(type_name)?;
    let definitions = owner.definitions;
    let name = |entry: u32| definitions.string(definitions.word(entry) & NAME);
    let mut entries = owner.entries(node::PROPERTIES, 2);
    let entry = entries.find(|entry| name(*entry) == field)?;
    let place = SchemaNode {
        definitions,
        node: definitions.word(entry.saturating_add(1)),
    };
    place.text(node::DESCRIPTION)
}

/// Returns the description of a type.
pub(super) fn of_type(type_name: &str) -> Option<&'static str> {
    schema_node(type_name)?.text(node::DESCRIPTION)
}

fn schema_node(type_name: &str) -> Option<SchemaNode<'static>> {
    let definitions = UNPACKED.get_or_init(unpack);
    let node = definitions.type_node(definitions.type_number(type_name)?)?;
    Some(SchemaNode { definitions, node })
}

fn unpack() -> Definitions {
    read_bytes()
        .and_then(Definitions::from_bytes)
        .unwrap_or_else(|| Definitions::from_model(&Model::default()))
}

fn read_bytes() -> Option<Vec<u8>> {
    let mut reader = LzmaReader::new_mem_limit(DESCRIPTIONS, MAX_MEMORY, None).ok()?;
    let (mut bytes, mut part) = (Vec::new(), vec![0; 64 << 10]);
    while bytes.len() <= MAX_BYTES {
        let count = reader.read(&mut part).ok()?;
        if count == 0 {
            return Some(bytes);
        }
        bytes.extend_from_slice(part.get(..count)?);
    }
    None
}
