//! Turns the compiler's errors into helpful ones: why a name is missing, which name is most
//! similar, the name of the property in the schema.

use super::problem::{Problem, ProblemKind, Receiver};
use super::schema_path::schema_of;
use super::{Checked, raw};
use crate::crd::SELF_TYPE;
use crate::document::Document;
use crate::environment::{self, Availability, EnvironmentKind, availability, roots};
use crate::expression::Expression;
use crate::json_schema::JsonSchema;
use cel::Type;
use cel::check::{CheckError, CheckErrorKind, Undeclared};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal, MacroKind, Name};
use kubernetes::names::escape;
use std::borrow::Cow;
use std::sync::Arc;
use text::{Span, Suggestions, nearest};

/// Limit: names that are compared with an undeclared one.
const MAX_CANDIDATES: usize = 1_000;

/// The suggestions for the names of a document.
#[derive(Default)]
pub(super) struct NameSuggestions {
    /// By the environment and the name.
    functions: Suggestions<(EnvironmentKind, String), &'static str>,
    /// By the type and the name.
    fields: Suggestions<(String, String), String>,
}

/// Returns the problems of an expression without syntax errors.
pub(super) fn find(
    document: &Document,
    expression: &Expression,
    checked: &Checked,
    suggestions: &mut NameSuggestions,
) -> Vec<Problem> {
    let mut problems = of_compiler(document, expression, checked, suggestions);
    problems.append(&mut raw::escaped(expression));
    problems.sort_by_cached_key(|problem| problem.span.start());
    problems
}

/// Returns the problems from the errors of the compiler for one kind.
pub(super) fn of_errors(
    document: &Document,
    expression: &Expression,
    checked: &Checked,
) -> Vec<Problem> {
    of_compiler(
        document,
        expression,
        checked,
        &mut NameSuggestions::default(),
    )
}

fn of_compiler(
    document: &Document,
    expression: &Expression,
    checked: &Checked,
    suggestions: &mut NameSuggestions,
) -> Vec<Problem> {
    let mut finder = Finder {
        document,
        expression,
        ast: expression.ast(),
        checked,
        suggestions,
        problems: Vec::new(),
    };
    for error in checked.answer().errors() {
        finder.add(error);
    }
    finder.join_dashes();
    finder.drop_macro_variables();
    finder.problems
}

struct Finder<'d, 'c> {
    document: &'d Document,
    expression: &'d Expression,
    ast: &'d Ast,
    checked: &'c Checked,
    suggestions: &'c mut NameSuggestions,
    problems: Vec<Problem>,
}

