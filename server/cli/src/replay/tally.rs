//! The totals of a replay.
//!
//! The parts of a dump finish in any order and are counted in the order of the dump, so that
//! the output depends only on the objects. The kept results are bounded.

use super::effect::Effect;
use super::name::Name;
use super::object_outcome::{Finding, ObjectOutcome};
use super::row_table::{Row, RowTable};
use crate::problem::{Problem, ProblemLocation};
use admission::Operation;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use workspace::StreamPosition;

/// Limit: distinct messages. A message may contain the name of an object.
pub(super) const MAX_MESSAGES: usize = 10_000;

/// Limit: problems that are kept. A file that is not a dump has one in each line.
pub(super) const MAX_PROBLEMS: usize = 100;

/// Limit: bytes of all diffs that are kept.
const MAX_DIFFS: usize = 64 * 1024 * 1024;

/// The result of a part.
#[derive(Debug, Default)]
pub(super) struct PartResult {
    pub(super) path: Arc<str>,
    /// The size in bytes.
    pub(super) size: usize,
    pub(super) objects: u64,
    /// By row.
    pub(super) counts: Vec<Counts>,
    pub(super) totals: Counts,
    /// The objects with findings.
    pub(super) found: Vec<ObjectResult>,
    /// The problems, and whether the rest of the file is skipped after each.
    pub(super) problems: Vec<(Problem, bool)>,
}

/// An object with findings.
#[derive(Debug)]
pub(super) struct ObjectResult {
    pub(super) position: StreamPosition,
    pub(super) name: Name,
    pub(super) operations: Vec<Operation>,
    pub(super) response: Option<String>,
    pub(super) findings: Vec<Finding>,
}

/// The number of objects with each effect.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Counts {
    pub(super) matched: u64,
    pub(super) skipped: u64,
    pub(super) failed: u64,
    effects: [u64; Effect::ALL.len()],
}

impl Counts {
    /// Returns the number of objects with an effect.
    pub(super) fn get(&self, effect: Effect) -> u64 {
        self.effects.get(effect as usize).copied().unwrap_or(0)
    }

    fn count(&mut self, effect: Effect) {
        if let Some(count) = self.effects.get_mut(effect as usize) {
            *count += 1;
        }
    }

    /// Counts the findings of one object.
    fn add<'f>(&mut self, findings: &(impl Iterator<Item = &'f Finding> + Clone)) {
        for effect in Effect::ALL {
            if findings.clone().any(|it| it.effect == effect) {
                self.count(effect);
            }
        }
        self.failed += u64::from(findings.clone().any(|it| it.is_failure));
    }

    pub(super) fn merge(&mut self, other: &Counts) {
        self.matched += other.matched;
        self.skipped += other.skipped;
        self.failed += other.failed;
        for (count, more) in self.effects.iter_mut().zip(other.effects) {
            *count += more;
        }
    }
}

impl PartResult {
    /// Returns an empty tally.
    pub(super) fn new(path: Arc<str>, size: usize, rows: usize) -> Self {
        Self {
            path,
            size,
            counts: vec![Counts::default(); rows],
            ..Self::default()
        }
    }

    /// Adds the result of an object.
    pub(super) fn add(
        &mut self,
        object_outcome: ObjectOutcome,
        position: impl FnOnce() -> StreamPosition,
    ) {
        self.totals.matched += u64::from(!object_outcome.matched.is_empty());
        for (rows, skipped) in [
            (&object_outcome.matched, false),
            (&object_outcome.skipped, true),
        ] {
            for row in rows {
                if let Some(counts) = self.counts.get_mut(*row) {
                    *(if skipped {
                        &mut counts.skipped
                    } else {
                        &mut counts.matched
                    }) += 1;
                }
            }
        }
        let Some(name) = object_outcome.name else {
            return;
        };
        self.totals.add(&object_outcome.findings.iter());
        for row in &object_outcome.matched {
            if let Some(counts) = self.counts.get_mut(*row) {
                counts.add(&object_outcome.findings.iter().filter(|it| it.row == *row));
            }
        }
        self.found.push(ObjectResult {
            position: position(),
            name,
            operations: object_outcome.operations,
            response: object_outcome.response,
            findings: object_outcome.findings,
        });
    }

    /// Adds a problem.
    pub(super) fn problem(
        &mut self,
        position: Option<StreamPosition>,
        message: String,
        ends: bool,
    ) {
        let problem = Problem {
            path: self.path.to_string(),
            place: position.map(ProblemLocation::Stream),
            message,
        };
        self.problems.push((problem, ends));
    }
}

/// Objects with the same effect for the same reason.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) row: usize,
    pub(super) effect: Effect,
    /// `None` for all messages beyond the limit.
    pub(super) message: Option<String>,
    pub(super) count: u64,
    /// The fields that are changed, with `--diff`.
    pub(super) fields: Vec<String>,
    /// The first of them.
    pub(super) examples: Vec<Example>,
}

/// An object with its position.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub(super) path: Arc<str>,
    pub(super) position: StreamPosition,
    pub(super) name: Name,
    /// The diff of the object.
    pub(super) diff: Option<String>,
}

