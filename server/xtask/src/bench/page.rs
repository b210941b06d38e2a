//! The table of the page `server/docs/benchmarks.md`.

use super::measure::{Check, Function, Latency};
use crate::error::Error;
use std::fmt::Write;

/// The page.
pub(super) const FILE: &str = "server/docs/benchmarks.md";

/// The lines of the page that the table stands between.
const BEGIN: &str = "<!-- begin: cargo xtask bench --write -->";
const END: &str = "<!-- end -->";

/// All figures as one table in Markdown.
pub(super) fn table(
    functions: &[Function],
    servers: &[(String, Latency)],
    check: &Check,
) -> String {
    let mut table = String::from("| what | figure |\n|---|---|\n");
    for Function { name, median } in functions {
        let _ = writeln!(table, "| {name} (median) | {median} |");
    }
    for (name, latency) in servers {
        let Latency {
            initialize,
            open,
            p50,
            p99,
            memory,
        } = latency;
        let memory = megabytes(*memory);
        let _ = writeln!(
            table,
            "| {name}: change to findings | p50 {p50:.2} ms, p99 {p99:.2} ms |\n\
             | {name}: start, open to findings | {initialize:.0} ms, {open:.1} ms |\n\
             | {name}: memory | {memory} |"
        );
    }
    let seconds = check.time / 1000.0;
    let memory = megabytes(check.memory);
    let _ = writeln!(
        table,
        "| `admissible check`, 5,000 files of 26 MB, one in ten a policy | {seconds:.2} s |\n\
         | `admissible check`, peak memory | {memory} |"
    );
    table
}

fn megabytes(memory: Option<u64>) -> String {
    memory.map_or("not measured on this system".into(), |mb| {
        format!("{mb} MB")
    })
}

/// The page with this table in place of the one that it holds.
///
/// # Errors
/// When the page has no place for it.
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
