//! Kinds and schemas before they are written into a file.

use super::schema_type::{ListType, MapType, SchemaType};
use std::collections::BTreeMap;

/// A schema with all inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaFacts {
    /// The type.
    pub ty: SchemaType,
    /// The name of the type that this refers to. The facts here are about the field.
    pub reference: Option<String>,
    /// `format`.
    pub format: Option<String>,
    /// The properties by name.
    pub properties: BTreeMap<String, Property>,
    /// `items`.
    pub items: Option<Box<SchemaFacts>>,
    /// `additionalProperties`: the values of a map.
    pub values: Option<Box<SchemaFacts>>,
    /// `default` as JSON.
    pub default: Option<String>,
    /// `enum`, each value as JSON.
    pub allowed: Vec<String>,
    /// `x-kubernetes-list-type`.
    pub list_type: Option<ListType>,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<String>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<MapType>,
    /// `x-kubernetes-preserve-unknown-fields`, or `additionalProperties: true`.
    pub preserves_unknown_fields: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `nullable`.
    pub nullable: bool,
    /// `description`.
    pub description: Option<String>,
}

/// A field of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Property {
    /// Its schema.
    pub schema: SchemaFacts,
    /// Whether it is required.
    pub required: bool,
    /// Its rank in the author's order, from 1 on. Zero in documents from servers, which are in
    /// alphabetical order.
    pub place: u32,
}

/// A kind with the resource that serves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindFacts {
    /// The API group, empty for the core group.
    pub group: String,
    /// The version of the group.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The name of the type of its objects.
    pub type_name: Option<String>,
    /// The servers that have it: bit 0 is the first version of the model.
    pub servers: u16,
    /// The servers that serve it by default.
    pub servers_by_default: u16,
    /// The name of its resource. `None` if the kind has none.
    pub plural: Option<String>,
    /// The singular.
    pub singular: String,
    /// The short names.
    pub short_names: Vec<String>,
    /// Whether it is namespaced.
    pub namespaced: bool,
    /// The verbs.
    pub verbs: Vec<String>,
    /// The subresources.
    pub subresources: Vec<SubresourceFacts>,
}

/// A subresource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubresourceFacts {
    /// The name without that of the resource, such as `scale`.
    pub name: String,
    /// The group of its kind.
    pub group: String,
    /// The version of its kind.
    pub version: String,
    /// Its kind.
    pub kind: String,
    /// The verbs.
    pub verbs: Vec<String>,
    /// The servers that have it, if they have the resource.
    pub servers: u16,
}

/// The content of a file.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The first minor version. Zero if the kinds belong to no version.
    pub first_version: u8,
    /// The types of each version by their names, from the first version on.
    pub types: Vec<BTreeMap<String, SchemaFacts>>,
    /// The kinds.
    pub kinds: Vec<KindFacts>,
}
