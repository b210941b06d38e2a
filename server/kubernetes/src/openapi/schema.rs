//! A schema: the values that are valid at some path of an object.

use super::catalog::Catalog;
use super::definitions::{Definitions, search};
use super::descriptions;
use super::layout::{LAST_PLACE, NAME, NONE, PLACE, REQUIRED, node};
use super::schema_node::SchemaNode;
use super::schema_type::{ListType, MapType, SchemaType};
use serde_json::Value;
use std::fmt;

/// The beginnings of the names of the types of Kubernetes.
const BUILT_IN: [&str; 4] = [
    "io.k8s.api.",
    "io.k8s.apimachinery.",
    "io.k8s.apiextensions-apiserver.",
    "io.k8s.kube-aggregator.",
];

/// The schema of a field of an object.
///
/// A field that refers to a named type has the schema of that type; a default or a description of
/// the field itself takes precedence.
#[derive(Clone, Copy)]
pub struct Schema<'c> {
    catalog: &'c Catalog,
    /// The field, item or value.
    field: SchemaNode<'c>,
    /// The type that it refers to, or itself.
    content: SchemaNode<'c>,
    /// The number of the type that the content is.
    type_number: u32,
    /// The number of the type that contains the field, and the number of the field's name.
    owner: (u32, u32),
}

/// The identity of a schema in its catalog: the address of its definitions, its node, and its
/// type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchemaId(usize, u32, u32);

/// Where a schema is in its catalog: the schema without a borrow.
#[derive(Clone, Copy, Debug)]
pub struct SchemaPlace {
    /// The numbers of the definitions in the catalog, and the nodes in them.
    field: (usize, u32),
    content: (usize, u32),
    type_number: u32,
    owner: (u32, u32),
}

/// Limit: chained references of types. No API has more than one.
const MAX_HOPS: usize = 8;

impl<'c> Schema<'c> {
    /// Returns a type by its number in some definitions.
    pub(super) fn from_type(
        catalog: &'c Catalog,
        definitions: &'c Definitions,
        number: u32,
    ) -> Option<Self> {
        let node = definitions.type_node(number)?;
        let place = SchemaNode { definitions, node };
        let mut schema = Self::new(catalog, place, (NONE, NONE));
        if schema.type_number == NONE {
            schema.type_number = number;
        }
        Some(schema)
    }

    fn new(catalog: &'c Catalog, field: SchemaNode<'c>, owner: (u32, u32)) -> Self {
        let mut schema = Self {
            catalog,
            field,
            content: field,
            type_number: NONE,
            owner,
        };
        for _ in 0..MAX_HOPS {
            let Some(number) = schema.content.part(node::REFERENCE) else {
                break;
            };
            let Some((definitions, number, node)) =
                catalog.find_type(schema.content.definitions, number)
            else {
                break;
            };
            schema.content = SchemaNode { definitions, node };
            schema.type_number = number;
        }
        schema
    }

    /// Returns the identity of the schema, without the default of the field.
    pub fn id(self) -> SchemaId {
        let definitions = std::ptr::from_ref(self.content.definitions).addr();
        SchemaId(definitions, self.content.node, self.type_number)
    }

    /// Returns where the schema is in its catalog.
    #[must_use]
    pub fn place(self) -> SchemaPlace {
        let place = |it: SchemaNode<'_>| (self.catalog.number_of(it.definitions), it.node);
        SchemaPlace {
            field: place(self.field),
            content: place(self.content),
            type_number: self.type_number,
            owner: self.owner,
        }
    }

    /// Returns the schema at a position of the same catalog.
    pub(super) fn at(catalog: &'c Catalog, place: SchemaPlace) -> Self {
        let node = |(number, node): (usize, u32)| SchemaNode {
            definitions: catalog.definitions(number),
            node,
        };
        Self {
            catalog,
            field: node(place.field),
            content: node(place.content),
            type_number: place.type_number,
            owner: place.owner,
        }
    }

