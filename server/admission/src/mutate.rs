//! Applying a mutating policy to the object of a request.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/dispatcher.go,
//! dispatchInvocations and dispatchOne.

use super::compiled::CompiledPolicy;
use super::decision::OutOfBudget;
use super::evaluate::{ExpressionResult, Run};
use super::limits::EvaluationLimits;
use super::match_conditions::Matched;
use super::request::Request;
use super::request_view::RequestView;
use cel::Value;
use cel::value::EvalErrorKind;
use kubernetes::defaults;
use kubernetes::mutation::decode;
use kubernetes::mutation::native::{self, Natives};
use kubernetes::mutation::patch::{self, PatchError};
use kubernetes::mutation::{JsonPatch, MutationError, Object, has_merge_type, merge, numbers};
use kubernetes::names::GroupVersion;
use kubernetes::openapi::Catalog;
use policy::PolicyDocument;
use policy::cost::VALIDATIONS;
use std::sync::Arc;

/// Limit: the bytes and values of a patch or an apply configuration. A request has at most 3 MiB.
const MAX_RESULT: usize = 4 * 1024 * 1024;

/// The evaluation of a mutating policy against a request.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// Returns whether the policy matches the request.
    pub matched: Matched,
    /// The result of each mutation, in order. Empty if the policy does not match the request, or
    /// there is no object to mutate.
    pub steps: Vec<MutationStep>,
    /// The object after all of them.
    pub object: Option<Value>,
    /// The result of each evaluated expression, in the order of evaluation.
    pub results: Vec<ExpressionResult>,
    /// The total cost units, including those of the variables that they read.
    pub cost: u64,
}

impl Mutation {
    /// Returns why the evaluation was stopped by a limit that an API server does not have: its
    /// result is unknown.
    #[must_use]
    pub fn stopped(&self) -> Option<&'static str> {
        self.results.iter().find_map(ExpressionResult::stopped)
    }
}

/// The result of a mutation.
#[derive(Clone, Debug)]
pub struct MutationStep {
    /// The index of its expression in [`PolicyDocument::expressions`].
    pub index: usize,
    /// `Ok` if it was applied, or the error of the server.
    pub result: Result<(), MutationError>,
}

impl CompiledPolicy {
    /// Evaluates a mutating policy against a request that it matches. The kinds determine how lists
    /// are merged and which defaults the changed object gets.
    #[must_use]
    pub fn mutate(
        &self,
        document: &PolicyDocument,
        request: &Request,
        kinds: &Catalog,
        limits: &EvaluationLimits,
    ) -> Mutation {
        self.mutate_view(
            document,
            &RequestView::new(Arc::new(request.clone())),
            kinds,
            limits,
        )
    }

    /// Evaluates a mutating policy against a shared request.
    pub(super) fn mutate_view(
        &self,
        document: &PolicyDocument,
        view: &Arc<RequestView>,
        kinds: &Catalog,
        limits: &EvaluationLimits,
    ) -> Mutation {
        let mut view = Arc::clone(view);
        let mut run = Run::new(self, document, &view, limits);
        let matched = run.match_conditions();
        let (mut results, mut cost) = run.into_results();
        let mut steps = Vec::new();
        if matched == Matched::Yes && view.request().inputs.object.is_some() {
            for index in mutations(document) {
                let mut run = Run::new(self, document, &view, limits);
                let changed = run.mutated(index, kinds);
                let (more, units) = run.into_results();
                results.extend(more);
                cost = cost.saturating_add(units);
                let result = changed.map(|object| view = with_object(&view, object));
                steps.push(MutationStep { index, result });
            }
        }
        Mutation {
            matched,
            steps,
            object: view.request().inputs.object.clone(),
            results,
            cost,
        }
    }
}

impl CompiledPolicy {
    /// Returns the request as a mutation sees it: the object includes the mutations before it.
    /// `known` is the request as an earlier expression sees it, with the index of the expression.
    /// The objects of many mutations would need memory for the square of their number, so no
    /// [`Mutation`] has them.
    #[must_use]
    pub fn request_before(
        &self,
        document: &PolicyDocument,
        index: usize,
        known: (usize, &Arc<Request>),
        kinds: &Catalog,
        limits: &EvaluationLimits,
    ) -> Arc<Request> {
        let (from, request) = known;
        let mut view = RequestView::new(Arc::clone(request));
        let is_mutation = |it: &usize| {
            let expression = document.expressions().get(*it);
            expression.is_some_and(|it| it.role.is_mutation())
        };
        for mutation in (from..index).filter(is_mutation) {
            let mut run = Run::new(self, document, &view, limits);
            if let Ok(object) = run.mutated(mutation, kinds) {
                view = with_object(&view, object);
            }
        }
        Arc::clone(view.request())
    }
}

/// Returns the request with another object.
fn with_object(view: &RequestView, object: Value) -> Arc<RequestView> {
    let mut request = Request::clone(view.request());
    request.inputs.object = Some(object);
    RequestView::new(Arc::new(request))
}

