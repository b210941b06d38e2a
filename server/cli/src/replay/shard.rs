//! A share of the objects, so that several machines evaluate one dump.
//!
//! All bytes of all files are divided into equal ranges. A shard evaluates the chunks that begin
//! in its range. The chunks do not depend on the shards, so each object belongs to exactly one
//! shard and keeps its line and column.

use super::dump::DumpFile;
use crate::arguments::Shard;
use std::ops::Range;

/// The shard to which a position belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// It belongs to an earlier shard.
    Earlier,
    This,
    /// It belongs to a later shard, as does all that follows.
    Later,
}

/// The share of a shard in some files.
#[derive(Clone, Debug)]
pub(super) struct Share {
    /// The offsets of the shard, in all files together.
    range: Range<u64>,
    /// The offsets of each file.
    files: Vec<Range<u64>>,
}

impl Share {
    pub(super) fn new(shard: Shard, files: &[DumpFile]) -> Self {
        Self::from_sizes(shard, files.iter().map(DumpFile::size))
    }

    fn from_sizes(shard: Shard, sizes: impl Iterator<Item = u64>) -> Self {
        let mut total: u64 = 0;
        let files: Vec<Range<u64>> = sizes
            .map(|size| {
                let start = total;
                total = total.saturating_add(size);
                start..total
            })
            .collect();
        // Without a byte, everything belongs to the first shard.
        let total = total.max(1);
        let boundary = |index: u64| {
            let offset = u128::from(total) * u128::from(index) / u128::from(shard.count);
            u64::try_from(offset).unwrap_or(total)
        };
        Self {
            range: boundary(shard.index)..boundary(shard.index + 1),
            files,
        }
    }

    /// Returns the owner of a position in a file. Positions at the end of a file
    /// belong to its last byte.
    pub(super) fn owner(&self, file: usize, offset: u64) -> Owner {
        let Some(bytes) = self.files.get(file) else {
            return Owner::Later;
        };
        let total = self.files.last().map_or(0, |it| it.end);
        let position = bytes.start.saturating_add(offset);
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        let position = position.min(last).min(total.saturating_sub(1));
        if position < self.range.start {
            Owner::Earlier
        } else if position < self.range.end {
            Owner::This
        } else {
            Owner::Later
        }
    }

    /// Returns whether all of a file belongs to earlier shards.
    pub(super) fn is_before(&self, file: usize) -> bool {
        self.owner(file, u64::MAX) == Owner::Earlier
    }

    /// Returns the file that begins in an earlier shard and ends in this one or a later one.
    pub(super) fn continued(&self, files: &[DumpFile]) -> Option<String> {
        let start = self.range.start;
        let mut all = self.files.iter().zip(files);
        let inside = all.find(|(bytes, _)| bytes.start < start && start < bytes.end);
        inside.map(|(_, file)| file.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_belongs_to_one_shard() {
        for sizes in [&[10, 0, 7, 100, 0][..], &[0, 0], &[1], &[5; 9]] {
            for count in [1, 2, 3, 8, 300] {
                let shares: Vec<Share> = (0..count)
                    .map(|index| Share::from_sizes(Shard { index, count }, sizes.iter().copied()))
                    .collect();
                for (file, size) in sizes.iter().enumerate() {
                    for offset in 0..=*size {
                        let owners: Vec<Owner> =
                            shares.iter().map(|it| it.owner(file, offset)).collect();
                        let own = owners.iter().filter(|it| **it == Owner::This);
                        assert_eq!(own.count(), 1, "{sizes:?} {count} {file} {offset}");
                        let order = |owner: &Owner| match owner {
                            Owner::Later => 0,
                            Owner::This => 1,
                            Owner::Earlier => 2,
                        };
                        assert!(owners.is_sorted_by_key(order));
                    }
                }
            }
        }
    }
}
