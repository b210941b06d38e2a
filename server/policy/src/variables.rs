//! The variables of a policy: their definitions, uses and order.
//!
//! Kubernetes compiles variables from top to bottom, and each can use only those above it. So their
//! order matters, which surprises authors, and many rules use the same facts: undefined, out of
//! order, cyclic and unused variables.

use crate::document::Document;
use crate::environment::{Availability, availability};
use crate::expression::{Expression, Role};
use cel::syntax::{Ast, ExprId, ExprKind, IdentRole, Literal, is_identifier};
use foldhash::fast::RandomState;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use text::{Span, Suggestions, nearest};
use yaml::Node;

/// The variables of a document and all their uses.
#[derive(Debug)]
pub struct Variables<'d> {
    /// The definitions, in their order.
    pub definitions: Vec<VariableDefinition<'d>>,
    /// The uses, in the order of the file.
    pub uses: Vec<VariableUse<'d>>,
    by_name: HashMap<&'d str, Vec<usize>, RandomState>,
}

/// A definition of a variable.
#[derive(Clone, Copy, Debug)]
pub struct VariableDefinition<'d> {
    /// The entry of `spec.variables`.
    pub node: Node<'d>,
    /// The value of `name`, if any.
    pub name_node: Option<Node<'d>>,
    /// The name, where it is a string that is not empty.
    pub name: Option<&'d str>,
    /// The expression, if any.
    pub expression: Option<&'d Expression>,
}

/// A use of a variable.
#[derive(Clone, Copy, Debug)]
pub struct VariableUse<'d> {
    /// The expression that uses it.
    pub expression: &'d Expression,
    /// The name.
    pub name: &'d str,
    /// The name in the expression, with its quotes in an index.
    pub span: Span,
    /// The form of the use.
    pub form: UseForm,
    /// The variable whose expression this is.
    pub within: Option<usize>,
    /// Whether `variables` is available in that expression at all.
    pub available: bool,
}

/// The form of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UseForm {
    /// `variables.name`
    Field,
    /// `variables.?name`
    OptionalField,
    /// `variables['name']`, which Kubernetes does not accept.
    Index,
}

/// Limit: how many names each misspelled one is compared with.
const MAX_CANDIDATES: usize = 1_000;

impl<'d> Variables<'d> {
    /// Returns the variables of a document, empty if its kind has none.
    #[must_use]
    pub fn new(document: &'d Document) -> Self {
        let definitions = definitions(document);
        let mut by_name: HashMap<&str, Vec<usize>, RandomState> = HashMap::default();
        for (index, definition) in definitions.iter().enumerate() {
            if let Some(name) = definition.name {
                by_name.entry(name).or_default().push(index);
            }
        }
        let mut uses = Vec::new();
        for expression in document.expressions() {
            add_uses(document, expression, &mut uses);
        }
        Self {
            definitions,
            uses,
            by_name,
        }
    }

