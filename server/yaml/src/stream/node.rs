//! Nodes: mappings, sequences and scalars, as cheap handles into the stream.
//!
//! An alias reads as the node that it refers to, except for its own range, because readers of a
//! policy want the value and findings want the position.

use super::wide::{WIDE, WideMappings};
use super::{Document, Scalar, Stream};
use crate::json;
use crate::tree::{Children, Content, CoreTag, NONE, NodeData, Properties, ScalarData};
use crate::value::{Value, may_be_key_of_value};
use std::borrow::Cow;
use std::fmt;
use text::checkpoint::checkpoint;
use text::{TextRange, TextSize};

/// A node of a stream. Two handles are equal when they name the same node of the same
/// stream.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    pub(crate) stream: &'a Stream,
    pub(crate) index: u32,
}

/// The identifier of a node within its stream. Later nodes have greater IDs, except for a mapping
/// whose first key is a flow collection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

/// The kind of a node.
#[derive(Clone, Copy, Debug)]
pub enum NodeKind<'a> {
    /// Keys with values.
    Mapping(Mapping<'a>),
    /// A list.
    Sequence(Sequence<'a>),
    /// A single value; a missing value reads as null.
    Scalar(Scalar<'a>),
}

/// A mapping.
#[derive(Clone, Copy, Debug)]
pub struct Mapping<'a> {
    node: Node<'a>,
    children: Children,
}

/// A sequence.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    node: Node<'a>,
    children: Children,
}

/// A key with its value.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The key.
    pub key: Node<'a>,
    /// The value. If none is written, it is null, with an empty range just after the colon, or
    /// after the key if the colon is missing too.
    pub value: Node<'a>,
}

impl NodeId {
    pub(crate) fn index(self) -> u32 {
        self.0
    }
}

impl<'a> Node<'a> {
    pub(crate) fn new(stream: &'a Stream, index: u32) -> Self {
        Self { stream, index }
    }

