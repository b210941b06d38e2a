//! `--format human`: each finding with an excerpt, as compilers show it.

use super::columns::Region;
use super::excerpt::{Excerpt, are_near, visible};
use super::summary::{Summary, counted};
use super::{FileReport, Report, Source, nothing, shown_from_here};
use crate::arguments::Check;
use crate::terminal::{Terminal, printable, printable_name};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet,
};
use ide::{Diagnostic, Fix, Related, Severity};
use std::io::{self, Write};
use text::TextRange;
use workspace::Config;

/// Limit: a fix with more edits is shown only by its title.
const MOST_EDITS: usize = 4;

/// Limit: a fix that writes more lines is shown only by its title.
const MOST_NEW_LINES: usize = 12;

const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// Writes the findings and, unless `quiet`, the summary.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(
    report: &Report,
    options: &Check,
    terminal: &Terminal,
    out: &mut dyn Write,
) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal.width);
    for file in &report.files {
        let Some(source) = &file.source else { continue };
        let mut text = String::new();
        for finding in &file.findings {
            text.push_str(&finding_text(&renderer, file, source, finding));
            text.push_str("\n\n");
        }
        out.write_all(text.as_bytes())?;
    }
    if options.quiet {
        return Ok(());
    }
    write_summary(report, options, out)
}

fn write_summary(report: &Report, options: &Check, out: &mut dyn Write) -> io::Result<()> {
    let summary = Summary::new(report);
    if report.fixed.is_some() {
        let line = summary.fixed_line(options.fix.is_unsafe);
        writeln!(out, "{BOLD}{line}{RESET}")?;
    }
    writeln!(out, "{BOLD}{}{RESET}", summary.line())?;
    if summary.is_nothing() {
        for line in nothing::lines(&options.paths, |_| true) {
            writeln!(out, "{}", printable(&line))?;
        }
    }
    if let Some(line) = fix_line(&summary, report.fixed.is_some()) {
        writeln!(out, "{line}")?;
    }
    if let Some((_, _, first)) = report.findings().next() {
        let code = first.code;
        writeln!(
            out,
            "Run `admissible rules CODE` to read about a rule, for example `admissible rules {code}`."
        )?;
    }
    Ok(())
}

/// Returns the line about the safe fixes that are left.
fn fix_line(summary: &Summary, is_fixed: bool) -> Option<String> {
    let fixable = if is_fixed {
        // The problem of the file is why its fixes are not applied.
        summary.fixable - summary.fixable_with_problem
    } else {
        summary.fixable
    };
    let findings = match (fixable, is_fixed) {
        (0, _) => return None,
        (1, true) => {
            return Some(
                "1 safe fix is not applied, since it leads to another error. Make the change to \
                 see that error."
                    .to_owned(),
            );
        }
        (count, true) => {
            return Some(format!(
                "{count} safe fixes are not applied, since they lead to other errors. Make the \
                 changes to see those errors."
            ));
        }
        (count, false) => counted(count, "finding has a safe fix", "findings have safe fixes"),
    };
    Some(format!(
        "{findings}: run with `--fix` to apply, or with `--diff` to see them."
    ))
}

/// Writes the problems to standard error.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write_problems(report: &Report, terminal: &Terminal) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal.width);
    let mut out = terminal.stderr();
    for problem in &report.problems {
        let path = printable_name(&problem.path);
        let text = format!("{path}: {}", problem.message);
        let title = Level::ERROR.primary_title(printable(&text).into_owned());
        writeln!(out, "{}", renderer.render(&[Group::with_title(title)]))?;
    }
    for config in &report.configs {
        write_config_problems(config, &renderer, &mut out)?;
    }
    Ok(())
}

fn write_config_problems(
    config: &Config,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> io::Result<()> {
    let path = config.path().map(shown_from_here).unwrap_or_default();
    let source = Source::new(config.text().into());
    for problem in config.problems() {
        write_place(
            &path,
            &source,
            problem.range,
            &problem.message,
            renderer,
            out,
        )?;
    }
    Ok(())
}

/// Writes an error with an excerpt.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write_place(
    path: &str,
    source: &Source,
    range: TextRange,
    message: &str,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_at((path, source, range), Level::ERROR, message, renderer, out)
}

/// Writes a message with an excerpt.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write_at(
    (path, source, range): (&str, &Source, TextRange),
    level: Level<'static>,
    message: &str,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> io::Result<()> {
    let snippet = snippet(source, range, printable_name(path).into_owned());
    let title = level.primary_title(printable(message).into_owned());
    writeln!(out, "{}\n", renderer.render(&[title.element(snippet)]))
}

/// Returns the lines of a range, which is underlined.
pub(crate) fn snippet(
    source: &Source,
    range: TextRange,
    path: String,
) -> Snippet<'static, Annotation<'static>> {
    let range = visible(source, range);
    let excerpt = Excerpt::new(source, &[range]);
    let annotation = AnnotationKind::Primary.span(excerpt.span(range));
    Snippet::source(excerpt.text)
        .line_start(excerpt.first_line)
        .path(path)
        .annotation(annotation)
}

/// A finding and its excerpt.
struct Shown<'a> {
    source: &'a Source,
    path: String,
    finding: &'a Diagnostic,
    range: TextRange,
    excerpt: Excerpt,
}

