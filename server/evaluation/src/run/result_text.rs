//! Values in CEL syntax.

use admission::{Failure, stopped};
use cel::Value;
use cel::value::number::shortest;
use cel::value::{EvalError, Key, Map};
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// The amount of detail in the values of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// For users. An editor keeps many values.
    Cut,
    /// Everything, for programs.
    Full,
}

impl Detail {
    /// Limit: the characters of a value. An object of a cluster has at most 1.5 MiB.
    const fn characters(self) -> usize {
        match self {
            Detail::Cut => 2_000,
            Detail::Full => 2 * 1024 * 1024,
        }
    }

    /// Limit: the characters of the values of one policy. Values share their parts, so they can be
    /// larger than memory when printed.
    const fn total(self) -> usize {
        match self {
            Detail::Cut => 512 * 1024,
            Detail::Full => 4 * 1024 * 1024,
        }
    }

    /// Limit: the nesting, for which the stack must suffice.
    const fn depth(self) -> usize {
        match self {
            Detail::Cut => 16,
            Detail::Full => 200,
        }
    }

    /// Returns the mark at the end of a value that is cut.
    const fn mark(self) -> &'static str {
        match self {
            Detail::Cut => "…",
            Detail::Full => "… (truncated)",
        }
    }
}

/// Limit: the characters of a value when the total is used up.
const LEAST: usize = 100;

/// The room for the values of one policy.
#[derive(Debug)]
pub(super) struct TextBudget {
    detail: Detail,
    left: usize,
}

impl TextBudget {
    pub(super) const fn new(detail: Detail) -> Self {
        Self {
            detail,
            left: detail.total(),
        }
    }

    /// Returns a value as text, within the remaining characters.
    fn write(&mut self, value: &Value) -> String {
        self.in_room(|out| out.value(value, 0))
    }

    /// Returns a message, within the remaining characters.
    fn cut(&mut self, message: &str) -> String {
        self.in_room(|out| out.push(message))
    }

    fn in_room(&mut self, write: impl FnOnce(&mut Writer)) -> String {
        let limit = self.detail.characters().min(self.left.max(LEAST));
        let mut out = Writer {
            text: String::new(),
            left: limit,
            depth: self.detail.depth(),
            mark: self.detail.mark(),
        };
        write(&mut out);
        self.left = self.left.saturating_sub(limit - out.left);
        out.text
    }
}

/// The result of an expression as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultText {
    /// A value.
    Value {
        /// The value in CEL syntax.
        text: String,
        /// The size of the whole value. `None` for one without parts.
        size: Option<Size>,
    },
    /// The failure.
    Failure(String),
}

/// How large a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Of a map or an object.
    Fields(usize),
    /// Of a list.
    Elements(usize),
    /// Of a string.
    Characters(usize),
    /// Of bytes.
    Bytes(usize),
}

impl Size {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Map(map) => Some(Size::Fields(map.len())),
            Value::List(elements) => Some(Size::Elements(elements.len())),
            Value::String(text) => Some(Size::Characters(text.chars().count())),
            Value::Bytes(bytes) => Some(Size::Bytes(bytes.len())),
            Value::Optional(Some(value)) => Self::from_value(value),
            _ => None,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, word) = match self {
            Size::Fields(count) => (count, "field"),
            Size::Elements(count) => (count, "element"),
            Size::Characters(count) => (count, "character"),
            Size::Bytes(count) => (count, "byte"),
        };
        let many = if *count == 1 { "" } else { "s" };
        write!(out, "{count} {word}{many}")
    }
}

impl ResultText {
    pub(super) fn new(result: &Result<Value, Failure>, room: &mut TextBudget) -> Self {
        match result {
            Ok(value) => Self::from_value(value, room),
            Err(Failure::Evaluation(error)) => Self::from_error(error, room),
            Err(Failure::Compilation(refusal)) => {
                ResultText::Failure(format!("does not compile: {}", refusal.summary))
            }
        }
    }

    /// Returns a value.
    pub(super) fn from_value(value: &Value, room: &mut TextBudget) -> Self {
        ResultText::Value {
            text: room.write(value),
            size: Size::from_value(value),
        }
    }

    /// Returns the failure as text.
    pub(super) fn from_error(error: &EvalError, room: &mut TextBudget) -> Self {
        ResultText::Failure(match stopped(error) {
            Some(reason) => reason.to_owned(),
            None => room.cut(&error.to_string()),
        })
    }

    /// Returns the value.
    #[must_use]
    pub fn value(&self) -> Option<&str> {
        match self {
            ResultText::Value { text, .. } => Some(text),
            ResultText::Failure(_) => None,
        }
    }

    /// Returns the failure, if there is no value.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        match self {
            ResultText::Value { .. } => None,
            ResultText::Failure(reason) => Some(reason),
        }
    }

    /// Returns the text of the value or of the failure. A failure begins with `error`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            ResultText::Value { text, .. } => text.clone(),
            ResultText::Failure(reason) => format!("error: {reason}"),
        }
    }

    /// Returns the text in one line of at most `limit` characters.
    #[must_use]
    pub fn short(&self, limit: usize) -> String {
        match self {
            ResultText::Value { text, .. } => one_line(text, limit).into_owned(),
            ResultText::Failure(_) => one_line(&self.text(), limit).into_owned(),
        }
    }

    /// Returns the text in one line of at most `limit` characters. If it is truncated, the size of
    /// the value follows.
    #[must_use]
    pub fn sized(&self, limit: usize) -> String {
        let ResultText::Value {
            text,
            size: Some(size),
        } = self
        else {
            return self.short(limit);
        };
        let whole = one_line(text, usize::MAX);
        if whole.len() <= limit || whole.chars().nth(limit).is_none() {
            return whole.into_owned();
        }
        let size = format!(" ({size})");
        let left = limit.saturating_sub(size.chars().count());
        shortened(&whole, left) + &size
    }
}

