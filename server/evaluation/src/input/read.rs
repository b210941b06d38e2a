//! Reading inputs from a file.
//!
//! Reading continues after an error to report all of them. A document with an error that
//! changes the request is rejected, so that a misread test can never pass.

mod authorizer;
mod expect;
mod fields;
mod keys;
mod object_keys;
mod request;

use super::error::{ExpectedType, Hint, InputError, InputErrorKind, Mismatch, StructureError};
use super::{Input, InputKey, Origin, PolicyName, RequestInput};
use admission::Operation;
use cel::Value;
pub(super) use fields::Reader;
use keys::ROOT;
pub use keys::{keys, values};
use kubernetes::{TypeMeta, items};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use text::{TextRange, key_of};
use yaml::mappings;
use yaml::{Document, Mapping, Node, NodeKind, Stream};

/// The inputs in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputFile {
    /// The inputs, in the order of the file.
    pub inputs: Vec<Input>,
    /// The errors, in the order of the file. A document with an error is rejected.
    pub errors: Vec<InputError>,
}

/// The keys that show that a document is not a manifest.
const TELLING: [&str; 3] = ["object", "oldObject", "expect"];

/// The group of the documents that a webhook gets.
const REVIEWS: &str = "admission.k8s.io/";

/// The other keys of such a document.
const REVIEW: [&str; 3] = ["apiVersion", "kind", "response"];

/// The separator in the names of inputs of one file.
const SUFFIX: &str = ".inputs";

/// Reads the inputs in the content of the file `path`. A manifest describes its creation.
#[must_use]
pub fn read(path: &Path, text: &str) -> InputFile {
    let stream = yaml::parse(Arc::from(text));
    let path: Arc<Path> = Arc::from(path);
    let mut file = InputFile::default();
    file.errors.extend(syntax_errors(&stream));
    let documents = stream.documents().enumerate();
    let is_written = |document: &Document<'_>| document.root().is_some_and(|it| !is_nothing(it));
    let documents: Vec<_> = documents.filter(|(_, it)| is_written(it)).collect();
    if documents.is_empty() && file.errors.is_empty() {
        file.errors.push(InputError {
            range: TextRange::default(),
            kind: InputErrorKind::Structure(StructureError::Empty),
        });
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.filter(|stem| documents.len() == 1 && !stem.ends_with(SUFFIX));
    let mut names = HashSet::new();
    for (index, document) in documents {
        let Some(root) = document.root().filter(|_| !document.recovered()) else {
            continue;
        };
        let mut reader = Reader::new(text);
        let draft = reader.document(root);
        let is_right = reader.errors.is_empty();
        file.errors.append(&mut reader.errors);
        if let Some(draft) = draft.filter(|_| is_right) {
            let called = draft.name.clone().or(stem.map(str::to_owned));
            let name = called.unwrap_or_else(|| draft.request.label());
            let is_known = !names.insert(name.clone());
            match root.get("name").filter(|it| is_known && !it.is_null()) {
                Some(second) => file.errors.push(duplicate(second, name)),
                None => file.inputs.push(draft.input(InputKey {
                    path: Arc::clone(&path),
                    document: index,
                    name,
                })),
            }
        }
    }
    file.errors.sort_by_cached_key(|error| error.range.start());
    file
}

/// Reports that a name is already taken.
fn duplicate(second: Node<'_>, name: String) -> InputError {
    InputError {
        range: second.range(),
        kind: InputErrorKind::DuplicateName { name },
    }
}

/// Returns the syntax errors of a YAML file.
pub(super) fn syntax_errors(stream: &Stream) -> impl Iterator<Item = InputError> {
    stream.errors().iter().map(|error| InputError {
        range: error.range,
        kind: InputErrorKind::Syntax(error.message()),
    })
}

/// Returns whether the document is empty.
pub(super) fn is_nothing(root: Node<'_>) -> bool {
    root.is_null() && root.range().is_empty()
}

/// An input that is being read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) name: Option<String>,
    pub(super) policies: Option<Vec<PolicyName>>,
    pub(super) request: RequestInput,
    pub(super) expect: Option<super::Expect>,
    /// The range of the operation.
    pub(super) operation: Option<TextRange>,
}

