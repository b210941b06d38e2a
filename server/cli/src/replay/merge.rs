//! `replay --merge`: the results of all shards as one.

use super::json;
use super::result::{Common, Merged, SHARD_VERSION, ShardResult};
use crate::arguments::Replay;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::report::shown;
use crate::terminal::Terminal;
use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;
use workspace::{find_files, open_argument};

/// Merges the results that the options name, and writes the result as JSON.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn run(options: &Replay, terminal: &Terminal) -> io::Result<Exit> {
    let found = find_files(&options.merge, &Arc::default());
    let mut problems: Vec<Problem> = found.problems.iter().map(Problem::of_path).collect();
    let mut shards = Vec::new();
    for path in &found.files {
        match read(path) {
            Ok(shard) => shards.push((shown(path), shard)),
            Err(problem) => problems.push(problem),
        }
    }
    shards.sort_by_cached_key(|(_, it)| it.shard.index);
    problems.extend(mismatches(&shards));
    let Some(common) = shards.first().map(|(_, it)| it.replay.clone()) else {
        problems.push(Problem::new("", "no results to merge"));
        return super::stopped(options, &problems, terminal);
    };
    if !problems.is_empty() {
        return super::stopped(options, &problems, terminal);
    }
    let mut merged = Merged::new(common.policies.len(), common.limit);
    for (_, shard) in shards {
        shard.segments.into_iter().for_each(|it| merged.add(it));
    }
    write(merged, common, options, terminal)
}

/// Writes the merged result. Returns the exit code of one replay.
fn write(
    merged: Merged,
    common: Common,
    options: &Replay,
    terminal: &Terminal,
) -> io::Result<Exit> {
    let mut all = merged.segment;
    let mut problems = common.problems;
    problems.append(&mut all.problems);
    if all.objects == 0 && problems.is_empty() {
        let names: Vec<&str> = common.files.iter().map(|(name, _)| name.as_str()).collect();
        problems.push(super::no_objects(&names).json());
    }
    let report = json::Report {
        policies: &common.policies,
        result: &all,
        problems: &problems,
        is_partial: false,
    };
    report.write(&mut terminal.json())?;
    Ok(super::exit(
        &all.totals,
        problems.is_empty(),
        options.fail_on,
    ))
}

fn read(path: &Path) -> Result<ShardResult, Problem> {
    let problem = |reason: String| Problem::new(&shown(path), reason);
    let file = open_argument(path).map_err(|error| problem(error.to_string()))?;
    let shard: ShardResult = serde_json::from_reader(BufReader::new(file))
        .map_err(|error| problem(format!("not the result of a shard: {error}")))?;
    if shard.version != SHARD_VERSION {
        return Err(problem(format!(
            "the result has version {}, but this program reads version {SHARD_VERSION}; run the \
             shard again with this program",
            shard.version
        )));
    }
    let digest = shard.digest.clone();
    let shard = shard.with_digest();
    if shard.digest != digest {
        let reason = "the result is damaged: its digest differs; run the shard again";
        return Err(problem(reason.to_owned()));
    }
    if shard.partial {
        let reason = "the shard was interrupted; run it again";
        return Err(problem(reason.to_owned()));
    }
    Ok(shard)
}

/// Returns why some results are not all shards of one replay.
fn mismatches(shards: &[(String, ShardResult)]) -> Vec<Problem> {
    let Some((_, first)) = shards.first() else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    let count = first.shard.count;
    let mut next = 0;
    for (path, result) in shards {
        let shard = result.shard;
        if result.replay != first.replay || shard.count != count {
            let message =
                "the shard belongs to a different replay: its files, policies or options differ";
            problems.push(Problem::new(path, message));
            continue;
        }
        if shard.index < next {
            let message = format!("shard {} of {count} appears twice", shard.index);
            problems.push(Problem::new(path, message));
        }
        problems.extend((next..shard.index).map(|index| missing(index, count)));
        next = next.max(shard.index + 1);
    }
    problems.extend((next..count).map(|index| missing(index, count)));
    problems
}

fn missing(index: u64, count: u64) -> Problem {
    Problem::new("", format!("shard {index} of {count} is missing"))
}
