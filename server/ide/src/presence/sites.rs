//! Collects the sites of a document that can fail, in order of evaluation.
//!
//! Each site has the facts that hold there. A variable is analyzed at its uses, since it is
//! evaluated only there and the guards around a use protect it.

use super::analysis::{Analysis, Scope};
use super::fact_set::FactSet;
use super::patch::Patch;
use super::term::TermId;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, MacroCall, MacroKind};
use policy::Expression;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The kind of access at a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SiteKind {
    /// A field or an entry is read: `object.spec`, `labels['a']`.
    Read,
    /// A field is tested for presence, or an optional is read, which also works on null.
    Test,
    /// An operator or a function with these operands.
    Operation(Box<[TermId]>),
    /// A JSON patch is created, which is applied after the expression.
    Patch(Arc<Patch>),
}

/// A site that can fail.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The index of the expression in the document.
    pub(crate) expression: usize,
    /// The node.
    pub(crate) id: ExprId,
    /// The kind of access.
    pub(crate) kind: SiteKind,
    /// The value that is read, or the result of the operation.
    pub(crate) term: TermId,
    /// The facts at the site.
    pub(crate) facts: Arc<SiteFacts>,
    /// The use of the variable whose expression this is: the index of the expression, and the node.
    /// `None` if the expression is evaluated by itself.
    pub(crate) used_at: Option<(usize, ExprId)>,
}

/// The sites of an expression, in order of evaluation.
pub(super) type Sites = Arc<[Site]>;

/// The facts at a site, which adjacent sites share.
#[derive(Debug, Default)]
pub(crate) struct SiteFacts {
    set: FactSet,
    /// For each case of the unit, whether it is possible with these facts.
    possible: OnceLock<Box<[bool]>>,
}

impl PartialEq for SiteFacts {
    fn eq(&self, other: &Self) -> bool {
        self.set == other.set
    }
}

impl Eq for SiteFacts {}

impl SiteFacts {
    pub(super) fn new(set: FactSet) -> Arc<Self> {
        Arc::new(Self {
            set,
            possible: OnceLock::new(),
        })
    }

    /// Returns for each case of the unit whether it is possible, computed once by `find`.
    pub(super) fn possible(&self, find: impl FnOnce(&FactSet) -> Box<[bool]>) -> &[bool] {
        self.possible.get_or_init(|| find(&self.set))
    }
}

impl Deref for SiteFacts {
    type Target = FactSet;

    fn deref(&self) -> &FactSet {
        &self.set
    }
}

/// A walk through one expression and the variables that it uses.
pub(super) struct SiteCollector<'a, 'd> {
    analysis: &'a mut Analysis<'d>,
    sites: Vec<Site>,
    used_at: Option<(usize, ExprId)>,
    /// The variables that the walk has visited, with the facts at that time.
    visited: Vec<(usize, Arc<SiteFacts>)>,
}

impl<'a, 'd> SiteCollector<'a, 'd> {
    /// Returns the sites of an expression that is evaluated with these facts.
    pub(super) fn sites(
        analysis: &'a mut Analysis<'d>,
        index: usize,
        expression: &'d Expression,
        facts: &Arc<SiteFacts>,
    ) -> Sites {
        let mut collector = Self {
            analysis,
            sites: Vec::with_capacity(16),
            used_at: None,
            visited: Vec::new(),
        };
        let scope = Scope::new(index, expression);
        collector.walk(&scope, expression.ast().root(), facts);
        collector.sites.into()
    }

    /// Visits a node. Returns its value, if it is computed.
    fn walk(&mut self, scope: &Scope<'d>, id: ExprId, facts: &Arc<SiteFacts>) -> Option<TermId> {
        if facts.is_impossible() || !self.analysis.enter() {
            return None;
        }
        let term = self.visit(scope, id, facts);
        self.analysis.leave();
        term
    }

    /// Visits a node. Returns its value.
    fn value(&mut self, scope: &Scope<'d>, id: ExprId, facts: &Arc<SiteFacts>) -> TermId {
        let term = self.walk(scope, id, facts);
        term.unwrap_or_else(|| self.analysis.term(scope, id))
    }

