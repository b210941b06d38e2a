//! Hovers: the type, purpose and origin of a part of an expression.
//!
//! A hover describes the smallest meaningful part under the cursor: a name, a field, a call,
//! an operator or a constant.

mod authorizer;
mod configuration;
mod cost;
mod directives;
mod inputs;
mod json_schema;
mod literal;
mod manifest;
mod resources;
mod rule;
mod types;
mod value;

pub(crate) use cost::{cost as cost_text, share as cost_share};
pub(crate) use literal::patch_field;

use crate::completion::{meaning_of_field, meaning_of_variable};
use crate::file::SourceFile;
use crate::kind_fields::{Kinds, schema_of_type};
use crate::self_schema::{is_int_or_string, self_schema};
use crate::signature::{self, add_macro_since, add_page, code, macro_page};
use crate::target::Target;
use cel::Type;
use cel::check::Reference;
use cel::syntax::{
    Ast, BinaryOperator, ExprId, ExprKind, Field, MacroCall, MacroKind, Name, UnaryOperator,
};
use kubernetes::openapi::Catalog;
use policy::environment;
use policy::typecheck::Checked;
use policy::variables::Variables;
use text::{Span, TextRange, TextSize};
use types::{kind_types, schema_field, type_in_rule};

/// The hover at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The range.
    pub range: TextRange,
    /// The part of an expression that the hover describes, including the operands of an operator.
    /// `None` if it is not a part with a value.
    pub part: Option<TextRange>,
    /// The content, in Markdown.
    pub markdown: String,
}

/// Returns the hover at an offset of the file.
#[must_use]
pub fn hover(file: &SourceFile, offset: TextSize) -> Option<Hover> {
    if let Some(found) = configuration::hover(file, offset) {
        return found;
    }
    if let Some(found) = directives::hover(file, offset) {
        return Some(found);
    }
    let target = Target::at(file, offset).filter(|target| target.touches);
    let Some(target) = target else {
        return manifest::hover(file, offset);
    };
    let checked = target.document.checked(target.expression)?;
    let context = HoverContext {
        ast: target.ast(),
        target: &target,
        checked,
        kinds: Kinds::new(file, target.document, target.expression),
        catalog: file.project().kinds(),
    };
    let (span, part, markdown) = context.hover()?;
    Some(Hover {
        range: target.range(span),
        part: part.map(|part| target.range(part)),
        markdown,
    })
}

struct HoverContext<'t> {
    ast: &'t Ast,
    target: &'t Target<'t>,
    checked: &'t Checked,
    kinds: Option<Kinds<'t>>,
    /// The kinds of the project.
    catalog: &'t Catalog,
}

/// The part of a node at the cursor.
enum Part {
    /// The name of the node or the whole node.
    Itself(Span),
    /// The field of an object literal at this index.
    StructField(usize, Span),
}

