//! The files of the kinds of all versions, with their schemas, and of the descriptions.
//!
//! The types of each version come from the Python package `kubernetes-validate`, which keeps the
//! OpenAPI document of every version. It lacks defaults, enums and some list types. These come from
//! the description of one newer server, for each field that both have: these facts rarely change
//! once a field exists.

mod descriptions;
mod former;
mod package;
mod server_resources;
#[cfg(test)]
mod tests;

use descriptions::Descriptions;
use kubernetes::openapi::{KindFacts, Model, SchemaFacts};
use serde_json::Value;
use server_resources::ServerResources;
use std::collections::BTreeMap;
use std::path::Path;

/// The first version of the file.
const FIRST: u8 = kubernetes::ServerVersion::OLDEST.0;
/// The last version of the file.
const LAST: u8 = kubernetes::ServerVersion::NEWEST_KINDS.0;

/// The kinds by group, version and kind, with the versions of the server that have them as
/// bits, and their type.
type Kinds = BTreeMap<(String, String, String), (u16, String)>;

/// The bytes of the files.
pub(super) struct Files {
    /// `kinds.bin`.
    pub(super) kinds: Vec<u8>,
    /// `descriptions.bin`.
    pub(super) descriptions: Vec<u8>,
    /// `former_kinds.bin`.
    pub(super) former: Vec<u8>,
}

/// Returns the files. `package` is the folder `kubernetes-json-schema`, `schemas` the types of one
/// server, `resources` its resources, one a line.
pub(super) fn render(package: &Path, schemas: &Value, resources: &str) -> Result<Files, String> {
    let facts = ServerResources::read(resources)?;
    let mut model = Model {
        first_version: FIRST,
        ..Model::default()
    };
    let mut descriptions = Descriptions::default();
    let mut kinds = Kinds::new();
    for minor in FIRST..=LAST {
        let definitions = package::read(package, minor, schemas)?;
        for (key, type_name) in package::kinds(&definitions, &facts) {
            let kind = kinds.entry(key).or_insert((0, type_name));
            kind.0 |= server_resources::server(minor);
        }
        let mut types = package::types(&definitions)?;
        descriptions.take(&mut types);
        model.types.push(types);
    }
    model.kinds = entries(&kinds, &facts, &model.types);
    let former = former::model(schemas, &facts, &model)?;
    let descriptions = descriptions.write();
    Ok(Files {
        former: kubernetes::openapi::write(&former),
        kinds: kubernetes::openapi::write(&model),
        descriptions: descriptions.map_err(|error| format!("cannot compress: {error:?}"))?,
    })
}

fn entries(
    kinds: &Kinds,
    facts: &ServerResources,
    types: &[BTreeMap<String, SchemaFacts>],
) -> Vec<KindFacts> {
    let entries = kinds
        .iter()
        .map(|((group, version, kind), (servers, type_name))| {
            let schema = types.iter().rev().find_map(|types| types.get(type_name));
            let mut entry = facts.kind(group, version, kind, schema);
            entry.servers = *servers;
            entry.servers_by_default =
                server_resources::served_by_default(group, version, kind, *servers);
            entry.type_name = Some(type_name.clone());
            entry
        });
    entries.collect()
}
