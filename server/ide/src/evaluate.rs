//! Evaluating the policies of a file on samples.
//!
//! This is how an author tries a policy without a cluster: which of the manifests at hand it
//! matches, what each expression gives for one of them and why, and what the policy decides
//! about all of them. Everything is bounded in number, cost and time, and depends on the file
//! and the samples only.

mod object;
mod outcome;
mod report;
mod show;
mod trace;

pub use object::{ObjectError, ObjectErrorKind, read_object, syntax_error};
pub use outcome::{Denial, PolicyEvaluation, SampleOutcome, Summary, VerdictKind};
pub use report::report;
pub use show::Shown;
pub use trace::TraceStep;

use crate::{Sample, SourceFile};
use policy::admission::matching::{Mismatch, matches, may_match, webhook_matches};
use policy::admission::{
    CompiledPolicy, EvaluationLimits, Inputs, Request, RequestError, Resources,
};
use policy::{Expression, PolicyDocument, Role};
use std::path::{Path, PathBuf};
use text::TextRange;
use yaml::Node;

/// What names a sample as long as it stays where it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SampleKey {
    /// The file.
    pub path: PathBuf,
    /// The place of the document in the file, from 0.
    pub document: usize,
    /// The kind.
    pub kind: String,
    /// The namespace, empty where none is written.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl SampleKey {
    /// The key of a sample.
    #[must_use]
    pub fn of(sample: &Sample) -> Self {
        Self {
            path: sample.path.clone(),
            document: sample.document,
            kind: sample.kind.clone(),
            namespace: sample.namespace.clone(),
            name: sample.name.clone(),
        }
    }

    /// The sample in words: `Deployment shop/web`.
    #[must_use]
    pub fn label(&self) -> String {
        let name = match (self.namespace.as_str(), self.name.as_str()) {
            (_, "") => return self.kind.clone(),
            ("", name) => name.to_owned(),
            (namespace, name) => format!("{namespace}/{name}"),
        };
        format!("{} {name}", self.kind)
    }
}

/// The expressions of a file, ready to run.
#[derive(Debug)]
pub struct Programs {
    /// In the order of [`SourceFile::policies`].
    policies: Vec<CompiledPolicy>,
}

impl Programs {
    /// Compiles all expressions of a file.
    #[must_use]
    pub fn new(file: &SourceFile) -> Self {
        let policies = file.policies().iter();
        Self {
            policies: policies.map(|it| CompiledPolicy::new(it)).collect(),
        }
    }

    /// The expressions of a policy that the API server would not take, with its reasons.
    #[must_use]
    pub fn refusals(&self, file: &SourceFile, policy: usize) -> Vec<(TextRange, String)> {
        let document = file.policies().get(policy);
        let Some((document, compiled)) = document.zip(self.policies.get(policy)) else {
            return Vec::new();
        };
        let expressions = document.expressions().iter().enumerate();
        expressions
            .filter_map(|(index, expression)| {
                let reason = compiled.refusal(index)?;
                let range = document.node(expression.node).range();
                Some((range, show::first_message(reason).to_owned()))
            })
            .collect()
    }
}

/// A file that is tried on samples.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// The file.
    pub file: &'a SourceFile,
    /// Its path: samples that lie near it come first.
    pub path: Option<&'a Path>,
    /// Its expressions.
    pub programs: &'a Programs,
    /// The manifests at hand.
    pub samples: &'a [Sample],
    /// The kinds at hand.
    pub resources: &'a Resources,
    /// What bounds an evaluation.
    pub limits: &'a EvaluationLimits,
}

/// What an expression gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionEvaluation {
    /// The expression in the file.
    pub range: TextRange,
    /// What it is called: its field path.
    pub path: String,
    /// The value, or why there is none.
    pub result: Shown,
    /// The cost units.
    pub cost: u64,
    /// The value of each part, outermost first.
    pub trace: Vec<TraceStep>,
}

/// Why an object cannot be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialError {
    /// The objects make no request.
    Request(RequestError),
    /// The policy does not look at it.
    Mismatch(Mismatch),
}

/// Limit: how many samples that match are looked at for one policy.
const MAX_MATCHING: usize = 200;

