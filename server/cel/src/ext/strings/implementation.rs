//! The implementations of the strings library.

use crate::changes::EMPTY_STRINGS_HAVE_A_PLACE;
use crate::library::Context;
use crate::value::{EvalError, Value};
use std::sync::Arc;

fn out_of_range(index: i64) -> EvalError {
    EvalError::message(format!("index out of range: {index}"))
}

/// Returns the byte at which a code point begins, or the end of the string after the last one.
/// `None` if there is no such code point.
fn byte_of(text: &str, index: i64) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    if text.is_ascii() {
        return (index <= text.len()).then_some(index);
    }
    let starts = text.char_indices().map(|(at, _)| at);
    starts.chain([text.len()]).nth(index)
}

fn code_points(text: &str) -> i64 {
    let count = if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    };
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn char_at(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [Value::String(text), Value::Int(index)] = args else {
        return Err(EvalError::no_such_overload_of("charAt", args));
    };
    let at = byte_of(text, *index).ok_or_else(|| out_of_range(*index))?;
    let found = text.get(at..).and_then(|rest| rest.chars().next());
    let mut buffer = [0; 4];
    Ok(Value::string(match found {
        Some(found) => &*found.encode_utf8(&mut buffer),
        None => "",
    }))
}

pub(super) fn index_of(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text), Value::String(part)] => find(context, text, part, 0),
        [Value::String(text), Value::String(part), Value::Int(offset)] => {
            find(context, text, part, *offset)
        }
        _ => Err(EvalError::no_such_overload_of("indexOf", args)),
    }
}

/// Returns the index at which an empty string is found. `None` for any other string.
///
/// # Errors
/// The offset is negative.
fn find_empty(
    context: &Context<'_>,
    text: &str,
    part: &str,
    offset: i64,
) -> Result<Option<Value>, EvalError> {
    let has_place = EMPTY_STRINGS_HAVE_A_PLACE.applies(context.release());
    if offset < 0 && (has_place || !part.is_empty()) {
        return Err(out_of_range(offset));
    }
    let end = if has_place {
        code_points(text)
    } else {
        i64::MAX
    };
    Ok(part.is_empty().then(|| Value::Int(offset.min(end))))
}

fn find(context: &Context<'_>, text: &str, part: &str, offset: i64) -> Result<Value, EvalError> {
    if let Some(found) = find_empty(context, text, part, offset)? {
        return Ok(found);
    }
    let found = byte_of(text, offset).and_then(|start| {
        let rest = text.get(start..)?;
        let before = rest.get(..rest.find(part)?)?;
        Some(offset + code_points(before))
    });
    Ok(Value::Int(found.unwrap_or(-1)))
}

pub(super) fn last_index_of(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text), Value::String(part)] if part.is_empty() => {
            Ok(Value::Int(code_points(text)))
        }
        [Value::String(text), Value::String(part)] => {
            let found = text.rfind(&**part).and_then(|at| text.get(..at));
            Ok(Value::Int(found.map_or(-1, code_points)))
        }
        [Value::String(text), Value::String(part), Value::Int(offset)] => {
            find_last(context, text, part, *offset)
        }
        _ => Err(EvalError::no_such_overload_of("lastIndexOf", args)),
    }
}

fn find_last(
    context: &Context<'_>,
    text: &str,
    part: &str,
    offset: i64,
) -> Result<Value, EvalError> {
    if let Some(found) = find_empty(context, text, part, offset)? {
        return Ok(found);
    }
    // There is no match at the end or after it.
    let last = byte_of(text, offset).filter(|start| *start < text.len());
    let found = last.and_then(|last| {
        let begins = |at: &usize| {
            let rest = text.get(*at..);
            rest.is_some_and(|rest| rest.starts_with(part))
        };
        (0..=last).rev().find(begins).and_then(|at| text.get(..at))
    });
    Ok(Value::Int(found.map_or(-1, code_points)))
}

pub(super) fn lower_ascii(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text)] => Ok(Value::string(text.to_ascii_lowercase())),
        _ => Err(EvalError::no_such_overload_of("lowerAscii", args)),
    }
}

pub(super) fn upper_ascii(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text)] => Ok(Value::string(text.to_ascii_uppercase())),
        _ => Err(EvalError::no_such_overload_of("upperAscii", args)),
    }
}

