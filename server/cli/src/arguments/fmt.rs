//! The arguments of `fmt`.

use super::examples::{self, help};
use super::exit_codes;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Format the CEL expressions in files.
///
/// Only white space and trailing commas in expressions change; the surrounding YAML, its scalar
/// styles and all comments stay as they are. Files are found as in `check`. An expression that has
/// a syntax error, or whose scalar cannot hold the result, is reported and left unchanged.
#[derive(Debug, Args)]
#[command(after_help = help(examples::FMT, exit_codes::FMT))]
pub(crate) struct Fmt {
    /// Files, directories, or patterns such as 'policies/**/*.yaml'; - is standard input, which is
    /// written to standard output.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// List the files that would change, without writing them.
    #[arg(long)]
    pub(crate) check: bool,

    /// Show the changes without writing them.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Width of a line in the file, in characters. Overrides `line-width` in admissible.toml
    /// [default: 100]
    #[arg(long, value_name = "WIDTH", value_parser = line_width)]
    pub(crate) line_width: Option<u16>,

    /// Output format.
    #[arg(long, value_enum, default_value_t = FmtFormat::Human)]
    pub(crate) format: FmtFormat,

    /// Print no summary.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Path of the content on standard input: it is shown in messages and selects the
    /// configuration file.
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

/// Output format of `fmt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FmtFormat {
    /// The changed files and a summary.
    Human,
    /// One JSON object, with the edits.
    Json,
}

impl Fmt {
    /// Returns whether nothing is written.
    pub(crate) fn is_dry(&self) -> bool {
        self.check || self.diff
    }
}

fn line_width(word: &str) -> Result<u16, String> {
    let width = word.parse().ok().and_then(ide::line_width);
    width.ok_or_else(|| ide::LINE_WIDTHS.to_owned())
}
