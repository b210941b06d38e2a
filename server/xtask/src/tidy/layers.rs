//! The dependencies between crates.
//!
//! Cargo only rejects cycles. The table lists what each crate may use, so that a dependency that
//! breaks the layers fails a test instead of passing a review. The table in the architecture is
//! compared with it.

use super::Finding;
use toml::Table;

/// A crate of the product.
struct Layer {
    name: &'static str,
    /// The crates of the product that it may use.
    uses: &'static [&'static str],
    /// Whether it may read files and the like.
    io: bool,
}

/// Every crate of the product, from the bottom up.
const LAYERS: &[Layer] = &[
    Layer {
        name: "text",
        uses: &[],
        io: false,
    },
    Layer {
        name: "yaml",
        uses: &["text"],
        io: false,
    },
    Layer {
        name: "cel",
        uses: &["text"],
        io: false,
    },
    Layer {
        name: "kubernetes",
        uses: &["text", "yaml", "cel"],
        io: false,
    },
    Layer {
        name: "policy",
        uses: &["text", "yaml", "cel", "kubernetes"],
        io: false,
    },
    Layer {
        name: "admission",
        uses: &["text", "yaml", "cel", "kubernetes", "policy"],
        io: false,
    },
    Layer {
        name: "evaluation",
        uses: &["text", "yaml", "cel", "kubernetes", "policy", "admission"],
        io: false,
    },
    Layer {
        name: "ide",
        uses: &[
            "text",
            "yaml",
            "cel",
            "kubernetes",
            "policy",
            "admission",
            "evaluation",
        ],
        io: false,
    },
    Layer {
        name: "workspace",
        uses: &[
            "text",
            "yaml",
            "cel",
            "kubernetes",
            "policy",
            "admission",
            "evaluation",
            "ide",
        ],
        io: true,
    },
    Layer {
        name: "lsp",
        uses: &[
            "text",
            "yaml",
            "cel",
            "kubernetes",
            "policy",
            "admission",
            "evaluation",
            "ide",
            "workspace",
        ],
        io: true,
    },
    Layer {
        name: "cli",
        uses: &[
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
        ],
        io: true,
    },
];

/// The page that shows the table to people.
pub(super) const PAGE: &str = "server/docs/architecture.md";

/// Crates with the types of the protocol, which only the crate `lsp` may name.
const PROTOCOL: &[&str] = &["tower-lsp-server", "lsp-types", "ls-types"];

/// Crates that belong to no layer: chores and measurements, which nothing may use.
const OUTSIDE: &[&str] = &["xtask", "bench", "cel-fuzz"];

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
    let layer = LAYERS.iter().find(|layer| layer.name == name);
    if file.starts_with("server/") && layer.is_none() && !OUTSIDE.contains(&name) {
        add(
            findings,
            file,
            format!("`{name}` is missing from the table of layers"),
        );
    }
    for used in used(&manifest) {
        let known = LAYERS.iter().any(|layer| layer.name == used);
        let forbidden = layer.is_some_and(|layer| known && !layer.uses.contains(&used));
        let outside = OUTSIDE.contains(&used) && used != name;
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

/// The crates that a manifest names, by the name of their package.
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
    let mut pure = LAYERS.iter().filter(|layer| !layer.io);
    pure.any(|layer| {
        let rest = file.strip_prefix("server/");
        let rest = rest.and_then(|rest| rest.strip_prefix(layer.name));
        rest.is_some_and(|rest| rest.starts_with("/src/"))
    })
}

/// Returns whether `name` is a crate of the product.
pub(super) fn is_product(name: &str) -> bool {
    LAYERS.iter().any(|layer| layer.name == name)
}

/// Compares the rows of the page, `| crate | knows | IO | LSP types | …`, with the table.
pub(super) fn check_page(page: &str, findings: &mut Vec<Finding>) {
    for layer in LAYERS {
        let start = format!("| `{}` |", layer.name);
        let row = page.lines().find_map(|line| line.strip_prefix(&start));
        let Some(row) = row else {
            add(findings, PAGE, format!("`{}` has no row", layer.name));
            continue;
        };
        let mut cells = row.split('|').map(str::trim).skip(1);
        let (io, types) = (cells.next() != Some("no"), cells.next() != Some("no"));
        if io != layer.io || types != (layer.name == "lsp") {
            let name = layer.name;
            add(
                findings,
                PAGE,
                format!("the row of `{name}` is not that of the test"),
            );
        }
    }
}
