//! The parts that several readers read, as one tree.
//!
//! A part of the tree represents a part of each reader. What a reader reads of all fields also
//! applies to a field that it reads by name.

use super::{MAX_PARTS, Part, PartId, Parts};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

/// The index of a reader, and one of its parts.
type Own = (usize, PartId);

/// Parts of readers that are one part of the tree.
type Joined = Vec<Own>;

/// The tree so far.
#[derive(Default)]
struct Join {
    nodes: Vec<Part>,
    known: HashMap<Joined, PartId>,
    /// The parts whose fields are missing.
    open: VecDeque<(PartId, Joined)>,
}

impl Parts {
    /// Returns the parts that some readers read. A tree above the limit of parts is read as a whole.
    #[must_use]
    pub fn join(readers: &[Parts]) -> Self {
        let mut join = Join::default();
        let roots = (0..readers.len()).map(|reader| (reader, Parts::ROOT));
        join.part(readers, roots.collect());
        while let Some((id, joined)) = join.open.pop_front() {
            join.fields(readers, id, &joined);
            if join.nodes.len() > MAX_PARTS {
                let mut whole = Self::default();
                whole.add_whole(Self::ROOT);
                return whole;
            }
        }
        Self { nodes: join.nodes }
    }
}

impl Join {
    /// Returns the part for some parts of readers. `None` if there are none.
    fn part(&mut self, readers: &[Parts], joined: Joined) -> Option<PartId> {
        if joined.is_empty() && !self.nodes.is_empty() {
            return None;
        }
        if let Some(known) = self.known.get(&joined) {
            return Some(*known);
        }
        let id = PartId(u32::try_from(self.nodes.len()).ok()?);
        let mut part = Part::default();
        for (reader, own) in &joined {
            part.readers.add(*reader);
            if let Some(own) = readers.get(*reader).and_then(|it| it.part(*own)) {
                part.is_whole |= own.is_whole;
                if own.is_counted {
                    part.counting.add(*reader);
                }
            }
        }
        self.nodes.push(part);
        self.known.insert(joined.clone(), id);
        self.open.push_back((id, joined));
        Some(id)
    }

    /// Adds the fields and elements of a part.
    fn fields(&mut self, readers: &[Parts], id: PartId, joined: &Joined) {
        let own = |(reader, id): &Own| Some((*reader, *id, readers.get(*reader)?.part(*id)?));
        let parts: Vec<(usize, PartId, &Part)> = joined.iter().filter_map(own).collect();
        let (mut each, mut elements) = (BTreeSet::new(), BTreeSet::new());
        let mut named: Vec<(&Arc<str>, BTreeSet<Own>)> = Vec::new();
        for (reader, id, part) in parts {
            if part.is_whole {
                // Everything in it is also whole.
                each.insert((reader, id));
                continue;
            }
            each.extend(part.each.map(|each| (reader, each)));
            elements.extend(part.elements.map(|elements| (reader, elements)));
            for (name, field) in &part.fields {
                match named.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, fields)) => _ = fields.insert((reader, *field)),
                    None => named.push((name, [(reader, *field)].into())),
                }
            }
        }
        let mut join = |own: BTreeSet<Own>| self.part(readers, own.into_iter().collect());
        let fields = named.into_iter().filter_map(|(name, own)| {
            let field = join(own.union(&each).copied().collect())?;
            Some((Arc::clone(name), field))
        });
        let fields: Vec<(Arc<str>, PartId)> = fields.collect();
        let elements = join(elements.union(&each).copied().collect());
        let each = join(each);
        if let Some(part) = self.nodes.get_mut(id.0 as usize) {
            part.fields = fields;
            part.each = each;
            part.elements = elements;
        }
    }
}
