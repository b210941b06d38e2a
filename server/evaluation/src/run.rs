//! Evaluation of the policies of a file against inputs.
//!
//! Without a cluster, an author sees which inputs and manifests a policy matches, the value of each
//! expression and its reasons, and the decision of the API server. Evaluation is bounded in number,
//! cost and time, and depends only on the file, its project and the inputs.

mod answer;
mod cache;
mod deciding_parts;
mod expressions;
mod mutation;
mod object;
mod outcome;
mod policy_server;
mod prepared_input;
mod report;
mod result_text;
mod storable;
mod summary;
mod trace;
mod webhooks;
pub mod yaml;

pub use answer::{Action, AnswerKind, InputAnswer, NotEvaluated, PolicyAnswer, PolicyOutcome};
pub use mutation::MutationChange;
pub use object::{ObjectError, ObjectErrorKind, read_object, syntax_error};
pub use outcome::{DecisionOutcome, DecisionResult, MutationResult, PolicyEvaluation, VerdictKind};
pub use policy_server::{
    PolicyServer, RelatedFile, bindings_of, related_server, related_server_with,
};
pub use prepared_input::{PreparedInput, distance, order};
pub use report::report;
pub use result_text::{Detail, ResultText, Size, one_line, shortened};
pub use summary::{Counts, InputOutcome, Summary};
pub use trace::TraceStep;
pub use webhooks::{WebhookAnswer, WebhookOutcome};

use crate::input::InputKey;
use admission::matching::{may_match, resources_match};
use admission::{
    CompiledPolicy, CrdValidator, EvaluationLimits, PolicyCoverage, Request, TAKES_TOO_LONG,
};
use policy::cost::PER_CALL;
use policy::manifest::Webhook;
use policy::{Expression, Kind, PolicyDocument};
use std::sync::Arc;
use text::{TextRange, TextSize};

/// The expressions of documents, ready to run.
#[derive(Clone, Debug)]
pub struct Programs {
    /// In the order of the documents.
    policies: Vec<Arc<CompiledPolicy>>,
    /// The rules of each CustomResourceDefinition, in the order of the documents.
    crd_validators: Vec<Option<Arc<CrdValidator>>>,
}

impl Programs {
    /// Compiles all expressions of documents.
    #[must_use]
    pub fn new(policies: &[Arc<PolicyDocument>]) -> Self {
        let compiled = policies.iter().map(|it| CompiledPolicy::new(it));
        Self::of(policies, compiled)
    }

    /// Evaluates the policies and records the outcomes of their expressions. The coverages are in
    /// the order of the documents.
    #[must_use]
    pub fn recorded(policies: &[Arc<PolicyDocument>], coverages: &[Arc<PolicyCoverage>]) -> Self {
        let recorded = policies.iter().zip(coverages);
        let compiled = recorded.map(|(it, coverage)| CompiledPolicy::recorded(it, coverage));
        Self::of(policies, compiled)
    }

    fn of(
        policies: &[Arc<PolicyDocument>],
        compiled: impl Iterator<Item = CompiledPolicy>,
    ) -> Self {
        let compiled: Vec<Arc<CompiledPolicy>> = compiled.map(Arc::new).collect();
        let validator = |(document, compiled): (&Arc<PolicyDocument>, &Arc<CompiledPolicy>)| {
            let is_crd = document.kind() == Kind::CustomResourceDefinition;
            let validator = || CrdValidator::from_compiled(Arc::clone(document), compiled);
            is_crd.then(|| Arc::new(validator()))
        };
        let crd_validators = policies.iter().zip(&compiled).map(validator).collect();
        Self {
            policies: compiled,
            crd_validators,
        }
    }

    /// Returns the programs of one document.
    #[must_use]
    pub fn get(&self, policy: usize) -> Option<&Arc<CompiledPolicy>> {
        self.policies.get(policy)
    }

    /// Returns the expressions of the policy with this index that the API server rejects, with its
    /// reasons.
    #[must_use]
    pub fn refusals(&self, document: &PolicyDocument, policy: usize) -> Vec<(TextRange, String)> {
        let Some(compiled) = self.policies.get(policy) else {
            return Vec::new();
        };
        let expressions = document.expressions().iter().enumerate();
        expressions
            .filter_map(|(index, expression)| {
                let refusal = compiled.refusal(index)?;
                let range = document.node(expression.node).range();
                Some((range, refusal.summary.clone()))
            })
            .collect()
    }
}

