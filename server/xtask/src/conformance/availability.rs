//! `availability.jsonl`: which versions of the environment have a function.

use super::case::{Case, Outcome};
use cel::check::check as check_types;
use cel::eval::Program;
use kubernetes::EnvironmentVersion;
use policy::environment::{EnvironmentKind, env};
use serde_json::Value as Json;

/// The environment of a validation in a policy with parameters.
const VALIDATION: EnvironmentKind = EnvironmentKind::Admission {
    params: true,
    authorizer: true,
    patch_types: false,
};

/// Checks the whole result.
pub(super) fn check(case: &Case) -> Outcome {
    let parse = cel::parse(case.require(&["expr"])?);
    let compiles = |version: &EnvironmentVersion| {
        let env = env(*version, VALIDATION);
        let checked = check_types(&parse.ast, &env);
        parse.is_ok() && checked.is_ok() && Program::new(&checked, &env).is_ok()
    };
    let ours = EnvironmentVersion::all().filter(compiles);
    let ours: Vec<String> = ours.map(|version| version.to_string()).collect();
    let expected: Vec<&str> = case
        .get(&["compilesAt"])
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    if ours == expected {
        return Ok(());
    }
    Err(format!("we say {ours:?}; Kubernetes says {expected:?}"))
}
