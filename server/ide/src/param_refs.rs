//! The parameters of policies: from `paramRef` of a binding to the manifests that it selects, and
//! back.
//!
//! Only the policy specifies the kind of the parameters, so both directions read the project. The
//! namespace of a manifest may come from the command that applies it, and a binding without a
//! namespace selects in the namespace of the request: namespaces are compared only if both are
//! written.

use crate::file::SourceFile;
use kubernetes::{TypeMeta, entries, items, metadata};
use policy::PolicyDocument;
use policy::manifest::{ParamKind, ParamRef, text_of};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use text::{TextRange, TextSize};
use yaml::Node;

/// The objects that `paramRef` of a binding selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamSelection {
    /// The parameter kinds of the policies that the binding names.
    kinds: Vec<ParamKind>,
    reference: ParamRef,
}

/// An object that may be a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamObject {
    api_version: Box<str>,
    kind: Box<str>,
    namespace: Box<str>,
    name: Box<str>,
    labels: Vec<(Box<str>, Box<str>)>,
    /// The range of `metadata.name`.
    pub range: TextRange,
    /// The range of the object.
    pub whole: TextRange,
}

/// Returns the part of `paramRef` at an offset, and the objects that it selects.
#[must_use]
pub fn param_selection(file: &SourceFile, offset: TextSize) -> Option<(TextRange, ParamSelection)> {
    file.policies().iter().find_map(|document| {
        let reference = document.binding()?.param_ref.as_ref()?;
        let selection = Some(reference).filter(|it| it.at.range.contains_inclusive(offset));
        let mapping = document.node(selection?.at.node).as_mapping()?;
        let mut entries = mapping
            .entries()
            .filter(|it| matches!(it.key.text(), "name" | "namespace" | "selector"));
        let range = entries.find_map(|entry| {
            let mut parts = [entry.key, entry.value].into_iter().map(Node::range);
            parts.find(|range| range.contains_inclusive(offset))
        })?;
        Some((range, selection_of(file, document)?))
    })
}

/// Returns the other files that may contain an object of a selection.
#[must_use]
pub fn files_with_params(file: &SourceFile, selection: &ParamSelection) -> Vec<Arc<Path>> {
    let name = text_of(selection.reference.name.as_ref());
    let files = file.project().files().iter();
    let found = files.filter(|it| it.file != *file.path()).filter(|it| {
        let mut objects = it.objects.iter();
        objects.any(|object| {
            selection.is_of_kind(&object.api_version, &object.kind)
                && (name.is_empty() || object.name == name)
        })
    });
    found.map(|it| Arc::clone(&it.file)).collect()
}

/// Returns the objects in a file that a binding selects.
#[must_use]
pub fn params(file: &SourceFile, selection: &ParamSelection) -> Vec<ParamObject> {
    let is_wanted = |text: &str| selection.kinds.iter().any(|it| text.contains(it.kind()));
    let mut found = objects(file, is_wanted);
    found.retain(|object| selection.selects(object));
    found
}

/// Returns the parameter object whose name is at an offset.
#[must_use]
pub fn param_object(file: &SourceFile, offset: TextSize) -> Option<ParamObject> {
    let document = yaml::split(file.text()).find(|it| it.contains_inclusive(offset))?;
    let whole = file.slice(document);
    let mut found = objects(file, |text| std::ptr::eq(text, whole))
        .into_iter()
        .filter(|it| it.range.contains_inclusive(offset));
    found.next()
}

/// Returns the other files with bindings that may select parameters.
#[must_use]
pub fn files_with_param_refs(file: &SourceFile) -> Vec<Arc<Path>> {
    let files = file.project().files().iter();
    let files = files.filter(|it| it.file != *file.path());
    let found = files.filter(|it| it.bindings.iter().any(|it| it.spec.param_ref.is_some()));
    found.map(|it| Arc::clone(&it.file)).collect()
}

