//! Fields that a newer server has and an older one does not.
//!
//! The document is compared with the descriptions of two servers at once. Fields that both have,
//! or neither, are ignored.

use super::api::{Gate, field_gate, service};
use crate::document::Document;
use crate::field_path::{FieldPath, PathRef};
use kubernetes::ServerVersion;
use kubernetes::entries;
use kubernetes::openapi::{Catalog, Schema};
use text::TextRange;
use yaml::{Node, NodeId};

/// A field that a server does not have, or has switched off.
#[derive(Clone, Debug, PartialEq)]
pub struct UnavailableField {
    /// The field.
    pub path: FieldPath,
    /// The bytes of its key.
    pub range: TextRange,
    /// The node of its value.
    pub node: NodeId,
    /// The first server that has it.
    pub since: ServerVersion,
    /// The feature gate that enables it, if the server has the field.
    pub gate: Option<Gate>,
}

/// Limit: nodes that are visited. Aliases can make their number explode.
const MAX_NODES: usize = 200_000;
/// Limit: values within values.
const MAX_DEPTH: usize = 200;

/// Returns the fields of a document that a server does not have, though it serves the version of
/// the kind and newer servers have them.
#[must_use]
pub fn unavailable_fields(document: &Document, server: ServerVersion) -> Vec<UnavailableField> {
    let (kind, version) = (document.kind(), document.version());
    let newest = service(kind, version).map_or(ServerVersion::NEWEST, |service| service.last);
    if server >= newest {
        return Vec::new();
    }
    let (old, new) = (Catalog::built_in(server), Catalog::built_in(newest));
    let name = (kind.group(), version.as_str(), kind.as_str());
    let old_schema = old.schema(name.0, name.1, name.2);
    let new_schema = new.schema(name.0, name.1, name.2);
    let (Some(old_schema), Some(new_schema)) = (old_schema, new_schema) else {
        return Vec::new();
    };
    let mut comparison = SchemaComparison {
        old: &old,
        new: &new,
        nodes: MAX_NODES,
        found: Vec::new(),
    };
    let path = PathRef::new(document.base());
    comparison.value(document.root(), &path, (old_schema, new_schema), MAX_DEPTH);
    comparison.found
}

struct SchemaComparison<'c> {
    old: &'c Catalog,
    new: &'c Catalog,
    nodes: usize,
    found: Vec<UnavailableField>,
}

impl<'c> SchemaComparison<'c> {
    /// Compares how both servers describe a value.
    fn value(
        &mut self,
        node: Node<'_>,
        path: &PathRef<'_>,
        schemas: (Schema<'c>, Schema<'c>),
        depth: usize,
    ) {
        let (Some(nodes), Some(depth)) = (self.nodes.checked_sub(1), depth.checked_sub(1)) else {
            return;
        };
        self.nodes = nodes;
        let (old, new) = (
            object_schema(self.old, schemas.0),
            object_schema(self.new, schemas.1),
        );
        if let Some(sequence) = node.as_sequence() {
            // A field that accepts one schema or a list of them is described as one schema.
            let items = old.items().zip(new.items()).unwrap_or((old, new));
            for (index, item) in sequence.items().enumerate() {
                self.value(item, &path.index(index), items, depth);
            }
        }
        let Some(mapping) = node.as_mapping() else {
            return;
        };
        for entry in entries(mapping) {
            let name = entry.key.key_text();
            if let Some(known) = new.property(&name) {
                let path = path.child(&name);
                match old.property(&name) {
                    Some(old_property) => {
                        self.gated(&path, entry.key.range(), entry.value.id(), (new, &name));
                        self.value(entry.value, &path, (old_property, known), depth);
                    }
                    None => self.missing(&path, entry.key.range(), entry.value.id(), (new, &name)),
                }
            } else if let (Some(old), Some(new)) =
                (old.additional_properties(), new.additional_properties())
            {
                self.value(entry.value, &path.key(&name), (old, new), depth);
            }
        }
    }

    /// Adds a field that both servers have, but the old one only with a feature gate.
    fn gated(
        &mut self,
        path: &PathRef<'_>,
        range: TextRange,
        node: NodeId,
        (owner, name): (Schema<'_>, &str),
    ) {
        let gate = field_gate(short_name(owner), name);
        let off = gate.filter(|gate| gate.on_since > self.old.version());
        if let Some(gate) = off {
            self.found.push(UnavailableField {
                path: path.to_path(),
                range,
                node,
                since: gate.on_since,
                gate: Some(gate),
            });
        }
    }

    /// Adds a field that only the new server has.
    fn missing(
        &mut self,
        path: &PathRef<'_>,
        range: TextRange,
        node: NodeId,
        (owner, name): (Schema<'_>, &str),
    ) {
        let known = first_server(owner, name, self.old.version()).unwrap_or(self.new.version());
        let gate = field_gate(short_name(owner), name);
        self.found.push(UnavailableField {
            path: path.to_path(),
            range,
            node,
            since: gate.map_or(known, |gate| gate.on_since.max(known)),
            gate: None,
        });
    }
}

/// Returns the first server above `old` that has a field.
fn first_server(owner: Schema<'_>, field: &str, old: ServerVersion) -> Option<ServerVersion> {
    let name = owner.type_name()?;
    let mut servers = old.up_to(ServerVersion::NEWEST).skip(1);
    servers.find(|server| {
        let catalog = Catalog::built_in(*server);
        let owner = catalog.named(name);
        owner.is_some_and(|owner| owner.property(field).is_some())
    })
}

/// Returns the last part of the name of an object type.
fn short_name(schema: Schema<'_>) -> &str {
    let name = schema.type_name().unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default()
}

/// Returns the schema of the object of a value. A schema inside a CustomResourceDefinition can
/// replace a boolean or a list, which the descriptions do not show.
fn object_schema<'c>(catalog: &'c Catalog, schema: Schema<'c>) -> Schema<'c> {
    let unions = ["OrBool", "OrArray", "OrStringArray"];
    let name = schema.type_name().and_then(|name| {
        let mut unions = unions.iter();
        unions.find_map(|union| name.strip_suffix(union))
    });
    name.filter(|name| name.ends_with("JSONSchemaProps"))
        .and_then(|name| catalog.named(name))
        .unwrap_or(schema)
}

#[cfg(test)]
mod tests;
