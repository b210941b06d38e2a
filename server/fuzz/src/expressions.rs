//! Expressions.
//!
//! An input is an expression, a zero byte, and bytes from which the types and the
//! values of the variables are made.

use cel::check::{Checked, check as check_text};
use cel::cost::UnknownSizes;
use cel::estimate::{EstimateOptions, estimate};
use cel::eval::{Bindings, Limits, Program};
use cel::expand::expand;
use cel::format::{LINE_WIDTH, Lines};
use cel::value::{Duration, EvalErrorKind, Key, MapBuilder, Timestamp, Value};
use cel::{Env, Parse, Type};
use std::sync::Arc;

/// The variables of every environment.
const NAMES: [&str; 6] = ["x", "y", "z", "self", "object", "a.b"];

/// Limit: the cost units of a run, so that one input cannot take all the time.
const COST: u64 = 20_000;

/// Limit: the bytes of a run.
const MEMORY: usize = 1 << 26;

/// Parses a source.
pub(crate) fn parse(data: &[u8]) {
    let (text, _) = split(data);
    let read = cel::parse(&text);
    let _ = read.upstream_report();
    let formatted = cel::format::format(&read, &Lines::with_width(LINE_WIDTH));
    if let (true, Some(formatted)) = (read.is_ok(), formatted) {
        let again = cel::parse(&formatted);
        assert!(again.is_ok(), "{text:?} is formatted to {formatted:?}");
    }
}

/// Checks a source with variables of any types and estimates its cost.
pub(crate) fn check(data: &[u8], base: &Env) {
    let (text, rest) = split(data);
    let (env, _) = variables(base, &mut Bits(rest), true);
    let (_, checked) = compile(&text, &env);
    if checked.is_ok() {
        let cost = estimate(&checked, &env, &UnknownSizes, EstimateOptions::default());
        assert!(cost.min <= cost.max, "{text:?} costs {cost:?}");
    }
}

/// Evaluates an expression on any values, if the checker accepts it. An expression with static
/// types throughout never fails because of types.
pub(crate) fn evaluate(data: &[u8], base: &Env) {
    let (text, rest) = split(data);
    let mut bits = Bits(rest);
    let (env, values) = variables(base, &mut bits, false);
    let (read, checked) = compile(&text, &env);
    if !read.is_ok() || !checked.is_ok() {
        return;
    }
    let Ok(program) = Program::new(&checked, &env) else {
        return;
    };
    let limits = Limits {
        cost: Some(COST),
        memory: MEMORY,
        ..Limits::default()
    };
    let outcome = program.run(&values, &limits);
    let (traced, _) = program.run_traced(&values, &limits);
    assert_eq!(outcome.cost, traced.cost, "{text:?}");
    match (&outcome.result, &traced.result) {
        (Ok(_), Ok(_)) => {}
        (Err(left), Err(right)) => assert_eq!(left.kind(), right.kind(), "{text:?}"),
        (left, right) => panic!("{text:?} gives {left:?}, and {right:?} when it is traced"),
    }
    if let (Err(error), true) = (&outcome.result, is_static(&checked)) {
        let of_types = matches!(error.kind(), EvalErrorKind::NoSuchOverload(_));
        assert!(!of_types, "{text:?} fails for its types: {error:?}");
    }
}

fn compile(text: &str, env: &Env) -> (Parse, Checked) {
    let read = cel::parse(text);
    let _ = expand(&read.ast, &|kind, variables| env.expands(kind, variables));
    let checked = check_text(&read.ast, env);
    let report = checked.upstream_report();
    assert_eq!(report.is_none(), checked.is_ok(), "{text:?}");
    (read, checked)
}

/// Returns whether every node has a fully known type.
fn is_static(checked: &Checked) -> bool {
    let mut nodes = checked.expansion().ids();
    nodes.all(|node| is_known(checked.type_of(node)))
}

fn is_known(ty: &Type) -> bool {
    match ty {
        // The checker accepts null for a timestamp and for nullable types, and functions of
        // these fail for it.
        Type::Null | Type::Nullable(_) => false,
        Type::Dyn | Type::Any | Type::Error | Type::Param(_) | Type::Type(_) => false,
        Type::List(of) | Type::Optional(of) => is_known(of),
        Type::Map(of) => is_known(&of.0) && is_known(&of.1),
        Type::Opaque(of) => of.params.iter().all(is_known),
        _ => true,
    }
}

