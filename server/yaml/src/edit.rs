//! Edits of YAML that keep everything else as written.
//!
//! Indentation, comments, quotes and line endings around a change stay. Where that is not
//! certain, as for a mapping in a flow sequence, no edit is offered.

use crate::value::{self, Value};
use crate::{Entry, Mapping, Node, Scalar, ScalarStyle};
use std::borrow::Cow;
use text::{LineIndex, Span, TextEdit, TextRange, TextSize};

/// A file to change.
#[derive(Clone, Copy, Debug)]
pub struct Editor<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its lines.
    pub lines: &'a LineIndex,
}

/// Returns `text` as a double-quoted scalar.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                out.push_str(&format!("\\U{:08x}", u32::from(control)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Returns `text` in single quotes, which is best for CEL: only the quote needs an escape.
pub fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns `text`, which has no white space, as a scalar that Kubernetes reads as a string: plain
/// if possible.
#[must_use]
pub fn word(text: &str) -> Cow<'_, str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    let begins_well = text.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
    if begins_well && text.bytes().all(is_word) && value::resolve(text) == Value::Str {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(quoted(text))
    }
}

/// Replaces the text of `node` with `word`, keeping its quotes. `None` for anything but a scalar on
/// one line.
pub fn replace_word(node: Node<'_>, word: &str) -> Option<TextEdit> {
    if node.is_alias() {
        return None;
    }
    let scalar = node.as_scalar()?;
    let plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    match scalar.style() {
        ScalarStyle::Literal | ScalarStyle::Folded => None,
        _ if !plain => Some(TextEdit::replace(scalar.range(), quoted(word))),
        _ => Some(TextEdit::replace(scalar.content_range(), word)),
    }
}

/// Replaces an entry with `key: value`, keeping the quotes of the key. The key is a plain word, the
/// value a double-quoted scalar. `None` if the value is not written in the entry, or has an anchor
/// or a tag, which belong to the old value.
pub fn replace_entry(entry: Entry<'_>, key: &str, value: &str) -> Option<Vec<TextEdit>> {
    let scalar = entry.value.as_scalar().filter(|_| is_bare(entry.value))?;
    let key = replace_word(entry.key, key)?;
    Some(vec![key, TextEdit::replace(scalar.range(), value)])
}

/// Returns whether a node is not an alias and has neither an anchor nor a tag.
fn is_bare(node: Node<'_>) -> bool {
    !node.is_alias() && node.anchor().is_none() && node.tag().is_none()
}

/// Replaces a part of the decoded string of `scalar`. `None` if the scalar has no quotes and might
/// change its meaning.
pub fn replace_part(scalar: Scalar<'_>, part: Span, insert: &str) -> Option<TextEdit> {
    let insert = written(scalar, part, insert)?;
    Some(TextEdit::replace(scalar.source_map().up(part), insert))
}

/// Returns how `insert` is written in place of a part of the decoded string of `scalar`. `None` if
/// the scalar has no quotes and might change its meaning.
pub fn written<'i>(scalar: Scalar<'_>, part: Span, insert: &'i str) -> Option<Cow<'i, str>> {
    Some(match scalar.style() {
        ScalarStyle::Literal => Cow::Borrowed(insert),
        ScalarStyle::SingleQuoted => Cow::Owned(insert.replace('\'', "''")),
        ScalarStyle::DoubleQuoted => Cow::Owned(insert.replace('\\', "\\\\").replace('"', "\\\"")),
        ScalarStyle::Folded if !insert.contains('\n') => Cow::Borrowed(insert),
        ScalarStyle::Plain if stays_plain(scalar, part, insert) => Cow::Borrowed(insert),
        ScalarStyle::Folded | ScalarStyle::Plain => return None,
    })
}

