//! One file: read, analyzed, reduced to the parts that a report needs.
//!
//! A worker holds the tree of one file at a time. Only the path of a file without findings is kept,
//! so that memory depends on the findings and not on the files. A file with policies waits for the
//! rest of its project before it is checked.

use super::STDIN_NAME;
use super::inputs::{self, Inputs};
use super::project::{Projects, SourceBudget};
use super::read::{CheckContext, FileConfig, Outcome, Read, Waiting};
use crate::report::{FileReport, FixedFile, PathProblem, Source, shown};
use ide::{FixAll, Project, SourceFile};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workspace::{Error, InputFinder, is_inputs_file, read_argument};

/// Reads a file.
pub(super) fn read(path: &Path, context: &CheckContext<'_>, source_budget: &SourceBudget) -> Read {
    read_as(
        shown(path),
        read_argument(path).map_err(|error| error.to_string()),
        path,
        context,
        Some(source_budget),
    )
}

/// Reads the text of standard input as the file `name`.
pub(super) fn read_stdin(
    text: Result<String, String>,
    name: Option<&Path>,
    context: &CheckContext<'_>,
) -> Read {
    let path = name.map_or_else(|| STDIN_NAME.to_owned(), shown);
    let name = name.unwrap_or(Path::new(STDIN_NAME));
    // It cannot be read a second time, so it is kept regardless of its size.
    read_as(path, text, name, context, None)
}

fn read_as(
    path: String,
    text: Result<String, String>,
    name: &Path,
    context: &CheckContext<'_>,
    source_budget: Option<&SourceBudget>,
) -> Read {
    let text = match text {
        Ok(text) => text,
        Err(message) => {
            return Read::Done(Outcome::Problem(PathProblem { path, message }), None);
        }
    };
    let file_config = context.for_file(name);
    let real = context.configs.real_path(name);
    let display_path = path.clone();
    let read = contained(display_path, || {
        first_look(path, real, text, file_config, source_budget)
    });
    read.unwrap_or_else(|problem| Read::Done(Outcome::Problem(problem), None))
}

fn first_look(
    path: String,
    real: PathBuf,
    text: String,
    file_config: FileConfig,
    source_budget: Option<&SourceBudget>,
) -> Read {
    let parse = |text| in_project(text, &real, Arc::new(Project::new(file_config.target)));
    let file = parse(text);
    let summary = Arc::clone(file.summary());
    // An object is validated by the definitions of its project.
    let is_validated =
        file_config.config.settings().validates_objects() && file.text().contains("apiVersion");
    let is_independent = file.policies().is_empty() && !is_validated;
    let is_input = is_inputs_file(&real);
    // Standard input cannot be read again.
    let is_stdin = source_budget.is_none();
    if is_independent && !is_input {
        let mut checked = report(path, &file, &file_config);
        checked.fixed = fixed(&file, &file_config, is_stdin, parse);
        let outcome = Outcome::Checked(checked);
        let summary = (!summary.is_empty()).then_some((file_config, summary));
        return Read::Done(outcome, summary);
    }
    let named = (!is_independent).then(|| inputs::named(&file)).flatten();
    let is_kept = source_budget.is_none_or(|source_budget| source_budget.take(file.text().len()));
    let file = is_kept.then_some(file);
    let waiting = Waiting {
        path,
        real,
        file_config,
        file,
        is_stdin,
        named,
    };
    if is_independent {
        return Read::Input(Box::new(waiting), Some(summary).filter(|it| !it.is_empty()));
    }
    Read::Waiting(Box::new(waiting), summary)
}

/// Checks the file `path` again when the policy files are known, if one of them names it.
pub(super) fn wait_for_policies(
    read: &mut Read,
    path: &Path,
    context: &CheckContext<'_>,
    inputs: &Inputs<'_>,
) {
    let real = context.configs.real_path(path);
    if let Read::Done(Outcome::Checked(report), _) = read
        && inputs.may_contain(&real)
    {
        let waiting = Waiting {
            path: std::mem::take(&mut report.path),
            real,
            file_config: context.for_file(path),
            file: None,
            is_stdin: false,
            named: None,
        };
        *read = Read::Input(Box::new(waiting), None);
    }
}

