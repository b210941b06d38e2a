//! The known word that a mistyped one probably means.

/// Returns the candidate nearest to `word`, if one is near enough to be worth a hint.
///
/// Distance counts insertions, deletions, replacements and swaps of neighbors; letters
/// that differ only in case count half. At most a third of the word may differ. Among
/// equals the first candidate wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Limit: a longer name is not a misspelled field, and the cost is quadratic.
    const LONGEST: usize = 64;
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let word: Vec<char> = word.chars().collect();
    let allowed = (word.len() * 2).div_ceil(3).max(2);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, _)| *distance > 0 && *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Twice the edit distance, so that a change of case can count one.
fn distance(word: &[char], candidate: &str) -> usize {
    let candidate: Vec<char> = candidate.chars().collect();
    let width = candidate.len() + 1;
    let mut before = vec![0; width];
    let mut above: Vec<usize> = (0..width).map(|column| column * 2).collect();
    for (row, &left) in word.iter().enumerate() {
        let mut current = Vec::with_capacity(width);
        current.push((row + 1) * 2);
        for (column, &right) in candidate.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(0);
            let mut best = (at(&above, column + 1) + 2).min(at(&current, column) + 2);
            best = best.min(at(&above, column) + replacement(left, right));
            let swapped = row > 0
                && column > 0
                && word.get(row - 1) == Some(&right)
                && candidate.get(column - 1) == Some(&left);
            if swapped {
                best = best.min(at(&before, column - 1) + 2);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(0)
}

fn replacement(left: char, right: char) -> usize {
    if left == right {
        0
    } else if left.eq_ignore_ascii_case(&right) {
        1
    } else {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 4] = ["expression", "message", "messageExpression", "reason"];

    #[test]
    fn a_missing_letter_is_found() {
        assert_eq!(nearest("expresion", FIELDS), Some("expression"));
    }

    #[test]
    fn swapped_letters_are_found() {
        assert_eq!(nearest("mesasge", FIELDS), Some("message"));
    }

    #[test]
    fn case_counts_little() {
        assert_eq!(
            nearest("MessageExpression", FIELDS),
            Some("messageExpression")
        );
    }

    #[test]
    fn a_stranger_is_not_matched() {
        assert_eq!(nearest("timeout", FIELDS), None);
        assert_eq!(nearest("", FIELDS), None);
        assert_eq!(nearest(&"x".repeat(100), FIELDS), None);
    }

    #[test]
    fn the_word_itself_is_no_hint() {
        assert_eq!(nearest("reason", ["reason"]), None);
    }
}
