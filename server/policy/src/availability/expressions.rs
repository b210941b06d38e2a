//! Functions and syntax in an expression that the oldest server does not support.
//!
//! An expression is compiled as on the oldest server. Only if that fails does the newest
//! environment show why: which function, macro or syntax was introduced later. The reason is
//! therefore never a guess, and an expression that compiles needs at most one more compilation.

use super::api::overload_gate;
use crate::crd::RuleTypes;
use crate::document::Document;
use crate::environment::rules;
use crate::expression::Expression;
use crate::library;
use crate::typecheck::{self, Checked, Problem, ProblemKind};
use cel::Type;
use cel::check::Reference;
use cel::library::Overload;
use cel::syntax::{Ast, ExprId, ExprKind, MacroKind};
use kubernetes::names::is_reserved;
use kubernetes::{EnvironmentVersion, ServerVersion};
use std::collections::HashMap;
use std::sync::OnceLock;
use text::Span;

/// Something in an expression that the oldest server of a target does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Unavailable {
    /// The bytes of the expression to underline.
    pub span: Span,
    /// The kind of problem.
    pub feature: Feature,
    /// The first server that accepts it in a new expression.
    pub since: ServerVersion,
    /// The message of the compiler of the oldest server.
    pub upstream: Option<String>,
}

/// A feature that a version introduced.
#[derive(Clone, Debug, PartialEq)]
pub enum Feature {
    /// A function, or an operator for these types, by its name in cel-go.
    Function {
        /// The name.
        name: &'static str,
        /// The signature, if others of the function are older.
        signature: Option<Signature>,
    },
    /// A macro.
    Macro {
        /// Which one.
        kind: MacroKind,
        /// The number of variables that it declares.
        variables: usize,
        /// Whether the macro with one variable is older.
        is_form: bool,
    },
    /// `a.?b`, `a[?b]`, `{?a: b}` or `[?a]`.
    OptionalSyntax,
    /// A reserved word after a dot that names a property of a schema.
    Keyword(String),
    /// Any other feature, which only the message of the compiler describes.
    Other,
}

/// The signature of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The types of the parameters, including the receiver.
    pub params: Vec<Type>,
    /// Whether it has a receiver.
    pub member: bool,
}

/// The differences between the servers of a target for an expression.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// The features that the oldest server does not have.
    pub(crate) unavailable: Vec<Unavailable>,
    /// The errors of the newest server of the target that follow from them.
    explained: Vec<Problem>,
}

impl Difference {
    /// Returns whether a problem of the newest server is explained by versions.
    pub(crate) fn explains(&self, problem: &Problem) -> bool {
        self.explained.contains(problem)
    }
}

/// The environment that is compared with.
const REFERENCE: EnvironmentVersion = EnvironmentVersion::NEWEST;

/// Returns the first environment that expands a macro with that many variables.
#[must_use]
pub fn macro_since(kind: MacroKind, variables: usize) -> Option<EnvironmentVersion> {
    let libraries = library::LANGUAGE.iter().chain(library::KUBERNETES);
    let macros = libraries.flat_map(|library| library.macros);
    let found = macros.filter(|it| it.kind == kind && it.variables == variables);
    found.map(|it| it.since.into()).min()
}

/// Returns the features that each expression of a document uses and the oldest server of its
/// target does not have. Empty if there are none.
pub(crate) fn of_expressions(
    document: &Document,
    checked: &[Checked],
    rule_types: &RuleTypes,
) -> Vec<Difference> {
    let target = document.target();
    let oldest = target.oldest_environment();
    if !target.is_chosen() || oldest >= REFERENCE {
        return Vec::new();
    }
    let ladder = Ladder::new(document, checked, rule_types);
    let old = ladder.at(oldest);
    let expressions = document.expressions().iter();
    let fails = |(expression, checked): (&Expression, &Checked)| {
        expression.parse.is_ok() && !checked.answer().is_ok()
            || uses_gated(expression, checked, target.oldest())
    };
    if !expressions.clone().zip(old).any(fails) {
        return Vec::new();
    }
    let new = ladder.at(REFERENCE);
    let pairs = expressions.zip(old.iter().zip(new));
    pairs
        .enumerate()
        .map(|(index, (expression, (old, new)))| {
            if !fails((expression, old)) {
                return Difference::default();
            }
            let comparison = Comparison {
                ladder: &ladder,
                index,
                ast: expression.ast(),
                oldest,
                old,
                new,
            };
            comparison.difference()
        })
        .collect()
}

/// Returns whether an expression calls a function whose feature gate is off on a server.
fn uses_gated(expression: &Expression, checked: &Checked, server: ServerVersion) -> bool {
    let mut overloads = expression.ast().ids().flat_map(|id| checked.overloads(id));
    overloads.any(|it| is_gated(it.declaration, server))
}

