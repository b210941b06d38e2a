//! The walk over the expansion, in cel-go's order.
//!
//! The order determines the numbers of type variables and which binding is found first, and
//! therefore the messages. The walk uses its own stack, so no expression is too deep.

use super::scope::Scope;
use super::unify::{Side, Unifier};
use super::{CheckError, CheckErrorKind, Checked, Reference, Undeclared, validate};
use crate::env::Env;
use crate::expand::{Expansion, NodeId, NodeKind};
use crate::syntax::{Ast, ExprId, ExprKind, Literal, MAX_ERRORS, MacroKind};
use crate::types::Type;
use std::sync::Arc;
use text::Span;

/// The next action of the walk.
#[derive(Clone, Copy, Debug)]
pub(super) enum CheckStep {
    /// Finds the type of a node.
    Visit(NodeId),
    /// The operand of a field is known.
    Field(NodeId),
    /// The operand of an optional field is known.
    OptionalField(NodeId),
    /// The arguments of a call are known.
    Arguments(NodeId),
    /// The arguments and the target of a call are known.
    Target(NodeId),
    /// This many elements of a list are known.
    List(NodeId, usize),
    /// This many keys and values of a map are known.
    Map(NodeId, usize),
    /// This many fields of an object are known.
    Struct(NodeId, usize),
    /// The range and the first value of a loop are known.
    Range(NodeId),
    /// The condition of a loop is known.
    Condition(NodeId),
    /// The step of a loop is known.
    Accumulate(NodeId),
    /// The result of a loop is known.
    Result(NodeId),
}

/// An expression that is being checked.
pub(super) struct Checker<'a> {
    pub(super) ast: &'a Ast,
    pub(super) env: &'a Env,
    pub(super) expansion: &'a Expansion,
    pub(super) types: Vec<Type>,
    pub(super) references: Vec<Option<Reference>>,
    pub(super) declared: Vec<(ExprId, Type)>,
    pub(super) unifier: Unifier,
    pub(super) scope: Scope,
    /// The common type of the elements so far, for each open literal.
    pub(super) joined: Vec<Option<Type>>,
    /// The replacements of nodes.
    pub(super) rewritten: Vec<(NodeId, NodeKind)>,
    /// A buffer for qualified names.
    pub(super) buffer: String,
    /// A buffer for the types of arguments.
    pub(super) arguments: Vec<Type>,
    steps: Vec<CheckStep>,
    errors: Vec<CheckError>,
    error_count: usize,
}

