//! The canonical form of a quantity: `1Gi` for `1024Mi`.
//!
//! Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, `String` and
//! `CanonicalizeBytes`.

use super::Quantity;
use super::decimal::{Decimal, without_factors};
use super::notation::{Notation, suffix};
use crate::versions::changes::LARGE_QUANTITIES_KEEP_EXPONENT;
use num_bigint::BigInt;
use std::fmt;

/// Limit: a quantity with more bits, which no expression needs, is shown only by its size.
const MAX_SHOWN_BITS: u64 = 40_000;

/// Writes the quantity as the server does.
impl fmt::Display for Quantity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = &self.text {
            return out.write_str(text);
        }
        if self.sign() == 0 {
            return out.write_str("0");
        }
        let decimal = self.decimal();
        if decimal.unscaled.bits() > MAX_SHOWN_BITS {
            return write!(out, "about {}", decimal.approximate());
        }
        match self.notation {
            Notation::Binary if is_exact_in_binary(&decimal) => {
                let whole = decimal.rounded(0).0;
                let whole = whole.unscaled * BigInt::from(10).pow(whole.scale.unsigned_abs());
                let (number, times) = without_factors(whole, 1024);
                match suffix(Notation::Binary, times * 10) {
                    Some(suffix) => write!(out, "{number}{suffix}"),
                    None if times > 0 && self.keeps_exponent() => {
                        self.write_decimal(out, decimal, Notation::Exponent)
                    }
                    None => write!(out, "{number}"),
                }
            }
            Notation::Binary => self.write_decimal(out, decimal, Notation::Decimal),
            notation => self.write_decimal(out, decimal, notation),
        }
    }
}

/// Returns whether a number can be written with a binary suffix.
fn is_exact_in_binary(decimal: &Decimal) -> bool {
    let is_small = decimal.compare(&Decimal::new(-1024, 0)).is_gt()
        && decimal.compare(&Decimal::new(1024, 0)).is_lt();
    !is_small && decimal.rounded(0).1
}

impl Quantity {
    fn keeps_exponent(&self) -> bool {
        LARGE_QUANTITIES_KEEP_EXPONENT.applies(self.server)
    }

    fn write_decimal(
        &self,
        out: &mut fmt::Formatter<'_>,
        decimal: Decimal,
        notation: Notation,
    ) -> fmt::Result {
        let (number, times) = without_factors(decimal.unscaled, 10);
        let exponent = times.wrapping_sub(decimal.scale);
        let below = exponent.rem_euclid(3);
        let number = number * BigInt::from(10).pow(below.unsigned_abs());
        let exponent = exponent.wrapping_sub(below);
        let written = suffix(notation, exponent);
        let kept = || {
            self.keeps_exponent()
                .then(|| suffix(Notation::Exponent, exponent))?
        };
        write!(out, "{number}{}", written.or_else(kept).unwrap_or_default())
    }
}
