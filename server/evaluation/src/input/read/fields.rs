//! The fields of an input by type.
//!
//! Every function reports an invalid value and continues without it.

use super::super::error::{ExpectedType, Hint, InputError, InputErrorKind, StructureError};
use cel::Value;
use kubernetes::object;
use text::{Key, TextRange, TextSize, key_of, nearest};
use yaml::{Mapping, Node};

/// Reads fields and collects their errors.
pub(in crate::input) struct Reader<'t> {
    text: &'t str,
    /// The errors so far.
    pub(in crate::input) errors: Vec<InputError>,
}

impl<'t> Reader<'t> {
    pub(in crate::input) fn new(text: &'t str) -> Self {
        Self {
            text,
            errors: Vec::new(),
        }
    }

    /// Reports an error at a node: on its first line.
    pub(in crate::input) fn error(&mut self, node: Node<'_>, kind: InputErrorKind) {
        let range = self.first_line(node.range());
        self.errors.push(InputError { range, kind });
    }

    /// Returns the first line of a node.
    pub(super) fn line(&self, node: Node<'_>) -> TextRange {
        self.first_line(node.range())
    }

    fn first_line(&self, range: TextRange) -> TextRange {
        let inside = self.text.get(std::ops::Range::<usize>::from(range));
        let line = inside.and_then(|inside| inside.lines().next());
        line.map_or(range, |line| {
            TextRange::at(range.start(), TextSize::of(line.trim_end()))
        })
    }

    /// Reports a value of another type.
    pub(in crate::input) fn wrong(
        &mut self,
        node: Node<'_>,
        key: &'static str,
        expected: ExpectedType,
    ) {
        self.error(node, InputErrorKind::WrongType { key, expected });
    }

    /// Reports unknown keys. Those of `others` are accepted, and `hint` explains some of them.
    pub(super) fn check_keys(
        &mut self,
        mapping: Mapping<'_>,
        known: &'static [Key],
        others: &[&str],
        hint: impl Fn(&str) -> Option<Hint>,
    ) {
        for entry in mapping.entries().filter(|entry| !entry.is_merge()) {
            let key = entry.key.key_text();
            if key_of(known, &key).is_some() || others.contains(&&*key) {
                continue;
            }
            let near = || nearest(&key, known.iter().map(|key| key.name)).map(Hint::Nearest);
            let hint = hint(&key).or_else(near).unwrap_or(Hint::Known(known));
            let key = key.into_owned();
            self.error(entry.key, InputErrorKind::UnknownKey { key, hint });
        }
    }

    /// Reads the mapping that a value is.
    pub(super) fn mapping<'n>(&mut self, node: Node<'n>, key: &'static str) -> Option<Mapping<'n>> {
        let mapping = node.as_mapping();
        if mapping.is_none() && !node.is_null() {
            self.wrong(node, key, ExpectedType::Mapping);
        }
        mapping
    }

    /// Reads a string. A missing one is the same as an empty one.
    pub(super) fn text(&mut self, mapping: Mapping<'_>, key: &'static str) -> Option<String> {
        let value = mapping.get(key)?;
        let text = value.as_str();
        if text.is_none() && !value.is_null() {
            self.wrong(value, key, ExpectedType::String);
        }
        text.map(str::to_owned)
    }

