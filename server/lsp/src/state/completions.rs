//! The documentation of the completions, and the tooltips of the inlay hints, that the client shows.
//!
//! Descriptions are most of a response, and a user reads few of them. A client that supports it
//! requests the documentation of an item when it is selected.

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

/// The documentation of the newest completions, in Markdown.
#[derive(Debug)]
pub(crate) struct Completions {
    lists: Mutex<Lists>,
    /// The most lists that are kept.
    most: usize,
}

#[derive(Debug, Default)]
struct Lists {
    /// The number of the next list.
    next: u64,
    kept: VecDeque<(u64, Vec<Option<String>>)>,
}

impl Completions {
    /// Returns a store of a number of lists.
    pub(crate) fn with_limit(most: usize) -> Self {
        Self {
            lists: Mutex::default(),
            most,
        }
    }

    /// Keeps the documentation of the items of a list. Returns the number of the list.
    pub(crate) fn keep(&self, documentation: Vec<Option<String>>) -> u64 {
        // A list is added or removed as a whole.
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let number = lists.next;
        lists.next += 1;
        lists.kept.push_back((number, documentation));
        if lists.kept.len() > self.most {
            lists.kept.pop_front();
        }
        number
    }

    /// Returns the documentation of an item by its data. `None` if it has none, or if its list is no
    /// longer kept.
    pub(crate) fn documentation(&self, data: Option<&Value>) -> Option<String> {
        let CompletionData { list, item } = CompletionData::deserialize(data?).ok()?;
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, items) = lists.kept.iter().find(|(number, _)| *number == list)?;
        items.get(item)?.clone()
    }
}
