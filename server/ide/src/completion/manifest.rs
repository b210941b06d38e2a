//! Completion in the YAML around the expressions: keys and values of manifests and of admission
//! inputs.
//!
//! The schema of the kind decides what fits. What a schema does not have, such as the names of
//! policies and resources, comes from the project.

mod cursor;
mod json_schema;
mod keys;
mod references;
mod rules;
mod values;

use super::usage::Order;
use super::{Completion, CompletionKind};
use crate::file::SourceFile;
use crate::manifest_schema::path;
use cursor::Cursor;
use kubernetes::TypeMeta;
use kubernetes::openapi::Catalog;
use text::{TextEdit, TextSize};
use yaml::Node;

/// The input of the sources of completions.
struct ManifestContext<'a> {
    file: &'a SourceFile,
    catalog: &'a Catalog,
    cursor: &'a Cursor,
    /// The scalar at the cursor.
    node: Node<'a>,
}

/// The completions as they are found.
#[derive(Default)]
struct ManifestList {
    items: Vec<(Order, Completion)>,
}

/// Returns the completions at an offset outside of the expressions.
pub(super) fn completion(file: &SourceFile, offset: TextSize) -> Vec<Completion> {
    let Some(cursor) = Cursor::at(file.text(), offset) else {
        return Vec::new();
    };
    let Some(node) = cursor.node() else {
        return Vec::new();
    };
    let context = ManifestContext {
        file,
        catalog: file.project().kinds(),
        cursor: &cursor,
        node,
    };
    let mut list = ManifestList::default();
    match cursor.mapping() {
        Some(mapping) => keys::add(&context, mapping, &mut list),
        None => values::add(&context, &mut list),
    }
    list.items
        .sort_by(|(left, one), (right, other)| (left, &one.label).cmp(&(right, &other.label)));
    list.items.into_iter().map(|(_, item)| item).collect()
}

impl ManifestContext<'_> {
    /// Returns the key of a mapping in the mapping that holds it.
    fn owner_key(&self, mapping: Node<'_>) -> Option<String> {
        let entry = mapping.parent()?.entry_of(mapping)?;
        Some(entry.key.key_text().into_owned())
    }

    /// Returns the path of keys in an admission input to a node. `None` in other documents.
    fn input_path<'n>(&self, node: Node<'n>) -> Option<Vec<&'n str>> {
        let mut root = node;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        let name = self.file.path().file_stem().and_then(|stem| stem.to_str());
        let folder = self.file.path().parent().and_then(|it| it.extension());
        let is_named = name.is_some_and(|name| name.ends_with(".inputs"))
            || folder.is_some_and(|extension| extension == "inputs");
        let is_input = TypeMeta::read(root).kind.is_none()
            && (is_named || root.get("object").is_some() || root.get("expect").is_some());
        is_input.then(|| path(node))
    }

    /// Returns whether the cursor is in a MutatingAdmissionPolicy or its binding.
    fn is_mutating_policy(&self) -> bool {
        let mut root = self.node;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        let kind = TypeMeta::read(root).kind.and_then(Node::as_str);
        kind.is_some_and(|kind| kind.starts_with("MutatingAdmissionPolicy"))
    }

    /// Returns the list or mapping that holds the value at the cursor, and its key there.
    fn owner(&self) -> Option<(Node<'_>, String)> {
        let mut at = self.node;
        loop {
            let parent = at.parent()?;
            if parent.as_mapping().is_some() {
                let entry = parent.entry_of(at)?;
                return Some((parent, entry.key.key_text().into_owned()));
            }
            at = parent;
        }
    }
}

impl ManifestList {
    /// Offers a value in place of the word at the cursor.
    fn value(&mut self, context: &ManifestContext<'_>, text: &str, detail: Option<&str>) {
        if self.items.iter().any(|(_, known)| known.label == text) {
            return;
        }
        let insert = if !context.cursor.is_quoted {
            plain(text)
        } else if text.contains(['"', '\'', '\\']) {
            return;
        } else {
            text.to_owned()
        };
        let place = self.items.len();
        self.push(context, CompletionKind::Value, Order::at(place), |item| {
            item.label = if text.is_empty() { "\"\"" } else { text }.to_owned();
            item.detail = detail.map(str::to_owned);
            item.edit.insert = insert;
        });
    }

    /// Offers `true` or `false`.
    fn keyword(&mut self, context: &ManifestContext<'_>, text: &str) {
        let order = Order::at(self.items.len());
        self.push(context, CompletionKind::Keyword, order, |item| {
            item.label = text.to_owned();
            item.edit.insert = text.to_owned();
        });
    }

    fn push(
        &mut self,
        context: &ManifestContext<'_>,
        kind: CompletionKind,
        order: Order,
        fill: impl FnOnce(&mut Completion),
    ) {
        let mut item = Completion {
            label: String::new(),
            kind,
            detail: None,
            documentation: None,
            edit: TextEdit::replace(context.cursor.word, String::new()),
            caret: None,
            filter: None,
            rank: 0,
        };
        fill(&mut item);
        self.items.push((order, item));
    }
}

/// Returns a string as a plain scalar, or in quotes where YAML would read something else.
fn plain(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
        && !matches!(
            text,
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
        );
    if is_plain {
        text.to_owned()
    } else {
        yaml::edit::quoted(text)
    }
}

#[cfg(test)]
mod tests;