    /// Reads one of several strings, with its range.
    pub(super) fn word(
        &mut self,
        node: Node<'_>,
        key: &'static str,
        known: &'static [&'static str],
    ) -> Option<&'static str> {
        let Some(word) = node.as_str() else {
            if !node.is_null() {
                self.wrong(node, key, ExpectedType::String);
            }
            return None;
        };
        let found = known.iter().find(|it| **it == word);
        if found.is_none() {
            let word = word.to_owned();
            self.error(node, InputErrorKind::UnknownWord { key, word, known });
        }
        found.copied()
    }

    pub(super) fn boolean(&mut self, mapping: Mapping<'_>, key: &'static str) -> Option<bool> {
        let value = mapping.get(key)?;
        let found = value.as_scalar().map(yaml::Scalar::value);
        match found {
            Some(yaml::Value::Bool(found)) => Some(found),
            Some(yaml::Value::Null) => None,
            _ => {
                self.wrong(value, key, ExpectedType::Bool);
                None
            }
        }
    }

    pub(super) fn strings(
        &mut self,
        mapping: Mapping<'_>,
        key: &'static str,
    ) -> Option<Vec<String>> {
        let value = mapping.get(key)?;
        if value.is_null() {
            return None;
        }
        self.strings_at(value, key)
    }

    pub(super) fn strings_at(&mut self, value: Node<'_>, key: &'static str) -> Option<Vec<String>> {
        let Some(list) = value.as_sequence() else {
            self.wrong(value, key, ExpectedType::Strings);
            return None;
        };
        let wrong = list.items().find(|item| item.as_str().is_none());
        if let Some(item) = wrong {
            let at = if item.range().is_empty() { value } else { item };
            self.wrong(at, key, ExpectedType::Strings);
            return None;
        }
        let texts = list.items().filter_map(Node::as_str);
        Some(texts.map(str::to_owned).collect())
    }

    /// Reads a mapping of strings.
    pub(in crate::input) fn texts_by_key(
        &mut self,
        value: Node<'_>,
        key: &'static str,
    ) -> Option<Vec<(String, String)>> {
        let Some(mapping) = value.as_mapping() else {
            self.wrong(value, key, ExpectedType::StringMap);
            return None;
        };
        let mut texts = Vec::new();
        for entry in mapping.merged() {
            let Some(text) = entry.value.as_str() else {
                let empty = entry.value.range().is_empty();
                let at = if empty { entry.key } else { entry.value };
                self.wrong(at, key, ExpectedType::StringMap);
                return None;
            };
            texts.push((entry.key.key_text().into_owned(), text.to_owned()));
        }
        Some(texts)
    }

    /// Reads an object with its kind. `null` means no object, as in an `AdmissionReview`.
    pub(super) fn object(&mut self, mapping: Mapping<'_>, key: &'static str) -> Option<Value> {
        let value = mapping.get(key).filter(|value| !value.is_null())?;
        self.object_at(value, key)
    }

    /// Reads the object of a node with its own `apiVersion` and `kind`.
    pub(in crate::input) fn object_at(
        &mut self,
        node: Node<'_>,
        key: &'static str,
    ) -> Option<Value> {
        let object = self.mapping_object(node, key)?;
        for field in ["apiVersion", "kind"] {
            let value = node.get(field).filter(|value| !value.is_null());
            let Some(value) = value else {
                self.error(node, InputErrorKind::Unnamed { key, field });
                return None;
            };
            if value.as_str().is_none_or(str::is_empty) {
                self.wrong(value, field, ExpectedType::String);
                return None;
            }
        }
        Some(object)
    }

    /// Reads the object of a node, with or without `apiVersion` and `kind`.
    pub(in crate::input) fn mapping_object(
        &mut self,
        node: Node<'_>,
        key: &'static str,
    ) -> Option<Value> {
        if node.as_sequence().is_some() {
            self.error(node, InputErrorKind::ListOfObjects { key });
            return None;
        }
        if node.as_mapping().is_none() {
            self.error(node, InputErrorKind::NoObject { key });
            return None;
        }
        let found = object(node);
        if found.is_none() {
            self.error(node, InputErrorKind::Structure(StructureError::TooLarge));
        }
        found
    }

    /// Reads the namespace of the object. `apiVersion` and `kind` are optional.
    pub(super) fn namespace(&mut self, mapping: Mapping<'_>) -> Option<Value> {
        let value = mapping
            .get("namespaceObject")
            .filter(|value| !value.is_null())?;
        self.namespace_at(value)
    }

    pub(in crate::input) fn namespace_at(&mut self, value: Node<'_>) -> Option<Value> {
        let found = self.mapping_object(value, "namespaceObject")?;
        let kind = value.get("kind").filter(|kind| !kind.is_null());
        if let Some(kind) = kind.filter(|kind| kind.as_str() != Some("Namespace")) {
            let text = kind.text().to_owned();
            self.error(kind, InputErrorKind::NoNamespace { kind: text });
            return None;
        }
        Some(found)
    }
}