/// Returns the ranges at which the bindings of a file select an object: the name, or the key of the
/// selector.
#[must_use]
pub fn param_refs(file: &SourceFile, object: &ParamObject) -> Vec<TextRange> {
    let found = file.policies().iter().filter_map(|document| {
        let selection = selection_of(file, document)?;
        let reference = selection.selects(object).then_some(&selection.reference)?;
        match &reference.name {
            Some(name) => Some(name.at.range),
            None => Some(reference.selector_key.as_ref()?.range),
        }
    });
    found.collect()
}

fn selection_of(file: &SourceFile, document: &PolicyDocument) -> Option<ParamSelection> {
    let reference = document.binding()?.param_ref.clone()?;
    let surroundings = file.surroundings();
    let policies = surroundings.bound_by(surroundings.binding(document)?);
    let kinds = policies
        .iter()
        .filter_map(|it| it.spec.param_kind.clone())
        .collect();
    Some(ParamSelection { kinds, reference })
}

impl ParamSelection {
    fn is_of_kind(&self, api_version: &str, kind: &str) -> bool {
        let mut kinds = self.kinds.iter();
        kinds.any(|it| (it.api_version(), it.kind()) == (api_version, kind))
    }

    fn selects(&self, object: &ParamObject) -> bool {
        let name = text_of(self.reference.name.as_ref());
        let namespace = text_of(self.reference.namespace.as_ref());
        let label = |key: &str| {
            let mut labels = object.labels.iter();
            labels.find(|(it, _)| **it == *key).map(|(_, it)| &**it)
        };
        let selector = self.reference.selector.as_ref();
        let is_named = if name.is_empty() {
            selector.is_some_and(|it| it.matches(label))
        } else {
            *object.name == *name
        };
        let is_near =
            [namespace, &*object.namespace].contains(&"") || *object.namespace == *namespace;
        is_named && is_near && self.is_of_kind(&object.api_version, &object.kind)
    }
}

/// Returns the objects in the documents of a file whose text meets `wanted`.
fn objects(file: &SourceFile, wanted: impl Fn(&str) -> bool) -> Vec<ParamObject> {
    let text = file.text();
    let is_wanted = |range: &TextRange| text.get(Range::<usize>::from(*range)).is_some_and(&wanted);
    let documents: Vec<TextRange> = yaml::split(text).filter(is_wanted).collect();
    let stream = yaml::parse_documents(file.shared_text(), &documents);
    let roots = stream.documents().filter_map(yaml::Document::root);
    roots.flat_map(objects_of).collect()
}

/// Returns the object of a document, or the objects of a list.
fn objects_of(root: Node<'_>) -> Vec<ParamObject> {
    let kind = TypeMeta::read(root).kind.and_then(Node::as_str);
    let is_list = kind.is_some_and(|kind| kind.ends_with("List"));
    match items(root).filter(|_| is_list) {
        Some(list) => list.items().filter_map(object).collect(),
        None => object(root).into_iter().collect(),
    }
}

fn object(root: Node<'_>) -> Option<ParamObject> {
    let meta = TypeMeta::read(root);
    let text = |node: Option<Node<'_>>| Some(Box::from(node?.as_str()?));
    let name = metadata(root, "name")?;
    let labels = metadata(root, "labels").and_then(Node::as_mapping);
    let labels = labels.into_iter().flat_map(entries);
    let label = |entry: yaml::Entry<'_>| {
        let value = entry.value.as_str()?;
        Some((Box::from(&*entry.key.key_text()), Box::from(value)))
    };
    Some(ParamObject {
        api_version: text(meta.api_version)?,
        kind: text(meta.kind)?,
        namespace: text(metadata(root, "namespace")).unwrap_or_default(),
        name: text(Some(name))?,
        labels: labels.filter_map(label).collect(),
        range: name.range(),
        whole: root.range(),
    })
}

#[cfg(test)]
mod tests;
