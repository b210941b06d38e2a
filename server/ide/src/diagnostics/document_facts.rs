//! Facts about a document that rules share, computed once.

use super::Finding;
use super::misparsed::Misparsed;
use super::misplaced::{Meant, meant_fields};
use super::placeholder::has_placeholder;
use super::unquoted::Unquoted;
use crate::file::{MAX_FINDINGS, SourceFile};
use crate::presence::Presence;
use cel::syntax::is_identifier;
use policy::schema::{Mismatch, MismatchKind};
use policy::validation::ApiError;
use policy::variables::Variables;
use policy::{Expression, PolicyDocument, Problem};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use text::{Span, TextRange, TextSize};
use yaml::edit::replace_part;
use yaml::{Document, Node, NodeId, SyntaxErrorKind};

/// A document with the errors that the API server reports about it.
pub(super) struct DocumentFacts<'a> {
    /// The document.
    pub(super) document: &'a PolicyDocument,
    /// Values of another type than their field, and unknown fields.
    pub(super) mismatches: Vec<Mismatch>,
    /// Where the unknown fields belong, by the nodes of their values.
    pub(super) meant: HashMap<NodeId, Meant>,
    /// The errors of the API server's validation.
    pub(super) errors: Vec<ApiError>,
    /// Values with `{{ … }}` that would otherwise be reported.
    pub(super) placeholders: Vec<TextRange>,
    /// Whether it is a template, of which only the expressions are checked.
    pub(super) is_template: bool,
    /// Its variables and their uses.
    pub(super) variables: Variables<'a>,
    /// Variable names that cannot be used, such as `a-b` or a boolean. They are reported at their
    /// definition, but not at their uses.
    unusable_names: Vec<&'a str>,
    /// Expressions that YAML parses only in part, or as another value.
    unread: HashSet<NodeId>,
    presence: KeptPresence<'a>,
}

/// The analysis of a document. The next version of the file gets it, even if the work on this one is
/// canceled.
struct KeptPresence<'a> {
    file: &'a SourceFile,
    document: &'a PolicyDocument,
    /// The index of the document in the file.
    index: usize,
    analysis: OnceCell<Presence>,
}

impl KeptPresence<'_> {
    fn get(&self) -> &Presence {
        self.analysis.get_or_init(|| {
            let before = self.file.results().take_presence(self.index);
            let catalog = Arc::clone(self.file.project().kinds());
            Presence::new(self.document, catalog, before)
        })
    }
}

impl Drop for KeptPresence<'_> {
    fn drop(&mut self) {
        if let Some(presence) = self.analysis.take().filter(Presence::is_reusable) {
            self.file.results().keep_presence(self.index, presence);
        }
    }
}

/// Returns the facts of every document.
pub(super) fn collect<'a>(file: &'a SourceFile, unquoted: &[Unquoted]) -> Vec<DocumentFacts<'a>> {
    let misparsed = Misparsed::new(file, unquoted);
    let errors = file.stream().errors().iter();
    let templates: Vec<TextSize> = errors
        .filter(|error| error.kind == SyntaxErrorKind::Template)
        .map(|error| error.range.start())
        .collect();
    let documents = file.stream().documents().map(Document::range);
    let templates: Vec<TextRange> = documents
        .filter(|range| templates.iter().any(|at| range.contains_inclusive(*at)))
        .collect();
    let policies = file.policies().iter();
    policies
        .enumerate()
        .map(|(index, document)| {
            let root = document.root().range();
            let is_template = templates.iter().any(|range| range.contains_range(root));
            DocumentFacts::new(file, (index, document), is_template, &misparsed)
        })
        .collect()
}

