//! The line of a schema that describes a part of an expression.
//!
//! A policy reads custom resources, as parameters or as objects. Their fields are defined in a
//! CustomResourceDefinition of the project, so that is where their definition is.

use crate::file::SourceFile;
use crate::kind_fields::OBJECT;
use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind, IdentRole, Literal, Name};
use kubernetes::TypeMeta;
use kubernetes::names::GroupVersionKind;
use policy::manifest::version_schemas;
use policy::typecheck::kinds::KindChecks;
use policy::variables::{VariableUse, Variables};
use policy::{Expression, PolicyDocument};
use std::path::Path;
use std::sync::Arc;
use text::{Span, TextRange, TextSize};
use yaml::Node;

/// Limit: steps from a name to the object that it is a part of, through variables and macros.
const MAX_STEPS: usize = 200;

/// Limit: bytes of a document outside of policies that is parsed for a definition.
const MAX_DOCUMENT: usize = 1 << 18;

/// A step from a schema to one in it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SchemaStep {
    /// A field, or a value of a map.
    Field(Box<str>),
    /// An item of a list, or a value of a map.
    Item,
    /// A field in the name of a type of a mutation, where a list is replaced by its items.
    FieldOfType(Box<str>),
}

/// A part of the objects of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaPath {
    kind: GroupVersionKind,
    steps: Vec<SchemaStep>,
}

/// A schema in a CustomResourceDefinition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaLine {
    /// The name of the field, or of the kind.
    pub name: TextRange,
    /// The field with its schema.
    pub whole: TextRange,
}

/// Returns the name at an offset and the schemas that describe it: of a field of an object or of
/// parameters, of a type or a field of a mutation, of `paramKind`, and of a key of a manifest. With `follow`, also of the
/// value of a variable.
#[must_use]
pub fn schema_paths(
    file: &SourceFile,
    offset: TextSize,
    follow: bool,
) -> Option<(TextRange, Vec<SchemaPath>)> {
    let Some(target) = Target::at(file, offset).filter(|target| target.touches) else {
        return param_kind(file, offset).or_else(|| manifest_field(file, offset));
    };
    let token = target.token()?.span;
    let ast = target.ast();
    if let Some(steps) = mutated(ast, token) {
        let kinds = matched_kinds(file, target.document).into_iter();
        let paths = kinds.map(|kind| SchemaPath {
            kind,
            steps: steps.clone(),
        });
        return Some((target.range(token), paths.collect()));
    }
    let is_named = |id: &ExprId| match ast.kind(*id) {
        ExprKind::Select { field, .. } => field.span == token,
        ExprKind::Ident { name, .. } => follow && name.span == token,
        _ => false,
    };
    let id = ast
        .path_at(token.start())
        .into_iter()
        .rev()
        .find(is_named)?;
    let origin = Origin::find(target.document, target.expression, id)?;
    if origin.is_followed && !follow {
        return None;
    }
    let kinds = origin.kinds(file, target.document);
    let paths = kinds.into_iter().map(|kind| SchemaPath {
        kind,
        steps: origin.steps.clone(),
    });
    Some((target.range(token), paths.collect()))
}

/// Returns the other files with the CustomResourceDefinition of a schema.
#[must_use]
pub fn files_with_schema(file: &SourceFile, of: &SchemaPath) -> Vec<Arc<Path>> {
    let files = file
        .project()
        .files()
        .iter()
        .filter(|it| it.file != *file.path());
    let defines = files.filter(|it| {
        let mut names = it.definitions.iter().flat_map(|it| it.names());
        names.any(|(group, _, kind)| group == &*of.kind.group && kind == &*of.kind.kind)
    });
    defines.map(|it| Arc::clone(&it.file)).collect()
}

/// Returns the schema in a file.
#[must_use]
pub fn schema_line(file: &SourceFile, of: &SchemaPath) -> Option<SchemaLine> {
    file.policies().iter().find_map(|document| {
        let crd = document.crd()?;
        if !crd.is_of(&of.kind.group, &of.kind.kind) {
            return None;
        }
        if of.steps.is_empty() {
            let name = crd.kind.as_ref()?.at.range;
            let whole = document.root().range();
            return Some(SchemaLine { name, whole });
        }
        let version = crd.position(&of.kind.version)?;
        let mut schemas = version_schemas(document.root()).into_iter();
        let (_, schema) = schemas.find(|(index, _)| *index == version)?;
        walk(schema.node(), &of.steps)
    })
}

