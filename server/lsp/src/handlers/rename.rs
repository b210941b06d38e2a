//! `textDocument/prepareRename` and `textDocument/rename`: renaming in all files.

use crate::convert::{from_lsp, to_lsp};
use crate::handlers::other_files::{self, OtherFiles, is_kat_test};
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::transport::error;
use crate::workers::Lane;
use ide::{Access, Definition, RenameError, SourceFile};
use std::collections::HashSet;
use text::{Encoding, TextSize};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types as lsp;
use tower_lsp_server::ls_types::error_codes::REQUEST_FAILED;

pub(crate) async fn prepare_rename(
    session: &Session,
    at: lsp::TextDocumentPositionParams,
) -> Result<Option<lsp::PrepareRenameResponse>> {
    let encoding = session.capabilities().encoding;
    let work = move |it: &Snapshot| {
        let file = it.included_file()?;
        let offset = from_lsp::offset(file, at.position, encoding);
        let name = ide::prepare_rename(file, offset).transpose()?;
        let prepared = name.map(|name| lsp::PrepareRenameResponse::RangeWithPlaceholder {
            range: to_lsp::range(file, name.range, encoding),
            placeholder: file.slice(name.range).to_owned(),
        });
        Some(prepared.map_err(text))
    };
    let task = "textDocument/prepareRename";
    let prepared = session.answer(task, &at.text_document.uri, work).await?;
    prepared.transpose().map_err(rejected)
}

pub(crate) async fn rename(
    session: &Session,
    params: lsp::RenameParams,
) -> Result<Option<lsp::WorkspaceEdit>> {
    let at = params.text_document_position;
    let Some(snapshot) = session.state.documents.snapshot(&at.text_document.uri) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let versioned = client.answers.versioned_edits;
    let others = OtherFiles::new(session);
    let work = move |it: &Snapshot| {
        if it.is_excluded() {
            return Ok(None);
        }
        let offset = from_lsp::offset(it.file(), at.position, client.encoding);
        let edits = edits(it, offset, &params.new_name, &others, client.encoding)?;
        let Some(Edits { documents, files }) = edits else {
            return Ok(None);
        };
        if !files.is_empty() && !client.answers.renames_files {
            return Err(format!(
                "The names of test files begin with the name of the policy, but the editor does \
                 not support renaming files: {}",
                file_names(&files)
            ));
        }
        Ok(Some(to_lsp::document_edits(documents, files, &client)))
    };
    let task = "textDocument/rename";
    let edit = session
        .analyze(Lane::Request, task, &snapshot, work)
        .await?;
    // An edit without a version would be applied to any text.
    if !versioned && !session.state.documents.is_newest(&snapshot) {
        return Err(Error::content_modified());
    }
    edit.map_err(rejected)
}

/// The edits of a rename.
struct Edits {
    documents: Vec<lsp::TextDocumentEdit>,
    /// The files of kat tests, whose names begin with the name of their policy.
    files: Vec<lsp::RenameFile>,
}

/// Returns the edits in each file. `None` if no name is at the position.
fn edits(
    snapshot: &Snapshot,
    offset: TextSize,
    new: &str,
    others: &OtherFiles,
    encoding: Encoding,
) -> std::result::Result<Option<Edits>, String> {
    let file = snapshot.file();
    let Some(name) = ide::prepare_rename(file, offset).map_err(text)? else {
        return Ok(None);
    };
    let of = &name.definition;
    let own = ide::rename(file, of, new).map_err(text)?;
    let identity = (&snapshot.uri, Some(snapshot.version));
    let mut documents = vec![to_lsp::text_edits(file, identity, &own, encoding)];
    let (mut files, mut rejected) = (Vec::new(), None);
    let mut same_name = SameName::new(of);
    same_name.add(file);
    let related = others.related(of, snapshot);
    let unread = others.for_each(&related, snapshot, |other| {
        let identity = (other.uri, other.version);
        same_name.add(other.file);
        files.extend(renamed_test(other.file, other.uri, of, new));
        match ide::rename(other.file, of, new) {
            Ok(found) => documents.push(to_lsp::text_edits(other.file, identity, &found, encoding)),
            Err(reason) => rejected = Some(reason.to_string()),
        }
    });
    if let Some(path) = unread {
        rejected = Some(format!("{} cannot be read.", path.display()));
    }
    if same_name.is_ambiguous() {
        rejected = Some(
            "An admission input evaluates this policy and another one with the same name."
                .to_owned(),
        );
    }
    documents.retain(|document| !document.edits.is_empty());
    rejected.map_or(Ok(Some(Edits { documents, files })), Err)
}

/// The policies that an input refers to by one name. They can only be renamed together.
struct SameName {
    of_input: Option<Definition>,
    is_in_input: bool,
    definitions: HashSet<Definition>,
}

impl SameName {
    fn new(of: &Definition) -> Self {
        let name = match of {
            Definition::Policy { name, .. } => Some(name.clone()),
            _ => None,
        };
        Self {
            of_input: name.map(|name| Definition::OfInput { name }),
            is_in_input: false,
            definitions: HashSet::new(),
        }
    }

    fn add(&mut self, file: &SourceFile) {
        let Some(of_input) = &self.of_input else {
            return;
        };
        for name in ide::occurrences(file, of_input) {
            self.is_in_input |= name.definition == *of_input;
            if name.access == Access::Definition {
                self.definitions.insert(name.definition.clone());
            }
        }
    }

    fn is_ambiguous(&self) -> bool {
        self.is_in_input && self.definitions.len() > 1
    }
}

/// Returns the new name of a file of a kat test that is named after a policy.
fn renamed_test(
    file: &SourceFile,
    uri: &lsp::Uri,
    of: &Definition,
    new: &str,
) -> Option<lsp::RenameFile> {
    let old = of.policy_name()?;
    let path = file.path();
    if !is_kat_test(path, old) {
        return None;
    }
    let rest = path.file_name()?.to_str()?.strip_prefix(old)?;
    let renamed = path.with_file_name(format!("{new}{rest}"));
    Some(lsp::RenameFile {
        old_uri: uri.clone(),
        new_uri: other_files::uri(&renamed)?,
        options: None,
        annotation_id: None,
    })
}

/// Returns the names of files for a message.
fn file_names(files: &[lsp::RenameFile]) -> String {
    let names = files.iter().filter_map(|it| {
        let path = from_lsp::path(&it.old_uri)?;
        Some(format!("`{}`", path.file_name()?.to_string_lossy()))
    });
    names.collect::<Vec<_>>().join(", ")
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` passes it")]
fn text(reason: RenameError) -> String {
    reason.to_string()
}

fn rejected(reason: String) -> Error {
    error(ErrorCode::from(REQUEST_FAILED), reason)
}
