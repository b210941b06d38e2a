//! The paths of findings in a file, such as `0.spec.validations.3.message` for one in its first
//! document. Edits elsewhere change the offsets of a finding, but not its path.

use std::fmt::Write as _;
use std::sync::Arc;
use text::TextSize;
use yaml::{Document, Node, NodeKind};

/// Returns the path at each of the offsets, which are in order. All are found in one walk.
pub(super) fn paths(text: &str, offsets: &[TextSize]) -> Vec<String> {
    let stream = yaml::parse(Arc::from(text));
    let mut walk = Walk {
        offsets,
        path: String::new(),
        found: Vec::new(),
    };
    let roots = stream.documents().filter_map(Document::root);
    for (index, root) in roots.enumerate() {
        walk.until(root.range().start());
        walk.step(&index.to_string(), root);
    }
    walk.until(TextSize::new(u32::MAX));
    walk.found
}

struct Walk<'o> {
    offsets: &'o [TextSize],
    path: String,
    found: Vec<String>,
}

impl Walk<'_> {
    /// Adds the current path for the offsets before `end`.
    fn until(&mut self, end: TextSize) {
        let wanted = self.offsets.partition_point(|it| *it < end);
        while self.found.len() < wanted {
            self.found.push(self.path.clone());
        }
    }

    fn step(&mut self, name: &str, node: Node<'_>) {
        let length = self.path.len();
        let _ = write!(self.path, "{name}.");
        match node.kind() {
            // Its content is elsewhere.
            _ if node.is_alias() => {}
            NodeKind::Mapping(mapping) => {
                for entry in mapping.entries() {
                    self.until(entry.key.range().start());
                    self.step(&entry.key.key_text(), entry.value);
                }
            }
            NodeKind::Sequence(sequence) => {
                for (index, item) in sequence.items().enumerate() {
                    self.until(item.range().start());
                    self.step(&index.to_string(), item);
                }
            }
            NodeKind::Scalar(_) => {}
        }
        self.until(node.range().end() + TextSize::new(1));
        self.path.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_indexes_lead_to_an_offset() {
        let text = "a: 😀\nb:\n- c: {d: 1, e: 2}\n- f\n---\ng: 1\n";
        let starts = ["a", "d", "2", "f", "g"].map(|it| text.find(it).unwrap());
        let offsets = starts.map(|it| TextSize::new(u32::try_from(it).unwrap()));
        let expected = ["0.a.", "0.b.0.c.d.", "0.b.0.c.e.", "0.b.1.", "1.g."];
        assert_eq!(paths(text, &offsets), expected);
    }
}
