//! The evaluation of one object.

use super::change::Changes;
use super::effect::Effect;
use super::name::Name;
use super::object_outcome::{Finding, ObjectOutcome};
use super::plan::{Planned, Plans};
use super::policies::Policies;
use super::request::{defaulted, request};
use super::row_table::{Row, RowTable};
use super::unknown::{Unknown, UnknownCheck};
use crate::arguments::Replay;
use crate::loader::limits;
use admission::{
    Answer, DecisionOutcome, Evaluation, Matched, Mutation, PolicyResult, PolicyResultKind,
    Resource, Verdict,
};
use cel::Value;
use kubernetes::string_field;
use policy::manifest::FailurePolicy;

/// Evaluates objects. Each thread has its own.
#[derive(Debug)]
pub(super) struct ObjectEvaluator<'p> {
    policies: &'p Policies,
    rows: &'p RowTable,
    plans: Plans<'p>,
    /// Whether missing parameters are absent from the cluster.
    has_all_params: bool,
    /// The changes, with `--diff`.
    changes: Option<Changes>,
}

impl<'p> ObjectEvaluator<'p> {
    pub(super) fn new(
        policies: &'p Policies,
        rows: &'p RowTable,
        plans: Plans<'p>,
        options: &Replay,
    ) -> Self {
        let has_rows = options.format.has_rows();
        let limit = if has_rows { usize::MAX } else { options.limit };
        Self {
            has_all_params: options.complete_params,
            changes: options.diff.then(|| Changes::new(limit)),
            policies,
            rows,
            plans,
        }
    }

    /// Prepares for another file.
    pub(super) fn next_file(&mut self) {
        self.changes.iter().for_each(Changes::forget);
    }

    /// Adds objects that policies use.
    pub(super) fn add(&mut self, objects: Vec<Value>) {
        self.plans.add(objects);
    }

    /// Evaluates an object, by some policies or by all.
    ///
    /// # Errors
    /// If the object has no kind.
    pub(super) fn evaluate_object(
        &mut self,
        object: Value,
        policies: Option<Vec<usize>>,
    ) -> Result<ObjectOutcome, String> {
        let text = |field| string_field(&object, field);
        let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) else {
            return Err("the object has no `apiVersion` or no `kind`".to_owned());
        };
        let plan = self.plans.plan_for(api_version, kind, policies);
        if plan.requests.is_empty() {
            return Ok(ObjectOutcome::default());
        }
        let object = defaulted(object, self.policies.api_server.kinds());
        let mut object_outcome = ObjectOutcome::default();
        for planned in &plan.requests {
            self.evaluate(&plan.resource, planned, &object, &mut object_outcome)?;
        }
        if !object_outcome.findings.is_empty() {
            // Results that need no evaluation come last, but known ones are in this order.
            let policy = |row: usize| self.rows.0.get(row).map(|row| row.policy);
            let findings = &mut object_outcome.findings;
            findings.sort_by_key(|finding| policy(finding.row));
            object_outcome.name = Some(Name::new(&object));
            if let Some(changes) = &self.changes {
                for finding in &object_outcome.findings {
                    changes.count(finding.row, finding.change.as_deref());
                }
            }
        }
        Ok(object_outcome)
    }

    fn evaluate(
        &self,
        resource: &Resource,
        planned: &Planned,
        object: &Value,
        object_outcome: &mut ObjectOutcome,
    ) -> Result<(), String> {
        let api_server = planned.server.api_server();
        let mut request = request(object, planned.operation, resource, api_server.kinds())
            .map_err(|error| error.to_string())?;
        let mut unknown = Unknown {
            params: !self.has_all_params,
            ..Unknown::default()
        };
        // The request of a namespace has its own name as namespace, and no `namespaceObject`.
        if !request.namespace.is_empty() && request.resource.plural != "namespaces" {
            let namespace = self.plans.namespace(&request.namespace);
            request.inputs.namespace_object = namespace.cloned();
        }
        let answer = api_server.evaluate(&request, &limits());
        for (place, _) in planned.server.crds_with_rules() {
            self.rules(place, &answer, object_outcome);
        }
        let mut is_sure = true;
        for result in &answer.results {
            is_sure &= self.outcome(result, planned, &mut unknown, object_outcome);
        }
        if !answer.response.allowed && is_sure {
            object_outcome
                .response
                .get_or_insert(answer.response.message);
        }
        object_outcome.operations.push(planned.operation);
        Ok(())
    }

    /// Adds the result of the validation rules of a CRD.
    fn rules(&self, place: usize, answer: &Answer, object_outcome: &mut ObjectOutcome) {
        let Some((place, row)) = self.rows.find(place, None) else {
            return;
        };
        let mut findings = Findings {
            place,
            row,
            changes: None,
            object_outcome,
        };
        findings.matched();
        if let Some(reason) = answer.stopped_rules {
            return findings.unknown(reason);
        }
        for cause in &answer.response.causes {
            let message = format!("{}: {}", cause.field, cause.message);
            findings.add(Effect::Denied, &message, false);
        }
    }

    /// Adds the result of a policy. Returns whether it is known.
    fn outcome(
        &self,
        result: &PolicyResult,
        planned: &Planned,
        unknown: &mut Unknown,
        object_outcome: &mut ObjectOutcome,
    ) -> bool {
        let document = planned.server.document(result.policy);
        let row = document.and_then(|document| self.rows.find(document, result.binding));
        let (Some(document), Some((number, row))) = (document, row) else {
            return true;
        };
        let Some(policy) = self.policies.policies.get(row.policy) else {
            return true;
        };
        let count = object_outcome.findings.len();
        let mut findings = Findings {
            place: number,
            row,
            changes: self.changes.as_ref(),
            object_outcome,
        };
        findings.outcome(result, policy.failure_policy);
        let reason = unknown.reason(&UnknownCheck {
            policy,
            result,
            lacks_params: planned.without_params.contains(&document),
        });
        if let Some(reason) = reason {
            findings.object_outcome.findings.truncate(count);
            findings.unknown(reason);
        }
        reason.is_none()
    }
}

