//! Findings and the rules that create them.
//!
//! Each rule is in a separate file below this one, with a page next to it that explains the rule to
//! users. This module contains their common parts: the table of rules and the run over a file.

mod api_error;
mod conditions;
mod continuation;
mod document_facts;
mod failing_reads;
mod finding;
mod format_call;
mod guard;
mod json_patches;
mod kind_problems;
mod literal_types;
mod map_literal;
mod match_rules;
mod misparsed;
mod misplaced;
mod null_test;
mod operations;
mod parents;
mod placeholder;
mod rules;
mod suggested_message;
mod uncalled;
mod unquoted;

pub(crate) use conditions::operands;
pub(crate) use format_call::escaped;
pub(crate) use guard::{Guard, chain_end, or_default, read_guards};
pub(crate) use parents::parents;
pub use rules::RULES;
pub(crate) use suggested_message::suggested_message;

use crate::file::SourceFile;
use crate::presence::Presence;
use crate::report::{Diagnostic, Fix, Related, Safety, Severity, Tag};
use crate::settings::Settings;
use crate::suppression::Suppression;
use document_facts::DocumentFacts;
use failing_reads::Read;
use finding::Finding;
use operations::Operand;
use policy::{Expression, Problem};
use std::cell::{OnceCell, RefCell};
use text::TextRange;
use text::checkpoint::checkpoint;
use unquoted::Unquoted;

/// Returns whether two ranges share a byte, or one of them is empty and touches the other.
fn touches(left: TextRange, right: TextRange) -> bool {
    let is_point = left.is_empty() || right.is_empty();
    left.intersect(right)
        .is_some_and(|both| is_point || !both.is_empty())
}

