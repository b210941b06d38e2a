//! A set of readers.

/// Readers by their index. Those from the last one on are one reader, which reads what any of them
/// reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readers(u64);

impl Readers {
    /// Limit: the readers that are told apart, the bits of the set.
    pub const MAX: usize = 64;

    /// All readers.
    pub const ALL: Self = Self(u64::MAX);

    /// Returns the index by which a reader is known.
    #[must_use]
    pub fn index(reader: usize) -> usize {
        reader.min(Self::MAX - 1)
    }

    /// Adds a reader.
    pub fn add(&mut self, reader: usize) {
        self.0 |= 1 << Self::index(reader);
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns those that are also in another set.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Returns those of both sets.
    #[must_use]
    pub const fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns those that are not in another set.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns their indexes, in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = left.trailing_zeros();
            left &= left.checked_sub(1)?;
            Some(first as usize)
        })
    }
}
