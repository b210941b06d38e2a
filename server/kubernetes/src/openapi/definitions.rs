//! A file of kinds in memory, and its reader.
//!
//! Invariant: reading never fails. A position outside the file reads as empty.

use super::layout::{MAGIC, NONE, header, kind};
use super::model::Model;
use super::writer::write;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use text::TextRange;

/// Kinds with their schemas, of one server or of no version: the built-in kinds, or those of a
/// CustomResourceDefinition or an OpenAPI document.
#[derive(Clone)]
pub struct Definitions {
    data: Cow<'static, [u8]>,
    /// All strings of an embedded file, validated once: every lookup reads some of them.
    text: Option<&'static str>,
    /// Which of the versions in the file this is.
    version: u32,
    /// The text with the CustomResourceDefinition, and the range of its document.
    source: Option<(Arc<str>, TextRange)>,
}

impl Definitions {
    /// Returns the kinds of one version in a file. `None` if the file is not valid, or lacks that
    /// version.
    pub(super) fn from_file(data: &'static [u8], minor: u8) -> Option<Self> {
        let mut definitions = Self {
            data: Cow::Borrowed(data),
            text: None,
            version: 0,
            source: None,
        };
        if definitions.word(header::MAGIC) != MAGIC {
            return None;
        }
        let text = data.get(definitions.text_start()..);
        definitions.text = text.and_then(|text| std::str::from_utf8(text).ok());
        let first = definitions.word(header::FIRST_VERSION);
        definitions.version = u32::from(minor).checked_sub(first)?;
        (definitions.version < definitions.word(header::VERSIONS)).then_some(definitions)
    }

    /// Returns the first version of a file.
    pub(super) fn from_bytes(data: Vec<u8>) -> Option<Self> {
        let definitions = Self {
            data: Cow::Owned(data),
            text: None,
            version: 0,
            source: None,
        };
        (definitions.word(header::MAGIC) == MAGIC).then_some(definitions)
    }

    /// Returns kinds that belong to no version.
    pub(super) fn from_model(model: &Model) -> Self {
        Self {
            data: Cow::Owned(write(model)),
            text: None,
            version: 0,
            source: None,
        }
    }

    /// Adds the document of the CustomResourceDefinition, a part of `text`.
    #[must_use]
    pub fn with_source(self, text: Arc<str>, document: TextRange) -> Self {
        let source = Some((text, document));
        Self { source, ..self }
    }

