//! Formatting of the expressions in a file, in place.
//!
//! Only white space between the tokens of an expression and trailing commas change. A scalar
//! therefore keeps its style, its quotes and its escapes, and the file around it stays the same.
//! The file is parsed again with the edits: an expression whose tree would change is left
//! unchanged.

mod gaps;
mod layout;
mod on_type;
mod proof;

pub use cel::format::LINE_WIDTH;
pub use on_type::format_on_type;

use gaps::gaps;
use layout::Layout;
use policy::{Expression, ParsedFile, PolicyDocument};
use proof::{Change, prove};
use text::checkpoint::checkpoint;
use text::{TextEdit, TextRange};
use yaml::ScalarStyle;

/// The result of formatting a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formatting {
    /// The edits, in the order of the file.
    pub edits: Vec<TextEdit>,
    /// The number of changed expressions.
    pub changed: usize,
    /// The expressions that cannot be formatted, in the order of the file.
    pub unformatted: Vec<Unformatted>,
}

/// An expression that cannot be formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unformatted {
    /// The scalar with the expression.
    pub range: TextRange,
    /// The reason.
    pub reason: UnformattedReason,
}

/// The reason why an expression cannot be formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnformattedReason {
    /// A syntax error in the expression.
    Syntax,
    /// A syntax error in the YAML document.
    Yaml,
    /// The document is a template.
    Template,
    /// The expression has an anchor, and an alias may repeat it elsewhere.
    Anchor,
    /// A comment in a scalar whose line breaks YAML joins.
    Comment,
    /// The style of the scalar cannot hold the formatted expression.
    Style,
    /// The formatted expression exceeds the limit of the API server.
    Length,
}

impl UnformattedReason {
    /// Returns the message.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Syntax => "the expression has a syntax error",
            Self::Yaml => "the YAML document has a syntax error",
            Self::Template => "the document is a template",
            Self::Anchor => "the expression has an anchor, so its text may be used elsewhere",
            Self::Comment => {
                "the expression has a comment, and YAML joins its lines; use a literal block (`|`)"
            }
            Self::Style => {
                "the scalar cannot hold the formatted expression; quote it, or use a literal \
                 block (`|`)"
            }
            Self::Length => "the formatted expression exceeds the length limit of the API server",
        }
    }
}

/// Formats the expressions of a file to a line width of `width` characters. With a range, only the
/// expressions that it touches.
#[must_use]
pub fn formatting(file: &ParsedFile, width: usize, range: Option<TextRange>) -> Formatting {
    let mut out = Formatting::default();
    let mut changes = Vec::new();
    for (index, document) in file.policies().iter().enumerate() {
        for expression in document.expressions() {
            checkpoint();
            let node = document.node(expression.node);
            let is_outside = range.is_some_and(|range| range.intersect(node.range()).is_none());
            if is_outside || node.is_alias() {
                continue;
            }
            match edits(file, document, expression, width) {
                Ok(edits) if edits.is_empty() => {}
                Ok(edits) => changes.push(Change {
                    document: index,
                    node: expression.node,
                    range: node.range(),
                    edits,
                }),
                Err(reason) => out.unformatted.push(Unformatted {
                    range: node.range(),
                    reason,
                }),
            }
        }
    }
    let (proven, others) = prove(file, changes);
    out.changed = proven.len();
    out.edits = proven.into_iter().flat_map(|it| it.edits).collect();
    out.edits.sort_by_cached_key(|edit| edit.range.start());
    out.unformatted
        .extend(others.into_iter().map(|it| Unformatted {
            range: it.range,
            reason: UnformattedReason::Style,
        }));
    out.unformatted.sort_by_cached_key(|it| it.range.start());
    out
}

/// Returns the edits that format an expression.
fn edits(
    file: &ParsedFile,
    document: &PolicyDocument,
    expression: &Expression,
    width: usize,
) -> Result<Vec<TextEdit>, UnformattedReason> {
    let node = document.node(expression.node);
    let parse = &expression.parse;
    if file.is_template(document) {
        return Err(UnformattedReason::Template);
    }
    if document.recovered() {
        return Err(UnformattedReason::Yaml);
    }
    if !parse.is_ok() {
        return Err(UnformattedReason::Syntax);
    }
    if node.anchor().is_some() {
        return Err(UnformattedReason::Anchor);
    }
    let Some(scalar) = node.as_scalar() else {
        return Ok(Vec::new());
    };
    if !parse.comments.is_empty() && scalar.style() != ScalarStyle::Literal {
        return Err(UnformattedReason::Comment);
    }
    let layout = Layout::new(file, scalar);
    let lines = layout.lines(file, expression.text(), width);
    let formatted = cel::format::format(parse, &lines).ok_or(UnformattedReason::Length)?;
    gaps(file, &layout, expression.text(), &formatted).ok_or(UnformattedReason::Style)
}

#[cfg(test)]
mod tests;