fn walk(mut schema: Node<'_>, steps: &[SchemaStep]) -> Option<SchemaLine> {
    let mut line = None;
    for step in steps {
        if let (SchemaStep::FieldOfType(_), Some(items)) = (step, schema.get("items")) {
            schema = items;
        }
        let declared = |name: &str| schema.get("properties")?.entry(name);
        let entry = match step {
            SchemaStep::FieldOfType(name) | SchemaStep::Field(name) => {
                declared(name).or_else(|| schema.entry("additionalProperties"))
            }
            SchemaStep::Item => schema
                .entry("items")
                .or_else(|| schema.entry("additionalProperties")),
        }?;
        schema = entry.value;
        line = Some(SchemaLine {
            name: entry.key.range(),
            whole: entry.key.range().cover(entry.value.range()),
        });
    }
    line
}

fn param_kind(file: &SourceFile, offset: TextSize) -> Option<(TextRange, Vec<SchemaPath>)> {
    file.policies().iter().find_map(|document| {
        let param_kind = document.policy()?.param_kind.as_ref()?;
        let written = [&param_kind.kind, &param_kind.api_version];
        let mut ranges = written.into_iter().flatten().map(|it| it.at.range);
        let range = ranges.find(|range| range.contains_inclusive(offset))?;
        let kind = kind_of_params(document)?;
        let steps = Vec::new();
        Some((range, vec![SchemaPath { kind, steps }]))
    })
}

/// Returns the key at an offset of a manifest, or of an object in an admission input, and the
/// schema of the field; at the value of `kind`, that of the object.
fn manifest_field(file: &SourceFile, offset: TextSize) -> Option<(TextRange, Vec<SchemaPath>)> {
    // The documents of inputs and samples are not parsed with the file.
    let document = yaml::split(file.text()).find(|it| it.contains_inclusive(offset))?;
    let text = Some(file.slice(document)).filter(|text| text.len() <= MAX_DOCUMENT)?;
    let stream = yaml::parse(Arc::from(text));
    let root = stream.documents().find_map(yaml::Document::root)?;
    let (start, at) = (document.start(), offset - document.start());
    let (mut node, mut kind, mut steps) = (root, None, Vec::new());
    loop {
        let Some(mapping) = node.as_mapping() else {
            let mut items = node.as_sequence()?.items();
            node = items.find(|item| item.range().contains_inclusive(at))?;
            steps.push(SchemaStep::Item);
            continue;
        };
        if let Some((names, name)) = TypeMeta::read(node).names() {
            kind = Some(GroupVersionKind::new(names.group, names.version, name));
            steps.clear();
        }
        let mut entries = mapping.entries();
        let entry = entries.find(|entry| {
            let parts = [entry.key, entry.value];
            parts.iter().any(|it| it.range().contains_inclusive(at))
        })?;
        let is_key = entry.key.range().contains_inclusive(at);
        let is_kind = !is_key && entry.key.text() == "kind" && steps.is_empty();
        if !is_kind {
            steps.push(SchemaStep::Field((&*entry.key.key_text()).into()));
        }
        if is_key || is_kind {
            let name = if is_key { entry.key } else { entry.value };
            let range = name.range();
            let origin = TextRange::new(range.start() + start, range.end() + start);
            return Some((origin, vec![SchemaPath { kind: kind?, steps }]));
        }
        node = entry.value;
    }
}

fn kind_of_params(document: &PolicyDocument) -> Option<GroupVersionKind> {
    let param_kind = document.policy()?.param_kind.as_ref()?;
    let names = param_kind.group_version();
    Some(GroupVersionKind::new(
        names.group,
        names.version,
        param_kind.kind(),
    ))
}

/// The object that a part of an expression belongs to.
struct Origin {
    is_params: bool,
    steps: Vec<SchemaStep>,
    /// Whether the way there leads through a variable as a whole.
    is_followed: bool,
}

