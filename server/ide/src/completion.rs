//! Completion at the cursor.
//!
//! The position comes first: the start of a value, a member after a dot, a key in brackets,
//! or a field of an object literal. Each source, one a file, then adds its items for that
//! position: first what the policy and its samples have, then functions.

mod arguments;
mod bindings;
mod constants;
mod context;
mod fields;
mod functions;
mod json_pointers;
mod macros;
mod manifest;
mod object_types;
mod receiver;
mod roots;
mod sample_fields;
mod sample_values;
mod strings;
mod usage;
mod variables;

use crate::file::SourceFile;
use crate::target::Target;
use admission::Resources;
use context::{Context, CursorPosition};
use evaluation::samples::Sample;
pub(crate) use functions::accepts;
use kubernetes::EnvironmentVersion;
pub(crate) use receiver::typed as types_at_admission;
use std::collections::HashSet;
use text::{Span, TextEdit, TextSize};
use usage::{Order, Usage};

/// Limit: what an editor is given. A list that is longer is not read but typed away.
const MAX_ITEMS: usize = 500;

/// The sort prefix of completions that the oldest server of the target does not have.
const RANK_OF_LATER: u8 = 9;

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A name that an expression can begin with, or a variable of a macro.
    Variable,
    /// A field or a key.
    Field,
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
}

/// Something that could be written at the cursor.
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
    /// Where the cursor stands then, in bytes of the inserted text; at its end otherwise.
    pub caret: Option<u32>,
    /// The text that what is typed is compared with, where it is not the label.
    pub filter: Option<String>,
    /// How near it is; smaller ones are shown first.
    pub rank: u8,
}

/// Returns the completions at an offset of the file, the best first. `samples` are the
/// manifests of the workspace, `resources` the kinds that its definitions bring.
#[must_use]
pub fn completion(
    file: &SourceFile,
    offset: TextSize,
    samples: &[Sample],
    resources: &Resources,
) -> Vec<Completion> {
    let Some(target) = Target::at(file, offset) else {
        return manifest::completion(file, offset);
    };
    let Some(context) = Context::new(file, &target, (samples, resources)) else {
        return Vec::new();
    };
    let mut list = List::new(&context);
    match context.place {
        CursorPosition::Start => {
            bindings::add(&context, &mut list);
            roots::add(&context, &mut list);
            functions::add_global(&context, &mut list);
            macros::add_global(&context, &mut list);
        }
        CursorPosition::Member { .. } if object_types::add_nested(&context, &mut list) => {}
        CursorPosition::Member { .. } => {
            variables::add(&context, &mut list);
            fields::add(&context, &mut list);
            sample_fields::add(&context, &mut list);
            macros::add_members(&context, &mut list);
            functions::add_members(&context, &mut list);
            functions::add_namespaced(&context, &mut list);
        }
        CursorPosition::Key { .. } => {
            fields::add_keys(&context, &mut list);
            sample_fields::add_keys(&context, &mut list);
        }
        CursorPosition::StructField { .. } => object_types::add_fields(&context, &mut list),
        CursorPosition::Compared { .. } => constants::add_compared(&context, &mut list),
        CursorPosition::FieldValue { .. } => constants::add_field_value(&context, &mut list),
        CursorPosition::Argument { .. } => arguments::add(&context, &mut list),
    }
    list.finish()
}

/// A thing to offer, before it has an edit.
#[derive(Debug, Default)]
struct Item {
    label: String,
    detail: Option<String>,
    documentation: Option<String>,
    /// The text after the label, with `$` for the cursor: `($)`.
    tail: &'static str,
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

/// The list as it grows. The first of several things with one label stays.
struct List<'c> {
    context: &'c Context<'c>,
    usage: Usage<'c>,
    known: HashSet<String>,
    items: Vec<(Order, Completion)>,
}

impl<'c> List<'c> {
    fn new(context: &'c Context<'c>) -> Self {
        Self {
            context,
            usage: Usage::new(context),
            known: HashSet::new(),
            items: Vec::new(),
        }
    }

    /// Offers an item in place of the word at the cursor.
    fn push(&mut self, kind: CompletionKind, rank: u8, item: Item) {
        let mut insert = item.label.clone();
        let mut caret = None;
        if !self.context.before_parenthesis() {
            let (before, after) = item.tail.split_once('$').unwrap_or((item.tail, ""));
            insert.push_str(before);
            caret = (!after.is_empty()).then_some(insert.len());
            insert.push_str(after);
        }
        self.write(kind, rank, item, (self.context.word, insert, caret));
    }

    /// Offers an item that an environment of `since` brought. What the oldest server of the
    /// target lacks comes last, and says so.
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
            Some(detail) => format!("{detail}, from Kubernetes {server}"),
            None => format!("from Kubernetes {server}"),
        };
        let detail = Some(detail);
        self.push(kind, RANK_OF_LATER, Item { detail, ..item });
    }

    /// Offers an item in place of `part`, with `insert`, and the cursor at `caret`.
    fn write(
        &mut self,
        kind: CompletionKind,
        rank: u8,
        item: Item,
        (part, insert, caret): (Span, String, Option<usize>),
    ) {
        if self.items.len() >= MAX_ITEMS || self.known.contains(&item.label) {
            return;
        }
        let target = self.context.target;
        let Some(edit) = target.replace(part, &insert) else {
            return;
        };
        // Before the caret stands nothing that YAML would escape in another way than after it.
        let after = caret.map(|caret| insert.len() - caret);
        let caret = after.and_then(|after| u32::try_from(edit.insert.len() - after).ok());
        let starts_early = part.start() < self.context.word.start();
        let filter = starts_early.then(|| {
            let lead = Span::new(part.start(), self.context.word.start());
            format!("{}{}", lead.slice(target.text()), item.label)
        });
        let order = match kind {
            CompletionKind::Field | CompletionKind::Type => self.usage.field(&item),
            CompletionKind::Method | CompletionKind::Macro => Usage::method(&item.label),
            CompletionKind::Value => Order::at(self.items.len()),
            _ => Order::default(),
        };
        self.known.insert(item.label.clone());
        let completion = Completion {
            label: item.label,
            kind,
            detail: item.detail,
            documentation: item.documentation,
            edit,
            caret,
            filter,
            rank,
        };
        self.items.push((order, completion));
    }

    fn finish(mut self) -> Vec<Completion> {
        self.items.sort_by(|(left, one), (right, other)| {
            (one.rank, left, &one.label).cmp(&(other.rank, right, &other.label))
        });
        self.items.into_iter().map(|(_, item)| item).collect()
    }
}

#[cfg(test)]
mod tests;
