//! Evaluating an expression, compared with the peers.
//!
//! An editor evaluates every expression of a policy at every keystroke, against every input. Ours
//! counts the cost as the API server does; the peers count nothing. Everything is parsed,
//! checked, compiled and converted before; one evaluation over an existing object is measured.
//! `cargo bench -p bench --bench eval`.

mod expressions;

use divan::{Bencher, black_box};
use expressions::{CASES, expression};
use serde_json::{Value as Json, json};

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

fn object(case: &str) -> Json {
    match case {
        "containers-10" => containers(10),
        "containers-1000" => containers(1000),
        "clauses-40" => {
            let fields = (0..40).map(|index| (format!("f{index}"), json!(index)));
            json!({ "spec": Json::Object(fields.collect()) })
        }
        "labels-50" => {
            let label = |index: usize| {
                let key = match index {
                    49 => "example.com/team".to_owned(),
                    _ => format!("app.kubernetes.io/label-{index}"),
                };
                (key, json!("team-web"))
            };
            json!({ "metadata": { "labels": Json::Object((0..50).map(label).collect()) } })
        }
        "nested-100x100" => {
            let numbers: Vec<i64> = (0..100).collect();
            json!({ "spec": { "rows": numbers, "columns": numbers } })
        }
        _ => json!({ "spec": { "replicas": 3 } }),
    }
}

fn containers(count: usize) -> Json {
    let container = |index: usize| {
        json!({
            "name": format!("container-{index}"),
            "image": "registry.example.com/web:1.2.3",
            "resources": { "limits": { "cpu": "500m", "memory": "1Gi" } },
            "securityContext": { "runAsNonRoot": true, "privileged": false },
        })
    };
    json!({ "spec": { "containers": (0..count).map(container).collect::<Vec<_>>() } })
}

mod ours {
    use super::Json;
    use cel::eval::{Bindings, Limits, Program};
    use cel::value::{Key, Map, Value};
    use cel::{Env, Type};

    pub(super) fn value(json: &Json) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => number
                .as_i64()
                .map_or_else(|| Value::Double(number.as_f64().unwrap_or(0.0)), Value::Int),
            Json::String(text) => Value::string(text.as_str()),
            Json::Array(elements) => Value::list(elements.iter().map(value).collect()),
            Json::Object(fields) => {
                let entry = |(key, field): (&String, &Json)| {
                    (Key::String(key.as_str().into()), value(field))
                };
                Value::Map(fields.iter().map(entry).collect::<Map>())
            }
        }
    }

    pub(super) fn environment() -> Env {
        Env::builder()
            .rules(policy::environment::rules(policy::environment::NEWEST))
            .library(&cel::stdlib::LIBRARY)
            .variable("object", Type::Dyn)
            .build()
            .unwrap_or_else(|_| Env::empty())
    }

    pub(super) fn program(text: &str) -> Program {
        let env = environment();
        let checked = cel::check::check(&cel::parse(text).ast, &env);
        match Program::new(&checked, &env) {
            Ok(program) => program,
            Err(error) => unreachable!("{text}: {error}"),
        }
    }

    pub(super) fn bindings(object: &Json) -> Bindings {
        Bindings::new().with("object", value(object))
    }

    /// The limit of the API server for one expression.
    pub(super) const LIMITS: Limits<'_> = Limits {
        cost: Some(1_000_000),
        canceled: None,
        deadline: None,
        memory: cel::library::Context::MEMORY,
        shared_memory: None,
    };
}

mod crate_cel {
    use super::Json;
    use cel_peer::{Context, Program, Value};
    use std::collections::HashMap;
    use std::sync::Arc;

    fn value(json: &Json) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => number
                .as_i64()
                .map_or_else(|| Value::Float(number.as_f64().unwrap_or(0.0)), Value::Int),
            Json::String(text) => Value::String(Arc::new(text.clone())),
            Json::Array(elements) => Value::List(Arc::new(elements.iter().map(value).collect())),
            Json::Object(fields) => {
                let entry = |(key, field): (&String, &Json)| (key.clone(), value(field));
                Value::from(fields.iter().map(entry).collect::<HashMap<_, _>>())
            }
        }
    }

    pub(super) fn context(object: &Json) -> Context<'static, 'static> {
        let mut context = Context::default();
        context.add_variable_from_value("object", value(object));
        context
    }

    pub(super) fn program(text: &str) -> Program {
        match Program::compile(text) {
            Ok(program) => program,
            Err(error) => unreachable!("{text}: {error}"),
        }
    }
}

mod crate_cel_core {
    use super::Json;
    use cel_core::{CelType, Env, MapActivation, Program, Value};

    fn value(json: &Json) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => number
                .as_i64()
                .map_or_else(|| Value::Double(number.as_f64().unwrap_or(0.0)), Value::Int),
            Json::String(text) => Value::from(text.as_str()),
            Json::Array(elements) => Value::list(elements.iter().map(value).collect::<Vec<_>>()),
            Json::Object(fields) => {
                let entry = |(key, field): (&String, &Json)| (key.clone(), value(field));
                Value::map(fields.iter().map(entry))
            }
        }
    }

    pub(super) fn activation(object: &Json) -> MapActivation {
        let mut activation = MapActivation::new();
        activation.insert("object", value(object));
        activation
    }

    pub(super) fn program(text: &str) -> Program {
        let env = Env::with_standard_library().with_variable("object", CelType::Dyn);
        let compiled = env.compile(text).and_then(|ast| env.program(&ast));
        match compiled {
            Ok(program) => program,
            Err(error) => unreachable!("{text}: {error}"),
        }
    }
}

#[divan::bench(args = CASES)]
fn ours(bencher: Bencher<'_, '_>, case: &str) {
    let program = ours::program(&expression(case));
    let bindings = ours::bindings(&object(case));
    let outcome = program.run(&bindings, &ours::LIMITS);
    assert!(outcome.result.is_ok(), "{outcome:?}");
    bencher.bench(|| program.run(black_box(&bindings), &ours::LIMITS));
}

#[divan::bench(args = CASES)]
fn cel_crate(bencher: Bencher<'_, '_>, case: &str) {
    let program = crate_cel::program(&expression(case));
    let context = crate_cel::context(&object(case));
    assert!(program.execute(&context).is_ok());
    bencher.bench(|| program.execute(black_box(&context)));
}

/// It does not resolve the types of the elements of `dyn`, so it rejects two of the
/// expressions.
#[divan::bench(args = CASES.into_iter().filter(|case| !["labels-50", "nested-100x100"].contains(case)))]
fn cel_core(bencher: Bencher<'_, '_>, case: &str) {
    let program = crate_cel_core::program(&expression(case));
    let activation = crate_cel_core::activation(&object(case));
    assert!(!program.eval(&activation).is_error());
    bencher.bench(|| program.eval(black_box(&activation)));
}
