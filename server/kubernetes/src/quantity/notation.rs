//! The notation of quantities.
//!
//! Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, parseQuantityString, and
//! suffix.go.

use crate::versions::ServerVersion;
use crate::versions::changes::QUANTITY_EXPONENTS_ARE_LIMITED;

/// The kind of suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// `2e3`
    Exponent,
    /// `2Ki`
    Binary,
    /// `2k`
    Decimal,
}

/// The parts of a quantity.
pub(super) struct QuantityParts<'a> {
    pub(super) is_negative: bool,
    /// The digits before the point, without zeros before them.
    pub(super) whole: &'a str,
    /// The digits after the point.
    pub(super) fraction: &'a str,
    pub(super) notation: Notation,
    /// Of 2 for the binary notation, otherwise of 10.
    pub(super) exponent: i32,
}

const WRONG_FORMAT: &str = "quantities must match the regular expression \
                            '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";

/// The suffixes for powers.
const SUFFIXES: [(&str, Notation, i32); 16] = [
    ("", Notation::Decimal, 0),
    ("n", Notation::Decimal, -9),
    ("u", Notation::Decimal, -6),
    ("m", Notation::Decimal, -3),
    ("k", Notation::Decimal, 3),
    ("M", Notation::Decimal, 6),
    ("G", Notation::Decimal, 9),
    ("T", Notation::Decimal, 12),
    ("P", Notation::Decimal, 15),
    ("E", Notation::Decimal, 18),
    ("Ki", Notation::Binary, 10),
    ("Mi", Notation::Binary, 20),
    ("Gi", Notation::Binary, 30),
    ("Ti", Notation::Binary, 40),
    ("Pi", Notation::Binary, 50),
    ("Ei", Notation::Binary, 60),
];

/// Returns the parts of a quantity.
///
/// # Errors
/// The message of the server.
pub(super) fn take_apart(
    text: &str,
    server: ServerVersion,
) -> Result<QuantityParts<'_>, &'static str> {
    if text.is_empty() {
        return Err(WRONG_FORMAT);
    }
    let is_negative = text.starts_with('-');
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, rest) = digits(rest.trim_start_matches('0'));
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => digits(rest),
        None => ("", rest),
    };
    let after = rest.trim_start_matches(|char| "eEinumkKMGTP".contains(char));
    let after = after.strip_prefix(['-', '+']).unwrap_or(after);
    if !digits(after).1.is_empty() {
        return Err(WRONG_FORMAT);
    }
    let (notation, exponent) = power(rest, server).ok_or(WRONG_SUFFIX)?;
    Ok(QuantityParts {
        is_negative,
        whole: if whole.is_empty() { "0" } else { whole },
        fraction,
        notation,
        exponent,
    })
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|char: char| !char.is_ascii_digit());
    text.split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or((text, ""))
}

/// Returns the power of a suffix.
fn power(suffix: &str, server: ServerVersion) -> Option<(Notation, i32)> {
    let known = SUFFIXES.iter().find(|(known, _, _)| *known == suffix);
    if let Some((_, notation, exponent)) = known {
        return Some((*notation, *exponent));
    }
    let exponent: i64 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    if QUANTITY_EXPONENTS_ARE_LIMITED.applies(server) {
        let exponent = i32::try_from(exponent).ok();
        return exponent
            .filter(|it| *it != i32::MIN)
            .map(|it| (Notation::Exponent, it));
    }
    // The server cuts the number to 32 bits.
    let [.., a, b, c, d] = exponent.to_be_bytes();
    Some((Notation::Exponent, i32::from_be_bytes([a, b, c, d])))
}

/// Returns the suffix for a power. `None` if there is none.
pub(super) fn suffix(notation: Notation, exponent: i32) -> Option<String> {
    if notation == Notation::Exponent {
        return Some(match exponent {
            0 => String::new(),
            _ => format!("e{exponent}"),
        });
    }
    let known = SUFFIXES
        .iter()
        .find(|(_, of, power)| *of == notation && *power == exponent);
    known.map(|(suffix, _, _)| (*suffix).to_owned())
}
