//! A walk through an expression from its leaves up, which gives every value its type and
//! notes the names that refer to nothing.

use super::check::{Checked, Shared, VariableTypes};
use super::problem::{Problem, ProblemKind};
use super::value::{FieldType, Receiver, Resource, ValueType};
use crate::crd::Schema;
use crate::document::PolicyDocument;
use crate::environment::{Availability, RootType, TYPE_PACKAGES, availability, roots};
use crate::expression::Expression;
use crate::names::{escape, unescape};
use cel::syntax::{
    Ast, BinaryOperator, Binding, ExprId, ExprKind, IdentRole, Literal, MacroKind, Name,
    UnaryOperator,
};
use std::borrow::Cow;
use text::{Span, nearest};

pub(super) struct Walk<'d, 'v> {
    pub(super) shared: &'v mut Shared<'d>,
    document: &'d PolicyDocument,
    pub(super) expression: &'d Expression,
    pub(super) ast: &'d Ast,
    variables: &'v VariableTypes<'d>,
    /// What each identifier is; `None` for other nodes, and for those that cel-go does not
    /// look at.
    pub(super) idents: Vec<Option<IdentRole>>,
    /// Nodes that are a part of a name or that cel-go does not look at.
    skipped: Vec<bool>,
    types: Vec<ValueType<'d>>,
    pub(super) checked: Checked,
}

impl<'d, 'v> Walk<'d, 'v> {
    pub(super) fn new(
        document: &'d PolicyDocument,
        expression: &'d Expression,
        variables: &'v VariableTypes<'d>,
        shared: &'v mut Shared<'d>,
    ) -> Self {
        let ast = expression.ast();
        Self {
            shared,
            document,
            expression,
            ast,
            variables,
            idents: vec![None; ast.len()],
            skipped: vec![false; ast.len()],
            types: Vec::with_capacity(ast.len()),
            checked: Checked::default(),
        }
    }

