//! Reading a file as text.
//!
//! All files are opened here. A file that a manifest, a configuration or a search names must be a
//! regular file: opening a named pipe blocks until another program writes to it, and `/dev/stdin`
//! belongs to the protocol of the server. Only an argument of the user may name a pipe.
//!
//! The requirements of a manifest are checked here too, before any parser sees it: UTF-8, without
//! NUL, and small enough to fit into memory several times.

use crate::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// The maximum size of a file in bytes.
///
/// Limit: an etcd object is at most 1.5 MiB; a stream of all policies of a cluster is far smaller
/// than this, and every core may hold one such file at a time.
pub const MAX_FILE_SIZE: u64 = 32 * 1024 * 1024;

/// Limit: the time to read a regular file. A local disk needs less than a second for the largest
/// one; a network file system may need longer than anyone waits for a finding.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the text of a regular file, byte for byte: a UTF-8 byte order mark and line endings are
/// kept.
///
/// # Errors
/// If it cannot be read, is not a regular file, has more than [`MAX_FILE_SIZE`] bytes or is not
/// UTF-8 text.
pub(crate) fn read_file(path: &Path) -> Result<String, Error> {
    let file = open_file(path)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > MAX_FILE_SIZE {
        return Err(too_large());
    }
    let limited = Impatient {
        file,
        end: Instant::now() + PATIENCE,
    };
    read_with_capacity(limited, usize::try_from(size).unwrap_or(0) + 1)
}

/// Returns the text of a file that an argument of the user names, which may be a pipe.
///
/// # Errors
/// If it cannot be read, has more than [`MAX_FILE_SIZE`] bytes or is not UTF-8 text.
pub fn read_argument(path: &Path) -> Result<String, Error> {
    // Opening a pipe to inspect it would cut off its writer.
    let kind = path.metadata().map(|metadata| metadata.file_type());
    match kind {
        Ok(kind) if !kind.is_file() && !kind.is_dir() => read_text(open_argument(path)?),
        _ => read_file(path),
    }
}

/// Returns the text from `reader`, which may be a pipe.
///
/// # Errors
/// As [`read_argument`].
pub fn read_text(reader: impl Read) -> Result<String, Error> {
    read_with_capacity(reader, 0)
}

/// Opens a regular file without blocking.
///
/// # Errors
/// When it cannot be opened or is not a regular file.
pub(crate) fn open_file(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    without_blocking(options.read(true));
    let file = options
        .open(path)
        .map_err(|error| open_error(path, error))?;
    // The type of the open file: the path may refer to another file by now.
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(Error::Unreadable(io::ErrorKind::IsADirectory.into()));
    }
    if !kind.is_file() {
        return Err(Error::NotRegular);
    }
    Ok(file)
}

/// Opens a file that an argument of the user names. A pipe blocks until its writer opens it.
///
/// # Errors
/// When it cannot be opened.
pub fn open_argument(path: &Path) -> Result<File, Error> {
    File::open(path).map_err(|error| open_error(path, error))
}

#[cfg(unix)]
fn without_blocking(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    // A terminal must not become the one that controls the process.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(unix))]
fn without_blocking(_: &mut OpenOptions) {}

/// A file that is read until a moment at most.
struct Impatient {
    file: File,
    end: Instant,
}

impl Read for Impatient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if Instant::now() > self.end {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.file.read(buffer)
    }
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

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        use std::sync::mpsc;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let status = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(status.unwrap().success());
        let (sender, opened) = mpsc::channel();
        std::thread::spawn(move || {
            for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
                sender
                    .send(read_file(path).unwrap_err().to_string())
                    .unwrap();
            }
        });
        let next = || opened.recv_timeout(Duration::from_secs(10)).unwrap();
        expect!["not a regular file"].assert_eq(&next());
        expect!["not a regular file"].assert_eq(&next());
        expect!["cannot read: is a directory"].assert_eq(&next());
    }

    #[test]
    fn a_slow_file_ends_at_the_deadline() {
        let file = tempfile::tempfile().unwrap();
        let end = Instant::now();
        std::thread::sleep(Duration::from_millis(1));
        let error = read_text(Impatient { file, end }).unwrap_err();
        expect!["cannot read: timed out"].assert_eq(&error.to_string());
    }
}