impl<'a> DocumentFacts<'a> {
    fn new(
        file: &'a SourceFile,
        (index, document): (usize, &'a PolicyDocument),
        is_template: bool,
        misparsed: &Misparsed<'_>,
    ) -> Self {
        let variables = Variables::new(document);
        let range = |node: NodeId| document.node(node).range();
        let nodes = document.expressions().iter().map(|found| found.node);
        let mut facts = Self {
            document,
            mismatches: Vec::new(),
            meant: HashMap::new(),
            errors: Vec::new(),
            placeholders: Vec::new(),
            is_template,
            unusable_names: unusable_names(&variables),
            unread: nodes
                .filter(|node| misparsed.touches(range(*node)))
                .collect(),
            variables,
            presence: KeptPresence {
                file,
                document,
                index,
                analysis: OnceCell::new(),
            },
        };
        if !is_template {
            facts.mismatches = mismatches(document);
            facts.errors = errors(document, &facts.mismatches);
            facts.set_placeholders_aside();
            let mismatches = &mut facts.mismatches;
            mismatches.retain(|mismatch| !misparsed.touches(range(mismatch.node)));
            facts.errors.retain(|error| !misparsed.touches(error.range));
            facts.meant = meant_fields(file, document, &facts.mismatches);
        }
        facts
    }

    /// Moves the errors in values that a template may replace to `placeholders`.
    fn set_placeholders_aside(&mut self) {
        let document = self.document;
        let placeholders = &mut self.placeholders;
        let mut keep = |node: NodeId| {
            let node = document.node(node);
            let is_placeholder = has_placeholder(node.text());
            placeholders.extend(is_placeholder.then(|| node.range()));
            !is_placeholder
        };
        self.mismatches.retain(|mismatch| keep(mismatch.node));
        self.errors.retain(|error| error.node.is_none_or(&mut keep));
    }

    /// Returns whether YAML parses the whole expression.
    pub(super) fn is_read(&self, expression: &Expression) -> bool {
        !self.unread.contains(&expression.node)
    }

    /// Returns the presence of values at each site in the expressions.
    pub(super) fn presence(&self) -> &Presence {
        self.presence.get()
    }

    /// Returns the problems of the expressions that newer servers also report;
    /// `unavailable-function` reports the others.
    pub(super) fn problems(&self) -> impl Iterator<Item = (&'a Expression, &'a Problem)> {
        let problems = self.document.lasting_problems();
        problems.filter(|(expression, _)| self.is_read(expression))
    }

    /// Returns a finding about a problem, with Kubernetes' message for it.
    pub(super) fn finding(
        &self,
        expression: &Expression,
        problem: &Problem,
        message: impl Into<String>,
    ) -> Finding {
        let finding = Finding::new(self.document.range(expression, problem.span), message);
        match &problem.upstream {
            Some(words) => finding.upstream(words.clone()),
            None => finding,
        }
    }

    /// Returns the nodes of the variable names.
    pub(super) fn variable_names(&self) -> impl Iterator<Item = Node<'a>> {
        let definitions = self.variables.definitions.iter();
        definitions.filter_map(|definition| definition.name.and(definition.name_node))
    }

    /// Returns the message of cel-go for an undeclared name.
    pub(super) fn undeclared(name: &str) -> String {
        format!("undeclared reference to '{name}' (in container '')")
    }

    /// Returns the finding with a fix that replaces a part of the expression with `right`.
    pub(super) fn rename(
        &self,
        finding: Finding,
        (expression, part): (&Expression, Span),
        right: &str,
    ) -> Finding {
        let scalar = self.document.node(expression.node).as_scalar();
        match scalar.and_then(|scalar| replace_part(scalar, part, right)) {
            Some(edit) => finding.fix(format!("Change to `{right}`"), vec![edit]),
            None => finding,
        }
    }

    /// Returns whether a part of an expression uses a variable whose name cannot be used.
    pub(super) fn is_unusable(&self, expression: &Expression, part: Span) -> bool {
        let mut names = self.unusable_names.iter();
        names.any(|name| uses_of(expression, name).any(|used| used.contains(part)))
    }
}

/// Returns the uses of `variables.` followed by a name, which may not be an identifier.
fn uses_of(expression: &Expression, name: &str) -> impl Iterator<Item = Span> {
    let text = expression.text();
    let wanted = format!("variables.{name}");
    let length = wanted.len();
    let places: Vec<usize> = text.match_indices(&wanted).map(|(at, _)| at).collect();
    let name = u32::try_from(name.len()).unwrap_or(u32::MAX);
    places.into_iter().filter_map(move |at| {
        if !ends_name(text.get(at + length..)?) {
            return None;
        }
        let end = u32::try_from(at + length).ok()?;
        Some(Span::new(end - name, end))
    })
}

/// Returns whether a name of a variable, as an author means it, ends before this text.
pub(super) fn ends_name(rest: &str) -> bool {
    let goes_on = |next: char| next.is_ascii_alphanumeric() || matches!(next, '_' | '-');
    !rest.starts_with(goes_on)
}

fn unusable_names<'a>(variables: &Variables<'a>) -> Vec<&'a str> {
    let definitions = variables.definitions.iter();
    definitions
        .filter_map(|definition| Some(definition.name_node?.text()))
        .filter(|name| !name.is_empty())
        .filter(|name| !is_identifier(name) || variables.index_of(name).is_none())
        .take(MAX_FINDINGS)
        .collect()
}

fn mismatches(document: &PolicyDocument) -> Vec<Mismatch> {
    let schema = policy::schema::of_kind(document.kind(), document.version());
    schema.map_or_else(Vec::new, |schema| {
        policy::schema::check(document.root(), document.base(), schema)
    })
}

/// Returns the errors of the API server's validation; none for a patch or a test assertion, which
/// the server never receives in this form.
fn errors(document: &PolicyDocument, mismatches: &[Mismatch]) -> Vec<ApiError> {
    if document.is_patch() || mismatches.iter().any(is_assertion) {
        return Vec::new();
    }
    policy::validation::validate(document)
}

/// Returns whether a field is in parentheses, as in assertions of Chainsaw.
pub(super) fn is_assertion(mismatch: &Mismatch) -> bool {
    match &mismatch.kind {
        MismatchKind::UnknownField { name, .. } => name.starts_with('('),
        MismatchKind::WrongType { .. } => false,
    }
}

/// Returns a sentence with the oldest version of a target.
pub(super) fn begin_of(target: kubernetes::Target) -> String {
    if target.is_range() {
        format!("The oldest target version is {}.", target.oldest())
    } else {
        format!("The target version is {target}.")
    }
}