fn finding_text(
    renderer: &Renderer,
    file: &FileReport,
    source: &Source,
    finding: &Diagnostic,
) -> String {
    let range = visible(source, finding.range);
    let here = finding.related.iter().filter(|it| it.elsewhere.is_none());
    let near = here
        .map(|related| related.range)
        .filter(|related| are_near(source, range, *related));
    let mut ranges = vec![range];
    ranges.extend(near.map(|related| visible(source, related)));
    let report = Shown {
        source,
        path: printable_name(&file.path).into_owned(),
        finding,
        range,
        excerpt: Excerpt::new(source, &ranges),
    };
    let mut groups = report.head();
    if let Some(last) = groups.pop() {
        let (group, patches) = report.explained(last);
        groups.push(group);
        groups.extend(patches);
    }
    renderer.render(&groups)
}

impl Shown<'_> {
    /// Returns the title and the lines. Notes go into the last group.
    fn head(&self) -> Vec<Group<'static>> {
        let level = level(self.finding.severity);
        let title = level
            .clone()
            .primary_title(printable(&self.finding.message).into_owned())
            .id(self.finding.code);
        let snippet = self.snippet();
        if !self.excerpt.hides_start_of_line(self.range) {
            return vec![title.element(snippet.path(self.path.clone()))];
        }
        // The renderer would count the column in the window.
        let start = self.source.region(self.range).start;
        let origin = Origin::path(self.path.clone())
            .line(start.line as usize)
            .char_column(start.column as usize);
        vec![
            title.element(origin),
            Group::with_level(level).element(snippet),
        ]
    }

    fn snippet(&self) -> Snippet<'static, Annotation<'static>> {
        let primary = AnnotationKind::Primary.span(self.excerpt.span(self.range));
        let mut snippet = Snippet::source(self.excerpt.text.clone())
            .line_start(self.excerpt.first_line)
            .annotation(primary);
        for related in &self.finding.related {
            if !self.is_near(related) {
                continue;
            }
            let span = self.excerpt.span(visible(self.source, related.range));
            let label = printable(&related.message).into_owned();
            snippet = snippet.annotation(AnnotationKind::Context.span(span).label(label));
        }
        snippet
    }

    /// Returns the group with the notes of the finding, and one for each fix that is shown.
    fn explained(&self, group: Group<'static>) -> (Group<'static>, Vec<Group<'static>>) {
        let mut group = group;
        for related in &self.finding.related {
            if let Some(place) = &related.elsewhere {
                group = group.element(Level::NOTE.message(elsewhere(related, place)));
            } else if !self.is_near(related) {
                group = group.element(self.far_snippet(related));
            }
        }
        if let Some(upstream) = &self.finding.upstream {
            let text = format!("Kubernetes reports: {}", printable(upstream));
            group = group.element(Level::NOTE.message(text));
        }
        let mut patches = Vec::new();
        for fix in &self.finding.fixes {
            let title = printable(&fix.title).into_owned();
            match self.patched(fix) {
                Some(snippet) => patches.push(Level::HELP.secondary_title(title).element(snippet)),
                None => group = group.element(Level::HELP.message(title)),
            }
        }
        (group, patches)
    }

    /// Returns whether a range is in the excerpt of the finding.
    fn is_near(&self, related: &Related) -> bool {
        related.elsewhere.is_none() && are_near(self.source, self.range, related.range)
    }

    fn far_snippet(&self, related: &Related) -> Snippet<'static, Annotation<'static>> {
        let range = visible(self.source, related.range);
        let excerpt = Excerpt::new(self.source, &[range]);
        let label = printable(&related.message).into_owned();
        let annotation = AnnotationKind::Context
            .span(excerpt.span(range))
            .label(label);
        Snippet::source(excerpt.text)
            .line_start(excerpt.first_line)
            .path(self.path.clone())
            .annotation(annotation)
    }

    /// Returns the lines after a fix, if they are few enough to show.
    fn patched(&self, fix: &Fix) -> Option<Snippet<'static, Patch<'static>>> {
        let ranges: Vec<TextRange> = fix.edits.iter().map(|edit| edit.range).collect();
        let (first, last) = (ranges.first()?, ranges.last()?);
        let short = ranges.len() <= MOST_EDITS && are_near(self.source, *first, *last);
        let lines = fix
            .edits
            .iter()
            .map(|edit| edit.insert.lines().count())
            .sum::<usize>();
        if !short || lines > MOST_NEW_LINES {
            return None;
        }
        let excerpt = Excerpt::new(self.source, &ranges);
        if excerpt.is_cut() {
            return None;
        }
        let patches = fix.edits.iter().map(|edit| {
            Patch::new(
                excerpt.span(edit.range),
                printable(&edit.insert).into_owned(),
            )
        });
        Some(
            Snippet::source(excerpt.text.clone())
                .line_start(excerpt.first_line)
                .path(self.path.clone())
                .patches(patches),
        )
    }
}

/// Returns a location in another file on one line.
fn elsewhere(related: &Related, place: &ide::Location) -> String {
    let start = Region::elsewhere(place).start;
    let path = shown_from_here(&place.file);
    let (path, message) = (printable_name(&path), printable(&related.message));
    format!("{message}: {path}:{}:{}", start.line, start.column)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO.with_name(severity.as_str()),
        Severity::Hint => Level::HELP.with_name(severity.as_str()),
    }
}

#[cfg(test)]
mod tests;
