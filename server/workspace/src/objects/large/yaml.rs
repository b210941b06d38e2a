//! Large YAML documents.

use super::super::boundary::{self, DASHES};
use super::super::chunk::Layout;
use super::super::scan::ListHead;
use super::super::{
    CHUNK, MAX_OBJECT, ObjectProblemKind, ObjectStream, Progress, State, yaml_items,
};
use super::Large;
use memchr::{memchr, memrchr};
use std::io::{self, BufRead as _, BufReader, Read};
use std::sync::Arc;

/// The entries of a sequence that is not in memory as a whole.
#[derive(Debug)]
pub(in crate::objects) struct Items {
    /// The indentation of the dashes.
    indent: usize,
    list: Arc<ListHead>,
    /// Whether the current entry is too large and its bytes are skipped.
    is_skipped: bool,
}

impl<R: Read> ObjectStream<R> {
    pub(super) fn yaml(&mut self) -> io::Result<Progress> {
        let bytes = self.window.bytes();
        let end = boundary::next(bytes, 0);
        let document = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        if let Some((head, indent, first)) = yaml_items::start(document)
            && head.is_of_list()
        {
            return self.entries_begin(head, indent, first);
        }
        if let Some(end) = end {
            self.state = State::Values;
            return Ok(self.chunk(end, Layout::Values));
        }
        if self.window.is_last() {
            return Ok(self.rest(Layout::Values));
        }
        if bytes.len() > MAX_OBJECT {
            return Ok(self.too_large(Large::YamlRest));
        }
        self.grow(Large::Yaml)
    }

    fn entries_begin(
        &mut self,
        mut head: ListHead,
        indent: usize,
        first: usize,
    ) -> io::Result<Progress> {
        let entry = self.window.bytes().get(first..).unwrap_or_default();
        let end = yaml_items::next(entry, 0, indent).unwrap_or(entry.len());
        if head.kind.is_none() && lacks_kind(entry.get(..end).unwrap_or_default()) {
            let Some(rest) = self.again(first) else {
                return Ok(self.fail(ObjectProblemKind::LateKind));
            };
            behind_entries(rest?, &mut head)?;
        }
        self.window.skip(first);
        Ok(self.continue_with(Large::YamlItems(Items {
            indent,
            list: Arc::new(head),
            is_skipped: false,
        })))
    }

    pub(super) fn yaml_items(&mut self, mut items: Items) -> io::Result<Progress> {
        let bytes = self.window.bytes();
        let (size, indent) = (bytes.len(), items.indent);
        if items.is_skipped {
            return self.skip_entry(items);
        }
        let end = yaml_items::end(bytes, 0, indent);
        let layout = Layout::YamlItems(indent, Arc::clone(&items.list));
        if let Some(end) = end {
            return Ok(self.give(end, layout, Large::YamlRest));
        }
        if self.window.is_last() {
            return Ok(self.rest(layout));
        }
        match yaml_items::last(bytes, indent) {
            Some(cut) if size >= CHUNK => Ok(self.give(cut, layout, Large::YamlItems(items))),
            None if size > MAX_OBJECT => {
                items.is_skipped = true;
                Ok(self.too_large(Large::YamlItems(items)))
            }
            _ => self.grow(Large::YamlItems(items)),
        }
    }

    /// Skips the rest of an entry, which starts within a line.
    fn skip_entry(&mut self, items: Items) -> io::Result<Progress> {
        let bytes = self.window.bytes();
        let line = memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
        let end = yaml_items::end(bytes, line, items.indent);
        let list = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        let Some(next) = yaml_items::next(list, 0, items.indent).or(end) else {
            return self.pass_lines(Large::YamlItems(items));
        };
        self.window.skip(next);
        Ok(self.continue_with(Large::YamlItems(Items {
            is_skipped: false,
            ..items
        })))
    }

    /// Skips the rest of a document.
    pub(super) fn yaml_rest(&mut self) -> io::Result<Progress> {
        let Some(end) = boundary::next(self.window.bytes(), 0) else {
            return self.pass_lines(Large::YamlRest);
        };
        self.window.skip(end);
        self.state = State::Values;
        Ok(Progress::Next)
    }

    /// Skips all complete lines. The last line break stays.
    fn pass_lines(&mut self, then: Large) -> io::Result<Progress> {
        let bytes = self.window.bytes();
        if self.window.is_last() {
            self.window.skip(usize::MAX);
            self.state = State::Values;
            return Ok(Progress::Next);
        }
        let passed = memrchr(b'\n', bytes).unwrap_or(bytes.len());
        self.window.skip(passed);
        self.grow(then)
    }
}

/// Returns whether an entry has no kind.
fn lacks_kind(entry: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(entry) else {
        return false;
    };
    let stream = yaml::parse(text.into());
    let root = stream.documents().find_map(yaml::Document::root);
    let first = root.and_then(|root| root.as_sequence()?.items().next());
    first.is_some_and(|item| item.get("kind").is_none())
}

/// Adds the type of a list from the lines after its entries.
fn behind_entries(rest: impl Read, head: &mut ListHead) -> io::Result<()> {
    let mut rest = BufReader::with_capacity(CHUNK, rest);
    let mut line = Vec::new();
    while rest.read_until(b'\n', &mut line)? > 0 && !line.starts_with(DASHES) {
        head.line(&line);
        line.clear();
    }
    Ok(())
}
