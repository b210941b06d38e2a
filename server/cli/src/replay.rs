//! `admissible replay`: the effects of policies on existing objects.
//!
//! A dump of a cluster is evaluated by all policies, on all cores and without being in memory as a
//! whole. The result shows the effects of a rollout: the objects that would be denied, warned about
//! or changed, and by which policy.

mod bound_policy;
mod change;
mod dump;
mod effect;
mod human;
mod interrupt;
mod json;
mod known_results;
mod lookup;
mod merge;
mod name;
mod object_evaluator;
mod object_outcome;
mod part_visitor;
mod pipe;
mod plan;
mod policies;
mod request;
mod result;
mod row_table;
mod rows;
mod selection;
mod shard;
mod source;
#[cfg(feature = "parquet")]
mod table;
mod tally;
mod unknown;
mod workers;

use crate::arguments::{FailOn, Replay, ReplayFormat, Shard};
use crate::exit::Exit;
use crate::problem::{self, Problem};
use crate::progress::Progress;
use crate::terminal::Terminal;
use admission::JsonReader;
use cel::Value;
use dump::DumpFile;
use effect::Effect;
use interrupt::Interrupt;
use object_evaluator::ObjectEvaluator;
use part_visitor::PartVisitor;
use plan::Plans;
use policies::Policies;
use result::Common;
use row_table::RowTable;
use rows::Rows;
use selection::Selection;
use shard::Share;
use source::{Part, Source};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tally::{Counts, PartResult, Tally};

/// The progress bar.
const PROGRESS: &str = "Replaying {bar:30} {bytes}/{total_bytes}, {eta} left";

/// The progress bar if the size is unknown.
const ENDLESS_PROGRESS: &str = "Replaying {spinner} {bytes}";

/// The result of a replay.
#[derive(Debug)]
struct Outcome {
    policies: Policies,
    tally: Tally,
    time: Duration,
    /// Whether it was interrupted before all objects were evaluated.
    is_partial: bool,
    /// Whether some objects can be read only once.
    reads_once: bool,
}

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn run(options: &Replay, terminal: &Terminal) -> io::Result<Exit> {
    if !options.merge.is_empty() {
        return merge::run(options, terminal);
    }
    let mut problems = Vec::new();
    let policies = Policies::load(options, &mut problems);
    let files = files(options, &mut problems);
    let (Some(policies), false) = (policies, files.is_empty()) else {
        return stopped(options, &problems, terminal);
    };
    let rows = match Rows::new(options) {
        Ok(rows) => rows,
        Err(problem) => return stopped(options, &[problem], terminal),
    };
    let mut outcome = replay(options, policies, &files, rows, &mut problems)?;
    if let Some(shard) = options.shard.filter(|_| !options.format.has_rows()) {
        return write_shard(shard, &outcome, &files, &problems, options, terminal);
    }
    problems.append(&mut outcome.tally.problems);
    if outcome.tally.objects == 0
        && problems.is_empty()
        && !outcome.is_partial
        && options.shard.is_none()
    {
        let names: Vec<String> = files.iter().map(DumpFile::name).collect();
        problems.push(no_objects(&names));
    }
    write(&outcome, &problems, options, terminal)
}

/// Writes the result. Returns the exit code.
fn write(
    outcome: &Outcome,
    problems: &[Problem],
    options: &Replay,
    terminal: &Terminal,
) -> io::Result<Exit> {
    problem::write(problems, terminal)?;
    human::write_warnings(outcome, terminal)?;
    let written = match options.format {
        ReplayFormat::Human => human::write(outcome, options, terminal),
        ReplayFormat::Json => write_json(outcome, problems, terminal),
        ReplayFormat::Ndjson | ReplayFormat::Parquet => Ok(()),
    };
    let exit = if outcome.is_partial {
        Exit::Interrupted
    } else {
        exit(&outcome.tally.totals, problems.is_empty(), options.fail_on)
    };
    match written {
        // A closed pipe does not change the result of the run.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(exit),
    }
}

/// Returns the problem of files without objects: a command before a pipe may have failed.
fn no_objects(files: &[impl AsRef<str>]) -> Problem {
    match files {
        [file] => Problem::new(file.as_ref(), "no objects found"),
        _ => Problem::new("", "no objects found in these files"),
    }
}

/// Reports why nothing can be evaluated.
fn stopped(options: &Replay, problems: &[Problem], terminal: &Terminal) -> io::Result<Exit> {
    problem::write(problems, terminal)?;
    if options.format == ReplayFormat::Json {
        json::write_stopped(problems, &mut terminal.json())?;
    }
    Ok(Exit::Failed)
}

