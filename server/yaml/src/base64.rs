//! Base64, for scalars with the tag `!!binary`.
//!
//! Kubernetes reads such a scalar as the string that its bytes make.
//!
//! Upstream: Go, encoding/base64, StdEncoding.

/// The bytes that `text` stands for. Line breaks in it do not count, padding is needed.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let kept = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r'));
    let kept: Vec<u8> = kept.collect();
    let (groups, rest) = kept.as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(groups.len() * 3);
    for (index, group) in groups.iter().enumerate() {
        let digits = match group {
            [_, _, b'=', b'='] => 2,
            [_, _, _, b'='] => 3,
            _ => 4,
        };
        if digits < 4 && index + 1 < groups.len() {
            return None;
        }
        let bits = group.iter().take(digits).try_fold(0u32, |bits, digit| {
            Some(bits << 6 | u32::from(value(*digit)?))
        })?;
        let missing = u32::try_from(4 - digits).ok()?;
        let [_, group @ ..] = (bits << (6 * missing)).to_be_bytes();
        bytes.extend(group.iter().take(digits - 1));
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_and_line_breaks_are_understood() {
        assert_eq!(decode("").as_deref(), Some(&b""[..]));
        assert_eq!(decode("aGk=").as_deref(), Some(&b"hi"[..]));
        assert_eq!(decode("aA==").as_deref(), Some(&b"h"[..]));
        assert_eq!(decode("aGlo\n").as_deref(), Some(&b"hih"[..]));
        assert_eq!(decode("/+8=").as_deref(), Some(&b"\xff\xef"[..]));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["aGk", "a", "aG=k", "aA==aGlo", "a===", "a b=", "é123"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