pub(super) fn replace(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (text, old, new, limit) = match args {
        [Value::String(text), Value::String(old), Value::String(new)] => (text, old, new, -1),
        [
            Value::String(text),
            Value::String(old),
            Value::String(new),
            Value::Int(limit),
        ] => (text, old, new, *limit),
        _ => return Err(EvalError::no_such_overload_of("replace", args)),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let count = text.matches(&**old).take(limit).count();
    if count == 0 {
        return Ok(Value::String(Arc::clone(text)));
    }
    let grown = new.len().saturating_sub(old.len()).saturating_mul(count);
    context.allocate(text.len().saturating_add(grown))?;
    Ok(Value::string(text.replacen(&**old, new, count)))
}

pub(super) fn split(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (text, separator, limit) = match args {
        [Value::String(text), Value::String(separator)] => (text, separator, -1),
        [
            Value::String(text),
            Value::String(separator),
            Value::Int(limit),
        ] => (text, separator, *limit),
        _ => return Err(EvalError::no_such_overload_of("split", args)),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let parts = if separator.is_empty() {
        code_point_parts(text, limit)
    } else {
        text.splitn(limit, &**separator)
            .map(Value::string)
            .collect()
    };
    Ok(Value::list(parts))
}

/// Returns one part for each code point; the last part holds the rest.
fn code_point_parts(text: &str, limit: usize) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut rest = text;
    while parts.len() < limit {
        let Some(next) = rest.chars().next() else {
            break;
        };
        let length = if parts.len() + 1 == limit {
            rest.len()
        } else {
            next.len_utf8()
        };
        let Some((part, after)) = rest.split_at_checked(length) else {
            break;
        };
        parts.push(Value::string(part));
        rest = after;
    }
    parts
}

pub(super) fn substring(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (text, start, end) = match args {
        [Value::String(text), Value::Int(start)] => (text, *start, None),
        [Value::String(text), Value::Int(start), Value::Int(end)] => (text, *start, Some(*end)),
        _ => return Err(EvalError::no_such_overload_of("substring", args)),
    };
    if let Some(end) = end.filter(|end| start > *end) {
        return Err(EvalError::message(format!(
            "invalid substring range. start: {start}, end: {end}"
        )));
    }
    let first = byte_of(text, start).ok_or_else(|| out_of_range(start))?;
    let last = match end {
        Some(end) => byte_of(text, end).ok_or_else(|| out_of_range(end))?,
        None => text.len(),
    };
    Ok(Value::string(text.get(first..last).unwrap_or_default()))
}

pub(super) fn trim(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text)] => Ok(Value::string(text.trim())),
        _ => Err(EvalError::no_such_overload_of("trim", args)),
    }
}

pub(super) fn quote(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [Value::String(text)] = args else {
        return Err(EvalError::no_such_overload_of("strings.quote", args));
    };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for next in text.chars() {
        let escape = match next {
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{b}' => "\\v",
            '\\' => "\\\\",
            '"' => "\\\"",
            _ => {
                quoted.push(next);
                continue;
            }
        };
        quoted.push_str(escape);
    }
    quoted.push('"');
    Ok(Value::string(quoted))
}

pub(super) fn join(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (elements, separator) = match args {
        [Value::List(elements)] => (elements, ""),
        [Value::List(elements), Value::String(separator)] => (elements, &**separator),
        _ => return Err(EvalError::no_such_overload_of("join", args)),
    };
    // A list of another type is not a list of strings; a list of strings can still hold another
    // value.
    if !matches!(elements.first(), None | Some(Value::String(_))) {
        return Err(EvalError::no_such_overload_of("join", args));
    }
    let length = |element: &Value| element.as_str().map_or(0, str::len) + separator.len();
    context.allocate(elements.iter().map(length).sum())?;
    let mut joined = String::new();
    for (at, element) in elements.iter().enumerate() {
        let Value::String(element) = element else {
            let message = format!("join: invalid input: {element}");
            return Err(EvalError::message(message));
        };
        if at > 0 {
            joined.push_str(separator);
        }
        joined.push_str(element);
    }
    Ok(Value::string(joined))
}

pub(super) fn reverse(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::String(text)] => Ok(Value::string(text.chars().rev().collect::<String>())),
        _ => Err(EvalError::no_such_overload_of("reverse", args)),
    }
}