/// Writes the result as JSON.
fn write_json(outcome: &Outcome, problems: &[Problem], terminal: &Terminal) -> io::Result<()> {
    let report = json::Report {
        policies: &result::row_names(&outcome.tally, &outcome.policies),
        result: &json::segment(&outcome.tally),
        problems: &problems.iter().map(Problem::json).collect::<Vec<_>>(),
        is_partial: outcome.is_partial,
    };
    report.write(&mut terminal.json())
}

/// Writes the result of a shard. Errors in objects are part of it, so that a job does not run
/// the shard again.
fn write_shard(
    shard: Shard,
    outcome: &Outcome,
    files: &[DumpFile],
    problems: &[Problem],
    options: &Replay,
    terminal: &Terminal,
) -> io::Result<Exit> {
    problem::write(problems, terminal)?;
    let files = files.iter().map(|it| (it.name(), it.size()));
    let result = json::shard(
        shard,
        outcome,
        Common {
            files: files.collect(),
            policies: result::row_names(&outcome.tally, &outcome.policies),
            limit: options.limit,
            problems: problems.iter().map(Problem::json).collect(),
        },
    );
    json::write_line(&result, &mut terminal.json())?;
    Ok(if outcome.is_partial {
        Exit::Interrupted
    } else if problems.is_empty() {
        Exit::Clean
    } else {
        Exit::Failed
    })
}

fn exit(totals: &Counts, is_complete: bool, fail_on: FailOn) -> Exit {
    let any = |effects: &[Effect]| effects.iter().any(|it| totals.get(*it) > 0);
    if !is_complete || any(&[Effect::Unknown]) {
        return Exit::Failed;
    }
    let denied = any(&[Effect::Denied]) || totals.failed > 0;
    let warned = denied || any(&[Effect::Warned, Effect::Audited]);
    let fails = match fail_on {
        FailOn::Never => false,
        FailOn::Denied => denied,
        FailOn::Warned => warned,
        FailOn::Mutated => warned || any(&[Effect::Mutated]),
    };
    if fails { Exit::Findings } else { Exit::Clean }
}

/// Returns the files with objects.
fn files(options: &Replay, problems: &mut Vec<Problem>) -> Vec<DumpFile> {
    let files = dump::find(&options.objects, problems);
    let mut pipes = files.iter().filter(|it| it.is_pipe());
    let Some(pipe) = options.shard.and_then(|_| pipes.next()) else {
        return files;
    };
    let message = "it cannot be divided into shards; save it to a file";
    problems.push(Problem::new(&pipe.name(), message));
    Vec::new()
}

/// Returns why an argument names no file.
fn replay(
    options: &Replay,
    policies: Policies,
    files: &[DumpFile],
    output: Rows,
    problems: &mut Vec<Problem>,
) -> io::Result<Outcome> {
    let interrupt = Interrupt::listen();
    let progress = progress(files, options);
    let looked_up = looked_up(options, &policies, files, &interrupt, problems);
    let rows = RowTable::new(&policies);
    let on_the_way = Some(&policies.looked_up).filter(|it| !it.is_empty());
    let (share, continued) = share(options, files);
    let source = Source::new(files.iter().cloned(), on_the_way, &interrupt).shared(share);
    let out = Mutex::new(Out {
        tally: Tally::continuing(&rows, options.limit, continued),
        rows: output,
        error: None,
    });
    let work = || {
        let plans = Plans::new(&policies, &looked_up, options.operation());
        let evaluator = ObjectEvaluator::new(&policies, &rows, plans, options);
        let selection = Selection::new(&policies, &rows, options);
        let mut worker = Worker::new((evaluator, selection), rows.0.len(), &source, &interrupt);
        while let Some(part) = source.next() {
            let number = part.number;
            let result = worker.part(part);
            progress.advance(result.size);
            let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
            if !out.take(number, result, &policies, &rows) {
                return;
            }
        }
    };
    workers::all(work);
    let time = progress.finish();
    let out = out.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Outcome {
        tally: out.finish()?,
        policies,
        time,
        is_partial: interrupt.is_set(),
        reads_once: files.iter().any(DumpFile::is_pipe),
    })
}