    fn data(self) -> Option<&'a NodeData> {
        self.stream.tree.nodes.get(self.index as usize)
    }

    /// Returns the node itself, or the one that an alias refers to.
    fn target(self) -> Self {
        match self.data().map(|data| data.content) {
            Some(Content::Alias(target)) => Self::new(self.stream, target),
            _ => self,
        }
    }

    fn properties(self) -> Option<&'a Properties> {
        let index = self.data()?.properties;
        self.stream.tree.properties.get(index as usize)
    }

    pub(crate) fn core_tag(self) -> Option<CoreTag> {
        self.target().properties()?.core
    }

    /// Returns the name of the node within its stream. An alias has its own.
    #[must_use]
    pub fn id(self) -> NodeId {
        NodeId(self.index)
    }

    /// Returns the bytes of the node: a scalar with its quotes or block header, a collection from
    /// its first byte to its last, an alias as written. Tag and anchor are outside.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.data()
            .map_or_else(TextRange::default, |data| data.range)
    }

    /// Returns the collection that holds the node, as written: an alias' children belong to the
    /// collection in which they are written. For a key as for a value, this is the mapping.
    #[must_use]
    pub fn parent(self) -> Option<Node<'a>> {
        let parent = self.data()?.parent;
        (parent != NONE).then(|| Node::new(self.stream, parent))
    }

    /// Returns the outermost collection around the node: the root of its document.
    #[must_use]
    pub fn outermost(self) -> Node<'a> {
        std::iter::successors(Some(self), |node| node.parent())
            .last()
            .unwrap_or(self)
    }

    /// Returns the kind of the node; for an alias, that of its target.
    #[must_use]
    pub fn kind(self) -> NodeKind<'a> {
        let node = self.target();
        match node.data().map(|data| &data.content) {
            Some(Content::Mapping(children)) => NodeKind::Mapping(Mapping {
                node,
                children: *children,
            }),
            Some(Content::Sequence(children)) => NodeKind::Sequence(Sequence {
                node,
                children: *children,
            }),
            Some(Content::Scalar(data)) => NodeKind::Scalar(Scalar::new(node, data)),
            Some(Content::Alias(_)) | None => {
                NodeKind::Scalar(Scalar::new(node, &ScalarData::EMPTY))
            }
        }
    }

    /// Returns the node as a mapping, if it is one.
    #[must_use]
    pub fn as_mapping(self) -> Option<Mapping<'a>> {
        match self.kind() {
            NodeKind::Mapping(mapping) => Some(mapping),
            NodeKind::Sequence(_) | NodeKind::Scalar(_) => None,
        }
    }

    /// Returns the node as a sequence, if it is one.
    #[must_use]
    pub fn as_sequence(self) -> Option<Sequence<'a>> {
        match self.kind() {
            NodeKind::Sequence(sequence) => Some(sequence),
            NodeKind::Mapping(_) | NodeKind::Scalar(_) => None,
        }
    }

    /// Returns the node as a scalar, if it is one.
    #[must_use]
    pub fn as_scalar(self) -> Option<Scalar<'a>> {
        match self.kind() {
            NodeKind::Scalar(scalar) => Some(scalar),
            NodeKind::Mapping(_) | NodeKind::Sequence(_) => None,
        }
    }

    /// Returns the string of a scalar that Kubernetes reads as a string. `None` for `true`, `1`,
    /// null and collections.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        let scalar = self.as_scalar()?;
        (scalar.value() == Value::Str).then(|| scalar.text())
    }

    /// Returns the decoded string of a scalar, regardless of its type; empty for a collection.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.as_scalar().map_or("", Scalar::text)
    }

    /// Returns the text of the node as a key in JSON: `true` for `y`, `8` for `010`. Empty for
    /// a collection.
    ///
    /// Upstream: kubernetes-sigs/yaml, yaml.go, convertToJSONableObject.
    #[must_use]
    pub fn key_text(self) -> Cow<'a, str> {
        self.as_scalar().map_or(Cow::Borrowed(""), Scalar::key_text)
    }

    /// Returns whether the node is a scalar that reads as null: empty, `~` or `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.as_scalar()
            .is_some_and(|scalar| scalar.value() == Value::Null)
    }

    /// Returns whether the node is written as `*name`.
    #[must_use]
    pub fn is_alias(self) -> bool {
        matches!(
            self.data().map(|data| data.content),
            Some(Content::Alias(_))
        )
    }

    /// Returns whether an alias is written here, even one without a target.
    pub(crate) fn is_written_as_alias(self) -> bool {
        self.stream.slice(self.range()).starts_with('*')
    }

    /// Returns whether the node is a collection in brackets or braces.
    #[must_use]
    pub fn is_flow(self) -> bool {
        self.as_scalar().is_none() && self.stream.slice(self.range()).starts_with(['[', '{'])
    }

    /// Returns whether Kubernetes reads the document of the node as JSON, whose numbers it does not
    /// convert.
    #[must_use]
    pub fn is_json(self) -> bool {
        let document = self.stream.document_around(self.range());
        let range = document.map(Document::range);
        let first = range.filter(|range| range.start() == TextSize::new(0));
        first.is_some_and(|range| json::begins_with_object(self.stream.slice(range)))
    }

    /// Returns the node that an alias refers to, where it is written; the node itself
    /// otherwise.
    #[must_use]
    pub fn resolved(self) -> Node<'a> {
        self.target()
    }

    /// Returns the anchor of the node without `&`.
    #[must_use]
    pub fn anchor(self) -> Option<&'a str> {
        self.properties()?
            .anchor
            .map(|range| self.stream.slice(range))
    }

    /// Returns whether the node, or a node in it, has an anchor, which aliases can refer to.
    pub(crate) fn contains_anchor(self) -> bool {
        let mut anchors = self
            .stream
            .tree
            .properties
            .iter()
            .filter_map(|it| it.anchor);
        self.anchor().is_some() || anchors.any(|it| self.range().contains_range(it))
    }

    /// Returns the tag of the node as written, `!!str` for example; for an alias, that of the node
    /// that it refers to.
    #[must_use]
    pub fn tag(self) -> Option<&'a str> {
        let tag = self.target().properties()?.tag;
        tag.map(|range| self.stream.slice(range))
    }

    /// Returns the value of a key of a mapping, as Kubernetes finds it; see [`Mapping::entry`].
    #[must_use]
    pub fn get(self, key: &str) -> Option<Node<'a>> {
        self.entry(key).map(|entry| entry.value)
    }

    /// Returns the entry of a key of a mapping, as Kubernetes finds it; see [`Mapping::entry`].
    #[must_use]
    pub fn entry(self, key: &str) -> Option<Entry<'a>> {
        checkpoint();
        self.as_mapping()?.entry(key)
    }

    /// Returns the entry of a mapping that holds `value`.
    #[must_use]
    pub fn entry_of(self, value: Self) -> Option<Entry<'a>> {
        let mut entries = self.as_mapping()?.entries();
        entries.find(|entry| entry.value == value)
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.stream, other.stream) && self.index == other.index
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {:?}", self.index, self.stream.slice(self.range()))
    }
}

