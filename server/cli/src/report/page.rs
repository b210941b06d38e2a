//! Parts of a rule's page that are used on their own.

/// Returns the summary of a rule: the first paragraph of its page after the title, on one line.
pub(crate) fn summary(page: &str) -> String {
    let paragraphs = page.split("\n\n").map(str::trim);
    let mut texts = paragraphs.filter(|text| !text.is_empty() && !text.starts_with('#'));
    let words: Vec<&str> = texts.next().unwrap_or("").split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::diagnostics::RULES;

    #[test]
    fn the_summary_is_the_first_paragraph() {
        assert_eq!(
            summary("# `a`\n\nOne\nand two.\n\nThree.\n"),
            "One and two."
        );
    }

    #[test]
    fn every_rule_has_a_summary() {
        for rule in RULES {
            assert!(!summary(rule.page).is_empty(), "{}", rule.code);
        }
    }
}
