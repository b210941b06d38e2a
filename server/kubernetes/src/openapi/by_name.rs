//! The resources with one name, in all their groups and versions.
//!
//! A policy that names `deployments` of one version may match the others too, for every request.
//! So the names are indexed on first use.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Places of resources by their name. A copy of a catalog shares them.
#[derive(Clone, Debug, Default)]
pub(super) struct ResourcesByName {
    pub(super) places: Arc<OnceLock<EntriesByName>>,
}

pub(super) type EntriesByName = HashMap<Box<str>, Vec<Entry>, foldhash::fast::RandomState>;

/// The position of a kind in the added definitions, or in the built-in ones.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    Added(usize, u32),
    BuiltIn(u32),
}
