//! Lenses, values and the data of the commands about them.

use super::positions;
use crate::capabilities::Capabilities;
use ide::evaluate::{AnswerKind, ExpressionEvaluation, Shown, Trial, TrialAnswer, report};
use ide::input::InputKey;
use ide::{CodeLens, LensTarget, SourceFile};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;
use tower_lsp_server::ls_types as lsp;

/// Evaluates an expression.
pub(crate) const EVALUATE: &str = "admissible.evaluate";

/// Tells which samples there are, or chooses one.
pub(crate) const SELECT_SAMPLE: &str = "admissible.selectSample";

/// Shows no values any more.
pub(crate) const HIDE_VALUES: &str = "admissible.hideValues";

/// All commands.
pub(crate) const COMMANDS: [&str; 3] = [EVALUATE, SELECT_SAMPLE, HIDE_VALUES];

/// Limit: the characters of a value beside its expression.
const MAX_VALUE: usize = 60;

/// What a lens is about, so that it can say more later.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LensData {
    pub(crate) uri: lsp::Uri,
    /// The place of the policy in the file.
    pub(crate) policy: usize,
    /// The field path of the expression; none for all validations.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) path: Option<String>,
}

/// The argument of [`EVALUATE`].
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum EvaluateArguments {
    /// The expression of a field.
    Named {
        uri: lsp::Uri,
        policy: usize,
        path: String,
    },
    /// The expression at a position.
    At {
        uri: lsp::Uri,
        position: lsp::Position,
    },
}

impl EvaluateArguments {
    pub(crate) fn uri(&self) -> &lsp::Uri {
        match self {
            EvaluateArguments::Named { uri, .. } | EvaluateArguments::At { uri, .. } => uri,
        }
    }
}

/// The argument of [`SELECT_SAMPLE`] and of [`HIDE_VALUES`].
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SampleArguments {
    pub(crate) uri: lsp::Uri,
    #[serde(default)]
    pub(crate) policy: usize,
    #[serde(default)]
    pub(crate) sample: Option<SampleName>,
}

/// A sample, as the client gives it back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SampleName {
    path: PathBuf,
    document: usize,
    name: String,
}

/// A sample and what the policy decides about it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SampleChoice {
    label: String,
    decision: &'static str,
    messages: Vec<String>,
    chosen: bool,
    pub(crate) sample: SampleName,
}

impl SampleChoice {
    /// What a button says.
    pub(crate) fn title(&self) -> String {
        let mark = if self.chosen { " (now)" } else { "" };
        format!("{}: {}{mark}", self.label, self.decision)
    }
}

impl From<InputKey> for SampleName {
    fn from(key: InputKey) -> Self {
        Self {
            path: key.path.to_path_buf(),
            document: key.document,
            name: key.name,
        }
    }
}

impl From<SampleName> for InputKey {
    fn from(sample: SampleName) -> Self {
        Self {
            path: sample.path.into(),
            document: sample.document,
            name: sample.name,
        }
    }
}

impl LensData {
    /// What the lens is about in a file; `None` when that is gone.
    pub(crate) fn target(&self, file: &SourceFile) -> Option<LensTarget> {
        let policy = self.policy;
        let expressions = file.policies().get(policy)?.expressions();
        let Some(path) = &self.path else {
            return Some(LensTarget::Policy { policy });
        };
        let expression = expressions
            .iter()
            .position(|it| it.path.to_string() == *path)?;
        Some(LensTarget::Expression { policy, expression })
    }

    /// What a click does.
    pub(crate) fn command(&self, title: String) -> lsp::Command {
        let command = match self.path {
            Some(_) => EVALUATE,
            None => SELECT_SAMPLE,
        };
        lsp::Command {
            title,
            command: command.to_owned(),
            arguments: Some(vec![json!(self)]),
        }
    }
}

