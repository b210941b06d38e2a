//! Definitions and references of parameters: `paramRef` of bindings, and the manifests of the
//! objects that they select.

use crate::convert::to_lsp;
use crate::handlers::other_files::OtherFiles;
use crate::state::documents::Snapshot;
use ide::{ParamObject, ParamSelection, SourceFile};
use text::{Encoding, TextSize};
use tower_lsp_server::ls_types as lsp;

/// Returns the parameters that the `paramRef` at an offset selects.
pub(super) fn definitions(
    snapshot: &Snapshot,
    offset: TextSize,
    others: &OtherFiles,
    encoding: Encoding,
) -> Vec<lsp::LocationLink> {
    let file = snapshot.file();
    let Some((range, selection)) = ide::param_selection(file, offset) else {
        return Vec::new();
    };
    let origin = to_lsp::range(file, range, encoding);
    let mut found = Vec::new();
    for_each_param(snapshot, &selection, others, |file, uri, object| {
        let ranges = (object.range, object.whole);
        found.push(to_lsp::link(file, uri, ranges, origin, encoding));
    });
    found
}

/// Returns the bindings that select the object at an offset, or the objects of the `paramRef`
/// there. `None` if there is no object and no `paramRef`.
pub(super) fn references(
    snapshot: &Snapshot,
    offset: TextSize,
    with_definition: bool,
    others: &OtherFiles,
    encoding: Encoding,
) -> Option<Vec<lsp::Location>> {
    let file = snapshot.file();
    let mut found = Vec::new();
    let mut objects = Vec::new();
    let mut define = |file: &SourceFile, uri: &lsp::Uri, object: &ParamObject| {
        if with_definition {
            found.extend(to_lsp::locations(file, uri, &[object.range], encoding));
        }
        objects.push(object.clone());
    };
    if let Some((_, selection)) = ide::param_selection(file, offset) {
        for_each_param(snapshot, &selection, others, define);
    } else {
        define(file, &snapshot.uri, &ide::param_object(file, offset)?);
    }
    let files = ide::files_with_param_refs(file);
    others.for_all(snapshot, &files, |file, uri| {
        let refs = objects.iter().flat_map(|it| ide::param_refs(file, it));
        let mut refs: Vec<_> = refs.collect();
        refs.sort_by_cached_key(|it| it.start());
        refs.dedup();
        found.extend(to_lsp::locations(file, uri, &refs, encoding));
    });
    Some(found)
}

fn for_each_param(
    snapshot: &Snapshot,
    selection: &ParamSelection,
    others: &OtherFiles,
    mut work: impl FnMut(&SourceFile, &lsp::Uri, &ParamObject),
) {
    let files = ide::files_with_params(snapshot.file(), selection);
    others.for_all(snapshot, &files, |file, uri| {
        for object in ide::params(file, selection) {
            work(file, uri, &object);
        }
    });
}
