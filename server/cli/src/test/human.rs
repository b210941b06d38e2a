//! `--format human`: a line for each test, then each failure with its positions and values.

use super::case::{Case, Status};
use super::coverage::{FileCoverage, share};
use super::failure::{Deciding, Differing, Failure};
use super::suite::Suite;
use super::summary::Summary;
use super::{Run, coverage};
use crate::arguments::Test;
use crate::report::human::snippet;
use crate::report::nothing;
use crate::terminal::{Terminal, printable, printable_name};
use annotate_snippets::{Group, Level, Origin, Renderer};
use evaluation::coverage::{Count, Totals};
use evaluation::expectation::Difference;
use evaluation::run::shortened;
use similar::{ChangeTag, TextDiff};
use std::io::{self, Write};

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// Limit: characters of a value in a line.
const MAX_VALUE: usize = 100;

/// Limit: characters of an expression in a line.
const MAX_PART: usize = 60;

/// Writes a run.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(run: &Run, options: &Test, terminal: &Terminal) -> io::Result<()> {
    let mut out = io::BufWriter::new(terminal.stdout());
    if !options.quiet {
        for suite in run.tested().filter(|suite| !suite.cases.is_empty()) {
            write_listing(suite, &mut out)?;
        }
    }
    write_failures(run, terminal, &mut out)?;
    if options.covers() {
        write_coverage(run, &mut out)?;
    }
    write_summary(run, options, &mut out)?;
    out.flush()
}

/// Writes the failures in full.
fn write_failures(run: &Run, terminal: &Terminal, out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal.width);
    for suite in run.tested() {
        for case in &suite.cases {
            if let Status::Failed(failure) = &case.status {
                write_failure(suite, case, failure, &renderer, out)?;
            }
        }
    }
    Ok(())
}

fn write_listing(suite: &Suite, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{RESET}", printable_name(&suite.path))?;
    // The policy is named if the file has several.
    let names = suite.cases.iter().map(|case| &case.policy);
    let are_several = names.clone().any(|name| Some(name) != names.clone().next());
    for case in &suite.cases {
        let (color, word) = match &case.status {
            Status::Passed(_) => (GREEN, "ok    "),
            Status::Failed(_) => (RED, "FAILED"),
            Status::Broken(_) => (YELLOW, "ERROR "),
        };
        let name = if are_several {
            case.full_name()
        } else {
            case.name.clone()
        };
        write!(out, "  {color}{word}{RESET} {}", printable(&name))?;
        match &case.status {
            Status::Broken(reason) => writeln!(out, "{DIM}: {}{RESET}", printable(reason))?,
            Status::Passed(_) | Status::Failed(_) => writeln!(out)?,
        }
    }
    writeln!(out)
}

fn write_failure(
    suite: &Suite,
    case: &Case,
    failure: &Failure,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = case.full_name();
    writeln!(
        out,
        "{RED}{BOLD}FAILED{RESET} {BOLD}{}{RESET}",
        printable(&name)
    )?;
    for differing in &failure.differences {
        let group = difference_group(differing);
        writeln!(out, "{}", renderer.render(&[group]))?;
        write_texts(differing, out)?;
    }
    for deciding in &failure.deciders {
        if let Some(group) = decider_group(suite, deciding) {
            writeln!(out, "{}", renderer.render(&[group]))?;
        }
        write_steps(deciding, out)?;
    }
    if failure.more > 0 {
        let verb = if failure.more == 1 { "place" } else { "places" };
        writeln!(out, "  and {} more {verb}", failure.more)?;
    }
    writeln!(out)
}

fn difference_group(differing: &Differing) -> Group<'static> {
    let title = Level::ERROR.primary_title(printable(&differing.message).into_owned());
    let path = printable_name(&differing.path).into_owned();
    match &differing.place {
        Some((source, range)) => title.element(snippet(source, *range, path)),
        None => title.element(Origin::path(path)),
    }
}

fn decider_group(suite: &Suite, deciding: &Deciding) -> Option<Group<'static>> {
    let label = printable(&deciding.description()).into_owned();
    let title = Level::NOTE.secondary_title(match deciding.field.as_str() {
        "" => label.clone(),
        field => format!("{} {label}", printable(field)),
    });
    let (Some(source), Some(range)) = (&suite.source, deciding.range) else {
        return Some(Group::with_title(title));
    };
    let path = printable_name(&suite.path).into_owned();
    Some(title.element(snippet(source, range, path)))
}

/// Writes the expected and the actual value.
fn write_texts(differing: &Differing, out: &mut dyn Write) -> io::Result<()> {
    if let Some(diff) = differing.diff() {
        return write_diff(&diff, out);
    }
    if matches!(
        differing.difference,
        Difference::Decision { .. } | Difference::Reason { .. } | Difference::Code { .. }
    ) {
        return Ok(());
    }
    let (expected, found) = differing.difference.expected_and_found();
    let Some(found) = found else {
        return write_lines("expected", &printable(&expected), out);
    };
    let diff = TextDiff::from_words(expected.as_str(), found.as_str());
    let side = |gone: ChangeTag, color: &str| {
        let mut text = String::new();
        for change in diff.iter_all_changes() {
            let words = printable(change.value()).into_owned();
            match change.tag() {
                ChangeTag::Equal => text.push_str(&words),
                tag if tag == gone => text.push_str(&format!("{color}{words}{RESET}")),
                _ => {}
            }
        }
        text
    };
    write_lines("expected", &side(ChangeTag::Delete, GREEN), out)?;
    write_lines("actual", &side(ChangeTag::Insert, RED), out)
}

