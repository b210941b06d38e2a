//! A node of a schema as stored: numbers that refer to the tables of its definitions.

use super::definitions::Definitions;
use super::layout::{NONE, node};

/// A node within one of the definitions of a catalog.
#[derive(Clone, Copy)]
pub(super) struct SchemaNode<'c> {
    pub(super) definitions: &'c Definitions,
    pub(super) node: u32,
}

impl<'c> SchemaNode<'c> {
    /// Returns the type and the flags. 0 for a node that does not exist.
    pub(super) fn flags(self) -> u32 {
        match self.definitions.word(self.node) {
            NONE => 0,
            flags => flags,
        }
    }

    /// Returns the word of a part that the node has.
    pub(super) fn part(self, flag: u32) -> Option<u32> {
        let parts = self.flags() & node::PARTS;
        if parts & flag == 0 {
            return None;
        }
        let before = (parts & (flag - 1)).count_ones();
        Some(self.definitions.word(self.node + 1 + before))
    }

    pub(super) fn text(self, flag: u32) -> Option<&'c str> {
        Some(self.definitions.string(self.part(flag)?))
    }

    /// Returns the offsets of the entries of a list, each of this many words.
    pub(super) fn entries(
        self,
        flag: u32,
        length: u32,
    ) -> impl ExactSizeIterator<Item = u32> + Clone {
        self.definitions
            .list(self.part(flag).unwrap_or(NONE), length)
    }

    pub(super) fn strings(self, flag: u32) -> impl ExactSizeIterator<Item = &'c str> + Clone {
        let definitions = self.definitions;
        self.entries(flag, 1)
            .map(move |entry| definitions.string(definitions.word(entry)))
    }
}