/// A rule: its code, its page and its check.
#[derive(Debug)]
pub struct Rule {
    /// The code: lowercase words joined by dashes, never renamed.
    pub code: &'static str,
    /// The severity, unless settings change it.
    pub severity: Severity,
    /// Whether it is off unless settings enable it.
    pub is_optional: bool,
    /// The kinds of fixes that its findings can have.
    pub fixes: &'static [Safety],
    /// The reason that its findings have no fixes, as a clause. Empty if some have fixes.
    pub no_fix: &'static str,
    /// The page that explains the rule, in Markdown. Its first line is the title, its first
    /// paragraph the summary.
    pub page: &'static str,
    check: fn(&RuleContext<'_>, &mut Vec<Finding>),
}

/// The input of all rules.
struct RuleContext<'a> {
    file: &'a SourceFile,
    documents: &'a [DocumentFacts<'a>],
    unquoted: &'a [Unquoted],
    /// The findings of the rules before this one in the table, before suppression.
    found: RefCell<Vec<Diagnostic>>,
    /// Computed by the first rule that needs them.
    operands: OnceCell<Vec<(&'a DocumentFacts<'a>, Operand<'a>)>>,
    failing_reads: OnceCell<Vec<(&'a DocumentFacts<'a>, Read<'a>)>>,
}

impl<'a> RuleContext<'a> {
    /// Returns the documents that Kubernetes can parse, without templates.
    fn policies(&self) -> impl Iterator<Item = &'a DocumentFacts<'a>> {
        self.documents.iter().filter(|facts| !facts.is_template)
    }

    /// Returns the number of findings that each rule may report.
    fn max_findings(&self) -> usize {
        self.file.max_findings()
    }

    /// Returns findings about the problems of expressions, up to a limit in each document.
    fn findings_of_problems(
        &self,
        finding: impl Fn(&DocumentFacts<'_>, &Expression, &Problem) -> Option<Finding>,
    ) -> impl Iterator<Item = Finding> {
        self.policies().flat_map(move |facts| {
            let problems = facts.problems();
            let findings =
                problems.filter_map(|(expression, problem)| finding(facts, expression, problem));
            findings.take(self.max_findings()).collect::<Vec<_>>()
        })
    }

    /// Returns the operands whose type at admission differs from their schema, with their
    /// documents.
    fn operands(&self) -> &[(&'a DocumentFacts<'a>, Operand<'a>)] {
        self.operands
            .get_or_init(|| self.of_presence(operations::operands))
    }

    /// Returns the reads that fail if a value is missing, with their documents.
    fn failing_reads(&self) -> &[(&'a DocumentFacts<'a>, Read<'a>)] {
        self.failing_reads
            .get_or_init(|| self.of_presence(|_, presence| failing_reads::failing(presence)))
    }

    /// Returns the results of `find` for the presence analysis of each document.
    fn of_presence<T>(
        &self,
        find: impl Fn(&'a DocumentFacts<'a>, &'a Presence) -> Vec<T>,
    ) -> Vec<(&'a DocumentFacts<'a>, T)> {
        let found = self.policies().flat_map(|facts| {
            let found = find(facts, facts.presence());
            found.into_iter().map(move |it| (facts, it))
        });
        found.collect()
    }

    /// Returns whether an earlier rule of the table has a finding at a range.
    fn is_found_by(&self, codes: &[&str], range: TextRange) -> bool {
        let found = self.found.borrow();
        let mut found = found.iter();
        found.any(|found| codes.contains(&found.code) && touches(found.range, range))
    }

    /// Returns every expression with its document, including those in templates.
    fn expressions(&self) -> impl Iterator<Item = (&'a DocumentFacts<'a>, &'a Expression)> {
        self.documents.iter().flat_map(|facts| {
            let expressions = facts.document.expressions().iter();
            let expressions = expressions.filter(|expression| facts.is_read(expression));
            expressions.map(move |expression| (facts, expression))
        })
    }
}

/// Returns the findings in a file in order of position, after settings and suppressions.
#[must_use]
pub fn diagnose(file: &SourceFile, settings: &Settings) -> Vec<Diagnostic> {
    let with_level = |diagnostic: &Diagnostic| {
        let severity = settings.severity(diagnostic.code, diagnostic.severity)?;
        Some(Diagnostic {
            severity,
            ..diagnostic.clone()
        })
    };
    let found = file.findings(|| findings(file, false));
    let mut shown: Vec<Diagnostic> = found.iter().filter_map(with_level).collect();
    let mut optional = RULES.iter().filter(|rule| rule.is_optional);
    if optional.any(|rule| settings.enables(rule.code)) {
        let found = file.optional_findings(|| findings(file, true));
        let found = found.iter().filter(|it| settings.enables(it.code));
        shown.extend(found.filter_map(with_level));
        sort(&mut shown);
    }
    shown
}

/// Returns the findings of the rules that are on by default, or of the other rules, that no comment
/// suppresses, with the severities of the rules.
fn findings(file: &SourceFile, is_optional: bool) -> Vec<Diagnostic> {
    let unquoted = unquoted::find(file);
    let documents = document_facts::collect(file, &unquoted);
    let context = RuleContext {
        file,
        documents: &documents,
        unquoted: &unquoted,
        found: RefCell::default(),
        operands: OnceCell::new(),
        failing_reads: OnceCell::new(),
    };
    let mut new = Vec::new();
    for rule in RULES.iter().filter(|it| it.is_optional == is_optional) {
        checkpoint();
        (rule.check)(&context, &mut new);
        new.truncate(context.max_findings());
        let new = new.drain(..).map(|finding| finding.into_diagnostic(rule));
        context.found.borrow_mut().extend(new);
    }
    let mut found = context.found.into_inner();
    file.results().truncate(documents.len());
    let lines = |diagnostic: &Diagnostic| file.line_index().line(diagnostic.range.start());
    if !file.suppressions().is_empty() {
        found.retain(|diagnostic| !is_silenced(file, diagnostic, lines(diagnostic)));
    }
    sort(&mut found);
    // The target of an alias is visited more than once, but has only one error.
    found.dedup_by(|next, kept| {
        next.code == kept.code && next.range == kept.range && next.message == kept.message
    });
    found
}

fn sort(found: &mut [Diagnostic]) {
    found.sort_by_cached_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
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
