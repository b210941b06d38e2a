//! `--format human`: what is decided, each reason below its line, and the values.

use super::{Outcome, PolicyOutcome};
use crate::report::human::write_place;
use crate::terminal::{Terminal, printable};
use annotate_snippets::Renderer;
use ide::evaluate::{DecisionOutcome, VerdictKind};
use std::io::{self, Write};

const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// Limit: the characters of a value in a line.
const MAX_VALUE: usize = 100;

/// Limit: the characters of a part in a line.
const MAX_PART: usize = 60;

/// Writes what the policies decide.
///
/// # Errors
/// When the output cannot be written.
pub(super) fn write(outcome: &Outcome, trace: bool, terminal: &Terminal) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal.width);
    let mut out = terminal.stdout();
    for policy in &outcome.policies {
        for denial in policy.evaluation.objections() {
            let (kind, message) = match &denial.outcome {
                DecisionOutcome::Holds => continue,
                DecisionOutcome::Denies { message, .. } => ("denied", message),
                DecisionOutcome::Fails { message, denies } => match denies {
                    true => ("denied because it fails", message),
                    false => ("fails, and failurePolicy is Ignore", message),
                },
            };
            let message = format!("{kind}: {message}");
            write_place(
                &outcome.path,
                &outcome.source,
                denial.range,
                &message,
                &renderer,
                &mut out,
            )?;
        }
        if trace {
            write_trace(policy, outcome, &mut out)?;
        }
        write_summary(policy, outcome, &mut out)?;
    }
    Ok(())
}

fn write_summary(policy: &PolicyOutcome, outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    for (key, value) in &policy.evaluation.audit_annotations {
        writeln!(
            out,
            "audit annotation {}: {}",
            printable(key),
            printable(value)
        )?;
    }
    let verdict = match &policy.evaluation.verdict {
        VerdictKind::Allowed => "Allowed".to_owned(),
        VerdictKind::Denied => "Denied".to_owned(),
        VerdictKind::Ignored => {
            "Allowed, because a match condition fails and failurePolicy is Ignore".to_owned()
        }
        VerdictKind::Skipped { range } => {
            let line = outcome.source.lines.line(range.start()) + 1;
            format!("Allowed, because the match condition in line {line} is false")
        }
    };
    let name = match policy.name.as_str() {
        "" => "a policy without a name",
        name => name,
    };
    let cost = policy.evaluation.cost;
    writeln!(
        out,
        "{BOLD}{verdict}{RESET}: {} by {} (cost {cost})",
        printable(&policy.request),
        printable(name)
    )
}

fn write_trace(policy: &PolicyOutcome, outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    for expression in &policy.expressions {
        let line = outcome.source.lines.line(expression.range.start()) + 1;
        let value = expression.result.short(MAX_VALUE);
        writeln!(
            out,
            "{} (line {line}) = {}",
            printable(&expression.path),
            printable(&value)
        )?;
        for step in &expression.trace {
            let indent = "  ".repeat(step.depth + 1);
            let text: String = shortened(&step.text);
            let value = step.result.short(MAX_VALUE);
            writeln!(out, "{indent}{} = {}", printable(&text), printable(&value))?;
        }
    }
    writeln!(out)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_PART {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(MAX_PART - 1).collect();
    short.push('…');
    short
}
