//! Field paths, written as Kubernetes writes them in its errors.
//!
//! `spec.validations[0].expression` is what a user reads in a response of the API server and
//! searches for in the file, so findings, tests and symbols all name fields in this form.
//!
//! Upstream: kubernetes/apimachinery, pkg/util/validation/field/path.go.

use std::fmt;
use yaml::{Mapping, Node, NodeKind, Sequence};

/// One step from a value to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FieldStep {
    /// A field of an object: `.name`.
    Field(Box<str>),
    /// A key of a map: `[name]`.
    Key(Box<str>),
    /// An item of a list: `[0]`.
    Index(usize),
}

/// Where a field is, from the root of its document. The empty path is the document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct FieldPath {
    steps: Vec<FieldStep>,
}

/// The node that a path leads to.
#[derive(Clone, Copy, Debug)]
pub struct Resolved<'a> {
    /// The node, or the nearest one above it that exists.
    pub node: Node<'a>,
    /// The key of `node`, unless it is an item or the root.
    pub key: Option<Node<'a>>,
    /// The number of steps of the path without a node.
    pub missing: usize,
}

impl FieldPath {
    /// Returns the path of the document itself.
    #[must_use]
    pub const fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// Returns the path of a field of the object here.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        self.step(FieldStep::Field(name.into()))
    }

    /// Returns the path of a value of the map here.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.step(FieldStep::Key(key.into()))
    }

    /// Returns the path of an item of the list here.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(FieldStep::Index(index))
    }

    /// Returns the path of a value `step` further.
    #[must_use]
    pub fn step(&self, step: FieldStep) -> Self {
        let mut steps = Vec::with_capacity(self.steps.len() + 1);
        steps.extend_from_slice(&self.steps);
        steps.push(step);
        Self { steps }
    }

    /// Returns the path of the object or list that contains the value. `None` for the document
    /// itself.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, steps) = self.steps.split_last()?;
        Some(steps.iter().cloned().collect())
    }

    /// Returns the path `inner`, taken from here on.
    #[must_use]
    pub fn join(&self, inner: &FieldPath) -> Self {
        self.steps.iter().chain(&inner.steps).cloned().collect()
    }

    /// Returns the steps, from the document inward.
    #[must_use]
    pub fn steps(&self) -> &[FieldStep] {
        &self.steps
    }

    /// Returns whether this is the document itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// Parses a path. `None` if it is not in the form of Kubernetes. A
    /// number in brackets is an index.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[') {
                let (key, after) = inner.split_once(']')?;
                steps.push(match key.parse() {
                    Ok(index) => FieldStep::Index(index),
                    Err(_) => FieldStep::Key(key.into()),
                });
                rest = after;
                continue;
            }
            let field = match rest.strip_prefix('.') {
                Some(field) if !steps.is_empty() => field,
                None if steps.is_empty() => rest,
                _ => return None,
            };
            let end = field.find(['.', '[']).unwrap_or(field.len());
            let (name, after) = field.split_at_checked(end)?;
            if name.is_empty() {
                return None;
            }
            steps.push(FieldStep::Field(name.into()));
            rest = after;
        }
        Some(Self { steps })
    }

    /// Follows the path in an error about an object from its `root`, as far as possible. A name
    /// in such a path can contain dots and brackets, so the object decides where it ends.
    #[must_use]
    pub fn resolve_text<'a>(text: &str, root: Node<'a>) -> Resolved<'a> {
        let mut at = Resolved {
            node: root,
            key: None,
            missing: 0,
        };
        let mut rest = text;
        while !rest.is_empty() {
            let next = match at.node.kind() {
                NodeKind::Mapping(mapping) => longest_name(mapping, rest),
                NodeKind::Sequence(sequence) => item(sequence, rest),
                NodeKind::Scalar(_) => None,
            };
            let Some((node, key, after)) = next else {
                at.missing = 1;
                return at;
            };
            at.node = node;
            at.key = key;
            rest = after;
        }
        at
    }

    /// Follows the path from `root`, as far as it goes.
    #[must_use]
    pub fn resolve<'a>(&self, root: Node<'a>) -> Resolved<'a> {
        let mut at = Resolved {
            node: root,
            key: None,
            missing: 0,
        };
        for (done, step) in self.steps.iter().enumerate() {
            let next = match (step, at.node.kind()) {
                (FieldStep::Field(name) | FieldStep::Key(name), NodeKind::Mapping(mapping)) => {
                    mapping
                        .entry(name)
                        .map(|entry| (entry.value, Some(entry.key)))
                }
                (FieldStep::Index(index), NodeKind::Sequence(sequence)) => {
                    sequence.items().nth(*index).map(|item| (item, None))
                }
                (_, NodeKind::Mapping(_) | NodeKind::Sequence(_) | NodeKind::Scalar(_)) => None,
            };
            let Some((node, key)) = next else {
                at.missing = self.steps.len() - done;
                return at;
            };
            at.node = node;
            at.key = key;
        }
        at
    }
}

impl FromIterator<FieldStep> for FieldPath {
    fn from_iter<I: IntoIterator<Item = FieldStep>>(steps: I) -> Self {
        Self {
            steps: steps.into_iter().collect(),
        }
    }
}

