//! `--format human`: each reason with an excerpt, the changes, and the response. What does not match
//! is one line.

mod objections;
mod webhooks;

use super::InputOutcome;
use crate::loader::Loaded;
use crate::mutation;
use crate::report::human::write_at;
use crate::report::shown;
use crate::terminal::{printable, printable_name};
use annotate_snippets::{Level, Renderer};
use evaluation::run::{
    Action, ExpressionEvaluation, PolicyAnswer, PolicyEvaluation, PolicyOutcome, VerdictKind,
    WebhookAnswer, WebhookOutcome, shortened,
};
use objections::{Objection, Weight, objections};
use policy::Kind;
use policy::cost::{PER_CALL, VALIDATIONS};
use std::io::{self, Write};
use text::TextRange;

const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

/// Limit: characters of a value in a line.
const MAX_VALUE: usize = 100;

/// Limit: characters of an expression in a line.
const MAX_PART: usize = 60;

/// Writes the outcome of a request in lines of a width.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(
    outcome: &InputOutcome,
    loaded: &Loaded,
    trace: bool,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut writer = Writer {
        loaded,
        renderer: Renderer::styled().term_width(width),
        trace,
        out,
    };
    writer.input(outcome)
}

struct Writer<'a> {
    loaded: &'a Loaded,
    renderer: Renderer,
    trace: bool,
    out: &'a mut dyn Write,
}

