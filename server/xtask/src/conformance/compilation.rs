//! `cel.jsonl`: an expression of a policy and what came of compiling and running it.
//!
//! Kubernetes' error is one text with all mistakes in it. The words of its generated parser
//! are not ours to repeat, so that a mistake it calls `Syntax error:` is compared by its
//! line; all others are compared to the letter.

use super::case::{Case, Outcome};
use super::known::unbuilt;
use super::refusal::{Refusal, compare};
use cel::Parse;

/// What Kubernetes puts before the mistakes.
const PREFIX: &str = "compilation failed: ";

/// The whole answer.
pub(super) fn check(case: &Case) -> Outcome {
    let expr = case.require(&["expr"])?;
    let Some(error) = syntax_error(case) else {
        verdict(case, true)?;
        return unbuilt("types and values");
    };
    let parse = cel::parse(expr);
    compare(&Refusal::all_of_text(error)?, &parse.errors, expr)?;
    if error.contains("Syntax error: ") {
        return Ok(());
    }
    let ours = parse.upstream_report().unwrap_or_default();
    if ours == error {
        return Ok(());
    }
    Err(format!("we say:\n{ours}\nKubernetes says:\n{error}"))
}

/// Whether the expression is refused by its syntax, and only then.
pub(super) fn check_syntax(case: &Case) -> Option<Outcome> {
    Some(verdict(case, syntax_error(case).is_none()))
}

/// The expected error, without its prefix, where the first mistake is one of syntax: then
/// Kubernetes does not look at types, so all of them are.
fn syntax_error(case: &Case) -> Option<&str> {
    let error = case.text(&["expect", "error"])?.strip_prefix(PREFIX)?;
    let first = Refusal::all_of_text(error).ok()?;
    first.first()?.is_of_syntax().then_some(error)
}

/// Compares whether the parser of Kubernetes takes the expression of a case with what is
/// right.
pub(super) fn verdict(case: &Case, accepted: bool) -> Outcome {
    verdict_on(&cel::parse(case.require(&["expr"])?), accepted)
}

/// Compares whether an expression was taken with what is right.
pub(super) fn verdict_on(parse: &Parse, accepted: bool) -> Outcome {
    match parse.errors.first() {
        None if !accepted => Err("we accept it and should not".into()),
        Some(error) if accepted => Err(format!("we refuse it: {}", error.message())),
        None | Some(_) => Ok(()),
    }
}