/// Returns the objects that the policies use: those next to the policies, then those in the files
/// of `--with`, then those in the dump. Of two with the same name, the later one is used.
fn looked_up(
    options: &Replay,
    policies: &Policies,
    files: &[DumpFile],
    interrupt: &Interrupt,
    problems: &mut Vec<Problem>,
) -> Vec<Value> {
    let with = dump::find(&options.with, problems);
    let looked_up = &policies.looked_up;
    if looked_up.is_empty() {
        return Vec::new();
    }
    let mut found = policies.objects.clone();
    let with = source::search(&with, looked_up, interrupt);
    found.extend(with.objects);
    problems.extend(with.problems);
    let files = files.iter().filter(|file| !file.is_pipe());
    let files: Vec<DumpFile> = files.cloned().collect();
    // Errors in it are reported when the objects are evaluated.
    found.extend(source::search(&files, looked_up, interrupt).objects);
    found
}

/// Returns the progress through all files, whose size may be unknown.
fn progress(files: &[DumpFile], options: &Replay) -> Progress {
    let sizes = files.iter().map(|it| (!it.is_pipe()).then(|| it.size()));
    let size: Option<u64> = sizes.sum();
    let template = size.map_or(ENDLESS_PROGRESS, |_| PROGRESS);
    Progress::new(size, template, options.quiet)
}

/// Returns the share of a shard, and the file that an earlier shard begins, whose objects are
/// counted separately.
fn share(options: &Replay, files: &[DumpFile]) -> (Option<Share>, Option<String>) {
    let share = options.shard.map(|shard| Share::new(shard, files));
    let counts = !options.format.has_rows();
    let continued = share.as_ref().filter(|_| counts);
    let continued = continued.and_then(|it| it.continued(files));
    (share, continued)
}

/// Collects the results of all threads.
struct Out {
    tally: Tally,
    /// The results of single objects.
    rows: Rows,
    error: Option<io::Error>,
}

impl Out {
    /// Takes the result of a part. Returns whether to continue.
    fn take(
        &mut self,
        number: usize,
        result: PartResult,
        policies: &Policies,
        rows: &RowTable,
    ) -> bool {
        let output = &mut self.rows;
        let taken = self
            .tally
            .take(number, result, |part| output.write(part, policies, rows));
        self.error = self.error.take().or(taken.err());
        self.error.is_none()
    }

    fn finish(self) -> io::Result<Tally> {
        // What follows an error is not complete.
        let written = self.error.map_or_else(|| self.rows.finish(), Err);
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(self.tally),
        }
    }
}

/// The state of one thread.
struct Worker<'p> {
    json: JsonReader,
    evaluator: ObjectEvaluator<'p>,
    selection: Selection<'p>,
    source: &'p Source<'p>,
    /// The path of the last file.
    path: Option<Arc<str>>,
    /// The number of objects from a stream that the evaluator already has.
    found: usize,
    rows: usize,
    interrupt: &'p Interrupt,
}

impl<'p> Worker<'p> {
    fn new(
        (evaluator, selection): (ObjectEvaluator<'p>, Selection<'p>),
        rows: usize,
        source: &'p Source<'p>,
        interrupt: &'p Interrupt,
    ) -> Self {
        Self {
            json: JsonReader::default(),
            evaluator,
            selection,
            source,
            path: None,
            found: 0,
            rows,
            interrupt,
        }
    }

    /// Prepares for a part.
    fn begin(&mut self, path: &Arc<str>, found: usize) {
        if self.path.as_ref() != Some(path) {
            self.evaluator.next_file();
            self.path = Some(Arc::clone(path));
        }
        if found > self.found {
            self.evaluator.add(self.source.found(self.found..found));
            self.selection.forget();
            self.found = found;
        }
    }

    /// Evaluates the objects of a part.
    fn part(&mut self, part: Part) -> PartResult {
        let chunk = match part.chunk {
            Ok(chunk) => chunk,
            Err(message) => {
                let mut result = PartResult::new(part.path, 0, self.rows);
                result.problem(None, message, true);
                return result;
            }
        };
        let mut result = PartResult::new(part.path, chunk.len(), self.rows);
        self.begin(&result.path, part.found);
        let (json, interrupt) = (&mut self.json, self.interrupt);
        let mut visitor = PartVisitor {
            evaluator: &mut self.evaluator,
            selection: &mut self.selection,
            result: &mut result,
            positions: chunk.positions(),
            interrupt,
        };
        let reading = AssertUnwindSafe(|| chunk.visit(json, &mut visitor));
        if catch_unwind(reading).is_err() {
            let message = "internal error in admissible at this object or a later one; please report it with the objects";
            result.problem(Some(chunk.position(0)), message.to_owned(), false);
        }
        result
    }
}