    /// Returns the document of the CustomResourceDefinition, if it was given.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        let (text, document) = self.source.as_ref()?;
        text.get(Range::<usize>::from(*document))
    }

    /// Returns whether both have the same kinds, even if their documents differ.
    #[must_use]
    pub fn has_same_kinds(&self, other: &Self) -> bool {
        self.version == other.version && self.data == other.data
    }

    /// Returns group, version and kind of each kind.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.kinds().map(|entry| self.kind_names(entry))
    }

    /// Returns the word at an index.
    pub(super) fn word(&self, at: u32) -> u32 {
        let bytes = (at as usize)
            .checked_mul(4)
            .and_then(|start| self.data.get(start..)?.first_chunk::<4>());
        bytes.map_or(NONE, |bytes| u32::from_le_bytes(*bytes))
    }

    /// Returns the offset of each entry of a list with entries of this many words.
    pub(super) fn list(&self, at: u32, length: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        let count = match self.word(at) {
            NONE => 0,
            count => count,
        };
        (0..count).map(move |entry| at.saturating_add(1 + entry * length))
    }

    /// Returns the string with a number; empty if there is none.
    pub(super) fn string(&self, number: u32) -> &str {
        let found = match self.text {
            Some(text) => text.get(self.string_range(number)),
            None => std::str::from_utf8(self.bytes(number)).ok(),
        };
        found.unwrap_or_default()
    }

    /// Returns the bytes of a string, which are in the same order as the strings.
    pub(super) fn bytes(&self, number: u32) -> &[u8] {
        let text = self.data.get(self.text_start()..);
        let found = text.and_then(|text| text.get(self.string_range(number)));
        found.unwrap_or_default()
    }

    /// Returns the offset of the first string, in bytes of the file.
    fn text_start(&self) -> usize {
        self.word(header::TEXT) as usize * 4
    }

    /// Returns the bytes of a string, counted from where the strings begin.
    fn string_range(&self, number: u32) -> Range<usize> {
        if number >= self.word(header::STRINGS) {
            return 0..0;
        }
        let offsets = self.word(header::STRING_OFFSETS).saturating_add(number);
        let end = self.word(offsets.saturating_add(1));
        self.word(offsets) as usize..end as usize
    }

    /// Returns the number of a type.
    pub(super) fn type_number(&self, name: &str) -> Option<u32> {
        let names = self.word(header::TYPE_NAMES);
        search(self.word(header::TYPES), |number| {
            let other = self.word(names.saturating_add(number));
            self.bytes(other).cmp(name.as_bytes())
        })
    }

    /// Returns the name of a type.
    pub(super) fn type_name(&self, number: u32) -> &str {
        let names = self.word(header::TYPE_NAMES);
        self.string(self.word(names.saturating_add(number)))
    }

    /// Returns the node of a type. `None` if this version does not have it.
    pub(super) fn type_node(&self, number: u32) -> Option<u32> {
        let types = self.word(header::TYPES);
        if number >= types {
            return None;
        }
        let nodes = self.word(header::TYPE_NODES);
        let node = self.word(nodes.saturating_add(self.version * types + number));
        (node != NONE).then_some(node)
    }

    /// Returns the names of all types of this version.
    #[cfg(test)]
    pub(super) fn type_names(&self) -> impl Iterator<Item = &str> {
        let types = 0..self.word(header::TYPES);
        let here = types.filter(|number| self.type_node(*number).is_some());
        here.map(|number| self.type_name(number))
    }

    /// Returns the offsets of the entries of all kinds, including those of other versions.
    pub(super) fn kinds_of_all_versions(&self) -> impl Iterator<Item = u32> {
        let table = self.word(header::KIND_TABLE);
        let entries = 0..self.word(header::KINDS);
        entries.map(move |number| table + number * kind::LENGTH)
    }

    /// Returns the offsets of the entries of all kinds of this version.
    pub(super) fn kinds(&self) -> impl Iterator<Item = u32> {
        let entries = self.kinds_of_all_versions();
        entries.filter(|entry| self.is_of_version(*entry + kind::SERVERS, 0))
    }

    /// Returns the offset of the entry of a kind, if this version has it.
    pub(super) fn kind(&self, group: &str, version: &str, name: &str) -> Option<u32> {
        let table = self.word(header::KIND_TABLE);
        let entry = |number| table + number * kind::LENGTH;
        search(self.word(header::KINDS), |number| {
            let entry = entry(number);
            let compare =
                |at, wanted: &str| self.bytes(self.word(entry + at)).cmp(wanted.as_bytes());
            compare(kind::GROUP, group)
                .then_with(|| compare(kind::VERSION, version))
                .then_with(|| compare(kind::KIND, name))
        })
        .map(entry)
        .filter(|entry| self.is_of_version(*entry + kind::SERVERS, 0))
    }

    /// Returns the numbers of the strings of the group and the version of an entry.
    pub(super) fn version_numbers(&self, entry: u32) -> (u32, u32) {
        (
            self.word(entry + kind::GROUP),
            self.word(entry + kind::VERSION),
        )
    }

    /// Returns group and version of an entry.
    pub(super) fn group_version(&self, entry: u32) -> (&str, &str) {
        let (group, version) = self.version_numbers(entry);
        (self.string(group), self.string(version))
    }

    /// Returns group, version and kind of an entry.
    pub(super) fn kind_names(&self, entry: u32) -> (&str, &str, &str) {
        let (group, version) = self.group_version(entry);
        (group, version, self.string(self.word(entry + kind::KIND)))
    }

    /// Returns the number of the type of the objects of a kind.
    pub(super) fn kind_type(&self, entry: u32) -> Option<u32> {
        let number = self.word(entry + kind::TYPE);
        (number != NONE).then_some(number)
    }

    /// Returns whether the server of this version serves a kind by default.
    pub(super) fn is_served_by_default(&self, entry: u32) -> bool {
        self.is_of_version(entry + kind::SERVERS, 16)
    }

    /// Returns whether the word at an offset has the bit of this version, counted from a bit.
    pub(super) fn is_of_version(&self, at: u32, shift: u32) -> bool {
        self.word(at) >> (shift + self.version) & 1 == 1
    }
}

impl fmt::Debug for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Returns the number from 0 to `count` for which `order` returns equal. The numbers are sorted.
pub(super) fn search(count: u32, order: impl Fn(u32) -> Ordering) -> Option<u32> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        match order(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => return Some(middle),
        }
    }
    None
}

impl PartialEq for Definitions {
    fn eq(&self, other: &Self) -> bool {
        self.has_same_kinds(other) && self.source() == other.source()
    }
}

impl Eq for Definitions {}
