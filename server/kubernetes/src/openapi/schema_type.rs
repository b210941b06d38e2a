//! The types of values in schemas, and how lists and maps are merged.

/// The type of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SchemaType {
    /// Anything: the schema names no type.
    #[default]
    Any,
    /// An object with fields, or a map.
    Object,
    /// A list.
    Array,
    /// A string.
    String,
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An integer or a string.
    IntOrString,
    /// A quantity such as `500m`: a string, or a number.
    Quantity,
}

impl SchemaType {
    const ALL: [SchemaType; 9] = [
        SchemaType::Any,
        SchemaType::Object,
        SchemaType::Array,
        SchemaType::String,
        SchemaType::Integer,
        SchemaType::Number,
        SchemaType::Boolean,
        SchemaType::IntOrString,
        SchemaType::Quantity,
    ];

    pub(super) fn bits(self) -> u32 {
        self as u32
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        Self::ALL.get(bits as usize).copied().unwrap_or_default()
    }
}

/// How a list is merged: `x-kubernetes-list-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListType {
    /// As a whole.
    Atomic,
    /// By its items, which are unique.
    Set,
    /// By the keys of its items.
    Map,
}

impl ListType {
    pub(super) fn bits(self) -> u32 {
        self as u32 + 1
    }
}

/// How an object or a map is merged: `x-kubernetes-map-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapType {
    /// As a whole.
    Atomic,
    /// By its fields.
    Granular,
}

impl MapType {
    pub(super) fn bits(self) -> u32 {
        self as u32 + 1
    }
}
