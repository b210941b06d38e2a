//! The webhooks of a configuration: whether they are called.
//!
//! The response of a webhook is unknown here. Whether it is called depends on its rules, its
//! selectors and its match conditions.
//!
//! Limit: if a rule names another version of the kind, `request.resource` is that of the
//! rule, as for a policy.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/generic/webhook.go,
//! ShouldCallHook and Dispatch; matchconditions/matcher.go, Match.

use super::ApiServer;
use super::invocation::in_version;
use super::response::{Cause, Response, forbidden};
use crate::compiled::CompiledPolicy;
use crate::evaluate::Run;
use crate::limits::EvaluationLimits;
use crate::match_conditions::Matched;
use crate::matching::{self, Mismatch, MismatchKind};
use crate::request::Request;
use crate::request_view::RequestView;
use kubernetes::versions::changes::REVIEWS_SKIP_WEBHOOKS;
use policy::PolicyDocument;
use policy::manifest::{Webhook, text_of};
use std::sync::Arc;
use text::TextRange;

/// The outcome of a webhook for a request.
#[derive(Clone, Debug)]
pub struct WebhookCall {
    /// The name of the webhook; empty if it has none.
    pub name: String,
    /// The webhook in the file.
    pub range: TextRange,
    /// The request as its match conditions see it.
    pub request: Arc<Request>,
    /// Whether it is called.
    pub called: Called,
    /// The indexes in [`PolicyDocument::expressions`] of its match conditions.
    pub conditions: Vec<usize>,
    /// Those of them that fail.
    pub failing: Vec<usize>,
    /// The cost units of its match conditions.
    pub cost: u64,
}

/// Whether a webhook is called.
#[derive(Clone, Debug)]
pub enum Called {
    /// It is.
    Yes,
    /// Its rules or selectors leave the request out.
    Mismatch(Mismatch),
    /// A match condition is false. The number is its index in
    /// [`PolicyDocument::expressions`].
    No(usize),
    /// A match condition fails, and the failure policy is Ignore. Holds the error as the server
    /// writes it.
    Ignored(String),
    /// A match condition fails, and so the request is denied.
    Denied(Box<Response>),
}

impl ApiServer {
    /// Returns the results of the webhooks of a configuration for a request, in order. Empty for
    /// other documents.
    #[must_use]
    pub fn call(
        &self,
        document: &PolicyDocument,
        compiled: &CompiledPolicy,
        request: &Request,
        limits: &EvaluationLimits,
    ) -> Vec<WebhookCall> {
        let webhooks = document.webhooks();
        if webhooks.is_empty() {
            return Vec::new();
        }
        let request = Arc::new(self.with_namespace(request));
        let webhooks = webhooks.iter();
        webhooks
            .map(|webhook| self.call_one(document, compiled, webhook, &request, limits))
            .collect()
    }

    fn call_one(
        &self,
        document: &PolicyDocument,
        compiled: &CompiledPolicy,
        webhook: &Webhook,
        request: &Arc<Request>,
        limits: &EvaluationLimits,
    ) -> WebhookCall {
        let conditions = conditions(document, webhook);
        let mut call = WebhookCall {
            name: text_of(webhook.name.as_ref()).to_owned(),
            range: webhook.at.range,
            request: Arc::clone(request),
            called: Called::Yes,
            conditions,
            failing: Vec::new(),
            cost: 0,
        };
        let resource = match self.webhook_resource(document, webhook, request) {
            Ok(resource) => resource,
            Err(mismatch) => {
                call.called = Called::Mismatch(mismatch);
                return call;
            }
        };
        let mut view = RequestView::new(Arc::clone(request));
        if let Some(resource) = resource {
            view = RequestView::new(Arc::new(in_version(request, &resource)));
            call.request = Arc::clone(view.request());
        }
        let mut run = Run::new(compiled, document, &view, limits);
        let matched = run.webhook_conditions(&call.conditions);
        let (results, cost) = run.into_results();
        let failing = results.iter().filter(|it| it.result.is_err());
        call.failing = failing.map(|it| it.index).collect();
        call.cost = cost;
        call.called = match matched {
            Matched::Yes => Called::Yes,
            Matched::No(condition) => Called::No(condition),
            Matched::Unknown(words) if !webhook.failure_policy.denies() => Called::Ignored(words),
            Matched::Unknown(words) => Called::Denied(Box::new(denied(request, &words))),
        };
        call
    }

    /// Returns the resource in the version that the rules of a webhook match, if it differs from
    /// that of the request.
    fn webhook_resource(
        &self,
        document: &PolicyDocument,
        webhook: &Webhook,
        request: &Request,
    ) -> Result<Option<super::Resource>, Mismatch> {
        let skips_reviews = REVIEWS_SKIP_WEBHOOKS.applies(document.target().server());
        let kind = if matching::is_of_admission(request) {
            Some(MismatchKind::NoWebhook)
        } else if skips_reviews && matching::is_review(request) {
            Some(MismatchKind::Review)
        } else {
            None
        };
        if let Some(kind) = kind {
            let range = document.kind_range();
            return Err(Mismatch { kind, range });
        }
        matching::match_resources(Some(&webhook.matching), true, request, &self.kinds)
    }
}

/// Returns the match conditions of a webhook.
fn conditions(document: &PolicyDocument, webhook: &Webhook) -> Vec<usize> {
    let own = document.expressions().iter().enumerate().filter(|(_, it)| {
        let of = document.webhook_of(it);
        of.is_some_and(|of| of.at.node == webhook.at.node)
    });
    own.map(|(index, _)| index).collect()
}

fn denied(request: &Request, message: &str) -> Response {
    let message = forbidden(request, message);
    let causes: Vec<Cause> = Vec::new();
    Response::denied(403, "Forbidden", message, causes)
}

#[cfg(test)]
mod tests;