impl<'a> Mapping<'a> {
    /// Returns the node of the mapping; for an alias the one that it refers to.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Returns the entries that are written in the mapping itself, in the order of the file,
    /// with duplicates and merge keys.
    pub fn entries(self) -> impl ExactSizeIterator<Item = Entry<'a>> + DoubleEndedIterator + Clone {
        let stream = self.node.stream;
        let children = stream.tree.children(self.children);
        children
            .as_chunks()
            .0
            .iter()
            .map(move |&[key, value]| Entry {
                key: Node::new(stream, key),
                value: Node::new(stream, value),
            })
    }
}

impl<'a> Mapping<'a> {
    /// Returns whether the mapping has a merge key.
    #[must_use]
    pub fn has_merge_key(self) -> bool {
        self.node.stream.has_merges && self.entries().any(|entry| entry.is_merge())
    }

    /// Returns whether a search for a key needs a table.
    pub(super) fn is_wide(self) -> bool {
        self.entries().len() > WIDE
    }

    /// Returns the entry of a key that is written in the mapping itself, as the key is written in
    /// JSON; of several, the last one.
    pub(crate) fn own_entry(self, key: &str) -> Option<Entry<'a>> {
        let stream = self.node.stream;
        if self.is_wide() {
            let wide = stream.wide.get_or_init(|| WideMappings::new(stream));
            return wide.entry(self, key);
        }
        let may_be_value = may_be_key_of_value(key);
        self.entries().rev().find(|entry| {
            let content = entry.key.data().map(|data| &data.content);
            match content {
                // Most keys differ in length.
                Some(Content::Scalar(data)) if !may_be_value && !data.text.has_length(key) => false,
                _ => entry.key.as_scalar().is_some_and(|it| it.is_key(key)),
            }
        })
    }
}

impl<'a> Sequence<'a> {
    /// Returns the node of the sequence; for an alias the one that it refers to.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Returns the items, in the order of the file.
    pub fn items(self) -> impl ExactSizeIterator<Item = Node<'a>> + DoubleEndedIterator + Clone {
        let stream = self.node.stream;
        let children = stream.tree.children(self.children);
        children.iter().map(move |item| Node::new(stream, *item))
    }
}

impl Entry<'_> {
    /// Returns whether a colon is written between the key and the value.
    #[must_use]
    pub fn has_colon(&self) -> bool {
        self.value.range().start() > self.key.range().end()
    }

    /// Returns whether the key is `<<`, so that the value is merged into the mapping.
    #[must_use]
    pub fn is_merge(&self) -> bool {
        self.key.as_scalar().is_some_and(Scalar::is_merge_key)
    }
}

#[cfg(test)]
mod tests;
