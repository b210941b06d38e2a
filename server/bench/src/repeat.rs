//! Work that is repeated, for a tool that counts instructions.
//!
//! The difference between two numbers of repetitions is the work alone, without the start of the
//! program and without what is prepared once.

use crate::Error;
use cel::eval::{Bindings, Limits, Program};
use cel::value::{Key, Map, Value};
use cel::{Env, Type};
use clap::{Args, ValueEnum};
use ide::{Project, Settings, SourceFile, diagnose};
use serde_json::json;
use std::sync::Arc;

/// The work, and how often it is done.
#[derive(Args)]
pub(crate) struct Options {
    /// The work.
    work: Work,
    /// The number of repetitions.
    #[arg(long, default_value_t = 100)]
    times: u32,
}

/// The work that is repeated.
#[derive(Clone, Copy, ValueEnum)]
enum Work {
    /// All findings of a policy of ten validations, from its text.
    Findings,
    /// The evaluation of 40 clauses joined by `&&`.
    Clauses,
}

/// A policy with ten validations of a Deployment.
const POLICY: &str = include_str!("../benches/policies/deployment.yaml");

/// The clauses of the expression.
const CLAUSES: i64 = 40;

/// Does the work. Returns how often it was done, and whether each time had the expected result.
pub(crate) fn run(options: &Options) -> Result<serde_json::Value, Error> {
    let has_passed = match options.work {
        Work::Findings => findings(options.times),
        Work::Clauses => clauses(options.times)?,
    };
    Ok(json!({ "times": options.times, "passed": has_passed }))
}

fn findings(times: u32) -> bool {
    let project = Arc::new(Project::default());
    let settings = Settings::default();
    let mut counts = (0..times).map(|_| {
        let file = SourceFile::in_project(POLICY, Arc::clone(&project));
        diagnose(&file, &settings).len()
    });
    let first = counts.next();
    counts.all(|count| Some(count) == first)
}

fn clauses(times: u32) -> Result<bool, Error> {
    let env = Env::builder()
        .rules(policy::environment::rules(policy::environment::NEWEST))
        .library(&cel::stdlib::LIBRARY)
        .variable("object", Type::Dyn)
        .build()
        .map_err(|_| Error::Program("the environment cannot be built".into()))?;
    let clause = |index: i64| format!("object.spec.f{index} == {index}");
    let text = (0..CLAUSES).map(clause).collect::<Vec<_>>().join(" && ");
    let checked = cel::check::check(&cel::parse(&text).ast, &env);
    let program =
        Program::new(&checked, &env).map_err(|error| Error::Program(format!("{text}: {error}")))?;
    let field = |index: i64| (Key::String(format!("f{index}").into()), Value::Int(index));
    let spec = Value::Map((0..CLAUSES).map(field).collect::<Map>());
    let object = Map::from_iter([(Key::String("spec".into()), spec)]);
    let bindings = Bindings::new().with("object", Value::Map(object));
    // The limit of the API server for one expression.
    let limits = Limits {
        cost: Some(1_000_000),
        canceled: None,
        deadline: None,
        memory: cel::library::Context::MEMORY,
        shared_memory: None,
    };
    let is_true = |_| {
        matches!(
            program.run(&bindings, &limits).result,
            Ok(Value::Bool(true))
        )
    };
    Ok((0..times).all(is_true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_repetition_has_the_expected_result() {
        for work in [Work::Findings, Work::Clauses] {
            let options = Options { work, times: 3 };
            assert_eq!(
                run(&options).unwrap(),
                json!({ "times": 3, "passed": true })
            );
        }
    }
}
