//! The dependencies between crates.
//!
//! Cargo only rejects cycles. The table lists what each crate may use, so that a dependency that
//! breaks the layers fails a test instead of passing a review. The table in the architecture is
//! compared with it.

use super::Finding;
use toml::Table;

/// Every crate of the product, from the bottom up: it may use those before it.
const LAYERS: &[&str] = &[
    "text",
    "yaml",
    "cel",
    "kubernetes",
    "policy",
    "admission",
    "evaluation",
    "ide",
    "workspace",
    "lsp",
    "cli",
];

/// A crate that may not use one before it.
const APART: (&str, &str) = ("cel", "yaml");

/// The crates that may read files and the like.
const WITH_IO: &[&str] = &["workspace", "lsp", "cli"];

/// The page that shows the table to people.
pub(super) const PAGE: &str = "server/docs/architecture.md";

/// Crates with the types of the protocol, which only the crate `lsp` may name.
const PROTOCOL: &[&str] = &["tower-lsp-server", "lsp-types", "ls-types"];

/// Crates that belong to no layer: tasks, measurements and random input. No crate of the product
/// may use them.
const OUTSIDE: &[&str] = &["xtask", "bench", "fuzz", "fuzz-targets"];

/// The tables of a manifest that name other crates.
const TABLES: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

/// Compares the dependencies in the manifest `file` with the table.
pub(super) fn check(file: &str, text: &str, findings: &mut Vec<Finding>) {
    let manifest: Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(error) => return add(findings, file, format!("cannot be read: {error}")),
    };
    let name = manifest.get("package").and_then(|it| it.get("name"));
    let Some(name) = name.and_then(toml::Value::as_str) else {
        return;
    };
    let layer = level(name);
    if file.starts_with("server/") && layer.is_none() && !OUTSIDE.contains(&name) {
        add(
            findings,
            file,
            format!("`{name}` is missing from the table of layers"),
        );
    }
    for used in used(&manifest) {
        let is_above = level(used).is_some_and(|used| layer.is_some_and(|layer| used >= layer));
        let forbidden = is_above || (name, used) == APART;
        let outside = OUTSIDE.contains(&used) && !OUTSIDE.contains(&name);
        if forbidden || outside {
            add(findings, file, format!("`{name}` must not use `{used}`"));
        }
        if PROTOCOL.contains(&used) && name != "lsp" {
            add(findings, file, format!("only `lsp` may use `{used}`"));
        }
    }
}

fn add(findings: &mut Vec<Finding>, file: &str, message: String) {
    findings.push(Finding {
        file: file.into(),
        line: 0,
        message,
    });
}

/// Returns the crates that a manifest names, by the name of their package.
fn used(manifest: &Table) -> Vec<&str> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values);
    let tables = std::iter::once(manifest).chain(targets.filter_map(toml::Value::as_table));
    let mut used = Vec::new();
    for table in tables {
        for dependencies in TABLES.iter().filter_map(|key| table.get(*key)?.as_table()) {
            used.extend(dependencies.iter().map(|(key, value)| {
                let package = value.get("package").and_then(toml::Value::as_str);
                package.unwrap_or(key)
            }));
        }
    }
    used
}

/// Returns whether the crate of `file` must not use files, processes or the network.
pub(super) fn is_pure(file: &str) -> bool {
    let mut pure = LAYERS.iter().filter(|name| !WITH_IO.contains(name));
    pure.any(|name| {
        let rest = file.strip_prefix("server/");
        let rest = rest.and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with("/src/"))
    })
}

/// Returns whether `name` is a crate of the product.
pub(super) fn is_product(name: &str) -> bool {
    LAYERS.contains(&name)
}

/// Returns the number of a crate from the bottom up.
fn level(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| *layer == name)
}

/// Compares the rows of the page, `| crate | contains | IO | LSP types | …`, with the table.
pub(super) fn check_page(page: &str, findings: &mut Vec<Finding>) {
    for name in LAYERS {
        let start = format!("| `{name}` |");
        let row = page.lines().find_map(|line| line.strip_prefix(&start));
        let Some(row) = row else {
            add(findings, PAGE, format!("`{name}` has no row"));
            continue;
        };
        let mut cells = row.split('|').map(str::trim).skip(1);
        let (io, types) = (cells.next() != Some("no"), cells.next() != Some("no"));
        if io != WITH_IO.contains(name) || types != (*name == "lsp") {
            add(
                findings,
                PAGE,
                format!("the row of `{name}` is not that of the test"),
            );
        }
    }
}
