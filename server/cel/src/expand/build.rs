//! the source tree, node by node, without its macros.
//!
//! The nodes of the source are numbered children first, so one loop over them sees each child
//! before its parent, however deeply the source is nested.

use super::names::{self, NAMES};
use super::{Expansion, MapEntry, Node, NodeId, NodeKind, StructField};
use crate::syntax::Name;
use crate::syntax::{Ast, Element, Entry, ExprId, ExprKind, Field, Literal, MacroCall, MacroKind};
use std::sync::Arc;

/// A tree that is being built.
pub(super) struct Builder<'a> {
    pub(super) ast: &'a Ast,
    expands: &'a dyn Fn(MacroKind, usize) -> bool,
    pub(super) nodes: Vec<Node>,
    of_expr: Vec<Option<NodeId>>,
    /// By source node, whether a macro uses it as a name and not as a value.
    consumed: Vec<bool>,
    pub(super) is_too_large: bool,
}

pub(super) fn build(ast: &Ast, expands: &dyn Fn(MacroKind, usize) -> bool) -> Expansion {
    let mut builder = Builder {
        ast,
        expands,
        nodes: Vec::with_capacity(ast.len()),
        of_expr: vec![None; ast.len()],
        consumed: Vec::new(),
        is_too_large: false,
    };
    builder.consume();
    for id in ast.ids() {
        if builder.consumed.get(id.index()) != Some(&true) {
            builder.expr(id);
        }
    }
    let root = builder.node_for(ast.root());
    Expansion {
        nodes: builder.nodes,
        root,
        of_expr: builder.of_expr,
        is_too_large: builder.is_too_large,
    }
}

impl<'a> Builder<'a> {
    /// Finds the nodes that macros use as names.
    fn consume(&mut self) {
        for id in self.ast.ids() {
            let Some(call) = self.macro_call(id) else {
                continue;
            };
            let select = call.body.first().filter(|_| call.kind == MacroKind::Has);
            for name in call.variables.iter().chain(select) {
                let name = self.ast.bare(*name);
                let is_name = match self.ast.kind(name) {
                    ExprKind::Ident { .. } => call.kind != MacroKind::Has,
                    ExprKind::Select { optional, .. } => call.kind == MacroKind::Has && !optional,
                    _ => false,
                };
                if is_name {
                    self.consumed.resize(self.ast.len(), false);
                    if let Some(cell) = self.consumed.get_mut(name.index()) {
                        *cell = true;
                    }
                }
            }
        }
    }

