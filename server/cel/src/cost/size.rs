//! Ranges of sizes and costs, and how they add up.
//!
//! The arithmetic is that of cel-go to the last unit: it saturates and rounds up exactly where
//! cel-go does.
//!
//! Upstream: cel-go, checker/cost.go.

/// The size of a value: code points of a string, bytes, elements of a list, entries of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeEstimate {
    /// At least.
    pub min: u64,
    /// The maximum. `u64::MAX` if unknown.
    pub max: u64,
}

/// A range of cost units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CostEstimate {
    /// At least.
    pub min: u64,
    /// The maximum. `u64::MAX` if unknown.
    pub max: u64,
}

/// The cost of a call and the size of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallEstimate {
    /// The cost units, without those of the arguments.
    pub cost: CostEstimate,
    /// The size of the result, if it has one and anything is known about it.
    pub result_size: Option<SizeEstimate>,
}

impl SizeEstimate {
    /// An unknown size.
    pub(crate) const UNKNOWN: Self = Self {
        min: 0,
        max: u64::MAX,
    };

    /// Returns an exact size.
    #[must_use]
    pub const fn fixed(size: u64) -> Self {
        Self {
            min: size,
            max: size,
        }
    }

    /// Returns the sizes of two values together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    /// Returns the size of this many values of the other size.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_mul(other.min),
            max: self.max.saturating_mul(other.max),
        }
    }

    /// Returns the cost of visiting each element once, at `factor` units each.
    #[must_use]
    pub fn at(self, factor: f64) -> CostEstimate {
        CostEstimate {
            min: scaled(self.min, factor),
            max: scaled(self.max, factor),
        }
    }

    /// Returns the cost of an operation on each element.
    #[must_use]
    pub(crate) const fn cost_of_each(self, cost: CostEstimate) -> CostEstimate {
        CostEstimate {
            min: self.min.saturating_mul(cost.min),
            max: self.max.saturating_mul(cost.max),
        }
    }

    /// Returns a size that covers both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

impl CostEstimate {
    /// Returns an exact cost.
    #[must_use]
    pub const fn fixed(cost: u64) -> Self {
        Self {
            min: cost,
            max: cost,
        }
    }

    /// Returns both costs.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    /// Returns the product of two costs.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_mul(other.min),
            max: self.max.saturating_mul(other.max),
        }
    }

    /// Returns the cost times a factor, rounded up.
    #[must_use]
    pub fn at(self, factor: f64) -> Self {
        Self {
            min: scaled(self.min, factor),
            max: scaled(self.max, factor),
        }
    }

    /// Returns a cost that covers both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns whether it has an upper end.
    #[must_use]
    pub const fn is_bounded(self) -> bool {
        self.max < u64::MAX
    }
}

impl CallEstimate {
    /// Returns a cost with a result of unknown size.
    #[must_use]
    pub const fn cost(cost: CostEstimate) -> Self {
        Self {
            cost,
            result_size: None,
        }
    }

    /// Returns a cost that is always the same.
    #[must_use]
    pub const fn fixed(cost: u64) -> Self {
        Self::cost(CostEstimate::fixed(cost))
    }

    /// Sets the size of the result.
    #[must_use]
    pub const fn giving(mut self, size: SizeEstimate) -> Self {
        self.result_size = Some(size);
        self
    }
}

/// Returns `count * factor`, rounded up.
// cel-go computes in doubles; a cast saturates where cel-go does.
fn scaled(count: u64, factor: f64) -> u64 {
    (count as f64 * factor).ceil() as u64
}
