//! Completion in the YAML around the expressions: keys and values of manifests and of admission
//! inputs.
//!
//! The schema of the kind determines what fits. Values that a schema lacks, such as the names of
//! policies and resources, come from the project.

mod cursor;
mod definition_names;
mod inputs;
mod json_paths;
mod json_schema;
mod keys;
mod references;
mod rules;
mod values;

use super::usage::Order;
use super::{Completion, CompletionKind, well_known};
use crate::file::SourceFile;
use crate::kind_fields::only;
use crate::manifest_schema::path;
use crate::manifest_schema::schema_of;
use cursor::Cursor;
use evaluation::samples::Sample;
use kubernetes::TypeMeta;
use kubernetes::openapi::{Catalog, Schema, SchemaType};
use policy::manifest::{Rule, StringField, has};
use std::collections::BTreeSet;
use text::{TextEdit, TextSize};
use yaml::Node;

/// The input of the sources of completions.
struct ManifestContext<'a> {
    file: &'a SourceFile,
    catalog: &'a Catalog,
    samples: &'a [Sample],
    cursor: &'a Cursor,
    /// The scalar at the cursor.
    node: Node<'a>,
}

/// The completions found so far.
#[derive(Default)]
struct ManifestList {
    items: Vec<(Order, Completion)>,
}

/// Returns the completions at an offset outside the expressions.
pub(super) fn completion(
    file: &SourceFile,
    offset: TextSize,
    samples: &[Sample],
) -> Vec<Completion> {
    // A half-written entry can be a key or a value. The first form with completions is used.
    let mut cursors = Cursor::all(file.text(), offset);
    let found = cursors.find_map(|cursor| {
        let context = ManifestContext {
            file,
            catalog: file.project().kinds(),
            samples,
            cursor: &cursor,
            node: cursor.node()?,
        };
        let mut list = ManifestList::default();
        match cursor.mapping() {
            Some(mapping) => keys::add(&context, mapping, &mut list),
            None => values::add(&context, &mut list),
        }
        (!list.items.is_empty()).then_some(list.items)
    });
    let mut items = found.unwrap_or_default();
    items.sort_by(|(left, one), (right, other)| (left, &one.label).cmp(&(right, &other.label)));
    items.into_iter().map(|(_, item)| item).collect()
}

impl ManifestContext<'_> {
    /// Returns the key of a mapping in the mapping that contains it.
    fn owner_key(&self, mapping: Node<'_>) -> Option<String> {
        let entry = mapping.parent()?.entry_of(mapping)?;
        Some(entry.key.key_text().into_owned())
    }

    /// Returns the path of keys in an admission input to a node. `None` in other documents.
    fn input_path<'n>(&self, node: Node<'n>) -> Option<Vec<&'n str>> {
        let root = node.outermost();
        let TypeMeta { api_version, kind } = TypeMeta::read(root);
        let is_input = kind.is_none()
            && (self.file.is_inputs() && api_version.is_none()
                || root.get("object").is_some()
                || root.get("expect").is_some());
        is_input.then(|| path(node))
    }

    /// Returns whether the cursor is in a MutatingAdmissionPolicy or its binding.
    fn is_mutating_policy(&self) -> bool {
        let kind = TypeMeta::read(self.node.outermost())
            .kind
            .and_then(Node::as_str);
        kind.is_some_and(|kind| kind.starts_with("MutatingAdmissionPolicy"))
    }

    /// Returns a value as an element if a list is missing at the cursor: in brackets on the line of
    /// the key, after a dash on a separate line.
    fn as_element(&self, value: String) -> String {
        let schema = schema_of(self.catalog, self.node);
        let is_value = self
            .node
            .parent()
            .is_some_and(|it| it.as_mapping().is_some());
        let is_list = schema.is_some_and(|it| it.ty() == SchemaType::Array);
        match is_value && is_list {
            false => value,
            true if self.cursor.is_alone => format!("- {value}"),
            true => format!("[{value}]"),
        }
    }

    /// Returns whether the list at the cursor already contains a value.
    fn has_item(&self, text: &str) -> bool {
        let list = self.node.parent().and_then(Node::as_sequence);
        let mut items = list.into_iter().flat_map(yaml::Sequence::items);
        items.any(|item| item != self.node && item.text() == text)
    }

    /// Returns the kind of the objects whose labels are at the cursor. Empty if unknown.
    fn kind_of_labels(&self) -> &str {
        let mut at = self.node;
        while let Some(parent) = at.parent() {
            match parent.entry_of(at).map(|entry| entry.key.text()) {
                Some("namespaceSelector" | "namespaceObject") => return "Namespace",
                Some("objectSelector") => return self.kind_of_rules(parent),
                _ => {}
            }
            if let Some(kind) = TypeMeta::read(parent).kind.and_then(Node::as_str) {
                return kind;
            }
            at = parent;
        }
        ""
    }

    /// Returns the kind of the resources that the rules of a mapping match. Empty if there are
    /// several.
    fn kind_of_rules(&self, matching: Node<'_>) -> &str {
        let rules = ["resourceRules", "rules"].map(|key| matching.get(key));
        let rules = rules.into_iter().flatten().filter_map(Node::as_sequence);
        let kinds = rules.flat_map(yaml::Sequence::items).flat_map(|rule| {
            let rule = Rule::read(rule);
            let kind = |name: &StringField| {
                let mut found = self.catalog.resources_of_name(&name.text);
                let found = found.find(|it| rule.groups.is_empty() || has(&rule.groups, it.group));
                found.map_or("", |resource| resource.kind)
            };
            rule.resources.iter().map(kind).collect::<Vec<_>>()
        });
        only(kinds).unwrap_or_default()
    }

    /// Returns the keys of a map: those of the sample manifests, and well-known ones. For
    /// namespaces, the well-known ones come first, since they are the same in every cluster.
    fn label_keys(&self, field: &str, values: Option<Schema<'_>>) -> Vec<String> {
        let kind = self.kind_of_labels();
        let field = if field == "matchLabels" {
            "labels"
        } else {
            field
        };
        let known = well_known::words(well_known::keys(field, kind, values));
        let of_samples = well_known::metadata_keys(self.samples, field, kind).into_iter();
        let mut all: Vec<String> = if kind == "Namespace" {
            known.into_iter().chain(of_samples).collect()
        } else {
            of_samples.chain(known).collect()
        };
        let mut seen = BTreeSet::new();
        all.retain(|key| seen.insert(key.clone()));
        all
    }

    /// Returns the mapping that contains the value at the cursor, and its key there.
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
    /// Offers a value that replaces the word at the cursor.
    fn value(&mut self, context: &ManifestContext<'_>, text: &str, detail: Option<&str>) {
        if self.items.iter().any(|(_, known)| known.label == text) || context.has_item(text) {
            return;
        }
        let insert = if !context.cursor.is_quoted {
            context.as_element(plain(text))
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
            stops: Vec::new(),
            filter: None,
            rank: 0,
        };
        fill(&mut item);
        self.items.push((order, item));
    }
}

/// Returns a string as a plain scalar, or in quotes if YAML would parse it as another type.
fn plain(text: &str) -> String {
    let name = text.strip_prefix('.').unwrap_or(text);
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
        && !matches!(
            text,
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n" | ".inf" | ".nan"
        );
    if is_plain {
        text.to_owned()
    } else {
        yaml::edit::quoted(text)
    }
}

#[cfg(test)]
mod tests;