/// Returns the first environment in which a server accepts an overload by default.
fn environment_of(overload: &Overload) -> EnvironmentVersion {
    let gate = overload_gate(overload.id);
    let since = overload.since.into();
    gate.map_or(since, |gate| gate.on_since.environment().max(since))
}

fn is_gated(overload: &Overload, server: ServerVersion) -> bool {
    overload_gate(overload.id).is_some_and(|gate| gate.on_since > server)
}

/// The checks in each environment, made on first use.
struct Ladder<'d> {
    document: &'d Document,
    /// The check in the newest environment of the target.
    checked: &'d [Checked],
    rule_types: &'d RuleTypes,
    /// By version, from the first on.
    answers: [OnceLock<Vec<Checked>>; EnvironmentVersion::COUNT],
}

impl<'d> Ladder<'d> {
    fn new(document: &'d Document, checked: &'d [Checked], rule_types: &'d RuleTypes) -> Self {
        Self {
            document,
            checked,
            rule_types,
            answers: [const { OnceLock::new() }; EnvironmentVersion::COUNT],
        }
    }

    /// Returns the check of each expression in the environment of a version.
    fn at(&self, version: EnvironmentVersion) -> &[Checked] {
        if version == self.document.target().environment() {
            return self.checked;
        }
        let answer = self.answers.get(version.index());
        answer.map_or(&[], |answer| {
            answer.get_or_init(|| typecheck::check_all(self.document, version, self.rule_types))
        })
    }
}

/// One expression, as two servers compile it.
struct Comparison<'d> {
    ladder: &'d Ladder<'d>,
    /// The index of the expression in the document.
    index: usize,
    ast: &'d Ast,
    /// The environment of the oldest server.
    oldest: EnvironmentVersion,
    old: &'d Checked,
    new: &'d Checked,
}

