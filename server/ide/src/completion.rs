//! Completion at the cursor.
//!
//! First the position is determined: the start of a value, a member after a dot, a key in brackets,
//! or a field of an object literal. Each source, one per file, then adds its items for that
//! position: first the fields of the policy and its samples, then functions.

mod admission_types;
mod any_kind;
mod arguments;
mod bindings;
mod common_values;
mod configuration;
mod constants;
mod context;
mod declared_fields;
mod described_values;
mod directives;
mod expected;
mod fields;
mod fixed_values;
mod functions;
mod json_pointers;
mod literals;
mod macros;
mod manifest;
mod map_keys;
mod map_literals;
mod meant_field;
mod names;
mod object_types;
mod position;
mod receiver;
mod roots;
mod sample_fields;
mod sample_values;
mod schema_item;
mod schemas;
mod skeletons;
mod subjects;
mod usage;
mod variables;
mod verbs;
mod well_known;

use crate::file::SourceFile;
use crate::target::Target;
use admission::Resources;
pub(crate) use admission_types::typed as types_at_admission;
pub(crate) use arguments::argument_of;
use cel::Type;
use context::Context;
pub(crate) use declared_fields::{meaning_of_field, meaning_of_variable};
pub(crate) use directives::{DIRECTIVES, MARKER};
use evaluation::samples::Sample;
use expected::Expected;
pub(crate) use fixed_values::fixed_values;
pub(crate) use functions::accepts;
use kubernetes::EnvironmentVersion;
use position::CursorPosition;
pub(crate) use skeletons::document;
use std::borrow::Cow;
use std::collections::HashSet;
use std::iter;
use std::ops::Range;
use std::path::Path;
use text::{Span, TextEdit, TextRange, TextSize};
use usage::{Order, Usage};
pub(crate) use verbs::meaning_of_verb;
pub(crate) use well_known::meaning_of_key;

/// Limit: the completions in one response. A longer list is narrowed by typing, not read.
pub const MAX_COMPLETIONS: usize = 500;

/// The sort prefix of completions that the oldest server of the target does not have.
const RANK_OF_LATER: u8 = 9;

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A root variable, or a variable of a macro.
    Variable,
    /// A field, or a key of an admission input.
    Field,
    /// A key that the schema of a manifest declares.
    Key,
    /// A function that is called by its name.
    Function,
    /// A function that is called on a value.
    Method,
    /// A macro.
    Macro,
    /// The first part of the names of several functions.
    Namespace,
    /// A type.
    Type,
    /// `true`, `false` and `null`.
    Keyword,
    /// A string.
    Value,
    /// A whole document.
    Snippet,
}

/// An item that a user can insert at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The label.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// Its type or its signature.
    pub detail: Option<String>,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
    /// The inserted text, escaped for its scalar. It touches the cursor.
    pub edit: TextEdit,
    /// The parts of the inserted text, in bytes, that an editor selects one after the other. An
    /// empty one is a cursor position. If there are none, the cursor is at the end.
    pub stops: Vec<Range<u32>>,
    /// The text that is matched with the typed prefix, if it is not the label.
    pub filter: Option<String>,
    /// The rank; smaller ones are shown first.
    pub rank: u8,
}

/// Returns the completions at an offset of the file, the best first. `samples` are the manifests of
/// the workspace, `resources` the kinds that its definitions add. A list with [`MAX_COMPLETIONS`]
/// items may be incomplete.
#[must_use]
pub fn completion(
    file: &SourceFile,
    offset: TextSize,
    samples: &[Sample],
    resources: &Resources,
) -> Vec<Completion> {
    let mut items = completions(file, offset, samples, resources);
    // Stable. Editors sort in the same way, but most match only the letters after a dot or a dash.
    items.sort_by_cached_key(|item| fit(file, offset, item));
    items.truncate(MAX_COMPLETIONS);
    items
}

/// The match of an item with the typed text; the best is first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The item begins with the text.
    Prefix,
    /// The item contains the letters of the text in their order.
    Letters,
    None,
}

fn fit(file: &SourceFile, offset: TextSize, item: &Completion) -> Fit {
    let start = item.edit.range.start();
    let typed = file.slice(TextRange::new(start.min(offset), offset));
    let shown = item.filter.as_ref().unwrap_or(&item.label);
    if shown.starts_with(typed) {
        return Fit::Prefix;
    }
    let mut letters = shown.chars().flat_map(char::to_lowercase);
    let mut wanted = typed.chars().flat_map(char::to_lowercase);
    if wanted.all(|wanted| letters.any(|letter| letter == wanted)) {
        Fit::Letters
    } else {
        Fit::None
    }
}

fn completions(
    file: &SourceFile,
    offset: TextSize,
    samples: &[Sample],
    resources: &Resources,
) -> Vec<Completion> {
    let special = configuration::completion(file, offset)
        .or_else(|| directives::completion(file, offset, samples))
        .or_else(|| skeletons::completion(file, offset).filter(|items| !items.is_empty()));
    if let Some(special) = special {
        return special;
    }
    let Some(target) = Target::at(file, offset) else {
        return manifest::completion(file, offset, samples);
    };
    let Some(context) = Context::new(file, &target, (samples, resources)) else {
        return Vec::new();
    };
    let mut list = List::new(&context);
    add_sources(&context, &mut list);
    list.finish()
}

