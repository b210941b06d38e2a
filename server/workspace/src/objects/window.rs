//! The part of a stream that is in memory.

use super::position::StreamPosition;
use std::io::{self, Read};

/// A stream with some bytes in memory: those read but not yet consumed.
#[derive(Debug)]
pub(super) struct Window<R> {
    reader: R,
    bytes: Vec<u8>,
    /// The position of the first byte.
    at: StreamPosition,
    /// Whether the stream ends after them.
    is_last: bool,
}

impl<R: Read> Window<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            bytes: Vec::new(),
            at: StreamPosition::START,
            is_last: false,
        }
    }

    /// Returns the bytes in memory.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the position of the first byte.
    pub(super) const fn at(&self) -> StreamPosition {
        self.at
    }

    /// Returns whether the stream ends after the bytes in memory.
    pub(super) const fn is_last(&self) -> bool {
        self.is_last
    }

    /// Reads until that many bytes are in memory, or the stream ends.
    pub(super) fn fill(&mut self, size: usize) -> io::Result<()> {
        let missing = size.saturating_sub(self.bytes.len());
        if missing == 0 || self.is_last {
            return Ok(());
        }
        self.bytes.reserve_exact(missing);
        let mut part = (&mut self.reader).take(missing as u64);
        self.is_last = part.read_to_end(&mut self.bytes)? < missing;
        Ok(())
    }

    /// Removes and returns bytes at the front.
    pub(super) fn take(&mut self, count: usize) -> Vec<u8> {
        let count = count.min(self.bytes.len());
        let rest = self.bytes.split_off(count);
        let taken = std::mem::replace(&mut self.bytes, rest);
        self.at = self.at.after(&taken);
        taken
    }

    /// Removes bytes at the front.
    pub(super) fn skip(&mut self, count: usize) {
        let count = count.min(self.bytes.len());
        self.at = self.at.after(self.bytes.get(..count).unwrap_or_default());
        self.bytes.drain(..count);
    }
}
