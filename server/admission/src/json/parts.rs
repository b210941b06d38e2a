//! Reading the parts of an object that policies read.

use super::keys::KeySlot;
use super::scan::{MAX_DEPTH, Quoted, Scan};
use super::{JsonReader, Seed};
use cel::Value;
use cel::value::{Key, Map};
use policy::parts::{PartId, Parts};
use serde::de::DeserializeSeed as _;
use std::sync::Arc;

/// Selects the parts of objects to read. The type of an object is known from its first fields, or
/// from the list that contains it.
pub trait SelectParts {
    /// Returns the parts of the objects of a kind that are read. `None` reads them as a whole.
    fn parts(&mut self, api_version: &str, kind: &str) -> Option<Arc<Parts>>;

    /// Returns whether the parts of an object are enough. Otherwise it is read as a whole.
    fn suffices(&self, object: &Value) -> bool;
}

/// The type of an object: its `apiVersion` and `kind`.
pub type ObjectType<'t> = (&'t str, &'t str);

impl JsonReader {
    /// Reads the selected parts of the first object of a string. Also returns the offset after it.
    /// `None` if it must be read as a whole: other objects, other values, and anything that is not
    /// plain JSON. `of_list` is the type of an object that has none.
    pub fn read_parts(
        &mut self,
        text: &str,
        of_list: Option<ObjectType<'_>>,
        select: &mut dyn SelectParts,
    ) -> Option<(Value, usize)> {
        self.clear();
        let mut reading = Reading {
            scan: Scan::new(text),
            reader: self,
        };
        let value = reading.object(of_list, select)?;
        let end = reading.scan.offset();
        select.suffices(&value).then_some((value, end))
    }
}

struct Reading<'t, 'r> {
    scan: Scan<'t>,
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

impl<'t> Reading<'t, '_> {
    /// Reads an object whose type comes before its other fields.
    fn object(
        &mut self,
        of_list: Option<ObjectType<'_>>,
        select: &mut dyn SelectParts,
    ) -> Option<Value> {
        self.scan.take(b'{')?;
        let mut entries = self.entries();
        let (mut api_version, mut kind) = (None, None);
        let mut parts = None;
        loop {
            let key = self.key()?;
            match key {
                // A type after other fields, or a second one, is left to the reader of values.
                "apiVersion" | "kind" if parts.is_some() => return None,
                "apiVersion" | "kind" => {
                    let known = match key {
                        "kind" => &mut kind,
                        _ => &mut api_version,
                    };
                    self.scan.peek()?;
                    let text = self.scan.string().filter(|it| !it.has_escapes)?;
                    if known.replace(text.inner).is_some() {
                        return None;
                    }
                    self.push(&mut entries, key, Value::string(text.inner));
                }
                _ => {
                    if parts.is_none() {
                        let own = api_version.zip(kind);
                        let is_typed = api_version.is_some() || kind.is_some();
                        let (api_version, kind) = own.or(of_list.filter(|_| !is_typed))?;
                        // A list is not an object and has separate parts.
                        let is_list = kind.ends_with("List");
                        parts = Some(select.parts(api_version, kind).filter(|_| !is_list)?);
                    }
                    self.entry(parts.as_ref()?, Parts::ROOT, key, &mut entries, 0)?;
                }
            }
            if !self.scan.has_next(b'}')? {
                break;
            }
        }
        parts?;
        Some(self.map(&entries))
    }

    /// Reads a key and the colon after it. One with escapes is left to the reader of values.
    #[inline]
    fn key(&mut self) -> Option<&'t str> {
        self.scan.peek()?;
        let key = self.scan.string().filter(|it| !it.has_escapes)?;
        self.scan.take(b':')?;
        Some(key.inner)
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

    /// Reads or skips the value of a key of a part.
    fn entry(
        &mut self,
        parts: &Parts,
        id: PartId,
        key: &'t str,
        entries: &mut Entries,
        depth: u8,
    ) -> Option<()> {
        let mut fields = parts.fields(id).iter().zip(0_u32..);
        if let Some(((name, field), index)) = fields.find(|((name, _), _)| **name == *key) {
            let value = self.value(parts, *field, depth + 1)?;
            self.push_field(entries, name, index, value);
            return Some(());
        }
        if let Some(each) = parts.each(id) {
            let value = self.value(parts, each, depth + 1)?;
            self.push(entries, key, value);
            return Some(());
        }
        self.scan.skip(depth + 1)?;
        if !parts.counting(id).is_empty() {
            self.push(entries, key, Value::Null);
        }
        Some(())
    }

    fn value(&mut self, parts: &Parts, id: PartId, depth: u8) -> Option<Value> {
        if depth >= MAX_DEPTH {
            return None;
        }
        match self.scan.peek()? {
            b'"' => {
                let text = self.scan.string()?;
                decoded(text)
            }
            b'{' => self.fields(parts, id, depth),
            b'[' => self.list(parts, id, depth),
            b't' => self.scan.literal("true").map(|()| Value::Bool(true)),
            b'f' => self.scan.literal("false").map(|()| Value::Bool(false)),
            b'n' => self.scan.literal("null").map(|()| Value::Null),
            _ => self.number(),
        }
    }

    fn fields(&mut self, parts: &Parts, id: PartId, depth: u8) -> Option<Value> {
        self.scan.take(b'{')?;
        let mut entries = self.entries();
        if !self.scan.takes(b'}') {
            loop {
                let key = self.key()?;
                self.entry(parts, id, key, &mut entries, depth)?;
                if !self.scan.has_next(b'}')? {
                    break;
                }
            }
        }
        Some(self.map(&entries))
    }

    fn list(&mut self, parts: &Parts, id: PartId, depth: u8) -> Option<Value> {
        self.scan.take(b'[')?;
        let start = self.reader.elements.len();
        let each = parts.elements(id);
        if !self.scan.takes(b']') {
            loop {
                let element = match each {
                    Some(each) => self.value(parts, each, depth + 1)?,
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