impl Draft {
    fn input(self, key: InputKey) -> Input {
        Input {
            key,
            origin: Origin::Document,
            policies: self.policies,
            request: self.request,
            expect: self.expect,
        }
    }
}

impl Reader<'_> {
    fn document(&mut self, root: Node<'_>) -> Option<Draft> {
        let mapping = match root.kind() {
            NodeKind::Mapping(mapping) => mapping,
            NodeKind::Sequence(_) => {
                self.error(root, InputErrorKind::Structure(StructureError::List));
                return None;
            }
            NodeKind::Scalar(_) => {
                self.error(root, InputErrorKind::Structure(StructureError::NoMapping));
                return None;
            }
        };
        self.duplicates(root);
        let api_version = TypeMeta::read(root).api_version.and_then(Node::as_str);
        if api_version.is_some_and(|it| it.starts_with(REVIEWS)) {
            if root.get("request").is_some() {
                return Some(self.input(root, mapping, &REVIEW));
            }
            let mut draft = Draft::default();
            self.request_document(root, &mut draft);
            self.completeness(root, &draft);
            return Some(draft);
        }
        let telling = TELLING.iter().any(|key| root.get(key).is_some());
        if api_version.is_some() && root.get("kind").is_some() && !telling {
            return self.manifest(root);
        }
        Some(self.input(root, mapping, &[]))
    }

    /// Reports duplicate keys, at any depth.
    pub(super) fn duplicates(&mut self, root: Node<'_>) {
        for mapping in mappings(root) {
            for (_, second) in mapping.duplicates() {
                let key = second.key.key_text().into_owned();
                self.error(second.key, InputErrorKind::DuplicateKey { key });
            }
        }
    }

    /// Reads a manifest, which describes its own creation.
    fn manifest(&mut self, root: Node<'_>) -> Option<Draft> {
        let kind = TypeMeta::read(root).kind.and_then(Node::as_str);
        if items(root).is_some() && kind.is_some_and(|kind| kind.ends_with("List")) {
            self.error(
                root,
                InputErrorKind::Structure(StructureError::ListManifest),
            );
            return None;
        }
        let object = self.object_at(root, "object")?;
        Some(Draft {
            request: RequestInput {
                object: Some(object),
                ..RequestInput::default()
            },
            ..Draft::default()
        })
    }

    /// Reads an input. Keys of `others` are passed over.
    fn input(&mut self, root: Node<'_>, mapping: Mapping<'_>, others: &[&str]) -> Draft {
        self.check_keys(mapping, ROOT, others, |key| match key {
            "apiVersion" | "kind" | "metadata" | "spec" | "data" => Some(Hint::Below("object")),
            key if key_of(request::KEYS, key).is_some() => Some(Hint::Below("request")),
            key if key_of(expect::KEYS, key).is_some() => Some(Hint::Below("expect")),
            _ => None,
        });
        let mut draft = Draft {
            name: self.text(mapping, "name"),
            policies: self.policies(mapping),
            ..Draft::default()
        };
        let input = &mut draft.request;
        input.raw = self.boolean(mapping, "raw").unwrap_or_default();
        input.object = self.object(mapping, "object");
        input.old_object = self.object(mapping, "oldObject");
        input.params = self.params(mapping);
        input.namespace_object = self.namespace(mapping);
        if let Some(table) = mapping.get("authorizer") {
            input.authorizer = self.authorizer(table);
        }
        if let Some(request) = mapping.get("request") {
            self.request(request, &mut draft);
        }
        if let Some(entry) = mapping.entry("expect") {
            draft.expect = self.expect(entry);
        }
        self.completeness(root, &draft);
        draft
    }

    fn policies(&mut self, mapping: Mapping<'_>) -> Option<Vec<PolicyName>> {
        let entry = mapping.entry("policy")?;
        let named = |node: Node<'_>| {
            let name = node.as_str().filter(|name| !name.is_empty())?;
            Some(PolicyName {
                name: name.to_owned(),
                range: node.range(),
            })
        };
        if let Some(name) = named(entry.value) {
            return Some(vec![name]);
        }
        let list = entry.value.as_sequence();
        let list = list.filter(|_| self.strings(mapping, "policy").is_some());
        // A list with an empty name has no names.
        let names = list
            .map(|list| list.items().map(named).collect::<Option<Vec<_>>>())
            .map(Option::unwrap_or_default);
        match names {
            Some(names) if !names.is_empty() => Some(names),
            Some(_) => {
                self.error(
                    entry.value,
                    InputErrorKind::Structure(StructureError::EmptyPolicies),
                );
                None
            }
            None if entry.value.is_null() => {
                self.error(
                    entry.key,
                    InputErrorKind::Structure(StructureError::EmptyPolicies),
                );
                None
            }
            None => {
                if entry.value.as_sequence().is_none() {
                    self.wrong(entry.value, "policy", ExpectedType::String);
                }
                None
            }
        }
    }

    /// Reads one object or several. `null` is a missing parameter.
    fn params(&mut self, mapping: Mapping<'_>) -> Option<Vec<Value>> {
        let entry = mapping.entry("params")?;
        let value = entry.value;
        let Some(list) = value.as_sequence() else {
            if value.is_null() && value.range().is_empty() {
                self.error(
                    entry.key,
                    InputErrorKind::Structure(StructureError::EmptyParams),
                );
                return None;
            }
            if value.is_null() {
                return Some(vec![Value::Null]);
            }
            return Some(vec![self.mapping_object(value, "params")?]);
        };
        if list.items().len() == 0 {
            self.error(
                value,
                InputErrorKind::Structure(StructureError::EmptyParams),
            );
        }
        let objects = list.items().map(|item| self.mapping_object(item, "params"));
        objects.collect()
    }

    /// Reports whether the request is complete and matches its operation.
    pub(super) fn completeness(&mut self, root: Node<'_>, draft: &Draft) {
        if !self.errors.is_empty() {
            return;
        }
        match draft.mismatch() {
            None => {}
            Some(InputErrorKind::Structure(StructureError::NoRequest)) => {
                self.error(root, InputErrorKind::Structure(StructureError::NoRequest));
            }
            Some(kind) => {
                let range = draft.operation.unwrap_or_default();
                self.errors.push(InputError { range, kind });
            }
        }
    }
}

impl Draft {
    /// Returns how the operation does not fit the objects.
    pub(super) fn mismatch(&self) -> Option<InputErrorKind> {
        let request = &self.request;
        let (object, old) = (request.object.is_some(), request.old_object.is_some());
        let Some(operation) = request.operation else {
            return (!object && !old)
                .then_some(InputErrorKind::Structure(StructureError::NoRequest));
        };
        let mismatch = match (operation, object, old) {
            (Operation::Create | Operation::Connect, _, true) => Mismatch::OldObject,
            (Operation::Create | Operation::Update, false, _) => Mismatch::NoObject,
            (Operation::Delete, true, _) => Mismatch::Object,
            (Operation::Update | Operation::Delete, _, false) => Mismatch::NoOldObject,
            (Operation::Connect, ..) if request.subresource.is_empty() => Mismatch::NoSubresource,
            (Operation::Connect, true, _) if request.options.is_some() => Mismatch::Options,
            _ => return None,
        };
        Some(InputErrorKind::Operation(operation, mismatch))
    }
}

#[cfg(test)]
mod tests;
