//! Every style is decoded, and every part maps back to the file.

use crate::{Chomping, Scalar, ScalarStyle, Stream, parse};
use text::{Span, TextRange, TextSize};

fn stream(text: &str) -> Stream {
    parse(text.into())
}

fn first(stream: &Stream) -> Scalar<'_> {
    let root = stream.documents().next().unwrap().root().unwrap();
    let entry = root.as_mapping().unwrap().entries().next().unwrap();
    entry.value.as_scalar().unwrap()
}

/// Checks the text of the first value, and that `part` of it maps to `written` in the file.
#[track_caller]
fn check(file: &str, text: &str, part: &str, written: &str) {
    let stream = stream(file);
    assert_eq!(stream.errors(), []);
    let scalar = first(&stream);
    assert_eq!(scalar.text(), text);
    let at = u32::try_from(text.find(part).unwrap()).unwrap();
    let span = Span::new(at, at + u32::try_from(part.len()).unwrap());
    let range = scalar.source_map().up(span);
    assert_eq!(stream.slice(range), written);
    assert_eq!(scalar.source_map().down(range.start()), Some(at));
}

#[test]
fn plain_scalars_fold() {
    check("a: x 😀 y # c\n", "x 😀 y", "y", "y");
    check("a: x\n  y\r\n\r\n  z\n", "x y\nz", "z", "z");
    check("a: x\n  y\n", "x y", " ", "\n");
    check("a: x\n\n  y\n", "x\ny", "x\ny", "x\n\n  y");
}

#[test]
fn quoted_scalars_fold_and_have_escapes() {
    check("a: 'it''s 😀\r\n  so'\r\n", "it's 😀 so", "'", "''");
    check("a: 'it''s 😀\r\n  so'\r\n", "it's 😀 so", "so", "so");
    check(
        "a: \"\\u00e9\\x41\\U0001F600 b\"\n",
        "éA😀 b",
        "A😀",
        "\\x41\\U0001F600",
    );
    check("a: \"x \\\n  y \n\n  z\"\n", "x y\nz", "y", "y");
    check("a: \" x \"\n", " x ", " x ", " x ");
}

#[test]
fn literal_scalars_keep_their_lines() {
    check(
        "a: |\n  x 😀\n    y\n\n  z\n\n\nb: 1\n",
        "x 😀\n  y\n\nz\n",
        "z",
        "z",
    );
    check("a: |-\r\n  x\r\n  y\r\n", "x\ny", "\n", "\r\n");
    check("a: |+\n  x\n\n\nb: 1\n", "x\n\n\n", "x\n\n\n", "x\n\n\n");
    check("a: |1-\n   x\n  y", "  x\n y", "y", "y");
}

#[test]
fn folded_scalars_fold() {
    check(
        "a: >-\n  x &&\n  y 😀 ||\n  z\n",
        "x && y 😀 || z",
        "z",
        "z",
    );
    check("a: >\n  x\n\n  y\n   z\n  u\n", "x\ny\n z\nu\n", "u", "u");
    check("a: >-\r\n  x\r\n  y\r\n", "x y", " ", "\r\n");
    check("a: >+\n  x\n\n", "x\n\n", "x", "x");
}

#[test]
fn a_text_that_stands_in_the_file_is_not_copied() {
    for file in [
        "a: x\n",
        "a: 'x y'\n",
        "a: \"x\"\n",
        "a: >-\n  x\nb: 1\n",
        "a: |\n  x\n",
    ] {
        let stream = stream(file);
        assert_eq!(stream.tree.decoded, "", "{file:?}");
        let text = first(&stream).text();
        let inside = stream
            .text()
            .as_bytes()
            .as_ptr_range()
            .contains(&text.as_ptr());
        assert!(inside, "{file:?}");
    }
}

#[test]
fn content_lies_within_quotes_and_below_headers() {
    let content = |file: &str| {
        let stream = stream(file);
        stream.slice(first(&stream).content_range()).to_owned()
    };
    assert_eq!(content("a: 'x'\n"), "x");
    assert_eq!(content("a: \"\"\n"), "");
    assert_eq!(content("a: x\n y # c\n"), "x\n y");
    assert_eq!(content("a: >- # c\n  x\n\n  y\n\nb: 1\n"), "  x\n\n  y");
    assert_eq!(content("a: |\n  x\n\nb: 1\n"), "  x\n");
    assert_eq!(content("a: |+\n  x\n\nb: 1\n"), "  x\n\n");
    assert_eq!(content("a: \"x\nb: 1\n"), "x");
}

#[test]
fn headers_are_taken_apart() {
    let stream = stream("a: >2- # c\n    x\n");
    let scalar = first(&stream);
    let header = scalar.header().unwrap();
    assert_eq!(stream.slice(header.range), ">2-");
    assert_eq!(stream.slice(header.indicator), ">");
    assert_eq!(
        (header.chomping, header.indentation),
        (Chomping::Strip, Some(2))
    );
    assert_eq!(
        (scalar.style(), scalar.text()),
        (ScalarStyle::Folded, "  x")
    );
}

#[test]
fn unicode_line_breaks_count() {
    check("a: \"x\u{85}  y\"\n", "x y", "y", "y");
    check("a: \"x\u{2028}  y\"\n", "x\u{2028}y", "y", "y");
    check("a: |\n  x\u{2029}  y\n", "x\u{2029}y\n", "y", "y");
}

#[test]
fn binary_scalars_map_as_a_whole() {
    let stream = stream("a: !!binary aGk=\n");
    let scalar = first(&stream);
    assert_eq!(scalar.text(), "hi");
    let whole = TextRange::at(TextSize::new(12), TextSize::new(4));
    assert_eq!(scalar.source_map().up(Span::new(1, 2)), whole);
}
