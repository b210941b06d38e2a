//! The parts of messages: sentences, lists and numbers.

/// Returns a clause as a sentence: capitalized, and with a period.
#[must_use]
pub fn sentence(clause: &str) -> String {
    format!("{}.", capitalized(clause.trim_end_matches('.')))
}

/// Returns a string with its first letter in upper case.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Returns words with a conjunction before the last one: `a, b or c`.
#[must_use]
pub fn listed(words: &[String], conjunction: &str) -> String {
    match words {
        [rest @ .., last] if !rest.is_empty() => {
            format!("{} {conjunction} {last}", rest.join(", "))
        }
        words => words.concat(),
    }
}

/// Returns names with a conjunction before the last one, each in backticks.
#[must_use]
pub fn listed_names(names: &[impl AsRef<str>], conjunction: &str) -> String {
    let quoted = names.iter().map(|name| format!("`{}`", name.as_ref()));
    listed(&quoted.collect::<Vec<_>>(), conjunction)
}

/// Returns a number with a comma before every third digit: `1,000,000`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn large_numbers_have_commas() {
        let numbers = [0, 999, 1_000, 20_000, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "20,000", "1,234,567"]);
    }
}
