//! The strings of keys, which repeat in every object.
//!
//! Each string is kept once. Objects of one kind also have their keys in the same order, so the
//! next key usually is the one that followed last time, which needs no lookup.

use std::collections::HashMap;
use std::sync::Arc;

/// Limit: keys that are shared. All kinds of Kubernetes have some thousand fields; keys of data
/// would fill the memory without being seen again.
const MAX_KEYS: usize = 8192;

/// Limit: bytes of a key that is shared.
const MAX_KEY: usize = 64;

/// The index of a shared key.
pub(super) type KeySlot = Option<u32>;

/// Keys that are shared.
#[derive(Debug, Default)]
pub(super) struct Keys {
    places: HashMap<Arc<str>, u32, foldhash::fast::RandomState>,
    shared: Vec<SharedKey>,
    /// The number of the map whose keys are marked.
    map: u64,
}

#[derive(Debug)]
struct SharedKey {
    text: Arc<str>,
    /// The slot of the key that followed it in the last map.
    next: KeySlot,
    /// The last map that had it.
    map: u64,
}

impl Keys {
    /// Returns the shared string of a key after another one, and its slot. Rare strings have no
    /// slot.
    pub(super) fn get(&mut self, text: &str, before: KeySlot) -> (Arc<str>, KeySlot) {
        let next = before.and_then(|before| self.shared(before)?.next);
        if let Some(shared) = next.and_then(|next| self.shared(next))
            && *shared.text == *text
        {
            return (Arc::clone(&shared.text), next);
        }
        let (shared, index) = self.find(text);
        if index.is_some()
            && let Some(before) = before.and_then(|before| self.shared.get_mut(before as usize))
        {
            before.next = index;
        }
        (shared, index)
    }

    fn find(&mut self, text: &str) -> (Arc<str>, KeySlot) {
        if let Some((shared, index)) = self.places.get_key_value(text) {
            return (Arc::clone(shared), Some(*index));
        }
        let shared: Arc<str> = Arc::from(text);
        if text.len() > MAX_KEY || self.shared.len() >= MAX_KEYS {
            return (shared, None);
        }
        let index = u32::try_from(self.shared.len()).ok();
        if let Some(index) = index {
            self.places.insert(Arc::clone(&shared), index);
            self.shared.push(SharedKey {
                text: Arc::clone(&shared),
                next: None,
                map: 0,
            });
        }
        (shared, index)
    }

    fn shared(&self, index: u32) -> Option<&SharedKey> {
        self.shared.get(index as usize)
    }

    /// Returns whether the keys of one map are certainly distinct, as they mostly are.
    pub(super) fn are_different(&mut self, mut places: impl Iterator<Item = KeySlot>) -> bool {
        self.map += 1;
        let map = self.map;
        // One that is not new is enough: the others need not be marked.
        places.all(|index| {
            let shared = index.and_then(|index| self.shared.get_mut(index as usize));
            shared.is_some_and(|shared| std::mem::replace(&mut shared.map, map) != map)
        })
    }
}
