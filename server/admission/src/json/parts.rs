//! Reading the parts of an object that policies read.

use super::head::{Head, Typed, is_type};
use super::keys::KeySlot;
use super::scan::{FieldName, MAX_DEPTH, Quoted, Scan};
use super::texts::{PartTexts, TextReading};
use super::{JsonReader, Seed};
use cel::Value;
use cel::value::{Key, Map};
use policy::parts::{PartId, Parts, Readers};
use serde::de::DeserializeSeed as _;
use std::sync::Arc;

/// Selects the parts of objects to read. The type of an object is known from its first fields, or
/// from the list that contains it.
pub trait SelectParts {
    /// Returns the parts of the objects of a kind that are read. `None` reads them as a whole.
    fn parts(&mut self, api_version: &str, kind: &str) -> Option<Arc<Parts>>;

    /// Returns whether the parts of an object are enough. Otherwise it is read as a whole.
    fn suffices(&self, object: &Value) -> bool;

    /// Returns the parts by which objects of a kind are compared with earlier ones. `None` if they
    /// are not.
    fn compared_parts(&mut self, _api_version: &str, _kind: &str) -> Option<Arc<Parts>> {
        None
    }

    /// Returns the readers that need an object with these texts. Without any, it is not read.
    fn readers(&mut self, _texts: &PartTexts) -> Readers {
        Readers::ALL
    }
}

/// The type of an object: its `apiVersion` and `kind`.
pub type ObjectType<'t> = (&'t str, &'t str);

/// The selected parts of an object.
#[derive(Debug)]
pub struct ReadParts {
    /// `None` if no reader needs the object.
    pub value: Option<Value>,
    /// Whether it was compared, so that the reader has its texts.
    pub is_compared: bool,
    /// The offset after the object.
    pub end: usize,
}

impl JsonReader {
    /// Reads the selected parts of the first object of a string. `None` if it must be read as a
    /// whole: other objects, other values, and anything that is not plain JSON. `of_list` is the
    /// type of an object that has none.
    pub fn read_parts(
        &mut self,
        text: &str,
        of_list: Option<ObjectType<'_>>,
        select: &mut dyn SelectParts,
    ) -> Option<ReadParts> {
        let mut head = Head::read(text, of_list)?;
        let (api_version, kind) = head.object_type;
        let mut readers = Readers::ALL;
        let compared = select.compared_parts(api_version, kind);
        if let Some(parts) = &compared {
            let end = TextReading::read(head.clone(), parts, &mut self.texts)?;
            readers = select.readers(&self.texts);
            if readers.is_empty() {
                return Some(ReadParts {
                    value: None,
                    is_compared: true,
                    end,
                });
            }
        }
        let parts = select.parts(api_version, kind)?;
        self.clear();
        let mut reading = Reading {
            scan: &mut head.scan,
            parts: &parts,
            readers,
            reader: self,
        };
        let value = reading.object(&head.types, head.name)?;
        let end = head.scan.offset();
        select.suffices(&value).then_some(ReadParts {
            value: Some(value),
            is_compared: compared.is_some(),
            end,
        })
    }

    /// Returns the texts of the last object that was compared.
    pub fn texts(&self) -> &PartTexts {
        &self.texts
    }
}

struct Reading<'t, 'r> {
    scan: &'r mut Scan<'t>,
    parts: &'r Parts,
    /// The readers whose parts are read.
    readers: Readers,
    reader: &'r mut JsonReader,
}

/// The entries of the current map.
struct Entries {
    /// The first of them on the stack.
    start: usize,
    /// The index of the first of their key slots.
    places: usize,
    /// The fields of the part that were read, a bit each.
    seen: u64,
    /// Whether all keys are known to differ.
    are_distinct: bool,
    /// The slot of the last key.
    before: KeySlot,
}

