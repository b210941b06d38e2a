//! The results of single objects, written while the replay runs.

use super::json;
use super::policies::Policies;
use super::row_table::RowTable;
#[cfg(feature = "parquet")]
use super::table::Table;
use super::tally::PartResult;
use crate::arguments::{Replay, ReplayFormat};
use crate::problem::Problem;
use crate::report::shown;
use crate::terminal;
use std::fmt;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// The destination of the results of single objects.
pub(super) enum Rows {
    /// Only the totals are written, at the end.
    None,
    /// A line of JSON for each object with a finding, on standard output.
    Lines(BufWriter<terminal::Cleaned<io::Stdout>>),
    /// A row for each finding, in a Parquet file.
    #[cfg(feature = "parquet")]
    Table(Box<Table>),
}

impl fmt::Debug for Rows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Rows")
    }
}

impl Rows {
    /// Returns the output of a format.
    ///
    /// # Errors
    /// The file cannot be created, or the program cannot write the format.
    pub(super) fn new(options: &Replay) -> Result<Self, Problem> {
        match (options.format, &options.output) {
            (ReplayFormat::Parquet, path) => table(path.as_deref().unwrap_or(Path::new(""))),
            (_, Some(path)) => Err(Problem::new(
                &shown(path),
                "`--output` is for `--format parquet`; redirect standard output instead",
            )),
            (ReplayFormat::Ndjson, None) => Ok(Self::Lines(BufWriter::new(terminal::json_lines()))),
            (ReplayFormat::Human | ReplayFormat::Json, None) => Ok(Self::None),
        }
    }

    /// Writes the objects of a part with findings.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn write(
        &mut self,
        part: &PartResult,
        policies: &Policies,
        rows: &RowTable,
    ) -> io::Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Lines(out) => json::write_lines(part, policies, rows, out),
            #[cfg(feature = "parquet")]
            Self::Table(table) => table.write(part, policies, rows),
        }
    }

    /// Writes the remaining results.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Lines(mut out) => out.flush(),
            #[cfg(feature = "parquet")]
            Self::Table(table) => table.finish(),
        }
    }
}

#[cfg(feature = "parquet")]
fn table(path: &Path) -> Result<Rows, Problem> {
    let table = Table::create(path).map_err(|error| {
        Problem::new(
            &shown(path),
            workspace::Error::Unwritable(error).to_string(),
        )
    })?;
    Ok(Rows::Table(Box::new(table)))
}

#[cfg(not(feature = "parquet"))]
fn table(path: &Path) -> Result<Rows, Problem> {
    let error = workspace::Error::NotBuilt { feature: "parquet" };
    Err(Problem::new(&shown(path), error.to_string()))
}
