//! Base64 as Go reads and writes it.
//!
//! `data` of Secrets, `caBundle`, the tag `!!binary` and the bytes of CEL are all base64 of
//! the standard alphabet with padding.
//!
//! Upstream: Go, encoding/base64, StdEncoding.

use base64::engine::{Engine, GeneralPurpose, GeneralPurposeConfig};

/// Go ignores the unused bits of the last digit.
const STANDARD: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Returns the bytes that `text` encodes. Line breaks are skipped, padding is required.
#[must_use]
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r'));
    STANDARD.decode(digits.collect::<Vec<u8>>()).ok()
}

/// Encodes bytes.
#[must_use]
pub fn encode_base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_and_line_breaks_are_understood() {
        for text in ["", "aGk=", "aA==", "aGlo", "/+8="] {
            let bytes = decode_base64(text).unwrap();
            assert_eq!(encode_base64(&bytes), text);
        }
        assert_eq!(decode_base64("aG\r\nlo\n").as_deref(), Some(&b"hih"[..]));
        assert_eq!(decode_base64("aGl=").as_deref(), Some(&b"hi"[..]));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["aGk", "a", "aG=k", "aA==aGlo", "a===", "a b=", "é123"] {
            assert_eq!(decode_base64(text), None, "{text}");
        }
    }
}
