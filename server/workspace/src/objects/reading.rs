//! Reading the objects of a chunk.
//!
//! An error invalidates only its object: reading continues where the format defines the start of
//! the next one. Within a JSON array it does not, so reading ends.

use super::boundary;
use super::chunk::{Chunk, Layout, ObjectSink, ObjectVisitor, StreamObject, WholeObjects};
use super::format::{Format, content, format};
use super::problem::{ObjectProblem, ObjectProblemKind};
use super::scan::{Fields, ListHead, Reached};
use super::yaml_items;
use admission::{JsonError, JsonReader, ReadParts};
use cel::Value;
use cel::value::{Key, MapBuilder};
use kubernetes::{TypeMeta, object};
use std::borrow::Cow;
use std::str;
use std::sync::Arc;
use yaml::Node;

impl Chunk {
    /// Reads the objects in order.
    pub fn read(&self, json: &mut JsonReader, found: &mut ObjectSink<'_>) {
        self.visit(json, &mut WholeObjects(found));
    }

    /// Reads the parts of the objects that the visitor selects, in order. Objects in YAML are read as
    /// a whole.
    pub fn visit(&self, json: &mut JsonReader, visitor: &mut dyn ObjectVisitor) {
        if let Some(problem) = &self.problem {
            visitor.problem(problem.clone());
        }
        let mut reading = ChunkReader {
            chunk: self,
            json,
            visitor,
        };
        match &self.layout {
            Layout::Values => reading.values(),
            Layout::JsonItems(list) => reading.json_items(list),
            Layout::YamlItems(indent, list) => reading.yaml_items(*indent, list),
        }
    }
}

/// Reads the objects of a chunk.
struct ChunkReader<'c, 'v> {
    chunk: &'c Chunk,
    json: &'v mut JsonReader,
    visitor: &'v mut dyn ObjectVisitor,
}

/// The text is not UTF-8, which was reported.
struct NotUtf8;