impl Origin {
    fn find(document: &PolicyDocument, expression: &Expression, id: ExprId) -> Option<Self> {
        let variables = Variables::new(document);
        let (mut ast, mut at) = (expression.ast(), id);
        let mut steps = Vec::new();
        let mut is_followed = false;
        for _ in 0..MAX_STEPS {
            at = ast.unparenthesized(at);
            if let Some(index) = used_variable(ast, at, &variables) {
                is_followed |= steps.is_empty();
                ast = variables.definitions.get(index)?.expression?.ast();
                at = ast.root();
                continue;
            }
            match ast.kind(at) {
                ExprKind::Select { operand, field, .. } => {
                    steps.push(SchemaStep::Field(ast.name(*field).into()));
                    at = *operand;
                }
                ExprKind::Index { operand, index, .. } => {
                    steps.push(index_step(ast, *index));
                    at = *operand;
                }
                ExprKind::Ident { name, .. } => {
                    if let Some(list) = list_of(ast, at) {
                        is_followed |= steps.is_empty();
                        steps.push(SchemaStep::Item);
                        at = list;
                        continue;
                    }
                    let is_params = is_params(ast.name(*name))?;
                    steps.reverse();
                    return Some(Self {
                        is_params,
                        steps,
                        is_followed,
                    });
                }
                _ => return None,
            }
        }
        None
    }

    fn kinds(&self, file: &SourceFile, document: &PolicyDocument) -> Vec<GroupVersionKind> {
        if self.is_params {
            return kind_of_params(document).into_iter().collect();
        }
        matched_kinds(file, document)
    }
}

fn matched_kinds(file: &SourceFile, document: &PolicyDocument) -> Vec<GroupVersionKind> {
    let checks = file.kind_checks_of(document);
    let kinds = checks.into_iter().flat_map(KindChecks::kinds);
    kinds.map(|kind| kind.name.clone()).collect()
}

/// Returns the path to a type or a field of a mutation: `spec` and `limits` for the last name of
/// `Object.spec{limits: …}`. `None` for other names.
fn mutated(ast: &Ast, token: Span) -> Option<Vec<SchemaStep>> {
    let is_token = |name: &Name| name.span == token;
    let path = ast.path_at(token.start()).into_iter().rev();
    let mut structs = path.filter_map(|id| match ast.kind(id) {
        ExprKind::Struct {
            type_name, fields, ..
        } => Some((type_name, fields)),
        _ => None,
    });
    let (type_name, field) = structs.find_map(|(type_name, fields)| {
        let field = fields.iter().map(|it| it.name).find(is_token);
        let part = type_name.iter().position(is_token);
        let written = part.map_or(&**type_name, |at| type_name.get(..=at).unwrap_or(&[]));
        (field.is_some() || part.is_some()).then_some((written, field))
    })?;
    let (object, fields) = type_name.split_first()?;
    if ast.name(*object) != OBJECT {
        return None;
    }
    let names = fields.iter().copied().chain(field);
    let steps = names.map(|name| SchemaStep::FieldOfType(ast.name(name).into()));
    Some(steps.collect())
}

/// Returns whether a name refers to the parameters. `None` if it is not an object either.
fn is_params(name: &str) -> Option<bool> {
    match name {
        "params" => Some(true),
        "object" | "oldObject" => Some(false),
        _ => None,
    }
}

/// Returns the definition of the variable of the policy that a node is.
fn used_variable(ast: &Ast, id: ExprId, variables: &Variables<'_>) -> Option<usize> {
    let span = match ast.kind(id) {
        ExprKind::Select { field, .. } => field.span,
        ExprKind::Index { index, .. } => ast.span(ast.unparenthesized(*index)),
        _ => return None,
    };
    let is_this =
        |used: &&VariableUse<'_>| used.span == span && std::ptr::eq(used.expression.ast(), ast);
    let used = variables.uses.iter().find(is_this)?;
    variables.index_of(used.name)
}

fn index_step(ast: &Ast, index: ExprId) -> SchemaStep {
    match ast.kind(ast.unparenthesized(index)) {
        ExprKind::Literal(Literal::String(name)) => SchemaStep::Field(name.clone()),
        _ => SchemaStep::Item,
    }
}

/// Returns the list over which a macro runs, for its last variable.
fn list_of(ast: &Ast, id: ExprId) -> Option<ExprId> {
    let uses = ast.idents(ast.root(), &[]);
    let found = uses.iter().find(|found| found.id == id)?;
    let (IdentRole::Declaration(binding) | IdentRole::Bound(binding)) = found.role else {
        return None;
    };
    let call = ast.macro_call(binding.call)?;
    let last = ast.macro_variable(*call.variables.last()?)?;
    (last == binding.name).then_some(call.target).flatten()
}

#[cfg(test)]
mod tests;