impl<'t, 'r> Reading<'t, 'r> {
    /// Reads the rest of an object after its type and the next key.
    fn object(&mut self, types: &[Typed<'t>], name: FieldName<'t>) -> Option<Value> {
        let mut entries = self.entries();
        for &(key, text) in types {
            self.push(&mut entries, key, Value::string(text));
        }
        let mut name = name;
        loop {
            self.entry(Parts::ROOT, name.text, &mut entries, 0)?;
            if !self.scan.has_next(b'}')? {
                return Some(self.map(&entries));
            }
            name = self.scan.name().filter(|name| !is_type(name.text))?;
        }
    }

    fn entries(&self) -> Entries {
        Entries {
            start: self.reader.entries.len(),
            places: self.reader.places.len(),
            seen: 0,
            are_distinct: true,
            before: None,
        }
    }

    /// Returns a part if it is read.
    #[inline]
    fn wanted(&self, id: Option<PartId>) -> Option<PartId> {
        id.filter(|id| !self.parts.readers(*id).and(self.readers).is_empty())
    }

    /// Reads or skips the value of a key of a part.
    fn entry(&mut self, id: PartId, key: &'t str, entries: &mut Entries, depth: u8) -> Option<()> {
        let parts = self.parts;
        let mut fields = parts.fields(id).iter().zip(0_u32..);
        let field = fields.find(|((name, _), _)| **name == *key);
        if let Some(((name, field), index)) = field
            && let Some(field) = self.wanted(Some(*field))
        {
            let value = self.value(field, depth + 1)?;
            self.push_field(entries, name, index, value);
            return Some(());
        }
        if let Some(each) = self.wanted(parts.each(id)) {
            let value = self.value(each, depth + 1)?;
            self.push(entries, key, value);
            return Some(());
        }
        self.scan.skip(depth + 1)?;
        if !parts.counting(id).and(self.readers).is_empty() {
            self.push(entries, key, Value::Null);
        }
        Some(())
    }

    fn value(&mut self, id: PartId, depth: u8) -> Option<Value> {
        if depth >= MAX_DEPTH {
            return None;
        }
        match self.scan.peek()? {
            b'"' => {
                let text = self.scan.string()?;
                decoded(text)
            }
            b'{' => self.fields(id, depth),
            b'[' => self.list(id, depth),
            b't' => self.scan.literal("true").map(|()| Value::Bool(true)),
            b'f' => self.scan.literal("false").map(|()| Value::Bool(false)),
            b'n' => self.scan.literal("null").map(|()| Value::Null),
            _ => self.number(),
        }
    }

    fn fields(&mut self, id: PartId, depth: u8) -> Option<Value> {
        self.scan.take(b'{')?;
        let mut entries = self.entries();
        if !self.scan.takes(b'}') {
            loop {
                let name = self.scan.name()?;
                self.entry(id, name.text, &mut entries, depth)?;
                if !self.scan.has_next(b'}')? {
                    break;
                }
            }
        }
        Some(self.map(&entries))
    }

    fn list(&mut self, id: PartId, depth: u8) -> Option<Value> {
        self.scan.take(b'[')?;
        let start = self.reader.elements.len();
        let each = self.wanted(self.parts.elements(id));
        if !self.scan.takes(b']') {
            loop {
                let element = match each {
                    Some(each) => self.value(each, depth + 1)?,
                    None => {
                        self.scan.skip(depth + 1)?;
                        Value::Null
                    }
                };
                self.reader.elements.push(element);
                if !self.scan.has_next(b']')? {
                    break;
                }
            }
        }
        Some(Value::list(self.reader.elements.drain(start..).collect()))
    }

    /// Reads a number: a short integer directly, others with the common parser.
    fn number(&mut self) -> Option<Value> {
        /// Limit: the digits of integers that certainly fit.
        const DIGITS: usize = 18;
        let (number, is_integer) = self.scan.number()?;
        if is_integer && number.len() <= DIGITS && !number.starts_with('-') {
            return number.parse().ok().map(Value::Int);
        }
        let mut deserializer = serde_json::Deserializer::from_str(number);
        Seed(self.reader).deserialize(&mut deserializer).ok()
    }

    /// Adds an entry whose key is shared by the reader.
    fn push(&mut self, entries: &mut Entries, key: &str, value: Value) {
        let (key, index) = self.reader.keys.get(key, entries.before);
        self.reader.entries.push((Key::String(key), value));
        self.reader.places.push(index);
        entries.before = index;
    }

    /// Adds an entry whose key is shared by the parts.
    fn push_field(&mut self, entries: &mut Entries, name: &Arc<str>, index: u32, value: Value) {
        let bit = 1_u64.checked_shl(index).unwrap_or(0);
        entries.are_distinct &= bit != 0 && entries.seen & bit == 0;
        entries.seen |= bit;
        let key = Key::String(Arc::clone(name));
        self.reader.entries.push((key, value));
    }

    /// Returns the map of some entries. Of equal keys, the last one wins.
    fn map(&mut self, read: &Entries) -> Value {
        let JsonReader {
            keys,
            entries,
            places,
            ..
        } = self.reader;
        let are_distinct = keys.are_different(places.drain(read.places..)) && read.are_distinct;
        let entries = entries.drain(read.start..);
        Value::Map(if are_distinct {
            Map::from_distinct(entries)
        } else {
            entries.collect()
        })
    }
}

/// Returns a string without escapes.
fn decoded(text: Quoted<'_>) -> Option<Value> {
    if text.has_escapes {
        let json = format!("\"{}\"", text.inner);
        serde_json::from_str::<String>(&json)
            .ok()
            .map(Value::string)
    } else {
        Some(Value::string(text.inner))
    }
}

#[cfg(test)]
mod tests;
