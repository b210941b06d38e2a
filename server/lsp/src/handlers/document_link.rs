//! `textDocument/documentLink`: files that comments and `admissible.toml` name, and pages of rules.

use crate::convert::to_lsp;
use crate::rule_pages::RulePages;
use crate::session::Session;
use crate::state::documents::Snapshot;
use ide::LinkTarget;
use std::path::Path;
use text::TextRange;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;
use workspace::{CONFIG_FILE, Config};

pub(crate) async fn document_link(
    session: &Session,
    params: lsp::DocumentLinkParams,
) -> Result<Option<Vec<lsp::DocumentLink>>> {
    let encoding = session.capabilities().encoding;
    let pages = session.capabilities().diagnostics.rule_pages;
    let task = "textDocument/documentLink";
    session
        .answer(task, &params.text_document.uri, move |it| {
            let file = it.included_file()?;
            let links = targets(it, pages).into_iter().map(|(range, target)| {
                let range = to_lsp::range(file, range, encoding);
                to_lsp::document_link(range, target)
            });
            Some(links.collect())
        })
        .await
}

/// Returns the links of a document whose targets exist.
fn targets(snapshot: &Snapshot, pages: RulePages) -> Vec<(TextRange, lsp::Uri)> {
    let path = snapshot.path();
    let folder = path.parent().filter(|_| path.is_absolute());
    let roots = snapshot.configuration().files.roots();
    let file = |target: &str| {
        let path = roots.named(folder?, Path::new(target))?;
        lsp::Uri::from_file_path(path)
    };
    if path.ends_with(CONFIG_FILE) {
        let config = Config::parse(path, snapshot.text());
        let schemas = config.schemas().unwrap_or_default().iter();
        let found = schemas.filter_map(|it| Some((it.range, file(&it.path)?)));
        return found.collect();
    }
    // The comments of an inputs file also count, as in its findings.
    let with_inputs = snapshot.with_inputs().clone();
    let source = with_inputs.as_ref().map_or(snapshot.file(), |it| &it.file);
    let found = ide::document_links(source).into_iter().filter_map(|link| {
        let target = match link.target {
            LinkTarget::Path(path) => file(&path),
            LinkTarget::Rule(code) => pages.uri(code),
        };
        Some((link.range, target?))
    });
    found.collect()
}