/// Returns the expressions of the mutations of a policy.
fn mutations(document: &PolicyDocument) -> Vec<usize> {
    let expressions = document.expressions().iter().enumerate();
    let mutations = expressions.filter(|(_, it)| it.role.is_mutation());
    mutations.map(|(index, _)| index).collect()
}

impl Run<'_> {
    /// Returns the object after one mutation.
    fn mutated(&mut self, index: usize, kinds: &Catalog) -> Result<Value, MutationError> {
        let value = match self.one(index, VALIDATIONS) {
            Ok(value) => value?,
            Err(OutOfBudget) => return Err(self.out_of_budget_message().into()),
        };
        if is_larger(&value, MAX_RESULT) {
            return Err(self.stop(index, EvalErrorKind::MemoryLimit).into());
        }
        let object = self.request().inputs.object.as_ref();
        let object = object.ok_or_else(|| "there is no object".to_owned())?;
        let inputs = &self.request().inputs;
        let natives = Natives::new(
            [
                &inputs.object,
                &inputs.old_object,
                &inputs.params,
                &inputs.namespace_object,
            ]
            .into_iter()
            .flatten(),
            self.document.target().server(),
        );
        let mut changed = match value.as_list() {
            Some(operations) => match patch::apply(operations, object, &natives) {
                Ok(patched) => decode::decoded(kinds, object, patched)?,
                Err(PatchError::TestFailed) => object.clone(),
                Err(PatchError::Failed(reason)) => return Err(reason),
            },
            None => applied(&value, object, kinds, &natives)?,
        };
        decode::check_conversion(kinds, &changed, self.request().target_of(object))?;
        defaults::apply_to_mutated(kinds, &mut changed);
        Ok(changed)
    }
}

fn applied(
    value: &Value,
    object: &Value,
    kinds: &Catalog,
    natives: &Natives<'_>,
) -> Result<Value, String> {
    let configuration = value.downcast::<Object>().ok_or_else(|| {
        let ty = value.ty();
        let ty = ty.runtime_name();
        format!("unsupported return type from ApplyConfiguration expression: {ty}")
    })?;
    patch::type_mismatch(configuration)?;
    let mut fields = native::read(configuration, natives);
    let schema = kinds.schema_of(object);
    merge_type(kinds, object)?;
    // The kind is that of the object, regardless of the configuration.
    if let (Some(fields), Some(object)) = (fields.as_map_mut(), object.as_map()) {
        for field in ["apiVersion", "kind"] {
            if let Some(value) = object.get_str(field) {
                fields.set_str(field, value.clone());
            }
        }
    }
    let built_in = schema.filter(|schema| schema.is_built_in());
    let converted = built_in.map_or(Ok(()), |schema| numbers::convert(schema, &mut fields));
    let merged = merge::apply(schema, object, &fields, natives.server())
        .map_err(|reason| format!("error applying patch: {reason}"))?;
    converted.map_err(|reason| unconverted(object, &reason))?;
    Ok(merged)
}

/// Returns whether a value has more bytes and values than a limit when it is printed: a shared part
/// counts each time.
#[must_use]
pub fn is_larger(value: &Value, limit: usize) -> bool {
    let mut left = limit;
    let mut open: Vec<&Value> = vec![value];
    while let Some(value) = open.pop() {
        let size = match value {
            Value::String(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            Value::List(elements) => {
                open.extend(elements.iter());
                elements.len()
            }
            Value::Map(map) => {
                open.extend(map.iter().map(|(_, value)| value));
                map.len()
            }
            Value::Optional(Some(inner)) => {
                open.push(inner);
                1
            }
            Value::Opaque(_) => {
                let fields = value.downcast::<Object>().map_or(&[][..], Object::fields);
                open.extend(fields.iter().map(|(_, value)| value));
                let operation = value.downcast::<JsonPatch>();
                open.extend(operation.and_then(|it| it.value.as_ref()));
                fields.len() + 1
            }
            _ => 1,
        };
        match left.checked_sub(size) {
            Some(rest) => left = rest,
            None => return true,
        }
    }
    false
}

/// Checks that an apply configuration can be merged into an object of this kind.
fn merge_type(kinds: &Catalog, object: &Value) -> Result<(), String> {
    let text = |field: &str| object.as_map()?.get_str(field)?.as_str();
    let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) else {
        return Ok(());
    };
    let GroupVersion { group, version } = GroupVersion::parse(api_version);
    if has_merge_type(kinds, group, version, kind) {
        return Ok(());
    }
    Err(format!(
        "error applying patch: failed to convert patch object to typed object: no corresponding type for {group}/{version}, Kind={kind}"
    ))
}

/// Returns the message of the server for a merged object that does not fit the Go type of its
/// kind.
///
/// Upstream: kubernetes/apimachinery, pkg/runtime/scheme.go, unstructuredToTyped.
fn unconverted(object: &Value, reason: &str) -> String {
    let field = |field: &str| object.as_map()?.get_str(field)?.as_str();
    let api_version = field("apiVersion").unwrap_or_default();
    let slash = if api_version.contains('/') { "" } else { "/" };
    let kind = field("kind").unwrap_or_default();
    format!("unable to convert unstructured object to {slash}{api_version}, Kind={kind}: {reason}")
}

#[cfg(test)]
mod tests;