fn in_project(text: String, real: &Path, project: Arc<Project>) -> SourceFile {
    SourceFile::in_project(text, project).at(Arc::from(real))
}

/// Checks a file within its project.
pub(super) fn check_file(
    waiting: Waiting,
    projects: &Projects,
    inputs: &Inputs<'_>,
    finder: &mut InputFinder<'_>,
) -> Outcome {
    let Waiting {
        path,
        real,
        file_config,
        file,
        is_stdin,
        named,
    } = waiting;
    let project = projects.project(&file_config);
    let display_path = path.clone();
    let judged = contained(display_path, || {
        let file = match file {
            Some(file) => file.with_project(Arc::clone(&project)),
            None => in_project(read_argument(&real)?, &real, Arc::clone(&project)),
        };
        let file = inputs.add_to(file, named.as_ref(), finder);
        let mut checked = report(path.clone(), &file, &file_config);
        checked.fixed = fixed(&file, &file_config, is_stdin, |text| {
            let file = in_project(text, &real, Arc::clone(&project));
            inputs.add_to(file, named.as_ref(), finder)
        });
        Ok(checked)
    });
    match judged {
        Ok(Ok(report)) => Outcome::Checked(report),
        Ok(Err(error)) => {
            let error: Error = error;
            let message = error.to_string();
            Outcome::Problem(PathProblem { path, message })
        }
        Err(problem) => Outcome::Problem(problem),
    }
}

/// Returns the file with its fixes, if fixes are applied and it has some.
fn fixed(
    file: &SourceFile,
    file_config: &FileConfig,
    is_stdin: bool,
    parse: impl FnMut(String) -> SourceFile,
) -> Option<Box<FixedFile>> {
    let fix = FixAll {
        settings: file_config.config.settings(),
        safety: file_config.safety?,
        code: None,
    };
    Some(Box::new(FixedFile {
        result: fix.apply(file, parse)?,
        real_path: (!is_stdin).then(|| file.path().to_path_buf()),
    }))
}

fn report(path: String, file: &SourceFile, file_config: &FileConfig) -> FileReport {
    let findings = ide::diagnose(file, file_config.config.settings());
    let source = (!findings.is_empty()).then(|| Source {
        text: file.text().into(),
        lines: file.line_index().clone(),
    });
    FileReport {
        path,
        policies: policies(file),
        documents: file.policies().len(),
        not_checked: file.not_checked(),
        findings,
        source,
        fixed: None,
    }
}

/// Counts the policies, and the other documents that have an expression.
fn policies(file: &SourceFile) -> usize {
    let documents = file.policies().iter();
    documents
        .filter(|document| document.kind().is_policy() || !document.expressions().is_empty())
        .count()
}

/// Runs an analysis. A panic loses the file that causes it, not the run.
fn contained<T>(path: String, analysis: impl FnOnce() -> T) -> Result<T, PathProblem> {
    catch_unwind(AssertUnwindSafe(analysis)).map_err(|_| PathProblem {
        path,
        message: "internal error in admissible; please report it with this file".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use workspace::ConfigCache;

    #[test]
    fn a_file_with_inputs_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.inputs.yaml");
        fs::write(&path, "expect: allow\n").unwrap();
        let configs = Arc::new(ConfigCache::default());
        let context = CheckContext {
            configs: &configs,
            target: None,
            safety: None,
        };
        let read = read(&path, &context, &SourceBudget::default());
        fs::remove_file(&path).unwrap();
        let Read::Input(waiting, _) = read else {
            panic!("no inputs")
        };
        let projects = Projects::new(&[], &[], &context, &[]);
        let inputs = Inputs::new(&[], &[], &configs);
        let mut finder = InputFinder::from_working_directory();
        let outcome = check_file(*waiting, &projects, &inputs, &mut finder);
        assert!(matches!(outcome, Outcome::Checked(_)), "{outcome:?}");
    }

    #[test]
    fn a_defect_costs_one_file() {
        let outcome: Result<(), PathProblem> =
            contained("a.yaml".to_owned(), || panic!("a defect"));
        let Err(problem) = outcome else {
            panic!("no problem")
        };
        assert_eq!(problem.path, "a.yaml");
    }
}
