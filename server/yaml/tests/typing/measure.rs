//! How much of a file is still read while one line of it is typed.
//!
//! A scalar is kept when it has the same text at the same path as in the complete file.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use text::LineIndex;
use yaml::{Node, NodeKind, Stream, parse};

/// No line is being typed.
const NO_LINE: u32 = u32::MAX;

/// A scalar of a file.
struct ScalarLines {
    /// Of its path and its text.
    hash: u64,
    first_line: u32,
    last_line: u32,
}

/// Adds up how many scalars were kept in each state.
#[derive(Default)]
pub(crate) struct Score {
    states: u32,
    sum: f64,
    worst: Option<(f64, String)>,
}

impl Score {
    /// Returns the mean over all states, in percent.
    pub(crate) fn mean(&self) -> f64 {
        100.0 * self.sum / f64::from(self.states.max(1))
    }

    /// Returns the state in which least was kept.
    pub(crate) fn worst(&self) -> Option<&(f64, String)> {
        self.worst.as_ref()
    }

    fn add(&mut self, expected: &[&ScalarLines], text: &str, typed: u32, state: &str) {
        if expected.is_empty() {
            return;
        }
        let found = scalars(&parse(text.into()), typed);
        let found: HashSet<u64> = found.iter().map(|known| known.hash).collect();
        let kept = expected.iter().filter(|known| found.contains(&known.hash));
        let share = kept.count() as f64 / expected.len() as f64;
        self.states += 1;
        self.sum += share;
        if self.worst.as_ref().is_none_or(|(worst, _)| share < *worst) {
            self.worst = Some((share, state.to_owned()));
        }
    }
}

/// Types the file from its first character to its last. Expected are the scalars that end
/// before the line that is being typed.
pub(crate) fn prefixes(text: &str) -> Score {
    let complete = scalars(&parse(text.into()), NO_LINE);
    let mut score = Score::default();
    let mut line = 0;
    for (at, character) in text.char_indices() {
        let before = |known: &&ScalarLines| known.last_line < line;
        let expected: Vec<&ScalarLines> = complete.iter().filter(before).collect();
        let (prefix, _) = text.split_at(at);
        let state = prefix.lines().last().unwrap_or("");
        score.add(&expected, prefix, NO_LINE, state);
        line += u32::from(character == '\n');
    }
    score
}

/// Types each line of the file while all others are complete. Expected are the scalars that
/// do not touch the line.
pub(crate) fn lines(text: &str) -> Score {
    let stream = parse(text.into());
    let mut score = Score::default();
    let mut start = 0;
    for (number, line) in (0..).zip(text.split_inclusive('\n')) {
        let complete = scalars(&stream, number);
        let content = line.trim_end_matches(['\n', '\r']);
        let elsewhere =
            |known: &&ScalarLines| known.last_line < number || known.first_line > number;
        let expected: Vec<&ScalarLines> = complete.iter().filter(elsewhere).collect();
        let (before, _) = text.split_at(start);
        let (_, after) = text.split_at(start + content.len());
        for (at, _) in content.char_indices() {
            let (typed, _) = content.split_at(at);
            let state = format!("{before}{typed}{after}");
            let name = format!("line {}: {typed}", number + 1);
            score.add(&expected, &state, number, &name);
        }
        start += line.len();
    }
    score
}

/// Inserts `slip` before each line, as far to the right as the line. Expected are all
/// scalars.
pub(crate) fn insertions(text: &str, slip: &str) -> Score {
    let complete = scalars(&parse(text.into()), NO_LINE);
    let expected: Vec<&ScalarLines> = complete.iter().collect();
    let mut score = Score::default();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let (before, after) = text.split_at(start);
        let state = format!("{before}{:indent$}{slip}\n{after}", "");
        score.add(
            &expected,
            &state,
            NO_LINE,
            &format!("{slip} at line {}", number + 1),
        );
        start += line.len();
    }
    score
}

/// Returns all scalars of a stream, keys and values. In their paths the key that is being typed, on
/// line `typed`, counts by its position: it has no name yet.
fn scalars(stream: &Stream, typed: u32) -> Vec<ScalarLines> {
    let mut visit = Visit {
        index: LineIndex::new(stream.text()),
        typed,
        found: Vec::new(),
    };
    for (number, document) in stream.documents().enumerate() {
        if let Some(root) = document.root() {
            visit.node(root, step(0, number));
        }
    }
    visit.found
}

struct Visit {
    index: LineIndex,
    typed: u32,
    found: Vec<ScalarLines>,
}

impl Visit {
    fn node(&mut self, node: Node<'_>, path: u64) {
        if node.is_alias() {
            return;
        }
        match node.kind() {
            NodeKind::Mapping(mapping) => {
                for entry in mapping.entries() {
                    let line = self.index.line(entry.key.range().start());
                    let name = if line == self.typed {
                        ""
                    } else {
                        entry.key.text()
                    };
                    let path = step(path, name);
                    self.node(entry.key, step(path, "key"));
                    self.node(entry.value, path);
                }
            }
            NodeKind::Sequence(sequence) => {
                for (number, item) in sequence.items().enumerate() {
                    self.node(item, step(path, number));
                }
            }
            NodeKind::Scalar(scalar) => self.found.push(ScalarLines {
                hash: step(path, scalar.text()),
                first_line: self.index.line(node.range().start()),
                last_line: self.index.line(node.range().end()),
            }),
        }
    }
}

fn step(path: u64, part: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    part.hash(&mut hasher);
    hasher.finish()
}
