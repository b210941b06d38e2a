//! The webhooks of a file that a request is sent to.
//!
//! The response of a webhook is unknown. An error in its rules or match conditions, however,
//! keeps a request from reaching it.

use super::expressions::Room;
use super::{Detail, Evaluator, ExpressionEvaluation, InputAnswer, NotEvaluated};
use admission::{Called, Request, Response, WebhookCall};
use policy::Kind;
use std::sync::Arc;
use text::TextRange;

/// The outcome of a webhook.
#[derive(Clone, Debug)]
pub struct WebhookAnswer {
    /// The index of its configuration in [`ParsedFile::policies`](policy::ParsedFile::policies).
    pub policy: usize,
    /// The name of the configuration; empty if it has none.
    pub configuration: String,
    /// The name of the webhook; empty if it has none.
    pub name: String,
    /// Whether it is called.
    pub outcome: WebhookOutcome,
    /// The match conditions that fail, in the file.
    pub failing: Vec<TextRange>,
    /// The cost units of its match conditions.
    pub cost: u64,
    /// The request as its match conditions see it.
    request: Arc<Request>,
    /// The indexes of its match conditions.
    conditions: Vec<usize>,
}

/// Whether a webhook is called.
#[derive(Clone, Debug)]
pub enum WebhookOutcome {
    /// It is.
    Called,
    /// Its rules or selectors leave the request out.
    NotEvaluated(NotEvaluated),
    /// A match condition is false.
    Skipped {
        /// The condition in the file.
        range: TextRange,
    },
    /// A match condition fails, and the failure policy is Ignore. The server's message.
    Ignored(String),
    /// A match condition fails, and so the request is denied.
    Denied(Box<Response>),
}

impl Evaluator<'_> {
    /// Returns the result of each webhook of the file: those that change objects first, then by the
    /// names of their configurations. They see the object after the policies. `wanted` holds the
    /// configurations that the input is for; the others are not called.
    #[must_use]
    pub fn webhooks(
        &self,
        answer: &InputAnswer,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Vec<WebhookAnswer> {
        let mut request = Request::clone(&answer.request);
        if let Some(object) = &answer.response.object {
            request.inputs.object = Some(object.clone());
        }
        let documents = self.policies.iter().enumerate();
        let mut configurations: Vec<_> = documents
            .filter(|(_, it)| it.kind().is_webhook_configuration())
            .map(|(place, it)| (it, it.name().unwrap_or_default(), place))
            .filter(|(_, name, _)| wanted(name))
            .collect();
        configurations.sort_by_cached_key(|(document, name, _)| {
            (document.kind() != Kind::MutatingWebhookConfiguration, *name)
        });
        let mut answers = Vec::new();
        for (document, name, place) in configurations {
            let Some(compiled) = self.programs.get(place) else {
                continue;
            };
            let api_server = self.server.api_server();
            let calls = api_server
                .call(document, compiled, &request, self.limits)
                .into_iter();
            answers.extend(calls.map(|call| self.webhook(place, name, call)));
        }
        answers
    }

    /// Evaluates each match condition of a webhook separately.
    #[must_use]
    pub fn webhook_expressions(
        &self,
        answer: &WebhookAnswer,
        detail: Detail,
    ) -> Vec<ExpressionEvaluation> {
        let (conditions, request) = (&answer.conditions, &answer.request);
        let found = self.inspect(answer.policy, conditions, request, &mut Room::new(detail));
        found.into_values().map(Arc::unwrap_or_clone).collect()
    }

    fn webhook(&self, policy: usize, configuration: &str, call: WebhookCall) -> WebhookAnswer {
        let place = |index: usize| {
            let document = self.policies.get(policy)?;
            let expression = document.expressions().get(index)?;
            Some(document.node(expression.node).range())
        };
        let outcome = match call.called {
            Called::Yes => WebhookOutcome::Called,
            Called::Mismatch(it) => WebhookOutcome::NotEvaluated(NotEvaluated {
                reason: it.kind.to_string(),
                range: Some(it.range),
                is_exclusion: it.kind.is_exclusion(),
            }),
            Called::No(condition) => WebhookOutcome::Skipped {
                range: place(condition).unwrap_or(call.range),
            },
            Called::Ignored(words) => WebhookOutcome::Ignored(words),
            Called::Denied(response) => WebhookOutcome::Denied(response),
        };
        WebhookAnswer {
            policy,
            configuration: configuration.to_owned(),
            name: call.name,
            outcome,
            failing: call.failing.into_iter().filter_map(place).collect(),
            cost: call.cost,
            request: call.request,
            conditions: call.conditions,
        }
    }
}