/// The findings of one policy.
struct Findings<'j, 'r> {
    place: usize,
    row: &'r Row,
    changes: Option<&'r Changes>,
    object_outcome: &'j mut ObjectOutcome,
}

impl Findings<'_, '_> {
    fn matched(&mut self) {
        if !self.object_outcome.matched.contains(&self.place) {
            self.object_outcome.matched.push(self.place);
        }
    }

    fn outcome(&mut self, result: &PolicyResult, failure_policy: FailurePolicy) {
        match &result.outcome {
            PolicyResultKind::Mismatch(_)
            | PolicyResultKind::BindingMismatch(_)
            | PolicyResultKind::Unbound
            | PolicyResultKind::Unknown(_)
            | PolicyResultKind::Stopped(_)
            | PolicyResultKind::NoParams => {}
            PolicyResultKind::NotConfigured { message, .. } => {
                self.matched();
                self.failed(message, failure_policy.denies(), &[Effect::Denied]);
            }
            PolicyResultKind::Validated(evaluation) => self.validated(evaluation),
            PolicyResultKind::Mutated(mutation) => {
                self.mutated(
                    mutation,
                    result.request.inputs.object.as_ref(),
                    failure_policy,
                );
            }
        }
    }

    /// Adds that the result is unknown.
    fn unknown(&mut self, reason: &str) {
        let row = self.place;
        self.object_outcome.skipped.retain(|it| *it != row);
        self.matched();
        self.add(Effect::Unknown, reason, false);
    }

    fn add(&mut self, effect: Effect, message: &str, is_failure: bool) {
        let is_known =
            |it: &Finding| it.row == self.place && it.effect == effect && it.message == message;
        if !self.object_outcome.findings.iter().any(is_known) {
            self.object_outcome.findings.push(Finding {
                row: self.place,
                effect,
                message: message.to_owned(),
                is_failure,
                change: None,
            });
        }
    }

    fn failed(&mut self, message: &str, denies: bool, actions: &[Effect]) {
        if !denies {
            return self.add(Effect::Ignored, message, true);
        }
        for action in actions {
            self.add(*action, message, true);
        }
    }

    fn validated(&mut self, evaluation: &Evaluation) {
        if let Verdict::Skipped(_) = evaluation.verdict {
            return self.object_outcome.skipped.push(self.place);
        }
        self.matched();
        let actions = &self.row.actions;
        for decision in &evaluation.decisions {
            match &decision.outcome {
                DecisionOutcome::Holds => {}
                DecisionOutcome::Denies { message, .. } => {
                    for action in actions {
                        self.add(*action, message, false);
                    }
                }
                DecisionOutcome::Fails { message, denies } => {
                    self.failed(message, *denies, actions);
                }
            }
        }
        let annotations = evaluation.audit_annotations.iter();
        for message in annotations.filter_map(|it| it.value.as_ref().err()) {
            self.failed(message, true, &[Effect::Denied]);
        }
        if evaluation.verdict == Verdict::Ignored {
            self.add(Effect::Ignored, "a match condition fails", true);
        }
    }

    fn mutated(
        &mut self,
        mutation: &Mutation,
        before: Option<&Value>,
        failure_policy: FailurePolicy,
    ) {
        match &mutation.matched {
            Matched::Yes => {}
            Matched::No(_) => return self.object_outcome.skipped.push(self.place),
            Matched::Unknown(message) => {
                self.matched();
                return self.failed(message, failure_policy.denies(), &[Effect::Denied]);
            }
        }
        self.matched();
        let errors = mutation
            .steps
            .iter()
            .filter_map(|it| it.result.as_ref().err());
        for error in errors {
            self.failed(
                &error.to_string(),
                failure_policy.denies(),
                &[Effect::Denied],
            );
        }
        if mutation.object.as_ref() != before {
            self.add(Effect::Mutated, "", false);
            self.change(before, mutation.object.as_ref());
        }
    }

    fn change(&mut self, before: Option<&Value>, after: Option<&Value>) {
        let Some(changes) = self.changes else { return };
        let change = changes.describe(self.place, before, after);
        let is_it = |it: &&mut Finding| it.row == self.place && it.effect == Effect::Mutated;
        if let Some(finding) = self.object_outcome.findings.iter_mut().find(is_it) {
            match &mut finding.change {
                Some(known) => known.extend(change),
                none => *none = Some(Box::new(change)),
            }
        }
    }
}
