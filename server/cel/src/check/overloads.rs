//! Sets of overloads of a function.

use crate::env::MAX_OVERLOADS;

/// Overloads of one function, by their index in its declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OverloadSet(u64);

impl OverloadSet {
    /// Adds the overload at an index below [`MAX_OVERLOADS`].
    pub(super) const fn insert(&mut self, index: usize) {
        if index < MAX_OVERLOADS {
            self.0 |= 1 << index;
        }
    }

    /// Returns whether the set contains the overload at an index.
    #[must_use]
    pub const fn contains(self, index: usize) -> bool {
        index < MAX_OVERLOADS && self.0 & (1 << index) != 0
    }

    /// Returns the indexes, in the order of the declaration.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MAX_OVERLOADS).filter(move |index| self.contains(*index))
    }

    /// Returns the number of overloads.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether there are no overloads.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the overload, if there is exactly one.
    #[must_use]
    pub const fn single(self) -> Option<usize> {
        if self.0.is_power_of_two() {
            return Some(self.0.trailing_zeros() as usize);
        }
        None
    }
}
