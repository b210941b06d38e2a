//! Findings and the rules that make them.
//!
//! One rule, one file below this one, with a page beside it that explains the rule to its
//! users. This module holds what they share: the shape of a finding, the table of rules,
//! and the run over a file.

mod api_error;
mod clauses;
mod continuation;
mod damage;
mod facts;
mod finding;
mod format_call;
mod guard;
mod json_patches;
mod kind_problems;
mod map_literal;
mod match_rules;
mod operations;
mod reads;
mod rules;
mod unquoted;

pub use rules::RULES;

use crate::suppression::Suppression;
use crate::{Location, Settings, SourceFile};
use facts::Facts;
use finding::Finding;
use policy::Expression;
use text::{TextEdit, TextRange};
use unquoted::Unquoted;

/// How bad a finding is. The order is from mild to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// An idea; editors show it faintly.
    Hint,
    /// Worth knowing, harmless.
    Information,
    /// Suspicious, or fails in some cases.
    Warning,
    /// The API server rejects it, or it always fails.
    Error,
}

/// How an editor may draw the range of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The code has no effect: drawn faded.
    Unnecessary,
    /// The code is deprecated: drawn struck through.
    Deprecated,
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place, in the same file unless `elsewhere` says another.
    pub range: TextRange,
    /// The place, where it is in another file of the project.
    pub elsewhere: Option<Location>,
    /// What is there.
    pub message: String,
}

/// A change that ends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, as an order: "Quote the value".
    pub title: String,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
    /// Whether this is the one change that is surely meant.
    pub preferred: bool,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of the rule.
    pub code: &'static str,
    /// How bad it is, after settings.
    pub severity: Severity,
    /// The exact place.
    pub range: TextRange,
    /// What is wrong and what to do, in one or two sentences.
    pub message: String,
    /// Kubernetes' own words for it, where it has some.
    pub upstream: Option<String>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// Changes that end it.
    pub fixes: Vec<Fix>,
    /// How to draw it.
    pub tag: Option<Tag>,
}

/// Whether two ranges have a byte in common, or one of them is empty and touches the other.
fn touches(left: TextRange, right: TextRange) -> bool {
    let is_point = left.is_empty() || right.is_empty();
    left.intersect(right)
        .is_some_and(|both| is_point || !both.is_empty())
}

/// A rule: its code, its page and its check.
#[derive(Debug)]
pub struct Rule {
    /// The code: lower-case words joined by dashes, never renamed.
    pub code: &'static str,
    /// The severity unless settings say otherwise.
    pub severity: Severity,
    /// The page that explains the rule, in Markdown. Its first line is the title, its first
    /// paragraph the summary.
    pub page: &'static str,
    check: fn(&RuleContext<'_>, &mut Vec<Finding>),
}

/// What a rule reads.
#[derive(Clone, Copy)]
struct RuleContext<'a> {
    file: &'a SourceFile,
    documents: &'a [Facts<'a>],
    unquoted: &'a [Unquoted],
    /// The findings of the rules above this one in the table, before any is silenced.
    found: &'a [Diagnostic],
}

impl<'a> RuleContext<'a> {
    /// The documents that Kubernetes could read as they are, which templates are not.
    fn policies(&self) -> impl Iterator<Item = &'a Facts<'a>> {
        self.documents.iter().filter(|facts| !facts.is_template)
    }

    /// Whether one of the rules above in the table has a finding at a place.
    fn is_found_by(&self, codes: &[&str], range: TextRange) -> bool {
        let mut found = self.found.iter();
        found.any(|found| codes.contains(&found.code) && touches(found.range, range))
    }

    /// Every expression with the document that it belongs to, in templates as well.
    fn expressions(&self) -> impl Iterator<Item = (&'a Facts<'a>, &'a Expression)> {
        self.documents.iter().flat_map(|facts| {
            let expressions = facts.document.expressions().iter();
            let expressions = expressions.filter(|expression| facts.is_read(expression));
            expressions.map(move |expression| (facts, expression))
        })
    }
}

/// Limit: findings of one rule in one file. Nobody reads more, and editors become slow.
const MAX_FINDINGS: usize = 500;

/// The findings in a file, in the order of their places. Settings and comments that
/// suppress findings are applied.
#[must_use]
pub fn diagnostics(file: &SourceFile, settings: &Settings) -> Vec<Diagnostic> {
    let with_level = |diagnostic: &Diagnostic| {
        let severity = settings.severity(diagnostic.code, diagnostic.severity)?;
        Some(Diagnostic {
            severity,
            ..diagnostic.clone()
        })
    };
    file.findings().iter().filter_map(with_level).collect()
}

/// The findings in a file that no comment silences, with the severities of the rules.
pub(crate) fn findings(file: &SourceFile) -> Vec<Diagnostic> {
    let unquoted = unquoted::find(file);
    let documents = facts::of(file, &unquoted);
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut new = Vec::new();
    for rule in RULES {
        let context = RuleContext {
            file,
            documents: &documents,
            unquoted: &unquoted,
            found: &found,
        };
        (rule.check)(&context, &mut new);
        new.truncate(MAX_FINDINGS);
        found.extend(new.drain(..).map(|finding| finding.of(rule)));
    }
    let lines = |diagnostic: &Diagnostic| file.line_index().line(diagnostic.range.start());
    if !file.suppressions().is_empty() {
        found.retain(|diagnostic| !is_silenced(file, diagnostic, lines(diagnostic)));
    }
    found.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
    // What an alias stands for is read more than once, and is one mistake.
    found.dedup_by(|next, kept| {
        next.code == kept.code && next.range == kept.range && next.message == kept.message
    });
    found
}

fn is_silenced(file: &SourceFile, diagnostic: &Diagnostic, line: u32) -> bool {
    let names = |suppression: &Suppression| {
        let mut codes = suppression.codes.iter();
        codes.any(|code| code.name == diagnostic.code)
    };
    let mut suppressions = file.suppressions().iter();
    suppressions.any(|suppression| names(suppression) && suppression.covers(line))
}

#[cfg(test)]
mod tests;