fn write_lines(title: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut title = title;
    for line in text.split('\n') {
        writeln!(out, "  {title:8}  {line}")?;
        title = "";
    }
    Ok(())
}

fn write_diff(diff: &str, out: &mut dyn Write) -> io::Result<()> {
    for line in diff.lines() {
        let color = match line.as_bytes().first() {
            Some(b'-') => GREEN,
            Some(b'+') => RED,
            _ => "",
        };
        writeln!(out, "  {color}{}{RESET}", printable(line))?;
    }
    Ok(())
}

fn write_steps(deciding: &Deciding, out: &mut dyn Write) -> io::Result<()> {
    for step in &deciding.steps {
        let indent = "  ".repeat(step.depth + 2);
        let text = shortened(&step.text, MAX_PART);
        let value = step.value.sized(MAX_VALUE);
        writeln!(out, "{indent}{} = {}", printable(&text), printable(&value))?;
    }
    Ok(())
}

fn write_coverage(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}Coverage{RESET}")?;
    for suite in &run.suites {
        if let Some(coverage) = &suite.coverage {
            write_file_coverage(suite, coverage, out)?;
        }
    }
    let all = coverage::of_all(run);
    let (percent, counts) = (all.percent(), counts(all.totals));
    writeln!(out, "  {BOLD}{percent:5.1}%{RESET}  all files: {counts}\n")
}

fn write_file_coverage(
    suite: &Suite,
    coverage: &FileCoverage,
    out: &mut dyn Write,
) -> io::Result<()> {
    let percent = coverage.percent();
    let path = printable_name(&suite.path);
    if suite.cases.is_empty() {
        return writeln!(out, "  {percent:5.1}%  {path}: no tests");
    }
    writeln!(out, "  {percent:5.1}%  {path}: {}", counts(coverage.totals))?;
    let Some(source) = &suite.source else {
        return Ok(());
    };
    for never in &coverage.missing {
        let start = source.region(never.range).start;
        let (words, text) = (never.missing.description(), printable(&never.text));
        writeln!(
            out,
            "           {path}:{}:{}: {words}: {text}",
            start.line, start.column
        )?;
    }
    Ok(())
}

fn counts(totals: Totals) -> String {
    let (expressions, branches) = (totals.expressions, totals.branches);
    let counted = |count: Count, what: &str| {
        if count.total == 0 {
            return format!("no {what}");
        }
        let percent = share(count.covered, count.total);
        format!(
            "{percent:.0}% ({} of {}) of the {what}",
            count.covered, count.total
        )
    };
    let expressions = counted(expressions, "expressions");
    format!("{expressions}, {}", counted(branches, "branches"))
}

/// Writes the summary of all tests, of which some were run again.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_total(run: &Run, options: &Test, terminal: &Terminal) -> io::Result<()> {
    let line = Summary::new(run).line(options.filter.as_deref());
    writeln!(terminal.stdout(), "All tests: {}", printable(&line))
}

/// Writes where a run without tests has searched.
fn write_nothing(summary: &Summary, options: &Test, out: &mut dyn Write) -> io::Result<()> {
    if summary.files == 0 {
        let handled = |kind: policy::Kind| kind.bound_kind().is_none();
        for line in nothing::lines(&options.paths, handled) {
            writeln!(out, "{}", printable(&line))?;
        }
    } else if options.filter.is_none() {
        writeln!(
            out,
            "Looked for inputs with `expect` in POLICY.inputs.yaml and POLICY.inputs/ next to \
             POLICY.yaml; `admissible init-input POLICY.yaml` writes some"
        )?;
    }
    Ok(())
}

fn write_summary(run: &Run, options: &Test, out: &mut dyn Write) -> io::Result<()> {
    let summary = Summary::new(run);
    let line = summary.line(options.filter.as_deref());
    let color = if summary.failed + summary.errors > 0 {
        RED
    } else if summary.passed > 0 {
        GREEN
    } else {
        ""
    };
    let line = printable(&line);
    let seconds = run.elapsed.as_secs_f64();
    writeln!(out, "{BOLD}{color}{line}{RESET} in {seconds:.2} s")?;
    if summary.tests() + summary.problems == 0 {
        write_nothing(&summary, options, out)?;
    }
    if run.is_uncovered(options)
        && let Some(least) = options.fail_uncovered
    {
        let percent = coverage::of_all(run).percent();
        writeln!(out, "{RED}Coverage is {percent:.1}%, below {least}%{RESET}")?;
    }
    Ok(())
}
