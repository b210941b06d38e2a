//! `admissible fmt`: formats the expressions in files.
//!
//! Files are found as by `check`. A file is written only if an expression in it changes, and only
//! if it still has the text that was formatted.

mod human;
mod json;

use crate::arguments::{Fmt, FmtFormat};
use crate::check::pool;
use crate::exit::Exit;
use crate::problem::{self, Problem};
use crate::reader::{STDIN, STDIN_NAME};
use crate::report::shown;
use crate::terminal::Terminal;
use ide::{Formatting, formatting};
use policy::ParsedFile;
use rayon::prelude::{IntoParallelRefIterator as _, ParallelIterator as _};
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::apply_edits;
use workspace::{ConfigCache, Roots, find_files, read_argument, read_text, replace_file};

/// The result of a run.
#[derive(Debug, Default)]
struct Run {
    /// The files, in the order of their paths, standard input first.
    files: Vec<FormattedFile>,
    problems: Vec<Problem>,
}

/// A file after formatting.
#[derive(Debug)]
struct FormattedFile {
    /// The path, as displayed.
    path: String,
    /// The path. `None` for standard input.
    real_path: Option<PathBuf>,
    /// The text before. Empty if nothing refers to it.
    old: String,
    /// The text after. `None` if nothing changes.
    new: Option<String>,
    /// False if the new text could not be written.
    is_written: bool,
    /// The number of documents of kinds that are checked.
    documents: usize,
    result: Formatting,
}

/// Runs the command.
///
/// # Errors
/// If the output cannot be written, or the operating system provides no threads.
pub(crate) fn run(options: &Fmt, terminal: &Terminal) -> io::Result<Exit> {
    let configs = Arc::new(ConfigCache::within(Roots::from_working_directory()));
    let mut run = format_all(options, &configs)?;
    if !options.is_dry() {
        run.write_files()?;
    }
    run.problems.extend(Problem::of_configs(&configs));
    match options.format {
        FmtFormat::Human => human::write(&run, options, terminal)?,
        FmtFormat::Json => json::write(&run, options, terminal)?,
    }
    problem::write(&run.problems, terminal)?;
    Ok(run.exit(options))
}

fn format_all(options: &Fmt, configs: &Arc<ConfigCache>) -> io::Result<Run> {
    let (stdin, paths): (Vec<&PathBuf>, Vec<&PathBuf>) = options
        .paths
        .iter()
        .partition(|path| path.as_path() == Path::new(STDIN));
    let paths: Vec<PathBuf> = paths.into_iter().cloned().collect();
    let found = find_files(&paths, configs);
    let mut outcomes = Vec::new();
    if !stdin.is_empty() {
        let name = options.stdin_filename.as_deref();
        let path = name.map_or_else(|| STDIN_NAME.to_owned(), shown);
        let name = name.unwrap_or(Path::new(STDIN_NAME));
        let text = read_text(io::stdin().lock());
        outcomes.push(format_one(path, text, name, None, options, configs));
    }
    let of_file = |file: &PathBuf| {
        let (path, real_path) = (shown(file), Some(file.clone()));
        format_one(path, read_argument(file), file, real_path, options, configs)
    };
    let of_files = || found.files.par_iter().map(of_file).collect::<Vec<_>>();
    outcomes.extend(pool()?.install(of_files));
    let mut run = Run::default();
    for problem in found.problems {
        let path = shown(&problem.path);
        run.problems
            .push(Problem::new(&path, problem.error.to_string()));
    }
    for outcome in outcomes {
        match outcome {
            Ok(file) => run.files.push(file),
            Err(problem) => run.problems.push(problem),
        }
    }
    Ok(run)
}

/// Formats a file. `from` selects the configuration file.
fn format_one(
    path: String,
    text: Result<String, workspace::Error>,
    from: &Path,
    real_path: Option<PathBuf>,
    options: &Fmt,
    configs: &ConfigCache,
) -> Result<FormattedFile, Problem> {
    let text = text.map_err(|error| Problem::new(&path, error.to_string()))?;
    let config = configs.for_file(from);
    let width = options.line_width.or(config.line_width());
    let width = width.map_or(ide::LINE_WIDTH, usize::from);
    // A panic loses the file that causes it, not the run.
    let formatted = catch_unwind(AssertUnwindSafe(|| {
        let file = ParsedFile::new(text.as_str().into(), config.target().unwrap_or_default());
        (formatting(&file, width, None), file.policies().len())
    }));
    let Ok((result, documents)) = formatted else {
        let message = "internal error in admissible; please report it with this file";
        return Err(Problem::new(&path, message));
    };
    let new = if result.edits.is_empty() {
        None
    } else {
        apply_edits(&text, &result.edits).ok()
    };
    let is_needed = new.is_some() || !result.unformatted.is_empty() || real_path.is_none();
    Ok(FormattedFile {
        path,
        real_path,
        old: if is_needed { text } else { String::new() },
        new,
        is_written: true,
        documents,
        result,
    })
}

impl Run {
    /// Writes the files that change, and standard input to standard output.
    fn write_files(&mut self) -> io::Result<()> {
        for file in &mut self.files {
            let Some(path) = &file.real_path else {
                let mut out = io::stdout().lock();
                out.write_all(file.new.as_ref().unwrap_or(&file.old).as_bytes())?;
                out.flush()?;
                continue;
            };
            let Some(new) = &file.new else { continue };
            if let Err(error) = replace_file(path, &file.old, new) {
                self.problems
                    .push(Problem::new(&file.path, error.to_string()));
                (file.new, file.is_written) = (None, false);
            }
        }
        Ok(())
    }

    fn exit(&self, options: &Fmt) -> Exit {
        if !self.problems.is_empty() {
            Exit::Failed
        } else if options.is_dry() && self.files.iter().any(|file| file.new.is_some()) {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }
}
