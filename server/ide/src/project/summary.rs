//! The summary of a file for other files.
//!
//! It contains the policies and bindings with their references, the kinds of definitions, the
//! objects that can be parameters, and the symbols of the workspace. While the summary of a file
//! stays equal, no other file is analyzed again.

use super::location::Location;
use super::objects::{self, ObjectSummary};
use super::selected::SelectedNames;
use super::symbols::{Symbols, is_literal_name};
use super::writes::{ConstantWrite, constant_writes};
use cel::syntax::{Ast, ExprKind};
use kubernetes::Target;
use kubernetes::openapi::Definitions;
use policy::{Kind, ParsedFile, PolicyDocument, manifest};
use std::path::Path;
use std::sync::Arc;

/// Limit: documents of one kind that a summary holds. No cluster has as many policies.
const MAX_DOCUMENTS: usize = 2_000;

/// The summary of a file for other files.
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
    /// The symbols that users search for. Empty if created by [`FileSummary::new`], since an open
    /// file can be searched itself: [`Symbols::new`].
    pub symbols: Symbols,
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
    /// The policy itself. Its places may be old: they do not count where summaries are compared.
    pub spec: manifest::Policy,
    /// Whether an expression selects a field of `params` and none compares it with null.
    pub needs_params: bool,
    /// The fields that it always sets to constants.
    pub constants: Vec<ConstantWrite>,
    /// The fields that its expressions select.
    pub selected: SelectedNames,
    /// Whether it is a part of a template, of which only some fields are known.
    pub is_template: bool,
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
    /// The binding itself. Its places may be old: they do not count where summaries are compared.
    pub spec: manifest::Binding,
    /// Whether it is a part of a template, of which only some fields are known.
    pub is_template: bool,
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
    pub(crate) fn policy_kind(&self) -> Kind {
        self.kind.bound_kind().unwrap_or(self.kind)
    }
}

impl FileSummary {
    /// Returns the summary of the text of `file`. A text without relevant content is only
    /// scanned, not parsed.
    #[must_use]
    pub fn read(file: &Arc<Path>, text: &str) -> Self {
        let source = ParsedFile::new(text.into(), Target::default());
        Self {
            symbols: Symbols::new(file, &source),
            ..Self::new(file, &source)
        }
    }

    /// Returns the summary, without symbols, of a file that is known as `file`.
    #[must_use]
    pub fn new(file: &Arc<Path>, source: &ParsedFile) -> Self {
        let mut summary = Self {
            file: Arc::clone(file),
            policies: Vec::new(),
            bindings: Vec::new(),
            objects: objects::find(source.text()),
            definitions: Vec::new(),
            symbols: Symbols::default(),
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
                    summary.definitions.extend(definitions(source, document));
                }
                Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {}
            }
        }
        summary.policies.truncate(MAX_DOCUMENTS);
        summary.bindings.truncate(MAX_DOCUMENTS);
        summary.definitions.truncate(MAX_DOCUMENTS);
        summary
    }

    /// Returns whether it is irrelevant to other files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.policies.is_empty()
            && self.bindings.is_empty()
            && self.objects.is_empty()
            && self.definitions.is_empty()
            && self.symbols.0.is_empty()
    }
}

/// Returns the kinds of a CustomResourceDefinition, with the document that defines them.
fn definitions(source: &ParsedFile, document: &PolicyDocument) -> Option<Arc<Definitions>> {
    let definitions = Definitions::from_crd(document.root())?;
    let range = source.range_around(document)?;
    Some(Arc::new(
        definitions.with_source(source.shared_text(), range),
    ))
}

fn policy(file: &Arc<Path>, source: &ParsedFile, document: &PolicyDocument) -> PolicySummary {
    PolicySummary {
        kind: document.kind(),
        name: literal_name(document.name()),
        location: Location::new(file, source, document.name_range()),
        spec: document.policy().cloned().unwrap_or_default(),
        needs_params: needs_params(document),
        constants: constant_writes(document)
            .into_iter()
            .map(|(_, constant)| constant)
            .collect(),
        selected: SelectedNames::new(document),
        is_template: source.is_template(document),
    }
}

fn binding(file: &Arc<Path>, source: &ParsedFile, document: &PolicyDocument) -> BindingSummary {
    let spec = document.binding().cloned().unwrap_or_default();
    BindingSummary {
        kind: document.kind(),
        name: literal_name(document.name()),
        location: Location::new(file, source, document.name_range()),
        policy: literal_name(spec.policy_name.as_ref().map(|name| &*name.text)),
        spec,
        is_template: source.is_template(document),
    }
}

fn literal_name(name: Option<&str>) -> Option<String> {
    name.filter(|name| is_literal_name(name)).map(str::to_owned)
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

/// Returns whether a field of `params` is read, and whether `params` is used as a whole, as in
/// a comparison with null.
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

#[cfg(test)]
mod tests;