/// Adds the items of the sources for the position.
fn add_sources(context: &Context<'_>, list: &mut List<'_>) {
    match context.position {
        CursorPosition::Start if context.is_presence_test() => {
            bindings::add(context, list);
            roots::add_names(context, list);
        }
        CursorPosition::Start | CursorPosition::FieldStart { .. } => add_values(context, list),
        CursorPosition::Member { .. } if object_types::add_nested(context, list) => {}
        CursorPosition::Member { .. } => add_members(context, list),
        CursorPosition::Key { is_quoted, .. } => {
            fields::add_keys(context, list);
            map_literals::add_keys(context, list);
            sample_fields::add_keys(context, list);
            sample_fields::add_well_known(context, list);
            if is_quoted {
                constants::add_elements(context, list);
            } else {
                add_values(context, list);
            }
        }
        CursorPosition::NewVariable { .. } => macros::add_variable(context, list),
        CursorPosition::StructField { .. } => object_types::add_fields(context, list),
        CursorPosition::MapKey { .. } => object_types::add_map_keys(context, list),
        CursorPosition::Compared { .. } => constants::add_compared(context, list),
        CursorPosition::FieldValue { .. } => constants::add_field_value(context, list),
        CursorPosition::MapValue { .. } => constants::add_map_value(context, list),
        CursorPosition::Argument { .. } => arguments::add(context, list),
    }
}

/// Adds the items of the sources at the start of a value.
fn add_values(context: &Context<'_>, list: &mut List<'_>) {
    literals::add(context, list);
    arguments::add_quoted(context, list);
    if let Some(value) = expected::value_of_type(context) {
        roots::add_types(context, value, list);
    }
    object_types::add_values(context, list);
    bindings::add(context, list);
    roots::add(context, list);
    functions::add_global(context, list);
    macros::add_global(context, list);
}

/// Adds the items of the sources after a dot.
fn add_members(context: &Context<'_>, list: &mut List<'_>) {
    variables::add(context, list);
    fields::add(context, list);
    map_literals::add(context, list);
    sample_fields::add(context, list);
    sample_fields::add_well_known(context, list);
    macros::add_members(context, list);
    functions::add_members(context, list);
    functions::add_namespaced(context, list);
}

/// An item before it has an edit.
#[derive(Debug, Default)]
struct Item {
    label: String,
    detail: Option<String>,
    documentation: Option<String>,
    /// The text after the label, with `$` for the cursor and `${}` around the selection: `($)`,
    /// `(${c}, ${c.})`.
    tail: Cow<'static, str>,
    /// The possible types. Empty if they are unknown.
    types: Vec<Type>,
    /// The position in a separate table, if any.
    position: Option<usize>,
    /// Whether it is a variable of the policy. Variables have no other order.
    is_variable: bool,
    /// Whether a schema requires the field.
    is_required: bool,
}

impl Item {
    fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            ..Self::default()
        }
    }
}

/// The list under construction. The first of several items with the same label is kept.
struct List<'c> {
    context: &'c Context<'c>,
    usage: Usage<'c>,
    expected: Expected,
    added: HashSet<String>,
    items: Vec<(Order, Completion)>,
}

impl<'c> List<'c> {
    fn new(context: &'c Context<'c>) -> Self {
        Self {
            context,
            usage: Usage::new(context),
            expected: Expected::new(context),
            added: HashSet::new(),
            items: Vec::new(),
        }
    }

    /// Offers an item that replaces the word at the cursor.
    fn push(&mut self, kind: CompletionKind, rank: u8, item: Item) {
        let mut insert = item.label.clone();
        let mut stops = Vec::new();
        if !self.context.before_parenthesis() {
            stops = append(&mut insert, &item.tail);
        }
        self.write(kind, rank, item, (self.context.word, insert, stops));
    }

    /// Offers an item that replaces the word at the cursor, with its position in a table.
    fn push_at(&mut self, position: usize, kind: CompletionKind, rank: u8, item: Item) {
        let mut insert = item.label.clone();
        let stops = append(&mut insert, &item.tail);
        let write = (self.context.word, insert, stops);
        self.write_at(position, kind, rank, item, write);
    }

    /// Offers an item with its position in a table.
    fn write_at(
        &mut self,
        position: usize,
        kind: CompletionKind,
        rank: u8,
        item: Item,
        write: (Span, String, Vec<Range<usize>>),
    ) {
        let count = self.items.len();
        self.write(kind, rank, item, write);
        if let Some((order, _)) = self.items.get_mut(count) {
            *order = Order::at(position);
        }
    }

