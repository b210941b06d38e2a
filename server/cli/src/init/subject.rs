//! The kind that a new policy matches, and its purpose: from options, prompts or defaults.

use super::prompt::Prompt;
use crate::arguments::Init;
use crate::problem::Problem;
use ide::{INTENTS, Intent, NewPolicy, find_resource, new_policy};
use kubernetes::openapi::{Catalog, Resource};
use policy::Kind;

/// The kind by default: the one that most first policies are about.
const KIND: &str = "Deployment";

/// Returns the policy that the options and the answers describe, with its kind.
pub(super) fn policy(options: &Init, catalog: &Catalog) -> Result<(NewPolicy, Kind), Problem> {
    let mut prompt = Prompt::from_terminal(options.yes);
    let read = |kind: &str| resource(kind, catalog);
    let resource = match (&options.kind, &mut prompt) {
        (None, Some(prompt)) => prompt.answer("Which kind does the policy match?", KIND, read)?,
        (kind, _) => {
            let kind = kind.as_deref().unwrap_or(KIND);
            read(kind).map_err(|message| Problem::new("", message))?
        }
    };
    let is_possible = |intent: &&Intent| {
        let is_meant = intent.is_mutating || !options.mutating;
        is_meant && new_policy(intent, &resource, catalog).is_some()
    };
    let possible: Vec<&Intent> = INTENTS.iter().filter(is_possible).collect();
    let intent = match (&options.intent, &mut prompt) {
        (Some(name), _) => possible.iter().find(|it| it.name == name).copied(),
        (None, Some(prompt)) if !possible.is_empty() => {
            let purposes: Vec<&str> = possible.iter().map(|it| it.purpose).collect();
            let chosen = prompt.choice("What does it do?", &purposes)?;
            possible.get(chosen).copied()
        }
        (None, _) => possible.first().copied(),
    };
    let policy = intent.and_then(|it| Some((new_policy(it, &resource, catalog)?, it.kind())));
    policy.ok_or_else(|| unfit(resource.kind, &possible))
}

/// Returns why an intent does not fit a kind.
fn unfit(kind: &str, possible: &[&Intent]) -> Problem {
    let names: Vec<&str> = possible.iter().map(|it| it.name).collect();
    let message = if names.is_empty() {
        format!("no intent fits `{kind}`: its objects are not stored, or no policy matches them")
    } else {
        let names = names.join(", ");
        format!("the intent does not fit `{kind}`; available: {names}")
    };
    Problem::new("", message)
}

/// Returns the resource with a name: a kind, a plural, a singular or a short name, with the API
/// version before it if several have the name. An error is a message.
fn resource<'c>(word: &str, catalog: &'c Catalog) -> Result<Resource<'c>, String> {
    find_resource(catalog, word).ok_or_else(|| {
        let name = word.rsplit('/').next().unwrap_or(word);
        let hint = match text::nearest(name, catalog.resources().map(|it| it.kind)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use a built-in kind, or a kind that a CustomResourceDefinition in the \
                     directory defines"
                .to_owned(),
        };
        format!("unknown kind `{word}`; {hint}")
    })
}
