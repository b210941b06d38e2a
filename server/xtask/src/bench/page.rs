//! The table of the page `server/docs/benchmarks.md`.

use super::measure::{
    Check, Function, Growth, Keystroke, Latency, Live, Replay, Request, Requests,
};
use crate::error::Error;
use std::fmt::Write;

/// The page.
pub(super) const FILE: &str = "server/docs/benchmarks.md";

/// The lines before and after the table.
const BEGIN: &str = "<!-- begin: cargo xtask bench --write -->";
const END: &str = "<!-- end -->";

/// The name of our function in the benchmarks of functions.
const OURS: &str = "ours";

/// The benchmarks of functions that measure a peer, and the name of its crate.
const PEERS: [(&str, &str); 3] = [
    ("cel_crate", "cel"),
    ("cel_core", "cel-core"),
    ("granit_parser", "granit-parser"),
];

/// The titles of the benchmarks of functions, by their names.
const TITLES: &[(&str, &str)] = &[
    ("admission / defaults_of_a_pod", "set the defaults of a pod"),
    (
        "admission / from_object_to_answer",
        "evaluate ten policies for a pod, from its JSON",
    ),
    (
        "admission / request_of_a_pod",
        "create the request for a pod",
    ),
    (
        "admission / ten_policies",
        "evaluate ten policies for a pod, from a prepared request",
    ),
    ("check / add", "check `1 + 1`"),
    ("check / clauses-40", "check 40 clauses joined by `&&`"),
    ("check / compare", "check `object.spec.replicas <= 5`"),
    ("check / containers-10", "check a loop over containers"),
    (
        "diagnostics / format",
        "format all expressions in a 294-line policy",
    ),
    (
        "diagnostics / policy / 10 validations",
        "compute all findings in a policy with 10 validations",
    ),
    (
        "diagnostics / policy / 294 lines, 4 kinds",
        "compute all findings in a 294-line policy for four kinds",
    ),
    ("eval / add", "evaluate `1 + 1`"),
    ("eval / clauses-40", "evaluate 40 clauses joined by `&&`"),
    ("eval / compare", "evaluate `object.spec.replicas <= 5`"),
    ("eval / containers-10", "evaluate a loop over 10 containers"),
    (
        "eval / containers-1000",
        "evaluate a loop over 1,000 containers",
    ),
    ("eval / labels-50", "evaluate a search in 50 labels"),
    (
        "eval / nested-100x100",
        "evaluate a nested loop of 100 × 100",
    ),
    (
        "evaluation / ten_validations",
        "evaluate a policy with ten validations for a Deployment",
    ),
    ("parse / compare", "parse `object.spec.replicas <= 5`"),
    ("parse / guard", "parse a `has` test of a field"),
    ("parse / macros", "parse a nested loop"),
    ("parse / policy", "parse a 4 KB expression"),
    (
        "yaml / broken",
        "parse the YAML of a policy with a syntax error",
    ),
    ("yaml / policy", "parse the YAML of a 294-line policy"),
    (
        "yaml / stream",
        "parse the YAML of 100 such policies (1.2 MB)",
    ),
    (
        "yaml / split / policy",
        "split the YAML of a 294-line policy into documents",
    ),
    (
        "yaml / split / stream",
        "split the YAML of 100 such policies into documents",
    ),
];

/// A row: what is measured, our figure, and those of the peers.
struct Row {
    what: String,
    ours: String,
    peers: Vec<String>,
}

/// Measurements without a peer.
pub(super) struct OwnFigures {
    /// In the policy of four kinds, and in one of a thousand validations.
    pub(super) keystrokes: [Keystroke; 2],
    /// A policy of ten validations and one of four kinds, in live mode.
    pub(super) live: [Live; 2],
    /// Every request of an editor in the policy of four kinds.
    pub(super) requests: Requests,
    /// `check` over many files and over one policy.
    pub(super) checks: [Check; 2],
    pub(super) growth: Growth,
    pub(super) replay: Replay,
}

