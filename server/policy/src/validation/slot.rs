//! A field of a document as the API server's decoder leaves it, with its position in the file.
//!
//! Validation is defined on decoded objects: an absent field, null and an empty one are the same,
//! and a value of the wrong type never reaches it. Rules read documents through this view, so that
//! each has the structure of the server's rule and the position of the value.

use crate::field_path::{FieldPath, PathRef};
use kubernetes::entries;
use text::TextRange;
use yaml::{Node, NodeKind, Value};

/// A field, which may be absent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'p, 'a> {
    path: PathRef<'p>,
    /// The value; `None` if it is absent or null.
    value: Option<Node<'a>>,
    /// The range to underline if the value is absent or too large.
    label: TextRange,
    /// Whether something around the field is not an object, so that the field is neither present
    /// nor missing.
    lost: bool,
}

/// The content of an object field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectContent {
    /// Missing, or null.
    Absent,
    /// An object.
    Object,
    /// Something that cannot be decoded as an object.
    Wrong,
}

impl<'p, 'a> Slot<'p, 'a> {
    /// Returns the document itself, at `base`.
    pub(crate) fn root(base: &'p FieldPath, node: Node<'a>) -> Self {
        Self {
            path: PathRef::new(base),
            value: Some(node),
            label: first_word(node),
            lost: false,
        }
    }

    /// Returns the same value under another path, for fields that the server names differently.
    pub(crate) fn with_path<'q>(&self, path: PathRef<'q>) -> Slot<'q, 'a> {
        Slot {
            path,
            value: self.value,
            label: self.label,
            lost: self.lost,
        }
    }

    /// Returns the field of the document.
    pub(crate) fn path(&self) -> FieldPath {
        self.path.to_path()
    }

    /// Returns the path, to name other fields below it.
    pub(crate) fn path_ref(&self) -> &PathRef<'p> {
        &self.path
    }

    /// Returns the value; `None` if it is absent or null.
    pub(crate) fn node(&self) -> Option<Node<'a>> {
        self.value
    }

    /// Returns the bytes to underline: a scalar, or the key of a larger or absent value.
    pub(crate) fn range_to_underline(&self) -> TextRange {
        match self.value.map(|node| (node, node.kind())) {
            Some((node, NodeKind::Scalar(_))) => node.range(),
            Some((_, NodeKind::Mapping(_) | NodeKind::Sequence(_))) | None => self.label,
        }
    }

    /// Returns a field of the object here.
    pub(crate) fn child<'q>(&'q self, name: &'q str) -> Slot<'q, 'a> {
        let entry = self.value.and_then(|node| node.entry(name));
        Slot {
            path: self.path.child(name),
            value: entry
                .map(|entry| entry.value)
                .filter(|value| !value.is_null()),
            label: entry.map_or(self.label, |entry| entry.key.range()),
            lost: self.shape() == ObjectContent::Wrong,
        }
    }

    /// Returns the items of the list, none if it is absent. `None` if the value is not a list.
    pub(crate) fn items<'q>(&'q self) -> Option<impl ExactSizeIterator<Item = Slot<'q, 'a>>> {
        let sequence = match self.value.map(Node::kind) {
            None if self.lost => return None,
            None => None,
            Some(NodeKind::Sequence(sequence)) => Some(sequence),
            Some(NodeKind::Mapping(_) | NodeKind::Scalar(_)) => return None,
        };
        let nodes: Vec<Node<'a>> = sequence
            .into_iter()
            .flat_map(yaml::Sequence::items)
            .collect();
        Some(nodes.into_iter().enumerate().map(|(index, node)| Slot {
            path: self.path.index(index),
            value: (!node.is_null()).then_some(node),
            label: first_word(node),
            lost: false,
        }))
    }

    /// Calls `visit` for every value of the map here, with its key.
    pub(crate) fn each_value(&self, visit: &mut dyn FnMut(&str, &Slot<'_, 'a>)) {
        let mapping = self.value.and_then(Node::as_mapping);
        for entry in mapping.into_iter().flat_map(entries) {
            let key = entry.key.key_text();
            let slot = Slot {
                path: self.path.key(&key),
                value: Some(entry.value).filter(|value| !value.is_null()),
                label: entry.key.range(),
                lost: false,
            };
            visit(&key, &slot);
        }
    }

    /// Returns whether there is a value other than null, or an unknown one.
    pub(crate) fn is_set(&self) -> bool {
        self.value.is_some() || self.lost
    }

    /// Returns the content of an object field.
    pub(crate) fn shape(&self) -> ObjectContent {
        match self.value.map(Node::kind) {
            None if self.lost => ObjectContent::Wrong,
            None => ObjectContent::Absent,
            Some(NodeKind::Mapping(_)) => ObjectContent::Object,
            Some(NodeKind::Sequence(_) | NodeKind::Scalar(_)) => ObjectContent::Wrong,
        }
    }

    /// Returns a string field, empty if it is absent. `None` if the value is not a string.
    pub(crate) fn string(&self) -> Option<&'a str> {
        match self.value {
            Some(node) => node.as_str(),
            None if self.lost => None,
            None => Some(""),
        }
    }

    /// Returns whether a string is blank; an empty one counts as absent.
    pub(crate) fn is_blank(&self) -> bool {
        self.string()
            .is_some_and(|text| !text.is_empty() && text.trim().is_empty())
    }

    /// Returns a list of strings. `None` if it cannot be decoded as one.
    pub(crate) fn strings(&self) -> Option<Vec<&'a str>> {
        self.items()?.map(|item| item.string()).collect()
    }

    /// Returns a boolean field, false if it is absent. `None` if the value is not a boolean.
    pub(crate) fn boolean(&self) -> Option<bool> {
        let Some(node) = self.value else {
            return (!self.lost).then_some(false);
        };
        match node.as_scalar()?.value() {
            Value::Bool(value) => Some(value),
            Value::Null | Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Str => None,
        }
    }

    /// Returns the value of an integer field. `None` if it is absent or not an integer.
    pub(crate) fn integer(&self) -> Option<i64> {
        self.value?.as_scalar()?.value().as_integer()
    }
}

/// Returns the first key of a mapping, or the first word of any other node, which is short enough
/// to underline.
pub(crate) fn first_word(node: Node<'_>) -> TextRange {
    match node.kind() {
        NodeKind::Mapping(mapping) => mapping
            .entries()
            .next()
            .map_or(node.range(), |entry| entry.key.range()),
        NodeKind::Sequence(_) => TextRange::at(node.range().start(), 1.into()),
        NodeKind::Scalar(_) => node.range(),
    }
}
