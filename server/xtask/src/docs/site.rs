//! `cargo xtask docs --site`: the pages of the repository as a site.
//!
//! The pages are in the repository, where their links work. For the site they are copied with other
//! links: a page that `SUMMARY.md` lists is a page of the site, each rule has its own page, and
//! everything else is a file of the repository. mdBook turns the copies into HTML.

use super::markdown::{self, Link};
use super::{Section, parts};
use crate::error::Error;
use crate::process;
use crate::repository;
use ide::diagnostics::RULES;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The folder of the pages, from the root.
const DOCS: &str = "server/docs";
/// The page with all rules.
const RULES_PAGE: &str = "server/docs/rules.md";
/// The folder of the site, from the root.
const SITE: &str = "target/site";
/// How mdBook is installed.
const INSTALL: &str = "`cargo install mdbook --version 0.5.2 --locked` installs it";

/// A page of the site.
#[derive(Debug)]
pub(super) struct Page {
    /// The file that its links are relative to, from the root.
    source: String,
    /// Its path below the source folder of the site.
    pub(super) path: String,
    pub(super) text: String,
}

/// The site before mdBook: its pages, and the pictures that they show.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) pages: Vec<Page>,
    /// The path of a picture, from the root, to its path in the site.
    pictures: BTreeMap<String, String>,
}

/// Writes the site to `target/site`.
///
/// # Errors
/// If a page cannot be read or written, a link leads nowhere, or mdBook is missing or fails.
pub(super) fn run(out: &mut dyn Write) -> Result<(), Error> {
    let root = repository::root();
    let site = Site::new(&root)?;
    let folder = root.join(SITE);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Error::io("remove", &folder, error));
        }
        _ => {}
    }
    for page in &site.pages {
        repository::write(&folder.join("src").join(&page.path), &page.text)?;
    }
    for (from, to) in &site.pictures {
        let to = folder.join("src").join(to);
        let parent = to.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, error))?;
        fs::copy(root.join(from), &to).map_err(|error| Error::io("write", &to, error))?;
    }
    let configuration = repository::read(&root.join(DOCS).join("book.toml"))?;
    repository::write(&folder.join("book.toml"), &configuration)?;
    let mut version = Command::new("mdbook");
    version.arg("--version");
    if !process::is_there(version) {
        return Err(Error::Failed(format!("mdbook is missing: {INSTALL}")));
    }
    let mut build = Command::new("mdbook");
    build.arg("build").arg(&folder);
    if !process::run(build)?.success() {
        return Err(Error::Failed("mdbook failed".to_owned()));
    }
    writeln!(out, "wrote {SITE}/html/index.html")?;
    Ok(())
}

impl Site {
    /// Reads the pages that `SUMMARY.md` lists, and converts their links for the site.
    ///
    /// # Errors
    /// If a page cannot be read, or a link leads nowhere.
    pub(super) fn new(root: &Path) -> Result<Self, Error> {
        let summary = format!("{DOCS}/SUMMARY.md");
        let text = repository::read(&root.join(&summary))?;
        let listed: BTreeSet<String> = markdown::links(&text)
            .iter()
            .map(|link| resolve(&summary, &link.path))
            .collect();
        let mut pages = vec![Page {
            source: summary,
            path: "SUMMARY.md".to_owned(),
            text: with_rules(&text),
        }];
        for source in &listed {
            let text = repository::read(&root.join(source))?;
            pages.push(Page {
                path: place(source),
                text: if source == RULES_PAGE {
                    without_rules(&text)
                } else {
                    text
                },
                source: source.clone(),
            });
        }
        pages.extend(RULES.iter().map(|rule| rule_page(&Section::new(rule))));
        let mut site = Self {
            pages: Vec::new(),
            pictures: BTreeMap::new(),
        };
        for page in pages {
            let page = site.relink(page, root, &listed)?;
            site.pages.push(page);
        }
        Ok(site)
    }
}

