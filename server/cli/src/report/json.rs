//! `--format json`: one object, for programs.
//!
//! The shape is stable; `server/docs/command-line.md` documents it with its units:
//! fields are added, never changed, as long as `version` is 1.

use super::columns::{Position, Region};
use super::summary::Summary;
use super::{Report, Source, shown_from_here};
use ide::{Diagnostic, Fix, Related, Safety, Tag};
use serde::Serialize;
use std::io::{self, Write};
use workspace::{Config, ConfigProblem, StreamPosition};

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    files: Vec<JsonFile<'a>>,
    findings: Vec<JsonFinding<'a>>,
    problems: Vec<JsonProblem<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct JsonFile<'a> {
    path: &'a str,
    policies: usize,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    path: &'a str,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    range: JsonRange,
    upstream: Option<&'a str>,
    related: Vec<JsonRelated<'a>>,
    fixes: Vec<JsonFix<'a>>,
    tag: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    /// The file, if it is not that of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    range: JsonRange,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    preferred: bool,
    safety: &'static str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonEdit<'a> {
    range: JsonRange,
    new_text: &'a str,
}

#[derive(Serialize)]
struct JsonProblem<'a> {
    path: String,
    message: &'a str,
    range: Option<JsonRange>,
}

#[derive(Serialize)]
pub(crate) struct JsonRange {
    start: JsonPlace,
    end: JsonPlace,
}

#[derive(Serialize)]
struct JsonPlace {
    line: u64,
    column: u64,
    offset: u64,
}

/// Writes a report.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let output = Output {
        version: 1,
        files: report.files.iter().map(JsonFile::from).collect(),
        findings: findings(report),
        problems: problems(report),
        summary: Summary::new(report),
    };
    write_value(&output, out)
}

/// Writes a value as JSON with a line break at its end.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write_value(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut buffered = io::BufWriter::new(out);
    serde_json::to_writer_pretty(&mut buffered, value)?;
    writeln!(buffered)?;
    buffered.flush()
}

fn findings(report: &Report) -> Vec<JsonFinding<'_>> {
    let mut all = Vec::new();
    for file in &report.files {
        let Some(source) = &file.source else { continue };
        for finding in &file.findings {
            all.push(json_finding(&file.path, finding, source));
        }
    }
    all
}

fn json_finding<'a>(path: &'a str, finding: &'a Diagnostic, source: &Source) -> JsonFinding<'a> {
    let related = |related: &'a Related| JsonRelated {
        path: related
            .elsewhere
            .as_ref()
            .map(|it| shown_from_here(&it.file)),
        range: match &related.elsewhere {
            Some(place) => Region::elsewhere(place).into(),
            None => source.region(related.range).into(),
        },
        message: &related.message,
    };
    JsonFinding {
        path,
        code: finding.code,
        severity: finding.severity.as_str(),
        message: &finding.message,
        range: source.region(finding.range).into(),
        upstream: finding.upstream.as_deref(),
        related: finding.related.iter().map(related).collect(),
        fixes: finding
            .fixes
            .iter()
            .map(|fix| json_fix(fix, source))
            .collect(),
        tag: finding.tag.map(|tag| match tag {
            Tag::Unnecessary => "unnecessary",
            Tag::Deprecated => "deprecated",
        }),
    }
}

fn json_fix<'a>(fix: &'a Fix, source: &Source) -> JsonFix<'a> {
    JsonFix {
        title: &fix.title,
        preferred: fix.safety == Safety::Safe,
        safety: fix.safety.as_str(),
        edits: fix
            .edits
            .iter()
            .map(|edit| JsonEdit {
                range: source.region(edit.range).into(),
                new_text: &edit.insert,
            })
            .collect(),
    }
}

fn problems(report: &Report) -> Vec<JsonProblem<'_>> {
    let paths = report.problems.iter().map(|problem| JsonProblem {
        path: problem.path.clone(),
        message: &problem.message,
        range: None,
    });
    let configs = report.configs.iter().flat_map(|config| {
        let problems = config.problems().iter();
        let source = Source::new(config.text().into());
        problems.map(move |problem| config_problem(config, &source, problem))
    });
    paths.chain(configs).collect()
}

fn config_problem<'a>(
    config: &Config,
    source: &Source,
    problem: &'a ConfigProblem,
) -> JsonProblem<'a> {
    JsonProblem {
        path: config.path().map(shown_from_here).unwrap_or_default(),
        message: &problem.message,
        range: Some(source.region(problem.range).into()),
    }
}

impl<'a> From<&'a super::FileReport> for JsonFile<'a> {
    fn from(file: &'a super::FileReport) -> Self {
        JsonFile {
            path: &file.path,
            policies: file.policies,
        }
    }
}

impl From<Region> for JsonRange {
    fn from(places: Region) -> Self {
        JsonRange {
            start: places.start.into(),
            end: places.end.into(),
        }
    }
}

impl From<Position> for JsonPlace {
    fn from(place: Position) -> Self {
        JsonPlace {
            line: place.line.into(),
            column: place.column.into(),
            offset: place.offset.into(),
        }
    }
}

impl From<StreamPosition> for JsonRange {
    /// Returns an empty range at a position.
    fn from(at: StreamPosition) -> Self {
        let position = || JsonPlace {
            line: at.line,
            column: at.column,
            offset: at.offset,
        };
        Self {
            start: position(),
            end: position(),
        }
    }
}
