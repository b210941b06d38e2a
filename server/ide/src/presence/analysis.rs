//! The state of the analysis of a document: its terms and scopes.

use super::fact_set::FactSet;
use super::term::{Constant, Root, TermId, Terms};
use cel::syntax::{Ast, Element, Entry, ExprId, ExprKind, Literal, MacroKind};
use foldhash::fast::RandomState;
use kubernetes::names::unescape;
use policy::{Expression, PolicyDocument, Role};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Limit: the depth to which an analysis follows an expression, its variables and parts.
const MAX_DEPTH: u32 = 120;

/// Limit: the parts that the analysis of one document visits, including variables at every use. A
/// hundred validations of the usual size need a tenth of it.
const MAX_STEPS: u32 = 200_000;

/// The position in an expression during the analysis.
#[derive(Clone)]
pub(super) struct Scope<'d> {
    /// The index in [`PolicyDocument::expressions`].
    pub(super) index: usize,
    pub(super) expression: &'d Expression,
    /// The variables of macros, inner ones last.
    pub(super) bindings: Vec<(&'d str, TermId)>,
}

impl<'d> Scope<'d> {
    pub(super) fn new(index: usize, expression: &'d Expression) -> Self {
        Self {
            index,
            expression,
            bindings: Vec::new(),
        }
    }

    pub(super) fn ast(&self) -> &'d Ast {
        self.expression.ast()
    }

    /// Returns the scope with variables of a macro added.
    pub(super) fn with(&self, bindings: impl IntoIterator<Item = (&'d str, TermId)>) -> Self {
        let mut scope = self.clone();
        scope.bindings.extend(bindings);
        scope
    }

    /// Returns the property to which a name after a dot refers. Rules of a definition escape some
    /// names.
    pub(super) fn property<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let is_rule = self.expression.role.schema().is_some();
        let property = is_rule.then(|| unescape(name)).flatten();
        property.unwrap_or(Cow::Borrowed(name))
    }

    fn bound(&self, name: &str) -> Option<TermId> {
        let mut bindings = self.bindings.iter().rev();
        bindings
            .find(|(bound, _)| *bound == name)
            .map(|(_, term)| *term)
    }
}

/// The state of an analysis.
pub(super) struct Analysis<'d> {
    pub(super) terms: Terms,
    /// The variables of the policy by name: their index among the variables and among the
    /// expressions.
    variables: HashMap<&'d str, (usize, usize, &'d Expression), RandomState>,
    variable_terms: HashMap<usize, TermId, RandomState>,
    pub(super) variable_facts: HashMap<(usize, bool), FactSet, RandomState>,
    depth: u32,
    steps: u32,
}

impl<'d> Analysis<'d> {
    pub(super) fn new(document: &'d PolicyDocument) -> Self {
        let mut variables = HashMap::default();
        for (index, expression) in document.expressions().iter().enumerate() {
            if let Role::Variable { index: place } = expression.role
                && let Some(name) = document.variable_name(expression)
                && document
                    .checked(expression)
                    .is_some_and(|it| it.answer().is_ok())
            {
                variables.insert(name, (place, index, expression));
            }
        }
        Self {
            terms: Terms::default(),
            variables,
            variable_terms: HashMap::default(),
            variable_facts: HashMap::default(),
            depth: 0,
            steps: MAX_STEPS,
        }
    }

    /// Returns whether the analysis has given up, so that it finds no more guards.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    /// Returns the steps that are left.
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    /// Deducts the steps that reused results needed.
    pub(super) fn spend(&mut self, steps: u32) {
        self.steps = self.steps.saturating_sub(steps);
    }

