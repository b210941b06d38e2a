//! The file of the kinds of all versions, with their schemas.
//!
//! The types of each version come from the Python package `kubernetes-validate`, which keeps
//! the OpenAPI document of every version. It lacks defaults, enums and some list types.
//! These come from the description of one newer server, for each field that both have: such
//! a fact hardly ever changes once a field exists.

mod facts;
mod package;

use facts::Facts;
use policy::openapi::{Model, SchemaFacts};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The first version of the file.
const FIRST: u8 = policy::Target::OLDEST.0;
/// The last version of the file.
const LAST: u8 = policy::Target::NEWEST.0;

/// The kinds by group, version and kind, with the versions of the server that have them as
/// bits, and their type.
type Kinds = BTreeMap<(String, String, String), (u16, String)>;

/// The bytes of `kinds.bin`. `package` is the folder `kubernetes-json-schema`, `schemas` the
/// types of one server, `resources` its resources, one a line.
pub(super) fn render(package: &Path, schemas: &Value, resources: &str) -> Result<Vec<u8>, String> {
    let facts = Facts::read(resources)?;
    let mut model = Model {
        first_version: FIRST,
        ..Model::default()
    };
    let mut kinds = Kinds::new();
    for minor in FIRST..=LAST {
        let definitions = package::read(package, minor, schemas)?;
        let server = 1 << (minor - FIRST);
        for (key, type_name) in package::kinds(&definitions, &facts) {
            let kind = kinds.entry(key).or_insert((0, type_name));
            kind.0 |= server;
        }
        model.types.push(package::types(&definitions)?);
    }
    let newest: BTreeMap<&str, &SchemaFacts> = model
        .types
        .iter()
        .flat_map(|types| types.iter().map(|(name, schema)| (name.as_str(), schema)))
        .collect();
    model.kinds = kinds
        .iter()
        .map(|((group, version, kind), (servers, type_name))| {
            let schema = newest.get(type_name.as_str()).copied();
            let mut entry = facts.kind(group, version, kind, schema);
            entry.servers = *servers;
            entry.servers_by_default = facts::served_by_default(group, version, kind, *servers);
            entry.type_name = Some(type_name.clone());
            entry
        })
        .collect();
    Ok(policy::openapi::write(&model))
}