/// The totals so far.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) rows: Vec<Row>,
    pub(super) objects: u64,
    pub(super) counts: Vec<Counts>,
    pub(super) totals: Counts,
    pub(super) groups: Vec<Group>,
    group_indexes: HashMap<(usize, Effect, Option<String>), usize>,
    pub(super) problems: Vec<Problem>,
    /// The number of problems that were not kept.
    pub(super) more_problems: u64,
    /// The number of objects to keep for a group.
    limit: usize,
    /// The bytes of the diffs that are kept.
    diffs: usize,
    /// The parts that wait for an earlier one.
    waiting: BTreeMap<usize, PartResult>,
    next: usize,
    /// The files whose rest is skipped.
    pub(super) ended: HashSet<Arc<str>>,
    /// The file that an earlier shard begins, with the totals of its objects.
    pub(super) continued: Option<Box<(String, Tally)>>,
}

impl Tally {
    pub(super) fn new(rows: &RowTable, limit: usize) -> Self {
        Self {
            counts: vec![Counts::default(); rows.0.len()],
            rows: rows.0.clone(),
            objects: 0,
            totals: Counts::default(),
            groups: Vec::new(),
            group_indexes: HashMap::new(),
            problems: Vec::new(),
            more_problems: 0,
            limit,
            diffs: 0,
            waiting: BTreeMap::new(),
            next: 0,
            ended: HashSet::new(),
            continued: None,
        }
    }

    /// Returns a tally that counts the objects of a file separately.
    pub(super) fn continuing(rows: &RowTable, limit: usize, file: Option<String>) -> Self {
        Self {
            continued: file.map(|file| Box::new((file, Self::new(rows, limit)))),
            ..Self::new(rows, limit)
        }
    }

    /// Adds the result of a part. Parts are counted and passed to `each` in order.
    ///
    /// # Errors
    /// Those of `each`.
    pub(super) fn take<E>(
        &mut self,
        number: usize,
        part: PartResult,
        mut each: impl FnMut(&PartResult) -> Result<(), E>,
    ) -> Result<(), E> {
        self.waiting.insert(number, part);
        while let Some(mut part) = self.waiting.remove(&self.next) {
            self.next += 1;
            let continued = self.continued.as_deref_mut();
            let continued = continued.filter(|(file, _)| **file == *part.path);
            let is_counted = match continued {
                Some((_, tally)) => tally.count_part(&mut part),
                None => self.count_part(&mut part),
            };
            if is_counted {
                each(&part)?;
            }
        }
        Ok(())
    }

    /// Counts a part. Returns false if the rest of its file is skipped.
    fn count_part(&mut self, part: &mut PartResult) -> bool {
        let is_counted = !self.ended.contains(&part.path);
        if is_counted {
            self.count(part);
        }
        is_counted
    }

    fn count(&mut self, part: &mut PartResult) {
        self.objects += part.objects;
        self.totals.merge(&part.totals);
        for (counts, more) in self.counts.iter_mut().zip(&part.counts) {
            counts.merge(more);
        }
        for object in &part.found {
            for finding in &object.findings {
                self.group(part, object, finding);
            }
        }
        for (problem, ends) in std::mem::take(&mut part.problems) {
            if ends {
                self.ended.insert(Arc::clone(&part.path));
            }
            if self.problems.len() < MAX_PROBLEMS {
                self.problems.push(problem);
            } else {
                self.more_problems += 1;
            }
        }
    }

    fn group(&mut self, part: &PartResult, object: &ObjectResult, finding: &Finding) {
        let mut fields = finding.change.as_ref().map(|it| it.fields.as_slice());
        let message = fields.map_or_else(|| finding.message.clone(), |it| it.join(", "));
        let mut key = (finding.row, finding.effect, Some(message));
        if self.groups.len() >= MAX_MESSAGES && !self.group_indexes.contains_key(&key) {
            key.2 = None;
            fields = None;
        }
        let next = self.groups.len();
        let index = *self
            .group_indexes
            .entry(key)
            .or_insert_with_key(|(row, effect, message)| {
                self.groups.push(Group {
                    row: *row,
                    effect: *effect,
                    message: message.clone(),
                    count: 0,
                    fields: fields.unwrap_or_default().to_vec(),
                    examples: Vec::new(),
                });
                next
            });
        let Some(group) = self.groups.get_mut(index) else {
            return;
        };
        group.count += 1;
        if group.examples.len() < self.limit {
            let diff = finding.change.as_ref().and_then(|it| it.diff.clone());
            let diff = diff.filter(|it| self.diffs + it.len() <= MAX_DIFFS);
            self.diffs += diff.as_ref().map_or(0, String::len);
            group.examples.push(Example {
                path: Arc::clone(&part.path),
                position: object.position,
                name: object.name.clone(),
                diff,
            });
        }
    }

    /// Returns the groups by policy and effect, the largest first.
    pub(super) fn sorted_groups(&self) -> Vec<&Group> {
        let mut groups: Vec<&Group> = self.groups.iter().collect();
        groups
            .sort_by_cached_key(|group| (group.row, group.effect, std::cmp::Reverse(group.count)));
        groups
    }
}