pub(super) fn check(ast: &Ast, env: &Env, mut expansion: Arc<Expansion>) -> Checked {
    let mut checker = Checker::new(ast, env, &expansion);
    checker.run();
    checker.finish();
    let Checker {
        types,
        references,
        declared,
        mut errors,
        mut error_count,
        rewritten,
        ..
    } = checker;
    for (id, kind) in rewritten {
        Arc::make_mut(&mut expansion).replace(id, kind);
    }
    if error_count == 0 {
        for (node, kind) in validate::validate(env, &expansion, &types, &references) {
            error_count += 1;
            if errors.len() < MAX_ERRORS {
                let offset = expansion.node(node).map_or(0, |node| node.offset);
                errors.push(error(ast, &expansion, node, offset, kind));
            }
        }
    }
    errors.sort_by_cached_key(|error| error.offset);
    Checked {
        text: ast.shared_text(),
        expansion,
        types,
        references,
        declared,
        more_errors: error_count - errors.len(),
        errors,
    }
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast, env: &'a Env, expansion: &'a Expansion) -> Self {
        Self {
            ast,
            env,
            expansion,
            types: vec![Type::Error; expansion.len()],
            references: vec![None; expansion.len()],
            declared: Vec::new(),
            unifier: Unifier::default(),
            scope: Scope::default(),
            joined: Vec::new(),
            rewritten: Vec::new(),
            buffer: String::new(),
            arguments: Vec::new(),
            steps: Vec::with_capacity(16),
            errors: Vec::new(),
            error_count: 0,
        }
    }

    fn run(&mut self) {
        if !self.env.rules().optional_syntax && self.has_optional_syntax() {
            return;
        }
        if self.expansion.is_too_large() {
            self.report(self.expansion.root(), CheckErrorKind::TooLarge);
            return;
        }
        self.steps.push(CheckStep::Visit(self.expansion.root()));
        while let Some(step) = self.steps.pop() {
            if self.unifier.is_exhausted() {
                self.report(self.expansion.root(), CheckErrorKind::TooLarge);
                self.types.fill(Type::Error);
                return;
            }
            self.step(step);
        }
    }

    fn step(&mut self, step: CheckStep) {
        match step {
            CheckStep::Visit(node) => self.visit(node),
            CheckStep::Field(node) => self.field(node),
            CheckStep::OptionalField(node) => self.optional_field(node),
            CheckStep::Arguments(node) => self.call_with_arguments(node),
            CheckStep::Target(node) => self.call_with_target(node),
            CheckStep::List(node, known) => self.list(node, known),
            CheckStep::Map(node, known) => self.map(node, known),
            CheckStep::Struct(node, known) => self.fields(node, known),
            CheckStep::Range(node) => self.range(node),
            CheckStep::Condition(node) => self.condition(node),
            CheckStep::Accumulate(node) => self.accumulate(node),
            CheckStep::Result(node) => self.result(node),
        }
    }

    fn visit(&mut self, node: NodeId) {
        match self.expansion.kind(node) {
            NodeKind::Error => self.unread(node),
            NodeKind::Literal(literal) => self.set_type(node, literal_type(literal)),
            NodeKind::Ident(name) => self.ident(node, name),
            NodeKind::Select { .. } => self.select(node),
            NodeKind::Call { .. } => self.call(node),
            NodeKind::List { .. } => {
                self.joined.push(None);
                self.list(node, 0);
            }
            NodeKind::Map(_) => {
                self.joined.extend([None, None]);
                self.map(node, 0);
            }
            NodeKind::Struct { .. } => self.structure(node),
            NodeKind::Comprehension(it) => {
                self.push(CheckStep::Range(node));
                self.push(CheckStep::Visit(it.init));
                self.push(CheckStep::Visit(it.range));
            }
        }
    }

    /// Checks the parts that could be parsed of a malformed one.
    fn unread(&mut self, node: NodeId) {
        let origin = self.expansion.node(node).map(|node| node.origin);
        let Some(ExprKind::Error(parts)) = origin.map(|it| self.ast.kind(it)) else {
            return;
        };
        for part in parts.iter().rev() {
            if let Some(part) = self.expansion.of_expr(*part) {
                self.push(CheckStep::Visit(part));
            }
        }
    }

    pub(super) fn push(&mut self, step: CheckStep) {
        self.steps.push(step);
    }

    /// Returns the current type of a node.
    pub(super) fn type_of(&self, node: NodeId) -> Type {
        self.types.get(node.index()).cloned().unwrap_or(Type::Error)
    }

    /// Returns the type of a node with bound variables replaced.
    pub(super) fn resolved_type_of(&mut self, node: NodeId) -> Type {
        let ty = self.type_of(node);
        self.resolve(&ty)
    }

    pub(super) fn resolve(&mut self, ty: &Type) -> Type {
        self.unifier.resolve(Side::from_type(ty))
    }

    pub(super) fn set_type(&mut self, node: NodeId, ty: Type) {
        if let Some(cell) = self.types.get_mut(node.index()) {
            *cell = ty;
        }
    }

    pub(super) fn set_reference(&mut self, node: NodeId, reference: Reference) {
        if let Some(cell) = self.references.get_mut(node.index()) {
            *cell = Some(reference);
        }
    }

    pub(super) fn assign(&mut self, from: &Type, to: &Type) -> bool {
        self.unifier
            .assign(Side::from_type(from), Side::from_type(to))
    }

    /// Replaces unknown types by `dyn`.
    fn finish(&mut self) {
        for ty in &mut self.types {
            if !ty.is_leaf() {
                *ty = self.unifier.finish(std::mem::replace(ty, Type::Error));
            }
        }
        for (_, ty) in &mut self.declared {
            *ty = self.unifier.finish(std::mem::replace(ty, Type::Error));
        }
        self.declared.sort_by_key(|entry| entry.0);
        self.declared.dedup_by_key(|entry| entry.0);
    }

    pub(super) fn report(&mut self, node: NodeId, kind: CheckErrorKind) {
        let offset = self.expansion.node(node).map_or(0, |node| node.offset);
        self.report_at(node, offset, kind);
    }

    /// Reports an error of a node at another offset.
    pub(super) fn report_at(&mut self, node: NodeId, offset: u32, kind: CheckErrorKind) {
        self.error_count += 1;
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let error = error(self.ast, self.expansion, node, offset, kind);
        self.errors.push(error);
    }

    /// Returns whether there is syntax that this version does not have. cel-go reports it
    /// before it checks anything.
    fn has_optional_syntax(&mut self) -> bool {
        for id in self.ast.ids() {
            let (offset, syntax) = match self.ast.kind(id) {
                ExprKind::Select {
                    operator,
                    optional: true,
                    ..
                } => (operator.start(), ".?"),
                ExprKind::Index {
                    brackets,
                    optional: true,
                    ..
                } => (brackets.start(), "[?"),
                kind => match optional_part(self.ast, kind) {
                    Some(offset) => (offset, "?"),
                    None => continue,
                },
            };
            if let Some(node) = self.expansion.of_expr(id) {
                self.report_at(node, offset, CheckErrorKind::OptionalSyntax { syntax });
            }
        }
        !self.errors.is_empty()
    }
}