    pub(super) fn run(&mut self) -> ValueType<'d> {
        if !self.expression.parse.is_ok() {
            return ValueType::Unknown;
        }
        for ident in self.ast.idents(self.ast.root(), &[]) {
            if let Some(cell) = self.idents.get_mut(ident.id.index()) {
                *cell = Some(ident.role);
            }
        }
        self.skip();
        for id in self.ast.ids() {
            let ty = if self.is_skipped(id) {
                ValueType::Unknown
            } else {
                self.node(id)
            };
            self.types.push(ty);
        }
        let result = self.ty(self.ast.root());
        self.checked.result = result.name().map(str::to_owned);
        result
    }

    pub(super) fn ty(&self, id: ExprId) -> ValueType<'d> {
        self.types
            .get(id.index())
            .copied()
            .unwrap_or(ValueType::Unknown)
    }

    fn is_skipped(&self, id: ExprId) -> bool {
        self.skipped.get(id.index()).copied().unwrap_or(true)
    }

    /// Marks the names of namespaced functions, and what stands in objects of unknown type.
    fn skip(&mut self) {
        let mut roots = Vec::new();
        for id in self.ast.ids() {
            match self.ast.kind(id) {
                ExprKind::Call {
                    target: Some(target),
                    function: name,
                    ..
                } if self.namespaced(*target, *name).is_some() => roots.push(*target),
                ExprKind::Struct {
                    type_name, fields, ..
                } if self.type_of_struct(type_name).is_none() => {
                    roots.extend(fields.iter().map(|field| field.value));
                }
                _ => {}
            }
        }
        for root in roots {
            for id in self.ast.descendants(root) {
                if let Some(cell) = self.skipped.get_mut(id.index()) {
                    *cell = true;
                }
            }
        }
    }

    fn node(&mut self, id: ExprId) -> ValueType<'d> {
        match self.ast.kind(id) {
            ExprKind::Literal(literal) => ValueType::Named(literal_name(literal)),
            ExprKind::Ident { name, .. } => self.ident(id, *name),
            ExprKind::Unary {
                operator, operand, ..
            } => match operator {
                UnaryOperator::Not => ValueType::Named("bool"),
                UnaryOperator::Negate => numeric(self.ty(*operand)),
            },
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => self.binary(*operator, *left, *right),
            ExprKind::Conditional {
                then, otherwise, ..
            } => same(self.ty(*then), self.ty(*otherwise)),
            ExprKind::Paren(inner) => self.ty(*inner),
            ExprKind::Struct {
                type_name, braces, ..
            } => self.object(type_name, *braces),
            ExprKind::Select { .. } | ExprKind::Index { .. } | ExprKind::Call { .. } => {
                self.member(id)
            }
            ExprKind::Error(_) | ExprKind::List { .. } | ExprKind::Map { .. } => ValueType::Unknown,
        }
    }

    /// A field, an element or a call.
    fn member(&mut self, id: ExprId) -> ValueType<'d> {
        let (ty, optional) = match self.ast.kind(id) {
            ExprKind::Select {
                operand,
                operator,
                optional,
                field,
            } => (self.select(*operand, *operator, *field), *optional),
            ExprKind::Index {
                operand,
                brackets,
                index,
                optional,
            } => (self.index(*operand, *brackets, *index), *optional),
            ExprKind::Call {
                target,
                function,
                parens,
                ..
            } => match self.ast.macro_call(id) {
                Some(call) => (self.macro_result(&call), false),
                None => (self.call(*target, *function, *parens), false),
            },
            _ => (ValueType::Unknown, false),
        };
        if optional { ValueType::Unknown } else { ty }
    }

    fn ident(&mut self, id: ExprId, name: Name) -> ValueType<'d> {
        match self.idents.get(id.index()).copied().flatten() {
            Some(IdentRole::Bound(binding)) => self.bound(binding),
            Some(IdentRole::Free) => self.root(name),
            Some(IdentRole::Declaration(_)) | None => ValueType::Unknown,
        }
    }

    /// The type of the variable of a macro.
    fn bound(&self, binding: Binding) -> ValueType<'d> {
        let Some(call) = self.ast.macro_call(binding.call) else {
            return ValueType::Unknown;
        };
        let range = match (call.kind, call.target) {
            (MacroKind::OptMap | MacroKind::OptFlatMap, _) | (_, None) => ValueType::Unknown,
            (_, Some(target)) => self.ty(target),
        };
        let [first, second] = range.iterated(call.variables.len());
        let declared = call
            .variables
            .first()
            .and_then(|it| self.ast.macro_variable(*it));
        if declared == Some(binding.name) {
            first
        } else {
            second
        }
    }

    fn root(&mut self, name: Name) -> ValueType<'d> {
        let text = self.ast.name(name);
        let absence = match availability(self.document, self.expression.role, text) {
            Availability::Type => return ValueType::Unknown,
            Availability::Root(root) => return self.root_type(root.ty),
            Availability::Absent(absence) => Some(absence),
            Availability::Unknown => None,
        };
        let known = roots(self.document, self.expression.role);
        let nearest = nearest(text, known.iter().map(|root| root.name));
        let kind = ProblemKind::UndeclaredName {
            name: text.to_owned(),
            absence,
            nearest,
        };
        self.fail(name.span.start(), undeclared(text));
        self.problem(name.span, kind)
    }

    fn root_type(&self, ty: RootType) -> ValueType<'d> {
        match ty {
            RootType::Dyn => ValueType::Raw,
            RootType::Object(ty) => ValueType::Object(ty),
            RootType::Authorizer => ValueType::Named("kubernetes.authorization.Authorizer"),
            RootType::Variables => ValueType::Variables,
            RootType::OptionalSchema => ValueType::Unknown,
            RootType::Schema => {
                let Some(id) = self.expression.role.schema() else {
                    return ValueType::Unknown;
                };
                let resource = if self.shared.resource_schemas.contains(&id) {
                    Resource::Whole
                } else {
                    Resource::Part
                };
                Schema::new(self.document.node(id)).map_or(ValueType::Unknown, |schema| {
                    ValueType::of_schema(schema, resource)
                })
            }
        }
    }

    fn select(&mut self, operand: ExprId, operator: Span, field: Name) -> ValueType<'d> {
        let name = self.ast.name(field);
        let receiver = self.ty(operand);
        if let ValueType::Variables = receiver {
            return self.variable(operator, field);
        }
        if let ValueType::Raw = receiver {
            self.escaped_at_admission(field);
        }
        match receiver.field(name, &mut self.shared.properties) {
            FieldType::Found(ty) => ty,
            FieldType::Undefined(receiver) => self.undefined(operator, field, receiver),
        }
    }

    fn variable(&mut self, operator: Span, field: Name) -> ValueType<'d> {
        let name = self.ast.name(field);
        match self.variables.get(name, self.expression.role) {
            Some(ty) => ty,
            None => self.undefined(operator, field, Receiver::Variables),
        }
    }

    fn undefined(&mut self, operator: Span, field: Name, receiver: Receiver<'d>) -> ValueType<'d> {
        let name = self.ast.name(field).to_owned();
        let nearest = self
            .shared
            .suggest()
            .then(|| receiver.nearest(&name))
            .flatten();
        self.fail(operator.start(), format!("undefined field '{name}'"));
        // A property such as `a__b` can be typed after a dot, but its name in CEL is another.
        if let Receiver::Schema(schema) = receiver
            && escape(&name).is_some_and(|identifier| identifier != name)
            && self.shared.properties.get(schema, &name).is_some()
        {
            return self.unescaped(field.span, &name);
        }
        let receiver = receiver.kind();
        self.problem(
            field.span,
            ProblemKind::UndefinedField {
                name,
                receiver,
                nearest,
            },
        )
    }

    fn escaped_at_admission(&mut self, field: Name) {
        let name = self.ast.name(field);
        if let Some(property) = unescape(name).filter(|property| property != name) {
            self.problem(
                field.span,
                ProblemKind::EscapedAtAdmission {
                    name: name.to_owned(),
                    property: property.into_owned(),
                },
            );
        }
    }

    fn index(&mut self, operand: ExprId, brackets: Span, index: ExprId) -> ValueType<'d> {
        let receiver = self.ty(operand);
        let key_id = self.ast.unparenthesized(index);
        let key = match self.ast.kind(key_id) {
            ExprKind::Literal(Literal::String(key)) => Some(key.as_ref()),
            _ => None,
        };
        match (receiver, key) {
            (ValueType::Variables, Some(key)) => {
                let message = "found no matching overload for '_[_]' applied to \
                               '(kubernetes.variables, string)'";
                self.fail(brackets.start(), message.to_owned());
                let name = key.to_owned();
                self.problem(
                    self.ast.span(key_id),
                    ProblemKind::IndexedVariables { name },
                )
            }
            (ValueType::Schema(schema, _), Some(key))
                if schema.is_object() && self.shared.properties.get(schema, key).is_some() =>
            {
                self.unescaped(self.ast.span(key_id), key)
            }
            _ => receiver.element(),
        }
    }

    fn unescaped(&mut self, span: Span, property: &str) -> ValueType<'d> {
        let identifier = escape(property).map(Cow::into_owned);
        self.problem(
            span,
            ProblemKind::Unescaped {
                property: property.to_owned(),
                identifier,
            },
        )
    }

    fn binary(&mut self, operator: BinaryOperator, left: ExprId, right: ExprId) -> ValueType<'d> {
        match operator {
            BinaryOperator::Add => same(self.ty(left), self.ty(right)),
            BinaryOperator::Subtract => {
                self.dash(left, right);
                same(numeric(self.ty(left)), self.ty(right))
            }
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Modulo => {
                same(numeric(self.ty(left)), self.ty(right))
            }
            BinaryOperator::Or
            | BinaryOperator::And
            | BinaryOperator::Equals
            | BinaryOperator::NotEquals
            | BinaryOperator::Less
            | BinaryOperator::LessEquals
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEquals
            | BinaryOperator::In => ValueType::Named("bool"),
        }
    }

    /// `self.a-b` is a subtraction, where a property `a-b` is meant.
    fn dash(&mut self, left: ExprId, right: ExprId) {
        let ExprKind::Select { operand, field, .. } = self.ast.kind(left) else {
            return;
        };
        let ValueType::Schema(schema, _) = self.ty(*operand) else {
            return;
        };
        let Some(after) = self.first_name(right) else {
            return;
        };
        let property = format!("{}-{}", self.ast.name(*field), self.ast.name(after));
        if schema.is_object() && self.shared.properties.get(schema, &property).is_some() {
            let span = field.span.cover(after.span);
            self.checked
                .problems
                .retain(|problem| !span.contains(problem.span));
            self.unescaped(span, &property);
        }
    }

    /// The identifier at the beginning of a chain.
    fn first_name(&self, mut id: ExprId) -> Option<Name> {
        loop {
            id = match self.ast.kind(id) {
                ExprKind::Ident { name, .. } => return Some(*name),
                ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => *operand,
                ExprKind::Call {
                    target: Some(target),
                    ..
                } => *target,
                _ => return None,
            };
        }
    }

    /// The name of the type of an object literal, if there is such a type.
    fn type_of_struct(&self, names: &[Name]) -> Option<ValueType<'d>> {
        let first = self.ast.name(*names.first()?);
        match availability(self.document, self.expression.role, first) {
            Availability::Type => {}
            Availability::Root(_) | Availability::Absent(_) | Availability::Unknown => return None,
        }
        let span = names
            .iter()
            .fold(names.first()?.span, |span, name| span.cover(name.span));
        let written = self.ast.slice(span);
        let plain = !written.contains(|c: char| c.is_whitespace() || c == '`' || c == '/');
        let packaged = TYPE_PACKAGES.contains(&first);
        Some(if plain && !packaged {
            ValueType::Named(written)
        } else {
            ValueType::Unknown
        })
    }

    fn object(&mut self, names: &[Name], braces: Span) -> ValueType<'d> {
        if let Some(ty) = self.type_of_struct(names) {
            return ty;
        }
        let parts: Vec<&str> = names.iter().map(|name| self.ast.name(*name)).collect();
        let name = parts.join(".");
        let first = parts.first().copied().unwrap_or("");
        let absence = match availability(self.document, self.expression.role, first) {
            Availability::Absent(absence) => Some(absence),
            Availability::Root(_) | Availability::Type | Availability::Unknown => None,
        };
        self.fail(braces.start(), undeclared(&name));
        let start = names.first().map_or(braces, |name| name.span);
        let span = names.iter().fold(start, |span, name| span.cover(name.span));
        self.problem(span, ProblemKind::UndeclaredType { name, absence })
    }

    pub(super) fn fail(&mut self, offset: u32, message: String) {
        self.checked.failures.push((offset, message));
    }

    pub(super) fn problem(&mut self, span: Span, kind: ProblemKind) -> ValueType<'d> {
        self.checked.problems.push(Problem { span, kind });
        ValueType::Failed
    }
}

pub(super) fn undeclared(name: &str) -> String {
    format!("undeclared reference to '{name}' (in container '')")
}

fn literal_name(literal: &Literal) -> &'static str {
    match literal {
        Literal::Null => "null_type",
        Literal::Bool(_) => "bool",
        Literal::Int(_) => "int",
        Literal::Uint(_) => "uint",
        Literal::Double(_) => "double",
        Literal::String(_) => "string",
        Literal::Bytes(_) => "bytes",
    }
}

/// The type of two values that must have the same, if they have.
fn same<'d>(left: ValueType<'d>, right: ValueType<'d>) -> ValueType<'d> {
    const PLAIN: [&str; 6] = ["bool", "int", "uint", "double", "string", "bytes"];
    match (left, right) {
        (ValueType::Named(left), ValueType::Named(right))
            if left == right && PLAIN.contains(&left) =>
        {
            ValueType::Named(left)
        }
        _ => ValueType::Unknown,
    }
}

fn numeric(ty: ValueType<'_>) -> ValueType<'_> {
    match ty {
        ValueType::Named("int" | "uint" | "double") => ty,
        _ => ValueType::Unknown,
    }
}
