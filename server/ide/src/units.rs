//! Number formatting.

/// A number with a comma before every third digit, `1,000,000`; above a billion, in words.
pub(crate) fn number(value: u64) -> String {
    const BILLION: u64 = 1_000_000_000;
    if value >= BILLION {
        return "more than a billion".to_owned();
    }
    text::grouped(value)
}

/// A part of a whole in percent, rounded down.
pub(crate) fn percent(part: u64, whole: u64) -> u64 {
    part.saturating_mul(100).checked_div(whole).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{number, percent};

    #[test]
    fn numbers_are_easy_to_read() {
        let numbers = [0, 999, 1_000, 1_234_567].map(number);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(number(u64::MAX), "more than a billion");
        assert_eq!((percent(5, 10), percent(1, 0)), (50, 0));
    }
}
