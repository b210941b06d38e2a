//! `textDocument/definition` and `textDocument/declaration`: the definition of a name. In a policy
//! both are the same.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::other_files::OtherFiles;
use crate::handlers::param_refs;
use crate::session::Session;
use crate::state::documents::Snapshot;
use ide::Access;
use text::{Encoding, TextSize};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn definition(
    session: &Session,
    params: lsp::GotoDefinitionParams,
) -> Result<Option<lsp::GotoDefinitionResponse>> {
    let links = session.capabilities().navigation.definition_links;
    find(session, "textDocument/definition", params, links).await
}

pub(crate) async fn declaration(
    session: &Session,
    params: lsp::GotoDefinitionParams,
) -> Result<Option<lsp::GotoDefinitionResponse>> {
    let links = session.capabilities().navigation.declaration_links;
    find(session, "textDocument/declaration", params, links).await
}

async fn find(
    session: &Session,
    task: &'static str,
    params: lsp::GotoDefinitionParams,
    with_links: bool,
) -> Result<Option<lsp::GotoDefinitionResponse>> {
    let at = params.text_document_position_params;
    let encoding = session.capabilities().encoding;
    let others = OtherFiles::new(session);
    let work = move |it: &Snapshot| {
        let file = it.included_file()?;
        let offset = from_lsp::offset(file, at.position, encoding);
        let Some(name) = ide::name_at(file, offset) else {
            let mut found = param_refs::definitions(it, offset, &others, encoding);
            if found.is_empty() {
                found = schema_lines(it, offset, false, &others, encoding);
            }
            return (!found.is_empty()).then(|| to_lsp::definitions(found, with_links));
        };
        let origin = to_lsp::range(file, name.range, encoding);
        let mut found = Vec::new();
        let paths = others.with_definition(&name.definition, it);
        others.for_all(it, &paths, |file, uri| {
            let names = ide::occurrences(file, &name.definition);
            let defined = names.filter(|it| it.access == Access::Definition);
            let ranges = defined.map(|it| (it.range, it.whole));
            found.extend(ranges.map(|it| to_lsp::link(file, uri, it, origin, encoding)));
        });
        (!found.is_empty()).then(|| to_lsp::definitions(found, with_links))
    };
    session.answer(task, &at.text_document.uri, work).await
}

/// Returns the lines of the schemas that describe the field at an offset. With `follow`, includes
/// those of a variable's value.
pub(super) fn schema_lines(
    snapshot: &Snapshot,
    offset: TextSize,
    follow: bool,
    others: &OtherFiles,
    encoding: Encoding,
) -> Vec<lsp::LocationLink> {
    let file = snapshot.file();
    let Some((name, paths)) = ide::schema_paths(file, offset, follow) else {
        return Vec::new();
    };
    let origin = to_lsp::range(file, name, encoding);
    let mut found = Vec::new();
    for path in &paths {
        let files = ide::files_with_schema(file, path);
        others.for_all(snapshot, &files, |file, uri| {
            let ranges = ide::schema_line(file, path).map(|it| (it.name, it.whole));
            found.extend(ranges.map(|it| to_lsp::link(file, uri, it, origin, encoding)));
        });
    }
    found
}
