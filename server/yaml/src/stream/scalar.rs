//! Scalars: their text, their style and their position in the file.

use super::Node;
use crate::decode;
use crate::style::{BlockHeader, ScalarStyle};
use crate::tree::{CoreTag, ScalarData, ScalarText};
use crate::value::{self, Value};
use std::borrow::Cow;
use std::fmt;
use text::{SourceMap, TextRange};

/// A scalar of a stream.
#[derive(Clone, Copy)]
pub struct Scalar<'a> {
    node: Node<'a>,
    data: &'a ScalarData,
}

impl<'a> Scalar<'a> {
    pub(crate) fn new(node: Node<'a>, data: &'a ScalarData) -> Self {
        Self { node, data }
    }

    /// Returns the node of the scalar; for an alias the one that it refers to.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Returns the decoded string: without quotes, escapes, indentation and folded line breaks.
    /// With the tag `!!binary` it is the decoded base64.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.node.stream.scalar_text(self.data)
    }

    /// Returns the style of the scalar.
    #[must_use]
    pub fn style(self) -> ScalarStyle {
        self.data.style
    }

    /// Returns the bytes of the scalar with its quotes or its block header. A block scalar ends
    /// before the line break of its last line that is not empty.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.node.range()
    }

    /// Returns the bytes between the quotes, or the lines after the block header with their
    /// indentation; all of a plain scalar.
    #[must_use]
    pub fn content_range(self) -> TextRange {
        self.data.content
    }

    /// Returns the header of a block scalar.
    #[must_use]
    pub fn header(self) -> Option<BlockHeader> {
        match self.data.style {
            ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => None,
            ScalarStyle::Literal | ScalarStyle::Folded => Some(decode::block_header(
                self.node.stream.text(),
                self.range().start(),
            )),
        }
    }

    /// Returns the column at which the lines of a block scalar begin.
    #[must_use]
    pub fn block_indent(self) -> Option<u32> {
        let is_block = matches!(self.data.style, ScalarStyle::Literal | ScalarStyle::Folded);
        is_block.then_some(self.data.indent)
    }

    /// Returns the position of every byte of [`Scalar::text`] in the file.
    #[must_use]
    pub fn source_map(self) -> SourceMap {
        if self.node.core_tag() == Some(CoreTag::Binary) {
            return decode::binary_map(self.data);
        }
        match self.data.text {
            ScalarText::Verbatim(range) => SourceMap::verbatim(range.start(), range.len()),
            ScalarText::Decoded(_) => decode::source_map(self.node.stream.text(), self.data),
        }
    }

    /// Returns the value as Kubernetes reads it.
    ///
    /// Upstream: go.yaml.in/yaml/v2, decode.go, scalar; resolve.go, resolve.
    #[must_use]
    pub fn value(self) -> Value {
        match self.node.core_tag() {
            None if self.data.style == ScalarStyle::Plain => value::resolve(self.text()),
            None => Value::Str,
            Some(tag) => value::resolve_tagged(tag, self.text()),
        }
    }

    /// Returns the string of the scalar as a key in JSON: `true` for `y`, `8` for `010`.
    ///
    /// Upstream: kubernetes-sigs/yaml, yaml.go, convertToJSONableObject.
    #[must_use]
    pub fn key_text(self) -> Cow<'a, str> {
        match self.value() {
            Value::Str => Cow::Borrowed(self.text()),
            other => value::key_text(other),
        }
    }

    /// Returns whether the scalar is `key` as a key in JSON. Most keys already differ in their
    /// strings, which are compared first.
    pub(crate) fn is_key(self, key: &str) -> bool {
        (self.text() == key || value::may_be_key_of_value(key)) && self.key_text() == key
    }

    /// Returns whether the scalar is `<<` as a merge key.
    pub(crate) fn is_merge_key(self) -> bool {
        let tagged = self.node.core_tag();
        self.text() == "<<"
            && match tagged {
                None => self.data.style == ScalarStyle::Plain,
                Some(tag) => matches!(tag, CoreTag::Merge | CoreTag::Bare),
            }
    }
}

impl fmt::Debug for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.data.style, self.text())
    }
}
