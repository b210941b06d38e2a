//! The documentation of a rule, a function, a macro, a variable, a kind or a field by name.
//!
//! It has the same text as hovers and rule pages, for readers without a cursor.

mod field;
mod function;

pub(crate) use field::field_page;
pub use field::{explain_custom, find_resource};

use crate::completion::meaning_of_field;
use crate::diagnostics::RULES;
use crate::signature::{add_page, code};
use cel::Type;
use kubernetes::openapi::Catalog;
use kubernetes::{EnvironmentVersion, ServerVersion};
use policy::environment::{EnvironmentKind, env, root};

/// Limit: suggestions for an unknown name.
const MAX_SUGGESTIONS: usize = 5;

/// The kind of thing that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// A rule of Admissible.
    Rule,
    /// A function of CEL.
    Function,
    /// A macro of CEL.
    Macro,
    /// A variable of expressions, or a field of one.
    Variable,
    /// A kind of Kubernetes.
    Kind,
    /// A field of a kind.
    Field,
}

/// The documentation of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The category of the explained name.
    pub topic: Topic,
    /// The full name.
    pub name: String,
    /// The documentation, in Markdown.
    pub markdown: String,
    /// The first server that has it, if known older servers do not.
    pub since: Option<ServerVersion>,
    /// The last server that has it, if known newer servers do not.
    pub until: Option<ServerVersion>,
}

impl Topic {
    /// Returns the name of the topic.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Function => "function",
            Self::Macro => "macro",
            Self::Variable => "variable",
            Self::Kind => "kind",
            Self::Field => "field",
        }
    }
}

/// Returns the explanations of a name, such as `null-object`, `sets.contains`, `request` or
/// `deployments.spec.replicas`.
///
/// # Errors
/// Nothing has the name. The error has similar names.
pub fn explain(name: &str) -> Result<Vec<Explanation>, Vec<String>> {
    let name = name.trim();
    let found = [
        rule(name),
        function::macro_of(name),
        function::function(name),
    ];
    let mut found: Vec<Explanation> = found.into_iter().flatten().collect();
    found.extend(variable(name));
    if !found.is_empty() {
        return Ok(found);
    }
    let mut near = field::of_objects(name);
    if !near.is_empty() {
        near.truncate(MAX_SUGGESTIONS);
        return Err(near);
    }
    match field::explain(name) {
        Ok(field) => Ok(vec![field]),
        Err(near) if !near.is_empty() => Err(near),
        Err(_) => Err(suggestions(name)),
    }
}

fn rule(name: &str) -> Option<Explanation> {
    let rule = RULES.iter().find(|rule| rule.code == name)?;
    Some(Explanation {
        topic: Topic::Rule,
        name: rule.code.to_owned(),
        markdown: rule.page.to_owned(),
        since: None,
        until: None,
    })
}

/// Returns the explanation of a variable, or of a field of one whose type the compiler has.
fn variable(name: &str) -> Option<Explanation> {
    let mut names = name.split('.');
    let root = root(names.next()?)?;
    let kind = EnvironmentKind::Admission {
        params: true,
        authorizer: true,
        patch_types: false,
    };
    let env = env(EnvironmentVersion::NEWEST, kind);
    let mut ty = env.variable(root.name).cloned().unwrap_or(Type::Dyn);
    let mut owner = None;
    let mut last = root.name;
    for name in names {
        let of = match &ty {
            Type::Struct(of) => of.clone(),
            _ => return None,
        };
        ty = env.types().field_type(&of, name)?;
        last = name;
        owner = Some(of);
    }
    let mut markdown = code([format!("{last}: {ty}")]);
    match owner {
        None => add_page(&mut markdown, root.doc, ""),
        Some(owner) => {
            add_page(&mut markdown, &format!("Field of `{owner}`."), "");
            if let Some(meaning) =
                meaning_of_field(&Catalog::built_in(ServerVersion::NEWEST), &owner, last)
            {
                markdown.push_str(&format!(" {meaning}"));
            }
        }
    }
    Some(Explanation {
        topic: Topic::Variable,
        name: name.to_owned(),
        markdown,
        since: None,
        until: None,
    })
}

/// Returns the names that a word may mean: those that contain it, or the most similar ones.
fn suggestions(word: &str) -> Vec<String> {
    let word = word.to_ascii_lowercase();
    let rules = RULES.iter().map(|rule| rule.code.to_owned());
    let names: Vec<String> = rules.chain(function::names()).collect();
    let is_part = |name: &&String| word.len() > 2 && name.to_ascii_lowercase().contains(&word);
    let found = names.iter().filter(is_part).take(MAX_SUGGESTIONS);
    let mut found: Vec<String> = found.cloned().collect();
    if found.is_empty() {
        let near = text::nearest(&word, names.iter().map(String::as_str));
        found.extend(near.map(str::to_owned));
    }
    found
}

#[cfg(test)]
mod tests;
