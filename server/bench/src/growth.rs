//! `check` of files that grow: whether its time grows with them or with their square.

use crate::{Error, definitions, runs};
use clap::Args;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The measured programs and numbers.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder to write the files to.
    dir: PathBuf,
    /// The number of runs; the fastest one counts, since the others were disturbed.
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// The program and its arguments; the file is added to them.
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

/// The sizes of the files of a curve.
const COUNTS: [usize; 4] = [10, 100, 1_000, 10_000];

/// Returns a file with a number of the things that grow.
type Generator = fn(usize) -> String;

/// The curves: the name of the growing part, and a generator of files with a number of it.
const CURVES: [(&str, Generator); 5] = [
    ("rules of an object", definitions::rules_of_an_object),
    ("rules of properties", definitions::rules_of_properties),
    ("validations", |count| definitions::policy(count, 0, 1)),
    ("variables and validations", |count| {
        definitions::policy(count, count, 1)
    }),
    ("match conditions", |count| definitions::policy(1, 0, count)),
];

/// Runs the program on each file. Returns the milliseconds of each curve, and the measurement of a
/// definition of 1.4 MB.
pub(crate) fn run(options: &Options) -> Result<Value, Error> {
    let measure = |name: String, text: &str| {
        let file = options.dir.join(name);
        write(&file, text)?;
        runs::fastest(options.runs, &options.program, &[&file])
    };
    let mut curves = Vec::new();
    for (name, file) in CURVES {
        let mut times = Vec::new();
        for count in COUNTS {
            let result = measure(format!("{name} {count}.yaml"), &file(count))?;
            times.push(json!([count, result.get("time")]));
        }
        curves.push(json!({ "name": name, "times": times }));
    }
    let large = measure("large.yaml".to_owned(), &definitions::large())?;
    Ok(json!({ "curves": curves, "large": large }))
}

/// Writes a definition with a rule of each property. Returns how many and its bytes.
pub(crate) fn write_rules(file: &Path, count: usize) -> Result<Value, Error> {
    let text = definitions::rules_of_properties(count);
    write(file, &text)?;
    Ok(json!({ "rules": count, "bytes": text.len() }))
}

fn write(file: &Path, text: &str) -> Result<(), Error> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(file, text));
    written.map_err(|source| Error::Io(format!("cannot write {}", file.display()), source))
}
