//! The known word that a mistyped one probably means.

use std::collections::HashMap;
use std::hash::Hash;

/// Limit: different words that get a suggestion. Each is compared with all known ones.
const MAX_SUGGESTIONS: usize = 1_000;

/// Suggestions by a word and where it is, each found once. So what is suggested for a word does not
/// depend on how often it occurs before.
#[derive(Debug)]
pub struct Suggestions<K, S>(HashMap<K, Option<S>>);

impl<K, S> Default for Suggestions<K, S> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash, S: Clone> Suggestions<K, S> {
    /// Returns the suggestion for a key. The first call finds it.
    pub fn get(&mut self, key: K, find: impl FnOnce() -> Option<S>) -> Option<S> {
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        if self.0.len() >= MAX_SUGGESTIONS {
            return None;
        }
        self.0.entry(key).or_insert(find()).clone()
    }
}

/// Returns the candidate nearest to `word`, if one is near enough to be worth a hint.
///
/// Distance counts insertions, deletions, replacements and swaps of neighbors; letters
/// that differ only in case count half. At most a third of the word may differ: of a word of
/// one or two letters, only the case. Among equals the first candidate wins. A candidate that
/// differs only in case is the nearest.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Limit: a longer name is not a misspelled field, and the cost is quadratic.
    const LONGEST: usize = 64;
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let text = word;
    let word: Vec<char> = word.chars().collect();
    let mut bound = bound(word.len());
    let mut lines = Lines::default();
    let mut found = None;
    for candidate in candidates {
        if candidate.len() > LONGEST {
            continue;
        }
        if candidate.eq_ignore_ascii_case(text) && candidate != text {
            return Some(candidate);
        }
        if let Some(distance) = lines.distance(&word, candidate, bound)
            && distance > 0
        {
            found = Some(candidate);
            // A later one must be nearer.
            bound = distance - 1;
        }
    }
    found
}

/// Returns twice the greatest distance from a word of `length` letters.
fn bound(length: usize) -> usize {
    if length < 3 {
        1
    } else {
        (length * 2).div_ceil(3)
    }
}

/// The last three lines of the table of distances, which all candidates share.
#[derive(Default)]
struct Lines {
    candidate: Vec<char>,
    before: Vec<usize>,
    above: Vec<usize>,
    current: Vec<usize>,
}

impl Lines {
    /// Returns twice the edit distance, so that a change of case can count as one. `None` if it is
    /// greater than `bound`.
    fn distance(&mut self, word: &[char], candidate: &str, bound: usize) -> Option<usize> {
        self.candidate.clear();
        self.candidate.extend(candidate.chars());
        // Each extra character is an insertion.
        if self.candidate.len().abs_diff(word.len()) * 2 > bound {
            return None;
        }
        self.before.clear();
        self.above.clear();
        self.above
            .extend((0..=self.candidate.len()).map(|column| column * 2));
        let mut least_above = 0;
        for (row, &left) in word.iter().enumerate() {
            let above = (row > 0).then(|| word.get(row - 1)).flatten();
            let least = self.add_line((row + 1) * 2, left, above.copied());
            // A line depends on the two lines above it.
            if least.min(least_above) > bound {
                return None;
            }
            least_above = least;
        }
        let distance = self.above.last().copied().unwrap_or(0);
        (distance <= bound).then_some(distance)
    }

    /// Adds the line of a character after another one. Returns the least distance in it.
    fn add_line(&mut self, first: usize, left: char, above_left: Option<char>) -> usize {
        let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(0);
        self.current.clear();
        self.current.push(first);
        let (mut least, mut last, mut before_right) = (first, first, None);
        for (column, &right) in self.candidate.iter().enumerate() {
            let mut best = (at(&self.above, column + 1) + 2).min(last + 2);
            best = best.min(at(&self.above, column) + replacement(left, right));
            let swapped = above_left == Some(right) && before_right == Some(left);
            if swapped && column > 0 {
                best = best.min(at(&self.before, column - 1) + 2);
            }
            self.current.push(best);
            (least, last, before_right) = (least.min(best), best, Some(right));
        }
        std::mem::swap(&mut self.before, &mut self.above);
        std::mem::swap(&mut self.above, &mut self.current);
        least
    }
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
    fn only_case_counts_nothing() {
        assert_eq!(nearest("create", ["CREATED", "CREATE"]), Some("CREATE"));
    }

    #[test]
    fn a_stranger_is_not_matched() {
        assert_eq!(nearest("timeout", FIELDS), None);
        assert_eq!(nearest("", FIELDS), None);
        assert_eq!(nearest(&"x".repeat(100), FIELDS), None);
    }

    #[test]
    fn a_short_word_differs_only_in_case() {
        assert_eq!(nearest("s", ["L", "S"]), Some("S"));
        assert_eq!(nearest("XS", ["S", "M", "L", "XL"]), None);
        assert_eq!(nearest("al", ["all"]), None);
        assert_eq!(nearest("siz", ["size"]), Some("size"));
    }

    #[test]
    fn the_word_itself_is_no_hint() {
        assert_eq!(nearest("reason", ["reason"]), None);
    }

    #[test]
    fn the_nearest_is_that_of_the_whole_table() {
        // Upstream: the definition of the optimal string alignment distance.
        fn distance(word: &[char], other: &[char]) -> usize {
            let mut table = vec![vec![0; other.len() + 1]; word.len() + 1];
            for row in 0..=word.len() {
                for column in 0..=other.len() {
                    table[row][column] = match (row, column) {
                        (row, 0) => row * 2,
                        (0, column) => column * 2,
                        _ => {
                            let (left, right) = (word[row - 1], other[column - 1]);
                            let replaced = table[row - 1][column - 1] + replacement(left, right);
                            let added = table[row - 1][column].min(table[row][column - 1]) + 2;
                            let is_swap = row > 1
                                && column > 1
                                && word[row - 2] == right
                                && left == other[column - 2];
                            let swapped = is_swap.then(|| table[row - 2][column - 2] + 2);
                            replaced.min(added).min(swapped.unwrap_or(usize::MAX))
                        }
                    };
                }
            }
            table[word.len()][other.len()]
        }
        let words = "a b ab ba aab baa abab abba Ab aB abc acb bca name nmae Name namespace \
                     nameSpace expression expresion \u{1f600}a a\u{1f600} replicas relpicas";
        let words: Vec<&str> = words.split_whitespace().collect();
        for word in &words {
            let chars: Vec<char> = word.chars().collect();
            let allowed = bound(chars.len());
            let far = |other: &&str| distance(&chars, &other.chars().collect::<Vec<char>>());
            let near = words
                .iter()
                .filter(|other| (1..=allowed).contains(&far(other)));
            let expected = near.min_by_key(|other| far(other)).copied();
            assert_eq!(nearest(word, words.iter().copied()), expected, "{word}");
        }
    }
}
