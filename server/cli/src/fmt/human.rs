//! The report for people: which files change, and which expressions are left unchanged.

use super::{FormattedFile, Run};
use crate::arguments::Fmt;
use crate::problem::write_message;
use crate::report::diff::unified;
use crate::report::nothing;
use crate::report::summary::counted;
use crate::terminal::{Terminal, printable, printable_name};
use annotate_snippets::Level;
use ide::UnformattedReason;
use std::io::{self, Write};
use text::LineIndex;

pub(super) fn write(run: &Run, options: &Fmt, terminal: &Terminal) -> io::Result<()> {
    for file in &run.files {
        write_unformatted(file, terminal)?;
    }
    let mut out = terminal.stdout();
    for file in &run.files {
        let Some(new) = &file.new else { continue };
        if options.diff {
            write!(out, "{}", printable(&unified(&file.path, &file.old, new)))?;
        } else if options.check {
            writeln!(out, "Would format {}", printable_name(&file.path))?;
        }
    }
    out.flush()?;
    if options.quiet {
        return Ok(());
    }
    // Standard output may be for another program.
    let is_stdout_taken = options.diff || run.files.iter().any(|file| file.real_path.is_none());
    let mut lines = vec![summary(run, options)];
    if run.problems.is_empty() && run.files.iter().all(|file| file.documents == 0) {
        let handled = |kind: policy::Kind| kind.bound_kind().is_none();
        lines.extend(nothing::lines(&options.paths, handled));
    }
    let lines = lines.join("\n");
    if is_stdout_taken {
        writeln!(terminal.stderr(), "{}", printable(&lines))
    } else {
        writeln!(out, "{}", printable(&lines))
    }
}

/// Returns the summary line.
fn summary(run: &Run, options: &Fmt) -> String {
    if run.files.is_empty() && run.problems.is_empty() {
        return "No files to format: no .yaml, .yml or .json file was found".to_owned();
    }
    let in_files = |count| counted(count, "file", "files");
    let has_policies = |file: &&FormattedFile| file.documents > 0;
    let files = run.files.iter().filter(has_policies).count();
    if files == 0 {
        let files = in_files(run.files.len());
        return format!("Nothing to format: no policy, webhook or CRD in {files}");
    }
    let changed = run.files.iter().filter(|file| file.new.is_some()).count();
    let expressions = run.files.iter().filter(|file| file.new.is_some());
    let expressions = expressions.map(|file| file.result.changed).sum();
    let unformatted = run.files.iter().map(|file| file.result.unformatted.len());
    let unformatted: usize = unformatted.sum();
    let done = if options.is_dry() {
        "Would format"
    } else {
        "Formatted"
    };
    let unwritten = run.files.iter().filter(|file| !file.is_written).count();
    let mut line = match changed {
        0 if unwritten == files => "Nothing formatted".to_owned(),
        0 => format!("{} already formatted", in_files(files - unwritten)),
        _ => format!(
            "{done} {} in {} of {}",
            counted(expressions, "expression", "expressions"),
            changed,
            in_files(files)
        ),
    };
    if unwritten > 0 {
        let unwritten = in_files(unwritten);
        line.push_str(&format!(", {unwritten} not written"));
    }
    if unformatted > 0 {
        let left = counted(unformatted, "expression", "expressions");
        line.push_str(&format!(", {left} left alone"));
    }
    line
}

/// Writes why expressions are left unchanged. Those in templates are only counted.
fn write_unformatted(file: &FormattedFile, terminal: &Terminal) -> io::Result<()> {
    let lines = LineIndex::new(&file.old);
    for unformatted in &file.result.unformatted {
        if unformatted.reason == UnformattedReason::Template {
            continue;
        }
        let line = lines.line(unformatted.range.start()) + 1;
        let message = format!(
            "{}:{line}: not formatted: {}",
            file.path,
            unformatted.reason.message()
        );
        write_message(Level::WARNING, &message, terminal)?;
    }
    Ok(())
}
