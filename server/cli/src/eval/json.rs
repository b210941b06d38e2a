//! `--format json`: one object, for programs.
//!
//! `server/docs/command-line.md` documents the shape.

use super::InputOutcome;
use crate::loader::Loaded;
use crate::problem::Problem;
use crate::reader::shown_argument;
use crate::report::json::JsonRange;
use crate::report::{Source, shown};
use admission::{Request, Response};
use cel::value::Key;
use evaluation::run::{
    Action, DecisionOutcome, DecisionResult, ExpressionEvaluation, PolicyAnswer, PolicyEvaluation,
    PolicyOutcome, TraceStep, VerdictKind, WebhookAnswer, WebhookOutcome,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;

/// The line break of a policy.
const POLICY: &str = "\n        ";

/// The result of a policy.
#[derive(Serialize)]
struct JsonPolicy<'a> {
    #[serde(flatten)]
    fields: Value,
    #[serde(flatten)]
    evaluation: Option<JsonEvaluation<'a>>,
}

/// The evaluation of a policy, with its expressions.
#[derive(Serialize)]
struct JsonEvaluation<'a> {
    decisions: Vec<JsonDecision<'a>>,
    #[serde(flatten)]
    fields: Value,
    expressions: Vec<JsonExpression<'a>>,
}

/// The result of a validation.
#[derive(Serialize)]
struct JsonDecision<'a> {
    field: &'a str,
    outcome: &'static str,
    message: Option<&'a str>,
    reason: Option<&'a str>,
    denies: bool,
    range: JsonRange,
}

/// The evaluation of a webhook, with its expressions.
#[derive(Serialize)]
struct JsonWebhook<'a> {
    #[serde(flatten)]
    fields: Value,
    expressions: Vec<JsonExpression<'a>>,
}

/// The value of an expression, or its error.
#[derive(Serialize)]
struct JsonExpression<'a> {
    field: &'a str,
    value: Option<&'a str>,
    error: Option<&'a str>,
    cost: u64,
    range: JsonRange,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<JsonStep<'a>>>,
}

/// The value of a part of an expression, or its error.
#[derive(Serialize)]
struct JsonStep<'a> {
    text: &'a str,
    value: Option<&'a str>,
    error: Option<&'a str>,
    range: JsonRange,
}

/// Writes the beginning, up to the first request.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn begin(policy: &Path, out: &mut dyn Write) -> io::Result<()> {
    let path = json!(shown_argument(policy));
    write!(
        out,
        "{{\n  \"version\": 1,\n  \"path\": {path},\n  \"inputs\": ["
    )
}

/// Writes the outcome of a request, after a number of others.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(
    outcome: &InputOutcome,
    loaded: &Loaded,
    trace: bool,
    others: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (input, answer) = (outcome.input.as_ref(), &outcome.answer);
    let head = json!({
        "name": input.map(|it| it.label()),
        "path": input.map(|it| shown(&it.key.path)),
        "request": request_json(&answer.request),
        "response": response_json(outcome.response()),
    });
    write!(out, "{}\n    ", comma(others))?;
    out.write_all(&members(&head, "\n    ")?)?;
    write!(out, ",\n      \"policies\": [")?;
    write_policies(outcome, loaded, trace, out)?;
    let webhooks = outcome.webhooks.iter();
    let webhooks = webhooks.map(|(it, expressions)| webhook_json(it, expressions, loaded, trace));
    write!(out, "\n      ],\n      \"webhooks\": ")?;
    write_nested(&webhooks.collect::<Vec<_>>(), "\n      ", out)?;
    write!(out, "\n    }}")
}

/// Writes the results of the policies.
fn write_policies(
    outcome: &InputOutcome,
    loaded: &Loaded,
    trace: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let answer = &outcome.answer;
    let mut uses: HashMap<*const PolicyEvaluation, usize> = HashMap::new();
    for policy in &answer.policies {
        if let PolicyOutcome::Evaluated(it) = &policy.outcome {
            *uses.entry(Arc::as_ptr(it)).or_default() += 1;
        }
    }
    // All bindings of a policy share a result, which is then the same text.
    let mut shared: HashMap<*const PolicyEvaluation, Vec<u8>> = HashMap::new();
    let policies = answer.policies.iter().zip(&outcome.expressions);
    for (index, (policy, expressions)) in policies.enumerate() {
        let source = &loaded.text_of(policy.policy).source;
        let fields = policy_json(policy, loaded);
        write!(out, "{}{POLICY}", comma(index))?;
        let evaluation = match &policy.outcome {
            PolicyOutcome::Evaluated(it) => Some(it),
            _ => None,
        };
        let json = |it| evaluation_json(it, expressions, source, trace);
        let Some(evaluation) = evaluation.filter(|it| uses.get(&Arc::as_ptr(it)) > Some(&1)) else {
            let evaluation = evaluation.map(|it| json(it));
            write_nested(&JsonPolicy { fields, evaluation }, POLICY, out)?;
            continue;
        };
        let text = match shared.entry(Arc::as_ptr(evaluation)) {
            Entry::Occupied(text) => text.into_mut(),
            Entry::Vacant(new) => new.insert(members(&json(evaluation), POLICY)?),
        };
        out.write_all(&members(&fields, POLICY)?)?;
        write!(out, ",")?;
        out.write_all(text.strip_prefix(b"{").unwrap_or(text))?;
        write!(out, "{POLICY}}}")?;
    }
    Ok(())
}