impl Writer<'_> {
    fn input(&mut self, outcome: &InputOutcome) -> io::Result<()> {
        if let Some(input) = &outcome.input {
            let path = shown(&input.key.path);
            let (name, path) = (input.label(), printable_name(&path));
            writeln!(self.out, "{BOLD}{}{RESET} ({path})", printable(&name))?;
        }
        let policies = &outcome.answer.policies;
        let objections = objections(policies, &self.loaded.policies);
        let parts = objections.iter().zip(&outcome.expressions);
        for (policy, (objections, expressions)) in policies.iter().zip(parts) {
            self.objections(policy.policy, objections)?;
            if self.trace {
                self.expressions(policy.policy, expressions)?;
            }
        }
        self.webhook_reasons(outcome)?;
        for policy in policies {
            self.policy(policy, outcome)?;
        }
        self.webhooks(outcome)?;
        self.response(outcome)
    }

    /// Writes a message about a part of a policy, by its index.
    fn at(
        &mut self,
        (policy, range): (usize, TextRange),
        level: Level<'static>,
        message: &str,
    ) -> io::Result<()> {
        let text = self.loaded.text_of(policy);
        write_at(
            (&text.path, &text.source, range),
            level,
            message,
            &self.renderer,
            self.out,
        )
    }

    /// Returns the line of a part of a policy, with the file if there are several.
    fn line(&self, policy: usize, range: TextRange) -> String {
        let text = self.loaded.text_of(policy);
        let line = text.source.lines.line(range.start()) + 1;
        if self.loaded.others.is_empty() {
            format!("line {line}")
        } else {
            format!("line {line} of {}", printable(&text.path))
        }
    }

    /// Writes the objections and errors, each at its position.
    fn objections(&mut self, policy: usize, objections: &[Objection]) -> io::Result<()> {
        for objection in objections {
            let level = match objection.weight {
                Weight::Error => Level::ERROR,
                Weight::Warning => Level::WARNING,
                Weight::Note => Level::NOTE,
            };
            match objection.range {
                Some(range) => self.at((policy, range), level, &objection.text)?,
                None => writeln!(self.out, "{}", printable(&objection.text))?,
            }
        }
        Ok(())
    }

    /// Writes the outcome of a policy in a line, and its changes.
    fn policy(&mut self, policy: &PolicyAnswer, input: &InputOutcome) -> io::Result<()> {
        let (word, reason) = match &policy.outcome {
            PolicyOutcome::NotEvaluated(why) => {
                let line = why
                    .range
                    .map(|it| format!(" ({})", self.line(policy.policy, it)));
                let reason = format!(": {}{}", printable(&why.reason), line.unwrap_or_default());
                ("Not matched", reason)
            }
            PolicyOutcome::Unknown(_) => ("Unknown", String::new()),
            PolicyOutcome::NotConfigured(_) => ("Cannot be evaluated", String::new()),
            PolicyOutcome::Evaluated(evaluation) => {
                return self.evaluated(policy, evaluation, input);
            }
        };
        let document = self.loaded.policies.get(policy.policy);
        let is_definition = document.is_some_and(|it| it.crd().is_some());
        let kind = if is_definition { "" } else { "policy " };
        let name = match policy.name.as_str() {
            "" => "without a name",
            name => name,
        };
        let binding = policy.binding.as_ref();
        let binding = binding.map_or_else(String::new, |it| format!(", binding {it}"));
        writeln!(
            self.out,
            "{BOLD}{word}{RESET}: {kind}{}{}{reason}",
            printable(name),
            printable(&binding)
        )
    }

    fn evaluated(
        &mut self,
        policy: &PolicyAnswer,
        evaluation: &PolicyEvaluation,
        input: &InputOutcome,
    ) -> io::Result<()> {
        let name = match policy.name.as_str() {
            "" => "a policy without a name",
            name => name,
        };
        let document = self.loaded.policies.get(policy.policy);
        let kind = document.map_or(Kind::ValidatingAdmissionPolicy, |it| it.kind());
        let is_mutating = kind.is_mutating_policy();
        let diff = if is_mutating {
            let before = evaluation.before();
            mutation::diff(before.as_ref(), evaluation.object.as_ref())
        } else {
            String::new()
        };
        let verdict = self.verdict(policy, evaluation, is_mutating.then_some(&diff));
        let request = input.answer.request.to_string();
        writeln!(
            self.out,
            "{BOLD}{verdict}{RESET}: {} by {}{}",
            printable(&request),
            printable(name),
            printable(&circumstances(policy, evaluation, kind))
        )?;
        for it in evaluation.mutations.iter().filter(|it| it.error.is_none()) {
            let (path, line) = (printable_name(&it.path), self.line(policy.policy, it.range));
            writeln!(self.out, "  {path} ({line}) is applied")?;
        }
        mutation::write(&diff, "", self.out)
    }

    fn verdict(
        &self,
        policy: &PolicyAnswer,
        evaluation: &PolicyEvaluation,
        diff: Option<&String>,
    ) -> String {
        let acts = |action| policy.actions.contains(&action);
        match &evaluation.verdict {
            VerdictKind::Allowed => match diff.map(String::is_empty) {
                None => "Allowed".to_owned(),
                Some(true) => "Unchanged".to_owned(),
                Some(false) => "Changed".to_owned(),
            },
            VerdictKind::Denied if diff.is_some() || acts(Action::Deny) => "Denied".to_owned(),
            VerdictKind::Denied if acts(Action::Warn) => "Allowed with a warning".to_owned(),
            VerdictKind::Denied => "Allowed with an audit annotation".to_owned(),
            VerdictKind::Ignored => {
                "Allowed, because a match condition fails and failurePolicy is Ignore".to_owned()
            }
            VerdictKind::Skipped { range } => {
                let line = self.line(policy.policy, *range);
                format!("Allowed, because the match condition on {line} is false")
            }
        }
    }

    /// Writes the response of the API server.
    fn response(&mut self, outcome: &InputOutcome) -> io::Result<()> {
        let response = outcome.response();
        for (key, value) in &response.audit_annotations {
            let (key, value) = (printable(key), printable(value));
            writeln!(self.out, "audit annotation {key}: {value}")?;
        }
        for warning in &response.warnings {
            writeln!(self.out, "Warning: {}", printable(&warning.message))?;
        }
        let code = response.code;
        if response.allowed {
            let is_called = |it: &WebhookAnswer| matches!(it.outcome, WebhookOutcome::Called);
            let unless = if outcome.is_unknown() {
                ", unless a policy whose result is unknown denies it"
            } else if outcome.webhooks.iter().any(|(it, _)| is_called(it)) {
                ", unless a called webhook denies it"
            } else {
                ""
            };
            writeln!(self.out, "{BOLD}HTTP {code}{RESET}: allowed{unless}")?;
        } else {
            let (reason, message) = (printable(&response.reason), printable(&response.message));
            writeln!(self.out, "{BOLD}HTTP {code} {reason}{RESET}: {message}")?;
        }
        self.notes(outcome)
    }

    /// Writes who decides, and the open points.
    fn notes(&mut self, outcome: &InputOutcome) -> io::Result<()> {
        let response = outcome.response();
        if let Some(plugin) = response.plugin {
            writeln!(
                self.out,
                "note: the admission plugin {plugin} denies the request"
            )?;
        }
        // An error that a mutation causes is not one of the object as written.
        let mut evaluations = outcome.answer.evaluations();
        let is_changed = evaluations.any(|(_, it)| !it.mutations.is_empty());
        let is_invalid = response.plugin.is_none() && !response.causes.is_empty();
        if is_invalid && !is_changed && outcome.answer.rejection().is_some() {
            let raw = outcome.input.as_ref();
            let raw = raw.map_or("use `--raw`", |_| "write `raw: true`");
            writeln!(
                self.out,
                "help: validating policies are not evaluated for an invalid object; correct it, \
                 or {raw} to evaluate it as written"
            )?;
        }
        for caveat in &response.caveats {
            writeln!(self.out, "note: {caveat}")?;
        }
        Ok(())
    }

    fn expressions(
        &mut self,
        policy: usize,
        expressions: &[ExpressionEvaluation],
    ) -> io::Result<()> {
        for expression in expressions {
            let line = self.line(policy, expression.range);
            let value = expression.result.sized(MAX_VALUE);
            let cost = cost(expression.cost, PER_CALL);
            let (path, value) = (printable_name(&expression.path), printable(&value));
            writeln!(self.out, "{path} ({line}, {cost}) = {value}")?;
            for step in &expression.trace {
                let indent = "  ".repeat(step.depth + 1);
                let text = shortened(&step.text, MAX_PART);
                let value = step.result.sized(MAX_VALUE);
                let (text, value) = (printable(&text), printable(&value));
                writeln!(self.out, "{indent}{text} = {value}")?;
            }
        }
        if !expressions.is_empty() {
            writeln!(self.out)?;
        }
        Ok(())
    }
}