    /// Returns the definition of a name: the last of several, as in Kubernetes.
    #[must_use]
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name)?.last().copied()
    }

    /// Returns pairs of definitions with the same name: the first, and each later one.
    #[must_use]
    pub fn duplicates(&self) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = self
            .by_name
            .values()
            .filter_map(|indices| indices.split_first())
            .flat_map(|(first, others)| others.iter().map(|other| (*first, *other)))
            .collect();
        found.sort_by_cached_key(|(_, other)| *other);
        found
    }

    /// Returns uses of undefined names, each with the nearest defined name.
    #[must_use]
    pub fn undefined(&self) -> Vec<(&VariableUse<'d>, Option<&'d str>)> {
        let names = || {
            self.definitions
                .iter()
                .filter_map(|definition| definition.name)
                .filter(|name| is_identifier(name))
                .take(MAX_CANDIDATES)
        };
        let mut suggestions = Suggestions::default();
        self.uses
            .iter()
            .filter(|used| used.available && !self.by_name.contains_key(used.name))
            .map(|used| {
                let suggestion = suggestions.get(used.name, || nearest(used.name, names()));
                (used, suggestion)
            })
            .collect()
    }

    /// Uses of a variable above its definition or within it.
    pub fn too_early(&self) -> impl Iterator<Item = &VariableUse<'d>> {
        self.uses.iter().filter(|used| {
            let definitions = self.by_name.get(used.name);
            let first = definitions.and_then(|indices| indices.first());
            matches!((used.within, first), (Some(within), Some(first)) if *first >= within)
        })
    }

    /// Returns variables that no expression uses.
    #[must_use]
    pub fn unused(&self) -> Vec<usize> {
        let used: HashSet<&str, RandomState> = self
            .uses
            .iter()
            .filter(|used| {
                // A variable that is only used by itself is unused.
                let own = used.within.and_then(|index| self.definitions.get(index));
                own.and_then(|own| own.name) != Some(used.name)
            })
            .map(|used| used.name)
            .collect();
        let unused = |(index, definition): (usize, &VariableDefinition<'_>)| {
            let name = definition.name?;
            (!used.contains(name)).then_some(index)
        };
        self.definitions
            .iter()
            .enumerate()
            .filter_map(unused)
            .collect()
    }

    /// Returns cycles: lists of definitions in which each uses the next, and the last uses the
    /// first. Every definition is in at most one cycle.
    #[must_use]
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let edges = self.dependencies();
        let mut state = vec![State::New; edges.len()];
        let mut found = Vec::new();
        for start in 0..edges.len() {
            if state.get(start) == Some(&State::New) {
                find_cycles(start, &edges, &mut state, &mut found);
            }
        }
        found
    }

    /// Returns an order of the definitions in which each comes after those that it uses, and that
    /// otherwise keeps the order of the file. `None` if there is a cycle.
    #[must_use]
    pub fn order(&self) -> Option<Vec<usize>> {
        let edges = self.dependencies();
        let mut waiting: Vec<usize> = edges.iter().map(Vec::len).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
        for (user, needed) in edges.iter().enumerate() {
            for index in needed {
                users.get_mut(*index)?.push(user);
            }
        }
        let ready = waiting.iter().enumerate().filter(|(_, count)| **count == 0);
        let mut ready: BinaryHeap<Reverse<usize>> =
            ready.map(|(index, _)| Reverse(index)).collect();
        let mut order = Vec::with_capacity(edges.len());
        while let Some(Reverse(index)) = ready.pop() {
            order.push(index);
            for user in users.get(index)? {
                let count = waiting.get_mut(*user)?;
                *count -= 1;
                if *count == 0 {
                    ready.push(Reverse(*user));
                }
            }
        }
        (order.len() == edges.len()).then_some(order)
    }

    /// Returns the definitions that each definition uses, each once.
    pub(crate) fn dependencies(&self) -> Vec<Vec<usize>> {
        let mut edges = vec![Vec::new(); self.definitions.len()];
        for used in &self.uses {
            let target = self.index_of(used.name);
            let list = used.within.and_then(|index| edges.get_mut(index));
            if let (Some(target), Some(list)) = (target, list) {
                list.push(target);
            }
        }
        for list in &mut edges {
            list.sort_unstable();
            list.dedup();
        }
        edges
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// On the path from the start to here.
    Open,
    Done,
    /// In a known cycle.
    Circle,
}

