//! The documentation of the completions, and the tooltips of the inlay hints, that the client shows.
//!
//! Descriptions are most of a response, and a user reads few of them. A client that supports it
//! requests the description of an item when the item is selected.

use crate::convert::to_lsp::CompletionData;
use serde::Deserialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Limit: lists that are kept. A client resolves items of the newest one, and of the one before
/// while the newest is on its way.
pub(crate) const MAX_LISTS: usize = 2;

/// Limit: responses with inlay hints whose tooltips are kept. A client shows several documents, and
/// requests the hints of a range.
pub(crate) const MAX_HINTS: usize = 16;

/// The descriptions of the items in the newest lists.
#[derive(Debug)]
pub(crate) struct ShownItems<T> {
    lists: Mutex<Lists<T>>,
    /// The most lists that are kept.
    most: usize,
}

#[derive(Debug)]
struct Lists<T> {
    /// The number of the next list.
    next: u64,
    kept: VecDeque<(u64, Vec<Option<T>>)>,
}

impl<T: Clone> ShownItems<T> {
    /// Returns a store of a number of lists.
    pub(crate) fn with_limit(most: usize) -> Self {
        Self {
            lists: Mutex::new(Lists {
                next: 0,
                kept: VecDeque::new(),
            }),
            most,
        }
    }

    /// Keeps the descriptions of the items of a list. Returns the number of the list.
    pub(crate) fn keep(&self, descriptions: Vec<Option<T>>) -> u64 {
        // A list is added or removed as a whole.
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let number = lists.next;
        lists.next += 1;
        lists.kept.push_back((number, descriptions));
        if lists.kept.len() > self.most {
            lists.kept.pop_front();
        }
        number
    }

    /// Returns the description of an item by its data. `None` if it has none, or if its list is no
    /// longer kept.
    pub(crate) fn description(&self, data: Option<&Value>) -> Option<T> {
        let CompletionData { list, item } = CompletionData::deserialize(data?).ok()?;
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, items) = lists.kept.iter().find(|(number, _)| *number == list)?;
        items.get(item)?.clone()
    }
}
