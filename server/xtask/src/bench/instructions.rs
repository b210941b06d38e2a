//! Counts the instructions of the most important work, and compares two commits.
//!
//! Times depend on the other load of a machine; instruction counts do not. Valgrind counts them.
//! Each row is counted with two sizes, and the difference is the work without the start of the
//! program.

use crate::error::Error;
use crate::process;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How often a row is counted. The seeds of hash tables differ from run to run.
const RUNS: usize = 3;

/// Limit: an increase beyond the spread that is not a regression yet, in percent.
const TOLERANCE: f64 = 1.0;

/// The programs of a commit.
pub(super) struct Programs {
    /// `admissible`.
    pub(super) product: PathBuf,
    /// `server/bench`.
    pub(super) bench: PathBuf,
}

/// The files that the programs of both commits read, so that they do the same work.
pub(super) struct Inputs<'a> {
    /// The program that writes the files.
    pub(super) writer: &'a Path,
    /// The folder to write them to.
    pub(super) folder: &'a Path,
    /// The root of the repository, with the policies.
    pub(super) root: &'a Path,
}

/// The work of a row, of a size.
enum Work {
    /// Changes to a policy of four kinds, each with its findings.
    Keystroke,
    /// A subcommand of `bench repeat`.
    Repeat(&'static str),
    /// `check` of a definition with that many rules.
    Rules,
    /// `replay` of that many pods through ten policies.
    Pods,
}

/// The rows: the name, the work, and its two sizes.
const ROWS: [(&str, Work, [u32; 2]); 5] = [
    ("a keystroke", Work::Keystroke, [4, 24]),
    ("`check` of a rule of a definition", Work::Rules, [100, 500]),
    ("`replay` of a pod", Work::Pods, [100, 1_100]),
    ("40 clauses", Work::Repeat("clauses"), [100, 10_100]),
    ("all findings", Work::Repeat("findings"), [2, 12]),
];

/// The instructions of a row, counted several times.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counted {
    pub(super) name: &'static str,
    pub(super) counts: Vec<f64>,
}

impl Counted {
    /// Returns the count in the middle.
    fn median(&self) -> f64 {
        let mut counts = self.counts.clone();
        counts.sort_by(f64::total_cmp);
        counts.get(counts.len() / 2).copied().unwrap_or_default()
    }

    /// Returns the distance between the highest and the lowest count, in percent of the median.
    fn spread(&self) -> f64 {
        let highest = self.counts.iter().copied().fold(f64::MIN, f64::max);
        let lowest = self.counts.iter().copied().fold(f64::MAX, f64::min);
        100.0 * (highest - lowest) / self.median()
    }
}

/// Returns the comparison as a table in Markdown, and the names of the rows that need more.
pub(super) fn compare(base: &[Counted], ours: &[Counted]) -> (String, Vec<&'static str>) {
    let mut table =
        String::from("| instructions of | base | now | change | spread |\n|---|---|---|---|---|\n");
    let mut slower = Vec::new();
    for (base, ours) in base.iter().zip(ours) {
        let change = 100.0 * (ours.median() / base.median() - 1.0);
        let spread = base.spread().max(ours.spread());
        let _ = writeln!(
            table,
            "| {} | {:.0} | {:.0} | {change:+.1}% | {spread:.1}% |",
            ours.name,
            base.median(),
            ours.median(),
        );
        if change > spread + TOLERANCE {
            slower.push(ours.name);
        }
    }
    (table, slower)
}

/// Counts the instructions of all rows.
///
/// # Errors
/// If Valgrind is missing, or a program fails.
pub(super) fn count(programs: &Programs, inputs: &Inputs<'_>) -> Result<Vec<Counted>, Error> {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--version");
    if !process::is_there(valgrind) {
        let reason = "NOT MEASURED: instructions are counted by Valgrind, which is not installed";
        return Err(Error::Failed(reason.into()));
    }
    let row = |(name, work, sizes): &(&'static str, Work, [u32; 2])| {
        let [few, many] = sizes.map(|size| arguments(programs, work, size, inputs));
        let (few, many) = (few?, many?);
        let [from, to] = sizes.map(f64::from);
        let counts =
            (0..RUNS).map(|_| Ok((instructions(&many)? - instructions(&few)?) / (to - from)));
        Ok(Counted {
            name,
            counts: counts.collect::<Result<_, Error>>()?,
        })
    };
    ROWS.iter().map(row).collect()
}

/// Returns the program and the arguments of a row. Writes the file that it reads.
fn arguments(
    programs: &Programs,
    work: &Work,
    size: u32,
    inputs: &Inputs<'_>,
) -> Result<Vec<String>, Error> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let write = |command: &str, name: String| {
        let file = inputs.folder.join(name);
        let mut writer = Command::new(inputs.writer);
        writer.arg(command).arg(&file);
        writer.args(["--count", &size.to_string()]);
        process::output(writer).map(|_| text(&file))
    };
    let (bench, product) = (text(&programs.bench), text(&programs.product));
    let times = size.to_string();
    let policies = inputs.root.join("server/bench");
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    Ok(match work {
        Work::Keystroke => {
            let file = text(&policies.join("fixtures/policy.yaml"));
            words(&[&bench, "keystroke", &file, "--edits", &times])
        }
        Work::Repeat(name) => words(&[&bench, "repeat", name, "--times", &times]),
        Work::Rules => {
            let file = write("rules", format!("rules-{size}.yaml"))?;
            words(&[&product, "check", "--fail-level", "never", &file])
        }
        Work::Pods => {
            let file = write("pods", format!("pods-{size}.ndjson"))?;
            let policies = text(&policies.join("benches/policies/pods.yaml"));
            let replay = ["replay", "--quiet", "--fail-on", "never", &policies, &file];
            words(&[&[product.as_str()], &replay[..]].concat())
        }
    })
}

/// Runs a program and returns how many instructions it took.
fn instructions(words: &[String]) -> Result<f64, Error> {
    let mut command = Command::new("valgrind");
    let tool = ["--tool=cachegrind", "--cache-sim=no"];
    command.args(tool).arg("--cachegrind-out-file=/dev/null");
    // Threads would also count the search for work.
    command.env("RAYON_NUM_THREADS", "1");
    let cannot_run = |source| Error::Io {
        what: "cannot run valgrind".to_owned(),
        source,
    };
    let output = command
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(cannot_run)?;
    let report = String::from_utf8_lossy(&output.stderr);
    let count = references(&report).filter(|_| output.status.success());
    count.ok_or_else(|| Error::Failed(format!("{}: {report}", words.join(" "))))
}

/// Returns the number in the line `I refs: 1,234` of a report of Cachegrind.
pub(super) fn references(report: &str) -> Option<f64> {
    let line = report.lines().find(|line| line.contains("refs:"))?;
    let (_, number) = line.split_once("refs:")?;
    number.trim().replace(',', "").parse().ok()
}