fn split(data: &[u8]) -> (String, &[u8]) {
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let text = parts.next().unwrap_or_default();
    let rest = parts.next().unwrap_or_default();
    (String::from_utf8_lossy(text).into_owned(), rest)
}

/// Bytes that make decisions. When they are used up, each decision is 0.
struct Bits<'a>(&'a [u8]);

impl Bits<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> i64 {
        match self.byte() % 8 {
            0 => i64::MIN,
            1 => i64::MAX,
            2 => i64::from(self.byte()) << 40,
            3 => -1,
            _ => i64::from(self.byte()) - 100,
        }
    }

    fn text(&mut self) -> String {
        let length = usize::from(self.byte() % 8);
        (0..length)
            .map(|_| match self.byte() {
                byte @ 0..=200 => char::from(byte),
                201..=220 => 'é',
                _ => '😀',
            })
            .collect()
    }
}

/// Returns an environment with all variables, and their values.
fn variables(base: &Env, bits: &mut Bits<'_>, only_types: bool) -> (Env, Bindings) {
    let mut env = base.clone();
    let mut values = Bindings::new();
    for name in NAMES {
        let ty = a_type(bits, 3);
        if !only_types {
            values.set(name, a_value(bits, &ty, 4));
        }
        env = env.with_variable(name, ty);
    }
    (env, values)
}

fn a_type(bits: &mut Bits<'_>, depth: u8) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Int;
    };
    match bits.byte() % 20 {
        0..=2 => Type::Dyn,
        3 | 4 => Type::Int,
        5 => Type::Uint,
        6 => Type::Double,
        7 => Type::Bool,
        8 | 9 => Type::String,
        10 => Type::Bytes,
        11 => Type::Timestamp,
        12 => Type::Duration,
        13 => Type::Null,
        14 => Type::Nullable(Arc::new(Type::Int)),
        15 | 16 => Type::list(a_type(bits, depth)),
        17 => Type::map(Type::String, a_type(bits, depth)),
        18 => Type::map(Type::Int, a_type(bits, depth)),
        _ => Type::optional(a_type(bits, depth)),
    }
}

fn a_value(bits: &mut Bits<'_>, ty: &Type, depth: u8) -> Value {
    let inner = depth.saturating_sub(1);
    match ty {
        Type::Bool => Value::Bool(bits.byte().is_multiple_of(2)),
        Type::Int => Value::Int(bits.number()),
        Type::Uint => Value::Uint(bits.number().cast_unsigned()),
        Type::Double => Value::Double(f64::from_bits(
            bits.number().cast_unsigned() << (bits.byte() % 64),
        )),
        Type::String => Value::string(bits.text()),
        Type::Bytes => Value::bytes(bits.text().into_bytes()),
        Type::Duration => Value::Duration(Duration::from_nanos(bits.number())),
        Type::Timestamp => Timestamp::from_unix(bits.number() % 60_000_000_000, 5)
            .map_or(Value::Null, Value::Timestamp),
        Type::Nullable(of) if bits.byte().is_multiple_of(2) => a_value(bits, of, inner),
        Type::Optional(of) if bits.byte().is_multiple_of(2) => {
            Value::some(a_value(bits, of, inner))
        }
        Type::Optional(_) => Value::Optional(None),
        Type::List(of) => {
            let count = length(bits, depth);
            Value::list((0..count).map(|_| a_value(bits, of, inner)).collect())
        }
        Type::Map(of) => a_map(bits, &of.0, &of.1, depth),
        Type::Dyn => any_value(bits, depth),
        _ => Value::Null,
    }
}

fn a_map(bits: &mut Bits<'_>, key: &Type, value: &Type, depth: u8) -> Value {
    let mut map = MapBuilder::with_capacity(4);
    for _ in 0..length(bits, depth) {
        if let Some(key) = Key::new(&a_value(bits, key, 0)) {
            map.insert(key, a_value(bits, value, depth.saturating_sub(1)));
        }
    }
    Value::Map(map.build())
}

/// Returns a value of JSON.
fn any_value(bits: &mut Bits<'_>, depth: u8) -> Value {
    let ty = match bits.byte() % 7 {
        0 => Type::Null,
        1 => Type::Bool,
        2 => Type::Int,
        3 => Type::Double,
        4 => Type::String,
        5 => Type::list(Type::Dyn),
        _ => Type::map(Type::String, Type::Dyn),
    };
    a_value(bits, &ty, depth)
}

fn length(bits: &mut Bits<'_>, depth: u8) -> u8 {
    if depth == 0 { 0 } else { bits.byte() % 5 }
}
