//! The answer of the API server to an input, with the result of each policy of a file.

use super::Evaluator;
use super::cache::identity;
use super::outcome::{PolicyEvaluation, VerdictKind};
use super::storable::storable;
use admission::{Caveat, DecisionOutcome, PolicyResult, PolicyResultKind, Request, Response};
use kubernetes::{metadata_field, string_field};
use policy::manifest::{StringField, text_of};
use policy::{Kind, PolicyDocument};
use std::collections::HashMap;
use std::sync::Arc;
use text::TextRange;

/// The answer of the API server to an input.
#[derive(Clone, Debug)]
pub struct InputAnswer {
    /// The original request.
    pub request: Arc<Request>,
    /// The response to the API client.
    pub response: Response,
    /// The result of each policy of the file, in the order of the API server. A policy with several
    /// bindings or parameters has several results.
    pub policies: Vec<PolicyAnswer>,
}

/// The result of a policy.
#[derive(Clone, Debug)]
pub struct PolicyAnswer {
    /// Its index in [`Evaluator::policies`].
    pub policy: usize,
    /// Its name; empty if it has none.
    pub name: String,
    /// The name of the binding. `None` without one.
    pub binding: Option<String>,
    /// The actions if a validation fails. Without a binding the request is denied.
    pub actions: Vec<Action>,
    /// The name of the parameters, such as `ConfigMap shop/limits`. `None` without parameters.
    pub params: Option<String>,
    /// The outcome.
    pub outcome: PolicyOutcome,
    /// The request as the policy sees it, if a limit that an API server does not have stopped the
    /// evaluation.
    pub stopped: Option<Arc<Request>>,
}

/// The action of a binding for a validation that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The request is denied.
    Deny,
    /// The API client gets a warning.
    Warn,
    /// The failure is written to the audit log.
    Audit,
}

/// The result of a policy.
#[derive(Clone, Debug)]
pub enum PolicyOutcome {
    /// It was not evaluated.
    NotEvaluated(NotEvaluated),
    /// The outcome cannot be determined: why, and which information is missing.
    Unknown(String),
    /// It could not be evaluated. The server's message.
    NotConfigured(String),
    /// It was evaluated. All bindings share the result for one parameter object.
    Evaluated(Arc<PolicyEvaluation>),
}

/// Why a policy was not evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEvaluated {
    /// The reason.
    pub reason: String,
    /// The part of the file that causes it. `None` for a binding in another file.
    pub range: Option<TextRange>,
    /// Whether the policy is about such requests, but excludes this one: by a selector, by excluded
    /// resources, or by its binding.
    pub is_exclusion: bool,
}

/// The result of an answer, for one policy or for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AnswerKind {
    /// No policy is evaluated: none matches, or a match condition is false.
    NotEvaluated,
    /// The API server rejects the request before it evaluates the policy.
    Rejected,
    /// No policy objects to the request.
    Allowed,
    /// A validation fails.
    Denied,
    /// An expression fails, regardless of the failure policy, or the outcome of a policy cannot be
    /// determined.
    Error,
}

impl InputAnswer {
    /// Returns the result for one policy: an error takes precedence over a denial.
    #[must_use]
    pub fn kind_of(&self, policy: usize) -> AnswerKind {
        let of_policy = self.policies.iter().filter(|it| it.policy == policy);
        let kinds = of_policy.map(|it| it.outcome.kind());
        kinds.max().unwrap_or_else(|| self.kind_without_policy())
    }

    /// Returns the result for all policies of the file.
    #[must_use]
    pub fn kind(&self) -> AnswerKind {
        let kinds = self.policies.iter().map(|it| it.outcome.kind());
        kinds.max().unwrap_or_else(|| self.kind_without_policy())
    }

    fn kind_without_policy(&self) -> AnswerKind {
        match self.rejection() {
            Some(_) => AnswerKind::Rejected,
            None => AnswerKind::NotEvaluated,
        }
    }

    /// Returns the message of the API server if it rejects the request itself: the object is
    /// invalid, or a built-in admission plugin denies it.
    #[must_use]
    pub fn rejection(&self) -> Option<&str> {
        let response = &self.response;
        let is_denied = self
            .policies
            .iter()
            .any(|it| matches!(it.outcome.kind(), AnswerKind::Denied | AnswerKind::Error));
        (!response.allowed && !is_denied).then_some(response.message.as_str())
    }

