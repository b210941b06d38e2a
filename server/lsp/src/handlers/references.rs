//! `textDocument/references`: the uses of a name, in all files of the project.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::other_files::{OtherFiles, is_kat_test};
use crate::handlers::param_refs;
use crate::session::Session;
use crate::state::documents::Snapshot;
use ide::{Access, Occurrence};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn references(
    session: &Session,
    params: lsp::ReferenceParams,
) -> Result<Option<Vec<lsp::Location>>> {
    let at = params.text_document_position;
    let encoding = session.capabilities().encoding;
    let others = OtherFiles::new(session);
    let with_definition = params.context.include_declaration;
    let work = move |it: &Snapshot| {
        let file = it.included_file()?;
        let offset = from_lsp::offset(file, at.position, encoding);
        let Some(name) = ide::name_at(file, offset) else {
            return param_refs::references(it, offset, with_definition, &others, encoding);
        };
        let is_wanted = |it: &&Occurrence| with_definition || it.access == Access::Reference;
        let mut found = Vec::new();
        let paths = others.related(&name.definition, it);
        others.for_all(it, &paths, |file, uri| {
            let policy = name.definition.policy_name();
            if policy.is_some_and(|policy| is_kat_test(file.path(), policy)) {
                // The name of the file is the reference.
                found.push(lsp::Location::new(uri.clone(), lsp::Range::default()));
            }
            let used = ide::occurrences(file, &name.definition);
            let ranges: Vec<_> = used.filter(is_wanted).map(|it| it.range).collect();
            found.extend(to_lsp::locations(file, uri, &ranges, encoding));
        });
        Some(found)
    };
    let task = "textDocument/references";
    session.answer(task, &at.text_document.uri, work).await
}
