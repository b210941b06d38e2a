//! Clauses as sentences.

/// Returns a clause as a sentence: capitalized, and with a period.
#[must_use]
pub fn sentence(clause: &str) -> String {
    format!("{}.", capitalized(clause.trim_end_matches('.')))
}

/// Returns a text with its first letter in upper case.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