impl Site {
    /// Returns the page with the links of the site, and notes its pictures.
    ///
    /// # Errors
    /// If a link leads to a file or a heading that does not exist.
    fn relink(
        &mut self,
        mut page: Page,
        root: &Path,
        listed: &BTreeSet<String>,
    ) -> Result<Page, Error> {
        for link in markdown::links(&page.text).into_iter().rev() {
            if page.path == "SUMMARY.md" && link.path.starts_with("rules/") {
                continue;
            }
            let target = self.target(&page, &link, root, listed)?;
            page.text.replace_range(link.range, &target);
        }
        Ok(page)
    }

    /// Returns the target of a page's link on the site.
    ///
    /// # Errors
    /// If the file or the heading does not exist.
    fn target(
        &mut self,
        page: &Page,
        link: &Link,
        root: &Path,
        listed: &BTreeSet<String>,
    ) -> Result<String, Error> {
        let source = resolve(&page.source, &link.path);
        check_link(root, &page.source, &source, link.anchor.as_deref())?;
        let extension = Path::new(&source).extension();
        let is_picture = extension.is_some_and(|it| it == "png" || it == "gif");
        let anchor = link.anchor.as_deref().unwrap_or_default();
        Ok(if is_picture {
            let to = place(&source);
            let written = relative(&page.path, &to);
            self.pictures.insert(source, to);
            written
        } else if source == RULES_PAGE && RULES.iter().any(|rule| rule.code == anchor) {
            relative(&page.path, &format!("rules/{anchor}.md"))
        } else if listed.contains(&source) {
            let hash = if anchor.is_empty() { "" } else { "#" };
            let path = relative(&page.path, &place(&source));
            format!("{path}{hash}{anchor}")
        } else {
            format!("{}/blob/main/{source}", env!("CARGO_PKG_REPOSITORY"))
        })
    }
}

/// Checks that a link leads to a file, and to a heading of it.
///
/// # Errors
/// If it does not.
pub(super) fn check_link(
    root: &Path,
    page: &str,
    target: &str,
    anchor: Option<&str>,
) -> Result<(), Error> {
    let path = root.join(target);
    if !path.exists() {
        return Err(Error::Failed(format!("{page}: `{target}` does not exist")));
    }
    let Some(anchor) = anchor.filter(|_| target.ends_with(".md")) else {
        return Ok(());
    };
    let anchors = markdown::anchors(&repository::read(&path)?);
    if anchors.iter().any(|it| it == anchor) {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "{page}: `{target}` has no heading `#{anchor}`"
    )))
}

/// Returns the path of a page's link, from the root.
pub(super) fn resolve(page: &str, path: &str) -> String {
    if path.is_empty() {
        return page.to_owned();
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the path of a file on the site: `server/docs/ci.md` is `ci.md`, `README.md` is
/// `index.md`, and `editors/neovim/README.md` is `editors/neovim.md`.
fn place(source: &str) -> String {
    if source == "README.md" {
        return "index.md".to_owned();
    }
    let path = source.strip_prefix("server/docs/").unwrap_or(source);
    match path.strip_suffix("/README.md") {
        Some(folder) => format!("{folder}.md"),
        None => path.to_owned(),
    }
}

/// Returns the path from one page of the site to another.
fn relative(from: &str, to: &str) -> String {
    format!("{}{to}", "../".repeat(from.matches('/').count()))
}

/// Adds the rules below their page.
fn with_rules(summary: &str) -> String {
    let lines = summary.lines().map(|line| {
        let mut line = format!("{line}\n");
        if line.contains("(rules.md)") {
            for rule in RULES {
                line += &format!("  - [{0}](rules/{0}.md)\n", rule.code);
            }
        }
        line
    });
    lines.collect()
}

/// Returns the page of all rules without their sections, which are pages of the site.
fn without_rules(page: &str) -> String {
    let (table, _) = page.split_once("\n## ").unwrap_or((page, ""));
    table.to_owned()
}

/// Returns the page of a rule.
fn rule_page(rule: &Section) -> Page {
    let (summary, body) = parts(rule.page);
    let Section { code, severity, .. } = rule;
    let fix = match rule.fixes.as_str() {
        "" => String::new(),
        fixes => format!("; fix: {fixes}"),
    };
    Page {
        source: RULES_PAGE.to_owned(),
        path: format!("rules/{code}.md"),
        text: format!("# {code}\n\n{summary} ({severity}{fix})\n\n{body}\n"),
    }
}
