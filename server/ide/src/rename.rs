//! Renames: the edits that give a definition another name wherever it occurs in a file.
//!
//! A rename never changes a result. Where that is not certain, because the new name has another
//! meaning or a template may use the old one, it is rejected with the reason.

use crate::definition::{Definition, Form, Occurrence};
use crate::file::SourceFile;
use crate::references::{hides_names, name_at, occurrences};
use cel::syntax::{Ast, ExprKind, IdentRole, is_identifier, is_reserved, parse};
use kubernetes::names::format::dns_subdomain;
use policy::typecheck::Checked;
use policy::variables::Variables;
use policy::{Expression, Kind, PolicyDocument};
use std::fmt;
use text::{Span, TextEdit, TextSize};
use yaml::edit::word;

/// The reason why a name cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameError {
    /// A placeholder of a template may use the old name.
    Template,
    /// An anchor gives the text to several places.
    Shared,
    /// The new name is reserved in CEL.
    Reserved(String),
    /// The new name is not an identifier.
    NotIdentifier(String),
    /// The new name is not a valid name of an object, with Kubernetes' message.
    NotSubdomain(String, String),
    /// The policy defines or uses another variable of the name.
    VariableExists(String),
    /// The name of a CustomResourceDefinition follows from its other fields.
    Definition,
    /// Another policy of the project has the name.
    PolicyExists(Kind, String),
    /// The name has another meaning in the expression.
    Captured(String),
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Template => f.write_str("A template placeholder may use this name."),
            Self::Shared => f.write_str("This name is in a YAML anchor that is used elsewhere."),
            Self::Reserved(name) => write!(f, "`{name}` is reserved in CEL."),
            Self::NotIdentifier(name) => write!(
                f,
                "`{name}` is not a valid variable name. Use letters, digits and `_`, and do not start with a digit."
            ),
            Self::NotSubdomain(name, detail) => {
                write!(f, "`{name}` is not a valid object name: {detail}")
            }
            Self::VariableExists(name) => {
                write!(f, "The policy already defines or uses a variable `{name}`.")
            }
            Self::Definition => f.write_str(
                "The name of a CustomResourceDefinition must be `<spec.names.plural>.<spec.group>`.",
            ),
            Self::PolicyExists(kind, name) => {
                write!(f, "The project already has a {kind} `{name}`.")
            }
            Self::Captured(name) => {
                write!(
                    f,
                    "`{name}` already has another meaning in this expression."
                )
            }
        }
    }
}

impl std::error::Error for RenameError {}

/// Returns the name at an offset if it can be changed. `None` where no name with a definition is.
///
/// # Errors
/// When the name cannot be changed, whatever the new one is.
pub fn prepare_rename(
    file: &SourceFile,
    offset: TextSize,
) -> Result<Option<&Occurrence>, RenameError> {
    let Some(name) = name_at(file, offset) else {
        return Ok(None);
    };
    check_text(file, &name.definition)?;
    Ok(Some(name))
}

/// Returns the edits that change a name in one file.
///
/// # Errors
/// When the new name is not valid or has another meaning, or the old one cannot be changed.
pub fn rename(file: &SourceFile, of: &Definition, new: &str) -> Result<Vec<TextEdit>, RenameError> {
    check_text(file, of)?;
    match of {
        Definition::Variable { document, .. } => {
            check_identifier(new)?;
            check_variable(file, *document, of, new)?;
        }
        Definition::MacroVariable {
            document,
            expression,
            declaration,
        } => {
            check_identifier(new)?;
            let document = file.policies().get(*document);
            let found = document.and_then(|it| Some((it, it.expressions().get(*expression)?)));
            if let Some((document, expression)) = found {
                check_scope(document, expression, *declaration, new)?;
            }
        }
        Definition::Policy { .. } | Definition::OfInput { .. } => check_policy(file, of, new)?,
    }
    Ok(occurrences(file, of).map(|it| edit(it, new)).collect())
}

fn edit(of: &Occurrence, new: &str) -> TextEdit {
    match of.form {
        Form::Plain => TextEdit::replace(of.range, word(new)),
        Form::Part | Form::Shared => TextEdit::replace(of.range, new),
    }
}

