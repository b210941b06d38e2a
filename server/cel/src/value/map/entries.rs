//! The entries of a map, in insertion order.
//!
//! Most maps are objects with a handful of fields. A search through a few entries is faster than a
//! hash, and uses less memory; only a large map has a table.

use super::{Identity, Key, Value};
use indexmap::IndexMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Limit: entries without a table.
const FEW: usize = 16;

/// Where a key was in the last map. Objects of one kind have their fields in the same order, so it
/// probably is there in the next one too.
#[derive(Debug, Default)]
pub(crate) struct Place(AtomicU32);

type Table = IndexMap<Key, Value, foldhash::fast::RandomState>;

/// The entries of a map. Each key occurs once.
#[derive(Clone, Debug)]
pub(super) enum Entries {
    /// At most [`FEW`].
    Few(Vec<(Key, Value)>),
    /// As many as they are.
    Many(Box<Table>),
}

impl Default for Entries {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Entries {
    /// Returns no entries, with room for some.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        if capacity <= FEW {
            Self::Few(Vec::with_capacity(capacity))
        } else {
            Self::Many(Box::new(table(capacity)))
        }
    }

    /// Entries whose keys the caller guarantees to be different.
    pub(super) fn from_distinct(entries: impl ExactSizeIterator<Item = (Key, Value)>) -> Self {
        let count = entries.len();
        let made = if count <= FEW {
            Self::Few(entries.collect())
        } else {
            Self::Many(Box::new(entries.collect()))
        };
        debug_assert!(
            made.len() == count && made.are_different(),
            "keys are alike"
        );
        made
    }

    fn are_different(&self) -> bool {
        match self {
            Self::Few(entries) => {
                let is_new = |(place, (key, _)): (usize, &(Key, Value))| {
                    let mut before = entries.iter().take(place);
                    before.all(|(known, _)| known != key)
                };
                entries.iter().enumerate().all(is_new)
            }
            Self::Many(_) => true,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Few(entries) => entries.len(),
            Self::Many(entries) => entries.len(),
        }
    }

    pub(super) fn get(&self, key: &Identity<'_>) -> Option<&Value> {
        match self {
            Self::Few(entries) => {
                let mut entries = entries.iter();
                let entry = entries.find(|(known, _)| *key == known.identity());
                entry.map(|(_, value)| value)
            }
            Self::Many(entries) => entries.get(key),
        }
    }

    pub(super) fn get_str(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Few(entries) => {
                let is_key = |known: &Key| matches!(known, Key::String(it) if is_equal(it, key));
                let entry = entries.iter().find(|(known, _)| is_key(known));
                entry.map(|(_, value)| value)
            }
            Self::Many(entries) => entries.get(&Identity::String(key)),
        }
    }

    /// Returns the value of a string key, looking first where it was in the last map.
    #[inline]
    pub(super) fn get_near(&self, key: &str, place: &Place) -> Option<&Value> {
        let near = place.0.load(Ordering::Relaxed) as usize;
        let entry = match self {
            Self::Few(entries) => entries.get(near).map(|(key, value)| (key, value)),
            Self::Many(entries) => entries.get_index(near),
        };
        match entry {
            Some((Key::String(known), value)) if is_equal(known, key) => Some(value),
            _ => self.find(key, place),
        }
    }

    #[inline(never)]
    fn find(&self, key: &str, place: &Place) -> Option<&Value> {
        let (index, value) = match self {
            Self::Few(entries) => {
                let is_key = |known: &Key| matches!(known, Key::String(it) if is_equal(it, key));
                let mut entries = entries.iter().enumerate();
                let (index, (_, value)) = entries.find(|(_, (known, _))| is_key(known))?;
                (index, value)
            }
            Self::Many(entries) => {
                let (index, _, value) = entries.get_full(&Identity::String(key))?;
                (index, value)
            }
        };
        let index = u32::try_from(index).unwrap_or_default();
        place.0.store(index, Ordering::Relaxed);
        Some(value)
    }

    pub(super) fn get_mut(&mut self, key: &Identity<'_>) -> Option<&mut Value> {
        match self {
            Self::Few(entries) => {
                let mut entries = entries.iter_mut();
                let entry = entries.find(|(known, _)| *key == known.identity());
                entry.map(|(_, value)| value)
            }
            Self::Many(entries) => entries.get_mut(key),
        }
    }

    pub(super) fn at(&self, index: usize) -> Option<(&Key, &Value)> {
        match self {
            Self::Few(entries) => entries.get(index).map(|(key, value)| (key, value)),
            Self::Many(entries) => entries.get_index(index),
        }
    }

    /// Sets an entry. Returns the value that was there.
    pub(super) fn insert(&mut self, key: Key, value: Value) -> Option<Value> {
        let few = match self {
            Self::Few(entries) => entries,
            Self::Many(entries) => return entries.insert(key, value),
        };
        if let Some((_, place)) = few.iter_mut().find(|(known, _)| is_same(known, &key)) {
            return Some(std::mem::replace(place, value));
        }
        if few.len() < FEW {
            few.push((key, value));
        } else {
            let mut table = table(2 * FEW);
            table.extend(few.drain(..));
            table.insert(key, value);
            *self = Self::Many(Box::new(table));
        }
        None
    }

    /// Removes an entry. The others keep their order.
    pub(super) fn remove(&mut self, key: &Identity<'_>) -> Option<Value> {
        match self {
            Self::Few(entries) => {
                let mut known = entries.iter();
                let index = known.position(|(known, _)| *key == known.identity())?;
                Some(entries.remove(index).1)
            }
            Self::Many(entries) => entries.shift_remove(key),
        }
    }

    /// Keeps the entries for which `keep` returns true. `keep` may change them.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Key, &mut Value) -> bool) {
        match self {
            Self::Few(entries) => entries.retain_mut(|(key, value)| keep(key, value)),
            Self::Many(entries) => entries.retain(keep),
        }
    }

    pub(super) fn iter(&self) -> Iter<'_> {
        match self {
            Self::Few(entries) => Iter::Few(entries.iter()),
            Self::Many(entries) => Iter::Many(entries.iter()),
        }
    }

    pub(super) fn iter_mut(&mut self) -> IterMut<'_> {
        match self {
            Self::Few(entries) => IterMut::Few(entries.iter_mut()),
            Self::Many(entries) => IterMut::Many(entries.iter_mut()),
        }
    }
}

