//! The text of `format()` and its arguments.
//!
//! Upstream: cel-go, ext/formatting.go, `parseFormatString`, `stringFormatChecker`.

use super::Validator;
use crate::expand::{NodeId, NodeKind};
use crate::types::Type;

/// A message, at an argument or at the call.
type Mistake = (Option<NodeId>, String);

/// The first mistake in a call of `format`.
pub(super) fn mistake(validator: &Validator<'_>, text: &str, args: &[NodeId]) -> Option<Mistake> {
    let mut rest = text.as_bytes();
    let mut used = 0;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let Some((_, clause)) = rest.split_at_checked(at + 1) else {
            break;
        };
        if let Some(after) = clause.strip_prefix(b"%") {
            rest = after;
            continue;
        }
        if clause.is_empty() {
            return Some((None, "unexpected end of string".to_owned()));
        }
        let Some(arg) = args.get(used) else {
            return Some((None, format!("index {used} out of range")));
        };
        let (verb, after) = match read_clause(clause) {
            Ok(read) => read,
            Err(reason) => {
                let message = format!("could not parse formatting clause: {reason}");
                return Some((None, message));
            }
        };
        if let Some((node, reason)) = verb.refuse(validator, *arg) {
            let message = format!("error during formatting: {reason}");
            return Some((Some(node), message));
        }
        used += 1;
        rest = after;
    }
    (args.len() > used).then(|| {
        let given = args.len();
        let message =
            format!("too many arguments supplied to string.format (expected {used}, got {given})");
        (None, message)
    })
}

/// What stands after a `%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    String,
    Decimal,
    Fixed,
    Scientific,
    Binary,
    Hex,
    Octal,
}

/// Reads what follows a `%`, and what is behind it.
fn read_clause(clause: &[u8]) -> Result<(Verb, &[u8]), String> {
    let clause = skip_precision(clause)
        .map_err(|reason| format!("error while parsing precision: {reason}"))?;
    let (letter, after) = match clause.split_first() {
        Some((letter, after)) => (*letter, after),
        None => return Err("unexpected end of string".to_owned()),
    };
    let verb = match letter {
        b's' => Verb::String,
        b'd' => Verb::Decimal,
        b'f' => Verb::Fixed,
        b'e' => Verb::Scientific,
        b'b' => Verb::Binary,
        b'x' | b'X' => Verb::Hex,
        b'o' => Verb::Octal,
        other => {
            // cel-go takes one byte for a character.
            let other = char::from(other);
            return Err(format!("unrecognized formatting clause \"{other}\""));
        }
    };
    Ok((verb, after))
}

fn skip_precision(clause: &[u8]) -> Result<&[u8], String> {
    let Some(digits) = clause.strip_prefix(b".") else {
        return Ok(clause);
    };
    let Some(end) = digits.iter().position(|byte| !byte.is_ascii_digit()) else {
        return Err("could not find end of precision specifier".to_owned());
    };
    let (digits, after) = digits.split_at_checked(end).unwrap_or((digits, &[]));
    let digits = String::from_utf8_lossy(digits);
    let reason = match digits.parse::<i64>() {
        Ok(_) => return Ok(after),
        Err(_) if digits.is_empty() => "invalid syntax",
        Err(_) => "value out of range",
    };
    Err(format!(
        "error while converting precision to integer: strconv.Atoi: parsing \"{digits}\": {reason}"
    ))
}

impl Verb {
    /// The argument, or the part of it, that the verb cannot write, and why.
    fn refuse(self, validator: &Validator<'_>, arg: NodeId) -> Option<(NodeId, String)> {
        let bad = match self {
            Verb::String => unprintable(validator, arg)?,
            _ if self.takes(validator.type_of(arg)) => return None,
            _ => arg,
        };
        let (what, given) = (self.complaint(), validator.type_of(bad).runtime_name());
        Some((bad, format!("{what}, was given {given}")))
    }

    fn takes(self, ty: &Type) -> bool {
        let ty = unwrapped(ty);
        if matches!(ty, Type::Dyn) {
            return true;
        }
        match self {
            Verb::String => matches!(
                ty,
                Type::List(_)
                    | Type::Map(_)
                    | Type::Int
                    | Type::Uint
                    | Type::Double
                    | Type::Bool
                    | Type::String
                    | Type::Timestamp
                    | Type::Bytes
                    | Type::Duration
                    | Type::Type(_)
                    | Type::Null
            ),
            Verb::Decimal | Verb::Octal => matches!(ty, Type::Int | Type::Uint),
            Verb::Fixed | Verb::Scientific => matches!(ty, Type::Double | Type::String),
            Verb::Binary => matches!(ty, Type::Int | Type::Uint | Type::Bool),
            Verb::Hex => matches!(ty, Type::Int | Type::Uint | Type::String | Type::Bytes),
        }
    }

    const fn complaint(self) -> &'static str {
        match self {
            Verb::String => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
            }
            Verb::Decimal => "decimal clause can only be used on integers",
            Verb::Fixed => "fixed-point clause can only be used on doubles",
            Verb::Scientific => "scientific clause can only be used on doubles",
            Verb::Binary => "only integers and bools can be formatted as binary",
            Verb::Hex => "only integers, byte buffers, and strings can be formatted as hex",
            Verb::Octal => "octal clause can only be used on integers",
        }
    }
}

fn unwrapped(ty: &Type) -> &Type {
    match ty {
        Type::Nullable(inner) => inner,
        other => other,
    }
}

/// The first part of an argument that has no text.
fn unprintable(validator: &Validator<'_>, arg: NodeId) -> Option<NodeId> {
    let mut open = vec![arg];
    while let Some(node) = open.pop() {
        if !Verb::String.takes(validator.type_of(node)) {
            return Some(node);
        }
        let first = open.len();
        match validator.expansion.kind(node) {
            NodeKind::List { elements, .. } => open.extend(elements),
            NodeKind::Map(entries) => {
                open.extend(entries.iter().flat_map(|entry| [entry.key, entry.value]));
            }
            _ => {}
        }
        if let Some(added) = open.get_mut(first..) {
            added.reverse();
        }
    }
    None
}