impl HoverContext<'_> {
    /// Returns the token, the part with a value, and the text of the hover.
    fn hover(&self) -> Option<(Span, Option<Span>, String)> {
        let token = self.target.token()?.span;
        let path = self.ast.path_at(token.start());
        let (at, id, part) = path
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, id)| Some((at, *id, self.part(*id, token)?)))?;
        let span = match part {
            Part::Itself(span) | Part::StructField(_, span) => span,
        };
        let markdown = match part {
            Part::StructField(index, _) => self.struct_field(id, index)?,
            Part::Itself(_) => match self.ast.kind(id) {
                ExprKind::Ident { name, .. } => self.ident(id, *name, path.get(..at)?)?,
                ExprKind::Select { operand, field, .. } => self.field(id, *operand, *field)?,
                ExprKind::Call { .. } => self.call(id)?,
                ExprKind::Struct { .. } => self.struct_type(id, span)?,
                ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::Conditional { .. }
                | ExprKind::Index { .. } => self.operation(id)?,
                ExprKind::Literal(_) => self.literal(id, path.get(..at)?)?,
                ExprKind::List { .. } | ExprKind::Map { .. } | ExprKind::Paren(_) => {
                    self.typed(id)?
                }
                ExprKind::Error(_) => return None,
            },
        };
        let whole = match part {
            Part::StructField(..) => None,
            Part::Itself(_) => Some(self.ast.span(id)),
        };
        Some((span, whole, markdown))
    }

    /// Returns the part of a node to which a token belongs, if it is of the node itself.
    fn part(&self, id: ExprId, token: Span) -> Option<Part> {
        let kind = self.ast.kind(id);
        if let ExprKind::Struct {
            type_name, fields, ..
        } = kind
        {
            return struct_part(type_name, fields, token);
        }
        let whole = match kind {
            ExprKind::Index { .. } | ExprKind::Literal(_) => self.ast.span(id),
            ExprKind::Select { field, .. } if !field.is_missing() => token.cover(field.span),
            _ => token,
        };
        self.owns(id, token).then_some(Part::Itself(whole))
    }

    /// Returns whether a token belongs to the node itself and not to one of its children.
    fn owns(&self, id: ExprId, token: Span) -> bool {
        let is_name = |name: &Name| name.span == token;
        match self.ast.kind(id) {
            ExprKind::Ident { name, .. } => is_name(name),
            ExprKind::Select {
                field, operator, ..
            } => is_name(field) || operator.contains(token),
            ExprKind::Call { function, .. } => is_name(function),
            ExprKind::Unary { operator_span, .. } | ExprKind::Binary { operator_span, .. } => {
                operator_span.contains(token)
            }
            ExprKind::Conditional {
                question, colon, ..
            } => question.contains(token) || colon.contains(token),
            ExprKind::Index { brackets, .. } => {
                brackets.start() == token.start() || brackets.end() == token.end()
            }
            ExprKind::Literal(_) => self.ast.span(id).contains(token),
            // The brackets.
            ExprKind::List { .. } | ExprKind::Map { .. } | ExprKind::Paren(_) => {
                let span = self.ast.span(id);
                span.start() == token.start() || span.end() == token.end()
            }
            ExprKind::Struct { .. } | ExprKind::Error(_) => false,
        }
    }

    /// Returns `name: type`, if the node has a type.
    fn value(&self, id: ExprId, name: &str) -> Option<String> {
        let ty = self.checked.type_of(id)?;
        let schema = self_schema(self.target.document, self.target.expression, id);
        let ty = if schema.is_some_and(is_int_or_string) {
            "int or string".to_owned()
        } else {
            type_in_rule(&ty.to_string())
        };
        Some(code([format!("{name}: {ty}")]))
    }

    /// Returns the type of an object literal, with the facts of its schema.
    fn struct_type(&self, id: ExprId, span: Span) -> Option<String> {
        let name = self.ast.slice(span);
        let mut shown = self.value(id, name)?;
        if name == "JSONPatch" {
            shown.push_str(literal::PATCH);
        }
        let mut objects = self.kinds.into_iter().flat_map(Kinds::objects);
        let description = objects.find_map(|root| schema_of_type(root, name)?.description());
        if let Some(description) = description {
            add_page(&mut shown, &text::clean::for_markdown(description), "");
        }
        Some(shown)
    }

    fn typed(&self, id: ExprId) -> Option<String> {
        Some(code([self.checked.type_of(id)?.to_string()]))
    }

    fn ident(&self, id: ExprId, name: Name, enclosing: &[ExprId]) -> Option<String> {
        let text = self.ast.name(name);
        // The first part of the name of a function, or of a variable with dots.
        let whole = enclosing.iter().rev().find_map(|id| self.named(*id, text));
        if let Some(whole) = whole {
            return Some(whole);
        }
        let mut shown = match self.checked.reference(id) {
            Some(Reference::Type(ty)) => code([format!("type {ty}")]),
            _ => match self.schema_value(id, text) {
                Some(shown) => shown,
                None => self.value(id, text)?,
            },
        };
        if let Some(from) = self.binding(id) {
            shown.push_str(&format!("\n\n{from}"));
            return Some(shown);
        }
        let role = self.target.expression.role;
        let roots = environment::roots(self.target.document, role);
        if let Some(root) = roots.iter().find(|root| root.name == text) {
            add_page(&mut shown, root.doc, "");
        }
        self.add_facts_of_rule(&mut shown, id);
        Some(shown)
    }

    /// Returns the hover of the function or variable with `name` as its first part.
    fn named(&self, id: ExprId, name: &str) -> Option<String> {
        let begins = |whole: &str| {
            whole
                .strip_prefix(name)
                .is_some_and(|it| it.starts_with('.'))
        };
        match self.checked.reference(id)? {
            Reference::Function { name, .. } if begins(name) => self.function(id, name),
            Reference::Variable(name) if begins(name) => self.value(id, name),
            _ => None,
        }
    }

    /// Returns a description of the origin of a macro variable.
    fn binding(&self, id: ExprId) -> Option<String> {
        let uses = self.ast.idents(self.ast.root(), &[]);
        let found = uses.iter().find(|found| found.id == id)?;
        let binding = match found.role {
            cel::syntax::IdentRole::Declaration(binding)
            | cel::syntax::IdentRole::Bound(binding) => binding,
            cel::syntax::IdentRole::Free => return None,
        };
        let call = self.ast.macro_call(binding.call)?;
        if matches!(call.kind, MacroKind::OptMap | MacroKind::OptFlatMap) {
            let optional = self.ast.slice(self.ast.span(call.target?));
            return Some(format!("The value of `{optional}`."));
        }
        let range = self.ast.slice(self.ast.span(call.target?));
        let range = range.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = call.kind.name();
        Some(format!("Loop variable of `{name}` over `{range}`."))
    }

    fn field(&self, id: ExprId, operand: ExprId, field: Name) -> Option<String> {
        let name = self.ast.name(field);
        if let Some(Reference::Variable(whole)) = self.checked.reference(id) {
            let mut shown = self.value(id, whole)?;
            if let Some(meaning) = meaning_of_variable(whole) {
                add_page(&mut shown, meaning, "");
            }
            return Some(shown);
        }
        if let Some(Reference::Type(ty)) = self.checked.reference(id) {
            return Some(code([format!("type {ty}")]));
        }
        if self.is_missing(id) {
            return None;
        }
        let mut shown = self.value(id, name)?;
        let of = self.checked.type_of(operand);
        if of == self.checked.env().variable("variables") && of.is_some() {
            shown = self.variable(name, shown);
        } else if let Some(Type::Struct(of)) = of {
            if type_in_rule(of) == **of {
                shown.push_str(&format!("\n\nField of `{of}`."));
            }
            self.add_facts_of_rule(&mut shown, id);
            if let Some(meaning) = meaning_of_field(self.catalog, of, name) {
                shown.push_str(&format!(" {meaning}"));
            }
        } else if let Some(kinds) = self.kinds {
            let fields = kinds.fields(operand, name);
            if !fields.is_empty() {
                return Some(schema_field(name, &fields, self.owner(operand)));
            }
        }
        Some(shown)
    }

    /// Returns whether no kind has the field.
    fn is_missing(&self, id: ExprId) -> bool {
        let mut types = self.kinds.into_iter().flat_map(|kinds| kinds.types(id));
        let first = types.next();
        first.is_some_and(|(ty, schema)| *ty == Type::Error && schema.is_none())
            && types.all(|(ty, _)| *ty == Type::Error)
    }

    /// Returns the kind of the parameters, if a node is a part of them.
    fn owner(&self, mut id: ExprId) -> Option<&str> {
        loop {
            id = match self.ast.kind(id) {
                ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => *operand,
                ExprKind::Paren(inner) => *inner,
                ExprKind::Ident { name, .. } if self.ast.name(*name) == "params" => break,
                _ => return None,
            };
        }
        self.kinds?.param_kind()
    }

    /// Returns the type of a name by the schemas, if the compiler has none.
    fn schema_value(&self, id: ExprId, name: &str) -> Option<String> {
        kind_types(self.kinds?, id, name)
    }

    /// Returns a variable of the policy, with its type in the kinds and its expression.
    fn variable(&self, name: &str, shown: String) -> String {
        let variables = Variables::new(self.target.document);
        let definition = variables
            .index_of(name)
            .and_then(|at| variables.definitions.get(at)?.expression);
        let Some(expression) = definition else {
            return shown;
        };
        let kinds = self.kinds.map(|kinds| kinds.with_expression(expression));
        let root = expression.ast().root();
        let by_kinds = kinds.and_then(|kinds| kind_types(kinds, root, name));
        let definition = code([expression.text().trim().to_owned()]);
        format!("{}\n\n{definition}", by_kinds.unwrap_or(shown))
    }

    fn struct_field(&self, id: ExprId, index: usize) -> Option<String> {
        let ExprKind::Struct { fields, .. } = self.ast.kind(id) else {
            return None;
        };
        let Type::Struct(of) = self.checked.type_of(id)? else {
            return None;
        };
        let name = self.ast.name(fields.get(index)?.name);
        let fields = self.kinds.map(|kinds| {
            let part = |root| schema_of_type(root, of);
            kinds.fields_of_part(part, name)
        });
        if let Some(fields) = fields.filter(|fields| !fields.is_empty()) {
            return Some(schema_field(name, &fields, None));
        }
        let mut objects = self.kinds.into_iter().flat_map(Kinds::objects);
        if objects.any(|root| schema_of_type(root, of).is_some()) {
            // No kind has the field.
            return None;
        }
        let ty = self.checked.env().types().field_type(of, name)?;
        Some(
            format!("{}\n\nField of `{of}`.", code([format!("{name}: {ty}")]))
                + literal::patch_field(of, name),
        )
    }

    fn call(&self, id: ExprId) -> Option<String> {
        if let Some(call) = self.ast.macro_call(id) {
            return Some(self.macro_call(&call));
        }
        let ExprKind::Call {
            target, function, ..
        } = self.ast.kind(id)
        else {
            return None;
        };
        let name = self.ast.name(*function);
        match self.checked.reference(id) {
            Some(Reference::Function { name, .. }) => self.function(id, name),
            _ => self
                .function(id, name)
                .or_else(|| self.later_function(*target, name)),
        }
    }

    /// Returns a function that only servers newer than the target support.
    fn later_function(&self, target: Option<ExprId>, name: &str) -> Option<String> {
        let (document, role) = (self.target.document, self.target.expression.role);
        let newest = kubernetes::Target::default().environment();
        let env = environment::env_of(document, role, newest);
        let namespace = target.and_then(|target| self.ast.qualified_name(target));
        let qualified = namespace.map(|names| format!("{}.{name}", names.join(self.ast)));
        let function = qualified
            .and_then(|name| env.function(&name))
            .or_else(|| env.function(name))?;
        Some(signature::function(function, &[]))
    }

    /// Returns a function with the overloads of a call first.
    fn function(&self, id: ExprId, name: &str) -> Option<String> {
        let function = self.checked.env().function(name)?;
        let resolved: Vec<&str> = self
            .checked
            .overloads(id)
            .map(cel::env::DeclaredOverload::id)
            .collect();
        // A call to which all overloads apply has no resolved overload.
        let is_all = resolved.len() == function.overloads.len();
        let resolved = if is_all { &[][..] } else { &resolved };
        Some(signature::function(function, resolved))
    }

    fn macro_call(&self, call: &MacroCall<'_>) -> String {
        let page = macro_page(call.kind);
        let mut shown = code([page.call.to_owned()]);
        if let Some(ty) = self.checked.type_of(call.id) {
            shown.push_str(&format!("\n\nHere it returns `{ty}`."));
        }
        add_page(&mut shown, page.doc, page.example);
        add_macro_since(&mut shown, call.kind, call.variables.len());
        shown
    }

    fn operation(&self, id: ExprId) -> Option<String> {
        let name = match self.ast.kind(id) {
            ExprKind::Unary { operator, .. } => match operator {
                UnaryOperator::Not => "!_",
                UnaryOperator::Negate => "-_",
            },
            ExprKind::Binary { operator, .. } => binary(*operator),
            ExprKind::Conditional { .. } => "_?_:_",
            ExprKind::Index { optional, .. } => {
                if *optional {
                    "_[?_]"
                } else {
                    "_[_]"
                }
            }
            _ => return None,
        };
        let shown = self.typed(id);
        let function = self.function(id, name);
        match (shown, function) {
            (Some(shown), None) => Some(shown),
            (_, function) => function,
        }
    }
}

