//! The result of a replay, or of a shard of one, as data.
//!
//! Results of shards are merged in the order of the dump. Counts are added, and the first objects
//! of each message are kept, so that the merged result is that of one replay.

use super::effect::Effect;
use super::policies::Policies;
use super::tally::{Counts, Example, Group, MAX_MESSAGES, MAX_PROBLEMS, Tally};
use crate::arguments::Shard;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

/// The version of the results of shards that are written and read.
pub(super) const SHARD_VERSION: u32 = 2;

/// The result of a shard.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct ShardResult {
    pub(super) version: u32,
    /// Of the result with an empty digest: SHA-256, in hexadecimal.
    #[serde(default)]
    pub(super) digest: String,
    pub(super) shard: ShardOf,
    /// The part that all shards have in common.
    pub(super) replay: Common,
    /// Whether it was interrupted.
    pub(super) partial: bool,
    /// The objects of a file that an earlier shard begins, then those of all other files.
    pub(super) segments: Vec<Segment>,
}

impl ShardResult {
    /// Returns the result with its digest.
    pub(super) fn with_digest(mut self) -> Self {
        self.digest.clear();
        let text = serde_json::to_vec(&self).unwrap_or_default();
        for byte in Sha256::digest(text) {
            let _ = write!(self.digest, "{byte:02x}");
        }
        self
    }
}

/// The shard.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct ShardOf {
    pub(super) index: u64,
    pub(super) count: u64,
}

impl From<Shard> for ShardOf {
    fn from(shard: Shard) -> Self {
        Self {
            index: shard.index,
            count: shard.count,
        }
    }
}

/// The common part of all shards of a replay.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Common {
    /// The files with their sizes.
    pub(super) files: Vec<(String, u64)>,
    pub(super) policies: Vec<RowName>,
    /// The number of objects to keep for a message.
    pub(super) limit: usize,
    /// The problems that each shard has before it reads objects.
    pub(super) problems: Vec<Value>,
}

/// A policy with one of its bindings, or without one.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct RowName {
    pub(super) path: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) binding: Option<String>,
}

/// The result of consecutive objects.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Segment {
    /// The file that they continue.
    pub(super) continues: Option<String>,
    /// The files whose rest is skipped after an error.
    pub(super) ended: BTreeSet<String>,
    pub(super) objects: u64,
    pub(super) totals: Counts,
    /// By row.
    pub(super) counts: Vec<Counts>,
    /// In the order of their first objects.
    pub(super) groups: Vec<GroupResult>,
    pub(super) problems: Vec<Value>,
    /// The number of problems that were not kept.
    pub(super) more_problems: u64,
}

/// Objects with the same effect for the same reason.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct GroupResult {
    pub(super) row: usize,
    pub(super) effect: Effect,
    /// `None` for all messages beyond the limit.
    pub(super) message: Option<String>,
    /// The fields that are changed, with `--diff`.
    pub(super) fields: Vec<String>,
    pub(super) count: u64,
    /// The first of them.
    pub(super) objects: Vec<Value>,
}

/// Returns the names of all rows.
pub(super) fn row_names(tally: &Tally, policies: &Policies) -> Vec<RowName> {
    let named = tally.rows.iter().filter_map(|row| {
        let policy = policies.policies.get(row.policy)?;
        Some(RowName {
            path: policy.path.clone(),
            kind: policy.document.kind().as_str().to_owned(),
            name: policy.name.clone(),
            binding: row.binding.clone(),
        })
    });
    named.collect()
}

impl Segment {
    /// Returns the result of the objects that were counted.
    pub(super) fn new(tally: &Tally, object: impl Fn(&Example) -> Value) -> Self {
        let group = |group: &Group| GroupResult {
            row: group.row,
            effect: group.effect,
            message: group.message.clone(),
            fields: group.fields.clone(),
            count: group.count,
            objects: group.examples.iter().map(&object).collect(),
        };
        Self {
            continues: None,
            ended: tally.ended.iter().map(ToString::to_string).collect(),
            objects: tally.objects,
            totals: tally.totals,
            counts: tally.counts.clone(),
            groups: tally.groups.iter().map(group).collect(),
            problems: tally.problems.iter().map(Problem::json).collect(),
            more_problems: tally.more_problems,
        }
    }

    /// Returns the groups by policy and effect, the largest first.
    pub(super) fn sorted_groups(&self) -> Vec<&GroupResult> {
        let mut groups: Vec<&GroupResult> = self.groups.iter().collect();
        groups
            .sort_by_cached_key(|group| (group.row, group.effect, std::cmp::Reverse(group.count)));
        groups
    }
}

/// Results that are being merged, in the order of the dump.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub(super) segment: Segment,
    group_indexes: HashMap<(usize, Effect, Option<String>), usize>,
    limit: usize,
}

impl Merged {
    pub(super) fn new(rows: usize, limit: usize) -> Self {
        Self {
            segment: Segment {
                counts: vec![Counts::default(); rows],
                ..Segment::default()
            },
            group_indexes: HashMap::new(),
            limit,
        }
    }

    /// Adds the result of the objects that follow.
    pub(super) fn add(&mut self, later: Segment) {
        let all = &mut self.segment;
        let continues = later.continues.as_ref();
        if continues.is_some_and(|path| all.ended.contains(path)) {
            return;
        }
        all.ended.extend(later.ended);
        all.objects += later.objects;
        all.totals.merge(&later.totals);
        for (counts, more) in all.counts.iter_mut().zip(&later.counts) {
            counts.merge(more);
        }
        let room = MAX_PROBLEMS.saturating_sub(all.problems.len());
        let count = later.problems.len();
        all.problems.extend(later.problems.into_iter().take(room));
        all.more_problems += later.more_problems + count.saturating_sub(room) as u64;
        for group in later.groups {
            self.group(group);
        }
    }

    fn group(&mut self, later: GroupResult) {
        let groups = &mut self.segment.groups;
        let mut key = (later.row, later.effect, later.message);
        let mut fields = later.fields;
        if groups.len() >= MAX_MESSAGES && !self.group_indexes.contains_key(&key) {
            key.2 = None;
            fields.clear();
        }
        let next = groups.len();
        let index = *self
            .group_indexes
            .entry(key)
            .or_insert_with_key(|(row, effect, message)| {
                groups.push(GroupResult {
                    row: *row,
                    effect: *effect,
                    message: message.clone(),
                    fields,
                    count: 0,
                    objects: Vec::new(),
                });
                next
            });
        if let Some(group) = groups.get_mut(index) {
            group.count += later.count;
            let room = self.limit.saturating_sub(group.objects.len());
            group.objects.extend(later.objects.into_iter().take(room));
        }
    }
}