/// Evaluates policies against inputs.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    /// The documents: those of a file, or of several. Their ranges are in their own files.
    pub policies: &'a [Arc<PolicyDocument>],
    /// Their expressions.
    pub programs: &'a Programs,
    /// The API server with the policies.
    pub server: &'a PolicyServer,
    /// The inputs, the best first: those that belong to the file, then manifests, the nearest
    /// first.
    pub inputs: &'a [Arc<PreparedInput>],
    /// The limits of an evaluation.
    pub limits: &'a EvaluationLimits,
}

/// The result of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionEvaluation {
    /// The expression in the file.
    pub range: TextRange,
    /// The position at which its value is shown: after the expression, or after its quotes.
    pub end: TextSize,
    /// Its field path.
    pub path: String,
    /// The value or the failure.
    pub result: ResultText,
    /// The cost units.
    pub cost: u64,
    /// The value of each part, outermost first.
    pub trace: Vec<TraceStep>,
}

/// Limit: the cost units of one expression.
pub const EXPRESSION_BUDGET: u64 = PER_CALL;

/// Limit: how many matching inputs are evaluated for one policy.
const MAX_MATCHING: usize = 200;

impl<'a> Evaluator<'a> {
    /// Returns the inputs for a policy, or for the webhooks of a configuration, the best first:
    /// inputs written for it, whether it matches them or not, and manifests that it matches.
    #[must_use]
    pub fn matching(&self, policy: usize) -> Vec<&'a Arc<PreparedInput>> {
        let document = self.policies.get(policy);
        document.map_or_else(Vec::new, |document| {
            self.matching_any(policy, document, document.webhooks())
        })
    }

    fn matching_any(
        &self,
        policy: usize,
        document: &PolicyDocument,
        webhooks: &[Webhook],
    ) -> Vec<&'a Arc<PreparedInput>> {
        let inputs = self.inputs.iter();
        inputs
            .filter(|input| self.fits(policy, document, webhooks, input))
            .take(MAX_MATCHING)
            .collect()
    }

    /// Returns the input for an expression: the selected one if it is for its policy, otherwise the
    /// best.
    #[must_use]
    pub fn chosen(
        &self,
        policy: usize,
        expression: usize,
        wanted: Option<&InputKey>,
    ) -> Option<&'a Arc<PreparedInput>> {
        let document = self.policies.get(policy)?;
        let webhooks = webhooks_of(document, document.expressions().get(expression)?);
        self.best(policy, document, webhooks, wanted)
    }

    /// Returns the input for a policy: the selected one if it is for the policy, otherwise the
    /// best.
    #[must_use]
    pub fn chosen_for(
        &self,
        policy: usize,
        wanted: Option<&InputKey>,
    ) -> Option<&'a Arc<PreparedInput>> {
        let document = self.policies.get(policy)?;
        self.best(policy, document, document.webhooks(), wanted)
    }

    /// Returns the best input. Stops at the first match: there may be thousands.
    fn best(
        &self,
        policy: usize,
        document: &PolicyDocument,
        webhooks: &[Webhook],
        wanted: Option<&InputKey>,
    ) -> Option<&'a Arc<PreparedInput>> {
        let fits = |input: &Arc<PreparedInput>| self.fits(policy, document, webhooks, input);
        let wanted = wanted.and_then(|key| self.inputs.iter().find(|it| it.key() == key));
        let wanted = wanted.filter(|input| fits(input));
        wanted.or_else(|| self.inputs.iter().find(|input| fits(input)))
    }

    /// Returns whether an input is for a policy, or for one of these webhooks.
    fn fits(
        &self,
        policy: usize,
        document: &PolicyDocument,
        webhooks: &[Webhook],
        input: &PreparedInput,
    ) -> bool {
        let matches = || self.request_of(policy, document, webhooks, input);
        input.input().is_for(document.name().unwrap_or_default())
            && (!input.is_sample() || matches().is_some())
    }

    /// Returns the answer of the API server to an input. `None` if the input has no request. Of a
    /// manifest's requests, the first one that any policy of the file matches is used.
    #[must_use]
    pub fn answer(&self, input: &PreparedInput) -> Option<Arc<InputAnswer>> {
        let requests = input.requests().ok()?;
        let api_server = self.server.api_server();
        let policies = 0..self.policies.len();
        let indexes: Vec<usize> = policies.filter_map(|it| self.server.index_of(it)).collect();
        let matched = requests.iter().find(|request| {
            let mut indexes = indexes.iter();
            let mut validators = self.server.crds_with_rules();
            indexes.any(|index| api_server.matches(*index, request).is_ok())
                || validators.any(|(_, it)| it.applies_to(request))
        });
        let request = matched.or(requests.first())?;
        Some(self.answer_to(request))
    }

    /// Returns the answer of the API server to the request of an input that one policy matches.
    #[must_use]
    pub fn answer_for(&self, policy: usize, input: &PreparedInput) -> Option<Arc<InputAnswer>> {
        let document = self.policies.get(policy)?;
        let request = self.request_of(policy, document, &[], input);
        let request = request.or_else(|| input.requests().ok()?.first())?;
        Some(self.answer_to(request))
    }

    /// Returns the answer of the API server to a request.
    #[must_use]
    pub fn answer_to(&self, request: &Arc<Request>) -> Arc<InputAnswer> {
        let cache = self.server.cache();
        cache.answer(request, self.limits, || answer::answer(self, request))
    }

    /// Evaluates an expression against an input. `None` if there is no such expression, or its
    /// policy does not match the input.
    #[must_use]
    pub fn expression(
        &self,
        policy: usize,
        expression: usize,
        input: &PreparedInput,
    ) -> Option<Arc<ExpressionEvaluation>> {
        let document = self.policies.get(policy)?;
        if !document.kind().is_webhook_configuration() {
            let answer = self.answer_for(policy, input)?;
            return self.expression_in(policy, expression, &answer);
        }
        let webhooks = webhooks_of(document, document.expressions().get(expression)?);
        let request = self.request_of(policy, document, webhooks, input)?;
        self.condition_once(policy, expression, request)
    }

    /// Evaluates an expression as part of an answer, with the first binding and parameters for
    /// which its policy was evaluated, otherwise those for which it was stopped.
    #[must_use]
    pub(crate) fn expression_in(
        &self,
        policy: usize,
        expression: usize,
        answer: &InputAnswer,
    ) -> Option<Arc<ExpressionEvaluation>> {
        let of_policy = || answer.policies.iter().filter(|it| it.policy == policy);
        let evaluated = of_policy().find_map(|it| match &it.outcome {
            PolicyOutcome::Evaluated(evaluation) => Some(evaluation),
            _ => None,
        });
        if let Some(evaluated) = evaluated {
            return self.expression_shared(policy, expression, evaluated);
        }
        let mut stopped =
            of_policy().filter_map(|it| it.outcome.unknown().zip(it.stopped.as_ref()));
        let (reason, request) = stopped.next()?;
        let mut found = self.expression_before_stop(policy, expression, request)?;
        if found.result == ResultText::Failure(TAKES_TOO_LONG.to_owned()) {
            Arc::make_mut(&mut found).result = ResultText::Failure(reason.to_owned());
        }
        Some(found)
    }

    /// Returns the first request of an input that the policy, or the webhook, matches.
    fn request_of<'c>(
        &self,
        policy: usize,
        document: &PolicyDocument,
        webhooks: &[Webhook],
        input: &'c PreparedInput,
    ) -> Option<&'c Arc<Request>> {
        let requests = input.requests().ok()?;
        if document.kind().is_policy() {
            let index = self.server.index_of(policy)?;
            let api_server = self.server.api_server();
            return requests
                .iter()
                .find(|request| api_server.matches(index, request).is_ok());
        }
        if let Some(validator) = self.server.crd_validator(policy) {
            return requests.iter().find(|it| validator.applies_to(it));
        }
        let resource = &requests.first()?.resource;
        let mut webhooks = webhooks
            .iter()
            .filter(|it| may_match(&it.matching, resource));
        webhooks.find_map(|webhook| {
            let matches = |it: &&Arc<Request>| resources_match(&webhook.matching, it).is_ok();
            requests.iter().find(matches)
        })
    }
}

/// Returns the webhook to which an expression belongs, if it belongs to one.
fn webhooks_of<'d>(document: &'d PolicyDocument, expression: &Expression) -> &'d [Webhook] {
    let webhook = document.webhook_of(expression);
    webhook.map_or(&[], std::slice::from_ref)
}

#[cfg(test)]
mod tests;
