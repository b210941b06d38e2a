//! Phrases that the glossary replaces.
//!
//! The product once had its own dialect, which users and contributors had to learn. A phrase in the
//! first list is reported in all prose: in messages, pages, documentation and comments. A word in
//! the second list is reported only in comments, since it is fine in prose about people.

/// A phrase, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("/// what ", "a noun phrase, or \"Returns ...\""),
    ("analysed", "\"analyzed\""),
    ("as a text", "\"as a string\""),
    ("asked again", "\"reinvoked\""),
    ("behaviour", "\"behavior\""),
    ("block after `|`", "\"literal block (`|`)\""),
    ("code of http", "\"status code\""),
    ("colour", "\"color\""),
    ("coloured", "\"colored\""),
    ("favour", "\"favor\""),
    ("in the words of", "\"with the message of\""),
    ("is a text", "\"is a string\""),
    ("is no operator", "\"is not an operator\""),
    ("judgement", "\"judgment\""),
    ("labelled", "\"labeled\""),
    ("letter by letter", "\"as strings\""),
    ("licence", "\"license\""),
    ("misspelt", "\"misspelled\""),
    ("mistake", "\"error\" or \"finding\""),
    ("mistakes", "\"errors\" or \"findings\""),
    ("neighbour", "\"neighbor\""),
    ("neighbours", "\"neighbors\""),
    ("optimisation", "\"optimization\""),
    ("optimised", "\"optimized\""),
    ("outside of namespaces", "\"cluster-scoped\""),
    ("point in time", "\"timestamp\""),
    ("reason of the denial", "\"reason for the denial\""),
    ("recognise", "\"recognize\""),
    ("stands behind", "\"follows\""),
    ("stands beside", "\"is next to\""),
    ("stands outside", "\"is outside\""),
    ("takes a text", "\"takes a string\""),
    ("tried on", "\"evaluated against\""),
    ("warned of", "\"warned about\""),
    ("what has to come of", "\"the expected outcome of\""),
];

/// Verbs and pronouns of people that comments used for code, and what to write instead.
const COMMENT_WORDS: &[(&str, &str)] = &[
    ("asks", "\"requests\", \"checks\" or \"calls\""),
    ("knows", "\"has\", \"supports\" or \"depends on\""),
    ("nobody", "the passive voice"),
    ("says", "\"reports\", \"is\" or \"determines\""),
    ("somebody", "the passive voice"),
    ("speaks", "\"reports\" or \"describes\""),
    ("stands", "\"is\", \"represents\" or \"replaces\""),
    ("whoever", "\"the caller\" or \"the user\""),
];

/// Files that quote the phrases: the list itself, its test, and the glossary.
const QUOTING: &[&str] = &[
    "server/docs/glossary.md",
    "server/xtask/src/tidy/phrases.rs",
    "server/xtask/src/tidy/tests.rs",
];

/// Returns the lines with a phrase, each with a message.
pub(super) fn check(file: &str, text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    if QUOTING.contains(&file) {
        return found;
    }
    for (at, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        let here = PHRASES.iter().filter(|(phrase, _)| has(&line, phrase));
        let comment = comment(&line).unwrap_or_default();
        let words = COMMENT_WORDS.iter().filter(|(word, _)| has(&comment, word));
        let here = here.chain(words);
        found
            .extend(here.map(|(phrase, instead)| (at + 1, format!("`{phrase}`: write {instead}"))));
    }
    found
}

/// Returns the prose of a line that is only a comment: without the code between backticks.
fn comment(line: &str) -> Option<String> {
    let prose = line.trim_start().strip_prefix("//")?;
    Some(prose.split('`').step_by(2).collect())
}

/// Returns whether a line has a phrase that neither begins nor ends within a word.
fn has(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let before = line.get(..at).and_then(|it| it.chars().next_back());
        let after = line
            .get(at + phrase.len()..)
            .and_then(|it| it.chars().next());
        let in_word = |char: Option<char>| char.is_some_and(|it| it.is_alphanumeric() || it == '_');
        !in_word(before) && (phrase.ends_with(' ') || !in_word(after))
    })
}
