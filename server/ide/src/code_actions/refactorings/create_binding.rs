//! Creates the binding of a policy, in a document after it or in a new file.
//!
//! A policy has no effect without a binding. The new one applies everywhere, so the action
//! is unsafe: the author must decide where the policy is in effect.

use super::refactoring;
use crate::code_actions::{ActionKind, CodeAction, NewFile};
use crate::completion::document;
use crate::file::SourceFile;
use crate::report::Safety;
use kubernetes::names::format::dns_subdomain;
use policy::manifest::ParamKind;
use policy::{Kind, PolicyDocument};
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::word;

/// The name of the parameters if the project has none of the kind.
const UNKNOWN_PARAMS: &str = "params";

/// Returns the action for the policy whose kind or name is at the cursor. `None` if the project has
/// a binding for it.
pub(super) fn action(file: &SourceFile, cursor: TextSize) -> Option<CodeAction> {
    let (policy, name) = unbound(file, cursor)?;
    // An item of a list is not a separate document.
    if policy.root().parent().is_some() || policy.root().is_flow() {
        return None;
    }
    let text = format!("\n---\n{}", binding(file, policy, name).trim_end());
    let edit = insert_after(file, policy, &text)?;
    let title = format!("Create a binding for `{name}`");
    Some(CodeAction {
        safety: Safety::Unsafe,
        ..refactoring(title, ActionKind::Rewrite, vec![edit])
    })
}

/// Returns the file with a binding for the policy whose kind or name is at the cursor. `None` if
/// the project has a binding for it or with its name, or its name is not valid.
#[must_use]
pub fn binding_file(file: &SourceFile, cursor: TextSize) -> Option<NewFile> {
    let (policy, name) = unbound(file, cursor)?;
    let file_name = format!("{name}-binding.yaml");
    let text = binding(file, policy, name);
    Some(NewFile {
        title: format!("Create a binding for `{name}` in `{file_name}`"),
        text: text.replace('\n', file.editor().line_break()),
        name: file_name,
    })
}

/// Returns the policy whose kind or name is at the cursor, with its name. `None` if the project has
/// a binding for it or with its name, or is incomplete, or if the name is not valid: it is that of
/// the binding as well, and of its file.
fn unbound(file: &SourceFile, cursor: TextSize) -> Option<(&PolicyDocument, &str)> {
    let policy = file.policies().iter().find(|it| {
        let places = [it.kind_range(), it.name_range()];
        it.kind().is_policy() && places.iter().any(|place| place.contains_inclusive(cursor))
    })?;
    let name = policy.name().filter(|_| !file.is_template(policy))?;
    let is_valid = dns_subdomain(name).is_empty();
    let surroundings = file.surroundings();
    let is_bound = [Some(name), None]
        .iter()
        .any(|name| !surroundings.bindings_of(policy.kind(), *name).is_empty());
    let is_free = !is_bound && !surroundings.has_binding_named(policy.kind(), name);
    (is_valid && is_free && surroundings.project().is_whole()).then_some((policy, name))
}

/// Returns the edit that inserts documents after a policy. Each begins with a line break and `---`.
pub(super) fn insert_after(
    file: &SourceFile,
    policy: &PolicyDocument,
    documents: &str,
) -> Option<TextEdit> {
    let written = file.slice(policy.root().range()).trim_end();
    let end = policy.root().range().start() + TextSize::of(written);
    let lines = file.line_index();
    let line = lines.line_content(file.text(), lines.line(end))?;
    let text = documents.replace('\n', file.editor().line_break());
    let is_last = usize::from(line.end()) == file.text().len();
    let end = if is_last {
        file.editor().line_break()
    } else {
        ""
    };
    Some(TextEdit::replace(TextRange::empty(line.end()), text + end))
}

/// Returns the document of a binding that denies.
pub(super) fn binding(file: &SourceFile, policy: &PolicyDocument, name: &str) -> String {
    let kind = if policy.kind().is_mutating_policy() {
        Kind::MutatingAdmissionPolicyBinding
    } else {
        Kind::ValidatingAdmissionPolicyBinding
    };
    let name = word(name);
    let values = [
        ("${name}", &*name),
        ("${policy}", &name),
        ("${Deny}", "Deny"),
    ];
    let text = document(kind.as_str(), &values);
    let version = policy.type_meta().api_version.and_then(yaml::Node::as_str);
    let text = match text.split_once('\n').zip(version) {
        Some(((_, rest), version)) => format!("apiVersion: {version}\n{rest}"),
        None => text,
    };
    let param_kind = policy.policy().and_then(|it| it.param_kind.as_ref());
    match param_kind.filter(|_| !policy.is_static()) {
        Some(param_kind) => text + &param_ref(file, param_kind),
        None => text,
    }
}

/// Returns the reference to the parameters: to those of the project, if it has any of the kind.
fn param_ref(file: &SourceFile, param_kind: &ParamKind) -> String {
    let text = |field: &Option<policy::manifest::StringField>| {
        field
            .as_ref()
            .map_or_else(String::new, |it| it.text.to_string())
    };
    let (api_version, kind) = (text(&param_kind.api_version), text(&param_kind.kind));
    let objects = file.surroundings().objects(&api_version, &kind);
    let object = objects.first();
    let name = object.map_or(UNKNOWN_PARAMS, |it| &it.name);
    let namespace = object.map_or("", |it| &it.namespace);
    let namespace = match namespace {
        "" => String::new(),
        namespace => format!("    namespace: {}\n", word(namespace)),
    };
    let name = word(name);
    format!("  paramRef:\n    name: {name}\n{namespace}    parameterNotFoundAction: Deny\n")
}

#[cfg(test)]
mod tests;
