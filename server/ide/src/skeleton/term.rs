//! The meaning of a part of an expression: a field of the input, a value, or more CEL.

use super::draft::ValuePath;
use cel::syntax::MacroCall;
use cel::{Ast, ExprId, ExprKind, Value};
use std::rc::Rc;
use std::sync::Arc;

/// The meaning of a part of an expression.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// A path in the input.
    Path(ValuePath),
    /// A key of the map at a path.
    Key(ValuePath, Arc<str>),
    /// A value.
    Value(Value),
    /// The value of an expression.
    Code(Code),
}

/// A part of an expression, with the bindings of its macro variables.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// The index of the expression in the document.
    pub(super) expression: usize,
    pub(super) node: ExprId,
    pub(super) scope: Scope,
}

/// The values of macro variables, the innermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope(Option<Rc<Bound>>);

#[derive(Debug)]
struct Bound {
    name: Arc<str>,
    term: Term,
    outer: Scope,
}

impl Scope {
    pub(super) fn with(&self, name: &str, term: Term) -> Self {
        let (name, outer) = (Arc::from(name), self.clone());
        Self(Some(Rc::new(Bound { name, term, outer })))
    }

    /// Returns the variables, the innermost first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Term)> {
        fn outer<'b>(bound: &&'b Rc<Bound>) -> Option<&'b Rc<Bound>> {
            bound.outer.0.as_ref()
        }
        std::iter::successors(self.0.as_ref(), outer).map(|it| (&it.name, &it.term))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Term> {
        self.iter()
            .find(|(known, _)| ***known == *name)
            .map(|(_, term)| term)
    }
}

impl Code {
    pub(super) fn at(&self, node: ExprId) -> Self {
        Self {
            node,
            ..self.clone()
        }
    }

    /// Returns the code of a whole expression.
    pub(super) fn whole_expression(expression: usize, ast: &Ast) -> Self {
        Self {
            expression,
            node: ast.root(),
            scope: Scope::default(),
        }
    }
}

/// A call of a function or a method that is not a macro.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    pub(super) target: Option<ExprId>,
    pub(super) args: &'a [ExprId],
}

impl<'a> Call<'a> {
    pub(super) fn new(ast: &'a Ast, node: ExprId) -> Option<Self> {
        let ExprKind::Call {
            target,
            function,
            args,
            ..
        } = ast.kind(node)
        else {
            return None;
        };
        Some(Self {
            name: ast.name(*function),
            target: *target,
            args,
        })
    }

    /// Returns the operand: the receiver, or the first argument.
    pub(super) fn subject(self) -> Option<ExprId> {
        self.target.or(self.args.first().copied())
    }
}

/// Returns the scope in which the variables of a macro are bound to an element.
pub(super) fn bind(
    ast: &Ast,
    call: MacroCall<'_>,
    scope: &Scope,
    element: &Term,
    place: usize,
) -> Scope {
    let names: Vec<&str> = call
        .variables
        .iter()
        .filter_map(|it| ast.macro_variable(*it))
        .map(|name| ast.name(name))
        .collect();
    match (names.as_slice(), element) {
        ([name], _) => scope.with(name, element.clone()),
        ([key, value], Term::Key(map, name)) => {
            let entry = Term::Path(map.field(name));
            scope.with(key, element.clone()).with(value, entry)
        }
        ([index, value], _) => {
            let number = Term::Value(Value::Int(i64::try_from(place).unwrap_or_default()));
            scope.with(index, number).with(value, element.clone())
        }
        _ => scope.clone(),
    }
}