    fn visit(&mut self, scope: &Scope<'d>, id: ExprId, facts: &Arc<SiteFacts>) -> Option<TermId> {
        let ast = scope.ast();
        match ast.kind(id) {
            ExprKind::Select { operand, field, .. } => match self.analysis.variable(scope, id) {
                Some(variable) => self.variable(scope, id, &variable, facts),
                None => {
                    let of = self.value(scope, *operand, facts);
                    let name = scope.property(ast.name(*field));
                    let term = self.analysis.terms.field(of, &name);
                    return Some(self.read(scope, id, term, facts));
                }
            },
            ExprKind::Index { operand, index, .. } => {
                return Some(self.index(scope, id, (*operand, *index), facts));
            }
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => return self.binary(scope, id, *operator, (*left, *right), facts),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => {
                let branches = [(*then, true), (*otherwise, false)];
                self.conditional(scope, *condition, branches, facts);
            }
            ExprKind::Call { target, args, .. } => match ast.macro_call(id) {
                Some(call) => self.macro_call(scope, call, facts),
                None => {
                    let parts: Vec<ExprId> = target.iter().chain(args).copied().collect();
                    return Some(self.call(scope, id, &parts, facts));
                }
            },
            _ => self.parts(scope, id, facts),
        }
        None
    }

    /// Visits the parts of an index. Returns its value.
    fn index(
        &mut self,
        scope: &Scope<'d>,
        id: ExprId,
        (operand, index): (ExprId, ExprId),
        facts: &Arc<SiteFacts>,
    ) -> TermId {
        let key = self.value(scope, index, facts);
        let of = self.value(scope, operand, facts);
        let term = self.analysis.terms.index(of, key);
        self.read(scope, id, term, facts)
    }

    /// Visits the target and the arguments of a call. Returns its value.
    fn call(
        &mut self,
        scope: &Scope<'d>,
        id: ExprId,
        parts: &[ExprId],
        facts: &Arc<SiteFacts>,
    ) -> TermId {
        let terms = parts.iter().map(|part| self.value(scope, *part, facts));
        let terms = terms.collect();
        let term = self.analysis.term(scope, id);
        self.note(scope, id, SiteKind::Operation(terms), term, facts);
        term
    }

    /// Visits the parts of a node, and the JSON patch that it creates.
    fn parts(&mut self, scope: &Scope<'d>, id: ExprId, facts: &Arc<SiteFacts>) {
        let parts = scope.ast().children(id);
        for part in parts {
            self.walk(scope, part, facts);
        }
        if let Some(patch) = self.analysis.patch(scope, id) {
            let term = self.analysis.term(scope, id);
            self.note(scope, id, SiteKind::Patch(Arc::new(patch)), term, facts);
        }
    }

    fn conditional(
        &mut self,
        scope: &Scope<'d>,
        condition: ExprId,
        branches: [(ExprId, bool); 2],
        facts: &Arc<SiteFacts>,
    ) {
        self.walk(scope, condition, facts);
        for (branch, truth) in branches {
            let known = self.after(scope, condition, truth, facts);
            self.walk(scope, branch, &known);
        }
    }

    /// Returns the facts that follow if a condition has this value.
    fn after(
        &mut self,
        scope: &Scope<'d>,
        condition: ExprId,
        truth: bool,
        facts: &Arc<SiteFacts>,
    ) -> Arc<SiteFacts> {
        let new = self.analysis.assume(scope, condition, truth);
        self.with(facts, &new.closed(&self.analysis.terms))
    }

    fn with(&self, facts: &Arc<SiteFacts>, new: &FactSet) -> Arc<SiteFacts> {
        if *new == FactSet::default() {
            return Arc::clone(facts);
        }
        let terms = &self.analysis.terms;
        SiteFacts::new(facts.set.clone().and(new).resolved(terms).closed(terms))
    }

    fn binary(
        &mut self,
        scope: &Scope<'d>,
        id: ExprId,
        operator: BinaryOperator,
        (left, right): (ExprId, ExprId),
        facts: &Arc<SiteFacts>,
    ) -> Option<TermId> {
        let truth = match operator {
            BinaryOperator::And => true,
            BinaryOperator::Or => false,
            _ => {
                let terms = [left, right].map(|part| self.value(scope, part, facts));
                let term = self.analysis.terms.call(operator.symbol(), &terms);
                self.note(scope, id, SiteKind::Operation(terms.into()), term, facts);
                return Some(term);
            }
        };
        // A failure of one side does not matter if the other side decides, in either order.
        let later = self.analysis.assume(scope, right, truth);
        let known = SiteFacts::new(facts.set.clone().and(&later).resolved(&self.analysis.terms));
        self.walk(scope, left, &known);
        let known = self.after(scope, left, truth, facts);
        self.walk(scope, right, &known);
        None
    }

    fn note(
        &mut self,
        scope: &Scope<'d>,
        id: ExprId,
        kind: SiteKind,
        term: TermId,
        facts: &Arc<SiteFacts>,
    ) {
        if self.analysis.is_exhausted() {
            return;
        }
        self.sites.push(Site {
            expression: scope.index,
            id,
            kind,
            term,
            facts: Arc::clone(facts),
            used_at: self.used_at,
        });
    }

