//! The parts of an object that each reader reads, as text.
//!
//! Most objects of a cluster are copies of each other, apart from their names and their status. A
//! policy has the same result for objects whose parts have the same text, so objects can be compared
//! before they are read.

use super::head::{Head, is_type};
use super::scan::{FieldName, MAX_DEPTH, Scan};
use policy::parts::{PartId, Parts, Readers};

/// The parts that each reader reads, as text: JSON without what is skipped. Texts are equal only if
/// the parts are.
#[derive(Clone, Debug, Default)]
pub struct PartTexts(Vec<Vec<u8>>);

/// In place of an element of which only the position is read.
const ELEMENT: &[u8] = b"_";

impl PartTexts {
    /// Returns the text of a reader; empty if it reads nothing.
    #[must_use]
    pub fn text(&self, reader: usize) -> &[u8] {
        self.0
            .get(Readers::index(reader))
            .map_or(&[], Vec::as_slice)
    }

    fn clear(&mut self) {
        self.0.resize(Readers::MAX, Vec::new());
        self.0.iter_mut().for_each(Vec::clear);
    }

    #[inline]
    fn add(&mut self, readers: Readers, text: &[u8]) {
        for reader in readers.iter() {
            if let Some(out) = self.0.get_mut(reader) {
                out.extend_from_slice(text);
            }
        }
    }

    /// Adds the beginning of an entry, after a comma unless it is the first one.
    #[inline]
    fn add_entry(&mut self, readers: Readers, text: &[u8]) {
        for reader in readers.iter() {
            if let Some(out) = self.0.get_mut(reader) {
                if !matches!(out.last(), Some(b'{' | b'[')) {
                    out.push(b',');
                }
                out.extend_from_slice(text);
            }
        }
    }
}

/// Copies the parts of an object.
pub(super) struct TextReading<'t, 'r> {
    scan: Scan<'t>,
    parts: &'r Parts,
    texts: &'r mut PartTexts,
}

impl TextReading<'_, '_> {
    /// Copies the parts of an object after its type. Returns the offset after it. `None` for anything
    /// that is not plain JSON.
    pub(super) fn read(head: Head<'_>, parts: &Parts, texts: &mut PartTexts) -> Option<usize> {
        texts.clear();
        let mut reading = TextReading {
            scan: head.scan,
            parts,
            texts,
        };
        let readers = parts.readers(Parts::ROOT);
        reading.texts.add(readers, b"{");
        for (name, text) in head.types {
            reading.type_field(name, text);
        }
        let mut name = head.name;
        loop {
            reading.entry(Parts::ROOT, name, 0)?;
            if !reading.scan.has_next(b'}')? {
                break;
            }
            name = reading.scan.name().filter(|name| !is_type(name.text))?;
        }
        reading.texts.add(readers, b"}");
        Some(reading.scan.offset())
    }

    /// Copies a field of the type. Objects of a kind differ in their order.
    fn type_field(&mut self, name: &str, text: &str) {
        let (_, readers) = self.field(Parts::ROOT, name);
        let field = format!("\"{name}\":\"{text}\"");
        self.texts.add_entry(readers, field.as_bytes());
    }

    /// Returns the part of a field, and the readers of the field or of its name: names that are
    /// repeated count once.
    fn field(&self, id: PartId, name: &str) -> (Option<PartId>, Readers) {
        let mut fields = self.parts.fields(id).iter();
        let field = fields.find(|(known, _)| **known == *name);
        let field = field.map(|(_, field)| *field);
        let field = field.or_else(|| self.parts.each(id));
        let readers = field.map_or_else(Readers::default, |it| self.parts.readers(it));
        (field, readers.or(self.parts.counting(id)))
    }

    fn entry(&mut self, id: PartId, name: FieldName<'_>, depth: u8) -> Option<()> {
        let (field, readers) = self.field(id, name.text);
        if !readers.is_empty() {
            let text = self.scan.since(name.start)?.as_bytes();
            self.texts.add_entry(readers, text);
        }
        match field {
            Some(field) => self.value(field, depth + 1),
            None => self.scan.skip(depth + 1),
        }
    }

    fn value(&mut self, id: PartId, depth: u8) -> Option<()> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let is_whole = self.parts.each(id) == Some(id);
        match self.scan.peek()? {
            b'{' if !is_whole => self.map(id, depth),
            b'[' if !is_whole => self.list(id, depth),
            _ => {
                let start = self.scan.offset();
                self.scan.skip(depth)?;
                let text = self.scan.since(start)?;
                self.texts.add(self.parts.readers(id), text.as_bytes());
                Some(())
            }
        }
    }

    fn map(&mut self, id: PartId, depth: u8) -> Option<()> {
        self.scan.take(b'{')?;
        let readers = self.parts.readers(id);
        self.texts.add(readers, b"{");
        if !self.scan.takes(b'}') {
            loop {
                let name = self.scan.name()?;
                self.entry(id, name, depth)?;
                if !self.scan.has_next(b'}')? {
                    break;
                }
            }
        }
        self.texts.add(readers, b"}");
        Some(())
    }

    fn list(&mut self, id: PartId, depth: u8) -> Option<()> {
        self.scan.take(b'[')?;
        let readers = self.parts.readers(id);
        let each = self.parts.elements(id);
        let of_each = each.map_or_else(Readers::default, |it| self.parts.readers(it));
        self.texts.add(readers, b"[");
        if !self.scan.takes(b']') {
            loop {
                self.texts.add(readers.without(of_each), ELEMENT);
                self.texts.add_entry(of_each, b"");
                match each {
                    Some(each) => self.value(each, depth + 1)?,
                    None => self.scan.skip(depth + 1)?,
                }
                if !self.scan.has_next(b']')? {
                    break;
                }
            }
        }
        self.texts.add(readers, b"]");
        Some(())
    }
}

#[cfg(test)]
mod tests;