/// Lenses that do not say anything yet.
pub(crate) fn code_lenses(
    file: &SourceFile,
    uri: &lsp::Uri,
    lenses: &[CodeLens],
    client: &Capabilities,
) -> Vec<lsp::CodeLens> {
    let positions = positions(file, client.encoding);
    let lens = |lens: &CodeLens| {
        let (policy, path) = match lens.target {
            LensTarget::Policy { policy } => (policy, None),
            LensTarget::Expression { policy, expression } => {
                let document = file.policies().get(policy)?;
                let expression = document.expressions().get(expression)?;
                (policy, Some(expression.path.to_string()))
            }
        };
        let uri = uri.clone();
        Some(lsp::CodeLens {
            range: positions.range(lens.range),
            command: None,
            data: Some(json!(LensData { uri, policy, path })),
        })
    };
    lenses.iter().filter_map(lens).collect()
}

/// Values, each after its expression, with the values of all parts beside it.
pub(crate) fn inlay_hints(
    file: &SourceFile,
    values: &[(ExpressionEvaluation, InputKey)],
    client: &Capabilities,
) -> Vec<lsp::InlayHint> {
    let positions = positions(file, client.encoding);
    let hint = |(value, sample): &(ExpressionEvaluation, InputKey)| lsp::InlayHint {
        position: positions.position(value.range.end()),
        label: format!("= {}", value.result.short(MAX_VALUE)).into(),
        kind: None,
        text_edits: None,
        tooltip: Some(report(value, &sample.name).into()),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    values.iter().map(hint).collect()
}

/// The result of [`EVALUATE`].
pub(crate) fn evaluation(
    file: &SourceFile,
    policy: usize,
    evaluation: &ExpressionEvaluation,
    sample: &InputKey,
    client: &Capabilities,
) -> Value {
    let positions = positions(file, client.encoding);
    let trace = evaluation.trace.iter().map(|step| {
        json!({
            "range": positions.range(step.range),
            "text": step.text,
            "depth": step.depth,
            "value": value(&step.result),
            "error": error(&step.result),
        })
    });
    json!({
        "policy": policy,
        "path": evaluation.path,
        "range": positions.range(evaluation.range),
        "sample": { "label": sample.name, "path": &*sample.path },
        "value": value(&evaluation.result),
        "error": error(&evaluation.result),
        "cost": evaluation.cost,
        "trace": trace.collect::<Vec<_>>(),
        "report": report(evaluation, &sample.name),
    })
}

fn value(shown: &Shown) -> Option<&str> {
    match shown {
        Shown::Value(text) => Some(text),
        Shown::Failure(_) => None,
    }
}

fn error(shown: &Shown) -> Option<&str> {
    match shown {
        Shown::Value(_) => None,
        Shown::Failure(reason) => Some(reason),
    }
}

/// The result of [`SELECT_SAMPLE`]: the samples of a policy, the nearest first.
pub(crate) fn sample_choices(
    trial: &Trial<'_>,
    policy: usize,
    chosen: Option<&InputKey>,
) -> Vec<SampleChoice> {
    let outcomes = trial.summary(policy).outcomes.into_iter();
    outcomes
        .map(|outcome| {
            let key = outcome.candidate.key();
            SampleChoice {
                label: outcome.candidate.input().label(),
                decision: match outcome.kind {
                    AnswerKind::Allowed => "allowed",
                    AnswerKind::Denied => "denied",
                    AnswerKind::Error => "error",
                    AnswerKind::NotAsked => "skipped",
                },
                messages: messages(outcome.answer.as_ref(), policy),
                chosen: chosen == Some(key),
                sample: key.clone().into(),
            }
        })
        .collect()
}

/// What speaks against an input, by one policy.
fn messages(answer: Option<&TrialAnswer>, policy: usize) -> Vec<String> {
    let evaluations = answer.into_iter().flat_map(TrialAnswer::evaluations);
    let of_policy = evaluations.filter(|(it, _)| it.policy == policy);
    let decisions = of_policy.flat_map(|(_, evaluation)| &evaluation.decisions);
    decisions
        .filter_map(|decision| decision.message().map(str::to_owned))
        .collect()
}
