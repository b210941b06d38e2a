//! `admissible init`: a project with a first policy, its binding and its inputs.
//!
//! Files are only created: an existing file is reported and left unchanged.

mod prompt;
mod subject;

use crate::arguments::Init;
use crate::exit::Exit;
use crate::loader::Loader;
use crate::problem::{self, Problem};
use crate::reader::TextFile;
use crate::report::{shown, shown_from_here};
use crate::terminal::{Terminal, printable, printable_name};
use ide::{NewPolicy, skeleton};
use kubernetes::{ServerVersion, Target};
use policy::ApiVersion;
use policy::availability::service;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use workspace::{CONFIG_FILE, Config};

/// The outcome for one file.
enum Outcome {
    Written,
    Kept,
}

/// Runs the command.
///
/// # Errors
/// If standard output cannot be written.
pub(crate) fn run(options: &Init, terminal: &Terminal) -> io::Result<Exit> {
    let directory = &options.directory;
    match create(options) {
        Ok(files) => {
            let mut out = terminal.stdout();
            for (path, outcome) in &files {
                let path = shown(path);
                let path = printable_name(&path);
                match outcome {
                    Outcome::Written => writeln!(out, "Wrote {path}")?,
                    Outcome::Kept => writeln!(out, "Kept the existing {path}")?,
                }
            }
            let policy = files.get(1).map(|(path, _)| path.as_path());
            next_commands(directory, policy.unwrap_or(directory), &mut out)?;
            Ok(Exit::Clean)
        }
        Err(problem) => {
            problem::write(&[problem], terminal)?;
            Ok(Exit::Failed)
        }
    }
}

/// Writes the commands to run next.
fn next_commands(directory: &Path, policy: &Path, out: &mut dyn Write) -> io::Result<()> {
    let (directory, policy) = (shown(directory), shown(policy));
    let argument = if directory == "." {
        String::new()
    } else {
        format!(" {}", printable_name(&directory))
    };
    writeln!(
        out,
        "\nNext:\n  admissible check{argument}\n  admissible test{argument}\n  admissible eval {}",
        printable(&policy)
    )
}

/// Creates the files. The first is the configuration file, the second the policy.
fn create(options: &Init) -> Result<Vec<(PathBuf, Outcome)>, Problem> {
    let directory = &options.directory;
    let config = Config::discover(directory);
    let compared = Target::new(ServerVersion::COMPARED, ServerVersion::COMPARED);
    let target = options.kubernetes.or(config.target()).or(compared);
    let target = target.unwrap_or_default();
    let NewPolicy { name, text } = policy(options, target)?;
    fs::create_dir_all(directory).map_err(|error| problem_at(directory, &error))?;
    let mut files = Vec::new();
    match config.path() {
        Some(path) => files.push((PathBuf::from(shown_from_here(path)), Outcome::Kept)),
        None => {
            let path = join(directory, CONFIG_FILE);
            let outcome = write_new(&path, &configuration(target))?;
            files.push((path, outcome));
        }
    }
    let policy = join(directory, &format!("{name}.yaml"));
    let outcome = write_new(&policy, &text)?;
    files.push((policy.clone(), outcome));
    let inputs = policy.with_extension("inputs.yaml");
    if inputs.exists() {
        files.push((inputs, Outcome::Kept));
    } else if let Some(text) = inputs_of(&policy, target)? {
        let outcome = write_new(&inputs, &text)?;
        files.push((inputs, outcome));
    }
    Ok(files)
}

/// Returns the policy for the kinds of the target, and of the CustomResourceDefinitions in the
/// directory.
fn policy(options: &Init, target: Target) -> Result<NewPolicy, Problem> {
    let text = TextFile::new(String::new(), "");
    let path = join(&options.directory, "policy.yaml");
    let loaded = Loader::new(Some(target)).load(&path, text);
    let (policy, kind) = subject::policy(options, loaded.file.project().kinds())?;
    let first = service(kind, ApiVersion::V1).map(|service| service.first);
    match first.filter(|first| target.oldest() < *first) {
        Some(first) => {
            let kind = kind.as_str();
            let message = format!(
                "{kind} requires Kubernetes {first} or later; select it with --kubernetes, or \
                 choose another intent"
            );
            Err(Problem::new("", message))
        }
        None => Ok(policy),
    }
}

/// Returns the inputs of the first policy in a file. `None` if there is no policy that can be
/// evaluated.
fn inputs_of(policy: &Path, target: Target) -> Result<Option<String>, Problem> {
    let text = TextFile::from_path(policy)
        .map_err(|error| Problem::new(&shown(policy), error.to_string()))?;
    let loaded = Loader::new(Some(target)).load(policy, text);
    let mut documents = loaded.file.policies().iter();
    let first = documents.position(|it| it.is_evaluated());
    Ok(first.and_then(|first| skeleton(&loaded.file, &loaded.evaluator(), first)))
}

/// Returns the text of the configuration file.
fn configuration(target: Target) -> String {
    let (oldest, newest) = (target.oldest(), target.newest());
    let versions = if target.is_range() {
        format!("{oldest}..{newest}")
    } else {
        newest.to_string()
    };
    format!(
        "# The Kubernetes versions that the policies are for: one, or the oldest and the newest,\n\
         # such as \"1.33..1.36\".\n\
         kubernetes = \"{versions}\"\n"
    )
}

/// Creates a file, unless it exists.
fn write_new(path: &Path, text: &str) -> Result<Outcome, Problem> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    match file.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => Ok(Outcome::Written),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Outcome::Kept),
        Err(error) => Err(problem_at(path, &error)),
    }
}

fn problem_at(path: &Path, error: &io::Error) -> Problem {
    Problem::new(&shown(path), error.to_string())
}

/// Returns a path in a directory, without a leading `./`.
fn join(directory: &Path, name: &str) -> PathBuf {
    if directory == Path::new(".") {
        PathBuf::from(name)
    } else {
        directory.join(name)
    }
}
