//! Where a string is not base64, as Go reports it.
//!
//! Upstream: golang/go, src/encoding/base64/base64.go, decodeQuantum.

/// Returns the offset in bytes that Go reports for a string that is not base64 with padding. `None`
/// if it is valid.
pub(super) fn corrupt_at(text: &str) -> Option<usize> {
    // Go ignores line breaks.
    let mut bytes = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| !matches!(byte, b'\n' | b'\r'));
    let mut digits = 0;
    while let Some((offset, byte)) = bytes.next() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => digits += 1,
            b'=' if digits % 4 >= 2 => {
                if digits % 4 == 2 {
                    match bytes.next() {
                        None => return Some(text.len()),
                        Some((_, b'=')) => {}
                        Some((next, _)) => return Some(next - 1),
                    }
                }
                return bytes.next().map(|(offset, _)| offset);
            }
            _ => return Some(offset),
        }
    }
    (digits % 4 != 0).then(|| text.len() - digits % 4)
}

#[cfg(test)]
mod tests {
    use super::corrupt_at;

    #[test]
    fn offsets_are_those_of_go() {
        for (text, expected) in [
            ("", None),
            ("QUJD", None),
            ("QUI=", None),
            ("QQ==", None),
            ("QU\nJD\n", None),
            ("QUJ", Some(0)),
            ("QUJDQ", Some(4)),
            ("QQ=", Some(3)),
            ("QQ=A", Some(2)),
            ("QQ==QQ==", Some(4)),
            ("=QQQ", Some(0)),
            ("not base64!", Some(3)),
        ] {
            assert_eq!(corrupt_at(text), expected, "{text:?}");
        }
    }
}