    /// Returns why the outcome of a policy is unknown.
    #[must_use]
    pub fn unknown(&self, policy: usize) -> Option<&str> {
        let mut of_policy = self.policies.iter().filter(|it| it.policy == policy);
        of_policy.find_map(|it| it.outcome.unknown())
    }

    /// Returns the evaluations of the policies that match.
    pub fn evaluations(&self) -> impl Iterator<Item = (&PolicyAnswer, &PolicyEvaluation)> {
        self.policies.iter().filter_map(|it| match &it.outcome {
            PolicyOutcome::Evaluated(evaluation) => Some((it, &**evaluation)),
            _ => None,
        })
    }
}

impl PolicyOutcome {
    /// Returns why it is unknown.
    #[must_use]
    pub fn unknown(&self) -> Option<&str> {
        match self {
            PolicyOutcome::Unknown(why) => Some(why),
            _ => None,
        }
    }

    /// Returns the kind of the result.
    #[must_use]
    pub fn kind(&self) -> AnswerKind {
        let evaluation = match self {
            PolicyOutcome::NotEvaluated(_) => return AnswerKind::NotEvaluated,
            PolicyOutcome::Unknown(_) | PolicyOutcome::NotConfigured(_) => {
                return AnswerKind::Error;
            }
            PolicyOutcome::Evaluated(evaluation) => evaluation,
        };
        let fails =
            |it: &super::DecisionResult| matches!(it.outcome, DecisionOutcome::Fails { .. });
        let is_broken = evaluation.decisions.iter().any(fails)
            || evaluation.mutations.iter().any(|it| it.error.is_some())
            || !evaluation.audit_errors.is_empty();
        match evaluation.verdict {
            _ if is_broken => AnswerKind::Error,
            VerdictKind::Ignored => AnswerKind::Error,
            VerdictKind::Skipped { .. } => AnswerKind::NotEvaluated,
            VerdictKind::Allowed => AnswerKind::Allowed,
            VerdictKind::Denied => AnswerKind::Denied,
        }
    }
}

/// Why a policy without parameters is not evaluated.
const NO_PARAMS: &str =
    "there are no parameters, and the binding has `parameterNotFoundAction: Allow`";

pub(super) fn answer(evaluator: &Evaluator<'_>, request: &Arc<Request>) -> InputAnswer {
    let server = evaluator.server.api_server();
    let mut answer = server.evaluate(request, evaluator.limits);
    if answer.response.allowed && server.depends_on_order(request, evaluator.limits) {
        answer.response.caveats.push(Caveat::AnyOrder);
    }
    if server.depends_on_key_order(request, &answer.response, evaluator.limits) {
        answer.response.caveats.push(Caveat::AnyKeyOrder);
    }
    let results = answer.results.into_iter();
    let mut shared = HashMap::new();
    let policies = results.filter_map(|result| policy_answer(evaluator, result, &mut shared));
    let mut policies: Vec<PolicyAnswer> = policies.collect();
    if let Some(request) = &answer.mutated {
        let rules = evaluator.server.crds_with_rules();
        let rules = rules.filter_map(|(index, _)| rules_answer(evaluator, index, request));
        policies.extend(rules.collect::<Vec<_>>());
    }
    let mut response = answer.response;
    response.object = response.object.map(storable);
    InputAnswer {
        request: Arc::clone(request),
        response,
        policies,
    }
}

/// Returns the result of a definition's rules for a request, in the form of a policy's result. A
/// definition of another kind has a result only if the file has no policy, so that an author of
/// definitions learns why nothing is evaluated.
fn rules_answer(
    evaluator: &Evaluator<'_>,
    index: usize,
    request: &Arc<Request>,
) -> Option<PolicyAnswer> {
    let document = evaluator.policies.get(index)?;
    let validator = evaluator.server.crd_validator(index)?;
    let evaluated = validator.evaluate(request, evaluator.limits);
    let stopped = evaluated.is_err().then(|| Arc::clone(request));
    let outcome = match evaluated {
        Err(reason) => PolicyOutcome::Unknown(reason.to_owned()),
        Ok(Some(evaluation)) => {
            let request = Arc::clone(request);
            let evaluation = PolicyEvaluation::validated(document, &evaluation, request);
            PolicyOutcome::Evaluated(Arc::new(evaluation))
        }
        Ok(None) if evaluator.policies.iter().any(|it| it.kind().is_policy()) => return None,
        Ok(None) => {
            let name = document.crd()?.kind.as_ref();
            let kind = text_of(name);
            let reason =
                format!("its rules apply only to created and updated objects of kind `{kind}`");
            not_evaluated(reason, name.map(|name| name.at.range), false)
        }
    };
    Some(PolicyAnswer {
        policy: index,
        name: document.name().unwrap_or_default().to_owned(),
        actions: vec![Action::Deny],
        binding: None,
        params: None,
        outcome,
        stopped,
    })
}

