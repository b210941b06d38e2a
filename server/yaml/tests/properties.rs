//! Properties that hold for every text.

#[path = "properties/written.rs"]
mod written;

use proptest::prelude::*;
use text::{Span, TextRange, TextSize};
use written::{Layout, Style, write};
use yaml::{Node, NodeKind, Scalar, Stream, parse};

/// Returns pieces of YAML, so that random sources are often close to valid ones.
fn soup() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        8 => prop::sample::select(vec![
            "a", "b: ", "- ", "? ", ": ", "\n", "\n  ", "\n    ", "\"", "'", "[", "]", "{", "}",
            ",", " #c", "&a ", "*a", "!!str ", "|\n", ">-\n", "|2\n", "foo bar", "\t", "<<: ", "é",
            "😀", "\r\n", "\r", "key: v\n", "k: |\n  t\n", "{{ x }}", "---\n", "...\n", "\u{FEFF}",
            "\u{85}", "\u{2028}", "\0", "%", "@", "\\u12", "\\",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

/// Returns all nodes of a stream, each after its parent.
fn nodes(stream: &Stream) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let roots = stream.documents().filter_map(yaml::Document::root);
    let mut waiting: Vec<Node<'_>> = roots.collect();
    while let Some(node) = waiting.pop() {
        found.push(node);
        if node.is_alias() {
            continue;
        }
        match node.kind() {
            NodeKind::Mapping(mapping) => {
                waiting.extend(mapping.entries().flat_map(|entry| [entry.key, entry.value]));
            }
            NodeKind::Sequence(sequence) => waiting.extend(sequence.items()),
            NodeKind::Scalar(_) => {}
        }
    }
    found
}

fn slice(text: &str, range: TextRange) -> Option<&str> {
    text.get(range.start().into()..range.end().into())
}

/// Checks that a mapping or a sequence extends to the end of its children.
fn check_nested(node: Node<'_>) {
    let Some(parent) = node.parent() else {
        return;
    };
    assert!(
        parent.range().contains_range(node.range()),
        "{node:?} in {parent:?}"
    );
    assert!(parent.id() != node.id());
}

fn check_stream(text: &str) {
    let stream = parse(text.into());
    let mut last = TextSize::new(0);
    for error in stream.errors() {
        assert!(slice(text, error.range).is_some(), "{error:?}");
        assert!(!error.message().is_empty());
    }
    for comment in stream.comments() {
        assert!(slice(text, comment.range).is_some_and(|text| text.starts_with('#')));
        assert!(comment.range.start() >= last);
        last = comment.range.end();
    }
    for node in nodes(&stream) {
        assert!(slice(text, node.range()).is_some(), "{node:?}");
        check_nested(node);
        if let Some(scalar) = node.as_scalar().filter(|_| !node.is_alias()) {
            assert!(slice(text, scalar.content_range()).is_some());
            assert_eq!(
                scalar.source_map().decoded_len() as usize,
                scalar.text().len()
            );
            let _ = scalar.value();
        }
        if let Some(mapping) = node.as_mapping() {
            assert!(mapping.duplicates().len() <= mapping.entries().len());
            let _ = mapping.merged();
        }
    }
}

/// Checks that every character of the string maps to a range of the file, and back.
fn check_map(stream: &Stream, scalar: Scalar<'_>) {
    let map = scalar.source_map();
    let mut before = TextSize::new(0);
    for (at, character) in scalar.text().char_indices() {
        let start = at as u32;
        let span = Span::new(start, start + character.len_utf8() as u32);
        let range = map.up(span);
        let written = slice(stream.text(), range).unwrap_or("no text");
        assert!(
            means(written, character),
            "{written:?} is not {character:?}"
        );
        assert!(range.start() >= before, "{written:?} goes back");
        before = range.end();
        assert_eq!(map.down(range.start()), Some(start), "{written:?}");
    }
}

/// Returns whether the source text can encode the character.
fn means(written: &str, character: char) -> bool {
    match character {
        ' ' => written == " " || written.starts_with(['\n', '\r', '\\']),
        '\n' => matches!(written, "\n" | "\r\n" | "\r") || written.starts_with('\\'),
        '\'' => matches!(written, "'" | "''" | "\\'") || written.starts_with('\\'),
        other => written == other.to_string() || written.starts_with('\\'),
    }
}

proptest! {
    #[test]
    fn no_text_breaks_the_parser(text in soup()) {
        check_stream(&text);
    }

    #[test]
    fn any_string_is_read(text in any::<String>()) {
        check_stream(&text);
    }

    #[test]
    fn what_is_written_is_read(
        text in written::text(),
        style in written::style(),
        layout in written::layout(),
    ) {
        let file = write(&text, style, &layout);
        let stream = parse(file.as_str().into());
        prop_assert_eq!(stream.errors(), &[], "{:?}", file);
        let root = stream.documents().next().unwrap().root().unwrap();
        let node = root.get("first").unwrap();
        prop_assert_eq!(node.text(), text.as_str(), "{:?}", file);
        prop_assert_eq!(root.get("last").unwrap().text(), "end", "{:?}", file);
        let scalar = node.as_scalar();
        prop_assert!(scalar.is_some());
        scalar.into_iter().for_each(|scalar| check_map(&stream, scalar));
    }

    #[test]
    fn a_cut_file_is_read(
        text in written::text(),
        style in written::style(),
        layout in written::layout(),
        cut in 0.0..1.0,
    ) {
        let file = write(&text, style, &layout);
        let cut = file.floor_char_boundary((cut * file.len() as f64) as usize);
        check_stream(file.split_at(cut).0);
    }

    #[test]
    fn a_strict_parser_reads_the_same(
        text in written::text(),
        style in written::style(),
        layout in written::layout(),
    ) {
        let file = write(&text, style, &layout);
        let ours = parse(file.as_str().into());
        let mut scalars: Vec<(TextRange, &str)> = nodes(&ours)
            .into_iter()
            .filter_map(|node| Some((node.range(), node.as_scalar()?.text())))
            .collect();
        scalars.sort_by_key(|(range, _)| range.start());
        let theirs = granit_parser::Parser::new_from_str(&file).filter_map(|event| {
            match event.unwrap_or_else(|error| panic!("{file:?}: {error}")).0 {
                granit_parser::Event::Scalar(text, ..) => Some(text.into_owned()),
                _ => None,
            }
        });
        let ours: Vec<String> = scalars.iter().map(|(_, text)| (*text).to_owned()).collect();
        prop_assert_eq!(ours, theirs.collect::<Vec<_>>(), "{:?}", file);
    }
}

#[test]
fn nulls_stand_behind_what_they_belong_to() {
    for text in [
        "a: 1\n? &b ",
        "[?&{'",
        "\ta: ]|\n&b *",
        "{a: &b",
        "- &a\n- ? b",
    ] {
        check_stream(text);
    }
}

#[test]
fn a_stream_can_be_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Stream>();
    check::<Layout>();
    check::<Style>();
}
