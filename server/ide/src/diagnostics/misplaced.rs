//! Where an unknown field belongs: in the same object under another name, in an object below or
//! above, or in another kind.

use crate::file::SourceFile;
use crate::manifest_schema::{is_json_schema, schema_of};
use kubernetes::openapi::{Catalog, Schema};
use policy::schema::{Mismatch, MismatchKind};
use policy::{FieldPath, FieldStep, Kind, PolicyDocument};
use std::collections::HashMap;
use yaml::{Node, NodeId};

/// Where an unknown field belongs.
pub(super) struct Meant {
    /// The path of the object that has the field, in the file.
    pub(super) owner: FieldPath,
    /// The name of the field.
    pub(super) name: String,
    /// The object.
    pub(super) place: Place,
}

/// The object that has a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The object with the unknown field.
    Same,
    /// The object in another field of it.
    Below(String),
    /// An object that contains it.
    Above,
}

/// Names of other kinds and versions for the same content.
const SYNONYMS: [(&str, &str); 7] = [
    ("matchConstraints", "matchResources"),
    ("matchResources", "matchConstraints"),
    ("rules", "resourceRules"),
    ("resourceRules", "rules"),
    ("expression", "rule"),
    ("expression", "valueExpression"),
    ("rule", "expression"),
];

/// Names that many objects have, so that they do not show where a field belongs.
const COMMON: [&str; 3] = ["kind", "name", "namespace"];

/// The fields of a schema that hold the schemas of fields.
const PROPERTIES: &str = "properties";

/// Returns where the unknown fields of a document belong, by the nodes of their values.
pub(super) fn meant_fields(
    file: &SourceFile,
    document: &PolicyDocument,
    mismatches: &[Mismatch],
) -> HashMap<NodeId, Meant> {
    let catalog = file.project().kinds();
    let unknown = mismatches.iter().take(file.max_findings());
    unknown
        .filter_map(|mismatch| Some((mismatch.node, meant(catalog, document, mismatch)?)))
        .collect()
}

fn meant(catalog: &Catalog, document: &PolicyDocument, mismatch: &Mismatch) -> Option<Meant> {
    let MismatchKind::UnknownField { name, nearest, .. } = &mismatch.kind else {
        return None;
    };
    let path = mismatch.path.parent()?;
    let meant = |owner: &FieldPath, name: &str, place| Meant {
        owner: owner.clone(),
        name: name.to_owned(),
        place,
    };
    if let Some(nearest) = nearest {
        return Some(meant(&path, nearest, Place::Same));
    }
    let value = document.node(mismatch.node);
    let object = value.parent()?;
    let schema = schema_of(catalog, object)?;
    let mut others = SYNONYMS.iter().filter(|(from, _)| from == name);
    if let Some((_, other)) = others.find(|(_, to)| schema.property(to).is_some()) {
        return Some(meant(&path, other, Place::Same));
    }
    if is_json_schema(schema) {
        let is_schema = value.as_mapping().is_some_and(|fields| {
            let mut names = fields.entries().map(|entry| entry.key.text());
            names.any(|name| schema.property(name).is_some())
        });
        let below = || {
            meant(
                &path.child(PROPERTIES),
                name,
                Place::Below(PROPERTIES.into()),
            )
        };
        return is_schema.then(below);
    }
    if let Some((parent, name)) = below(schema, name) {
        return Some(meant(&path.child(&parent), &name, Place::Below(parent)));
    }
    let above = above(catalog, object, &path, name)?;
    Some(meant(&above, name, Place::Above))
}

/// Returns the only field whose object has a field with the name, or a synonym of it.
fn below(schema: Schema<'_>, name: &str) -> Option<(String, String)> {
    let synonyms = SYNONYMS.iter().filter(|(from, _)| *from == name);
    let names = std::iter::once(name).chain(synonyms.map(|(_, to)| *to));
    let is_common = COMMON.contains(&name);
    names.filter(|_| !is_common).find_map(|name| {
        let mut parents = schema
            .properties()
            .filter(|(_, field)| field.property(name).is_some());
        let (parent, _) = parents.next()?;
        let is_only = parents.next().is_none();
        is_only.then(|| (parent.to_owned(), name.to_owned()))
    })
}

/// Returns the path of the closest object above that has a field with the name.
fn above(catalog: &Catalog, object: Node<'_>, path: &FieldPath, name: &str) -> Option<FieldPath> {
    let (mut node, mut path) = (object, path.clone());
    while !COMMON.contains(&name) {
        node = node.parent()?;
        path = path.parent()?;
        let has_field = || schema_of(catalog, node)?.property(name);
        if node.as_mapping().is_some() && has_field().is_some() {
            return Some(path);
        }
    }
    None
}

/// Returns the other kind of policies or bindings that has the unknown field at the same path.
pub(super) fn other_kind(
    catalog: &Catalog,
    document: &PolicyDocument,
    mismatch: &Mismatch,
) -> Option<Kind> {
    let kind = document.kind();
    if !kind.is_policy() && !kind.is_binding() {
        return None;
    }
    let is_related = |other: &Kind| *other != kind && (other.is_policy() || other.is_binding());
    let related = Kind::ALL.into_iter().filter(is_related);
    let is_own =
        |other: &Kind| other.bound_kind() == Some(kind) || kind.bound_kind() == Some(*other);
    let (own, others): (Vec<Kind>, Vec<Kind>) = related.partition(is_own);
    let steps = mismatch.path.steps().get(document.base().steps().len()..)?;
    let mut kinds = own.into_iter().chain(others);
    kinds.find(|other| {
        let whole = catalog.schema(other.group(), document.version().as_str(), other.as_str());
        let field = whole.and_then(|whole| {
            steps.iter().try_fold(whole, |schema, step| match step {
                FieldStep::Field(name) => schema.property(name),
                FieldStep::Index(_) => schema.items(),
                FieldStep::Key(_) => None,
            })
        });
        field.is_some()
    })
}