/// Writes the end, after the last request.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn end(problems: &[Problem], out: &mut dyn Write) -> io::Result<()> {
    let problems: Vec<Value> = problems.iter().map(Problem::json).collect();
    write!(out, "\n  ],\n  \"problems\": ")?;
    write_nested(&problems, "\n  ", out)?;
    out.write_all(b"\n}\n")
}

const fn comma(others: usize) -> &'static str {
    if others == 0 { "" } else { "," }
}

/// Returns a nested object without its end, so that members can follow.
fn members(object: &impl Serialize, line_break: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    write_nested(object, line_break, &mut text)?;
    text.truncate(text.len().saturating_sub(line_break.len() + 1));
    Ok(text)
}

/// Writes JSON on several lines that is nested in other JSON.
fn write_nested(value: &impl Serialize, line_break: &str, out: &mut dyn Write) -> io::Result<()> {
    Ok(serde_json::to_writer_pretty(
        Nested(out, line_break),
        value,
    )?)
}

/// Writes each line break as this one, which indents the next line. A line break in a string of
/// JSON is escaped.
struct Nested<'a>(&'a mut dyn Write, &'a str);

impl Write for Nested<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        for (index, line) in text.split(|it| *it == b'\n').enumerate() {
            if index > 0 {
                self.0.write_all(self.1.as_bytes())?;
            }
            self.0.write_all(line)?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn webhook_json<'a>(
    webhook: &WebhookAnswer,
    expressions: &'a [ExpressionEvaluation],
    loaded: &Loaded,
    trace: bool,
) -> JsonWebhook<'a> {
    let text = loaded.text_of(webhook.policy);
    let source = &text.source;
    let (decision, reason, place) = match &webhook.outcome {
        WebhookOutcome::Called => ("called", None, None),
        WebhookOutcome::NotEvaluated(why) => ("notCalled", Some(why.reason.as_str()), why.range),
        WebhookOutcome::Skipped { range } => ("skipped", None, Some(*range)),
        WebhookOutcome::Ignored(words) => {
            let first_failing = webhook.failing.first().copied();
            ("ignored", Some(words.as_str()), first_failing)
        }
        WebhookOutcome::Denied(response) => {
            let first_failing = webhook.failing.first().copied();
            ("denied", Some(response.message.as_str()), first_failing)
        }
    };
    let fields = json!({
        "configuration": webhook.configuration,
        "name": webhook.name,
        "file": text.path,
        "decision": decision,
        "reason": reason,
        "range": place.map(|place| range(source, place)),
        "cost": webhook.cost,
    });
    JsonWebhook {
        fields,
        expressions: expressions_json(expressions, source, trace),
    }
}

fn request_json(request: &Request) -> Value {
    let resource = &request.resource;
    json!({
        "operation": request.operation.as_str(),
        "group": resource.group,
        "version": resource.version,
        "kind": resource.kind,
        "resource": resource.plural,
        "subresource": request.subresource,
        "name": request.name,
        "namespace": request.namespace,
        "user": request.user.name,
        "dryRun": request.dry_run,
    })
}

fn response_json(response: &Response) -> Value {
    let word = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let causes = response.causes.iter().map(|cause| {
        json!({
            "message": cause.message, "reason": word(cause.reason), "field": word(&cause.field),
        })
    });
    json!({
        "allowed": response.allowed,
        "code": response.code,
        "reason": word(&response.reason),
        "message": word(&response.message),
        "causes": causes.collect::<Vec<_>>(),
        "warnings": response.warnings.iter().map(|it| &it.message).collect::<Vec<_>>(),
        "auditAnnotations": annotations(&response.audit_annotations),
        "object": response.object.as_ref().map(object_json),
        "caveats": response.caveats.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
        "notes": response.caveats.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "plugin": response.plugin,
    })
}

