//! `cargo xtask dist --templates`: the files of package managers, with version and checksums.
//!
//! A template in `deploy` has `@VERSION@`, `@URL@`, the folder of a release on GitHub, and
//! `@SHA256 FILE@`, the checksum of an archive in `target/dist`. `@@` is an `@`.

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::{release, repository};
use std::io::Write;
use std::path::Path;

/// The templates, from the root of the repository.
const TEMPLATES: &[&str] = &[
    "deploy/homebrew/admissible.rb",
    "deploy/krew/admissible.yaml",
    "deploy/mason/package.yaml",
];

/// Fills all templates and writes them to `folder`.
///
/// # Errors
/// When a checksum is missing, or a file cannot be read or written.
pub(super) fn run(root: &Path, folder: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let release = Release {
        version: release::version(root)?,
        repository: release::repository_url(root)?,
    };
    for template in TEMPLATES {
        let text = repository::read(&root.join(template))?;
        let text = release
            .fill(&text, |archive| checksum(folder, archive))
            .map_err(|why| Error::Failed(format!("{template}: {why}")))?;
        let name = template.rsplit('/').next().unwrap_or(template);
        let path = folder.join(name);
        repository::write(&path, &text)?;
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(())
}

/// Reads the checksum of an archive.
fn checksum(folder: &Path, archive: &str) -> Result<String, Error> {
    let line = repository::read(&folder.join(format!("{archive}.sha256")))?;
    let sum = line.split(' ').next().unwrap_or_default();
    Ok(sum.to_owned())
}

/// The values in templates that do not come from archives.
struct Release {
    version: String,
    repository: String,
}

impl Release {
    /// Returns a template with its values.
    fn fill(
        &self,
        template: &str,
        checksum: impl Fn(&str) -> Result<String, Error>,
    ) -> Result<String, Error> {
        let url = format!("{}/releases/download/v{}", self.repository, self.version);
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('@') {
            let Some((name, after)) = after.split_once('@') else {
                return Err(Error::Failed("`@` without a second one".into()));
            };
            text.push_str(before);
            match name.strip_prefix("SHA256 ") {
                Some(archive) => text.push_str(&checksum(archive)?),
                None if name.is_empty() => text.push('@'),
                None if name == "VERSION" => text.push_str(&self.version),
                None if name == "URL" => text.push_str(&url),
                None if name == "REPOSITORY" => text.push_str(&self.repository),
                None => return Err(Error::Failed(format!("`@{name}@` has no value"))),
            }
            rest = after;
        }
        text.push_str(rest);
        Ok(text)
    }
}
