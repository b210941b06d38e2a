//! One file: read, analysed, reduced to what a report needs.
//!
//! A worker holds the tree of one file at a time. What stays of a file without findings is
//! its path, so that the memory of a run follows from the findings, not from the files.

use crate::report::{FileReport, PathProblem, Source, shown};
use ide::{Project, SourceFile, Target};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use workspace::{Configs, Error, read_file, read_text};

use super::STDIN_NAME;

/// What has become of a file.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was analysed.
    Checked(FileReport),
    /// It could not be.
    Problem(PathProblem),
}

/// Analyses a file, for `target` where it is given.
pub(super) fn of_file(path: &Path, configs: &Configs, target: Option<Target>) -> Outcome {
    of_text(shown(path), read_file(path), path, (configs, target))
}

/// Analyses standard input, which stands for the file `name`.
pub(super) fn of_stdin(name: Option<&Path>, configs: &Configs, target: Option<Target>) -> Outcome {
    let path = name.map_or_else(|| STDIN_NAME.to_owned(), shown);
    let place = name.unwrap_or(Path::new(STDIN_NAME));
    let text = read_text(io::stdin().lock());
    of_text(path, text, place, (configs, target))
}

fn of_text(
    path: String,
    text: Result<String, Error>,
    place: &Path,
    set: (&Configs, Option<Target>),
) -> Outcome {
    let text: Arc<str> = match text {
        Ok(text) => text.into(),
        Err(error) => {
            return Outcome::Problem(PathProblem {
                path,
                message: error.to_string(),
            });
        }
    };
    contained(path, |path| analyse(path, text, place, set))
}

fn analyse(
    path: String,
    text: Arc<str>,
    place: &Path,
    (configs, target): (&Configs, Option<Target>),
) -> FileReport {
    let config = configs.of(place);
    let target = target.or(config.target()).unwrap_or_default();
    let file = SourceFile::in_project(Arc::clone(&text), Arc::new(Project::new(target)));
    let findings = ide::diagnostics(&file, config.settings());
    let source = (!findings.is_empty()).then(|| Source {
        text,
        lines: file.line_index().clone(),
    });
    FileReport {
        path,
        policies: policies(&file),
        findings,
        source,
    }
}

/// The policies, whatever is in them, and the other documents that have an expression.
fn policies(file: &SourceFile) -> usize {
    let documents = file.policies().iter();
    documents
        .filter(|document| document.kind().is_policy() || !document.expressions().is_empty())
        .count()
}

/// Runs an analysis. A defect in it costs the file that it shows in, not the run.
fn contained(path: String, analysis: impl FnOnce(String) -> FileReport) -> Outcome {
    let name = path.clone();
    match catch_unwind(AssertUnwindSafe(|| analysis(name))) {
        Ok(report) => Outcome::Checked(report),
        Err(_) => Outcome::Problem(PathProblem {
            path,
            message: "the analysis stopped because of a defect in admissible; please report it with this file"
                .to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defect_costs_one_file() {
        let outcome = contained("a.yaml".to_owned(), |_| panic!("a defect"));
        let Outcome::Problem(problem) = outcome else {
            panic!("no problem")
        };
        assert_eq!(problem.path, "a.yaml");
    }
}
