//! Whether Go's JSON reader accepts a value.
//!
//! kubectl reads a file that begins with `{` as JSON first and as YAML when that fails. JSON
//! has a few escapes more than Kubernetes' YAML, and a line may end before a colon. Only a
//! file that is JSON from its first byte to its last bracket has these.
//!
//! Upstream: apimachinery, pkg/util/yaml/decoder.go, YAMLOrJSONDecoder.Decode; Go,
//! encoding/json/scanner.go.

/// The token that is allowed next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value or the end of the empty list.
    FirstItem,
    Key,
    /// A key or the end of the empty object.
    FirstKey,
    Colon,
    /// A comma or the end of the collection.
    Comma,
}

/// Returns whether `text` begins with a JSON object. What follows is ignored.
pub(crate) fn begins_with_object(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('{') && value_end(text).is_some()
}

/// Returns the text after the value at its beginning.
fn value_end(text: &str) -> Option<&str> {
    let mut rest = text;
    let mut open: Vec<u8> = Vec::new();
    let mut next = Next::Value;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let first = *rest.as_bytes().first()?;
        let one = rest.get(1..).unwrap_or("");
        (next, rest) = match (next, first) {
            (Next::Value | Next::FirstItem, b'{' | b'[') => {
                open.push(first);
                let is_list = first == b'[';
                (
                    if is_list {
                        Next::FirstItem
                    } else {
                        Next::FirstKey
                    },
                    one,
                )
            }
            (Next::FirstItem | Next::Comma, b']') | (Next::FirstKey | Next::Comma, b'}') => {
                // In ASCII, `]` is two after `[`, and `}` two after `{`.
                open.pop().filter(|bracket| *bracket == first - 2)?;
                (Next::Comma, one)
            }
            (Next::Comma, b',') if open.last() == Some(&b'{') => (Next::Key, one),
            (Next::Comma, b',') | (Next::Colon, b':') => (Next::Value, one),
            (Next::Value | Next::FirstItem, _) => (Next::Comma, scalar(rest)?),
            (Next::Key | Next::FirstKey, b'"') => (Next::Colon, string(one)?),
            _ => return None,
        };
        if open.is_empty() {
            return Some(rest);
        }
    }
}

/// Returns the text after the scalar at its beginning.
fn scalar(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('"') {
        return string(rest);
    }
    let words = ["true", "false", "null"];
    let word = words.iter().find_map(|word| text.strip_prefix(word));
    word.or_else(|| number(text))
}

/// Returns the text after the string whose opening quote is before `text`.
fn string(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let end = rest.find(|character: char| matches!(character, '"' | '\\' | '\0'..='\x1F'))?;
        let mut special = rest.get(end..)?.chars();
        match special.next()? {
            '"' => return Some(special.as_str()),
            '\\' => {}
            _ => return None,
        }
        rest = match special.next()? {
            'u' => {
                let (digits, rest) = special.as_str().split_at_checked(4)?;
                let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                is_hex.then_some(rest)?
            }
            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => special.as_str(),
            _ => return None,
        };
    }
}

fn number(text: &str) -> Option<&str> {
    let text = text.strip_prefix('-').unwrap_or(text);
    let mut rest = match text.strip_prefix('0') {
        Some(rest) => rest,
        None => digits(text)?,
    };
    if let Some(fraction) = rest.strip_prefix('.') {
        rest = digits(fraction)?;
    }
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => Some(rest),
    }
}

fn digits(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_to_its_end() {
        for text in [
            "{}",
            " {\"a\"\n: [1, -0.5e+3, true, {}, []], \"b\\/\\ud83d\\ude00\": \"é\"} rest",
            "{\"a\":{\"b\":null}}{\"c\":1}",
        ] {
            assert!(begins_with_object(text), "{text}");
        }
    }

    #[test]
    fn what_is_only_nearly_json_is_not_accepted() {
        for text in [
            "",
            "{",
            "[]",
            "{\"a\": 1,}",
            "{a: 1}",
            "{\"a\": 01}",
            "{\"a\": .5}",
            "{\"a\": '1'}",
            "{\"a\": \"\\x\"}",
            "{\"a\": \"\\u12\"}",
            "{\"a\": \"\n\"}",
            "{\"a\": 1 // comment\n}",
            "{\"a\": [1}",
            "{# comment\n\"a\": 1}",
        ] {
            assert!(!begins_with_object(text), "{text}");
        }
    }
}
