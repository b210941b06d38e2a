//! The strings of keys, which repeat in every object.
//!
//! Each string is kept once. Objects of one kind also have their keys in the same order, so the
//! next key is mostly the one that followed last time, which needs no table.

use std::collections::HashMap;
use std::sync::Arc;

/// Limit: keys that are shared. The fields of all kinds of Kubernetes are some thousand;
/// keys of data would fill the memory without being met again.
const MAX_KEYS: usize = 8192;

/// Limit: bytes of a key that is shared.
const MAX_KEY: usize = 64;

/// The place of a key among those that are shared.
pub(super) type Place = Option<u32>;

/// Keys that are shared.
#[derive(Debug, Default)]
pub(super) struct Keys {
    places: HashMap<Arc<str>, u32, foldhash::fast::RandomState>,
    known: Vec<Known>,
    /// The number of the map whose keys are marked.
    map: u64,
}

#[derive(Debug)]
struct Known {
    text: Arc<str>,
    /// The place of the key that came after it in the last map.
    next: Place,
    /// The last map that had it.
    map: u64,
}

impl Keys {
    /// Returns the shared string of a key after another one, and its slot. Rare strings have no
    /// slot.
    pub(super) fn get(&mut self, text: &str, before: Place) -> (Arc<str>, Place) {
        let next = before.and_then(|before| self.known(before)?.next);
        if let Some(known) = next.and_then(|next| self.known(next))
            && *known.text == *text
        {
            return (Arc::clone(&known.text), next);
        }
        let (shared, place) = self.find(text);
        if place.is_some()
            && let Some(before) = before.and_then(|before| self.known.get_mut(before as usize))
        {
            before.next = place;
        }
        (shared, place)
    }

    fn find(&mut self, text: &str) -> (Arc<str>, Place) {
        if let Some((known, place)) = self.places.get_key_value(text) {
            return (Arc::clone(known), Some(*place));
        }
        let shared: Arc<str> = Arc::from(text);
        if text.len() > MAX_KEY || self.known.len() >= MAX_KEYS {
            return (shared, None);
        }
        let place = u32::try_from(self.known.len()).ok();
        if let Some(place) = place {
            self.places.insert(Arc::clone(&shared), place);
            self.known.push(Known {
                text: Arc::clone(&shared),
                next: None,
                map: 0,
            });
        }
        (shared, place)
    }

    fn known(&self, place: u32) -> Option<&Known> {
        self.known.get(place as usize)
    }

    /// Returns whether the keys of one map are certainly distinct, as they mostly are.
    pub(super) fn are_different(&mut self, mut places: impl Iterator<Item = Place>) -> bool {
        self.map += 1;
        let map = self.map;
        // One that is not new is enough: the others need no mark.
        places.all(|place| {
            let known = place.and_then(|place| self.known.get_mut(place as usize));
            known.is_some_and(|known| std::mem::replace(&mut known.map, map) != map)
        })
    }
}
