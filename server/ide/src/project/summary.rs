//! The summary of a file for other files.
//!
//! It contains the policies and bindings with their references, the kinds of definitions, and
//! the objects that can be parameters. While the summary of a file stays equal, no other file
//! is analyzed again.

mod rules;

pub use rules::MatchRule;

use super::location::Location;
use super::objects::{self, ObjectSummary};
use crate::parsed_file::ParsedFile;
use cel::syntax::{Ast, ExprKind};
use kubernetes::Target;
use kubernetes::openapi::Definitions;
use policy::{Kind, PolicyDocument};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;
use yaml::{Node, Sequence};

/// Limit: documents of one kind that a summary holds. No cluster has as many policies.
const MAX_DOCUMENTS: usize = 2_000;

/// What other files want to know of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSummary {
    /// The file, by the path under which it belongs to the project.
    pub file: Arc<Path>,
    /// Its policies, in the order of the file.
    pub policies: Vec<PolicySummary>,
    /// Its bindings, in the order of the file.
    pub bindings: Vec<BindingSummary>,
    /// Its objects that can be parameters.
    pub objects: Vec<ObjectSummary>,
    /// The kinds that its CustomResourceDefinitions bring.
    pub definitions: Vec<Arc<Definitions>>,
}

/// A policy, as its bindings see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicySummary {
    /// Which of the two kinds of policy.
    pub kind: Kind,
    /// Its name. `None` where a template will fill it in.
    pub name: Option<String>,
    /// The place of its name, or of the document where it has none.
    pub location: Location,
    /// What its parameters are. `None` when it takes none.
    pub param_kind: Option<ParamKind>,
    /// Whether an expression selects a field of `params` and none compares it with null.
    pub needs_params: bool,
    /// The rules of `matchConstraints`.
    pub rules: Vec<MatchRule>,
    /// The rules of `matchConstraints` that leave something out.
    pub excluded: Vec<MatchRule>,
    /// Whether it is a part of a template, of which only some fields are known.
    pub is_template: bool,
}

/// What the parameters of a policy are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamKind {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
}

/// A binding, as its policy and other bindings see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindingSummary {
    /// Which of the two kinds of binding.
    pub kind: Kind,
    /// Its name. `None` where a template will fill it in.
    pub name: Option<String>,
    /// The place of its name, or of the document where it has none.
    pub location: Location,
    /// The policy that it binds. `None` where a template will fill it in, or it lacks.
    pub policy: Option<String>,
    /// Whether it has a `paramRef`.
    pub has_param_ref: bool,
    /// `validationActions`, in the order of the file.
    pub actions: Vec<String>,
    /// The rules of `matchResources`. Without any it is for all that the policy matches.
    pub rules: Vec<MatchRule>,
    /// What else narrows it: selectors and excluded rules, as they are written.
    pub narrowed_by: Vec<String>,
    /// Whether it is a part of a template, of which only some fields are known.
    pub is_template: bool,
}

impl ParamKind {
    /// The group and the version.
    #[must_use]
    pub fn group_version(&self) -> (&str, &str) {
        self.api_version
            .split_once('/')
            .unwrap_or(("", &self.api_version))
    }
}

impl PolicySummary {
    /// The kind of the bindings for such a policy.
    #[must_use]
    pub fn binding_kind(&self) -> Kind {
        match self.kind {
            Kind::MutatingAdmissionPolicy => Kind::MutatingAdmissionPolicyBinding,
            _ => Kind::ValidatingAdmissionPolicyBinding,
        }
    }
}

impl BindingSummary {
    /// The kind of the policies for such a binding.
    #[must_use]
    pub fn policy_kind(&self) -> Kind {
        match self.kind {
            Kind::MutatingAdmissionPolicyBinding => Kind::MutatingAdmissionPolicy,
            _ => Kind::ValidatingAdmissionPolicy,
        }
    }
}

impl FileSummary {
    /// The summary of a text that is known as `file`. A text that holds nothing of interest
    /// is only looked at, not parsed.
    #[must_use]
    pub fn read(file: &Arc<Path>, text: &str) -> Self {
        Self::new(file, &ParsedFile::new(text.into(), Target::default()))
    }

