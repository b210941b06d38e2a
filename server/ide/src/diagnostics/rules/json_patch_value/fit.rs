//! Whether the value of an expression fits a field, part by part.
//!
//! An object of a built-in kind is decoded into its type. A custom resource is decoded into a
//! map; its schema decides afterward.
//!
//! Upstream: kubernetes-sigs/json, internal/golang/encoding/json/decode.go;
//! kubernetes/apiextensions-apiserver, pkg/registry/customresource/validator.go.

use crate::diagnostics::kind_problems::is_open;
use crate::diagnostics::rules::apply_configuration::fits;
use crate::kind_fields::type_text;
use crate::presence::Pointer;
use cel::Type;
use cel::syntax::{Ast, ExprId, ExprKind, Literal};
use kubernetes::openapi::{Schema, SchemaType};
use policy::typecheck::kinds::TypedChecked;
use text::{Span, nearest};

/// Limit: the depth to which a value is visited.
const MAX_DEPTH: usize = 32;

/// A part of a value that does not fit.
#[derive(Clone, Debug)]
pub(super) struct Misfit {
    /// The part, or the name of the field.
    pub(super) span: Span,
    /// The path of the field inside the value.
    path: Vec<String>,
    /// The expected and the actual type. `None` for a field that does not exist.
    pub(super) types: Option<(String, String)>,
    /// The field that is probably meant.
    pub(super) nearest: Option<String>,
    /// Whether another branch of a conditional may be taken.
    pub(super) is_choice: bool,
}

impl Misfit {
    /// Returns the message, for kinds with these names.
    pub(super) fn message(&self, kinds: &str, pointer: &Pointer, is_custom: bool) -> String {
        let names = pointer
            .tokens
            .iter()
            .map(|it| it.name.as_deref().unwrap_or("…"));
        let mut path = String::new();
        for name in names.chain(self.path.iter().map(String::as_str)) {
            let is_element = name == "-" || name.bytes().all(|byte| byte.is_ascii_digit());
            if is_element {
                path.push_str("[]");
                continue;
            }
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
        let effect = match &self.types {
            _ if !is_custom => "the mutation fails",
            Some(_) => "the API server rejects the object",
            None => "the API server drops it",
        };
        match &self.types {
            Some((expected, found)) => format!(
                "{kinds}: `{path}` is of type `{expected}`, but the value is `{found}`, so {effect}."
            ),
            None => {
                let hint = self.nearest.as_ref();
                let hint = hint.map_or_else(String::new, |it| format!(" Did you mean `{it}`?"));
                format!("`{path}` is not a field of {kinds}, so {effect}.{hint}")
            }
        }
    }
}

/// Returns the schema of the value at a pointer.
pub(super) fn schema_at<'c>(root: Schema<'c>, pointer: &Pointer) -> Option<Schema<'c>> {
    if !pointer.is_whole || !pointer.head.is_empty() {
        return None;
    }
    pointer.tokens.iter().try_fold(root, |schema, token| {
        let name = token.name.as_deref();
        match schema.ty() {
            SchemaType::Array => schema.items(),
            _ => name
                .and_then(|name| schema.property(name))
                .or_else(|| schema.additional_properties()),
        }
    })
}

/// A visitor of a value.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) ast: &'a Ast,
    pub(super) typed: TypedChecked<'a>,
}

impl<'a> Reader<'a> {
    /// Returns the first part of a value that does not fit.
    pub(super) fn misfit(
        self,
        field: Schema<'_>,
        id: ExprId,
        path: &[&str],
        depth: usize,
    ) -> Option<Misfit> {
        let id = self.ast.unparenthesized(id);
        match (self.ast.kind(id), field.ty()) {
            (ExprKind::Literal(Literal::Null), _) => None,
            _ if depth > MAX_DEPTH => None,
            (
                ExprKind::Conditional {
                    then, otherwise, ..
                },
                _,
            ) => {
                let mut branches = [*then, *otherwise].into_iter();
                let misfit = branches.find_map(|it| self.misfit(field, it, path, depth + 1))?;
                Some(Misfit {
                    is_choice: true,
                    ..misfit
                })
            }
            (ExprKind::List { elements }, SchemaType::Array) => {
                let items = field.items()?;
                let mut elements = elements.iter().filter(|it| !it.optional);
                elements.find_map(|it| {
                    self.misfit(items, it.value, &[path, &["0"]].concat(), depth + 1)
                })
            }
            (ExprKind::Map { entries }, SchemaType::Object) => {
                let mut entries = entries.iter().filter(|it| !it.optional);
                entries.find_map(|it| {
                    let name = self.key(it.key)?;
                    self.field(field, name, it.value, path, depth)
                })
            }
            (ExprKind::Struct { fields, .. }, SchemaType::Object) => {
                let mut fields = fields.iter().filter(|it| !it.optional);
                fields.find_map(|it| {
                    let name = (self.ast.name(it.name), it.name.span);
                    self.field(field, name, it.value, path, depth)
                })
            }
            _ => self.wrong_type(field, id, path),
        }
    }

    /// Returns a constant key of a map and its span.
    fn key(self, key: ExprId) -> Option<(&'a str, Span)> {
        let key = self.ast.unparenthesized(key);
        match self.ast.kind(key) {
            ExprKind::Literal(Literal::String(name)) => Some((name, inner(self.ast, key))),
            _ => None,
        }
    }

    fn field(
        self,
        object: Schema<'_>,
        (name, span): (&str, Span),
        value: ExprId,
        path: &[&str],
        depth: usize,
    ) -> Option<Misfit> {
        let path = [path, &[name]].concat();
        let schema = object.property(name);
        if let Some(schema) = schema.or_else(|| object.additional_properties()) {
            return self.misfit(schema, value, &path, depth + 1);
        }
        if is_open(object) {
            return None;
        }
        let known: Vec<&str> = object.properties().map(|(name, _)| name).collect();
        Some(Misfit {
            span,
            path: owned(&path),
            types: None,
            nearest: nearest(name, known.iter().copied()).map(str::to_owned),
            is_choice: false,
        })
    }

    fn wrong_type(self, field: Schema<'_>, id: ExprId, path: &[&str]) -> Option<Misfit> {
        let mut ty = self.typed.type_of(id)?;
        while let Type::Optional(inner) = ty {
            ty = inner;
        }
        let has_fraction = match self.ast.kind(id) {
            ExprKind::Literal(Literal::Double(number)) => number.fract() != 0.0,
            _ => false,
        };
        let is_whole = matches!(field.ty(), SchemaType::Integer | SchemaType::IntOrString);
        if fits(field, ty) && !(has_fraction && is_whole) {
            return None;
        }
        Some(Misfit {
            span: self.ast.span(id),
            path: owned(path),
            types: Some((type_text(field), ty.to_string())),
            nearest: None,
            is_choice: false,
        })
    }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the span between the quotes of a string literal.
fn inner(ast: &Ast, literal: ExprId) -> Span {
    let span = ast.span(literal);
    if span.slice(ast.text()).starts_with(['\'', '"']) {
        Span::new(span.start() + 1, span.end().saturating_sub(1))
    } else {
        span
    }
}
