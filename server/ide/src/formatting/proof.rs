//! The proof that edits change only the layout.
//!
//! The edited text is parsed like the API server does and compared with the file: the YAML nodes
//! and their values, the comments, and for each changed scalar the CEL tree must be the same.

use cel::format::is_same;
use policy::ParsedFile;
use text::checkpoint::checkpoint;
use text::{TextEdit, TextRange, apply_edits};
use yaml::{Node, NodeId, NodeKind, Stream};

/// Limit: the attempts to find the expressions that cannot be formatted. Each parses the file once.
/// All other checks come first, so more than one attempt is rare.
const MAX_ATTEMPTS: usize = 32;

/// The edits of one expression.
#[derive(Debug)]
pub(super) struct Change {
    /// The index of its document.
    pub(super) document: usize,
    /// The scalar.
    pub(super) node: NodeId,
    pub(super) range: TextRange,
    pub(super) edits: Vec<TextEdit>,
}

/// Returns the changes that affect only the layout, and the other changes.
pub(super) fn prove(file: &ParsedFile, changes: Vec<Change>) -> (Vec<Change>, Vec<Change>) {
    let (mut proven, mut others) = (Vec::new(), Vec::new());
    let mut open = vec![changes];
    let mut attempts = 0;
    while let Some(mut changes) = open.pop() {
        checkpoint();
        attempts += 1;
        let all: Vec<&Change> = proven.iter().chain(&changes).collect();
        if changes.is_empty() || attempts <= MAX_ATTEMPTS && is_layout_only(file, &all) {
            proven.append(&mut changes);
        } else if changes.len() == 1 || attempts > MAX_ATTEMPTS {
            others.append(&mut changes);
        } else {
            let rest = changes.split_off(changes.len() / 2);
            open.extend([rest, changes]);
        }
    }
    (proven, others)
}

fn is_layout_only(file: &ParsedFile, changes: &[&Change]) -> bool {
    let edits = changes.iter().flat_map(|change| &change.edits);
    let edits: Vec<TextEdit> = edits.cloned().collect();
    let Ok(text) = apply_edits(file.text(), &edits) else {
        return false;
    };
    let target = file.policies().first().map(|document| document.target());
    let after = ParsedFile::new(text.into(), target.unwrap_or_default());
    let mut nodes: Vec<NodeId> = changes.iter().map(|change| change.node).collect();
    nodes.sort_unstable();
    has_same_yaml(file.stream(), after.stream(), &nodes)
        && has_same_expressions(file, &after, changes)
}

fn has_same_expressions(before: &ParsedFile, after: &ParsedFile, changes: &[&Change]) -> bool {
    let (before, after) = (before.policies(), after.policies());
    let is_changed = |document, node| {
        let mut changes = changes.iter();
        changes.any(|change| change.document == document && change.node == node)
    };
    before.len() == after.len()
        && before
            .iter()
            .zip(after)
            .enumerate()
            .all(|(index, (before, after))| {
                let (before, after) = (before.expressions(), after.expressions());
                before.len() == after.len()
                    && before.iter().zip(after).all(|(before, after)| {
                        before.text() == after.text()
                            || is_changed(index, before.node)
                                && is_same(&before.parse, &after.parse)
                    })
            })
}

/// Returns whether two streams have the same nodes and comments. The text of the scalars in
/// `changed`, which is sorted, may differ.
fn has_same_yaml(before: &Stream, after: &Stream, changed: &[NodeId]) -> bool {
    let (left, right) = (before.comments(), after.comments());
    let mut comments = left.iter().zip(right);
    let same_comments = left.len() == right.len()
        && comments.all(|(a, b)| before.slice(a.range) == after.slice(b.range));
    if before.errors().len() != after.errors().len()
        || before.documents().len() != after.documents().len()
        || !same_comments
    {
        return false;
    }
    let roots = before.documents().zip(after.documents());
    roots
        .into_iter()
        .all(|(before, after)| match (before.root(), after.root()) {
            (Some(before), Some(after)) => is_same_node(before, after, changed),
            (None, None) => true,
            _ => false,
        })
}

fn is_same_node<'a>(before: Node<'a>, after: Node<'a>, changed: &[NodeId]) -> bool {
    let mut open = vec![(before, after)];
    while let Some((before, after)) = open.pop() {
        checkpoint();
        let facts = |node: Node<'a>| (node.is_alias(), node.anchor(), node.tag());
        if facts(before) != facts(after) {
            return false;
        }
        if before.is_alias() {
            continue;
        }
        match (before.kind(), after.kind()) {
            (NodeKind::Mapping(left), NodeKind::Mapping(right)) => {
                let (left, right) = (left.entries(), right.entries());
                if left.len() != right.len() {
                    return false;
                }
                let pairs = left.zip(right);
                open.extend(pairs.flat_map(|(a, b)| [(a.key, b.key), (a.value, b.value)]));
            }
            (NodeKind::Sequence(left), NodeKind::Sequence(right)) => {
                let (left, right) = (left.items(), right.items());
                if left.len() != right.len() {
                    return false;
                }
                open.extend(left.zip(right));
            }
            (NodeKind::Scalar(left), NodeKind::Scalar(right)) => {
                let may_differ = changed.binary_search(&before.id()).is_ok();
                if left.style() != right.style() || left.text() != right.text() && !may_differ {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}
