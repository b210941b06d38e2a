//! Sizes that are not in any schema.

use super::TYPICAL;
use crate::crd::SchemaSizes;
use crate::library;
use cel::cost::{CREATE_LIST, CallEstimate, CostEstimate, EstimatedCall, SizeEstimate, SizeOf};
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
        usual_list(call).or_else(|| library::equality_estimate(call))
    }
}

/// Returns a list whose length is calculated. cel-go assumes the longest one, and a part of a list
/// as long as its indexes say, even if the list is not.
fn usual_list(call: &EstimatedCall<'_>) -> Option<CallEstimate> {
    let is_calculated = call.args.iter().any(|count| count.literal.is_none());
    let max = match (call.function, call.target, call.args) {
        ("slice", Some(list), [start, end]) => {
            let length = end.as_int(u64::MAX).saturating_sub(start.as_int(0));
            call.size(list).max.min(length)
        }
        ("lists.range", None, _) if is_calculated => TYPICAL,
        ("flatten", Some(list), _) if is_calculated => call.size(list).max,
        _ => return None,
    };
    let size = SizeEstimate { min: 0, max };
    let cost = size.at(1.0).plus(CostEstimate::fixed(1 + CREATE_LIST));
    Some(CallEstimate::cost(cost).giving(size))
}

/// A path in the schema of a rule, without its first part.
pub(super) type Path = Vec<Arc<str>>;

/// The sizes of a schema with further limits, recording which were read.
pub(super) struct BoundedSizes<'a> {
    pub(super) schema: SchemaSizes<'a>,
    pub(super) limits: &'a [(Path, u64)],
    pub(super) requested: RefCell<Vec<Path>>,
}

impl SizeOf for BoundedSizes<'_> {
    fn size_of(&self, path: &[Arc<str>]) -> Option<SizeEstimate> {
        let found = self.schema.size_of(path)?;
        let (_, path) = path.split_first()?;
        let mut requested = self.requested.borrow_mut();
        if !requested.iter().any(|known| known == path) {
            requested.push(path.to_vec());
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
