//! The changes of mutating policies, with `--diff`.
//!
//! A policy changes thousands of objects in the same way. So a change is identified by the fields
//! that it changes, and a diff, which is slow, is computed only for the first of each kind.

use crate::mutation::diff;
use cel::Value;
use cel::value::{Key, Map};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// Limit: kinds of changes that a thread counts.
const MAX_KINDS: usize = 10_000;

/// The change of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The paths of the fields, with `[*]` for the items of a list.
    pub(super) fields: Vec<String>,
    /// A unified diff of YAML without a header. `None` if enough of its kind are shown.
    pub(super) diff: Option<String>,
}

/// The changes that one thread has seen.
#[derive(Debug)]
pub(super) struct Changes {
    /// The number of each kind to show.
    limit: usize,
    /// By the row of the policy with its binding, and the fields.
    counts: RefCell<HashMap<(usize, Vec<String>), usize>>,
}

impl Changes {
    /// Returns an empty set of changes, which shows `limit` of each kind.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            counts: RefCell::default(),
        }
    }

    /// Returns the change that a policy makes.
    pub(super) fn describe(
        &self,
        row: usize,
        before: Option<&Value>,
        after: Option<&Value>,
    ) -> Change {
        let mut fields = BTreeSet::new();
        compare(before, after, "", &mut fields);
        let key = (row, fields.into_iter().collect());
        let counts = self.counts.borrow();
        let count = counts.get(&key).copied();
        let is_shown = match count {
            Some(count) => count < self.limit,
            None => self.limit > 0 && counts.len() < MAX_KINDS || self.limit == usize::MAX,
        };
        Change {
            fields: key.1,
            diff: is_shown.then(|| without_head(&diff(before, after))),
        }
    }

    /// Counts a change by the policy of a row.
    pub(super) fn count(&self, row: usize, change: Option<&Change>) {
        let mut counts = self.counts.borrow_mut();
        if let Some(change) = change
            && self.limit != usize::MAX
            && counts.len() < MAX_KINDS
        {
            *counts.entry((row, change.fields.clone())).or_default() += 1;
        }
    }

    /// Resets the counts, since the counted changes may not be shown.
    pub(super) fn forget(&self) {
        self.counts.borrow_mut().clear();
    }
}

impl Change {
    /// Adds a later change of the same policy.
    pub(super) fn extend(&mut self, later: Self) {
        self.fields.extend(later.fields);
        self.fields.sort_unstable();
        self.fields.dedup();
        match (&mut self.diff, later.diff) {
            (Some(diff), Some(later)) => diff.push_str(&later),
            (diff, later) => *diff = diff.take().or(later),
        }
    }
}

/// Collects the paths of unequal fields.
fn compare(before: Option<&Value>, after: Option<&Value>, path: &str, out: &mut BTreeSet<String>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Some(Value::Map(before)), Some(Value::Map(after))) => {
            for key in keys(before, after) {
                let (before, after) = (before.get_str(key), after.get_str(key));
                compare(before, after, &inner(path, key), out);
            }
        }
        (Some(Value::List(before)), Some(Value::List(after))) if before.len() == after.len() => {
            let path = format!("{path}[*]");
            for (before, after) in before.iter().zip(after.iter()) {
                compare(Some(before), Some(after), &path, out);
            }
        }
        _ => {
            out.insert(path.to_owned());
        }
    }
}

fn keys<'m>(before: &'m Map, after: &'m Map) -> BTreeSet<&'m str> {
    let keys = before.iter().chain(after.iter()).map(|(key, _)| key);
    keys.filter_map(|key| match key {
        Key::String(name) => Some(&**name),
        _ => None,
    })
    .collect()
}

/// Returns the path of a field, in brackets unless its name is an identifier.
fn inner(path: &str, key: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    match (path, key.chars().all(is_plain) && !key.is_empty()) {
        ("", true) => key.to_owned(),
        (path, true) => format!("{path}.{key}"),
        (path, false) => format!("{path}[{key:?}]"),
    }
}

/// Returns the diff without the two lines of its header.
fn without_head(diff: &str) -> String {
    let start = diff.find("@@").unwrap_or(diff.len());
    diff.get(start..).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evaluation::run::read_object;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[&str]) {
        let mut fields = BTreeSet::new();
        let (before, after) = (read_object(before).unwrap(), read_object(after).unwrap());
        compare(Some(&before), Some(&after), "", &mut fields);
        assert_eq!(fields.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_change_is_known_by_its_fields() {
        check("{a: 1}", "{a: 1}", &[]);
        check("{a: {b: 1, c: 2}}", "{a: {c: 2, d: [1]}}", &["a.b", "a.d"]);
        check(
            "{a: [{b: 1}, {b: 2}, {c: 1}]}",
            "{a: [{b: 2}, {b: 3}, {c: 1}]}",
            &["a[*].b"],
        );
        check("{a: [1], b: 2}", "{a: [1, 2], b: {c: 1}}", &["a", "b"]);
        check(
            "{l: {}}",
            "{l: {x.io/a: b, '': c}}",
            &["l[\"\"]", "l[\"x.io/a\"]"],
        );
    }
}