fn policy_json(policy: &PolicyAnswer, loaded: &Loaded) -> Value {
    let text = loaded.text_of(policy.policy);
    let (decision, reason, place) = match &policy.outcome {
        PolicyOutcome::NotEvaluated(why) => ("notEvaluated", Some(why.reason.as_str()), why.range),
        PolicyOutcome::Unknown(why) => ("unknown", Some(why.as_str()), None),
        PolicyOutcome::NotConfigured(words) => ("notConfigured", Some(words.as_str()), None),
        PolicyOutcome::Evaluated(evaluation) => match evaluation.verdict {
            VerdictKind::Allowed => ("allowed", None, None),
            VerdictKind::Denied => ("denied", None, None),
            VerdictKind::Ignored => ("ignored", None, None),
            VerdictKind::Skipped { range } => ("skipped", None, Some(range)),
        },
    };
    json!({
        "name": policy.name,
        "file": text.path,
        "binding": policy.binding,
        "actions": policy.actions.iter().map(|it| action(*it)).collect::<Vec<_>>(),
        "params": policy.params,
        "decision": decision,
        "reason": reason,
        "range": place.map(|place| range(&text.source, place)),
    })
}

fn action(action: Action) -> &'static str {
    match action {
        Action::Deny => "Deny",
        Action::Warn => "Warn",
        Action::Audit => "Audit",
    }
}

fn evaluation_json<'a>(
    evaluation: &'a PolicyEvaluation,
    expressions: &'a [ExpressionEvaluation],
    source: &Source,
    trace: bool,
) -> JsonEvaluation<'a> {
    let decisions = evaluation.decisions.iter();
    let mutations = evaluation
        .mutations
        .iter()
        .map(|it| json!({ "field": it.path, "error": it.error, "range": range(source, it.range) }));
    let fields = json!({
        "mutations": mutations.collect::<Vec<_>>(),
        "object": evaluation.object.as_ref().map(object_json),
        "auditAnnotations": annotations(&evaluation.audit_annotations),
        "auditErrors": annotations(&evaluation.audit_errors),
        "cost": evaluation.cost,
    });
    JsonEvaluation {
        decisions: decisions.map(|it| decision_json(it, source)).collect(),
        fields,
        expressions: expressions_json(expressions, source, trace),
    }
}

fn decision_json<'a>(decision: &'a DecisionResult, source: &Source) -> JsonDecision<'a> {
    let (outcome, reason) = match &decision.outcome {
        DecisionOutcome::Holds => ("holds", None),
        DecisionOutcome::Denies { reason, .. } => ("denies", Some(reason.as_str())),
        DecisionOutcome::Fails { .. } => ("fails", None),
    };
    JsonDecision {
        field: &decision.path,
        outcome,
        message: decision.message(),
        reason,
        denies: decision.outcome.denies(),
        range: range(source, decision.range),
    }
}

fn annotations(annotations: &[(String, String)]) -> Vec<Value> {
    let annotations = annotations.iter();
    annotations
        .map(|(key, value)| json!({ "key": key, "value": value }))
        .collect()
}

fn expressions_json<'a>(
    expressions: &'a [ExpressionEvaluation],
    source: &Source,
    trace: bool,
) -> Vec<JsonExpression<'a>> {
    let step = |step: &'a TraceStep| JsonStep {
        text: &step.text,
        value: step.result.value(),
        error: step.result.error(),
        range: range(source, step.range),
    };
    let expressions = expressions.iter().map(|expression| JsonExpression {
        field: &expression.path,
        value: expression.result.value(),
        error: expression.result.error(),
        cost: expression.cost,
        range: range(source, expression.range),
        trace: trace.then(|| expression.trace.iter().map(step).collect()),
    });
    expressions.collect()
}

/// Converts a Kubernetes object. A value that JSON cannot hold becomes a string.
fn object_json(object: &cel::Value) -> Value {
    match object {
        cel::Value::Null => Value::Null,
        cel::Value::Bool(value) => (*value).into(),
        cel::Value::Int(number) => (*number).into(),
        cel::Value::Uint(number) => (*number).into(),
        cel::Value::Double(number) => (*number).into(),
        cel::Value::String(text) => text.to_string().into(),
        cel::Value::List(items) => items.iter().map(object_json).collect(),
        cel::Value::Map(map) => {
            let fields = map.iter().map(|(key, value)| {
                let key = match key {
                    Key::String(text) => text.to_string(),
                    key => format!("{:?}", key.value()),
                };
                (key, object_json(value))
            });
            Value::Object(fields.collect())
        }
        other => format!("{other:?}").into(),
    }
}

fn range(source: &Source, range: TextRange) -> JsonRange {
    source.region(range).into()
}
