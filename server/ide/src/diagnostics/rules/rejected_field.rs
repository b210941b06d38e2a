#![doc = include_str!("rejected_field.md")]

use super::{cost_budget, invalid_value, missing_field};
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Diagnostic, Finding, RuleContext, Severity};
use crate::diagnostics::{api_error, touches};
use crate::file::SourceFile;
use policy::validation::{ApiError, ApiRule};
use policy::{Expression, Problem};
use std::iter;
use text::TextRange;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let earlier = context.found.borrow();
    let errors = earlier.iter();
    let errors: Vec<&Diagnostic> = errors.filter(|it| it.severity == Severity::Error).collect();
    for facts in context.policies() {
        let reported = Reported {
            file: context.file,
            facts,
            errors: &errors,
        };
        let problems = facts.problems().filter(|(expression, problem)| {
            problem.kind.is_refused() && !reported.has_problem(expression, problem)
        });
        let first = found.len();
        let problems = problems.map(|(expression, problem)| of_problem(facts, expression, problem));
        found.extend(problems.take(context.max_findings()));
        let new: Vec<TextRange> = found.iter().skip(first).map(Finding::range).collect();
        let errors = facts.errors.iter().filter(|error| {
            let place = reported.rejected_range(error);
            !new.iter().any(|new| touches(*new, place)) && !reported.has_error(error, place)
        });
        found.extend(
            errors
                .take(context.max_findings())
                .map(|error| of_error(facts, error)),
        );
    }
}

fn of_problem(facts: &DocumentFacts<'_>, expression: &Expression, problem: &Problem) -> Finding {
    let words = problem.upstream.as_deref().unwrap_or_default();
    facts.finding(
        expression,
        problem,
        format!("The API server rejects this: {words}."),
    )
}

fn of_error(facts: &DocumentFacts<'_>, error: &ApiError) -> Finding {
    let message = match error.rule {
        ApiRule::Compiler | ApiRule::ResultType => {
            "The API server rejects this expression.".to_owned()
        }
        _ => api_error::explain(facts, error),
    };
    Finding::new(error.range, message).upstream(api_error::upstream(error))
}

/// The errors in one document that earlier rules report.
struct Reported<'n> {
    file: &'n SourceFile,
    facts: &'n DocumentFacts<'n>,
    errors: &'n [&'n Diagnostic],
}

impl Reported<'_> {
    /// Returns whether a problem of an expression is reported: at its range, at a larger one, or
    /// with the same message at a part of it.
    fn has_problem(&self, expression: &Expression, problem: &Problem) -> bool {
        let range = self.facts.document.range(expression, problem.span);
        let is_it = |error: &Diagnostic, place: TextRange| {
            let is_same = error.upstream == problem.upstream || error.code == "property-escaping";
            place.contains_range(range) || (is_same && touches(place, range))
        };
        // The finding is about the string, not about its content.
        let mut errors = self.errors.iter().filter(|it| it.code != "invalid-value");
        errors.any(|error| error_ranges(error).any(|place| is_it(error, place)))
            || self.is_unusable(expression, problem)
    }

    /// Returns whether an error at a range, or its cause, is reported.
    fn has_error(&self, error: &ApiError, place: TextRange) -> bool {
        let all = &self.facts.errors;
        let mut problems = self.facts.problems();
        self.is_reported(place)
            || missing_field::follows(error, self.facts)
            || invalid_value::follows(error, all)
            || cost_budget::follows(error, all)
            || problems.any(|(expression, problem)| {
                Some(expression.node) == error.node && self.is_unusable(expression, problem)
            })
    }

    fn is_reported(&self, range: TextRange) -> bool {
        let mut places = self.errors.iter().flat_map(|error| error_ranges(error));
        places.any(|place| touches(place, range))
    }

    /// Returns whether a problem is caused by the name of a variable and is reported there.
    fn is_unusable(&self, expression: &Expression, problem: &Problem) -> bool {
        let definitions = self.facts.variables.definitions.iter();
        let mut names = definitions.filter_map(|definition| definition.name_node);
        self.facts.is_unusable(expression, problem.span)
            && names.any(|name| self.is_reported(name.range()))
    }

    /// Returns the range of the rejected value. The range of an expression continues to the end of
    /// its line, where a comment can swallow the rest of it.
    fn rejected_range(&self, error: &ApiError) -> TextRange {
        let node = error.node.filter(|_| error.rule.is_of_compiler());
        let Some(node) = node.map(|node| self.facts.document.node(node)) else {
            return error.range;
        };
        let lines = self.file.line_index();
        let last = lines.line_content(self.file.text(), lines.line(node.range().end()));
        last.map_or(node.range(), |last| node.range().cover(last))
    }
}

/// Returns the range of an error and its related ranges in the same file.
fn error_ranges(error: &Diagnostic) -> impl Iterator<Item = TextRange> {
    let related = error.related.iter().filter(|it| it.elsewhere.is_none());
    iter::once(error.range).chain(related.map(|it| it.range))
}

#[cfg(test)]
mod tests;
