//! Guarantees of the checker, by topic. The expected messages are cel-go's.

mod errors;
mod overloads;
mod properties;
mod references;
mod rules;
mod types;

use super::{Checked, check};
use crate::env::{Env, EnvBuilder, Rules, TypeProvider};
use crate::ext;
use crate::types::Type;
use expect_test::Expect;
use std::fmt::Write;
use std::sync::Arc;

/// A type with fields.
#[derive(Debug)]
struct Fields;

impl TypeProvider for Fields {
    fn find_type(&self, name: &str) -> Option<Type> {
        match name {
            "acme.Pod" => Some(Type::object(name)),
            "net.IP" => Some(Type::opaque(name)),
            _ => None,
        }
    }

    fn field_type(&self, type_name: &str, field: &str) -> Option<Type> {
        match (type_name, field) {
            ("acme.Pod", "name") => Some(Type::String),
            ("acme.Pod", "count") => Some(Type::Int),
            ("acme.Pod", "labels") => Some(Type::map(Type::String, Type::String)),
            ("acme.Pod", "next") => Some(Type::object("acme.Pod")),
            _ => None,
        }
    }

    fn field_names(&self, _: &str) -> Vec<Arc<str>> {
        Vec::new()
    }
}

fn builder() -> EnvBuilder {
    let variables = [
        ("object", "dyn"),
        ("n", "int"),
        ("u", "uint"),
        ("d", "double"),
        ("s", "string"),
        ("b", "bool"),
        ("list", "list(int)"),
        ("words", "list(string)"),
        ("map", "map(string, int)"),
        ("opt", "optional_type(int)"),
        ("wrapped", "wrapper(int)"),
        ("pod", "struct(acme.Pod)"),
        ("ip", "net.IP"),
        ("at", "timestamp"),
        ("any", "any"),
        ("a.b", "int"),
        ("a.b.c", "string"),
    ];
    let mut builder = Env::builder().types(Arc::new(Fields));
    for library in [
        &crate::stdlib::LIBRARY,
        &ext::optionals::LIBRARY,
        &ext::strings::LIBRARY,
        &ext::format::LIBRARY,
        &ext::sets::LIBRARY,
        &ext::lists::LIBRARY,
        &ext::comprehensions::LIBRARY,
    ] {
        builder = builder.library(library);
    }
    for (name, ty) in variables {
        builder = builder.variable(name, ty.parse().unwrap());
    }
    builder
}

fn env() -> Env {
    builder().rules(Rules::STRICT).build().unwrap()
}

fn checked_in(text: &str, env: &Env) -> Checked {
    check(&crate::parse(text).ast, env)
}

fn checked(text: &str) -> Checked {
    checked_in(text, &env())
}

/// Returns the type, or the messages with their positions, of one expression per line.
fn answers_in(texts: &str, env: &Env) -> String {
    let mut out = String::new();
    for text in texts.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let checked = checked_in(text, env);
        let _ = writeln!(out, "{text}");
        if checked.is_ok() {
            let _ = writeln!(out, "    {}", checked.output_type());
        }
        for error in checked.errors() {
            let place = error.offset;
            let _ = writeln!(out, "    {place}: {}", error.message());
        }
    }
    out
}

fn answers(texts: &str) -> String {
    answers_in(texts, &env())
}

/// Checks the expressions of a table: each is followed by its type or its messages, which are
/// updated.
fn assert_answers(expected: &Expect) {
    let lines = expected.data.lines();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let texts = lines.filter(|line| !line.trim().is_empty());
    let base = texts.clone().map(indent).min().unwrap_or_default();
    let texts: Vec<&str> = texts.filter(|line| indent(line) == base).collect();
    expected.assert_eq(&answers(&texts.join("\n")));
}
