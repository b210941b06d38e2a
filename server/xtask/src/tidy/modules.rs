//! The dependencies between the modules of a crate.
//!
//! Rust allows cycles between the modules of a crate, and a reader then must know all of them to
//! understand one. The architecture lists the modules of each crate from the bottom up, and each
//! may use only those before it. The checker reads that list.

use super::{Finding, layers, paths::paths};
use std::collections::{BTreeMap, BTreeSet};

/// The heading of the table of modules: `` | `crate` | `first` `second` … | ``.
const HEADING: &str = "## The modules";

/// A crate as its files show it.
#[derive(Default)]
struct Crate<'a> {
    /// The modules below the root, without those that only tests have.
    modules: BTreeSet<&'a str>,
    /// The names that the root exports, with the module that each comes from.
    exports: BTreeMap<&'a str, &'a str>,
    /// The files below `src`, with their paths from the root of the repository.
    files: Vec<(&'a str, &'a str)>,
}

/// Compares the modules of every crate with the table in `page`. `sources` holds the Rust
/// files of the repository: their paths and contents.
pub(super) fn check(page: &str, sources: &[(String, String)], findings: &mut Vec<Finding>) {
    let crates = crates(sources);
    let table = table(page);
    for (name, krate) in &crates {
        let Some(order) = table.get(name) else {
            let message = format!("the table of modules has no row for `{name}`");
            add(findings, layers::PAGE, 0, message);
            continue;
        };
        check_row(name, krate, order, findings);
        for (file, text) in &krate.files {
            check_file(krate, order, file, text, findings);
        }
    }
}

/// Reports modules that only the row or only the crate has.
fn check_row(name: &str, krate: &Crate, order: &[&str], findings: &mut Vec<Finding>) {
    for module in &krate.modules {
        if !order.contains(module) {
            let message = format!("the row of `{name}` lacks the module `{module}`");
            add(findings, layers::PAGE, 0, message);
        }
    }
    for module in order.iter().filter(|it| !krate.modules.contains(*it)) {
        let message = format!("`{name}` has no module `{module}`");
        add(findings, layers::PAGE, 0, message);
    }
}

/// Reports each use of a module that is not before the one that `file` belongs to.
fn check_file(krate: &Crate, order: &[&str], file: &str, text: &str, findings: &mut Vec<Finding>) {
    let (own, depth) = module_of(file);
    let rank = |module: &str| order.iter().position(|it| *it == module);
    let Some(own_rank) = rank(own) else { return };
    for (line, path) in paths(text) {
        let Some(name) = from_root(&path, depth) else {
            continue;
        };
        let module = krate.exports.get(name).copied().unwrap_or(name);
        if rank(module).is_some_and(|used| used > own_rank) {
            add(
                findings,
                file,
                line,
                format!("`{own}` must not use `{module}`, which is above it"),
            );
        }
    }
}

fn add(findings: &mut Vec<Finding>, file: &str, line: usize, message: String) {
    findings.push(Finding {
        file: file.into(),
        line,
        message,
    });
}

/// Returns the rows of the table: a crate and its modules, from the bottom up.
fn table(page: &str) -> BTreeMap<&str, Vec<&str>> {
    let section = page.split_once(HEADING).map_or("", |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| {
        let mut words = row.split('`').skip(1).step_by(2);
        Some((words.next()?, words.collect()))
    })
    .collect()
}

/// Groups the files of the product's crates. Files that only tests use are left out.
fn crates(sources: &[(String, String)]) -> BTreeMap<&str, Crate<'_>> {
    let mut crates: BTreeMap<&str, Crate> = BTreeMap::new();
    for (file, text) in sources {
        let path = file.strip_prefix("server/");
        let Some((name, path)) = path.and_then(|path| path.split_once("/src/")) else {
            continue;
        };
        if !layers::is_product(name) {
            continue;
        }
        let krate = crates.entry(name).or_default();
        if path == "lib.rs" {
            (krate.modules, krate.exports) = root(text);
        } else if !path.split(['/', '.']).any(|part| part == "tests") {
            krate.files.push((file, text));
        }
    }
    crates
}

/// Returns the modules that a crate's root declares and the names that it exports.
fn root(text: &str) -> (BTreeSet<&str>, BTreeMap<&str, &str>) {
    let (mut modules, mut exports) = (BTreeSet::new(), BTreeMap::new());
    let mut test_only = false;
    for line in text.lines() {
        let item = line.trim_start_matches("pub").trim_start_matches("(crate)");
        if let Some(module) = item.trim_start().strip_prefix("mod ")
            && let Some(module) = module.strip_suffix(';')
            && !test_only
        {
            modules.insert(module);
        }
        test_only = line.starts_with("#[cfg(test)]");
    }
    for item in text.split("pub use ").skip(1) {
        let item = item.split(';').next().unwrap_or_default();
        if let Some((module, names)) = item.split_once("::")
            && modules.contains(module)
        {
            let names = names
                .split(|c: char| !is_name(c))
                .filter(|it| !it.is_empty());
            exports.extend(names.map(|name| (name, module)));
        }
    }
    (modules, exports)
}

/// Returns the module of the root that a file belongs to, and how many modules are between the
/// root and the items of the file.
fn module_of(file: &str) -> (&str, usize) {
    let path = file.split_once("/src/").map_or(file, |(_, path)| path);
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let own = path.split('/').next().unwrap_or(path);
    (own, path.split('/').count())
}

/// Returns the name that a path takes from the root of the crate, if it begins with `crate` or with
/// one `super` for each of `depth` modules.
fn from_root<'p>(path: &[&'p str], depth: usize) -> Option<&'p str> {
    let up = path.iter().take_while(|name| **name == "super").count();
    match up {
        0 => path.get(1).copied(),
        up if up == depth => path.get(up).copied(),
        _ => None,
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
