//! Functions and macros of CEL, with their first server and their cost.

use super::{Explanation, Topic};
use crate::signature::{add_macro_since, add_page, code, every_overload, macro_page};
use cel::Env;
use cel::check::check;
use cel::env::DeclaredFunction;
use cel::eval::{Bindings, Limits, Program};
use cel::syntax::MacroKind;
use kubernetes::{EnvironmentVersion, ServerVersion};
use policy::availability::macro_since;
use policy::environment::{EnvironmentKind, env};
use policy::library::{KUBERNETES, LANGUAGE, MUTATION};

/// Returns the environment with all functions that expressions of policies may call.
fn everything() -> Env {
    let kind = EnvironmentKind::Admission {
        params: true,
        authorizer: true,
        patch_types: true,
    };
    env(EnvironmentVersion::NEWEST, kind)
}

/// Returns whether users write the name of a function.
fn is_named(function: &DeclaredFunction) -> bool {
    let first = function.name.chars().next();
    first.is_some_and(|first| first.is_ascii_alphabetic())
}

fn macros() -> impl Iterator<Item = MacroKind> {
    let libraries = [LANGUAGE, KUBERNETES, MUTATION].into_iter().flatten();
    libraries.flat_map(|library| library.macros.iter().map(|it| it.kind))
}

/// Returns the names of all functions and macros.
pub(super) fn names() -> Vec<String> {
    let env = everything();
    let functions = env.functions().filter(|it| is_named(it));
    let mut names: Vec<String> = functions.map(|it| it.name.to_owned()).collect();
    names.extend(macros().map(|kind| kind.name().to_owned()));
    names.sort();
    names.dedup();
    names
}

pub(super) fn function(name: &str) -> Option<Explanation> {
    let env = everything();
    let function = env.function(name).filter(|it| is_named(it))?;
    let mut markdown = every_overload(function);
    let examples = function.declarations.iter().map(|it| it.example);
    if let Some(cost) = examples.filter_map(|it| cost(it, &env)).next() {
        let units = if cost == 1 { "unit" } else { "units" };
        markdown.push_str(&format!("\n\nThe example costs {cost} {units}."));
    }
    let overloads = function.overloads.iter();
    let since = overloads.map(|it| it.declaration.since.into()).min();
    Some(Explanation {
        topic: Topic::Function,
        name: name.to_owned(),
        markdown,
        since: since.and_then(server),
        until: None,
    })
}

pub(super) fn macro_of(name: &str) -> Option<Explanation> {
    let kind = macros().find(|kind| kind.name() == name)?;
    let page = macro_page(kind);
    let mut markdown = code([page.call.to_owned()]);
    add_page(&mut markdown, page.doc, page.example);
    let forms = (0..=2).filter_map(|variables| Some((variables, macro_since(kind, variables)?)));
    let first = forms.min_by_key(|(_, since)| *since);
    if let Some((variables, _)) = first {
        add_macro_since(&mut markdown, kind, variables);
    }
    Some(Explanation {
        topic: Topic::Macro,
        name: name.to_owned(),
        markdown,
        since: first.and_then(|(_, since)| server(since)),
        until: None,
    })
}

/// Returns the first server that accepts something in new expressions, unless all do.
fn server(since: EnvironmentVersion) -> Option<ServerVersion> {
    let is_told = since > EnvironmentVersion::OLDEST && since <= EnvironmentVersion::NEWEST;
    is_told.then(|| since.first_server())
}

/// Returns the cost of an expression without variables.
fn cost(example: &str, env: &Env) -> Option<u64> {
    let parse = cel::parse(example);
    let checked = check(&parse.ast, env);
    let program = Program::new(&checked, env).ok()?;
    let outcome = program.run(&Bindings::new(), &Limits::default());
    outcome.result.is_ok().then_some(outcome.cost)
}