impl<'d> Finder<'d, '_> {
    fn add(&mut self, error: &CheckError) {
        // It follows from another error, which is reported.
        if is_consequence(&error.kind) || self.is_field_of_no_type(error) {
            return;
        }
        let (span, kind) = match &error.kind {
            CheckErrorKind::UndeclaredReference { name, what, .. } => match what {
                Undeclared::Name => (error.span, self.undeclared_name(name)),
                Undeclared::Function => self.undeclared_function(error, name),
                Undeclared::Type => (self.type_name(error), self.undeclared_type(name)),
            },
            CheckErrorKind::UndefinedField { type_name, field } => {
                (error.span, self.undefined_field(type_name, field))
            }
            CheckErrorKind::NoMatchingOverload { function, args, .. } => self
                .index(error.expr, function, args)
                .unwrap_or_else(|| (error.span, ProblemKind::Other(error.kind.clone()))),
            CheckErrorKind::NotAType { .. } => (
                self.type_name(error),
                ProblemKind::Other(error.kind.clone()),
            ),
            other => (error.span, ProblemKind::Other(other.clone())),
        };
        self.problems.push(Problem {
            expr: error.expr,
            span,
            kind,
            upstream: Some(error.message()),
        });
    }

    /// Returns whether the error is about a field of an object with an unknown type name.
    fn is_field_of_no_type(&self, error: &CheckError) -> bool {
        let is_not_a_type = |kind: &ProblemKind| {
            matches!(kind, ProblemKind::Other(CheckErrorKind::NotAType { .. }))
        };
        let mut known = self.problems.iter();
        matches!(error.kind, CheckErrorKind::FailedResolution { .. })
            && known.any(|it| it.expr == error.expr && is_not_a_type(&it.kind))
    }

    fn undeclared_name(&self, name: &str) -> ProblemKind {
        let role = self.expression.role;
        let absence = match availability(self.document, role, name) {
            Availability::Absent(absence) => Some(absence),
            Availability::Root(_) | Availability::Type | Availability::Unknown => None,
        };
        let known = roots(self.document, role);
        ProblemKind::UndeclaredName {
            name: name.to_owned(),
            absence,
            nearest: nearest(name, known.iter().map(|root| root.name)),
        }
    }

    /// Returns the name of the type of an object that is built.
    fn type_name(&self, error: &CheckError) -> Span {
        let names = match self.ast.kind(error.expr) {
            ExprKind::Struct { type_name, .. } => &**type_name,
            _ => &[],
        };
        let spans = names.iter().map(|name| name.span);
        spans.reduce(Span::cover).unwrap_or(error.span)
    }

    fn undeclared_type(&self, name: &str) -> ProblemKind {
        let first = name.split('.').next().unwrap_or(name);
        let absence = match availability(self.document, self.expression.role, first) {
            Availability::Absent(absence) => Some(absence),
            Availability::Root(_) | Availability::Type | Availability::Unknown => None,
        };
        ProblemKind::UndeclaredType {
            name: name.to_owned(),
            absence,
        }
    }

    fn undeclared_function(&mut self, error: &CheckError, name: &str) -> (Span, ProblemKind) {
        let target = match self.ast.kind(error.expr) {
            ExprKind::Call {
                target: Some(target),
                ..
            } => self.namespace(*target),
            _ => None,
        };
        let (written, span) = match target {
            // The namespace is not a separate error.
            Some((namespace, span)) => {
                self.problems.retain(|problem| problem.span != span);
                (format!("{namespace}.{name}"), span.cover(error.span))
            }
            None => (name.to_owned(), error.span),
        };
        let functions = self.checked.env.functions().map(|function| function.name);
        let known = functions.filter(|name| !name.contains(['@', '_']));
        let environment = EnvironmentKind::new(self.document, self.expression.role);
        let key = (environment, written.clone());
        let nearest = self.suggestions.functions.get(key, || {
            same_meaning(&written).or_else(|| first_nearest(&written, known.chain(MACROS)))
        });
        let kind = ProblemKind::UndeclaredFunction {
            name: written,
            nearest,
        };
        (span, kind)
    }

    /// Returns the namespace of functions that an identifier is.
    fn namespace(&self, target: ExprId) -> Option<(&'d str, Span)> {
        let ExprKind::Ident { name, .. } = self.ast.kind(target) else {
            return None;
        };
        let text = self.ast.name(*name);
        let is_missing = self.problems.iter().any(|it| it.span == name.span);
        let known = self.checked.env.functions().any(|function| {
            let prefix = function.name.split_once('.').map(|(prefix, _)| prefix);
            prefix == Some(text)
        });
        (is_missing && known).then_some((text, name.span))
    }

    fn undefined_field(&mut self, type_name: &str, field: &str) -> ProblemKind {
        let receiver = self.receiver(type_name);
        if receiver == Receiver::Schema
            // A property such as `a__b` can be typed after a dot, but its name in CEL differs.
            && escape(field).is_some_and(|identifier| identifier != field)
            && self.has_property(type_name, field)
        {
            return unescaped(field);
        }
        // Variables are suggested by code that has their order.
        let nearest = (receiver != Receiver::Variables).then(|| {
            let key = (type_name.to_owned(), field.to_owned());
            let names = || self.checked.env.types().field_names(type_name);
            let fields = &mut self.suggestions.fields;
            fields.get(key, || nearest_of(field, names()))
        });
        ProblemKind::UndefinedField {
            name: field.to_owned(),
            receiver,
            nearest: nearest.flatten(),
        }
    }

    fn receiver(&self, type_name: &str) -> Receiver {
        if type_name == environment::VARIABLES_TYPE {
            return Receiver::Variables;
        }
        let Some(path) = type_name.strip_prefix(SELF_TYPE) else {
            return Receiver::Object(type_name.to_owned());
        };
        let fields = self.checked.env.types().field_names(type_name);
        let is_metadata = path.ends_with(".metadata")
            && fields.len() == 2
            && ["name", "generateName"]
                .iter()
                .all(|name| fields.iter().any(|field| &**field == *name))
            && !self.has_property(type_name, "name");
        if is_metadata {
            Receiver::Metadata
        } else {
            Receiver::Schema
        }
    }

    /// Returns whether the schema of a type has a property with exactly that name.
    fn has_property(&self, type_name: &str, name: &str) -> bool {
        let root = self.expression.role.schema();
        let schema = root
            .and_then(|root| JsonSchema::new(self.document.node(root)))
            .and_then(|schema| schema_of(schema, type_name));
        schema.is_some_and(|schema| schema.property(name).is_some())
    }

    /// Returns the problem of a name in brackets on a value whose fields need a dot.
    fn index(&self, expr: ExprId, function: &str, args: &[Type]) -> Option<(Span, ProblemKind)> {
        let (ExprKind::Index { index, .. }, "_[_]", [Type::Struct(name), Type::String]) =
            (self.ast.kind(expr), function, args)
        else {
            return None;
        };
        let key_id = self.ast.unparenthesized(*index);
        let ExprKind::Literal(Literal::String(key)) = self.ast.kind(key_id) else {
            return None;
        };
        let kind = if **name == *environment::VARIABLES_TYPE {
            ProblemKind::IndexedVariables {
                name: key.to_string(),
            }
        } else if self.has_property(name, key) {
            unescaped(key)
        } else {
            return None;
        };
        Some((self.ast.span(key_id), kind))
    }

    /// Joins the errors of `self.a-b`, a subtraction, if a property `a-b` was meant.
    fn join_dashes(&mut self) {
        if self.expression.role.schema().is_none() || self.problems.is_empty() {
            return;
        }
        for id in self.ast.ids() {
            let ExprKind::Binary {
                operator: BinaryOperator::Subtract,
                left,
                right,
                ..
            } = self.ast.kind(id)
            else {
                continue;
            };
            if let Some((span, property)) = self.dash(*left, *right) {
                let joined = self.problems.iter().find(|it| span.contains(it.span));
                let upstream = joined.and_then(|problem| problem.upstream.clone());
                self.problems.retain(|problem| !span.contains(problem.span));
                self.problems.push(Problem {
                    expr: id,
                    span,
                    kind: unescaped(&property),
                    upstream,
                });
            }
        }
    }

    /// Drops errors about the variables of `list.any(c, c.name == '')` and `exists(list, c, c.name
    /// == '')`: a call that is not a macro does not declare variables, which is not a separate
    /// error.
    fn drop_macro_variables(&mut self) {
        let ast = self.ast;
        let calls = self.problems.iter().filter_map(|problem| {
            let ProblemKind::UndeclaredFunction { name, nearest } = &problem.kind else {
                return None;
            };
            let ExprKind::Call { target, args, .. } = ast.kind(problem.expr) else {
                return None;
            };
            let (_, before) = args.split_last()?;
            let is_macro = MACROS.contains(&nearest.unwrap_or(name));
            let variables = match (target, before) {
                (Some(_), variables) => variables,
                (None, [_list, variables @ ..]) if is_macro => variables,
                (None, _) => return None,
            };
            Some((ast.span(problem.expr), variables))
        });
        let variables: Vec<(Span, &str)> = calls
            .flat_map(|(span, variables)| {
                variables.iter().map_while(move |arg| match ast.kind(*arg) {
                    ExprKind::Ident { name, .. } => Some((span, ast.name(*name))),
                    _ => None,
                })
            })
            .collect();
        self.problems.retain(|problem| match &problem.kind {
            ProblemKind::UndeclaredName { name, .. } => !variables
                .iter()
                .any(|(span, variable)| variable == name && span.contains(problem.span)),
            _ => true,
        });
    }

    fn dash(&self, left: ExprId, right: ExprId) -> Option<(Span, String)> {
        let ExprKind::Select { operand, field, .. } = self.ast.kind(left) else {
            return None;
        };
        let Some(Type::Struct(name)) = self.checked.type_of(*operand) else {
            return None;
        };
        let after = self.first_name(right)?;
        let property = format!("{}-{}", self.ast.name(*field), self.ast.name(after));
        let span = field.span.cover(after.span);
        self.has_property(name, &property)
            .then_some((span, property))
    }

    /// Returns the identifier at the beginning of a chain.
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
}

