//! Code lenses, inlay hints and the results of commands.

use super::input::CREATE_INPUT_TITLE;
use super::positions;
use crate::capabilities::Capabilities;
use crate::commands::{CREATE_INPUT, EVALUATE, InputName, SELECT_INPUT, SHOW_MUTATION};
use evaluation::input::InputKey;
use evaluation::run::{
    AnswerKind, EXPRESSION_BUDGET, Evaluator, ExpressionEvaluation, InputAnswer, MutationChange,
    report,
};
use ide::{CodeLens, LensTarget};
use policy::ParsedFile;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp_server::ls_types as lsp;

/// The data of a lens, with which it is resolved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LensData {
    pub(crate) uri: lsp::Uri,
    /// The index of the policy in the file.
    pub(crate) policy: usize,
    /// The field path of the expression. `None` for all validations.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) path: Option<String>,
    /// Whether the lens shows the effect of a mutating policy.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(crate) mutation: bool,
}

/// An input and the decision of the policy.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct InputChoice {
    label: String,
    decision: &'static str,
    messages: Vec<String>,
    chosen: bool,
    pub(crate) input: InputName,
}

impl InputChoice {
    /// Returns the label of a button.
    pub(crate) fn title(&self) -> String {
        let mark = if self.chosen { " (selected)" } else { "" };
        format!("{}: {}{mark}", self.label, self.decision)
    }
}

impl LensData {
    /// Returns the target of the lens in a file. `None` if it no longer exists.
    pub(crate) fn target(&self, file: &ParsedFile) -> Option<LensTarget> {
        let policy = self.policy;
        let document = file.policies().get(policy)?;
        let Some(path) = &self.path else {
            return Some(if self.mutation {
                LensTarget::Mutation { policy }
            } else {
                LensTarget::Policy { policy }
            });
        };
        let expression = document.expression_index(path)?;
        Some(LensTarget::Expression { policy, expression })
    }

    /// Returns the title of the lens and its command. Without a title there is no input, which some
    /// clients can create.
    pub(crate) fn command(&self, title: Option<String>, client: &Capabilities) -> lsp::Command {
        let is_of_policy = self.path.is_none() && !self.mutation;
        let creates = client.answers.creates_files && client.answers.applies_edits;
        let command = match self.path {
            Some(_) => EVALUATE,
            None if self.mutation => SHOW_MUTATION,
            None if title.is_none() && creates => CREATE_INPUT,
            None => SELECT_INPUT,
        };
        let title = title.unwrap_or_else(|| {
            if is_of_policy && creates {
                format!("no input: {CREATE_INPUT_TITLE}")
            } else {
                ide::NO_INPUT.to_owned()
            }
        });
        lsp::Command {
            title,
            command: command.to_owned(),
            arguments: Some(vec![json!(self)]),
        }
    }
}

/// Returns unresolved lenses.
pub(crate) fn code_lenses(
    file: &ParsedFile,
    uri: &lsp::Uri,
    lenses: &[CodeLens],
    client: &Capabilities,
) -> Vec<lsp::CodeLens> {
    let positions = positions(file, client.encoding);
    let lens = |lens: &CodeLens| {
        let (policy, path) = match lens.target {
            LensTarget::Policy { policy } | LensTarget::Mutation { policy } => (policy, None),
            LensTarget::Expression { policy, expression } => {
                let expression = file.policies().get(policy)?.expressions().get(expression)?;
                (policy, Some(expression.path.to_string()))
            }
        };
        let data = LensData {
            uri: uri.clone(),
            policy,
            path,
            mutation: matches!(lens.target, LensTarget::Mutation { .. }),
        };
        Some(lsp::CodeLens {
            range: positions.range(lens.range),
            command: None,
            data: Some(json!(data)),
        })
    };
    lenses.iter().filter_map(lens).collect()
}

