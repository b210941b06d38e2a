//! Quantities: parsing, formatting, adding and comparing.
//!
//! The server stores a quantity in 64 bits if possible and as a decimal number otherwise, and some
//! functions distinguish the two.
//!
//! Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go and amount.go.

mod decimal;
mod notation;
mod write;

use crate::versions::ServerVersion;
use crate::versions::changes::{
    QUANTITIES_FILL_64_BITS, QUANTITIES_SUBTRACT_LEAST_INTEGER, ZERO_QUANTITY_IS_NUMBER,
};
use cel::library::Context;
use cel::value::EvalError;
use decimal::Decimal;
use notation::{Notation, QuantityParts, take_apart};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// A quantity.
#[derive(Clone, Debug)]
pub struct Quantity {
    number: Number,
    notation: Notation,
    /// The string that it was parsed from, if that is its canonical form.
    text: Option<Arc<str>>,
    /// The server that computes with it.
    server: ServerVersion,
}

#[derive(Clone, Debug)]
enum Number {
    /// `value * 10^scale`.
    Small { value: i64, scale: i32 },
    /// Upstream: kubernetes/apimachinery, pkg/api/resource/amount.go, `infDecAmount`, a pointer
    /// that copies share.
    Large(Shared),
}

/// A decimal number that copies share.
#[derive(Clone, Debug)]
struct Shared(Arc<Mutex<Decimal>>);

impl Shared {
    fn new(decimal: Decimal) -> Self {
        Self(Arc::new(Mutex::new(decimal)))
    }

    fn get(&self) -> Decimal {
        let decimal = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        decimal.clone()
    }

    fn set(&self, to: Decimal) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = to;
    }
}

/// The server's error for digits that are no number.
const NOT_A_NUMBER: &str = "unable to parse numeric part of quantity";

/// Limit: the digits that surely fit in 64 bits.
const DIGITS: i64 = 18;
/// The scale of thousandths.
const THOUSANDTHS: i32 = -3;
/// Limit: quantities are precise to billionths.
const SMALLEST_SCALE: i32 = -9;

impl Quantity {
    /// Returns a whole quantity.
    pub fn whole(value: i64, server: ServerVersion) -> Self {
        Self {
            number: Number::Small { value, scale: 0 },
            notation: Notation::Exponent,
            text: None,
            server,
        }
    }