    /// Returns the type of the values.
    #[must_use]
    pub fn ty(self) -> SchemaType {
        SchemaType::from_bits(self.content.flags() & node::TYPE)
    }

    /// Returns `format`, such as `int32`, `byte` or `date-time`.
    #[must_use]
    pub fn format(self) -> Option<&'c str> {
        self.content_text(node::FORMAT)
    }

    /// Returns the name of the type, such as `io.k8s.api.core.v1.PodSpec`, if it has one.
    #[must_use]
    pub fn type_name(self) -> Option<&'c str> {
        let number = self.type_number;
        (number != NONE).then(|| self.content.definitions.type_name(number))
    }

    /// Returns whether the type is one of Kubernetes itself, which the API server decodes into a Go
    /// type. The name of the type of a custom resource begins with its reversed group, such as
    /// `io.k8s.networking.gateway`. No CustomResourceDefinition has a group like `api.k8s.io`.
    #[must_use]
    pub fn is_built_in(self) -> bool {
        let is_of = |name: &str| BUILT_IN.iter().any(|prefix| name.starts_with(prefix));
        self.type_name().is_some_and(is_of)
    }

    /// Returns a field of an object.
    #[must_use]
    pub fn property(self, name: &str) -> Option<Schema<'c>> {
        let entry = self.property_entry(name)?;
        Some(self.property_at(entry))
    }

    /// Returns all fields of an object with their names, in the order of the names.
    pub fn properties(self) -> impl ExactSizeIterator<Item = (&'c str, Schema<'c>)> + Clone {
        self.property_entries()
            .map(move |entry| (self.property_name(entry), self.property_at(entry)))
    }

    /// Returns whether a field is required.
    #[must_use]
    pub fn is_required(self, name: &str) -> bool {
        self.property_entry(name)
            .is_some_and(|entry| self.content.definitions.word(entry) & REQUIRED != 0)
    }

    /// Returns the rank of a field in the order of the author of a CustomResourceDefinition. `None`
    /// for other kinds.
    #[must_use]
    pub fn place_of(self, name: &str) -> Option<usize> {
        let entry = self.property_entry(name)?;
        let place = self.content.definitions.word(entry) >> PLACE & LAST_PLACE;
        usize::try_from(place.checked_sub(1)?).ok()
    }

    /// Returns the items of a list.
    #[must_use]
    pub fn items(self) -> Option<Schema<'c>> {
        self.inner(node::ITEMS)
    }

    /// Returns the values of a map.
    #[must_use]
    pub fn additional_properties(self) -> Option<Schema<'c>> {
        self.inner(node::VALUES)
    }

    /// Returns the default of the field in the OpenAPI document.
    #[must_use]
    pub fn default_value(self) -> Option<Value> {
        serde_json::from_str(self.either_text(node::DEFAULT)?).ok()
    }

    /// Returns the allowed values. Empty if all are allowed.
    pub fn enum_values(self) -> impl ExactSizeIterator<Item = Value> {
        let place = match self.field.part(node::ENUM) {
            Some(_) => self.field,
            None => self.content,
        };
        place
            .strings(node::ENUM)
            .map(|text| serde_json::from_str(text).unwrap_or_default())
    }

    /// Returns how a list is merged. `None` means atomic.
    #[must_use]
    pub fn list_type(self) -> Option<ListType> {
        match self.either_bits(node::LIST_TYPE) {
            1 => Some(ListType::Atomic),
            2 => Some(ListType::Set),
            3 => Some(ListType::Map),
            _ => None,
        }
    }

    /// Returns the fields that identify the items, for a list of type `map`.
    pub fn list_map_keys(self) -> impl ExactSizeIterator<Item = &'c str> + Clone {
        self.content.strings(node::KEYS)
    }

    /// Returns how an object is merged. `None` means granular.
    #[must_use]
    pub fn map_type(self) -> Option<MapType> {
        match self.either_bits(node::MAP_TYPE) {
            1 => Some(MapType::Atomic),
            2 => Some(MapType::Granular),
            _ => None,
        }
    }

    /// Returns whether a list or an object is atomic.
    #[must_use]
    pub fn is_atomic(self) -> bool {
        match self.ty() {
            SchemaType::Array => !matches!(self.list_type(), Some(ListType::Set | ListType::Map)),
            SchemaType::Object => self.map_type() == Some(MapType::Atomic),
            _ => true,
        }
    }

    /// Returns whether unknown fields are preserved.
    #[must_use]
    pub fn preserves_unknown_fields(self) -> bool {
        self.content.flags() & node::PRESERVES != 0
    }

    /// Returns whether the object is an embedded resource.
    #[must_use]
    pub fn is_embedded_resource(self) -> bool {
        self.content.flags() & node::EMBEDDED != 0
    }

    /// Returns whether the value may be null.
    #[must_use]
    pub fn nullable(self) -> bool {
        (self.content.flags() | self.field.flags()) & node::NULLABLE != 0
    }

    /// Returns the description of the field or its type.
    #[must_use]
    pub fn description(self) -> Option<&'c str> {
        let (owner, name) = self.owner;
        let definitions = self.field.definitions;
        self.field
            .text(node::DESCRIPTION)
            .or_else(|| {
                let owner = (owner != NONE).then(|| definitions.type_name(owner))?;
                descriptions::of_field(owner, definitions.string(name))
            })
            .or_else(|| self.content.text(node::DESCRIPTION))
            .or_else(|| descriptions::of_type(self.type_name()?))
    }

    fn inner(self, flag: u32) -> Option<Schema<'c>> {
        let node = self.content.part(flag)?;
        let field = SchemaNode {
            node,
            ..self.content
        };
        Some(Self::new(self.catalog, field, (NONE, NONE)))
    }

    fn property_entries(self) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.content.entries(node::PROPERTIES, 2)
    }

    fn property_name(self, entry: u32) -> &'c str {
        let definitions = self.content.definitions;
        definitions.string(definitions.word(entry) & NAME)
    }

    fn property_at(self, entry: u32) -> Schema<'c> {
        let definitions = self.content.definitions;
        let field = SchemaNode {
            definitions,
            node: definitions.word(entry.saturating_add(1)),
        };
        let name = definitions.word(entry) & NAME;
        Self::new(self.catalog, field, (self.type_number, name))
    }

    /// Returns the entry of a property by binary search.
    fn property_entry(self, name: &str) -> Option<u32> {
        let definitions = self.content.definitions;
        let list = self.content.part(node::PROPERTIES)?;
        let entry = |number: u32| list.saturating_add(1 + 2 * number);
        let count = self.property_entries().len();
        let found = search(u32::try_from(count).unwrap_or(NONE), |number| {
            let other = definitions.word(entry(number)) & NAME;
            definitions.bytes(other).cmp(name.as_bytes())
        });
        found.map(entry)
    }

    fn content_text(self, flag: u32) -> Option<&'c str> {
        self.content.text(flag)
    }

    /// Returns a string of the field itself, otherwise of its type.
    fn either_text(self, flag: u32) -> Option<&'c str> {
        self.field.text(flag).or_else(|| self.content.text(flag))
    }

    fn either_bits(self, shift: u32) -> u32 {
        match self.field.flags() >> shift & 3 {
            0 => self.content.flags() >> shift & 3,
            bits => bits,
        }
    }
}

impl PartialEq for Schema<'_> {
    /// Returns whether both are the same node of the same definitions.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.field.definitions, other.field.definitions)
            && std::ptr::eq(self.content.definitions, other.content.definitions)
            && (self.field.node, self.content.node) == (other.field.node, other.content.node)
            && (self.type_number, self.owner) == (other.type_number, other.owner)
    }
}

impl Eq for Schema<'_> {}

impl fmt::Debug for Schema<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.type_name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{:?}", self.ty()),
        }
    }
}
