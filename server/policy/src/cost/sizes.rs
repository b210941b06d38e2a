//! Sizes that no schema tells.

use super::TYPICAL;
use crate::crd::SchemaSizes;
use crate::library;
use cel::cost::{CallEstimate, EstimatedCall, SizeEstimate, SizeOf};
use std::cell::RefCell;
use std::sync::Arc;

/// Everything has a usual size.
pub(super) struct TypicalSizes;

impl SizeOf for TypicalSizes {
    fn size_of(&self, _: &[Arc<str>]) -> Option<SizeEstimate> {
        Some(SizeEstimate {
            min: 0,
            max: TYPICAL,
        })
    }

    fn call(&self, call: &EstimatedCall<'_>) -> Option<CallEstimate> {
        library::equality_estimate(call)
    }
}

/// A path in the schema of a rule, without its first part.
pub(super) type Path = Vec<Arc<str>>;

/// The sizes of a schema, with further limits, which remembers what was asked.
pub(super) struct BoundedSizes<'a> {
    pub(super) schema: SchemaSizes<'a>,
    pub(super) limits: &'a [(Path, u64)],
    pub(super) asked: RefCell<Vec<Path>>,
}

impl SizeOf for BoundedSizes<'_> {
    fn size_of(&self, path: &[Arc<str>]) -> Option<SizeEstimate> {
        let found = self.schema.size_of(path)?;
        let (_, path) = path.split_first()?;
        let mut asked = self.asked.borrow_mut();
        if !asked.iter().any(|known| known == path) {
            asked.push(path.to_vec());
        }
        let mut limits = self.limits.iter();
        let limit = limits.find(|(limited, _)| limited == path);
        Some(SizeEstimate {
            max: limit.map_or(found.max, |(_, limit)| found.max.min(*limit)),
            ..found
        })
    }

    fn call(&self, call: &EstimatedCall<'_>) -> Option<CallEstimate> {
        self.schema.call(call)
    }
}
