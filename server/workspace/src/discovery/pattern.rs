//! Patterns in arguments.
//!
//! Some shells do not expand `*`, not all expand `**`, and a build file quotes both. The pattern is
//! split at its first special character: the part before it is the directory to search, the part
//! after it must match.

use super::is_manifest;
use crate::Error;
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Path, PathBuf};

const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// A pattern and the directory that it is searched in.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The part before the first special character.
    pub(super) base: PathBuf,
    /// Matches paths relative to `base`.
    matcher: GlobMatcher,
    /// Whether the pattern has a literal extension, as in `*.tpl`. Such files count as named.
    spells_extension: bool,
}

impl Pattern {
    /// Parses an argument. `None` if it has no special character.
    pub(super) fn parse(argument: &Path) -> Option<Result<Self, Error>> {
        let text = argument.to_str()?;
        if !text.contains(SPECIAL) {
            return None;
        }
        let plain = argument
            .components()
            .take_while(|component| !is_special(component.as_os_str().to_string_lossy().as_ref()))
            .collect::<PathBuf>();
        let rest: Vec<_> = argument
            .components()
            .skip(plain.components().count())
            .map(|component| component.as_os_str().to_string_lossy())
            .collect();
        let glob = GlobBuilder::new(&rest.join("/"))
            .literal_separator(true)
            .backslash_escape(cfg!(not(windows)))
            .build();
        let extension = text
            .rsplit_once('.')
            .map_or("*", |(_, extension)| extension);
        Some(match glob {
            Ok(glob) => Ok(Self {
                base: if plain.as_os_str().is_empty() {
                    PathBuf::from(".")
                } else {
                    plain
                },
                matcher: glob.compile_matcher(),
                spells_extension: !extension.contains(SPECIAL) && !extension.contains('/'),
            }),
            Err(error) => Err(Error::BadPattern {
                reason: error.kind().to_string(),
            }),
        })
    }

    /// Returns whether the pattern matches this file, or a directory above it that is then
    /// searched.
    pub(super) fn takes(&self, file: &Path) -> bool {
        let Ok(relative) = file.strip_prefix(&self.base) else {
            return false;
        };
        if self.matcher.is_match(relative) {
            return self.spells_extension || is_manifest(file);
        }
        is_manifest(file)
            && relative
                .ancestors()
                .skip(1)
                .any(|above| !above.as_os_str().is_empty() && self.matcher.is_match(above))
    }
}

fn is_special(component: &str) -> bool {
    component.contains(SPECIAL)
}
