//! Comments are read as documented on their page.

use super::{Scope, Suppression, Surroundings};
use crate::fixture::slice;
use std::cell::Cell;
use text::{LineIndex, TextRange, TextSize};

/// The suppression in the comment that begins at the first `#` or `//`.
fn parse(text: &str) -> Option<Suppression> {
    let start = text.find(['#', '/']).unwrap();
    let end = text
        .get(start..)
        .unwrap()
        .find('\n')
        .map_or(text.len(), |end| start + end);
    let size = |at: usize| TextSize::try_from(at).unwrap();
    let at = Surroundings {
        text,
        lines: &LineIndex::new(text),
        values: &[],
        run: &Cell::default(),
    };
    Suppression::parse(at, TextRange::new(size(start), size(end)))
}

fn codes(text: &str) -> Vec<String> {
    let codes = parse(text).unwrap().codes;
    codes.into_iter().map(|code| code.name).collect()
}

#[test]
fn the_codes_are_listed_with_their_places() {
    assert_eq!(codes("a: b # admissible: ignore[one]"), ["one"]);
    assert_eq!(
        codes("#admissible:ignore [ one , two-three ] because"),
        ["one", "two-three"]
    );
    assert_eq!(codes("## admissible: ignore-file[one]"), ["one"]);
    assert_eq!(codes("// admissible: ignore[one,]"), ["one"]);
    let text = "# é admissible: ignore[x]".replace("é ", "");
    let found = parse(&text).unwrap();
    assert_eq!(slice(&text, found.range), "admissible: ignore[x]");
    assert_eq!(slice(&text, found.codes[0].range), "x");
}

#[test]
fn a_malformed_comment_names_no_code() {
    for text in [
        "# admissible: ignore",
        "# admissible: ignore[a",
        "# admissible: ignore a",
    ] {
        assert_eq!(codes(text), [""; 0], "{text}");
    }
}

#[test]
fn other_comments_are_no_suppression() {
    for text in [
        "# ignore[a]",
        "# admissible: yes",
        "# an admissible: ignore[a]",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn a_comment_after_something_speaks_of_its_line() {
    assert_eq!(
        parse("a: 1\nb: 2 # admissible: ignore[x]\nc: 3\n")
            .unwrap()
            .scope,
        Scope::Lines(1..2)
    );
}

#[test]
fn a_comment_alone_speaks_of_the_next_line_that_is_none() {
    let scope = |text: &str| parse(text).unwrap().scope;
    assert_eq!(
        scope("# admissible: ignore[x]\r\n# y\r\n  a: 1\r\n"),
        Scope::Lines(2..3)
    );
    assert_eq!(
        scope("# admissible: ignore[x]\n\na: 1\n"),
        Scope::Lines(1..2)
    );
    assert_eq!(scope("# admissible: ignore[x]"), Scope::Lines(1..2));
}

#[test]
fn a_whole_file_is_meant_at_its_top_only() {
    let scope = |text: &str| parse(text).unwrap().scope;
    assert_eq!(
        scope("\u{feff}\n---\n\n# admissible: ignore-file[x]\n"),
        Scope::File
    );
    assert_eq!(
        scope("a: 1\n# admissible: ignore-file[x]\n"),
        Scope::Nowhere
    );
}
