//! `textDocument/typeDefinition`: the schema of a value in a CustomResourceDefinition.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::definition::schema_lines;
use crate::handlers::other_files::OtherFiles;
use crate::session::Session;
use crate::state::documents::Snapshot;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn type_definition(
    session: &Session,
    params: lsp::request::GotoTypeDefinitionParams,
) -> Result<Option<lsp::request::GotoTypeDefinitionResponse>> {
    let at = params.text_document_position_params;
    let client = session.capabilities();
    let (encoding, with_links) = (client.encoding, client.navigation.type_definition_links);
    let others = OtherFiles::new(session);
    let work = move |it: &Snapshot| {
        let offset = from_lsp::offset(it.included_file()?, at.position, encoding);
        let found = schema_lines(it, offset, true, &others, encoding);
        (!found.is_empty()).then(|| to_lsp::definitions(found, with_links))
    };
    let task = "textDocument/typeDefinition";
    session.answer(task, &at.text_document.uri, work).await
}
