//! Number formatting.

/// Numbers from here on are written in words.
const BILLION: u64 = 1_000_000_000;

/// A number with a comma before every third digit, `1,000,000`; above a billion, in words.
pub(crate) fn number(value: u64) -> String {
    if value >= BILLION {
        return MANY.to_owned();
    }
    text::grouped(value)
}

/// A number after the words that make it a limit, such as `at least` or `up to`. Above a billion,
/// the number is in words that already say so.
pub(crate) fn bound(words: &str, value: u64) -> String {
    if value >= BILLION {
        return MANY.to_owned();
    }
    format!("{words} {}", text::grouped(value))
}

const MANY: &str = "more than a billion";

/// A part of a whole in percent, rounded down.
pub(crate) fn percent(part: u64, whole: u64) -> u64 {
    part.saturating_mul(100).checked_div(whole).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{bound, number, percent};

    #[test]
    fn numbers_are_easy_to_read() {
        let numbers = [0, 999, 1_000, 1_234_567].map(number);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(number(u64::MAX), "more than a billion");
        assert_eq!(bound("at least", 1_000), "at least 1,000");
        assert_eq!(bound("at least", u64::MAX), "more than a billion");
        assert_eq!((percent(5, 10), percent(1, 0)), (50, 0));
    }
}