    /// Parses a quantity as most servers do. The others differ only for numbers that no resource
    /// has, [`Self::parse_on`].
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        Self::parse_on(ServerVersion::COMPARED, text)
    }

    /// Parses a quantity as a server does.
    ///
    /// # Errors
    /// The message of the server for a string that is not a quantity.
    pub fn parse_on(server: ServerVersion, text: &str) -> Result<Self, &'static str> {
        if text == "0" {
            return Ok(Self {
                number: Number::Small { value: 0, scale: 0 },
                notation: Notation::Decimal,
                text: Some(text.into()),
                server,
            });
        }
        let parts = take_apart(text, server)?;
        if let Some(quantity) = parse_small(text, &parts, server)? {
            return Ok(quantity);
        }
        parse_large(&parts, server)
    }

    /// Returns the quantity, rounded away from zero to thousandths.
    ///
    /// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, `RoundUp`.
    pub(crate) fn in_thousandths(self) -> Self {
        let number = match &self.number {
            Number::Small { value, scale } if *scale < THOUSANDTHS => {
                let divisor = 10_i64.saturating_pow(scale.abs_diff(THOUSANDTHS));
                let (whole, rest) = (value / divisor, value % divisor);
                Number::Small {
                    value: whole + rest.signum(),
                    scale: THOUSANDTHS,
                }
            }
            Number::Large(decimal) if decimal.get().scale > -THOUSANDTHS => {
                Number::Large(Shared::new(decimal.get().rounded(-THOUSANDTHS).0))
            }
            _ => return self,
        };
        Self {
            number,
            text: None,
            ..self
        }
    }

    /// Returns -1, 0 or 1.
    pub fn sign(&self) -> i8 {
        match &self.number {
            Number::Small { value, .. } => i8::try_from(value.signum()).unwrap_or(0),
            Number::Large(decimal) => decimal.get().sign(),
        }
    }

    /// Returns the quantity as an integer, if the server stores it in 64 bits and it is an integer.
    pub fn as_int(&self) -> Option<i64> {
        match self.number {
            Number::Small { value, scale } => scaled(value, u32::try_from(scale).ok()?),
            Number::Large(_) => None,
        }
    }

    /// Returns the nearest double, as Go computes it.
    pub fn as_float(&self) -> f64 {
        let (digits, exponent) = match &self.number {
            Number::Small { value, scale } => (value.to_string(), *scale),
            Number::Large(decimal) => {
                let decimal = decimal.get();
                (decimal.unscaled.to_string(), decimal.scale.wrapping_neg())
            }
        };
        let base: f64 = digits.parse().unwrap_or(f64::NAN);
        if exponent == 0 || base == 0.0 && ZERO_QUANTITY_IS_NUMBER.applies(self.server) {
            base
        } else {
            base * power(exponent)
        }
    }

    fn decimal(&self) -> Decimal {
        match &self.number {
            Number::Small { value, scale } => Decimal::new(*value, scale.wrapping_neg()),
            Number::Large(decimal) => decimal.get(),
        }
    }

    /// Compares two quantities, regardless of their notation.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (&self.number, &other.number) {
            (
                Number::Small { value, scale },
                Number::Small {
                    value: with,
                    scale: at,
                },
            ) if scale == at => value.cmp(with),
            _ => self.decimal().compare(&other.decimal()),
        }
    }

    /// Compares as the server does: compared with a decimal number, a quantity in 64 bits becomes a
    /// decimal number and remains one.
    ///
    /// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, `Cmp` and `AsDec`.
    pub fn compare_in_place(&mut self, other: &Self) -> Ordering {
        if let (Number::Small { .. }, Number::Large(_)) = (&self.number, &other.number) {
            self.number = Number::Large(Shared::new(self.decimal()));
        }
        self.compare(other)
    }

    /// Returns the result of adding to a shallow copy, which overwrites the decimal number of the
    /// original.
    #[must_use]
    pub fn overwritten(&self, result: Self) -> Self {
        match (&self.number, &result.number) {
            (Number::Large(shared), Number::Large(number)) => {
                shared.set(number.get());
                Self {
                    number: Number::Large(shared.clone()),
                    ..result
                }
            }
            _ => result,
        }
    }

    /// Returns the sum.
    ///
    /// # Errors
    /// It has too many digits.
    pub fn plus(&self, other: &Self, context: &Context<'_>) -> Result<Self, EvalError> {
        if let Some(sum) = self.small_sum(other) {
            return Ok(sum);
        }
        let sum = self.decimal().plus(&other.decimal(), context)?;
        Ok(self.of_sum(other, Number::Large(Shared::new(sum))))
    }

    /// Returns the sum, if it and both quantities fit in 64 bits.
    pub(crate) fn small_sum(&self, other: &Self) -> Option<Self> {
        let (
            Number::Small { value, scale },
            Number::Small {
                value: with,
                scale: at,
            },
        ) = (&self.number, &other.number)
        else {
            return None;
        };
        let (value, scale) = add_small((*value, *scale), (*with, *at))?;
        Some(self.of_sum(other, Number::Small { value, scale }))
    }

    fn of_sum(&self, other: &Self, number: Number) -> Self {
        let of = if self.sign() == 0 { other } else { self };
        Self {
            number,
            notation: of.notation,
            text: None,
            server: self.server,
        }
    }

    /// Returns the difference.
    ///
    /// # Errors
    /// It has too many digits.
    pub fn minus(&self, other: &Self, context: &Context<'_>) -> Result<Self, EvalError> {
        let is_negatable =
            |value| value != i64::MIN || !QUANTITIES_SUBTRACT_LEAST_INTEGER.applies(self.server);
        if let Number::Small { value, scale } = other.number
            && is_negatable(value)
        {
            // In 64 bits the least integer cannot be negated and does not change.
            let number = Number::Small {
                value: value.wrapping_neg(),
                scale,
            };
            let negated = Self {
                number,
                notation: other.notation,
                text: None,
                server: self.server,
            };
            if let Some(sum) = self.small_sum(&negated) {
                return Ok(sum);
            }
        }
        let difference = self.decimal().plus(&other.decimal().negated(), context)?;
        Ok(self.of_sum(other, Number::Large(Shared::new(difference))))
    }

    /// Returns the server's error for a string that is not a quantity.
    pub fn refusal(text: &str) -> Option<&'static str> {
        Quantity::parse(text).err()
    }

    /// Returns a quantity in the canonical form of the server: `1Gi` for `1024Mi`. `None` if the
    /// string is not a quantity.
    pub fn canonical(text: &str) -> Option<String> {
        Some(Quantity::parse(text).ok()?.to_string())
    }

    /// Returns the same for a quantity of a resource, which is rounded up to thousandths.
    pub(crate) fn canonical_resource(text: &str) -> Option<String> {
        let quantity = Quantity::parse(text).ok()?;
        Some(quantity.in_thousandths().to_string())
    }

    /// Returns the sum of two quantities as the server writes it. `None` if one is not a quantity,
    /// or does not fit 64 bits.
    pub fn sum(left: &str, right: &str) -> Option<String> {
        let (left, right) = (Quantity::parse(left).ok()?, Quantity::parse(right).ok()?);
        Some(left.small_sum(&right)?.to_string())
    }

    /// Compares two quantities. `None` if one is not a quantity.
    pub fn order(left: &str, right: &str) -> Option<Ordering> {
        let (left, right) = (Quantity::parse(left).ok()?, Quantity::parse(right).ok()?);
        Some(left.compare(&right))
    }
}

