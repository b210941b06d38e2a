//! The parts of a rule's page that stand alone.

use ide::Rule;

/// The summary of a rule: the first paragraph of its page, on one line.
pub(crate) fn summary(rule: &Rule) -> String {
    let paragraphs = rule.page.split("\n\n").map(str::trim);
    let mut texts = paragraphs.filter(|text| !text.is_empty() && !text.starts_with('#'));
    let words: Vec<&str> = texts.next().unwrap_or("").split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::Severity;
    use ide::diagnostics::RULES;

    #[test]
    fn the_summary_is_the_first_paragraph() {
        let rule = Rule {
            code: "a",
            severity: Severity::Error,
            page: "# `a`\n\nOne\nand two.\n\nThree.\n",
        };
        assert_eq!(summary(&rule), "One and two.");
    }

    #[test]
    fn every_rule_has_a_summary() {
        for rule in RULES {
            assert!(!summary(rule).is_empty(), "{}", rule.code);
        }
    }
}