/// A value, its key, and the rest of a path after it.
type Next<'a, 't> = (Node<'a>, Option<Node<'a>>, &'t str);

/// Returns the entry with the longest name that the path continues with: `a.b`, `.a.b` or
/// `[a.b]`.
fn longest_name<'a, 't>(mapping: Mapping<'a>, path: &'t str) -> Option<Next<'a, 't>> {
    let entries = mapping.merged().into_iter().filter_map(|entry| {
        let name = entry.key.key_text();
        let after = match path.strip_prefix('[') {
            Some(inner) => inner.strip_prefix(&*name)?.strip_prefix(']')?,
            None => {
                let path = path.strip_prefix('.').unwrap_or(path);
                path.strip_prefix(&*name)?
            }
        };
        let is_whole = after.is_empty() || after.starts_with(['.', '[']);
        is_whole.then_some((entry.value, Some(entry.key), after))
    });
    entries.min_by_key(|(.., after)| after.len())
}

/// Returns the item whose index the path continues with: `[0]`.
fn item<'a, 't>(sequence: Sequence<'a>, path: &'t str) -> Option<Next<'a, 't>> {
    let (index, after) = path.strip_prefix('[')?.split_once(']')?;
    let item = sequence.items().nth(index.parse().ok()?)?;
    Some((item, None, after))
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.steps.iter().enumerate() {
            match step {
                FieldStep::Field(name) if position == 0 => f.write_str(name)?,
                FieldStep::Field(name) => write!(f, ".{name}")?,
                FieldStep::Key(key) => write!(f, "[{key}]")?,
                FieldStep::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// A path that borrows its parent, for walks that visit many fields and name few.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathRef<'p> {
    parent: Option<&'p PathRef<'p>>,
    step: StepRef<'p>,
}

#[derive(Clone, Copy, Debug)]
enum StepRef<'p> {
    Base(&'p FieldPath),
    Field(&'p str),
    Key(&'p str),
    Index(usize),
}

impl<'p> PathRef<'p> {
    pub(crate) fn new(base: &'p FieldPath) -> Self {
        Self {
            parent: None,
            step: StepRef::Base(base),
        }
    }

    pub(crate) fn child<'q>(&'q self, name: &'q str) -> PathRef<'q> {
        self.step(StepRef::Field(name))
    }

    pub(crate) fn key<'q>(&'q self, key: &'q str) -> PathRef<'q> {
        self.step(StepRef::Key(key))
    }

    pub(crate) fn index(&self, index: usize) -> PathRef<'_> {
        self.step(StepRef::Index(index))
    }

    fn step<'q>(&'q self, step: StepRef<'q>) -> PathRef<'q> {
        PathRef {
            parent: Some(self),
            step,
        }
    }

    pub(crate) fn to_path(self) -> FieldPath {
        let chain = || std::iter::successors(Some(&self), |path| path.parent);
        let mut all = Vec::with_capacity(chain().count());
        all.extend(chain().map(|path| path.step));
        let mut steps = Vec::with_capacity(all.len());
        for step in all.iter().rev() {
            match *step {
                StepRef::Base(base) => steps.extend_from_slice(&base.steps),
                StepRef::Field(name) => steps.push(FieldStep::Field(name.into())),
                StepRef::Key(key) => steps.push(FieldStep::Key(key.into())),
                StepRef::Index(index) => steps.push(FieldStep::Index(index)),
            }
        }
        FieldPath { steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_print_as_kubernetes_prints_them() {
        let path = FieldPath::root()
            .child("spec")
            .child("versions")
            .index(0)
            .child("properties")
            .key("spec")
            .child("x-kubernetes-validations")
            .index(2);
        assert_eq!(
            path.to_string(),
            "spec.versions[0].properties[spec].x-kubernetes-validations[2]"
        );
        assert_eq!(FieldPath::parse(&path.to_string()), Some(path));
        assert_eq!(FieldPath::root().to_string(), "");
    }

    #[test]
    fn texts_that_are_no_paths_are_refused() {
        for text in [".a", "a..b", "a[", "a.", "a]b["] {
            assert_eq!(FieldPath::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_borrowed_path_gives_the_same_text() {
        let base = FieldPath::root().child("items").index(3);
        let root = PathRef::new(&base);
        let spec = root.child("spec");
        let key = spec.key("a.b");
        assert_eq!(key.to_path().to_string(), "items[3].spec[a.b]");
    }

    #[test]
    fn names_in_the_path_of_an_error_are_those_of_the_object() {
        let text = "m:\n  a.b: {c: 1}\n  a: {b: 2}\n  'x[0]': 3\nl: [{k: 4}]\n";
        let stream = yaml::parse(text.into());
        let root = stream.documents().next().unwrap().root().unwrap();
        let value = |path: &str| {
            let found = FieldPath::resolve_text(path, root);
            (found.missing == 0).then(|| found.node.text())
        };
        assert_eq!(value("m.a.b.c"), Some("1"));
        assert_eq!(value("m[a.b].c"), Some("1"));
        assert_eq!(value("m[a].b"), Some("2"));
        assert_eq!(value("m[x[0]]"), Some("3"));
        assert_eq!(value("m.x[0]"), Some("3"));
        assert_eq!(value("l[0].k"), Some("4"));
        assert_eq!(value("l[1].k"), None);
        assert_eq!(value("m.a.c"), None);
        let inside = FieldPath::resolve_text("l[0].k.more", root);
        assert_eq!((inside.node.text(), inside.missing), ("4", 1));
    }

    #[test]
    fn a_missing_field_resolves_to_its_nearest_ancestor() {
        let stream = yaml::parse("spec:\n  list:\n  - a: 1\n".into());
        let root = stream.documents().next().unwrap().root().unwrap();
        let resolve = |text: &str| FieldPath::parse(text).unwrap().resolve(root);
        assert_eq!(resolve("spec.list[0].a").node.text(), "1");
        let missing = resolve("spec.list[0].b.c");
        assert_eq!(missing.missing, 2);
        assert_eq!(missing.node, resolve("spec.list[0]").node);
        let inside = resolve("spec.list[4]");
        assert_eq!(inside.missing, 1);
        assert_eq!(inside.key.map(Node::text), Some("list"));
    }
}