/// Returns all figures as one table in Markdown. A peer's figure is followed by its ratio to ours.
pub(super) fn table(
    functions: &[Function],
    ours: &Latency,
    peer: Option<(&str, &Latency)>,
    alone: &OwnFigures,
) -> String {
    let mut rows = function_rows(functions);
    rows.extend(latency_rows(ours, peer));
    rows.extend(alone.rows());
    let mut table = String::from("| measurement | Admissible | peers |\n|---|---|---|\n");
    for Row { what, ours, peers } in rows {
        let _ = writeln!(table, "| {what} | {ours} | {} |", peers.join(", "));
    }
    table
}

impl OwnFigures {
    fn rows(&self) -> Vec<Row> {
        let row = |what: &str, ours: String| Row {
            what: what.into(),
            ours,
            peers: Vec::new(),
        };
        let [small, large] = &self.live;
        let [check, policy] = &self.checks;
        let replay = &self.replay;
        let seconds = replay.time / 1000.0;
        let live = |live: &Live| format!("{:.1} ms, {:.1} ms", live.p50, live.p99);
        let mut rows = self.editor_rows();
        rows.extend([
            row(
                "from a change to live values in a policy with ten validations, median and 99th percentile",
                live(small),
            ),
            row(
                "the same in a 294-line policy for four kinds",
                live(large),
            ),
            row(
                "`check` of 5,000 files (26 MB), one in ten of them a policy",
                format!("{:.2} s", check.time / 1000.0),
            ),
            row("the same, peak memory", megabytes(check.memory)),
            row(
                "`check` of a policy with ten validations, including process startup",
                format!("{:.1} ms", policy.time),
            ),
            row(
                "`replay` of 100,000 pods (456 MB) against ten policies",
                format!(
                    "{seconds:.1} s, {:.0},000 objects per second",
                    f64::from(replay.objects) / seconds / 1000.0
                ),
            ),
            row("the same, peak memory", megabytes(replay.memory)),
        ]);
        rows.extend(self.growth.rows());
        rows
    }

    fn editor_rows(&self) -> Vec<Row> {
        let requests = self.requests.rows();
        self.keystroke_rows().into_iter().chain(requests).collect()
    }

    fn keystroke_rows(&self) -> [Row; 2] {
        let [policy_of_kinds, validations] = &self.keystrokes;
        let row = |what: &str, figures: &Keystroke| Row {
            what: what.into(),
            ours: format!("{:.1} ms, {:.1} ms", figures.p50, figures.p99),
            peers: Vec::new(),
        };
        [
            row(
                "keystroke in a 294-line policy for four kinds, median and 99th percentile",
                policy_of_kinds,
            ),
            row("the same in a policy with 1,000 validations", validations),
        ]
    }
}

impl Requests {
    fn rows(&self) -> impl Iterator<Item = Row> {
        const WHILE_TYPING: [&str; 2] = ["textDocument/completion", "textDocument/hover"];
        let is_typed = |method: &str| WHILE_TYPING.contains(&method);
        let slowest = [
            ("completion or hover", self.slowest(is_typed)),
            (
                "any other request",
                self.slowest(|method| !is_typed(method)),
            ),
        ];
        let row = |(what, slowest): (&str, Option<(&str, &Request)>)| {
            let (method, request) = slowest?;
            Some(Row {
                what: format!(
                    "{what} in the 294-line policy, slowest method (`{method}`), median and \
                     99th percentile"
                ),
                ours: format!("{:.1} ms, {:.1} ms", request.p50, request.p99),
                peers: Vec::new(),
            })
        };
        slowest.into_iter().filter_map(row)
    }
}

