//! Circles between sibling modules.
//!
//! The architecture orders the modules below the root of a crate. Deeper ones have no table, but
//! siblings that use each other can only be understood together.

use super::{Finding, paths::paths};
use std::collections::{BTreeMap, BTreeSet};

/// The siblings that a module uses, each with the file and the line of the first use.
type Uses<'s> = BTreeMap<String, (&'s str, usize)>;

/// Reports each use of a sibling that uses the module in return. `sources` holds the Rust files
/// of the repository: their paths and contents.
pub(super) fn check(sources: &[(String, String)], findings: &mut Vec<Finding>) {
    let uses = uses_of_siblings(sources);
    for (module, used) in &uses {
        for (sibling, (file, line)) in used {
            if reaches(&uses, sibling, module) {
                let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
                findings.push(Finding {
                    file: (*file).into(),
                    line: *line,
                    message: format!(
                        "`{}` uses `{}`, which needs it: move what both need below them",
                        name(module),
                        name(sibling)
                    ),
                });
            }
        }
    }
}

/// Returns the siblings that each module uses, by its path without `.rs`.
fn uses_of_siblings(sources: &[(String, String)]) -> BTreeMap<String, Uses<'_>> {
    let is_test = |file: &str| file.split(['/', '.']).any(|part| part == "tests");
    let files = sources.iter().filter(|(file, _)| !is_test(file));
    let modules: BTreeSet<&str> = files.clone().map(|(file, _)| module(file)).collect();
    let mut uses: BTreeMap<String, Uses<'_>> = BTreeMap::new();
    for (file, text) in files {
        for (line, path) in paths(text) {
            if let Some((own, sibling)) = siblings(module(file), &path, &modules) {
                let used = uses.entry(own.to_owned()).or_default();
                used.entry(sibling).or_insert((file, line));
            }
        }
    }
    uses
}

fn module(file: &str) -> &str {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    path.strip_suffix("/mod").unwrap_or(path)
}

/// Returns the module around `module`, or itself, and the sibling of it that a path leads to.
fn siblings<'m>(
    module: &'m str,
    path: &[&str],
    modules: &BTreeSet<&str>,
) -> Option<(&'m str, String)> {
    let up = path.iter().take_while(|name| **name == "super").count();
    let (root, _) = module.split_once("/src/")?;
    let mut at = match up {
        0 => format!("{root}/src"),
        _ => module.rsplitn(up + 1, '/').last()?.to_owned(),
    };
    for name in path.get(up.max(1)..)? {
        let parent = at.len() + 1;
        at = format!("{at}/{name}");
        let own = module.get(parent..)?.split('/').next()?;
        let own = module.get(..parent + own.len())?;
        if own != at {
            return modules.contains(&*at).then_some((own, at));
        }
    }
    None
}

/// Returns whether a module uses another one, directly or by others.
fn reaches(uses: &BTreeMap<String, Uses<'_>>, from: &str, to: &str) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(module) = open.pop() {
        let used = uses.get(module).into_iter().flatten();
        for (next, _) in used.filter(|(next, _)| seen.insert(next.as_str())) {
            open.push(next);
        }
    }
    seen.contains(to)
}
