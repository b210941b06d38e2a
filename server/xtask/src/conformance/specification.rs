//! `cel-spec.jsonl`: the conformance suite of the CEL specification.
//!
//! Its cases declare their own variables and functions, and write every value with its type.
//! They run in an environment with all of our CEL and without Kubernetes' libraries.

use super::case::{Case, Outcome};
use super::compilation::same as same_text;
use super::engine::{Answer, answer, run_unchecked};
use cel::check::Checked;
use cel::env::Env;
use cel::eval::{self, Bindings};
use cel::ext::PLAIN_CEL;
use cel::library::{Function, Library, Overload};
use cel::syntax::ParseOptions;
use cel::value::{Key, Map};
use cel::{Type, Value};
use serde_json::Value as Json;
use std::sync::Arc;

/// Backticks are in the specification.
const SYNTAX: ParseOptions = ParseOptions {
    escaped_names: true,
};

/// Checks the whole result of the specification.
pub(super) fn check(case: &Case) -> Outcome {
    let expr = case.require(&["expr"])?;
    let env = environment(case)?;
    let bindings = bindings(case)?;
    if case.get(&["disable_check"]).is_some() {
        return check_outcome(case, run_unchecked(expr, SYNTAX, &env, &bindings));
    }
    match answer(expr, SYNTAX, &env, &bindings) {
        Answer::Unread => Err("we cannot read it".into()),
        Answer::Refused { report, .. } => check_outcome(case, Err(report)),
        Answer::Compiled { checked, outcome } => {
            check_type(case, &checked)?;
            if case.get(&["check_only"]).is_some() {
                return Ok(());
            }
            check_outcome(case, outcome)
        }
    }
}

/// Checks that the expression is rejected before it is evaluated.
pub(super) fn check_refused(case: &Case) -> Outcome {
    let expr = case.require(&["expr"])?;
    match answer(expr, SYNTAX, &environment(case)?, &bindings(case)?) {
        Answer::Unread | Answer::Refused { .. } => Ok(()),
        Answer::Compiled { .. } => Err("we accept it".into()),
    }
}

fn check_type(case: &Case, checked: &Checked) -> Outcome {
    let Some(expected) = case.get(&["deduced_type"]) else {
        return Ok(());
    };
    let expected = read_type(expected)?.full_runtime_name();
    let ours = checked.output_type().full_runtime_name();
    same_text("type", Some(&ours), Some(&expected))
}

/// Only the presence of an error is compared: the specification does not define messages.
fn check_outcome(case: &Case, outcome: Result<eval::Outcome, String>) -> Outcome {
    let result = outcome.and_then(|outcome| outcome.result.map_err(|error| error.to_string()));
    let Some(expected) = case.get(&["expect", "value"]) else {
        return match result {
            Ok(value) => Err(format!("we say {value:?}, an error is right")),
            Err(_) => Ok(()),
        };
    };
    let ours = result.map_err(|error| format!("we fail: {error}; {expected} is right"))?;
    if same(&ours, &value(expected)?) {
        return Ok(());
    }
    Err(format!("we say {ours:?}; {expected} is right"))
}

fn environment(case: &Case) -> Result<Env, String> {
    let builder = Env::builder().container(case.text(&["container"]).unwrap_or_default());
    let builder = PLAIN_CEL
        .iter()
        .fold(builder, |it, library| it.library(library));
    let declared = case.get(&["type_env"]).and_then(Json::as_array);
    let mut functions = Vec::new();
    let mut variables = Vec::new();
    for declared in declared.into_iter().flatten() {
        match (
            declared.get("name").and_then(Json::as_str),
            declared.get("ident"),
        ) {
            (Some(name), Some(ty)) => variables.push((name, read_type(ty)?)),
            _ => functions.push(function(declared)?),
        }
    }
    let own: &Library = Box::leak(Box::new(Library {
        name: "of the case",
        functions: functions.leak(),
        macros: &[],
    }));
    let builder = variables
        .into_iter()
        .fold(builder.library(own), |it, (name, ty)| it.variable(name, ty));
    builder.build().map_err(|error| error.to_string())
}

fn bindings(case: &Case) -> Result<Bindings, String> {
    let mut bindings = Bindings::new();
    let values = case.get(&["bindings"]).and_then(Json::as_object);
    for (name, bound) in values.into_iter().flatten() {
        let bound = bound
            .get("value")
            .ok_or("malformed: no value of a variable")?;
        bindings.set(name.as_str(), value(bound)?);
    }
    Ok(bindings)
}

/// Returns a value as the specification writes it.
///
/// # Errors
/// It is not a value.
fn value(json: &Json) -> Result<Value, String> {
    let malformed = || format!("malformed: {json} is no value");
    let (kind, inner) = single(json).ok_or_else(malformed)?;
    read(kind, inner)?.ok_or_else(malformed)
}

