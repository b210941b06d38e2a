//! The artifacts of a release, and the time until they show an evaluated policy.

use super::surroundings::Editors;
use crate::error::Error;
use std::path::PathBuf;
use std::time::Duration;

/// The time from an artifact to an evaluated policy.
///
/// Limit: the goal of the project, on a machine without other load.
const THREE_STEPS: Duration = Duration::from_secs(10);

/// The results of `cargo xtask dist` and `cargo xtask package-vscode`.
pub(super) struct Artifacts {
    pub(super) program: PathBuf,
    pub(super) archive: PathBuf,
    pub(super) extension: PathBuf,
}

/// Counts the time of the three steps as a test.
pub(super) fn three_steps(
    editors: &mut Editors<'_>,
    name: &str,
    installed: Duration,
    seen: Duration,
) -> Result<(), Error> {
    let total = installed + seen;
    let figure = format!(
        "{name}: installed after {:.1} s, an evaluated policy on the screen after {:.1} s",
        installed.as_secs_f64(),
        total.as_secs_f64()
    );
    editors.case(&figure, total < THREE_STEPS, "it took 10 s or more")
}