    fn macro_call(&self, id: ExprId) -> Option<MacroCall<'a>> {
        let call = self.ast.macro_call(id)?;
        (self.expands)(call.kind, call.variables.len()).then_some(call)
    }

    /// Adds a node.
    pub(super) fn add(&mut self, kind: NodeKind, origin: ExprId, offset: u32) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node {
            kind,
            origin,
            offset,
        });
        id
    }

    /// Returns the expanded node of a node of the source.
    pub(super) fn node_for(&mut self, id: ExprId) -> NodeId {
        if let Some(node) = self.of_expr.get(id.index()).copied().flatten() {
            return node;
        }
        let offset = self.ast.upstream_offset(id);
        self.add(NodeKind::Error, id, offset)
    }

    fn all(&mut self, ids: &[ExprId]) -> Box<[NodeId]> {
        ids.iter().map(|id| self.node_for(*id)).collect()
    }

    fn expr(&mut self, id: ExprId) {
        let ast = self.ast;
        let node = match ast.kind(id) {
            ExprKind::Paren(inner) => self.expanded(*inner),
            ExprKind::Unary { count, operand, .. } if count % 2 == 0 => self.expanded(*operand),
            ExprKind::Call { .. } if let Some(call) = self.macro_call(id) => {
                Some(self.expand(call))
            }
            kind => {
                let kind = self.kind(id, kind);
                Some(self.add(kind, id, ast.upstream_offset(id)))
            }
        };
        if let Some(cell) = self.of_expr.get_mut(id.index()) {
            *cell = node;
        }
    }

    fn expanded(&self, id: ExprId) -> Option<NodeId> {
        self.of_expr.get(id.index()).copied().flatten()
    }

    fn kind(&mut self, id: ExprId, kind: &ExprKind) -> NodeKind {
        match kind {
            ExprKind::Error(_) | ExprKind::Paren(_) => NodeKind::Error,
            ExprKind::Literal(literal) => NodeKind::Literal(literal.clone()),
            ExprKind::Ident { name, leading_dot } => {
                NodeKind::Ident(self.name(*name, *leading_dot))
            }
            ExprKind::Select {
                operand,
                optional,
                field,
                ..
            } => self.select(id, *operand, *optional, *field),
            ExprKind::Index { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. } => self.operator(kind),
            ExprKind::Call {
                target,
                leading_dot,
                function,
                args,
                ..
            } => NodeKind::Call {
                target: target.map(|target| self.node_for(target)),
                function: self.name(*function, *leading_dot),
                args: self.all(args),
            },
            ExprKind::List { elements } => self.list(elements),
            ExprKind::Map { entries } => self.map(entries),
            ExprKind::Struct {
                type_name,
                leading_dot,
                fields,
                ..
            } => self.structure(type_name, *leading_dot, fields),
        }
    }

    fn call(&mut self, function: Arc<str>, args: &[ExprId]) -> NodeKind {
        NodeKind::Call {
            target: None,
            function,
            args: self.all(args),
        }
    }

    fn operator(&mut self, kind: &ExprKind) -> NodeKind {
        match kind {
            ExprKind::Index {
                operand,
                optional,
                index,
                ..
            } => {
                let function = if *optional {
                    &NAMES.optional_index
                } else {
                    &NAMES.index
                };
                self.call(Arc::clone(function), &[*operand, *index])
            }
            ExprKind::Unary {
                operator, operand, ..
            } => self.call(names::unary(*operator), &[*operand]),
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => self.call(names::binary(*operator), &[*left, *right]),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => self.call(
                Arc::clone(&NAMES.conditional),
                &[*condition, *then, *otherwise],
            ),
            _ => NodeKind::Error,
        }
    }

    /// Returns a name as in cel-go: with the leading dot of an absolute name.
    pub(super) fn name(&self, name: Name, leading_dot: bool) -> Arc<str> {
        let name = self.ast.name(name);
        if leading_dot {
            return format!(".{name}").into();
        }
        name.into()
    }

    fn select(&mut self, id: ExprId, operand: ExprId, optional: bool, field: Name) -> NodeKind {
        let operand = self.node_for(operand);
        let name = self.ast.name(field);
        if !optional {
            return NodeKind::Select {
                operand,
                field: name.into(),
                test_only: false,
            };
        }
        let literal = NodeKind::Literal(Literal::String(name.into()));
        let field = self.add(literal, id, field.span.start());
        NodeKind::Call {
            target: None,
            function: Arc::clone(&NAMES.optional_select),
            args: [operand, field].into(),
        }
    }

    fn list(&mut self, elements: &[Element]) -> NodeKind {
        let optional = elements
            .iter()
            .zip(0_u32..)
            .filter(|(element, _)| element.optional);
        NodeKind::List {
            optional: optional.map(|(_, index)| index).collect(),
            elements: elements.iter().map(|it| self.node_for(it.value)).collect(),
        }
    }

    fn map(&mut self, entries: &[Entry]) -> NodeKind {
        let entries = entries.iter().map(|entry| MapEntry {
            optional: entry.optional,
            key: self.node_for(entry.key),
            value: self.node_for(entry.value),
            offset: entry.colon.start(),
        });
        NodeKind::Map(entries.collect())
    }

    fn structure(&mut self, name: &[Name], leading_dot: bool, fields: &[Field]) -> NodeKind {
        let mut type_name = String::new();
        for (at, part) in name.iter().enumerate() {
            if at > 0 || leading_dot {
                type_name.push('.');
            }
            type_name.push_str(self.ast.name(*part));
        }
        let fields = fields.iter().map(|field| StructField {
            optional: field.optional,
            name: self.ast.name(field.name).into(),
            value: self.node_for(field.value),
            offset: field.colon.start(),
        });
        NodeKind::Struct {
            fields: fields.collect(),
            type_name: type_name.into(),
        }
    }
}