impl<'a> Trial<'a> {
    /// The samples that a policy matches, or that one of the webhooks is called for, the
    /// nearest first.
    #[must_use]
    pub fn matching(&self, policy: usize) -> Vec<&'a Sample> {
        let document = self.file.policies().get(policy);
        document.map_or_else(Vec::new, |document| {
            self.matching_any(document, &rule_owners(document))
        })
    }

    fn matching_any(&self, document: &PolicyDocument, owners: &[Node<'_>]) -> Vec<&'a Sample> {
        let matches = |sample: &&Sample| {
            let resource = self.resources.resource(&sample.api_version, &sample.kind);
            owners.iter().any(|owner| {
                may_match(document, *owner, &resource)
                    && self.request_for(document, *owner, sample).is_some()
            })
        };
        let mut found: Vec<&Sample> = self.samples.iter().filter(matches).collect();
        found.sort_by_cached_key(|sample| (self.distance(sample), SampleKey::of(sample)));
        found.truncate(MAX_MATCHING);
        found
    }

    /// The sample with which an expression is tried: the one that is wanted if its policy
    /// matches it, else the nearest.
    #[must_use]
    pub fn chosen(
        &self,
        policy: usize,
        expression: usize,
        wanted: Option<&SampleKey>,
    ) -> Option<&'a Sample> {
        let document = self.file.policies().get(policy)?;
        let owner = rule_owner(document, document.expressions().get(expression)?);
        let matching = self.matching_any(document, &[owner]);
        let same = |sample: &&&Sample| wanted == Some(&SampleKey::of(sample));
        let wanted = matching.iter().find(same);
        wanted.or(matching.first()).copied()
    }

    /// What an expression gives for a sample. `None` when there is no such expression, or its
    /// policy does not match the sample.
    #[must_use]
    pub fn expression(
        &self,
        policy: usize,
        expression: usize,
        sample: &Sample,
    ) -> Option<ExpressionEvaluation> {
        let document = self.file.policies().get(policy)?;
        let owner = rule_owner(document, document.expressions().get(expression)?);
        let request = self.request_for(document, owner, sample)?;
        self.expression_for(policy, expression, &request)
    }

    /// What an expression gives for a request.
    #[must_use]
    pub fn expression_for(
        &self,
        policy: usize,
        expression: usize,
        request: &Request,
    ) -> Option<ExpressionEvaluation> {
        let document = self.file.policies().get(policy)?;
        let compiled = self.programs.policies.get(policy)?;
        let written = document.expressions().get(expression)?;
        let (result, values) =
            compiled.evaluate_expression(document, expression, request, self.limits)?;
        Some(ExpressionEvaluation {
            range: document.node(written.node).range(),
            path: written.path.to_string(),
            result: Shown::new(&result.result),
            cost: result.cost,
            trace: trace::steps(document, written, &values),
        })
    }

    /// What a policy decides about a request.
    #[must_use]
    pub fn policy_for(&self, policy: usize, request: &Request) -> Option<PolicyEvaluation> {
        let document = self.file.policies().get(policy)?;
        let compiled = self.programs.policies.get(policy)?;
        let evaluation = compiled.evaluate(document, request, self.limits);
        Some(PolicyEvaluation::new(document, &evaluation))
    }

    /// What a policy decides about the samples that it matches.
    #[must_use]
    pub fn summary(&self, policy: usize) -> Summary {
        let matching = self.matching(policy);
        outcome::summary(self, policy, &matching)
    }

    /// The request that these objects make of a policy.
    ///
    /// # Errors
    /// They make none, or the policy does not look at it.
    pub fn request(&self, policy: &PolicyDocument, inputs: Inputs) -> Result<Request, TrialError> {
        let request = Request::new(inputs, self.resources).map_err(TrialError::Request)?;
        matches(policy, &request).map_err(TrialError::Mismatch)?;
        Ok(request)
    }

    /// The first request with a sample that the policy looks at: its creation, its update,
    /// its deletion.
    fn request_for(
        &self,
        document: &PolicyDocument,
        owner: Node<'_>,
        sample: &Sample,
    ) -> Option<Request> {
        let object = || Some(sample.value.clone());
        let operations = [(object(), None), (object(), object()), (None, object())];
        operations.into_iter().find_map(|(object, old_object)| {
            let inputs = Inputs {
                object,
                old_object,
                params: self.params(document),
                namespace_object: self.namespace_of(sample),
            };
            let request = Request::new(inputs, self.resources).ok()?;
            let matches = if document.kind().is_policy() {
                matches(document, &request)
            } else {
                webhook_matches(owner, &request)
            };
            matches.is_ok().then_some(request)
        })
    }

    /// The nearest manifest of the kind of the parameters.
    fn params(&self, document: &PolicyDocument) -> Option<cel::Value> {
        let kind = document.root().get("spec")?.get("paramKind")?;
        let text = |field: &str| kind.get(field).and_then(Node::as_str);
        let (api_version, kind) = (text("apiVersion")?, text("kind")?);
        let of_kind = self
            .samples
            .iter()
            .filter(|sample| sample.api_version == api_version && sample.kind == kind);
        let nearest = of_kind.min_by_key(|sample| (self.distance(sample), SampleKey::of(sample)));
        nearest.map(|sample| sample.value.clone())
    }

    fn namespace_of(&self, sample: &Sample) -> Option<cel::Value> {
        let name = match sample.namespace.as_str() {
            "" => "default",
            name => name,
        };
        let mut namespaces = self
            .samples
            .iter()
            .filter(|it| it.kind == "Namespace" && it.api_version == "v1" && it.name == name);
        namespaces.next().map(|namespace| namespace.value.clone())
    }

    /// How many folders lie between the file and a sample.
    fn distance(&self, sample: &Sample) -> usize {
        let folder = |path: &'_ Path| path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let Some(path) = self.path else {
            return 0;
        };
        let (here, there) = (folder(path), folder(&sample.path));
        let shared = here
            .components()
            .zip(there.components())
            .take_while(|(here, there)| here == there)
            .count();
        here.components().count() + there.components().count() - 2 * shared
    }
}

/// The nodes whose rules say what the expressions of a document are evaluated on.
fn rule_owners(document: &PolicyDocument) -> Vec<Node<'_>> {
    let root = document.root();
    if document.kind().is_policy() {
        return vec![root];
    }
    let webhooks = root.get("webhooks").and_then(Node::as_sequence);
    webhooks
        .into_iter()
        .flat_map(yaml::Sequence::items)
        .collect()
}

fn rule_owner<'d>(document: &'d PolicyDocument, expression: &Expression) -> Node<'d> {
    if expression.role != Role::WebhookMatchCondition {
        return document.root();
    }
    // The entry of the list, the list, the webhook.
    let entry = document.node(expression.owner);
    let webhook = entry.parent().and_then(Node::parent);
    webhook.unwrap_or_else(|| document.root())
}

#[cfg(test)]
mod tests;
