//! The fields that a mutating policy sets.
//!
//! Two policies that set one field to different constants depend on the order of evaluation, and
//! so does a policy that reads what another one sets.

use cel::syntax::{Ast, Entry, ExprId, ExprKind, Field, Literal};
use policy::{Expression, PolicyDocument, Role};

/// A field that is set to a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantWrite {
    /// The field as a JSON pointer, such as `/spec/replicas`.
    pub field: String,
    /// The constant as CEL writes it.
    pub value: String,
}

/// A field that the mutations of a policy set.
pub(crate) struct Write<'d> {
    /// The field as a JSON pointer.
    pub(crate) field: String,
    pub(crate) expression: &'d Expression,
    pub(crate) value: ExprId,
}

impl Write<'_> {
    /// Returns the field with its value, if that is a constant.
    pub(crate) fn constant(&self) -> Option<ConstantWrite> {
        let ExprKind::Literal(literal) = self.expression.ast().kind(self.value) else {
            return None;
        };
        Some(ConstantWrite {
            field: self.field.clone(),
            value: format!("{literal:?}"),
        })
    }
}

/// Returns the fields that a policy sets to constants. A policy with match conditions or
/// parameters may leave them alone.
pub(crate) fn constant_writes(document: &PolicyDocument) -> Vec<(Write<'_>, ConstantWrite)> {
    let mut expressions = document.expressions().iter();
    let has_conditions = expressions.any(|it| it.role == Role::MatchCondition);
    if has_conditions || document.has_params() {
        return Vec::new();
    }
    let constants = writes(document).into_iter().filter_map(|write| {
        let constant = write.constant()?;
        Some((write, constant))
    });
    constants.collect()
}

/// Returns the fields that the mutations of a policy set wherever it is applied.
pub(crate) fn writes(document: &PolicyDocument) -> Vec<Write<'_>> {
    let mut found = Vec::new();
    for expression in document.expressions().iter().filter(|it| it.parse.is_ok()) {
        let mut fields = Fields {
            expression,
            found: &mut found,
        };
        match expression.role {
            Role::ApplyConfiguration => fields.merged(expression.ast().root(), ""),
            Role::JsonPatch => fields.patched(expression.ast().root()),
            _ => {}
        }
    }
    found
}

struct Fields<'d, 'f> {
    expression: &'d Expression,
    found: &'f mut Vec<Write<'d>>,
}

impl<'d> Fields<'d, '_> {
    fn ast(&self) -> &'d Ast {
        self.expression.ast()
    }

    /// Follows an apply configuration. Lists are merged by their keys, which only a schema has.
    fn merged(&mut self, id: ExprId, path: &str) {
        let ast = self.ast();
        let id = ast.unparenthesized(id);
        match ast.kind(id) {
            ExprKind::Struct { fields, .. } => {
                for Field { name, value, .. } in fields.iter().filter(|it| !it.optional) {
                    let name = ast.name(*name);
                    self.merged(*value, &format!("{path}/{}", escaped(name)));
                }
            }
            ExprKind::Map { entries } if !path.is_empty() => {
                for Entry { key, value, .. } in entries.iter().filter(|it| !it.optional) {
                    if let ExprKind::Literal(Literal::String(key)) = ast.kind(*key) {
                        self.merged(*value, &format!("{path}/{}", escaped(key)));
                    }
                }
            }
            _ => self.add(id, path),
        }
    }

    /// Follows a JSON patch with constant paths.
    fn patched(&mut self, id: ExprId) {
        let ast = self.ast();
        let ExprKind::List { elements } = ast.kind(ast.unparenthesized(id)) else {
            return;
        };
        for element in elements.iter().filter(|it| !it.optional) {
            let ExprKind::Struct { fields, .. } = ast.kind(element.value) else {
                continue;
            };
            let field = |name: &str| {
                let mut fields = fields.iter().filter(|it| !it.optional);
                let field = fields.find(|field| ast.name(field.name) == name)?;
                Some(ast.unparenthesized(field.value))
            };
            let text = |name: &str| match ast.kind(field(name)?) {
                ExprKind::Literal(Literal::String(text)) => Some(&**text),
                _ => None,
            };
            let is_set = matches!(text("op"), Some("add" | "replace"));
            if let (true, Some(path), Some(value)) = (is_set, text("path"), field("value"))
                && !path.split('/').any(is_place)
            {
                self.add(value, path);
            }
        }
    }

    fn add(&mut self, value: ExprId, path: &str) {
        if !path.is_empty() {
            self.found.push(Write {
                field: path.to_owned(),
                expression: self.expression,
                value,
            });
        }
    }
}

/// Returns a name as a part of a JSON pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Returns whether a part of a path is a place in a list.
fn is_place(part: &str) -> bool {
    part == "-" || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}