    /// Offers an item that the environment version `since` added. Items that the oldest server of
    /// the target lacks come last, with a note.
    fn push_since(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        item: Item,
        since: EnvironmentVersion,
    ) {
        let Some(server) = self.context.later(since) else {
            return self.push(kind, rank, item);
        };
        let detail = match item.detail {
            Some(detail) => format!("{detail}, since Kubernetes {server}"),
            None => format!("since Kubernetes {server}"),
        };
        let detail = Some(detail);
        self.push(kind, RANK_OF_LATER, Item { detail, ..item });
    }

    /// Offers an item that replaces `part` with `insert`, and its stops. A key in brackets is
    /// written in quotes.
    fn write(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        item: Item,
        (part, insert, stops): (Span, String, Vec<Range<usize>>),
    ) {
        if self.added.contains(&item.label) {
            return;
        }
        let is_bare = kind == CompletionKind::Field && self.context.is_bare_key();
        let insert = if is_bare {
            format!("'{insert}'")
        } else {
            insert
        };
        let target = self.context.target;
        let Some(edit) = target.replace(part, &insert) else {
            return;
        };
        let lead = edit.insert.len() - target.width(&insert);
        let place = |at: usize| {
            let before = insert.get(..at).map_or(0, |before| target.width(before));
            u32::try_from(lead + before).unwrap_or_default()
        };
        let stops = stops.iter().map(|stop| place(stop.start)..place(stop.end));
        let stops = stops.collect();
        let starts_early = part.start() < self.context.word.start();
        let filter = starts_early.then(|| {
            let lead = Span::new(part.start(), self.context.word.start());
            format!("{}{}", lead.slice(target.text()), item.label)
        });
        let order = self.order(kind, &item);
        self.added.insert(item.label.clone());
        let completion = Completion {
            label: if is_bare { insert } else { item.label },
            kind,
            detail: item.detail,
            documentation: item.documentation,
            edit,
            stops,
            filter,
            rank,
        };
        self.items.push((order, completion));
    }

    fn order(&self, kind: CompletionKind, item: &Item) -> Order {
        let order = match kind {
            CompletionKind::Field | CompletionKind::Type => {
                let order = self.usage.field(item);
                order.with_place(|place| self.expected.place(item, place))
            }
            CompletionKind::Method | CompletionKind::Macro | CompletionKind::Function => item
                .position
                .map_or_else(|| Usage::method(&item.label), Order::at),
            CompletionKind::Value => Order::at(self.items.len()),
            CompletionKind::Variable => {
                Order::at(item.position.unwrap_or_else(|| usage::root(&item.label)))
            }
            _ => Order::at(usize::MAX),
        };
        // The types of a key are those of its value.
        let is_key = kind == CompletionKind::Field && self.context.is_bare_key();
        order.after_fitting(!is_key && self.expected.is_misfit(item))
    }

    /// Excludes a label from the list.
    fn leave_out(&mut self, label: &str) {
        self.added.insert(label.to_owned());
    }

    fn finish(mut self) -> Vec<Completion> {
        self.items.sort_by(|(left, one), (right, other)| {
            (one.rank, left, &one.label).cmp(&(other.rank, right, &other.label))
        });
        self.items.into_iter().map(|(_, item)| item).collect()
    }
}

/// Returns the path of another file relative to the folder of a file, with slashes.
fn relative_path(file: &Path, other: &Path) -> Option<String> {
    let folder: Vec<_> = file.parent()?.components().collect();
    let names: Vec<_> = other.components().collect();
    let both = folder.iter().zip(&names);
    let shared = both.take_while(|(left, right)| left == right).count();
    let up = iter::repeat_n("..", folder.len() - shared);
    let down = names.iter().skip(shared);
    let down = down.map(|name| name.as_os_str().to_str());
    let parts: Option<Vec<&str>> = up.map(Some).chain(down).collect();
    Some(parts?.join("/"))
}

/// Returns an item outside YAML and expressions, with the text after its label.
fn line_item(kind: CompletionKind, label: &str, tail: &str, range: TextRange) -> Completion {
    let mut insert = label.to_owned();
    let stops = append(&mut insert, tail);
    Completion {
        label: label.to_owned(),
        kind,
        detail: None,
        documentation: None,
        stops: offsets(&stops, 0),
        edit: TextEdit::replace(range, insert),
        filter: None,
        rank: 0,
    }
}

/// Returns stops shifted by some bytes.
fn offsets(stops: &[Range<usize>], lead: usize) -> Vec<Range<u32>> {
    let offset = |at: usize| u32::try_from(lead + at).unwrap_or_default();
    let stops = stops.iter();
    stops
        .map(|stop| offset(stop.start)..offset(stop.end))
        .collect()
}

/// Appends the text after a label, and returns its stops.
fn append(insert: &mut String, tail: &str) -> Vec<Range<usize>> {
    let mut parts = tail.split('$');
    insert.push_str(parts.next().unwrap_or_default());
    let stops = parts.map(|part| {
        let start = insert.len();
        let selected = part
            .strip_prefix('{')
            .and_then(|selected| selected.split_once('}'));
        let (selected, rest) = selected.unwrap_or(("", part));
        insert.push_str(selected);
        let end = insert.len();
        insert.push_str(rest);
        start..end
    });
    stops.collect()
}

#[cfg(test)]
mod tests;