impl Growth {
    fn rows(&self) -> impl Iterator<Item = Row> {
        let large = Row {
            what: "`check` of a 1.4 MB CustomResourceDefinition with 103 rules".to_owned(),
            ours: format!("{:.0} ms", self.large.time),
            peers: Vec::new(),
        };
        let curves = self.curves.iter().map(|curve| {
            let counts: Vec<String> = curve.times.iter().map(|it| it.0.to_string()).collect();
            let times: Vec<String> = curve
                .times
                .iter()
                .map(|it| format!("{:.1}", it.1))
                .collect();
            Row {
                what: format!("`check` of {} {}", counts.join(", "), curve.name),
                ours: format!("{} ms", times.join(", ")),
                peers: Vec::new(),
            }
        });
        std::iter::once(large).chain(curves)
    }
}

/// Returns a row for each of our functions, with the peers that do the same.
fn function_rows(functions: &[Function]) -> Vec<Row> {
    let peer = |it: &Function| PEERS.iter().find(|(name, _)| *name == it.name);
    let row = |function: &Function| {
        let same = |it: &&Function| (&it.bench, &it.case) == (&function.bench, &function.case);
        let figure = |it: &Function| {
            let times = it.nanoseconds / function.nanoseconds;
            peer(it).map(|(_, name)| format!("`{name}` {} ({times:.1}×)", time(it.nanoseconds)))
        };
        Row {
            what: format!("{}, median", title(function)),
            ours: time(function.nanoseconds),
            peers: match &*function.name {
                OURS => functions.iter().filter(same).filter_map(figure).collect(),
                _ => Vec::new(),
            },
        }
    };
    let ours = functions.iter().filter(|it| peer(it).is_none());
    ours.map(row).collect()
}

/// Returns the title of a function's benchmark, if known, otherwise its name.
fn title(function: &Function) -> String {
    let mut parts = vec![function.bench.as_str()];
    if function.name != OURS {
        parts.push(&function.name);
    }
    if !function.case.is_empty() {
        parts.push(&function.case);
    }
    let name = parts.join(" / ");
    let words = TITLES.iter().find(|(it, _)| *it == name);
    words.map_or(name.clone(), |(_, words)| (*words).to_owned())
}

fn latency_rows(ours: &Latency, peer: Option<(&str, &Latency)>) -> Vec<Row> {
    let row = |what: &str, of: fn(&Latency) -> f64| {
        let figure = |(name, peer): (&str, &Latency)| {
            let times = of(peer) / of(ours);
            format!("{name} {:.1} ms ({times:.0}×)", of(peer))
        };
        Row {
            what: what.into(),
            ours: format!("{:.1} ms", of(ours)),
            peers: peer.map(figure).into_iter().collect(),
        }
    };
    let memory = |(name, peer): (&str, &Latency)| format!("{name} {}", megabytes(peer.memory));
    vec![
        row("from a change to its findings, median", |it| it.p50),
        row("from a change to its findings, 99th percentile", |it| {
            it.p99
        }),
        row("from opening a file to its findings", |it| it.open),
        row("server startup", |it| it.initialize),
        Row {
            what: "server memory".into(),
            ours: megabytes(ours.memory),
            peers: peer.map(memory).into_iter().collect(),
        },
    ]
}

/// Formats a time in a readable unit.
fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        it if it < 1e3 => format!("{it:.0} ns"),
        it if it < 1e6 => format!("{:.1} µs", it / 1e3),
        it => format!("{:.2} ms", it / 1e6),
    }
}

fn megabytes(memory: Option<u64>) -> String {
    memory.map_or("not measured".into(), |mb| format!("{mb} MB"))
}

/// Returns the page with this table in place of the one that it holds.
///
/// # Errors
/// If the page has no table.
pub(super) fn with_table(page: &str, table: &str) -> Result<String, Error> {
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else {
        return Err(Error::Failed(format!("{FILE} has no line `{BEGIN}`")));
    };
    Ok(format!("{before}{BEGIN}\n{table}{END}{after}"))
}
