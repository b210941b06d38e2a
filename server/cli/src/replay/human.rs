//! `--format human`: the objects of each message, and a table of the policies.

use super::effect::Effect;
use super::tally::{Group, Tally};
use super::{Outcome, Policies};
use crate::arguments::Replay;
use crate::mutation;
use crate::problem;
use crate::terminal::{Terminal, printable};
use annotate_snippets::Level;
use std::io::{self, BufWriter, Write};
use std::iter;
use std::time::Duration;
use text::grouped;

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const RESET: &str = "\x1b[0m";

/// Limit: a shorter run does not report its speed.
const LONG: Duration = Duration::from_secs(1);

/// Writes the result of a replay.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(outcome: &Outcome, options: &Replay, terminal: &Terminal) -> io::Result<()> {
    let mut out = BufWriter::new(terminal.stdout());
    for group in outcome.tally.sorted_groups() {
        write_group(group, outcome, &mut out)?;
    }
    if !options.quiet {
        write_table(outcome, &mut out)?;
        write_notes(outcome, &mut out)?;
        writeln!(out, "{}", summary(outcome))?;
    }
    out.flush()
}

/// Writes the objects of a message.
fn write_group(group: &Group, outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let color = match group.effect {
        Effect::Denied => RED,
        Effect::Warned | Effect::Ignored | Effect::Unknown => YELLOW,
        Effect::Audited | Effect::Mutated => BLUE,
    };
    let what = match group.effect {
        Effect::Ignored => "failure ignored",
        effect => effect.as_str(),
    };
    let by = title(group.row, &outcome.tally, &outcome.policies);
    let message = match group.message.as_deref() {
        Some("") => String::new(),
        Some(message) => format!(": {message}"),
        None => ", with other messages".to_owned(),
    };
    writeln!(
        out,
        "{color}{what}{RESET} by {}{BOLD}{}{RESET}",
        printable(&by),
        printable(&message)
    )?;
    for example in &group.examples {
        let at = example.position;
        let location = format!("{}:{}:{}", example.path, at.line, at.column);
        let name = example.name.label();
        writeln!(out, "  {}  {}", printable(&name), printable(&location))?;
        if let Some(diff) = &example.diff {
            mutation::write(diff, "    ", out)?;
        } else if !group.fields.is_empty() {
            writeln!(out, "    (too many changes to show this one)")?;
        }
    }
    let more = group.count - group.examples.len() as u64;
    match (more, group.examples.is_empty()) {
        (0, _) => {}
        (_, true) => writeln!(out, "  {}", objects(more))?,
        (_, false) => writeln!(out, "  and {} more", grouped(more))?,
    }
    writeln!(out)
}

/// Returns a description of a policy with its binding.
fn title(row: usize, tally: &Tally, policies: &Policies) -> String {
    let Some(row) = tally.rows.get(row) else {
        return String::new();
    };
    let policy = policies.policies.get(row.policy);
    let policy = match policy.map_or("", |it| it.name.as_str()) {
        "" => "a policy without a name",
        name => name,
    };
    match &row.binding {
        Some(binding) => format!("{policy} with binding {binding}"),
        None => policy.to_owned(),
    }
}

const HEAD: [&str; 8] = [
    "Policy", "matched", "denied", "warned", "audited", "mutated", "failed", "skipped",
];

/// Writes the table of the policies.
fn write_table(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let tally = &outcome.tally;
    let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
    for (row, counts) in tally.counts.iter().enumerate() {
        let title = title(row, tally, &outcome.policies);
        rows.push(vec![
            printable(&title).into_owned(),
            grouped(counts.matched),
            grouped(counts.get(Effect::Denied)),
            grouped(counts.get(Effect::Warned)),
            grouped(counts.get(Effect::Audited)),
            grouped(counts.get(Effect::Mutated)),
            grouped(counts.failed),
            grouped(counts.skipped),
        ]);
    }
    if tally.totals.get(Effect::Unknown) > 0 {
        let counts = tally
            .counts
            .iter()
            .map(|it| grouped(it.get(Effect::Unknown)));
        let column = iter::once(Effect::Unknown.as_str().to_owned()).chain(counts);
        rows.iter_mut()
            .zip(column)
            .for_each(|(row, cell)| row.push(cell));
    }
    write_rows(&rows, out)
}

/// Writes the rows of a table, the first in bold.
fn write_rows(rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let mut widths = vec![0; rows.first().map_or(0, Vec::len)];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for (index, row) in rows.iter().enumerate() {
        let (start, end) = if index == 0 { (BOLD, RESET) } else { ("", "") };
        write!(out, "{start}")?;
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            match column {
                0 => write!(out, "{cell:<width$}")?,
                _ => write!(out, "  {cell:>width$}")?,
            }
        }
        writeln!(out, "{end}")?;
    }
    writeln!(out)
}

/// Writes the assumptions.
fn write_notes(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let policies = &outcome.policies;
    for policy in policies.unbound() {
        writeln!(
            out,
            "note: no binding found for {}, assuming Deny for everything",
            printable(&policy.name)
        )?;
    }
    Ok(())
}

/// Returns the summary line.
fn summary(outcome: &Outcome) -> String {
    let tally = &outcome.tally;
    let counts = Effect::ALL.map(|effect| (tally.totals.get(effect), effect.as_str()));
    let failed = (tally.totals.failed, "failed");
    let counts = counts.into_iter().filter(|(_, word)| *word != "ignored");
    let parts: Vec<String> = counts
        .chain([failed])
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{} {word}", grouped(count)))
        .collect();
    let parts = match parts.as_slice() {
        [] if tally.totals.matched == 0 => "no policy matches any of them".to_owned(),
        [] => "nothing would be denied, warned about or changed".to_owned(),
        parts => parts.join(", "),
    };
    let until = if outcome.is_partial {
        " before the interruption"
    } else {
        ""
    };
    let mut line = format!("{}{until}: {parts}", objects(tally.objects));
    if outcome.time >= LONG {
        let seconds = outcome.time.as_secs_f64();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a speed for people"
        )]
        let speed = (tally.objects as f64 / seconds) as u64;
        line.push_str(&format!(" ({seconds:.1} s, {} a second)", grouped(speed)));
    }
    line
}

fn objects(count: u64) -> String {
    match count {
        1 => "1 object".to_owned(),
        count => format!("{} objects", grouped(count)),
    }
}

/// Writes to standard error what was not evaluated.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_warnings(outcome: &Outcome, terminal: &Terminal) -> io::Result<()> {
    let tally = &outcome.tally;
    if tally.more_problems > 0 {
        let text = format!("{} more problems", grouped(tally.more_problems));
        problem::write_message(Level::ERROR, &text, terminal)?;
    }
    let unknown = tally.totals.get(Effect::Unknown);
    if unknown > 0 {
        let before = if outcome.reads_once {
            "; in a stream, put them before the objects that need them"
        } else {
            ""
        };
        let text = format!(
            "not all policies could be evaluated for {}: pass files with the missing namespaces \
             or parameters with --with{before}",
            objects(unknown)
        );
        problem::write_message(Level::WARNING, &text, terminal)?;
    }
    if outcome.is_partial {
        let evaluated = objects(tally.objects);
        let text = format!("interrupted after {evaluated}; the others were not evaluated");
        problem::write_message(Level::WARNING, &text, terminal)?;
    }
    Ok(())
}
