//! The meanings of names.

use super::{Context, Meanings, SemanticModifier, SemanticModifiers, SemanticTokenKind, insert};
use cel::check::Reference;
use cel::syntax::{Binding, ExprId, ExprKind, IdentRole, IdentUse, Name};
use std::collections::HashSet;

/// Names that CEL or the API server declares.
const DECLARED: SemanticModifiers = SemanticModifiers(0).with(SemanticModifier::DefaultLibrary);

impl Context<'_> {
    /// Returns the meanings of all names of the expression.
    pub(super) fn names(&self) -> Meanings {
        let mut meanings = Meanings::default();
        let uses = self.expression.parse.idents();
        let read: HashSet<Binding> = uses.iter().filter_map(reads).collect();
        for it in uses {
            let (kind, modifiers) = self.variable(it, &read);
            insert(&mut meanings, it.name.span, kind, modifiers);
        }
        for id in self.ast.ids() {
            self.add_node(id, &mut meanings);
        }
        // The first part of the name of a function is not a variable.
        for id in self.ast.ids() {
            self.add_namespace(id, &mut meanings);
        }
        meanings
    }

    fn variable(
        &self,
        it: &IdentUse,
        read: &HashSet<Binding>,
    ) -> (SemanticTokenKind, SemanticModifiers) {
        let none = SemanticModifiers::default();
        match it.role {
            IdentRole::Declaration(binding) => {
                let declared = none.with(SemanticModifier::Declaration);
                let is_unused = !read.contains(&binding);
                let modifiers = declared.with_if(is_unused, SemanticModifier::Unused);
                (SemanticTokenKind::Parameter, modifiers)
            }
            IdentRole::Bound(_) => (SemanticTokenKind::Parameter, none),
            IdentRole::Free if self.is_type(it.id) => (SemanticTokenKind::Type, DECLARED),
            IdentRole::Free => {
                let name = self.ast.name(it.name);
                let is_declared = self.env.is_some_and(|env| env.variable(name).is_some());
                let modifiers = none.with_if(is_declared, SemanticModifier::DefaultLibrary);
                (SemanticTokenKind::Variable, modifiers)
            }
        }
    }

    fn is_type(&self, id: ExprId) -> bool {
        let reference = self.checked.and_then(|checked| checked.reference(id));
        matches!(reference, Some(Reference::Type(_)))
    }

    fn add_node(&self, id: ExprId, meanings: &mut Meanings) {
        let none = SemanticModifiers::default();
        match self.ast.kind(id) {
            ExprKind::Select { operand, field, .. } => {
                let (kind, modifiers) = self.field(id, *operand);
                insert(meanings, field.span, kind, modifiers);
            }
            ExprKind::Call {
                target, function, ..
            } => {
                let (kind, modifiers) = self.function(id, *target, *function);
                insert(meanings, function.span, kind, modifiers);
            }
            ExprKind::Conditional { colon, .. } => {
                insert(meanings, *colon, SemanticTokenKind::Operator, none);
            }
            ExprKind::Struct {
                type_name, fields, ..
            } => {
                for name in type_name {
                    insert(meanings, name.span, SemanticTokenKind::Type, none);
                }
                for field in fields {
                    insert(meanings, field.name.span, SemanticTokenKind::Property, none);
                }
            }
            _ => {}
        }
    }

    /// Returns the meaning of a field. One of `variables` is a variable of the policy.
    fn field(&self, id: ExprId, operand: ExprId) -> (SemanticTokenKind, SemanticModifiers) {
        let none = SemanticModifiers::default();
        if self.is_type(id) {
            return (SemanticTokenKind::Type, DECLARED);
        }
        let of = self.checked.and_then(|checked| checked.type_of(operand));
        let variables = self.env.and_then(|env| env.variable("variables"));
        if of.is_some() && of == variables {
            return (SemanticTokenKind::Variable, none);
        }
        let modifiers = none.with_if(self.is_deprecated(id), SemanticModifier::Deprecated);
        (SemanticTokenKind::Property, modifiers)
    }

    /// Returns whether the description of a field states that it is deprecated.
    ///
    /// Upstream: kubernetes/community, contributors/devel/sig-architecture/api_changes.md.
    fn is_deprecated(&self, id: ExprId) -> bool {
        let mut schemas = self.nodes.iter().flat_map(|nodes| nodes.schemas(id));
        // Kinds often share a field, as all workloads share those of pods.
        let mut previous = None;
        schemas.any(|schema| {
            previous.replace(schema) != Some(schema)
                && (schema.description()).is_some_and(|text| text.contains("Deprecated: "))
        })
    }

    fn function(
        &self,
        id: ExprId,
        target: Option<ExprId>,
        name: Name,
    ) -> (SemanticTokenKind, SemanticModifiers) {
        let expands = |call: &cel::syntax::MacroCall<'_>| {
            let env = self.env;
            env.is_some_and(|env| env.expands(call.kind, call.variables.len()))
        };
        if self.ast.macro_call(id).filter(expands).is_some() {
            return (SemanticTokenKind::Macro, DECLARED);
        }
        let name = self.ast.name(name);
        let is_declared = self.env.is_some_and(|env| env.function(name).is_some());
        let modifiers =
            SemanticModifiers::default().with_if(is_declared, SemanticModifier::DefaultLibrary);
        let kind = match target {
            Some(_) => SemanticTokenKind::Method,
            None => SemanticTokenKind::Function,
        };
        (kind, modifiers)
    }

    /// Marks the names before a function with dots in its name: `sets.contains`.
    fn add_namespace(&self, id: ExprId, meanings: &mut Meanings) {
        let ExprKind::Call {
            target: Some(target),
            function,
            ..
        } = self.ast.kind(id)
        else {
            return;
        };
        let Some(namespace) = self.ast.qualified_name(*target) else {
            return;
        };
        let name = format!("{}.{}", namespace.join(self.ast), self.ast.name(*function));
        if self.env.is_some_and(|env| env.function(&name).is_some()) {
            for name in namespace.names {
                insert(meanings, name.span, SemanticTokenKind::Namespace, DECLARED);
            }
            insert(
                meanings,
                function.span,
                SemanticTokenKind::Function,
                DECLARED,
            );
        }
    }
}

/// Returns the variable of a macro that an identifier reads.
fn reads(it: &IdentUse) -> Option<Binding> {
    match it.role {
        IdentRole::Bound(binding) => Some(binding),
        IdentRole::Declaration(_) | IdentRole::Free => None,
    }
}