impl Comparison<'_> {
    fn difference(&self) -> Difference {
        let unavailable = self.features();
        let judged = self.ladder.checked.get(self.index);
        let problems = judged.map_or(&[][..], Checked::problems).iter();
        let everywhere = |problem: &Problem| {
            let mut known = self.new.problems().iter();
            known.any(|known| (known.span, &known.kind) == (problem.span, &problem.kind))
        };
        let of_versions = problems.filter(|problem| !everywhere(problem)).cloned();
        let explained = if unavailable.is_empty() {
            Vec::new()
        } else {
            of_versions.collect()
        };
        Difference {
            unavailable,
            explained,
        }
    }

    fn features(&self) -> Vec<Unavailable> {
        let mut found = self.named();
        if found.is_empty() {
            found = self.unexplained();
        }
        found.sort_by_cached_key(|unavailable| unavailable.span.start());
        found
    }

    /// Returns the features in the expression that were introduced later. For a chain such as
    /// `quantity('1').isInteger()` only the first missing part.
    fn named(&self) -> Vec<Unavailable> {
        let mut found = Vec::new();
        let mut missing: HashMap<ExprId, ServerVersion> = HashMap::new();
        // Children come before their parents.
        for id in self.ast.ids() {
            let before = self.receiver(id).and_then(|id| missing.get(&id)).copied();
            let feature = self.feature(id);
            let since = feature.as_ref().map(|feature| feature.since);
            if let Some(newest) = before.max(since) {
                missing.insert(id, newest);
            }
            found.extend(feature.filter(|feature| before.is_none_or(|it| it < feature.since)));
        }
        found
    }

    /// Returns the node before the dot or the bracket.
    fn receiver(&self, id: ExprId) -> Option<ExprId> {
        match self.ast.kind(id) {
            ExprKind::Call { target, .. } => *target,
            ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => Some(*operand),
            ExprKind::Paren(inner) => Some(*inner),
            _ => None,
        }
    }

    /// Returns the feature of a node that the oldest server does not have.
    fn feature(&self, id: ExprId) -> Option<Unavailable> {
        let (span, feature, since) = self
            .optional_syntax(id)
            .or_else(|| self.macro_of(id))
            .or_else(|| self.call(id))?;
        (since > self.oldest).then(|| Unavailable {
            span,
            feature,
            since: since.first_server(),
            upstream: self.old_message(span),
        })
    }

    fn optional_syntax(&self, id: ExprId) -> Option<(Span, Feature, EnvironmentVersion)> {
        let span = match self.ast.kind(id) {
            ExprKind::Select {
                operator,
                optional: true,
                ..
            } => *operator,
            ExprKind::Index {
                brackets,
                optional: true,
                ..
            } => Span::new(brackets.start(), brackets.start() + 2),
            ExprKind::List { elements } => {
                let optional = elements.iter().find(|element| element.optional)?;
                self.mark(optional.value)
            }
            ExprKind::Map { entries } => {
                let optional = entries.iter().find(|entry| entry.optional)?;
                self.mark(optional.key)
            }
            ExprKind::Struct { fields, .. } => {
                let optional = fields.iter().find(|field| field.optional)?;
                self.mark(optional.value)
            }
            _ => return None,
        };
        let mut versions = EnvironmentVersion::all();
        let since = versions.find(|version| rules(*version).optional_syntax)?;
        Some((span, Feature::OptionalSyntax, since))
    }

    /// Returns the value after a `?`.
    fn mark(&self, value: ExprId) -> Span {
        self.ast.span(value)
    }

    fn macro_of(&self, id: ExprId) -> Option<(Span, Feature, EnvironmentVersion)> {
        let call = self.ast.macro_call(id)?;
        let ExprKind::Call { function, .. } = self.ast.kind(id) else {
            return None;
        };
        let (kind, variables) = (call.kind, call.variables.len());
        let since = macro_since(kind, variables)?;
        let one = macro_since(kind, 1).filter(|_| variables > 1);
        let feature = Feature::Macro {
            kind,
            variables,
            is_form: one.is_some_and(|one| one < since),
        };
        Some((function.span, feature, since))
    }

    /// Returns a function or an operator. If only the values decide between several signatures, the
    /// oldest counts.
    fn call(&self, id: ExprId) -> Option<(Span, Feature, EnvironmentVersion)> {
        if self.ast.macro_call(id).is_some() {
            return None;
        }
        let node = self.new.answer().expansion().of_expr(id)?;
        let Some(Reference::Function { name, .. }) = self.new.answer().reference(node) else {
            return None;
        };
        let meant = self.new.overloads(id);
        let first = meant.min_by_key(|overload| overload.declaration.since)?;
        let since = environment_of(first.declaration);
        let function = self.new.env().function(name)?;
        let mut all = function.overloads.iter();
        let has_older = all.any(|overload| environment_of(overload.declaration) < since);
        let feature = Feature::Function {
            name: function.name,
            signature: has_older.then(|| Signature {
                params: first.params.clone(),
                member: first.declaration.member,
            }),
        };
        Some((self.name_of(id, name), feature, since))
    }

    /// Returns the bytes of the name of a function, with its namespace, or of an operator.
    fn name_of(&self, id: ExprId, name: &str) -> Span {
        match self.ast.kind(id) {
            ExprKind::Call {
                target, function, ..
            } => match target.filter(|_| name.contains('.')) {
                Some(target) => self.ast.span(target).cover(function.span),
                None => function.span,
            },
            ExprKind::Binary { operator_span, .. } | ExprKind::Unary { operator_span, .. } => {
                *operator_span
            }
            ExprKind::Index { brackets, .. } => *brackets,
            ExprKind::Conditional { question, .. } => *question,
            _ => self.ast.span(id),
        }
    }

    /// Returns the message of the compiler of the oldest server at a position.
    fn old_message(&self, span: Span) -> Option<String> {
        let mut problems = self.old.problems().iter();
        let touching = |problem: &&Problem| {
            problem.span.start() < span.end() && span.start() < problem.span.end()
        };
        problems.find(touching)?.upstream.clone()
    }

    /// Returns the errors that only the oldest server reports and that no function or syntax
    /// explains.
    fn unexplained(&self) -> Vec<Unavailable> {
        if !self.new.answer().is_ok() {
            return Vec::new();
        }
        let Some(since) = self.first_that_compiles() else {
            return Vec::new();
        };
        let problems = self.old.problems().iter();
        let problems = problems.filter(|problem| problem.kind.is_refused());
        problems
            .map(|problem| Unavailable {
                span: problem.span,
                feature: feature_of(problem),
                since,
                upstream: problem.upstream.clone(),
            })
            .collect()
    }

    /// Returns the first server that accepts the expression.
    fn first_that_compiles(&self) -> Option<ServerVersion> {
        let environment = self.oldest.up_to(REFERENCE).skip(1).find(|version| {
            let checked = self.ladder.at(*version).get(self.index);
            checked.is_some_and(|checked| checked.answer().is_ok())
        });
        environment.map(EnvironmentVersion::first_server)
    }
}

fn feature_of(problem: &Problem) -> Feature {
    match &problem.kind {
        ProblemKind::Unescaped { property, .. } if is_reserved(property) => {
            Feature::Keyword(property.clone())
        }
        ProblemKind::UndefinedField { name, .. } if is_reserved(name) => {
            Feature::Keyword(name.clone())
        }
        _ => Feature::Other,
    }
}

#[cfg(test)]
mod tests;