fn error(
    ast: &Ast,
    expansion: &Expansion,
    node: NodeId,
    offset: u32,
    kind: CheckErrorKind,
) -> CheckError {
    let origin = expansion.node(node).map(|node| node.origin);
    let expr = origin.unwrap_or_else(|| ast.root());
    CheckError {
        span: span(ast, expansion, node, expr, &kind),
        kind,
        node,
        expr,
        offset,
    }
}

/// Returns the part of the expression to underline.
fn span(
    ast: &Ast,
    expansion: &Expansion,
    node: NodeId,
    expr: ExprId,
    kind: &CheckErrorKind,
) -> Span {
    let is_generated = expansion.of_expr(expr) != Some(node);
    let names_field = matches!(
        kind,
        CheckErrorKind::UndefinedField { .. } | CheckErrorKind::NoFields { .. }
    );
    let names_function = matches!(
        kind,
        CheckErrorKind::UndeclaredReference {
            what: Undeclared::Function,
            ..
        }
    );
    let tested = ast
        .macro_call(expr)
        .filter(|call| names_field && call.kind == MacroKind::Has)
        .and_then(|call| call.body.first());
    let expr = tested.map_or(expr, |argument| ast.bare(*argument));
    match ast.kind(expr) {
        ExprKind::Select { field, .. } if names_field && !field.is_missing() => field.span,
        ExprKind::Call { function, .. } if names_function || is_generated => function.span,
        _ => ast.span(ast.bare(expr)),
    }
}

/// Returns the index of the first element of a literal with a `?`.
fn optional_part(ast: &Ast, kind: &ExprKind) -> Option<u32> {
    let before = match kind {
        ExprKind::List { elements } => ast.span(elements.iter().find(|it| it.optional)?.value),
        ExprKind::Map { entries } => ast.span(entries.iter().find(|it| it.optional)?.key),
        ExprKind::Struct { fields, .. } => fields.iter().find(|it| it.optional)?.name.span,
        _ => return None,
    };
    let text = ast.text().get(..before.start() as usize)?;
    u32::try_from(text.rfind('?')?).ok()
}

const fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}
