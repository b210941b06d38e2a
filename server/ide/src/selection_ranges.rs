//! The parts around a cursor, from the smallest to the whole file: tokens and nodes of CEL, then
//! scalars, entries and collections of YAML.

use crate::file::SourceFile;
use crate::target::Target;
use text::{Span, TextRange, TextSize};
use yaml::{Node, NodeKind};

/// Limit: the parts around an offset. In LSP each part contains the next larger one, and clients
/// limit the nesting of JSON: those in Rust to 128 levels, by `serde_json`.
const MAX_PARTS: usize = 100;

/// Returns the parts around an offset. Each contains the one before it and is larger. Of very many
/// parts, the innermost and the outermost are returned.
#[must_use]
pub fn selection_ranges(file: &SourceFile, offset: TextSize) -> Vec<TextRange> {
    let mut parts = Vec::new();
    if let Some(target) = Target::at(file, offset).filter(|target| target.touches) {
        parts.extend(target.token().map(|token| target.range(token.span)));
        let path = target.ast().path_at(target.offset);
        let spans = path.iter().rev().map(|id| target.ast().span(*id));
        parts.extend(spans.map(|span| target.range(span)));
        let all = u32::try_from(target.text().len()).unwrap_or(u32::MAX);
        parts.push(target.range(Span::new(0, all)));
    }
    let mut documents = file.stream().documents();
    let document = documents.find(|it| it.range().contains_inclusive(offset));
    if let Some(root) = document.and_then(yaml::Document::root) {
        parts.extend(enclosing_ranges(root, offset).into_iter().rev());
    }
    parts.extend(document.map(yaml::Document::range));
    parts.push(TextRange::up_to(TextSize::of(file.text())));
    let mut growing: Vec<TextRange> = Vec::new();
    for part in parts {
        let is_larger = growing
            .last()
            .is_none_or(|last| part.contains_range(*last) && part != *last);
        if is_larger && part.contains_inclusive(offset) {
            growing.push(part);
        }
    }
    let surplus = growing.len().saturating_sub(MAX_PARTS);
    if surplus > 0 {
        growing.drain(MAX_PARTS / 2..MAX_PARTS / 2 + surplus);
    }
    growing
}

/// Returns the parts of a node around an offset, the largest first.
fn enclosing_ranges(root: Node<'_>, offset: TextSize) -> Vec<TextRange> {
    let mut found = vec![root.range()];
    let mut at = root;
    loop {
        let holds = |node: &Node<'_>| node.range().contains_inclusive(offset);
        let next = match at.kind() {
            _ if at.is_alias() => None,
            NodeKind::Mapping(mapping) => mapping.entries().find_map(|entry| {
                let whole = entry.key.range().cover(entry.value.range());
                whole.contains_inclusive(offset).then(|| {
                    let inner = [entry.key, entry.value].into_iter().find(holds);
                    (Some(whole), inner)
                })
            }),
            NodeKind::Sequence(sequence) => {
                let item = sequence.items().find(holds);
                item.map(|item| (None, Some(item)))
            }
            NodeKind::Scalar(scalar) => {
                found.push(scalar.content_range());
                None
            }
        };
        let Some((whole, inner)) = next else {
            return found;
        };
        found.extend(whole);
        let Some(inner) = inner else {
            return found;
        };
        found.push(inner.range());
        at = inner;
    }
}

#[cfg(test)]
mod tests {
    use super::selection_ranges;
    use crate::file::SourceFile;
    use crate::fixture::{Fixture, policy};
    use expect_test::{Expect, expect};

    /// Compares the parts in one line each, up to the list of validations.
    #[track_caller]
    fn check(source: &str, expected: &Expect) {
        let fixture = Fixture::parse(&policy(source));
        let file = SourceFile::new(fixture.text.as_str());
        let parts = selection_ranges(&file, fixture.cursor.unwrap());
        assert_eq!(file.slice(*parts.last().unwrap()), file.text());
        let shown = parts
            .iter()
            .map(|part| file.slice(*part).replace('\n', "⏎"))
            .take_while(|part| !part.starts_with("validations"));
        expected.assert_eq(&shown.collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn the_middle_of_deep_nesting_is_left_out() {
        let (open, close) = ("(".repeat(150), ")".repeat(150));
        let text = policy(&format!(
            "  validations:\n  - expression: '{open}t$0rue{close}'\n"
        ));
        let fixture = Fixture::parse(&text);
        let file = SourceFile::new(fixture.text.as_str());
        let parts = selection_ranges(&file, fixture.cursor.unwrap());
        assert_eq!(parts.len(), super::MAX_PARTS);
        assert_eq!(file.slice(parts[0]), "true");
        assert_eq!(file.slice(*parts.last().unwrap()), file.text());
        assert!(parts.is_sorted_by_key(|part| part.len()));
    }

    #[test]
    fn parts_grow_from_a_token_to_the_list() {
        check(
            "  validations:\n  - expression: \"'\\U0001F600' != object.me$0tadata.name\"\n    message: no\n",
            &expect![[r#"
                metadata
                object.metadata
                object.metadata.name
                '\U0001F600' != object.metadata.name
                "'\U0001F600' != object.metadata.name"
                expression: "'\U0001F600' != object.metadata.name"
                expression: "'\U0001F600' != object.metadata.name"⏎    message: no
                - expression: "'\U0001F600' != object.metadata.name"⏎    message: no"#]],
        );
        check(
            "  validations:\n  - expression: >-\n      object.a.all(c,\n      c$0 > 1)\n",
            &expect![[r#"
                c
                c > 1
                object.a.all(c,⏎      c > 1)
                      object.a.all(c,⏎      c > 1)
                >-⏎      object.a.all(c,⏎      c > 1)
                expression: >-⏎      object.a.all(c,⏎      c > 1)
                - expression: >-⏎      object.a.all(c,⏎      c > 1)"#]],
        );
    }

    #[test]
    fn keys_and_values_are_parts_of_their_entry() {
        check(
            "  validations:\n  - {expression: 'true', mess$0age: no}\n",
            &expect![[r#"
                message
                message: no
                {expression: 'true', message: no}
                - {expression: 'true', message: no}"#]],
        );
    }
}