impl FromIterator<(Key, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(entries: I) -> Self {
        let entries = entries.into_iter();
        let mut out = Self::with_capacity(entries.size_hint().0);
        for (key, value) in entries {
            out.insert(key, value);
        }
        out
    }
}

/// Returns whether two short strings are one, without a call.
#[inline]
pub(crate) fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        8..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
        4..8 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        0..4 => a.iter().eq(b),
        _ => a == b,
    }
}

/// Returns whether two keys are equal. Shared strings need no comparison.
fn is_same(a: &Key, b: &Key) -> bool {
    match (a, b) {
        (Key::String(a), Key::String(b)) => Arc::ptr_eq(a, b) || **a == **b,
        (a, b) => a == b,
    }
}

fn table(capacity: usize) -> Table {
    IndexMap::with_capacity_and_hasher(capacity, foldhash::fast::RandomState::default())
}

/// The entries, one by one.
#[derive(Debug)]
pub(super) enum Iter<'a> {
    Few(std::slice::Iter<'a, (Key, Value)>),
    Many(indexmap::map::Iter<'a, Key, Value>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Key, &'a Value);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Few(entries) => entries.next().map(|(key, value)| (key, value)),
            Self::Many(entries) => entries.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Few(entries) => entries.size_hint(),
            Self::Many(entries) => entries.size_hint(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// The entries, one by one, to change their values.
#[derive(Debug)]
pub(super) enum IterMut<'a> {
    Few(std::slice::IterMut<'a, (Key, Value)>),
    Many(indexmap::map::IterMut<'a, Key, Value>),
}

impl<'a> Iterator for IterMut<'a> {
    type Item = (&'a Key, &'a mut Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Few(entries) => entries.next().map(|(key, value)| (&*key, value)),
            Self::Many(entries) => entries.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Few(entries) => entries.size_hint(),
            Self::Many(entries) => entries.size_hint(),
        }
    }
}

impl ExactSizeIterator for IterMut<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};

    /// An edit of entries.
    #[derive(Clone, Debug)]
    enum MapEdit {
        Insert(Key, i64),
        Remove(Key),
        KeepEven,
    }

    /// Returns one of few keys, so that they repeat, but more than a map without a table has.
    fn key() -> impl Strategy<Value = Key> {
        prop_oneof![
            (0..12_i64).prop_map(Key::Int),
            (0..12_u64).prop_map(Key::Uint),
            (0..12_u8).prop_map(|it| Key::String(it.to_string().into())),
            any::<bool>().prop_map(Key::Bool),
        ]
    }

    fn step() -> impl Strategy<Value = MapEdit> {
        prop_oneof![
            6 => (key(), 0..100_i64).prop_map(|(key, value)| MapEdit::Insert(key, value)),
            1 => key().prop_map(MapEdit::Remove),
            1 => proptest::strategy::Just(MapEdit::KeepEven),
        ]
    }

    fn is_even(value: &Value) -> bool {
        value.as_int().is_some_and(|it| it % 2 == 0)
    }

    fn shown<'a>(entries: impl Iterator<Item = (&'a Key, &'a Value)>) -> Vec<String> {
        entries
            .map(|(key, value)| format!("{key:?} {value}"))
            .collect()
    }

    proptest! {
        #[test]
        fn entries_with_and_without_a_table_are_alike(
            steps in proptest::collection::vec(step(), 0..60),
        ) {
            let mut entries = Entries::default();
            let mut model = table(0);
            let place = Place::default();
            for step in steps {
                match step {
                    MapEdit::Insert(key, value) => {
                        let was = entries.insert(key.clone(), Value::Int(value));
                        prop_assert_eq!(was, model.insert(key, Value::Int(value)));
                    }
                    MapEdit::Remove(key) => {
                        let was = entries.remove(&key.identity());
                        prop_assert_eq!(was, model.shift_remove(&key));
                    }
                    MapEdit::KeepEven => {
                        entries.retain(|_, value| is_even(value));
                        model.retain(|_, value| is_even(value));
                    }
                }
                prop_assert_eq!(shown(entries.iter()), shown(model.iter()));
                prop_assert_eq!(entries.iter().len(), entries.len());
                prop_assert_eq!(entries.iter_mut().len(), entries.len());
            }
            for (index, (key, value)) in model.iter().enumerate() {
                prop_assert_eq!(entries.at(index), Some((key, value)));
                prop_assert_eq!(entries.get(&key.identity()), Some(value));
                if let Key::String(text) = key {
                    prop_assert_eq!(entries.get_str(text), Some(value));
                    // Once where the key before it was, once where it is.
                    for _ in 0..2 {
                        prop_assert_eq!(entries.get_near(text, &place), Some(value));
                    }
                }
            }
            prop_assert_eq!(entries.get_near("not a key", &place), None);
        }
    }
}
