//! The schema of a policy: the fields of its kind, their types, and mismatches.
//!
//! The tables are constants written by `cargo xtask schemas` from the API server's own
//! description. [`check`] reads a document as the server's decoder does, so that a number in
//! place of a string is found before the string is validated.

mod check;
#[rustfmt::skip]
mod tables;

pub use check::{Expected, Found, Mismatch, MismatchKind, check};

use crate::kind::{Kind, Version};

/// An object type of the API.
#[derive(Debug)]
pub struct ObjectType {
    /// The name in the OpenAPI description. Versions with the same content share the type
    /// of the newest.
    pub name: &'static str,
    /// How changes to the object are merged.
    pub map_type: MapType,
    /// The fields, sorted by name.
    pub fields: &'static [Field],
}

/// A field of an object type.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The type of the value.
    pub ty: Type,
    /// Whether the field is required.
    pub required: bool,
    /// The value of an absent field as JSON, where the description gives one.
    pub default: Option<&'static str>,
}

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// An integer of 32 bits.
    Int32,
    /// An integer of 64 bits.
    Int64,
    /// A number.
    Number,
    /// A string.
    String,
    /// A string of base64.
    Bytes,
    /// A string with a time as RFC 3339 writes it.
    Time,
    /// A string out of a list.
    Enum(&'static [&'static str]),
    /// An integer or a string.
    IntOrString,
    /// Any JSON.
    Any,
    /// An object with known fields.
    Object(&'static ObjectType),
    /// A map from strings.
    Map(&'static Type),
    /// A list that is replaced as a whole.
    List(&'static Type),
    /// A list of unique scalars.
    Set(&'static Type),
    /// A list of objects, told apart by the fields named here.
    MapList(&'static Type, &'static [&'static str]),
    /// `JSONSchemaPropsOrBool`: a schema of a CustomResourceDefinition, or a boolean.
    SchemaOrBool,
    /// `JSONSchemaPropsOrArray`: a schema or a list of them.
    SchemaOrList,
    /// `JSONSchemaPropsOrStringArray`: a schema or a list of names.
    SchemaOrStrings,
}

/// How an object is merged by server-side apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapType {
    /// Field by field.
    Granular,
    /// As a whole.
    Atomic,
}

/// The type of the documents of a kind in a version.
#[derive(Debug)]
struct KindTable {
    kind: Kind,
    version: Version,
    definition: &'static ObjectType,
}

impl Field {
    const fn new(name: &'static str, ty: Type) -> Self {
        Self {
            name,
            ty,
            required: false,
            default: None,
        }
    }

    const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    const fn default(self, json: &'static str) -> Self {
        Self {
            default: Some(json),
            ..self
        }
    }
}

impl ObjectType {
    /// The field of that name. Names are compared to the letter, as the server does.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        let fields = self.fields;
        let at = fields
            .binary_search_by_key(&name, |field| field.name)
            .ok()?;
        fields.get(at)
    }

    /// The last part of the name, such as `Validation`.
    #[must_use]
    pub fn short_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }
}

/// The type of the documents of `kind` in `version`. `None` where that version never had
/// the kind.
#[must_use]
pub fn object_type(kind: Kind, version: Version) -> Option<&'static ObjectType> {
    tables::KINDS
        .iter()
        .find(|table| table.kind == kind && table.version == version)
        .map(|table| table.definition)
}

/// A schema inside a CustomResourceDefinition.
#[must_use]
pub fn json_schema() -> &'static ObjectType {
    &tables::JSON_SCHEMA_PROPS
}
