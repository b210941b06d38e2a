//! Lone surrogates in JSON.
//!
//! Editors in JavaScript keep strings in UTF-16 and can send half of a surrogate pair, which
//! `serde_json` does not accept. The message would be lost, and with it the change that it
//! contains. Kubernetes reads such a half as the replacement character. It is one UTF-16 code unit
//! as well and its escape has the same length, so all positions remain correct.
//!
//! Upstream: encoding/json, decode.go, unquoteBytes.

/// The start of an escaped code unit.
const ESCAPE: &[u8] = b"\\u";

/// The length of an escaped code unit: `\uD83D`.
const LENGTH: usize = 6;

/// Returns the same JSON with every lone surrogate replaced. `None` if there is none.
#[must_use]
pub fn without_lone_surrogates(json: &str) -> Option<String> {
    repaired(json.as_bytes()).and_then(|json| String::from_utf8(json).ok())
}

fn repaired(json: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(next) = next_escape(json, at) {
        at = next + LENGTH;
        match unit(json, next) {
            // Two surrogates that form a pair.
            Some(0xD800..=0xDBFF) if matches!(unit(json, at), Some(0xDC00..=0xDFFF)) => {
                at += LENGTH;
            }
            Some(0xD800..=0xDFFF) => {
                let out = out.get_or_insert_with(|| json.to_vec());
                let hex = out.get_mut(next + ESCAPE.len()..at)?;
                hex.copy_from_slice(b"FFFD");
            }
            // Another character, or an escape that the parser will reject.
            _ => at = next + ESCAPE.len(),
        }
    }
    out
}

/// Returns the offset of the next `\u` whose backslash is not itself escaped.
fn next_escape(json: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += json.get(at..)?.iter().position(|byte| *byte == b'\\')?;
        if json.get(at..)?.starts_with(ESCAPE) {
            return Some(at);
        }
        at += 2;
    }
}

/// Returns the code unit of the escape at an offset.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let hex = json.get(at..at + LENGTH)?.strip_prefix(ESCAPE)?;
    u16::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: Option<&str>) {
        let repaired = repaired(json.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(repaired.as_deref(), expected);
    }

    #[test]
    fn lone_halves_are_replaced() {
        check(r#""a\ud83db""#, Some(r#""a\uFFFDb""#));
        check(r#""\uDE00""#, Some(r#""\uFFFD""#));
        check(r#""\uD83D\uD83D\uDE00""#, Some(r#""\uFFFD\uD83D\uDE00""#));
    }

    #[test]
    fn everything_else_stays() {
        check(r#""\uD83D\uDE00 \u00e9 \n""#, None);
        check(r#""\\ud83d""#, None);
        check(r#""\ud8""#, None);
        check(r#""\u+d83""#, None);
        check("\\", None);
    }
}
