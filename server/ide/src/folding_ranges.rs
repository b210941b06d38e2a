//! The parts of a file that an editor can fold: documents, YAML blocks, and brackets in CEL.

use crate::file::SourceFile;
use cel::syntax::ExprKind;
use policy::{Expression, PolicyDocument};
use std::collections::BTreeMap;
use text::TextRange;
use yaml::{Document, Node, NodeKind};

/// Returns the ranges that cover several lines, in the order of the file. Of several ranges that
/// begin on one line, the largest is returned.
#[must_use]
pub fn folding_ranges(file: &SourceFile) -> Vec<TextRange> {
    let mut found = Vec::new();
    for document in file.stream().documents() {
        add_document(document, &mut found);
    }
    for document in file.policies() {
        for expression in document.expressions() {
            add_expression(document, expression, &mut found);
        }
    }
    let lines = file.line_index();
    let mut by_line: BTreeMap<u32, TextRange> = BTreeMap::new();
    for range in found {
        let (first, last) = (lines.line(range.start()), lines.line(range.end()));
        if first == last {
            continue;
        }
        let known = by_line.entry(first).or_insert(range);
        if known.end() < range.end() {
            *known = range;
        }
    }
    by_line.into_values().collect()
}

/// Adds a document and the blocks in it.
fn add_document(document: Document<'_>, found: &mut Vec<TextRange>) {
    let Some(root) = document.root() else {
        return;
    };
    found.push(root.range());
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        // An alias has the blocks of its anchor, which is elsewhere.
        if node.is_alias() {
            continue;
        }
        match node.kind() {
            NodeKind::Mapping(mapping) => {
                for entry in mapping.entries() {
                    found.push(entry.key.range().cover(entry.value.range()));
                    open.push(entry.value);
                }
            }
            NodeKind::Sequence(sequence) => {
                let items: Vec<Node<'_>> = sequence.items().collect();
                found.extend(items.iter().map(|item| item.range()));
                open.extend(items);
            }
            NodeKind::Scalar(_) => {}
        }
    }
}

/// Adds the brackets of an expression.
fn add_expression(document: &PolicyDocument, expression: &Expression, found: &mut Vec<TextRange>) {
    if document.node(expression.node).is_alias() || !expression.text().contains('\n') {
        return;
    }
    let ast = expression.ast();
    let brackets = ast.ids().filter(|id| {
        matches!(
            ast.kind(*id),
            ExprKind::Call { .. }
                | ExprKind::List { .. }
                | ExprKind::Map { .. }
                | ExprKind::Struct { .. }
                | ExprKind::Paren(_)
        )
    });
    found.extend(brackets.map(|id| document.range(expression, ast.span(id))));
}

#[cfg(test)]
mod tests {
    use super::folding_ranges;
    use crate::file::SourceFile;
    use crate::fixture::policy;
    use expect_test::{Expect, expect};

    /// Compares the first and the last line of each range, with the text of the first.
    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let file = SourceFile::new(text);
        let lines = file.line_index();
        let shown = folding_ranges(&file).into_iter().map(|range| {
            let (first, last) = (lines.line(range.start()), lines.line(range.end()));
            let content = lines.line_content(file.text(), first).unwrap();
            format!("{first}-{last} {}\n", file.slice(content).trim())
        });
        expected.assert_eq(&shown.collect::<String>());
    }

    const TEXT: &str = "
  validations:
  - expression: |
      object.all(c,
        c.x == [
          '😀',
          2
        ])
    message: no
  - {expression: 'true',
     message: a}
";

    #[test]
    fn blocks_and_brackets_fold() {
        let expected = expect![[r#"
            0-17 apiVersion: admissionregistration.k8s.io/v1
            2-3 metadata:
            4-17 spec:
            5-7 matchConstraints:
            6-7 resourceRules:
            8-17 validations:
            9-15 - expression: |
            10-14 object.all(c,
            11-14 c.x == [
            16-17 - {expression: 'true',
        "#]];
        check(&policy(TEXT), &expected);
    }

    #[test]
    fn every_document_folds() {
        let one = policy("  validations: [{expression: 'true'}]\n").replace('\n', "\r\n");
        check(
            &format!("{one}---\r\n{one}"),
            &expect![[r#"
            0-8 apiVersion: admissionregistration.k8s.io/v1
            2-3 metadata:
            4-8 spec:
            5-7 matchConstraints:
            6-7 resourceRules:
            10-18 apiVersion: admissionregistration.k8s.io/v1
            12-13 metadata:
            14-18 spec:
            15-17 matchConstraints:
            16-17 resourceRules:
        "#]],
        );
    }
}