    /// Calls a function one level deeper. `None` if this is too deep.
    pub(super) fn deeper<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if !self.enter() {
            return None;
        }
        let value = what(self);
        self.leave();
        Some(value)
    }

    /// Returns whether the analysis can go one level deeper. [`Analysis::leave`] ends the level.
    pub(super) fn enter(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        if self.depth >= MAX_DEPTH {
            self.steps = 0;
        }
        if self.steps == 0 {
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the index and the expression of a variable of the policy.
    pub(super) fn variable_named(&self, name: &str) -> Option<(usize, &'d Expression)> {
        let (_, index, expression) = self.variables.get(name)?;
        Some((*index, expression))
    }

    /// Returns the scope of the variable to which a node refers: `variables.name`.
    pub(super) fn variable(&self, scope: &Scope<'d>, id: ExprId) -> Option<Scope<'d>> {
        let ast = scope.ast();
        let ExprKind::Select { operand, field, .. } = ast.kind(id) else {
            return None;
        };
        let ExprKind::Ident { name, .. } = ast.kind(ast.unparenthesized(*operand)) else {
            return None;
        };
        if ast.name(*name) != "variables" || scope.bound("variables").is_some() {
            return None;
        }
        let (place, index, expression) = *self.variables.get(ast.name(*field))?;
        // A variable can read only earlier variables.
        if let Role::Variable { index: own } = scope.expression.role
            && place >= own
        {
            return None;
        }
        Some(Scope::new(index, expression))
    }

    /// Returns the value of a node.
    pub(super) fn term(&mut self, scope: &Scope<'d>, id: ExprId) -> TermId {
        match self.deeper(|this| this.term_of(scope, id)) {
            Some(term) => term,
            None => self.terms.unique(),
        }
    }

    fn term_of(&mut self, scope: &Scope<'d>, id: ExprId) -> TermId {
        let ast = scope.ast();
        match ast.kind(id) {
            ExprKind::Paren(inner) => self.term(scope, *inner),
            ExprKind::Literal(literal) => {
                let constant = constant(literal, ast.slice(ast.span(id)));
                self.terms.constant(constant)
            }
            ExprKind::Ident { name, .. } => self.name(scope, ast.name(*name)),
            ExprKind::Select { operand, field, .. } => match self.variable(scope, id) {
                Some(variable) => self.variable_term(&variable),
                None => {
                    let of = self.term(scope, *operand);
                    self.terms.field(of, &scope.property(ast.name(*field)))
                }
            },
            ExprKind::Index { operand, index, .. } => {
                let of = self.term(scope, *operand);
                let key = self.term(scope, *index);
                self.terms.index(of, key)
            }
            ExprKind::List { elements } => self.list(scope, elements),
            ExprKind::Map { entries } => self.map(scope, entries),
            ExprKind::Call { .. } => self.call_term(scope, id),
            _ => self.operator(scope, ast.kind(id)),
        }
    }

    fn operator(&mut self, scope: &Scope<'d>, kind: &ExprKind) -> TermId {
        match kind {
            ExprKind::Unary {
                operator,
                count,
                operand,
                ..
            } => match count % 2 {
                0 => self.term(scope, *operand),
                _ => self.call(operator.symbol(), scope, [*operand]),
            },
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => self.call(operator.symbol(), scope, [*left, *right]),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => self.conditional(scope, *condition, *then, *otherwise),
            _ => self.terms.unique(),
        }
    }

    fn name(&mut self, scope: &Scope<'d>, name: &str) -> TermId {
        if let Some(bound) = scope.bound(name) {
            return bound;
        }
        match Root::named(name) {
            Some(root) => self.terms.root(root),
            None => self.terms.call(name, &[]),
        }
    }

    fn call(
        &mut self,
        name: &str,
        scope: &Scope<'d>,
        args: impl IntoIterator<Item = ExprId>,
    ) -> TermId {
        let args: Vec<_> = args.into_iter().map(|arg| self.term(scope, arg)).collect();
        self.terms.call(name, &args)
    }

    /// Returns the value of `c ? a : b`: the value of `a` if `b` is empty, since any element is an
    /// element of `a`.
    fn conditional(
        &mut self,
        scope: &Scope<'d>,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> TermId {
        let one = self.term(scope, then);
        let other = self.term(scope, otherwise);
        let empty = |term: TermId| self.terms.as_constant(term) == Some(&Constant::Empty);
        if one == other || empty(other) {
            return one;
        }
        if empty(one) {
            return other;
        }
        let condition = self.term(scope, condition);
        self.terms.call("?:", &[condition, one, other])
    }

    fn list(&mut self, scope: &Scope<'d>, elements: &[Element]) -> TermId {
        if elements.is_empty() {
            return self.terms.constant(Constant::Empty);
        }
        self.call("[]", scope, elements.iter().map(|element| element.value))
    }

    fn map(&mut self, scope: &Scope<'d>, entries: &[Entry]) -> TermId {
        if entries.is_empty() {
            return self.terms.constant(Constant::Empty);
        }
        let parts = entries.iter().flat_map(|entry| [entry.key, entry.value]);
        self.call("{}", scope, parts)
    }

    fn call_term(&mut self, scope: &Scope<'d>, id: ExprId) -> TermId {
        let ast = scope.ast();
        let ExprKind::Call {
            target,
            function,
            args,
            ..
        } = ast.kind(id)
        else {
            return self.terms.unique();
        };
        let name = ast.name(*function);
        match (name, target, &**args) {
            ("dyn", None, [inner]) => return self.term(scope, *inner),
            ("value", Some(inner), []) => return self.term(scope, *inner),
            ("orValue", Some(inner), [default]) => {
                let default = self.term(scope, *default);
                let inner = self.term(scope, *inner);
                if self.terms.as_constant(default) == Some(&Constant::Empty) {
                    return inner;
                }
                return self.terms.call(name, &[inner, default]);
            }
            _ => {}
        }
        match ast.macro_call(id) {
            Some(call) if call.kind != MacroKind::Has => {
                // The body uses names that are defined only inside it.
                if scope.bindings.is_empty() {
                    let text = format!("{} {}", scope.index, ast.slice(ast.span(id)));
                    self.terms.call(&text, &[])
                } else {
                    self.terms.unique()
                }
            }
            _ => self.call(name, scope, target.iter().chain(args).copied()),
        }
    }

    fn variable_term(&mut self, variable: &Scope<'d>) -> TermId {
        if let Some(term) = self.variable_terms.get(&variable.index) {
            return *term;
        }
        let term = self.term(variable, variable.ast().root());
        self.variable_terms.insert(variable.index, term);
        term
    }
}

fn constant(literal: &Literal, text: &str) -> Constant {
    match literal {
        Literal::Null => Constant::Null,
        Literal::Bool(value) => Constant::Bool(*value),
        Literal::Int(value) => Constant::Int(*value),
        Literal::String(value) => Constant::Text(Arc::from(&**value)),
        Literal::Uint(_) | Literal::Double(_) | Literal::Bytes(_) => {
            Constant::Other(Arc::from(text))
        }
    }
}