/// Returns a description of the binding and the cost of an evaluation.
fn circumstances(policy: &PolicyAnswer, evaluation: &PolicyEvaluation, kind: Kind) -> String {
    let mut words = String::new();
    if let Some(binding) = &policy.binding {
        words.push_str(&format!(" with binding {binding}"));
    }
    if let Some(params) = &policy.params {
        let joint = if policy.binding.is_some() {
            "and"
        } else {
            "with"
        };
        words.push_str(&format!(" {joint} {}", params.trim_end()));
    }
    let unbound = match (&policy.binding, kind) {
        (Some(_), _) | (None, Kind::CustomResourceDefinition) => "",
        (None, Kind::MutatingAdmissionPolicy) => "no binding found, assuming one; ",
        (None, _) => "no binding found, assuming Deny; ",
    };
    let cost = cost(evaluation.cost, VALIDATIONS);
    format!("{words} ({unbound}{cost})")
}

/// Returns a description of a cost and its share of a limit.
fn cost(cost: u64, limit: u64) -> String {
    // Tenths of a percent.
    let share = u128::from(cost) * 1_000 / u128::from(limit.max(1));
    match share {
        0 => format!("cost {cost}"),
        _ => format!("cost {cost}, {}.{}% of {limit}", share / 10, share % 10),
    }
}