/// Converts inlay hints.
pub(crate) fn inlay_hints(
    file: &ParsedFile,
    hints: Vec<ide::InlayHint>,
    client: &Capabilities,
) -> Vec<(lsp::InlayHint, Option<ide::Tooltip>)> {
    let positions = positions(file, client.encoding);
    let is_sent = !client.answers.resolved_tooltips;
    let hint = |hint: ide::InlayHint| {
        let is_type = hint.kind == ide::InlayHintKind::Type;
        let sent = hint.tooltip.as_ref().filter(|_| is_sent);
        let converted = lsp::InlayHint {
            position: positions.position(hint.offset),
            label: hint.label.into(),
            kind: is_type.then_some(lsp::InlayHintKind::TYPE),
            text_edits: None,
            tooltip: sent.map(|tooltip| tooltip.text().into()),
            padding_left: Some(!is_type),
            padding_right: None,
            data: None,
        };
        (converted, hint.tooltip)
    };
    hints.into_iter().map(hint).collect()
}

/// Returns the result of `admissible.evaluate`.
pub(crate) fn evaluation(
    file: &ParsedFile,
    policy: usize,
    evaluation: &ExpressionEvaluation,
    input: &InputKey,
    client: &Capabilities,
) -> Value {
    let positions = positions(file, client.encoding);
    let trace = evaluation.trace.iter().map(|step| {
        json!({
            "range": positions.range(step.range),
            "text": step.text,
            "depth": step.depth,
            "value": step.result.value(),
            "error": step.result.error(),
            "decided": step.decided,
        })
    });
    json!({
        "policy": policy,
        "path": evaluation.path,
        "range": positions.range(evaluation.range),
        "input": {
            "label": input.name,
            "path": &*input.path,
            "document": input.document,
            "name": input.name,
        },
        "value": evaluation.result.value(),
        "error": evaluation.result.error(),
        "cost": evaluation.cost,
        "budget": EXPRESSION_BUDGET,
        "share": share(evaluation.cost),
        "trace": trace.collect::<Vec<_>>(),
        "report": report(evaluation, &input.name),
    })
}

// A share is for people, and costs are far below 2^52.
fn share(cost: u64) -> f64 {
    cost as f64 / EXPRESSION_BUDGET as f64
}

/// Returns the result of `admissible.showMutation`.
pub(crate) fn mutation(change: &MutationChange) -> Value {
    json!({
        "title": change.title,
        "before": change.before,
        "after": change.after,
        "errors": change.errors,
    })
}

/// Returns the result of `admissible.selectInput`: the inputs of a policy, the best first.
pub(crate) fn input_choices(
    evaluator: &Evaluator<'_>,
    policy: usize,
    chosen: Option<&InputKey>,
) -> Vec<InputChoice> {
    let outcomes = evaluator.summary(policy).outcomes.into_iter();
    outcomes
        .map(|outcome| {
            let key = outcome.input.key();
            InputChoice {
                label: outcome.input.input().label(),
                decision: match outcome.kind {
                    AnswerKind::Allowed => "allowed",
                    AnswerKind::Denied => "denied",
                    AnswerKind::Error => "error",
                    AnswerKind::Rejected => "rejected",
                    AnswerKind::NotEvaluated => "skipped",
                },
                messages: messages(outcome.answer.as_deref(), policy),
                chosen: chosen == Some(key),
                input: key.clone().into(),
            }
        })
        .collect()
}

/// Returns the messages of one policy for an input.
fn messages(answer: Option<&InputAnswer>, policy: usize) -> Vec<String> {
    let evaluations = answer.into_iter().flat_map(InputAnswer::evaluations);
    let of_policy = evaluations.filter(|(it, _)| it.policy == policy);
    let decisions = of_policy.flat_map(|(_, evaluation)| &evaluation.decisions);
    let messages = decisions.filter_map(|decision| decision.message());
    let rejection = answer.and_then(InputAnswer::rejection);
    messages.chain(rejection).map(str::to_owned).collect()
}