/// Returns whether an error is about a value that is itself an error.
fn is_consequence(kind: &CheckErrorKind) -> bool {
    match kind {
        CheckErrorKind::NoMatchingOverload { args, .. } => args.iter().any(has_error),
        CheckErrorKind::TypeMismatch { found, .. }
        | CheckErrorKind::FieldTypeMismatch { found, .. } => has_error(found),
        CheckErrorKind::NotARange { ty } | CheckErrorKind::NoFields { ty, .. } => has_error(ty),
        _ => false,
    }
}

fn has_error(ty: &Type) -> bool {
    match ty {
        Type::Error => true,
        Type::List(inner) | Type::Optional(inner) | Type::Nullable(inner) => has_error(inner),
        Type::Type(Some(inner)) => has_error(inner),
        Type::Map(entry) => has_error(&entry.0) || has_error(&entry.1),
        _ => false,
    }
}

fn unescaped(property: &str) -> ProblemKind {
    ProblemKind::Unescaped {
        property: property.to_owned(),
        identifier: escape(property).map(Cow::into_owned),
    }
}

/// Returns the equivalent of a function of another language.
fn same_meaning(name: &str) -> Option<&'static str> {
    const SAME: [(&str, &str); 16] = [
        ("any", "exists"),
        ("some", "exists"),
        ("every", "all"),
        ("select", "filter"),
        ("where", "filter"),
        ("len", "size"),
        ("length", "size"),
        ("count", "size"),
        ("includes", "contains"),
        ("hasPrefix", "startsWith"),
        ("hasSuffix", "endsWith"),
        ("match", "matches"),
        ("lower", "lowerAscii"),
        ("toLowerCase", "lowerAscii"),
        ("upper", "upperAscii"),
        ("toUpperCase", "upperAscii"),
    ];
    let mut same = SAME.iter();
    same.find(|(known, _)| *known == name).map(|(_, it)| *it)
}

/// Returns the nearest of unordered names; of equally near ones, the first in alphabetical order.
fn first_nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let mut known: Vec<&'static str> = known.collect();
    known.sort_unstable();
    nearest(name, known)
}

fn nearest_of(name: &str, mut known: Vec<Arc<str>>) -> Option<String> {
    known.sort_unstable();
    known.truncate(MAX_CANDIDATES);
    nearest(name, known.iter().map(AsRef::as_ref)).map(str::to_owned)
}

/// The macros, for suggestions.
const MACROS: [&str; 12] = [
    MacroKind::Has.name(),
    MacroKind::All.name(),
    MacroKind::Exists.name(),
    MacroKind::ExistsOne.name(),
    MacroKind::Map.name(),
    MacroKind::Filter.name(),
    MacroKind::OptMap.name(),
    MacroKind::OptFlatMap.name(),
    MacroKind::SortBy.name(),
    MacroKind::TransformList.name(),
    MacroKind::TransformMap.name(),
    MacroKind::TransformMapEntry.name(),
];
