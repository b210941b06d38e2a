//! `cargo xtask docs`: the generated pages, and the site.
//!
//! A page that repeats the code is outdated after the next change. These pages are generated from
//! it, and a test compares them.

mod markdown;
mod site;
#[cfg(test)]
mod tests;
mod versions;
mod vscode;

use crate::error::Error;
use crate::repository;
use clap::Args;
use ide::diagnostics::{RULES, Rule};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Write nothing; fail if a page is outdated.
    #[arg(long)]
    check: bool,
    /// Also write the site to `target/site`, with mdBook.
    #[arg(long, conflicts_with = "check")]
    site: bool,
}

/// A page: its path and its generator.
struct Page {
    file: &'static str,
    text: fn() -> String,
}

const PAGES: &[Page] = &[
    Page {
        file: "server/docs/rules.md",
        text: || rules_page(&RULES.iter().map(Section::new).collect::<Vec<_>>()),
    },
    Page {
        file: "server/docs/versions.md",
        text: versions::page,
    },
    Page {
        file: "editors/schemas/admissible.schema.json",
        text: || format!("{:#}\n", cli::config_schema()),
    },
    Page {
        file: "editors/schemas/admissible-inputs.schema.json",
        text: || format!("{:#}\n", cli::inputs_schema()),
    },
    Page {
        file: "editors/vscode/package.json",
        text: vscode::manifest,
    },
];

/// Writes the pages, or checks them.
///
/// # Errors
/// When a page cannot be written, or is stale and `--check` is given.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let root = repository::root();
    let stale = stale(&root)?;
    if options.check && !stale.is_empty() {
        let names = stale.join(", ");
        return Err(Error::Failed(format!(
            "not what the code says: {names}. Run `cargo xtask docs`."
        )));
    }
    for page in PAGES.iter().filter(|page| stale.contains(&page.file)) {
        repository::write(&root.join(page.file), &(page.text)())?;
        writeln!(out, "wrote {}", page.file)?;
    }
    if stale.is_empty() {
        writeln!(out, "every page is what the code says")?;
    }
    if options.site {
        site::run(out)?;
    }
    Ok(())
}

/// Returns the pages that are out of date.
///
/// # Errors
/// If a page exists and cannot be read.
pub(crate) fn stale(root: &Path) -> Result<Vec<&'static str>, Error> {
    let mut stale = Vec::new();
    for page in PAGES {
        let path = root.join(page.file);
        let found = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Error::io("read", &path, error)),
        };
        // Git may check files out with the line endings of the system.
        if found.replace("\r\n", "\n") != (page.text)() {
            stale.push(page.file);
        }
    }
    Ok(stale)
}

/// The section of a rule in the page of all rules.
struct Section {
    code: &'static str,
    /// The severity, and whether the rule is off by default.
    severity: String,
    /// The safety of the fixes, such as `safe` or `safe, unsafe`, or the reason why there are none.
    fixes: String,
    page: &'static str,
}

impl Section {
    fn new(rule: &Rule) -> Self {
        let off = if rule.is_optional {
            ", off by default"
        } else {
            ""
        };
        let fixes: Vec<&str> = rule.fixes.iter().map(|fix| fix.as_str()).collect();
        Self {
            code: rule.code,
            severity: format!("{}{off}", rule.severity.as_str()),
            fixes: if fixes.is_empty() {
                format!("none, since {}", rule.no_fix)
            } else {
                fixes.join(", ")
            },
            page: rule.page,
        }
    }
}

/// Returns the page of all rules: a table, then the page of each rule.
fn rules_page(rules: &[Section]) -> String {
    let mut page = String::from(
        "# Rules\n\n\
         <!-- Written by `cargo xtask docs` from the pages in `server/ide/src/diagnostics/rules`: \
         do not edit. -->\n\n\
         `admissible rules CODE` shows the same text. \
         The severity is the default; `admissible.toml` changes it:\n\n\
         ```toml\n[rules]\nunused-variable = \"off\"\n```\n\n\
         Findings of a rule with a fix may have one: `admissible check --fix` applies safe fixes, \
         with `--unsafe` also unsafe ones, which need a look.\n\n\
         | rule | severity | fix | what it finds |\n|---|---|---|---|\n",
    );
    for Section {
        code,
        severity,
        fixes,
        page: text,
    } in rules
    {
        let (summary, _) = parts(text);
        let _ = writeln!(
            page,
            "| [`{code}`](#{code}) | {severity} | {fixes} | {summary} |"
        );
    }
    for rule in rules {
        write_section(rule, &mut page);
    }
    page
}

fn write_section(rule: &Section, page: &mut String) {
    let (summary, body) = parts(rule.page);
    let Section {
        code,
        severity,
        fixes,
        ..
    } = rule;
    let _ = write!(
        page,
        "\n## {code}\n\n{summary} ({severity}; fix: {fixes})\n"
    );
    if !body.is_empty() {
        let _ = write!(page, "\n{}\n", lower_headings(body));
    }
}

/// Returns the summary of a rule's page, which is its first paragraph, on one line; and the rest.
fn parts(page: &str) -> (String, &str) {
    let (_, text) = page.trim().split_once('\n').unwrap_or_default();
    let text = text.trim_start();
    let (summary, body) = text.split_once("\n\n").unwrap_or((text, ""));
    (summary.replace('\n', " "), body.trim())
}

/// Returns the headings of a page, one level below that of its rule. Code is left unchanged.
fn lower_headings(body: &str) -> String {
    let mut fenced = false;
    let lines = body.lines().map(|line| {
        fenced ^= line.trim_start().starts_with("```");
        let heading = !fenced && line.starts_with('#');
        let prefix = if heading { "#" } else { "" };
        format!("{prefix}{}", line.trim_end())
    });
    lines.collect::<Vec<_>>().join("\n")
}
