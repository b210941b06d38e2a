//! Decimal numbers of any size.
//!
//! Upstream: gopkg.in/inf.v0, dec.go, as kubernetes/apimachinery, pkg/api/resource uses it.

use cel::library::Context;
use cel::value::EvalError;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// `unscaled * 10^-scale`.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    pub(super) unscaled: BigInt,
    pub(super) scale: i32,
}

/// Limit: a number is expanded by at most this many digits; beyond that, only its magnitude is
/// compared.
const MAX_WRITTEN_OUT: u32 = 10_000;

/// The memory and time charged for a decimal digit, in bytes.
const BYTES_PER_DIGIT: usize = 64;

impl Decimal {
    pub(super) fn new(unscaled: impl Into<BigInt>, scale: i32) -> Self {
        Self {
            unscaled: unscaled.into(),
            scale,
        }
    }

    /// Parses a number with digits and at most one point. `None` if it is invalid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let unscaled: BigInt = format!("{whole}{fraction}").parse().ok()?;
        Some(Self::new(unscaled, i32::try_from(fraction.len()).ok()?))
    }

    pub(super) fn sign(&self) -> i8 {
        match self.unscaled.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// Returns the position of its first digit: 1 for 1 to 9, 2 for 10 to 99, 0 for 0.1 to 0.9.
    fn magnitude(&self) -> i64 {
        let digits = self.unscaled.magnitude().to_string().len();
        i64::try_from(digits).unwrap_or(i64::MAX) - i64::from(self.scale)
    }

    /// Returns the power of ten below it, as in `1e30`.
    pub(super) fn approximate(&self) -> String {
        let sign = if self.sign() < 0 { "-" } else { "" };
        format!("{sign}1e{}", self.magnitude() - 1)
    }

    /// Returns the same number with more digits after the point.
    fn unscaled_at(&self, scale: i32) -> BigInt {
        let more = scale.abs_diff(self.scale);
        &self.unscaled * power(more)
    }

    /// Returns the number rounded to that many digits after the point, away from zero, and whether
    /// the result is exact.
    pub(super) fn rounded(&self, scale: i32) -> (Self, bool) {
        if self.scale <= scale {
            // An integer does not change: it is not expanded.
            return (self.clone(), true);
        }
        let sign = self.sign();
        let fewer = self.scale.abs_diff(scale);
        let below = -i64::from(scale);
        if self.magnitude() <= below {
            return (Self::new(sign, scale), sign == 0);
        }
        let divisor = power(fewer);
        let quotient = &self.unscaled / &divisor;
        let exact = &quotient * &divisor == self.unscaled;
        let unscaled = if exact { quotient } else { quotient + sign };
        (Self::new(unscaled, scale), exact)
    }

    /// Returns the same number with that many digits after the point, unless it is zero or very
    /// large.
    pub(super) fn written_out(self, scale: i32) -> Self {
        let is_near = scale.abs_diff(self.scale) <= MAX_WRITTEN_OUT;
        if self.sign() == 0 || self.scale >= scale || !is_near {
            return self;
        }
        Self::new(self.unscaled_at(scale), scale)
    }

    /// Returns the sum.
    ///
    /// # Errors
    /// It has too many digits.
    pub(super) fn plus(&self, other: &Self, context: &Context<'_>) -> Result<Self, EvalError> {
        let more = usize::try_from(self.scale.abs_diff(other.scale)).unwrap_or(usize::MAX);
        context.allocate(more.saturating_mul(BYTES_PER_DIGIT))?;
        let scale = self.scale.max(other.scale);
        let unscaled = self.unscaled_at(scale) + other.unscaled_at(scale);
        Ok(Self { unscaled, scale })
    }

    pub(super) fn negated(mut self) -> Self {
        self.unscaled = -self.unscaled;
        self
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let (sign, other_sign) = (self.sign(), other.sign());
        if sign != other_sign || sign == 0 {
            return sign.cmp(&other_sign);
        }
        if self.scale.abs_diff(other.scale) > MAX_WRITTEN_OUT {
            let order = self.magnitude().cmp(&other.magnitude());
            if order != Ordering::Equal {
                return if sign > 0 { order } else { order.reverse() };
            }
        }
        let scale = self.scale.max(other.scale);
        self.unscaled_at(scale).cmp(&other.unscaled_at(scale))
    }
}

fn power(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

/// Returns the number without a factor that divides it, and how many times it did.
pub(super) fn without_factors(mut number: BigInt, factor: u32) -> (BigInt, i32) {
    let mut times = 0;
    if number.sign() == Sign::NoSign {
        return (number, times);
    }
    loop {
        let quotient = &number / factor;
        if &quotient * factor != number {
            return (number, times);
        }
        number = quotient;
        times += 1;
    }
}