/// Finds cycles by a depth-first search without recursion; an edge back to an open definition
/// closes a cycle.
fn find_cycles(
    start: usize,
    edges: &[Vec<usize>],
    state: &mut [State],
    found: &mut Vec<Vec<usize>>,
) {
    let mut path: Vec<(usize, usize)> = vec![(start, 0)];
    set(state, start, State::Open);
    while let Some((node, next)) = path.last_mut() {
        let target = edges.get(*node).and_then(|list| list.get(*next)).copied();
        *next += 1;
        let Some(target) = target else {
            if state.get(*node) == Some(&State::Open) {
                set(state, *node, State::Done);
            }
            path.pop();
            continue;
        };
        match state.get(target) {
            Some(State::New) => {
                set(state, target, State::Open);
                path.push((target, 0));
            }
            Some(State::Open) => {
                let from = path
                    .iter()
                    .position(|(node, _)| *node == target)
                    .unwrap_or(0);
                let circle: Vec<usize> = path.iter().skip(from).map(|(node, _)| *node).collect();
                let is_new = |node: &usize| state.get(*node) == Some(&State::Open);
                if circle.iter().all(is_new) {
                    circle
                        .iter()
                        .for_each(|node| set(state, *node, State::Circle));
                    found.push(circle);
                }
            }
            Some(State::Done | State::Circle) | None => {}
        }
    }
}

fn set(state: &mut [State], index: usize, value: State) {
    if let Some(cell) = state.get_mut(index) {
        *cell = value;
    }
}

fn definitions(document: &Document) -> Vec<VariableDefinition<'_>> {
    if !document.kind().is_policy() {
        return Vec::new();
    }
    let expressions: HashMap<usize, &Expression> = document
        .expressions()
        .iter()
        .filter_map(|expression| match expression.role {
            Role::Variable { index } => Some((index, expression)),
            _ => None,
        })
        .collect();
    let variables = document.policy().map(|policy| &policy.variables);
    let variables = variables.into_iter().flatten().enumerate();
    variables
        .map(|(index, variable)| {
            let name = variable.name.as_ref().map(|name| &*name.text);
            VariableDefinition {
                node: document.node(variable.at.node),
                name_node: variable.name_at.map(|at| document.node(at.node)),
                name: name.filter(|name| !name.trim().is_empty()),
                expression: expressions.get(&index).copied(),
            }
        })
        .collect()
}

fn add_uses<'d>(
    document: &'d Document,
    expression: &'d Expression,
    uses: &mut Vec<VariableUse<'d>>,
) {
    let ast = expression.ast();
    if !ast.text().contains("variables") {
        return;
    }
    let available = matches!(
        availability(document, expression.role, "variables"),
        Availability::Root(_)
    );
    let within = match expression.role {
        Role::Variable { index } => Some(index),
        _ => None,
    };
    let idents = expression.parse.idents();
    let roots: HashSet<ExprId, RandomState> = idents
        .iter()
        .filter(|ident| ident.role == IdentRole::Free && ast.name(ident.name) == "variables")
        .map(|ident| ident.id)
        .collect();
    let mut found: Vec<VariableUse<'d>> = ast
        .ids()
        .filter_map(|id| use_at(ast, id, &roots))
        .map(|(name, span, form)| VariableUse {
            expression,
            name,
            span,
            form,
            within,
            available,
        })
        .collect();
    found.sort_by_cached_key(|used| used.span);
    uses.append(&mut found);
}

/// Returns the variable that a node reads from `variables`.
fn use_at<'d>(
    ast: &'d Ast,
    id: ExprId,
    roots: &HashSet<ExprId, RandomState>,
) -> Option<(&'d str, Span, UseForm)> {
    match ast.kind(id) {
        ExprKind::Select {
            operand,
            optional,
            field,
            ..
        } if !field.is_missing() && roots.contains(&ast.unparenthesized(*operand)) => {
            let form = if *optional {
                UseForm::OptionalField
            } else {
                UseForm::Field
            };
            Some((ast.name(*field), field.span, form))
        }
        ExprKind::Index { operand, index, .. }
            if roots.contains(&ast.unparenthesized(*operand)) =>
        {
            let index = ast.unparenthesized(*index);
            match ast.kind(index) {
                ExprKind::Literal(Literal::String(name)) => {
                    Some((name, ast.span(index), UseForm::Index))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
