//! Hexadecimal floating point numbers: `0x1.8p3`.
//!
//! Upstream: Go, strconv/atof.go, `readFloat` and `atofHex`.

/// The digits that a `u64` holds.
const MAX_DIGITS: usize = 16;

/// Parses the part after `0x`. `None` if it is not a number, has no exponent, or is too large.
pub(super) fn parse(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let exponent = exponent_of(exponent)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = || whole.bytes().chain(fraction.bytes());
    if whole.is_empty() && fraction.is_empty() || !all().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut scale = exponent.saturating_sub(4 * i64::try_from(fraction.len()).ok()?);
    let mut kept = 0;
    for byte in all() {
        let digit = char::from(byte).to_digit(16)?;
        if mantissa == 0 && digit == 0 {
            continue;
        }
        if kept < MAX_DIGITS {
            mantissa = mantissa << 4 | u64::from(digit);
            kept += 1;
        } else {
            // Digits that do not fit only decide whether the number is above a half.
            mantissa |= u64::from(digit != 0);
            scale = scale.saturating_add(4);
        }
    }
    assemble(mantissa, scale)
}

fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Exponents that do not fit are as good as the largest.
    let value = digits.parse::<i64>().unwrap_or(i64::MAX).min(100_000_000);
    Some(if text.starts_with('-') { -value } else { value })
}

/// Returns `mantissa * 2^scale`, rounded to the nearest number, to an even one in the middle.
fn assemble(mantissa: u64, scale: i64) -> Option<f64> {
    if mantissa == 0 {
        return Some(0.0);
    }
    let bits = i64::from(64 - mantissa.leading_zeros());
    // The exponent of the last bit that a double keeps.
    let last = (scale + bits - 53).max(-1074);
    let drop = last - scale;
    let rounded = if drop <= 0 {
        // No bit is dropped, since a double keeps at least as many bits.
        u128::from(mantissa) << u32::try_from((-drop).min(64)).ok()?
    } else if drop > 64 {
        0
    } else {
        round(u128::from(mantissa), u32::try_from(drop).ok()?)
    };
    let number = rounded as f64 * 2_f64.powi(i32::try_from(last.min(2000)).ok()?);
    let number = if last < -1022 {
        // The power alone would be rounded to zero.
        rounded as f64 * 2_f64.powi(-1000) * 2_f64.powi(i32::try_from(last + 1000).ok()?)
    } else {
        number
    };
    number.is_finite().then_some(number)
}

fn round(mantissa: u128, drop: u32) -> u128 {
    let kept = mantissa >> drop;
    let rest = mantissa & ((1 << drop) - 1);
    let half = 1 << (drop - 1);
    kept + u128::from(rest > half || rest == half && kept & 1 == 1)
}