    /// Notes a read of a field or an entry. Returns its value.
    fn read(
        &mut self,
        scope: &Scope<'d>,
        id: ExprId,
        term: TermId,
        facts: &Arc<SiteFacts>,
    ) -> TermId {
        let ast = scope.ast();
        let is_optional_old = scope.expression.role.optional_old_self();
        let optional = is_optional_old.then_some("oldSelf");
        let kind = if is_optional(ast, id, optional) {
            SiteKind::Test
        } else {
            SiteKind::Read
        };
        self.note(scope, id, kind, term, facts);
        term
    }

    fn variable(
        &mut self,
        scope: &Scope<'d>,
        id: ExprId,
        variable: &Scope<'d>,
        facts: &Arc<SiteFacts>,
    ) {
        let known = |(index, then): &(usize, Arc<SiteFacts>)| {
            *index == variable.index && then.set == facts.set
        };
        if self.visited.iter().any(known) {
            return;
        }
        self.visited.push((variable.index, Arc::clone(facts)));
        let before = self.used_at;
        self.used_at = before.or(Some((scope.index, id)));
        self.walk(variable, variable.ast().root(), facts);
        self.used_at = before;
    }

    fn macro_call(&mut self, scope: &Scope<'d>, call: MacroCall<'d>, facts: &Arc<SiteFacts>) {
        if call.kind == MacroKind::Has {
            for body in call.body {
                self.test(scope, *body, facts);
            }
            return;
        }
        let Some(target) = call.target else {
            return;
        };
        self.walk(scope, target, facts);
        if matches!(call.kind, MacroKind::OptMap | MacroKind::OptFlatMap) {
            self.optional(scope, call, target, facts);
            return;
        }
        let iteration = self.analysis.iteration(scope, target);
        let inner = self.analysis.bound(scope, call, &iteration);
        let mut known = self.analysis.own_entries(&iteration).and(&iteration.facts);
        if self.analysis.is_or_empty(scope, target) {
            // There is an element, so it is not the empty default.
            let range = self.analysis.term(scope, target);
            known = known.and(&self.analysis.all_present(range));
        }
        let known = self.with(facts, &known);
        let mut body = call.body.iter();
        if let [condition, _] = call.body {
            body.next();
            self.walk(&inner, *condition, &known);
            let known = self.after(&inner, *condition, true, &known);
            for body in body {
                self.walk(&inner, *body, &known);
            }
            return;
        }
        for body in body {
            self.walk(&inner, *body, &known);
        }
    }

    /// Visits `x.optMap(v, …)`, whose body is evaluated only if the value is present.
    fn optional(
        &mut self,
        scope: &Scope<'d>,
        call: MacroCall<'d>,
        target: ExprId,
        facts: &Arc<SiteFacts>,
    ) {
        let ast = scope.ast();
        let value = self.analysis.term(scope, target);
        let known = self.analysis.all_present(value);
        let mut names = call.variables.iter();
        let name = names.next().and_then(|it| ast.macro_variable(*it));
        let inner = scope.with(name.map(|name| (ast.name(name), value)));
        let known = self.with(facts, &known);
        for body in call.body {
            self.walk(&inner, *body, &known);
        }
    }

    /// Visits the field in `has(x.field)`, which may be missing.
    fn test(&mut self, scope: &Scope<'d>, id: ExprId, facts: &Arc<SiteFacts>) {
        let ast = scope.ast();
        let id = ast.unparenthesized(id);
        match ast.kind(id) {
            ExprKind::Select { operand, .. } if self.analysis.variable(scope, id).is_none() => {
                self.walk(scope, *operand, facts);
                let term = self.analysis.term(scope, id);
                self.note(scope, id, SiteKind::Test, term, facts);
            }
            _ => {}
        }
    }
}

/// Returns whether the value of a node is an optional, so that further reads never fail. `root` is
/// the variable with an optional value.
fn is_optional(ast: &Ast, id: ExprId, root: Option<&str>) -> bool {
    let mut at = id;
    loop {
        at = match ast.kind(at) {
            ExprKind::Paren(inner) => *inner,
            ExprKind::Select {
                operand, optional, ..
            }
            | ExprKind::Index {
                operand, optional, ..
            } => {
                if *optional {
                    return true;
                }
                *operand
            }
            ExprKind::Call {
                target, function, ..
            } => {
                let name = ast.name(*function);
                return match target {
                    Some(_) => ["or", "optMap", "optFlatMap", "first", "last"].contains(&name),
                    None => false,
                } || ["of", "none", "ofNonZeroValue"].contains(&name);
            }
            ExprKind::Ident { name, .. } => return root == Some(ast.name(*name)),
            _ => return false,
        };
    }
}
