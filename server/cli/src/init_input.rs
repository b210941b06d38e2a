//! `admissible init-input`: the first inputs for a policy.
//!
//! It is the one command that creates a file next to a user's files, and it overwrites one
//! only with `--force`.

use crate::arguments::InitInput;
use crate::exit::Exit;
use crate::loader::{Loaded, Loader};
use crate::problem::{self, Problem};
use crate::reader::{Reader, STDIN};
use crate::report::shown;
use crate::terminal::{Terminal, printable, printable_name};
use admission::EvaluationLimits;
use evaluation::run::Evaluator;
use ide::{NO_DENIED_INPUT, skeleton};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Limit: the search for the inputs of all policies. The cost of the evaluations ends it earlier,
/// unless the policies use operations without a cost.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The separator between the inputs of a file.
const SEPARATOR: &str = "---\n";

/// Runs the command.
///
/// # Errors
/// If standard output cannot be written.
pub(crate) fn run(options: &InitInput, terminal: &Terminal) -> io::Result<Exit> {
    let Inputs {
        names,
        text,
        missing,
        allowed_only,
    } = match inputs(options) {
        Ok(inputs) => inputs,
        Err(problem) => return failed(problem, terminal),
    };
    let output = options
        .output
        .clone()
        .or_else(|| default_output(&options.policy));
    let mut out = terminal.stdout();
    match output {
        Some(path) if path == Path::new(STDIN) => out.write_all(text.as_bytes())?,
        Some(path) => {
            if let Err(problem) = write(&path, &text, options.force) {
                return failed(problem, terminal);
            }
            report(&mut out, (&path, &options.policy), &names, &allowed_only)?;
        }
        None => {
            let message =
                "standard input has no directory to write to; specify a file with --output";
            return failed(Problem::new("", message), terminal);
        }
    }
    match missing {
        Some(problem) => failed(problem, terminal),
        None => Ok(Exit::Clean),
    }
}

/// Writes which inputs the file has, and which are missing.
fn report(
    out: &mut impl io::Write,
    (path, policy): (&Path, &Path),
    names: &[String],
    allowed_only: &[String],
) -> io::Result<()> {
    let (path, names) = (shown(path), names.join(" and "));
    let (path, names) = (printable_name(&path), printable(&names));
    let policy = shown(policy);
    let policy = printable(&policy);
    writeln!(
        out,
        "Wrote {path} with inputs for {names}. Change the values that matter, then run \
         `admissible test {policy}`."
    )?;
    for name in allowed_only {
        let name = printable(name);
        writeln!(out, "No input that {name} denies was found: write one.")?;
    }
    Ok(())
}

fn failed(problem: Problem, terminal: &Terminal) -> io::Result<Exit> {
    problem::write(&[problem], terminal)?;
    Ok(Exit::Failed)
}

/// The inputs for the selected policies.
struct Inputs {
    /// The policies.
    names: Vec<String>,
    text: String,
    /// The policies that could deny, without an input that they deny.
    allowed_only: Vec<String>,
    /// Why other policies have none.
    missing: Option<Problem>,
}

fn inputs(options: &InitInput) -> Result<Inputs, Problem> {
    let text = Reader::default().read(&options.policy)?;
    let loaded = Loader::new(options.kubernetes).load(&options.policy, text);
    if let Some(error) = evaluation::run::syntax_error(&loaded.file) {
        return Err(loaded.text.problem(error.range, error.kind.to_string()));
    }
    let documents = loaded.file.policies().iter().enumerate();
    let policies: Vec<(usize, &str)> = documents
        .filter(|(_, it)| it.is_evaluated())
        .map(|(index, it)| (index, it.name().unwrap_or_default()))
        .collect();
    let limits = EvaluationLimits::within(PATIENCE);
    let evaluator = Evaluator {
        limits: &limits,
        ..loaded.evaluator()
    };
    let is_meant = |name: &str| options.name.as_ref().is_none_or(|wanted| wanted == name);
    let (mut names, mut inputs) = (Vec::new(), Vec::new());
    let mut allowed_only = Vec::new();
    let mut wanted = policies
        .iter()
        .filter(|(_, name)| is_meant(name))
        .peekable();
    // A search that begins late would still take the time to evaluate its input.
    while let Some((index, name)) = wanted.next_if(|_| !limits.is_over()) {
        if let Some(input) = skeleton(&loaded.file, &evaluator, *index) {
            if input.ends_with(NO_DENIED_INPUT) {
                allowed_only.push((*name).to_owned());
            }
            inputs.push(input);
            names.push((*name).to_owned());
        }
    }
    if inputs.is_empty() {
        return Err(no_input(options, &loaded, &policies));
    }
    Ok(Inputs {
        missing: too_many(&loaded, wanted.count()),
        allowed_only,
        names,
        text: inputs.join(SEPARATOR),
    })
}

/// Returns why this number of policies has no input.
fn too_many(loaded: &Loaded, count: usize) -> Option<Problem> {
    let subject = match count {
        0 => return None,
        1 => "1 policy has".to_owned(),
        count => format!("{count} policies have"),
    };
    let message = format!(
        "{subject} no input, since the search takes too long; name one policy with --policy"
    );
    Some(Problem::new(&loaded.text.path, message))
}

/// Returns why there is no input.
fn no_input(options: &InitInput, loaded: &Loaded, policies: &[(usize, &str)]) -> Problem {
    let path = &loaded.text.path;
    let names: Vec<&str> = policies.iter().map(|(_, name)| *name).collect();
    let message = match &options.name {
        _ if names.is_empty() => {
            "the file has no policy and no CustomResourceDefinition".to_owned()
        }
        Some(name) if !names.contains(&name.as_str()) => format!(
            "no policy in the file is named `{name}`; available: {}",
            names.join(", ")
        ),
        _ => {
            "no request to the policy can be evaluated; check its match rules, and that the kinds \
              are known"
                .to_owned()
        }
    };
    Problem::new(path, message)
}

/// Returns the path of the inputs file of a policy.
fn default_output(policy: &Path) -> Option<PathBuf> {
    if policy == Path::new(STDIN) {
        return None;
    }
    let stem = policy.file_stem()?.to_string_lossy();
    Some(policy.with_file_name(format!("{stem}.inputs.yaml")))
}

fn write(path: &Path, text: &str, force: bool) -> Result<(), Problem> {
    let file = if force {
        File::create(path)
    } else {
        OpenOptions::new().write(true).create_new(true).open(path)
    };
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let message = match error.kind() {
            ErrorKind::AlreadyExists => {
                "the file already exists; overwrite it with --force, or print the input with `-o -`"
                    .to_owned()
            }
            ErrorKind::NotFound => "no such directory".to_owned(),
            _ => error.to_string(),
        };
        Problem::new(&shown(path), message)
    })
}
