//! Reading a file as text.
//!
//! The requirements of a manifest are checked here, before any parser sees it: UTF-8, without NUL,
//! and small enough to fit into memory several times.

use crate::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The maximum size of a file in bytes.
///
/// Limit: an etcd object is at most 1.5 MiB; a stream of all policies of a cluster is far smaller
/// than this, and every core may hold one such file at a time.
pub const MAX_FILE_SIZE: u64 = 32 * 1024 * 1024;

/// Returns the text of a file, byte for byte: a byte order mark of UTF-8 and line endings stay.
///
/// # Errors
/// When it cannot be read, has more than [`MAX_FILE_SIZE`] bytes or is not UTF-8 text.
pub fn read_file(path: &Path) -> Result<String, Error> {
    let file = File::open(path).map_err(|error| open_error(path, error))?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > MAX_FILE_SIZE {
        return Err(too_large());
    }
    read_with_capacity(file, usize::try_from(size).unwrap_or(0) + 1)
}

/// Returns the text from `reader`, which may be a pipe.
///
/// # Errors
/// As [`read_file`].
pub fn read_text(reader: impl Read) -> Result<String, Error> {
    read_with_capacity(reader, 0)
}

fn read_with_capacity(reader: impl Read, capacity: usize) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(capacity);
    reader.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(too_large());
    }
    decode(bytes)
}

fn decode(bytes: Vec<u8>) -> Result<String, Error> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(Error::WideEncoding);
    }
    if bytes.contains(&0) {
        let offset = bytes.iter().position(|byte| *byte == 0).unwrap_or(0);
        return Err(Error::Binary { offset });
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let before = error.as_bytes().iter().take(offset);
        Error::NotUtf8 {
            offset,
            line: before.filter(|byte| **byte == b'\n').count() + 1,
        }
    })
}

fn too_large() -> Error {
    Error::TooLarge {
        limit: MAX_FILE_SIZE,
    }
}

fn open_error(path: &Path, error: std::io::Error) -> Error {
    let error = Error::from(error);
    match (error, path.read_link()) {
        (Error::NotFound, Ok(target)) => Error::BrokenLink { target },
        (error, _) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(bytes: &[u8], expected: &Expect) {
        let actual = match read_text(bytes) {
            Ok(text) => format!("{text:?}"),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&actual);
    }

    #[test]
    fn text_stays_as_it_is() {
        check(
            b"\xEF\xBB\xBFa: \xF0\x9F\x98\x80\r\n",
            &expect![[r#""\u{feff}a: 😀\r\n""#]],
        );
        check(b"", &expect![[r#""""#]]);
    }

    #[test]
    fn a_nul_byte_is_named_with_its_place() {
        check(
            b"a: b\0c",
            &expect!["not a text file: it has a NUL byte at offset 4"],
        );
    }

    #[test]
    fn a_broken_character_is_named_with_its_line() {
        check(
            b"a: 1\nb: \xE9t\xE9\n",
            &expect!["not UTF-8: invalid byte at offset 8 (line 2); save it as UTF-8"],
        );
        check(
            b"a: \xF0\x9F\x98",
            &expect!["not UTF-8: invalid byte at offset 3 (line 1); save it as UTF-8"],
        );
    }

    #[test]
    fn wide_encodings_are_named() {
        check(
            b"\xFF\xFEa\0",
            &expect!["UTF-16 or UTF-32 text; save it as UTF-8"],
        );
        check(
            b"\xFE\xFF\0a",
            &expect!["UTF-16 or UTF-32 text; save it as UTF-8"],
        );
    }

    #[test]
    fn an_endless_stream_stops_at_the_limit() {
        let error = read_text(std::io::repeat(b'a')).unwrap_err();
        expect!["larger than 32 MiB; split it, or exclude it in `admissible.toml`"]
            .assert_eq(&error.to_string());
    }
}
