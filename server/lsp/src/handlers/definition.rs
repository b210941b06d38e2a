//! `textDocument/definition` and `textDocument/declaration`: where a name is defined. In a policy
//! both are the same.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::other_files::OtherFiles;
use crate::handlers::param_refs;
use crate::session::Session;
use crate::state::documents::Snapshot;
use ide::{Access, Occurrence};
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
        let (file, analysis) = (it.included_file()?, it.analysis());
        let offset = from_lsp::offset(file, at.position, encoding);
        let Some(name) = analysis.name_at(file, offset) else {
            let mut found = param_refs::definitions(it, offset, &others, encoding);
            if found.is_empty() {
                found = schema_lines(it, offset, false, &others, encoding);
            }
            return (!found.is_empty()).then(|| to_lsp::definitions(found, with_links));
        };
        let origin = to_lsp::range(file, name.range, encoding);
        let is_definition = |it: &&Occurrence| it.access == Access::Definition;
        let mut found = Vec::new();
        let own = analysis.occurrences(file, &name.definition).into_iter();
        let own = own.filter(is_definition);
        found.extend(own.map(|own| to_lsp::definition(file, &it.uri, own, origin, encoding)));
        let paths = others.with_definition(&name.definition, it);
        others.for_each(&paths, file, |other| {
            let defined = analysis.occurrences(other.file, &name.definition);
            let defined = defined.into_iter().filter(is_definition);
            let link = |it| to_lsp::definition(other.file, other.uri, it, origin, encoding);
            found.extend(defined.map(link));
        });
        (!found.is_empty()).then(|| to_lsp::definitions(found, with_links))
    };
    session.answer(task, &at.text_document.uri, work).await
}

/// Returns the lines of the schemas that describe the field at an offset. With `follow`, those
/// of the value of a variable too.
pub(super) fn schema_lines(
    snapshot: &Snapshot,
    offset: TextSize,
    follow: bool,
    others: &OtherFiles,
    encoding: Encoding,
) -> Vec<lsp::LocationLink> {
    let (file, analysis) = (snapshot.file(), snapshot.analysis());
    let Some((name, paths)) = analysis.schema_paths(file, offset, follow) else {
        return Vec::new();
    };
    let origin = to_lsp::range(file, name, encoding);
    let mut found = Vec::new();
    for path in &paths {
        if let Some(line) = analysis.schema_line(file, path) {
            found.push(to_lsp::schema_line(
                file,
                &snapshot.uri,
                line,
                origin,
                encoding,
            ));
        }
        let files = analysis.files_with_schema(file, path);
        others.for_each(&files, file, |other| {
            let line = analysis.schema_line(other.file, path);
            found.extend(
                line.map(|it| to_lsp::schema_line(other.file, other.uri, it, origin, encoding)),
            );
        });
    }
    found
}