/// Returns a string in one line of at most `limit` characters.
pub fn one_line(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit && is_one_line(text) {
        return Cow::Borrowed(text);
    }
    let (mut line, mut left) = (String::new(), limit);
    for (index, word) in text.split_whitespace().enumerate() {
        let space = usize::from(index > 0);
        let length = word.chars().count() + space;
        line.push_str(if space > 0 { " " } else { "" });
        line.push_str(word);
        if length > left {
            // One character more than the limit shows that the line is truncated.
            return Cow::Owned(shortened(&line, limit));
        }
        left -= length;
    }
    Cow::Owned(line)
}

/// Returns whether a string is one line of words separated by single spaces. Characters outside of
/// ASCII are not examined: a string with one is none.
fn is_one_line(text: &str) -> bool {
    let mut is_space = true;
    let all = text.bytes().all(|byte| {
        let was_space = std::mem::replace(&mut is_space, byte == b' ');
        matches!(byte, b'!'..=b'~') || (byte == b' ' && !was_space)
    });
    all && !is_space
}

/// Returns the first `limit` characters of a string, the last of them `…` if it is truncated.
#[must_use]
pub fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Returns a value in CEL syntax, truncated if it is long.
pub(super) fn to_cel(value: &Value) -> String {
    TextBudget::new(Detail::Cut).write(value)
}

struct Writer {
    text: String,
    left: usize,
    depth: usize,
    mark: &'static str,
}

impl Writer {
    fn push(&mut self, text: &str) {
        if text.len() < self.left {
            self.text.push_str(text);
            self.left -= text.chars().count();
            return;
        }
        for character in text.chars() {
            if self.left == 0 {
                return;
            }
            if self.left == 1 {
                self.text.push_str(self.mark);
                self.left = 0;
                return;
            }
            self.text.push(character);
            self.left -= 1;
        }
    }

    fn value(&mut self, value: &Value, depth: usize) {
        if self.left == 0 {
            return;
        }
        if depth > self.depth {
            return self.push("…");
        }
        match value {
            Value::Null => self.push("null"),
            Value::Bool(value) => self.push(if *value { "true" } else { "false" }),
            Value::Int(number) => self.push(&number.to_string()),
            Value::Uint(number) => self.push(&format!("{number}u")),
            Value::Double(number) => self.push(&double(*number)),
            Value::String(text) => self.push(&quoted(text, self.left)),
            Value::Bytes(bytes) => self.push(&quoted_bytes(bytes, self.left)),
            Value::List(elements) => self.list(elements, depth),
            Value::Map(map) => self.map(map, depth),
            Value::Duration(_) => self.call("duration", value),
            Value::Timestamp(_) => self.call("timestamp", value),
            Value::Type(ty) => self.push(&ty.full_runtime_name()),
            Value::Optional(None) => self.push("optional.none()"),
            Value::Optional(Some(value)) => {
                self.push("optional.of(");
                self.value(value, depth + 1);
                self.push(")");
            }
            Value::Opaque(opaque) => self.push(&opaque.display()),
        }
    }

    fn call(&mut self, function: &str, value: &Value) {
        let text = match value {
            Value::Duration(duration) => duration.to_string(),
            Value::Timestamp(timestamp) => timestamp.to_string(),
            _ => String::new(),
        };
        self.push(&format!("{function}({})", quoted(&text, self.left)));
    }

    fn list(&mut self, elements: &[Value], depth: usize) {
        self.push("[");
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.value(element, depth + 1);
            if self.left == 0 {
                return;
            }
        }
        self.push("]");
    }

    fn map(&mut self, map: &Map, depth: usize) {
        self.push("{");
        for (index, (key, value)) in map.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            match key {
                Key::String(text) => self.push(&quoted(text, self.left)),
                key => self.value(&key.value(), depth + 1),
            }
            self.push(": ");
            self.value(value, depth + 1);
            if self.left == 0 {
                return;
            }
        }
        self.push("}");
    }
}

/// Returns a double with a mark that distinguishes it from an integer.
fn double(number: f64) -> String {
    let text = shortest(number);
    if number.is_finite() && !text.contains(['.', 'e']) {
        return text + ".0";
    }
    text
}

/// Returns at least the first `limit` characters of a string in quotes: the string may be much
/// longer.
fn quoted(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit) + 2);
    out.push('"');
    let is_plain = |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if text.len() <= limit && text.bytes().all(is_plain) {
        out.push_str(text);
        out.push('"');
        return out;
    }
    for character in text.chars().take(limit) {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Returns bytes in quotes.
fn quoted_bytes(bytes: &[u8], limit: usize) -> String {
    let mut out = String::from("b\"");
    for byte in bytes.iter().take(limit) {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(*byte));
            }
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests;