/// Checks that all places of a name are known and are its own.
fn check_text(file: &SourceFile, of: &Definition) -> Result<(), RenameError> {
    for found in occurrences(file, of) {
        if found.form == Form::Shared {
            return Err(RenameError::Shared);
        }
        let kind = found.definition.policy_kinds();
        if kind == [Kind::CustomResourceDefinition] {
            return Err(RenameError::Definition);
        }
    }
    let is_template = match of {
        Definition::Variable { document, .. } => {
            let document = file.policies().get(*document);
            document.is_some_and(|it| has_placeholder(file.slice(it.root().range())))
        }
        Definition::MacroVariable {
            document,
            expression,
            ..
        } => {
            let document = file.policies().get(*document);
            let expression = document.and_then(|it| it.expressions().get(*expression));
            expression.is_some_and(|it| has_placeholder(it.text()))
        }
        Definition::Policy { .. } | Definition::OfInput { .. } => {
            let mut kinds = of.policy_kinds().iter();
            kinds.any(|kind| hides_names(file, *kind))
        }
    };
    if is_template {
        return Err(RenameError::Template);
    }
    Ok(())
}

fn has_placeholder(text: &str) -> bool {
    text.contains("{{") || text.contains("{%")
}

fn check_identifier(new: &str) -> Result<(), RenameError> {
    if is_reserved(new) {
        return Err(RenameError::Reserved(new.to_owned()));
    }
    if !is_identifier(new) {
        return Err(RenameError::NotIdentifier(new.to_owned()));
    }
    Ok(())
}

fn check_variable(
    file: &SourceFile,
    document: usize,
    of: &Definition,
    new: &str,
) -> Result<(), RenameError> {
    let is_same = matches!(of, Definition::Variable { name, .. } if **name == *new);
    let document = file.policies().get(document);
    let variables = document.map(|document| Variables::new(document));
    // A use of a missing variable would find one.
    let is_used = |variables: &Variables<'_>| {
        variables.index_of(new).is_some() || variables.uses.iter().any(|used| used.name == new)
    };
    if !is_same && variables.as_ref().is_some_and(is_used) {
        return Err(RenameError::VariableExists(new.to_owned()));
    }
    Ok(())
}

fn check_policy(file: &SourceFile, of: &Definition, new: &str) -> Result<(), RenameError> {
    if let Some(detail) = dns_subdomain(new).into_iter().next() {
        return Err(RenameError::NotSubdomain(new.to_owned(), detail));
    }
    if of.policy_name() == Some(new) {
        return Ok(());
    }
    let surroundings = file.surroundings();
    let exists = |kind: &&Kind| !surroundings.policies(**kind, Some(new)).is_empty();
    let other = of.policy_kinds().iter().find(exists);
    other.map_or(Ok(()), |kind| {
        Err(RenameError::PolicyExists(*kind, new.to_owned()))
    })
}

/// Checks that every name of the expression has the same meaning afterward.
fn check_scope(
    document: &PolicyDocument,
    expression: &Expression,
    declaration: Span,
    new: &str,
) -> Result<(), RenameError> {
    let captured = || Err(RenameError::Captured(new.to_owned()));
    let ast = expression.ast();
    let mut spans: Vec<Span> = Vec::new();
    for used in ast.idents(ast.root(), &[]) {
        if let IdentRole::Declaration(it) | IdentRole::Bound(it) = used.role
            && it.name.span == declaration
        {
            spans.push(used.name.span);
        }
    }
    let renamed = parse(&replaced(ast.text(), &spans, new));
    if meanings(&renamed.ast) != meanings(ast) {
        return captured();
    }
    // `math.greatest(…)` calls a function even where `math` is the variable of a macro.
    let env = document.checked(expression).map(Checked::env);
    let is_qualified = ast.ids().any(|id| match ast.kind(id) {
        ExprKind::Select { operand, .. } => is_one_of(ast, *operand, &spans),
        ExprKind::Call { target, .. } => target.is_some_and(|it| is_one_of(ast, it, &spans)),
        _ => false,
    });
    if is_qualified && env.is_some_and(|env| env.is_namespace(new) || env.types().is_namespace(new))
    {
        return captured();
    }
    Ok(())
}

fn is_one_of(ast: &Ast, id: cel::syntax::ExprId, spans: &[Span]) -> bool {
    match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Ident { name, .. } => spans.contains(&name.span),
        _ => false,
    }
}

/// Returns `text` with `new` in place of these spans, which are in order.
fn replaced(text: &str, spans: &[Span], new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for span in spans {
        out.push_str(Span::new(end, span.start()).slice(text));
        out.push_str(new);
        end = span.end();
    }
    out.push_str(text.get(end as usize..).unwrap_or(""));
    out
}

/// Returns for each identifier the number of the one that declares it.
fn meanings(ast: &Ast) -> Vec<Option<usize>> {
    let idents = ast.idents(ast.root(), &[]);
    let declared_by = |span: Span| idents.iter().position(|it| it.name.span == span);
    let meanings = idents.iter().map(|ident| match ident.role {
        IdentRole::Declaration(it) | IdentRole::Bound(it) => declared_by(it.name.span),
        IdentRole::Free => None,
    });
    meanings.collect()
}

#[cfg(test)]
mod tests;
