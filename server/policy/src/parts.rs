//! The parts of an object that the expressions of a policy can read.
//!
//! A dump of a cluster has gigabytes, but policies read little of it. The fields that they read are
//! known before the first object, so everything else can be skipped while reading.
//!
//! Invariant: an evaluation has the same result, with the same errors and the same cost, for an
//! object and for its parts. If the analysis cannot follow a value, as in an argument of a
//! function, it includes the whole value.

mod flow;
mod join;
mod readers;
mod reads;
mod scope;

use std::sync::Arc;

pub use readers::Readers;
pub use reads::{PolicyReads, Reads, RequestReads};

/// Limit: the parts of an object. Beyond it, the object is read as a whole.
const MAX_PARTS: usize = 5_000;

/// Limit: the nested fields of a part. Those below are read as a whole.
const MAX_DEPTH: u8 = 60;

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartId(u32);

/// A tree of fields. A list always keeps its length and a value its type.
#[derive(Clone, Debug)]
pub struct Parts {
    nodes: Vec<Part>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    depth: u8,
    is_whole: bool,
    /// Whether the number of fields is read. Fields that are not read are null then.
    is_counted: bool,
    /// The readers that read it, or a part of it, in joined parts.
    readers: Readers,
    /// Those that read the number of fields.
    counting: Readers,
    /// The part of each element of a list and of each value of a map.
    each: Option<PartId>,
    /// The part of each element, if it is a list. In joined parts, it includes what is read of each
    /// element or value.
    elements: Option<PartId>,
    fields: Vec<(Arc<str>, PartId)>,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            nodes: vec![Part::default()],
        }
    }
}

impl Parts {
    /// The object itself.
    pub const ROOT: PartId = PartId(0);

    /// Adds a field by its path, as a whole.
    pub fn add_path(&mut self, path: &[&str]) {
        let part = path
            .iter()
            .fold(Self::ROOT, |at, name| self.field(at, name));
        self.add_whole(part);
    }

    /// Returns whether a value is read, by the path of its fields.
    #[must_use]
    pub fn has_path(&self, path: &[&str]) -> bool {
        let mut at = Self::ROOT;
        for name in path {
            let Some(part) = self.part(at).filter(|it| !it.is_whole) else {
                return true;
            };
            let mut fields = part.fields.iter();
            match fields.find(|(known, _)| **known == **name) {
                Some((_, field)) => at = *field,
                None => return part.each.is_some(),
            }
        }
        true
    }

    /// Returns whether nothing of the object is read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
            && !self.is_whole()
            && !self.part(Self::ROOT).is_some_and(|it| it.is_counted)
    }

    /// Returns whether the object is read with all that is in it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.part(Self::ROOT).is_none_or(|it| it.is_whole)
    }

    /// Returns the part of each value of a map that is not a field of its own. `None` if they are not
    /// read.
    #[must_use]
    pub fn each(&self, id: PartId) -> Option<PartId> {
        self.part(id)?.each
    }

    /// Returns the part of each element of a list. `None` if they are not read.
    #[must_use]
    pub fn elements(&self, id: PartId) -> Option<PartId> {
        self.part(id)?.elements
    }

    /// Returns the readers of a part, or of something in it.
    #[must_use]
    pub fn readers(&self, id: PartId) -> Readers {
        self.part(id).map_or_else(Readers::default, |it| it.readers)
    }

    /// Returns the readers of the number of fields.
    #[must_use]
    pub fn counting(&self, id: PartId) -> Readers {
        self.part(id)
            .map_or_else(Readers::default, |it| it.counting)
    }

    /// Returns the fields that are read.
    #[must_use]
    pub fn fields(&self, id: PartId) -> &[(Arc<str>, PartId)] {
        self.part(id).map_or(&[], |it| &it.fields)
    }

    fn part(&self, id: PartId) -> Option<&Part> {
        self.nodes.get(id.0 as usize)
    }

    fn part_mut(&mut self, id: PartId) -> Option<&mut Part> {
        self.nodes.get_mut(id.0 as usize)
    }

    fn add_whole(&mut self, id: PartId) {
        if let Some(part) = self.part_mut(id) {
            part.is_whole = true;
        }
    }

    fn add_count(&mut self, id: PartId) {
        if let Some(part) = self.part_mut(id) {
            part.is_counted = true;
        }
    }

    /// Returns the part of a field. A whole part contains its fields.
    fn field(&mut self, of: PartId, name: &str) -> PartId {
        let part = self.part(of);
        let known = part.and_then(|it| it.fields.iter().find(|(known, _)| **known == *name));
        if let Some((_, known)) = known {
            return *known;
        }
        let Some(new) = self.inner(of) else { return of };
        if let Some(part) = self.part_mut(of) {
            part.fields.push((name.into(), new));
        }
        new
    }

    /// Returns the part of all elements or values.
    fn element(&mut self, of: PartId) -> PartId {
        if let Some(known) = self.each(of) {
            return known;
        }
        let Some(new) = self.inner(of) else { return of };
        if let Some(part) = self.part_mut(of) {
            part.each = Some(new);
        }
        new
    }

    /// Adds each element as a whole, if the part is a list.
    fn add_elements(&mut self, of: PartId) {
        let known = self.elements(of).or_else(|| self.inner(of));
        let Some(elements) = known else { return };
        self.add_whole(elements);
        if let Some(part) = self.part_mut(of) {
            part.elements = known;
        }
    }

    /// Adds a part inside another one. `None` if that is whole.
    fn inner(&mut self, of: PartId) -> Option<PartId> {
        let part = self.part(of).filter(|it| !it.is_whole)?;
        let depth = part.depth + 1;
        if depth > MAX_DEPTH || self.nodes.len() > MAX_PARTS {
            self.add_whole(of);
            return None;
        }
        let id = PartId(u32::try_from(self.nodes.len()).ok()?);
        self.nodes.push(Part {
            depth,
            ..Part::default()
        });
        Some(id)
    }
}

#[cfg(test)]
mod tests;
