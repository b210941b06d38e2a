//! Kinds of versions that servers define but no longer serve, such as `apps/v1beta1`.
//!
//! Such an object cannot be sent. But the type checker of the API server still has their
//! schemas, and reports warnings for them.

use super::package::{self, Definitions};
use super::server_resources::ServerResources;
use kubernetes::openapi::{KindFacts, Model, SchemaFacts};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the kinds with the types that no other file has. `schemas` are the types of one server,
/// `known` are the served kinds.
pub(super) fn model(
    schemas: &Value,
    facts: &ServerResources,
    known: &Model,
) -> Result<Model, String> {
    let schemas = schemas.as_object().ok_or("the types are no object")?;
    let served: BTreeSet<[&str; 3]> = known.kinds.iter().map(key).collect();
    // The types of configuration files are not kinds of an API.
    let is_of_api = |name: &str| name.starts_with("io.k8s.api");
    let definitions: Definitions = schemas
        .iter()
        .filter(|(name, _)| is_of_api(name))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    let types = package::types(&definitions)?;
    let mut former = Model {
        first_version: known.first_version,
        ..Model::default()
    };
    let mut wanted = BTreeSet::new();
    for ((group, version, kind), type_name) in package::kinds(&definitions, facts) {
        if version == "__internal" || served.contains(&[&*group, &*version, &*kind]) {
            continue;
        }
        let mut entry = facts.kind(&group, &version, &kind, types.get(&type_name));
        if entry.plural.is_none() {
            continue;
        }
        entry.servers = 1;
        entry.type_name = Some(type_name.clone());
        entry.subresources.clear();
        mentioned(&type_name, &types, known, &mut wanted);
        former.kinds.push(entry);
    }
    former
        .kinds
        .sort_by(|left, right| key(left).cmp(&key(right)));
    let wanted = wanted.iter();
    let taken = wanted.filter_map(|name| Some((name.clone(), types.get(name)?.clone())));
    former.types.push(taken.collect());
    Ok(former)
}

/// Returns the name of a kind with its group and version.
fn key(kind: &KindFacts) -> [&str; 3] {
    [&kind.group, &kind.version, &kind.kind]
}

/// Adds a type and those that it mentions, except for the ones that all servers have.
fn mentioned(
    name: &str,
    types: &BTreeMap<String, SchemaFacts>,
    known: &Model,
    wanted: &mut BTreeSet<String>,
) {
    if known.types.iter().all(|types| types.contains_key(name)) {
        return;
    }
    let Some(schema) = types.get(name).filter(|_| wanted.insert(name.to_owned())) else {
        return;
    };
    let mut found = BTreeSet::new();
    package::references(schema, &mut found);
    for name in found {
        mentioned(name, types, known, wanted);
    }
}
