//! The layout of a file of kinds: 32-bit numbers, then one block of text.
//!
//! ```text
//! header | offsets of strings | names of types | types by version | kinds | nodes, lists | text
//! ```
//! All numbers are little-endian, and all offsets count words from the start, so that the file is
//! read in place. Strings are named by their number. Equal nodes and equal lists are stored once.
//!
//! A list is a count and its words. A node is a word of flags and then one word for each
//! flag of [`PARTS`] that it has, in their order.

/// The first word of a file: `KIND`.
pub(super) const MAGIC: u32 = u32::from_le_bytes(*b"KIND");

/// No type, string or position.
pub(super) const NONE: u32 = u32::MAX;

/// The header, by the number of the word.
pub(super) mod header {
    /// [`super::MAGIC`].
    pub(in super::super) const MAGIC: u32 = 0;
    /// The number of strings.
    pub(in super::super) const STRINGS: u32 = 1;
    /// The offset of their offsets in the text: one more than the number of strings.
    pub(in super::super) const STRING_OFFSETS: u32 = 2;
    /// The offset of the text.
    pub(in super::super) const TEXT: u32 = 3;
    /// The number of types.
    pub(in super::super) const TYPES: u32 = 4;
    /// The offset of their names, sorted.
    pub(in super::super) const TYPE_NAMES: u32 = 5;
    /// The first minor version.
    pub(in super::super) const FIRST_VERSION: u32 = 6;
    /// The number of versions.
    pub(in super::super) const VERSIONS: u32 = 7;
    /// The offset of the nodes of the types: for each version, one word for each type.
    pub(in super::super) const TYPE_NODES: u32 = 8;
    /// The number of kinds.
    pub(in super::super) const KINDS: u32 = 9;
    /// Where they are, in the order of group, version and kind.
    pub(in super::super) const KIND_TABLE: u32 = 10;
    /// The length of the header.
    pub(in super::super) const LENGTH: u32 = 11;
}

/// The entry of a kind, by the number of the word.
pub(super) mod kind {
    /// The API group.
    pub(in super::super) const GROUP: u32 = 0;
    /// The version of the group.
    pub(in super::super) const VERSION: u32 = 1;
    /// The kind.
    pub(in super::super) const KIND: u32 = 2;
    /// The type of its objects.
    pub(in super::super) const TYPE: u32 = 3;
    /// The servers that have it: bit 0 is the first version of the file. The upper half holds those
    /// that serve it by default.
    pub(in super::super) const SERVERS: u32 = 4;
    /// The resource, or [`super::NONE`] if the kind has none.
    pub(in super::super) const PLURAL: u32 = 5;
    /// The singular.
    pub(in super::super) const SINGULAR: u32 = 6;
    /// 1 if its objects are namespaced.
    pub(in super::super) const NAMESPACED: u32 = 7;
    /// The list of short names.
    pub(in super::super) const SHORT_NAMES: u32 = 8;
    /// The list of verbs.
    pub(in super::super) const VERBS: u32 = 9;
    /// The list of subresources: name, group, version, kind, list of verbs and servers of
    /// each.
    pub(in super::super) const SUBRESOURCES: u32 = 10;
    /// The length of an entry.
    pub(in super::super) const LENGTH: u32 = 11;
    /// The length of the entry of a subresource.
    pub(in super::super) const SUBRESOURCE_LENGTH: u32 = 6;
}

/// The flags of a node.
pub(super) mod node {
    /// The bits of the type.
    pub(in super::super) const TYPE: u32 = 0xF;
    /// The type that the node refers to.
    pub(in super::super) const REFERENCE: u32 = 1 << 4;
    /// The format, a string.
    pub(in super::super) const FORMAT: u32 = 1 << 5;
    /// The list of properties: name and node of each, in the order of names. The bits of a name
    /// above [`super::NAME`] hold its rank and whether the property is required.
    pub(in super::super) const PROPERTIES: u32 = 1 << 6;
    /// The node of the items.
    pub(in super::super) const ITEMS: u32 = 1 << 7;
    /// The node of the values of a map.
    pub(in super::super) const VALUES: u32 = 1 << 8;
    /// The default as JSON, a string.
    pub(in super::super) const DEFAULT: u32 = 1 << 9;
    /// The list of allowed values, each as JSON.
    pub(in super::super) const ENUM: u32 = 1 << 10;
    /// The list of the keys of a list of type `map`.
    pub(in super::super) const KEYS: u32 = 1 << 11;
    /// The description, a string.
    pub(in super::super) const DESCRIPTION: u32 = 1 << 12;
    /// All flags that add a word.
    pub(in super::super) const PARTS: u32 = 0x1FF << 4;
    /// Where the bits of the type of a list begin.
    pub(in super::super) const LIST_TYPE: u32 = 16;
    /// Where the bits of the type of a map begin.
    pub(in super::super) const MAP_TYPE: u32 = 18;
    /// `x-kubernetes-preserve-unknown-fields`.
    pub(in super::super) const PRESERVES: u32 = 1 << 20;
    /// `x-kubernetes-embedded-resource`.
    pub(in super::super) const EMBEDDED: u32 = 1 << 21;
    /// `nullable`.
    pub(in super::super) const NULLABLE: u32 = 1 << 22;
}

/// The bit of a name that marks the property as required.
pub(super) const REQUIRED: u32 = 1 << 31;

/// The bits of the name of a property that are the number of the string.
pub(super) const NAME: u32 = (1 << PLACE) - 1;

/// The first bit of the rank of a property, which counts from 1; 0 is unknown.
pub(super) const PLACE: u32 = 24;

/// The last rank of a property. Later properties share it.
pub(super) const LAST_PLACE: u32 = (REQUIRED - 1) >> PLACE;
