//! The end of plain scalars.

use super::cursor::is_blank_or_end;
use crate::chars::{break_at, is_blank};

/// The reason why a plain scalar ends in its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// A colon that makes it a key.
    Colon,
    Comment,
    LineEnd,
    /// A character that has a meaning in `[…]` and `{…}`.
    Flow,
}

/// The part of a plain scalar in one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainLine {
    /// The end of the text, without blanks.
    pub(super) end: usize,
    /// The offset at which the scan stopped.
    pub(super) next: usize,
    pub(super) stop: Stop,
}

/// The context of a plain scalar, which decides where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    Block,
    Flow,
    /// A value in which colons are read as text, after they were reported.
    BlockText,
    FlowText,
}

/// Bytes that may end a plain scalar in a block. The others may in a flow collection.
const BLOCK: u8 = 1;
const FLOW: u8 = 2;

const STOPS: [u8; 256] = stops();

#[expect(clippy::indexing_slicing, reason = "a byte is below 256")]
const fn stops() -> [u8; 256] {
    let mut table = [0; 256];
    let everywhere = b":#\n\r\xC2\xE2";
    let mut at = 0;
    while at < everywhere.len() {
        table[everywhere[at] as usize] = BLOCK | FLOW;
        at += 1;
    }
    let flow = b",?[]{}";
    at = 0;
    while at < flow.len() {
        table[flow[at] as usize] = FLOW;
        at += 1;
    }
    table
}

/// Scans the line from `start` on.
///
/// Upstream: go.yaml.in/yaml/v2, scannerc.go, yaml_parser_scan_plain_scalar. A `?` anywhere
/// ends a plain scalar in a flow collection there.
pub(super) fn scan_line(bytes: &[u8], start: usize, context: Context) -> PlainLine {
    let mask = match context {
        Context::Block | Context::BlockText => BLOCK,
        Context::Flow | Context::FlowText => FLOW,
    };
    let mut at = start;
    let stop = loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(ahead) = rest.iter().position(|byte| {
            STOPS
                .get(usize::from(*byte))
                .is_some_and(|stops| stops & mask != 0)
        }) else {
            at = bytes.len();
            break Stop::LineEnd;
        };
        at += ahead;
        if let Some(stop) = stop_at(bytes, start, at, context) {
            break stop;
        }
        at += 1;
    };
    let text = bytes.get(start..at).unwrap_or_default();
    let blanks = text
        .iter()
        .rev()
        .take_while(|byte| is_blank(**byte))
        .count();
    PlainLine {
        end: at - blanks,
        next: at,
        stop,
    }
}

/// Returns how the special byte at `at` ends the scalar. `None` if it does not.
fn stop_at(bytes: &[u8], start: usize, at: usize, context: Context) -> Option<Stop> {
    match bytes.get(at)? {
        b':' => {
            let text = matches!(context, Context::BlockText | Context::FlowText);
            (!text && is_blank_or_end(bytes, at + 1)).then_some(Stop::Colon)
        }
        b'#' => {
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            (at > start && before.copied().is_some_and(is_blank)).then_some(Stop::Comment)
        }
        b',' | b'?' | b'[' | b']' | b'{' | b'}' => Some(Stop::Flow),
        _ => break_at(bytes, at).is_some().then_some(Stop::LineEnd),
    }
}
