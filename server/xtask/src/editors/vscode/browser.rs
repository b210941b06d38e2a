//! The browser that shows the workbench.

use crate::editors::debian;
use crate::editors::surroundings::{Editors, Stop};
use std::env;
use std::path::PathBuf;

/// Names of browsers that the driver of our tests can steer.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Their location on macOS.
const APPLICATIONS: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// Returns the browser of this machine; on Debian, Chromium is installed when there is none.
///
/// # Errors
/// When there is none and it cannot be installed.
pub(super) fn find_or_install(editors: &mut Editors<'_>) -> Result<PathBuf, Stop> {
    if let Some(browser) = find() {
        return Ok(browser);
    }
    editors.step("install Chromium", |_| {
        // The font makes screenshots readable.
        debian::install(&["chromium", "fonts-dejavu-core"])
    })?;
    find().ok_or_else(|| Stop::Missing("there is no Chromium or Chrome. Install one.".into()))
}

fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found = env::split_paths(&path)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .chain(APPLICATIONS.map(PathBuf::from));
    found.find(|program| program.is_file())
}