    /// The summary of a file that is known as `file`.
    #[must_use]
    pub fn new(file: &Arc<Path>, source: &ParsedFile) -> Self {
        let mut summary = Self {
            file: Arc::clone(file),
            policies: Vec::new(),
            bindings: Vec::new(),
            objects: objects::find(source.text()),
            definitions: Vec::new(),
        };
        for document in source.policies().iter().filter(|it| !it.is_patch()) {
            match document.kind() {
                Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                    summary.policies.push(policy(file, source, document));
                }
                Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {
                    summary.bindings.push(binding(file, source, document));
                }
                Kind::CustomResourceDefinition => {
                    let definitions = Definitions::from_crd(document.root()).map(Arc::new);
                    summary.definitions.extend(definitions);
                }
                Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {}
            }
        }
        summary.policies.truncate(MAX_DOCUMENTS);
        summary.bindings.truncate(MAX_DOCUMENTS);
        summary.definitions.truncate(MAX_DOCUMENTS);
        summary
    }

    /// Returns whether no other file wants to know of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.policies.is_empty()
            && self.bindings.is_empty()
            && self.objects.is_empty()
            && self.definitions.is_empty()
    }
}

fn policy(file: &Arc<Path>, source: &ParsedFile, document: &PolicyDocument) -> PolicySummary {
    let spec = document.root().get("spec");
    let constraints = spec.and_then(|spec| spec.get("matchConstraints"));
    PolicySummary {
        kind: document.kind(),
        name: known(document.name()),
        location: Location::new(file, source, name_range(document)),
        param_kind: spec
            .and_then(|spec| spec.get("paramKind"))
            .and_then(param_kind),
        needs_params: needs_params(document),
        rules: rules::of(constraints.and_then(|it| it.get("resourceRules"))),
        excluded: rules::of(constraints.and_then(|it| it.get("excludeResourceRules"))),
        is_template: source.is_template(document),
    }
}

fn binding(file: &Arc<Path>, source: &ParsedFile, document: &PolicyDocument) -> BindingSummary {
    let spec = document.root().get("spec");
    let field = |name: &str| spec.and_then(|spec| spec.get(name));
    let resources = field("matchResources");
    let narrowing = [
        "namespaceSelector",
        "objectSelector",
        "excludeResourceRules",
    ];
    let narrowing = narrowing.iter().filter_map(|name| resources?.get(name));
    BindingSummary {
        kind: document.kind(),
        name: known(document.name()),
        location: Location::new(file, source, name_range(document)),
        policy: known(field("policyName").and_then(Node::as_str)),
        has_param_ref: field("paramRef").is_some_and(|it| !it.is_null()),
        actions: strings(field("validationActions"))
            .map(str::to_owned)
            .collect(),
        rules: rules::of(resources.and_then(|it| it.get("resourceRules"))),
        narrowed_by: narrowing
            .map(|node| source.slice(node.range()).trim().to_owned())
            .filter(|written| !matches!(written.as_str(), "{}" | "[]" | "null" | "~" | ""))
            .collect(),
        is_template: source.is_template(document),
    }
}

/// A name that stands in the file as the server will see it.
fn known(name: Option<&str>) -> Option<String> {
    let name = name?;
    let is_filled_in = name.contains("{{") || name.contains("${") || name.contains("$(");
    (!name.is_empty() && !is_filled_in).then(|| name.to_owned())
}

/// Where the document says what it is called.
pub(crate) fn name_range(document: &PolicyDocument) -> TextRange {
    let root = document.root();
    let name = root
        .get("metadata")
        .and_then(|metadata| metadata.get("name"));
    let kind = || root.get("kind").unwrap_or(root);
    name.unwrap_or_else(kind).range()
}

fn param_kind(node: Node<'_>) -> Option<ParamKind> {
    let text = |field: &str| node.get(field).and_then(Node::as_str).map(str::to_owned);
    node.as_mapping()?;
    Some(ParamKind {
        api_version: text("apiVersion").unwrap_or_default(),
        kind: text("kind").unwrap_or_default(),
    })
}

fn needs_params(document: &PolicyDocument) -> bool {
    let mut selected = false;
    for expression in document.expressions() {
        let (used, alone) = uses_of_params(expression.ast());
        if alone {
            return false;
        }
        selected |= used;
    }
    selected
}

/// Returns whether a field of `params` is read, and whether `params` stands for itself, as
/// where it is compared with null.
fn uses_of_params(ast: &Ast) -> (bool, bool) {
    if !ast.text().contains("params") {
        return (false, false);
    }
    let is_params = |id| match ast.kind(id) {
        ExprKind::Ident { name, .. } => ast.name(*name) == "params",
        _ => false,
    };
    let mut operands = 0;
    let mut all = 0;
    for id in ast.ids() {
        all += usize::from(is_params(id));
        if let ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } = ast.kind(id) {
            operands += usize::from(is_params(ast.unparenthesized(*operand)));
        }
    }
    (operands > 0, all > operands)
}

pub(super) fn strings<'a>(list: Option<Node<'a>>) -> impl Iterator<Item = &'a str> {
    let list = list.and_then(Node::as_sequence);
    list.into_iter()
        .flat_map(Sequence::items)
        .filter_map(Node::as_str)
}

#[cfg(test)]
mod tests;