fn not_evaluated(reason: String, range: Option<TextRange>, is_exclusion: bool) -> PolicyOutcome {
    PolicyOutcome::NotEvaluated(NotEvaluated {
        reason,
        range,
        is_exclusion,
    })
}

/// Evaluations by their policy and the address of its request.
type SharedEvaluations = HashMap<(usize, usize), Arc<PolicyEvaluation>>;

fn policy_answer(
    evaluator: &Evaluator<'_>,
    result: PolicyResult,
    shared: &mut SharedEvaluations,
) -> Option<PolicyAnswer> {
    let server = evaluator.server;
    let policy = server.document(result.policy)?;
    let document = evaluator.policies.get(policy)?;
    let request = result.request;
    let params = request.inputs.params.as_ref().map(label);
    let binding = |index| server.api_server().binding(index);
    let binding = result.binding.and_then(binding);
    let is_stopped = matches!(result.outcome, PolicyResultKind::Stopped(_));
    let stopped = is_stopped.then(|| Arc::clone(&request));
    let outcome = match result.outcome {
        PolicyResultKind::Mismatch(it) => {
            not_evaluated(it.kind.to_string(), Some(it.range), it.kind.is_exclusion())
        }
        PolicyResultKind::BindingMismatch(it) => not_evaluated(it.kind.to_string(), None, true),
        PolicyResultKind::Unbound => not_evaluated("it has no binding".to_owned(), None, false),
        PolicyResultKind::NoParams => not_evaluated(NO_PARAMS.to_owned(), None, true),
        PolicyResultKind::Unknown(why) => PolicyOutcome::Unknown(why),
        PolicyResultKind::Stopped(why) => PolicyOutcome::Unknown(why.to_owned()),
        PolicyResultKind::NotConfigured { message, .. } => PolicyOutcome::NotConfigured(message),
        PolicyResultKind::Validated(it) => {
            let new = || PolicyEvaluation::validated(document, &it, Arc::clone(&request));
            let evaluation = shared.entry((policy, identity(&request)));
            PolicyOutcome::Evaluated(Arc::clone(evaluation.or_insert_with(|| Arc::new(new()))))
        }
        PolicyResultKind::Mutated(mutation) => PolicyOutcome::Evaluated(Arc::new(
            PolicyEvaluation::mutated(document, mutation, request),
        )),
    };
    Some(PolicyAnswer {
        policy,
        name: document.name().unwrap_or_default().to_owned(),
        actions: binding.map_or(vec![Action::Deny], |it| actions(it)),
        binding: binding.map(|it| it.name().unwrap_or_default().to_owned()),
        params,
        outcome,
        stopped,
    })
}

/// Returns the actions of a binding. That of a mutating policy has none: a failure denies.
fn actions(binding: &PolicyDocument) -> Vec<Action> {
    if binding.kind() == Kind::MutatingAdmissionPolicyBinding {
        return vec![Action::Deny];
    }
    let actions = binding.binding().map(|it| it.validation_actions.iter());
    let action = |word: &StringField| match &*word.text {
        "Deny" => Some(Action::Deny),
        "Warn" => Some(Action::Warn),
        "Audit" => Some(Action::Audit),
        _ => None,
    };
    actions.into_iter().flatten().filter_map(action).collect()
}

/// Returns the label of an object: `ConfigMap shop/limits`.
fn label(object: &cel::Value) -> String {
    let kind = string_field(object, "kind").unwrap_or_default();
    let name = metadata_field(object, "name").unwrap_or_default();
    match metadata_field(object, "namespace") {
        Some(namespace) => format!("{kind} {namespace}/{name}"),
        None => format!("{kind} {name}"),
    }
}
