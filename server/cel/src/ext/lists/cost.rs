//! The actual cost of calls of the lists library.
//!
//! cel-go defines these costs per overload. If the checker left several open, the general rules
//! apply.
//!
//! Upstream: cel-go, ext/lists.go, `ProgramOptions`.

use crate::library::PANICS;
use crate::value::Value;

/// The cost of a call and of making a list.
const CALL_AND_LIST: u64 = 1 + 10;
/// The additional cost of comparing two strings.
const TEXT: f64 = 0.1;

fn resolved(overload: &str) -> Option<()> {
    (!overload.is_empty()).then_some(())
}

/// Costs one unit for each element. A depth below zero, which is a failure, costs less.
fn scaled_cost(factor: f64, size: u64) -> u64 {
    let work = size as f64 * factor;
    if work < 0.0 {
        CALL_AND_LIST.saturating_sub(-work as u64)
    } else {
        (work as u64).saturating_add(CALL_AND_LIST)
    }
}

pub(super) fn output(overload: &str, _: &[Value], result: &Value) -> Option<u64> {
    resolved(overload)?;
    Some(scaled_cost(1.0, result.size()))
}

pub(super) fn flatten(overload: &str, args: &[Value], _: &Value) -> Option<u64> {
    resolved(overload)?;
    let depth = match args.get(1) {
        Some(Value::Int(depth)) => *depth as f64,
        Some(_) => return Some(PANICS),
        None => 1.0,
    };
    Some(scaled_cost(depth, args.first()?.size()))
}

pub(super) fn distinct(overload: &str, args: &[Value], _: &Value) -> Option<u64> {
    resolved(overload)?;
    compared(args.first()?)
}

pub(super) fn sort(overload: &str, args: &[Value], _: &Value) -> Option<u64> {
    resolved(overload)?;
    compared(args.first()?)
}

pub(super) fn sort_by_keys(overload: &str, args: &[Value], _: &Value) -> Option<u64> {
    resolved(overload)?;
    compared(args.get(1)?)
}

/// Costs two units for each pair of elements.
fn compared(list: &Value) -> Option<u64> {
    let Some(elements) = list.as_list() else {
        return Some(PANICS);
    };
    let factor = match elements.first() {
        Some(Value::String(_) | Value::Bytes(_)) => 2.0 + TEXT,
        _ => 2.0,
    };
    let size = elements.len() as u64;
    Some(scaled_cost(factor, size.wrapping_mul(size)))
}