/// Returns whether a plain scalar remains one after the change.
fn stays_plain(scalar: Scalar<'_>, part: Span, insert: &str) -> bool {
    let text = scalar.text();
    let before = text.get(..part.start() as usize).unwrap_or("");
    let after = text.get(part.end() as usize..).unwrap_or("");
    let changed = format!("{before}{insert}{after}");
    let begins_well = changed
        .starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_' || first == '(');
    let stands_apart = !changed.contains(": ") && !changed.contains(" #");
    begins_well
        && stands_apart
        && !changed.ends_with(':')
        && !insert.contains('\n')
        && (!insert.contains([',', '[', '{']) || !is_in_flow(scalar.node()))
}

/// Returns whether a node is in a collection in brackets or braces, as every node of JSON.
#[must_use]
pub fn is_in_flow(node: Node<'_>) -> bool {
    let mut parents = std::iter::successors(node.parent(), |node| node.parent());
    parents.any(Node::is_flow)
}

impl<'a> Editor<'a> {
    /// Returns the text in `range`, or an empty string if it does not fit the file.
    #[must_use]
    pub fn slice(self, range: TextRange) -> &'a str {
        self.text
            .get(usize::from(range.start())..usize::from(range.end()))
            .unwrap_or("")
    }

    /// Returns the line ending of the file.
    pub fn line_break(self) -> &'static str {
        let first = self.lines.line_range(0).map_or("", |line| self.slice(line));
        if first.ends_with("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }

    fn line(self, line: u32) -> Option<&'a str> {
        Some(self.slice(self.lines.line_content(self.text, line)?))
    }

    /// Returns the text of its line before `offset`.
    pub fn before(self, offset: TextSize) -> &'a str {
        let start = self
            .lines
            .line_range(self.lines.line(offset))
            .map_or(offset, TextRange::start);
        self.slice(TextRange::new(start.min(offset), offset))
    }

    /// Returns the whole lines of an item of a block sequence or an entry of a block mapping that
    /// begins at `start` and ends at `end`, with the comments directly above. `None` if it shares a
    /// line with something else.
    fn whole_lines(self, start: TextSize, end: TextSize, dash: bool) -> Option<TextRange> {
        let lead = self.before(start).trim();
        if lead != if dash { "-" } else { "" } {
            return None;
        }
        let last = self.lines.line(end);
        let after = TextRange::new(end, self.lines.line_content(self.text, last)?.end());
        let trail = self.slice(after).trim();
        if !trail.is_empty() && !trail.starts_with('#') {
            return None;
        }
        let mut first = self.lines.line(start);
        while let Some(above) = first.checked_sub(1)
            && self.line(above)?.trim_start().starts_with('#')
        {
            first = above;
        }
        Some(TextRange::new(
            self.lines.line_range(first)?.start(),
            self.lines.line_range(last)?.end(),
        ))
    }

    /// Returns the whole lines of an item of a block sequence; see [`Editor::whole_lines`].
    fn item_lines(self, item: Node<'_>) -> Option<TextRange> {
        self.whole_lines(item.range().start(), item.range().end(), true)
    }

    /// Removes an item of a list; with the last one, also the key that holds the list. `None` if it
    /// contains an anchor, or the key has a comment.
    pub fn remove_item(self, item: Node<'_>) -> Option<TextEdit> {
        let list = item.parent()?;
        if item.contains_anchor() {
            return None;
        }
        if list.as_sequence()?.items().len() > 1 {
            let lines = self.item_lines(item).map(TextEdit::delete);
            return lines.or_else(|| self.remove_flow_item(item));
        }
        let entry = list.parent()?.entry_of(list)?;
        let header = TextRange::new(entry.key.range().end(), item.range().start());
        if list.anchor().is_some() || self.slice(header).contains('#') {
            return None;
        }
        self.whole_lines(entry.key.range().start(), list.range().end(), false)
            .map(TextEdit::delete)
    }

    /// Removes a scalar from a flow sequence, with the comma next to it. `None` if there is also a
    /// comment, a tag or an anchor.
    fn remove_flow_item(self, item: Node<'_>) -> Option<TextEdit> {
        let list = item.parent().filter(|list| list.is_flow())?;
        item.as_scalar()?;
        let items: Vec<Node<'_>> = list.as_sequence()?.items().collect();
        let index = items.iter().position(|it| *it == item)?;
        let between = |start, end| self.slice(TextRange::new(start, end)).trim();
        let (start, end) = (item.range().start(), item.range().end());
        let (gap, removed) = if let Some(before) = index.checked_sub(1) {
            let before = items.get(before)?.range().end();
            (between(before, start), TextRange::new(before, end))
        } else {
            let next = items.get(1)?.range().start();
            let is_plain = between(list.range().start(), start) == "[";
            let gap = if is_plain { between(end, next) } else { "" };
            (gap, TextRange::new(start, next))
        };
        (gap == ",").then(|| TextEdit::delete(removed))
    }

    /// Removes an entry from a mapping with other entries. `None` if it contains an anchor, or if a
    /// comment is next to it on the same lines.
    pub fn remove_entry(self, entry: Entry<'_>) -> Option<TextEdit> {
        let mapping = entry.key.parent()?;
        let (start, end) = (entry.key.range().start(), entry.value.range().end());
        if entry.value.contains_anchor() {
            return None;
        }
        let lines = self.whole_lines(start, end, false);
        if let Some(lines) = lines.filter(|_| !mapping.is_flow()) {
            return Some(TextEdit::delete(lines));
        }
        let entries = mapping.as_mapping()?.entries();
        let mut later = entries.clone();
        let removed = match later.find(|next| next.key.range().start() > start) {
            Some(next) => TextRange::new(start, next.key.range().start()),
            None => {
                let before = entries.rev().nth(1).filter(|_| mapping.is_flow())?;
                TextRange::new(before.value.range().end(), end)
            }
        };
        // Next to the entry and its value there are only spaces, commas and comments.
        let key_end = entry.key.range().end();
        let after_key = TextRange::new(key_end, entry.value.range().start().max(key_end));
        let around = [
            TextRange::new(removed.start(), start),
            after_key,
            TextRange::new(end, removed.end()),
        ];
        let has_comment = around.iter().any(|gap| self.slice(*gap).contains('#'));
        (!has_comment).then(|| TextEdit::delete(removed))
    }

    /// Moves an entry of a block mapping to the end of another one and renames its key. `None` if
    /// an anchor or a line with something else is in the way, or if nothing remains of the first
    /// mapping.
    pub fn move_entry(
        self,
        entry: Entry<'_>,
        key: &str,
        target: Mapping<'_>,
    ) -> Option<Vec<TextEdit>> {
        let source = entry.key.parent()?.as_mapping()?;
        let last = target.entries().next_back()?;
        let lead = self.before(last.key.range().start());
        let is_block = !is_in_flow(last.key) && lead.chars().all(|lead| lead == ' ' || lead == '-');
        if !is_block || source.entries().len() < 2 {
            return None;
        }
        let from = self.entry_lines(entry)?;
        let block = self.shifted(entry, from, key, lead.len())?;
        let line = self.lines.line(last.value.range().end());
        let to = self.lines.line_content(self.text, line)?.end();
        // The last entry of the inner mapping becomes the last one of the outer mapping in place.
        if from.contains_inclusive(to) {
            return Some(vec![TextEdit::replace(from, block)]);
        }
        let block = block.trim_end_matches(['\n', '\r']);
        let block = format!("{}{block}", self.line_break());
        Some(vec![TextEdit::delete(from), TextEdit::insert(to, block)])
    }

    /// Replaces an entry of a block mapping by one with the key `parent`, whose value is a mapping
    /// with the entry, and renames the key. `None` if an anchor or a line with something else is in
    /// the way.
    pub fn wrap_entry(self, entry: Entry<'_>, key: &str, parent: &str) -> Option<TextEdit> {
        let from = self.entry_lines(entry)?;
        let indent = self.before(entry.key.range().start());
        let block = self.shifted(entry, from, key, indent.len() + 2)?;
        let text = format!("{indent}{parent}:{}{block}", self.line_break());
        Some(TextEdit::replace(from, text))
    }

    /// Returns the whole lines of an entry of a block mapping. `None` if it contains an anchor.
    fn entry_lines(self, entry: Entry<'_>) -> Option<TextRange> {
        let is_movable = !is_in_flow(entry.key) && !entry.value.contains_anchor();
        let (start, end) = (entry.key.range().start(), entry.value.range().end());
        is_movable.then(|| self.whole_lines(start, end, false))?
    }

    /// Returns the lines of an entry with another key and another indentation.
    fn shifted(self, entry: Entry<'_>, lines: TextRange, key: &str, to: usize) -> Option<String> {
        let old = entry.key.range();
        let indent = self.before(old.start());
        let head = self.slice(TextRange::new(lines.start(), old.start()));
        let tail = self.slice(TextRange::new(old.end(), lines.end()));
        let mut block = String::new();
        for line in format!("{head}{key}{tail}").split_inclusive('\n') {
            if !line.trim().is_empty() {
                block.push_str(&" ".repeat(to));
            }
            block.push_str(if line.trim().is_empty() {
                line
            } else {
                line.strip_prefix(indent)?
            });
        }
        Some(block)
    }

    /// Moves items of a block sequence, in the order given, before another item of it.
    pub fn move_before(self, items: &[Node<'_>], target: Node<'_>) -> Option<Vec<TextEdit>> {
        let to = self.item_lines(target)?.start();
        let mut block = String::new();
        let mut edits = Vec::new();
        for item in items {
            let from = self.item_lines(*item)?;
            let moved = self.slice(from);
            block.push_str(moved);
            if moved.ends_with(['\n', '\r']) {
                edits.push(TextEdit::delete(from));
                continue;
            }
            // The last line of the file has no line ending, so the one before it is removed
            // instead.
            let before = self
                .lines
                .line_content(self.text, self.lines.line(from.start()).checked_sub(1)?)?;
            block.push_str(self.line_break());
            edits.push(TextEdit::delete(TextRange::new(before.end(), from.end())));
        }
        edits.push(TextEdit::insert(to, block));
        Some(edits)
    }

    /// Removes a comment, and its line if it has no other content.
    pub fn remove_comment(self, comment: TextRange) -> Option<TextEdit> {
        let line = self.lines.line(comment.start());
        if self.lines.line(comment.end()) != line {
            return None;
        }
        let before = self.before(comment.start());
        if before.trim().is_empty() {
            return Some(TextEdit::delete(self.lines.line_range(line)?));
        }
        let blank = TextSize::of(before) - TextSize::of(before.trim_end());
        Some(TextEdit::delete(TextRange::new(
            comment.start() - blank,
            comment.end(),
        )))
    }

    /// Returns the lines of `text` as a literal block, to be written after a colon.
    pub fn block(self, indent: usize, text: &str) -> String {
        let line_break = self.line_break();
        let indent = " ".repeat(indent);
        let mut block = String::from(" |-");
        for line in text.trim_end().lines() {
            let line = line.trim_end();
            block.push_str(line_break);
            if !line.is_empty() {
                block.push_str(&indent);
                block.push_str(line);
            }
        }
        block
    }

    /// Rewrites a value of a block mapping, and what follows it up to `end`, as a literal block
    /// with the lines of `text`. `None` if it has an anchor or a tag.
    pub fn literal_block(self, value: Node<'_>, text: &str, end: TextSize) -> Option<TextEdit> {
        let key = value.parent()?.entry_of(value)?.key.range();
        let lead = self.before(key.start());
        let is_block = lead.chars().all(|lead| lead == ' ' || lead == '-') && !is_in_flow(value);
        if !is_bare(value) || !is_block {
            return None;
        }
        let block = self.block(lead.len() + 2, text);
        let colon = key.end() + TextSize::of(':');
        let value = value.range();
        (colon <= value.start() && !text.starts_with(' '))
            .then(|| TextEdit::replace(TextRange::new(colon, end), block))
    }

    /// Adds `key: value`, two plain words, after an entry of a mapping whose value is a word, in
    /// the style of the mapping.
    pub fn add_behind(self, entry: Entry<'_>, key: &str, value: &str) -> Option<TextEdit> {
        let mapping = entry.key.parent()?;
        let end = entry.value.range().end();
        if entry.value.is_alias() || entry.value.as_scalar().is_none() {
            return None;
        }
        if self.slice(mapping.range()).starts_with('{') {
            let like_json = self.slice(entry.key.range()).starts_with('"');
            let quote = if like_json { "\"" } else { "" };
            let gap = self.gap(entry);
            return Some(TextEdit::insert(
                end,
                format!(",{gap}{quote}{key}{quote}: {value}"),
            ));
        }
        let lead = self.before(entry.key.range().start());
        let indent = " ".repeat(lead.len());
        if !lead.chars().all(|lead| lead == ' ' || lead == '-') {
            return None;
        }
        let line = self.lines.line_content(self.text, self.lines.line(end))?;
        let line_break = self.line_break();
        Some(TextEdit::insert(
            line.end(),
            format!("{line_break}{indent}{key}: {value}"),
        ))
    }

    /// Returns the white space before an entry of a flow mapping: a space, or a line break and the
    /// indentation if it begins a line.
    fn gap(self, entry: Entry<'_>) -> String {
        let lead = self.before(entry.key.range().start());
        if lead.trim().is_empty() {
            format!("{}{lead}", self.line_break())
        } else {
            " ".to_owned()
        }
    }

    /// Adds `key: value` at the end of a mapping, in its style. The key is a plain word, the value
    /// a plain word or a double-quoted scalar.
    pub fn add_entry(self, mapping: Mapping<'_>, key: &str, value: &str) -> Option<TextEdit> {
        let last = mapping.entries().next_back()?;
        let end = last.value.range().end().max(last.key.range().end());
        if self.slice(mapping.node().range()).starts_with('{') {
            let like_json = self.slice(last.key.range()).starts_with('"');
            let quote = if like_json { "\"" } else { "" };
            let around = if value.starts_with('"') { "" } else { quote };
            let gap = self.gap(last);
            let entry = format!(",{gap}{quote}{key}{quote}: {around}{value}{around}");
            return Some(TextEdit::insert(end, entry));
        }
        let lead = self.before(last.key.range().start());
        let indent: String = lead
            .chars()
            .map(|character| if character == '-' { ' ' } else { character })
            .collect();
        if !indent.trim().is_empty() {
            return None;
        }
        let line = self.lines.line_content(self.text, self.lines.line(end))?;
        let line_break = self.line_break();
        Some(TextEdit::insert(
            line.end(),
            format!("{line_break}{indent}{key}: {value}"),
        ))
    }
}

#[cfg(test)]
mod tests;