impl<'c> ChunkReader<'c, '_> {
    /// Reads the first value of a string, or the selected parts of an object.
    fn json(&mut self, text: &str, list: Option<&ListHead>) -> Result<ReadParts, JsonError> {
        let of_list = list.and_then(|it| {
            Some((
                it.api_version.as_deref().unwrap_or_default(),
                it.item_kind()?,
            ))
        });
        let parts = self.json.read_parts(text, of_list, self.visitor);
        let whole = |(value, end)| ReadParts {
            value: Some(value),
            is_compared: false,
            end,
        };
        parts.map_or_else(|| self.json.read(text).map(whole), Ok)
    }

    /// Passes on a value that was read. `each` receives one that is not known.
    fn pass(&mut self, read: ReadParts, start: usize, each: impl FnOnce(&mut Self, StreamObject)) {
        let is_compared = read.is_compared;
        match read.value {
            Some(value) => each(
                self,
                StreamObject {
                    value,
                    start,
                    is_compared,
                },
            ),
            None => self.visitor.known_object(start, self.json.texts()),
        }
    }

    /// Reads JSON values and YAML documents.
    fn values(&mut self) {
        let text = &self.chunk.text;
        let mut start = 0;
        while start < text.len() {
            let end = boundary::next(text, start).unwrap_or(text.len());
            let part = text.get(..end).unwrap_or_default();
            let from = content(part, start);
            let next = match format(part.get(from..).unwrap_or_default()) {
                Format::Nothing => end,
                format => match self.utf8(from, end) {
                    Err(NotUtf8) => end,
                    Ok(text) if format == Format::Json => self.json_values(text, from),
                    Ok(text) => self.document(text, from),
                },
            };
            start = next.max(start + 1);
        }
    }

    /// Reads JSON values. Returns the offset at which reading continues.
    fn json_values(&mut self, text: &str, base: usize) -> usize {
        let text = &*with_whole_characters(text);
        let mut at = 0;
        while let Some(rest) = after_blanks(text, &mut at) {
            match self.json(rest, None) {
                Ok(read) => {
                    let (start, len) = (base + at, read.end);
                    let text = rest.get(..len).unwrap_or(rest);
                    self.pass(read, start, |it, object| it.json_value(object, text));
                    at += len;
                }
                Err(error) => {
                    // The error is in the first line, if it was meant as a separate value.
                    let next = boundary::next_brace(rest.as_bytes(), 0).unwrap_or(rest.len());
                    let line = rest.get(..next).unwrap_or(rest).trim_ascii_end();
                    let error = self.json.read(line).err().unwrap_or(error);
                    let kind = ObjectProblemKind::Json(error.message);
                    self.problem(base + at + error.offset, kind, false);
                    return base + at + next;
                }
            }
        }
        base + text.len()
    }

    /// Reads a top-level value: an object, or a list of objects, each with its offset.
    fn json_value(&mut self, object: StreamObject, text: &str) {
        let is_array = object.value.as_list().is_some();
        let Some(list) = list_head(&object.value).or_else(|| is_array.then(Arc::default)) else {
            return self.object(object);
        };
        let start = object.start;
        drop(object);
        if let Reached::Items(items) = Fields::before(0).advance(text.as_bytes()) {
            self.elements(text.get(items..).unwrap_or_default(), start + items, &list);
        }
    }

    /// Reads elements of a JSON array.
    fn json_items(&mut self, list: &Arc<ListHead>) {
        match str::from_utf8(&self.chunk.text) {
            Ok(text) => {
                self.elements(text, 0, list);
            }
            Err(error) => {
                let valid = error.valid_up_to();
                let bytes = self.chunk.text.get(..valid).unwrap_or_default();
                let before = str::from_utf8(bytes).unwrap_or_default();
                // The element with that byte is incomplete, which already is an error.
                if !self.elements(before, 0, list) {
                    self.problem(valid, ObjectProblemKind::NotUtf8, true);
                }
            }
        }
    }

    /// Reads the elements of an array up to its end or that of the text. Returns whether there was
    /// an error within the text.
    fn elements(&mut self, text: &str, base: usize, list: &Arc<ListHead>) -> bool {
        let text = &*with_whole_characters(text);
        let mut at = 0;
        while let Some(rest) = after_blanks(text, &mut at).filter(|rest| !rest.starts_with(']')) {
            match self.json(rest, Some(list)) {
                Ok(read) => {
                    let (start, len) = (base + at, read.end);
                    self.pass(read, start, |it, object| it.item(object, list));
                    at += len;
                }
                Err(error) => {
                    let is_in_text = !error.is_cut || str::from_utf8(&self.chunk.text).is_ok();
                    if is_in_text {
                        let kind = ObjectProblemKind::Json(error.message);
                        self.problem(base + at + error.offset, kind, true);
                    }
                    return is_in_text;
                }
            }
            match after_blanks(text, &mut at).map(str::as_bytes) {
                Some([b',', ..]) => at += 1,
                None | Some([b']', ..]) => break,
                Some(_) => {
                    let kind = ObjectProblemKind::Json("expected `,` or `]`".to_owned());
                    self.problem(base + at, kind, true);
                    return true;
                }
            }
        }
        false
    }

    /// Reads a YAML document. Returns the offset at which reading continues.
    fn document(&mut self, text: &str, base: usize) -> usize {
        let stream = yaml::parse(Arc::from(text));
        if let Some(error) = stream.errors().first() {
            let at = base + usize::from(error.range.start());
            self.problem(at, ObjectProblemKind::Yaml(error.message()), false);
            let next = boundary::next_brace(text.as_bytes(), 0);
            return base + next.unwrap_or(text.len());
        }
        for root in stream.documents().filter_map(yaml::Document::root) {
            self.node(root, base);
        }
        base + text.len()
    }

    /// Reads a top-level node: an object, or a list of objects.
    fn node(&mut self, root: Node<'_>, base: usize) {
        let TypeMeta { api_version, kind } = TypeMeta::read(root);
        let text = |node: Node<'_>| node.as_str().map(str::to_owned);
        let head = ListHead {
            api_version: api_version.and_then(text),
            kind: kind.and_then(text),
        };
        let items = kubernetes::items(root).filter(|_| head.is_of_list());
        match items.or_else(|| root.as_sequence()) {
            Some(items) => {
                let head = Arc::new(head);
                for item in items.items() {
                    self.converted(item, base, Some(&head));
                }
            }
            None => self.converted(root, base, None),
        }
    }

    /// Reads entries of a YAML sequence, each by itself.
    fn yaml_items(&mut self, indent: usize, list: &Arc<ListHead>) {
        let text = &self.chunk.text;
        let mut start = 0;
        while start < text.len() {
            let end = yaml_items::next(text, start, indent).unwrap_or(text.len());
            if let Ok(text) = self.utf8(start, end) {
                self.yaml_item(text, start, list);
            }
            start = end;
        }
    }

    fn yaml_item(&mut self, text: &str, base: usize, list: &Arc<ListHead>) {
        let stream = yaml::parse(Arc::from(text));
        if let Some(error) = stream.errors().first() {
            let at = base + usize::from(error.range.start());
            return self.problem(at, ObjectProblemKind::Yaml(error.message()), false);
        }
        let roots = stream.documents().filter_map(yaml::Document::root);
        let lists = roots.filter_map(Node::as_sequence);
        for item in lists.flat_map(yaml::Sequence::items) {
            self.converted(item, base, Some(list));
        }
    }

    fn converted(&mut self, node: Node<'_>, base: usize, list: Option<&Arc<ListHead>>) {
        let at = base + usize::from(node.range().start());
        let Some(value) = object(node) else {
            return self.problem(at, ObjectProblemKind::TooManyAliases, false);
        };
        let object = StreamObject {
            value,
            start: at,
            is_compared: false,
        };
        match list {
            Some(list) => self.item(object, list),
            None => self.object(object),
        }
    }

    /// Reads an item of a list. If its type is missing, it follows from the list.
    ///
    /// Upstream: kubernetes/apimachinery, pkg/apis/meta/v1/unstructured/helpers.go,
    /// decodeToList.
    fn item(&mut self, object: StreamObject, list: &ListHead) {
        let value = &object.value;
        let says = |field: &str| !text(value, field).unwrap_or_default().is_empty();
        let (Value::Map(map), Some(kind)) = (value, list.item_kind()) else {
            return self.object(object);
        };
        if says("apiVersion") || says("kind") {
            return self.object(object);
        }
        let api_version = list.api_version.as_deref().unwrap_or_default();
        let mut typed = MapBuilder::with_capacity(map.len() + 2);
        for (field, text) in [("apiVersion", api_version), ("kind", kind)] {
            typed.insert(Key::String(field.into()), Value::string(text));
        }
        let is_type =
            |key: &Key| matches!(key, Key::String(key) if matches!(&**key, "apiVersion" | "kind"));
        for (key, value) in map.iter().filter(|(key, _)| !is_type(key)) {
            typed.insert(key.clone(), value.clone());
        }
        self.object(StreamObject {
            value: Value::Map(typed.build()),
            ..object
        });
    }

    fn object(&mut self, object: StreamObject) {
        let (value, start) = (&object.value, object.start);
        let Some(map) = value.as_map() else {
            return self.problem(start, ObjectProblemKind::NotAnObject, false);
        };
        // A list within a list.
        if let Some(list) = list_head(value)
            && let Some(items) = map.get_str("items").and_then(Value::as_list)
        {
            for item in items {
                let item = StreamObject {
                    value: item.clone(),
                    start,
                    is_compared: false,
                };
                self.item(item, &list);
            }
            return;
        }
        // A list without items, as Go encodes it.
        let is_list = text(value, "kind").is_some_and(|kind| kind.ends_with("List"));
        if is_list && matches!(map.get_str("items"), Some(Value::Null)) {
            return;
        }
        let texts = object.is_compared.then(|| self.json.texts());
        self.visitor.object(object, texts);
    }

    /// Returns a part of the text, or reports that it is not UTF-8.
    fn utf8(&mut self, start: usize, end: usize) -> Result<&'c str, NotUtf8> {
        let bytes = self.chunk.text.get(start..end).unwrap_or_default();
        str::from_utf8(bytes).map_err(|error| {
            let at = start + error.valid_up_to();
            self.problem(at, ObjectProblemKind::NotUtf8, false);
            NotUtf8
        })
    }

    fn problem(&mut self, at: usize, kind: ObjectProblemKind, is_final: bool) {
        self.visitor.problem(ObjectProblem {
            position: self.chunk.position(at),
            kind,
            is_final,
        });
    }
}

/// Returns JSON without lone surrogates, which is searched only if it has escapes.
fn with_whole_characters(json: &str) -> Cow<'_, str> {
    let has_escape = memchr::memmem::find(json.as_bytes(), b"\\u").is_some();
    let repaired = has_escape.then(|| text::without_lone_surrogates(json));
    repaired.flatten().map_or(Cow::Borrowed(json), Cow::Owned)
}

/// Returns the text after the white space at an offset, which is advanced. `None` at the end.
fn after_blanks<'t>(text: &'t str, at: &mut usize) -> Option<&'t str> {
    let rest = text.get(*at..)?;
    let trimmed = rest.trim_ascii_start();
    *at += rest.len() - trimmed.len();
    (!trimmed.is_empty()).then_some(trimmed)
}

/// Returns the type of a list. `None` if the value is not one.
fn list_head(value: &Value) -> Option<Arc<ListHead>> {
    value.as_map()?.get_str("items")?.as_list()?;
    let head = ListHead {
        api_version: text(value, "apiVersion").map(str::to_owned),
        kind: text(value, "kind").map(str::to_owned),
    };
    head.is_of_list().then(|| Arc::new(head))
}

fn text<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.as_map()?.get_str(field)?.as_str()
}