/// Returns the sum of two 64-bit quantities, each a value and a scale, if it fits.
fn add_small(a: (i64, i32), b: (i64, i32)) -> Option<(i64, i32)> {
    if b.0 == 0 {
        return Some(a);
    }
    if a.0 == 0 {
        return Some(b);
    }
    let scale = a.1.min(b.1);
    let at = |(value, own): (i64, i32)| scaled(value, own.abs_diff(scale));
    Some((at(a)?.checked_add(at(b)?)?, scale))
}

/// Returns `value * 10^scale` if it fits in 64 bits.
fn scaled(value: i64, scale: u32) -> Option<i64> {
    if value == 0 {
        return Some(0);
    }
    value.checked_mul(10_i64.checked_pow(scale)?)
}

/// Returns `10^exponent` as Go computes it, which is not always the nearest double.
///
/// Upstream: Go, math/pow10.go, `Pow10`.
fn power(exponent: i32) -> f64 {
    let literal = |exponent: u32| format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
    let size = exponent.unsigned_abs();
    let (high, low) = (size / 32 * 32, size % 32);
    match exponent {
        ..-323 => 0.0,
        -323..0 => format!("1e-{high}").parse().unwrap_or(0.0) / literal(low),
        0..=308 => literal(high) * literal(low),
        309.. => f64::INFINITY,
    }
}

/// Parses a quantity into 64 bits, if the server stores it in this form.
fn parse_small(
    text: &str,
    parts: &QuantityParts<'_>,
    server: ServerVersion,
) -> Result<Option<Quantity>, &'static str> {
    let fills = QUANTITIES_FILL_64_BITS.applies(server);
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let (whole, fraction) = (length(parts.whole), length(parts.fraction));
    let (mut scale, mut factor) = (parts.exponent, 1_i64);
    let room = match parts.notation {
        Notation::Binary if fraction > 0 => -1,
        Notation::Binary => 15 - whole - i64::from(parts.exponent) * 3 / 10 - 1,
        _ => DIGITS + i64::from(fills) - whole - fraction,
    };
    if room < 0 {
        return Ok(None);
    }
    if parts.notation == Notation::Binary {
        scale = 0;
        factor <<= parts.exponent;
    }
    scale = scale.wrapping_sub(i32::try_from(fraction).unwrap_or(0));
    if scale < SMALLEST_SCALE {
        return Ok(None);
    }
    let digits = format!("{}{}", parts.whole, parts.fraction);
    let sign = if parts.is_negative { "-" } else { "" };
    let value: i64 = match format!("{sign}{digits}").parse() {
        Ok(value) => value,
        Err(_) if fills => return Ok(None),
        Err(_) => return Err(NOT_A_NUMBER),
    };
    let is_canonical = match parts.notation {
        Notation::Binary => value & 7 != 0,
        _ => whole + fraction <= DIGITS && scale % 3 == 0 && is_shortest(&digits),
    };
    let Some(value) = value.checked_mul(factor) else {
        return Ok(None);
    };
    Ok(Some(Quantity {
        number: Number::Small { value, scale },
        notation: parts.notation,
        text: is_canonical.then(|| text.into()),
        server,
    }))
}

/// Returns whether a suffix cannot shorten the digits of a number.
fn is_shortest(digits: &str) -> bool {
    !digits.ends_with("000") && !digits.starts_with('0')
}

fn parse_large(parts: &QuantityParts<'_>, server: ServerVersion) -> Result<Quantity, &'static str> {
    let digits = format!("{}.{}", parts.whole, parts.fraction);
    let mut decimal = Decimal::parse(&digits).ok_or(NOT_A_NUMBER)?;
    if parts.notation == Notation::Binary {
        decimal.unscaled *= BigInt::from(1) << parts.exponent.unsigned_abs();
    } else {
        decimal.scale = decimal.scale.wrapping_sub(parts.exponent);
    }
    decimal = decimal
        .rounded(-SMALLEST_SCALE)
        .0
        .written_out(-SMALLEST_SCALE);
    let mut notation = parts.notation;
    if notation == Notation::Binary {
        let most = Decimal::new(i64::MAX, 0);
        if decimal.compare(&most).is_gt() {
            decimal = most;
        }
        if decimal.sign() > 0 && decimal.compare(&Decimal::new(1, 0)).is_lt() {
            notation = Notation::Decimal;
        }
    }
    Ok(Quantity {
        number: Number::Large(Shared::new(if parts.is_negative {
            decimal.negated()
        } else {
            decimal
        })),
        notation,
        text: None,
        server,
    })
}

#[cfg(test)]
mod tests;