/// Returns the name of the function of an operator.
const fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Or => "_||_",
        BinaryOperator::And => "_&&_",
        BinaryOperator::Equals => "_==_",
        BinaryOperator::NotEquals => "_!=_",
        BinaryOperator::Less => "_<_",
        BinaryOperator::LessEquals => "_<=_",
        BinaryOperator::Greater => "_>_",
        BinaryOperator::GreaterEquals => "_>=_",
        BinaryOperator::In => "@in",
        BinaryOperator::Add => "_+_",
        BinaryOperator::Subtract => "_-_",
        BinaryOperator::Multiply => "_*_",
        BinaryOperator::Divide => "_/_",
        BinaryOperator::Modulo => "_%_",
    }
}

/// Returns the part of an object literal at a token: a field, or the whole type name.
fn struct_part(type_name: &[Name], fields: &[Field], token: Span) -> Option<Part> {
    let is_name = |name: &Name| name.span == token;
    let field = fields.iter().position(|field| is_name(&field.name));
    if let Some(index) = field {
        return Some(Part::StructField(index, token));
    }
    let cover = |span: Span, name: &Name| span.cover(name.span);
    let is_type = type_name.iter().any(is_name);
    is_type.then(|| Part::Itself(type_name.iter().fold(token, cover)))
}

#[cfg(test)]
mod tests;
