//! Which crate may use which.
//!
//! Cargo refuses a circle, and nothing else. The table says what each crate must not know,
//! so that a dependency that makes a crate know more fails a test instead of passing a
//! review. The page `server/docs/layers.md` is written from the same table.

use super::Finding;
use std::fmt::Write;
use toml::Table;

/// A crate of the product.
struct Layer {
    name: &'static str,
    /// The crates of the product that it may use.
    uses: &'static [&'static str],
    /// What it is about.
    knows: &'static str,
    /// Whether it reads files and the like.
    io: &'static str,
}

/// Every crate of the product, from the bottom up.
const LAYERS: &[Layer] = &[
    Layer {
        name: "text",
        uses: &[],
        knows: "byte offsets, ranges, lines, edits, the map from decoded text to the file",
        io: "no",
    },
    Layer {
        name: "yaml",
        uses: &["text"],
        knows: "documents, nodes and scalars of YAML with their exact places",
        io: "no",
    },
    Layer {
        name: "cel",
        uses: &["text"],
        knows: "CEL as a language, without Kubernetes",
        io: "no",
    },
    Layer {
        name: "policy",
        uses: &["text", "yaml", "cel"],
        knows: "the kinds that carry CEL and the API server's rules for them",
        io: "no",
    },
    Layer {
        name: "ide",
        uses: &["text", "yaml", "cel", "policy"],
        knows: "one function for each feature of an editor, text in and plain data out",
        io: "no",
    },
    Layer {
        name: "workspace",
        uses: &["text", "yaml", "cel", "policy", "ide"],
        knows: "configuration, finding and loading of files",
        io: "yes",
    },
    Layer {
        name: "lsp",
        uses: &["text", "yaml", "cel", "policy", "ide", "workspace"],
        knows: "the Language Server Protocol",
        io: "standard input and output",
    },
    Layer {
        name: "cli",
        uses: &["text", "yaml", "cel", "policy", "ide", "workspace", "lsp"],
        knows: "commands and reports",
        io: "yes",
    },
];

/// Crates that only the crate `lsp` may name: the types of the protocol, and the runtime.
const PROTOCOL: &[&str] = &["tower-lsp-server", "lsp-types", "ls-types"];

/// Crates that belong to no layer: chores and measurements, which nothing may use.
const OUTSIDE: &[&str] = &["xtask", "bench"];

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

/// Whether the crate that `file` belongs to must not touch files, processes or the network.
pub(super) fn is_pure(file: &str) -> bool {
    let mut pure = LAYERS.iter().filter(|layer| layer.io == "no");
    pure.any(|layer| {
        let rest = file.strip_prefix("server/");
        let rest = rest.and_then(|rest| rest.strip_prefix(layer.name));
        rest.is_some_and(|rest| rest.starts_with("/src/"))
    })
}

/// The page that shows the table.
pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Layers\n\n\
         Written by `cargo xtask docs` from `server/xtask/src/tidy/layers.rs`: do not edit.\n\n\
         A crate may use the crates that its row names, and no other of the product. \
         A test compares this table with every `Cargo.toml`.\n\n\
         | crate | knows | uses | IO | LSP types |\n|---|---|---|---|---|\n",
    );
    for layer in LAYERS {
        let uses = match layer.uses {
            [] => "nothing".into(),
            uses => uses.join(", "),
        };
        let types = if layer.name == "lsp" {
            "**only here**"
        } else {
            "no"
        };
        let _ = writeln!(
            page,
            "| `{}` | {} | {uses} | {} | {types} |",
            layer.name, layer.knows, layer.io
        );
    }
    page
}