/// Returns the one entry of an object.
fn single(json: &Json) -> Option<(&str, &Json)> {
    let object = json.as_object()?;
    let (key, value) = object.iter().next()?;
    (object.len() == 1).then_some((key.as_str(), value))
}

fn read(kind: &str, inner: &Json) -> Result<Option<Value>, String> {
    Ok(match kind {
        "null" => Some(Value::Null),
        "bool" => inner.as_bool().map(Value::Bool),
        "int" => inner.as_i64().map(Value::Int),
        "uint" => inner.as_u64().map(Value::Uint),
        "double" => double(inner).map(Value::Double),
        "string" => inner.as_str().map(Value::string),
        "bytes" => inner
            .as_str()
            .and_then(text::decode_base64)
            .map(Value::bytes),
        "type" => inner.as_str().and_then(type_value),
        "list" => {
            let elements = inner.as_array().into_iter().flatten().map(value);
            Some(Value::list(elements.collect::<Result<_, _>>()?))
        }
        "map" => Some(Value::Map(map(inner)?)),
        _ => None,
    })
}

fn double(json: &Json) -> Option<f64> {
    json.as_f64().or_else(|| json.as_str()?.parse().ok())
}

fn type_value(name: &str) -> Option<Value> {
    let ty = match name {
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "optional_type" => Type::optional(Type::Dyn),
        _ => name.parse().ok()?,
    };
    Some(Value::Type(Arc::new(ty)))
}

fn map(json: &Json) -> Result<Map, String> {
    let entry = |entry: &Json| {
        let (key, inner) = entry.get(0).zip(entry.get(1))?;
        Some(value(key).and_then(|key| {
            let key = Key::new(&key).ok_or("malformed: no key of a map")?;
            Ok((key, value(inner)?))
        }))
    };
    let entries = json.as_array().into_iter().flatten();
    entries
        .map(|it| entry(it).unwrap_or_else(|| Err("malformed: no entry of a map".into())))
        .collect()
}

/// Returns a type as the specification writes it.
///
/// # Errors
/// It is not a type.
fn read_type(json: &Json) -> Result<Type, String> {
    let malformed = || format!("malformed: {json} is no type");
    if let Some(name) = json.as_str() {
        let name = if name == "null" { "null_type" } else { name };
        return name.parse().map_err(|_| malformed());
    }
    let text = written(json).ok_or_else(malformed)?;
    text.parse().map_err(|_| malformed())
}

/// Returns a type in the form that a declaration has.
fn written(json: &Json) -> Option<String> {
    if let Some(name) = json.as_str() {
        return Some(if name == "null" { "null_type" } else { name }.into());
    }
    let list = |params: &Json| {
        let params: Option<Vec<String>> = params.as_array()?.iter().map(written).collect();
        Some(params?.join(", "))
    };
    let (kind, inner) = single(json)?;
    Some(match kind {
        "list" | "type" | "wrapper" => format!("{kind}({})", written(inner)?),
        "map" => format!("map({})", list(inner)?),
        "type_param" => format!("<{}>", inner.as_str()?),
        "abstract" => format!("{}({})", inner.get(0)?.as_str()?, list(inner.get(1)?)?),
        _ => return None,
    })
}

/// Returns a function that a case declares.
///
/// Its strings live as long as the program, as those of libraries do.
///
/// # Errors
/// The declaration cannot be read.
fn function(declared: &Json) -> Result<Function, String> {
    let malformed = || format!("malformed: {declared} is no function");
    let name = declared
        .get("name")
        .and_then(Json::as_str)
        .ok_or_else(malformed)?;
    let overloads = declared
        .get("overloads")
        .and_then(Json::as_array)
        .ok_or_else(malformed)?;
    let overloads: Option<Vec<Overload>> = overloads.iter().map(overload).collect();
    Ok(Function {
        overloads: overloads.ok_or_else(malformed)?.leak(),
        ..Function::named(kept(name))
    })
}

fn overload(json: &Json) -> Option<Overload> {
    let params: Option<Vec<String>> = json
        .get("params")?
        .as_array()?
        .iter()
        .map(written)
        .collect();
    let id = kept(json.get("id")?.as_str()?);
    let (params, result) = (
        kept(&params?.join(", ")),
        kept(&written(json.get("result")?)?),
    );
    Some(if json.get("instance")?.as_bool()? {
        Overload::member(id, params, result)
    } else {
        Overload::global(id, params, result)
    })
}

fn kept(text: &str) -> &'static str {
    String::from(text).leak()
}

/// Returns whether two values are equal, including the types of numbers.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Double(a), Value::Double(b)) => a == b || (a.is_nan() && b.is_nan()),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            let has = |(key, value): (&Key, &Value)| {
                b.get(&key.value()).is_some_and(|other| same(value, other))
            };
            a.len() == b.len() && a.iter().all(has)
        }
        _ => std::mem::discriminant(one) == std::mem::discriminant(other) && one == other,
    }
}
