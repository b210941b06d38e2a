//! The part of a stream that is in memory.

use super::position::StreamPosition;
use std::io::{self, Read};

/// A stream of which some bytes are in memory: what has been read and not been taken.
#[derive(Debug)]
pub(super) struct Window<R> {
    reader: R,
    bytes: Vec<u8>,
    /// Where the bytes begin.
    at: StreamPosition,
    /// Whether nothing comes after them.
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

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the bytes begin.
    pub(super) const fn at(&self) -> StreamPosition {
        self.at
    }

    /// Whether nothing comes after the bytes.
    pub(super) const fn is_last(&self) -> bool {
        self.is_last
    }

    /// Reads until there are so many bytes, or no more come.
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

    /// Takes some bytes out at the front.
    pub(super) fn take(&mut self, count: usize) -> Vec<u8> {
        let count = count.min(self.bytes.len());
        let rest = self.bytes.split_off(count);
        let taken = std::mem::replace(&mut self.bytes, rest);
        self.at = self.at.after(&taken);
        taken
    }

    /// Forgets some bytes at the front.
    pub(super) fn skip(&mut self, count: usize) {
        let count = count.min(self.bytes.len());
        self.at = self.at.after(self.bytes.get(..count).unwrap_or_default());
        self.bytes.drain(..count);
    }
}
