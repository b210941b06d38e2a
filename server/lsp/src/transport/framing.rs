//! Splitting a stream of bytes into messages.
//!
//! A message is a header with its length, an empty line and that many bytes. The decoder of
//! tower-lsp-server ends the connection at the first malformed message, and waits without bound for
//! a wrong length. This one reports the error and finds the next header, so that only the malformed
//! message is lost.

use bytes::{Buf, Bytes, BytesMut};
use std::fmt;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The maximum size of a message in bytes.
///
/// Limit: twice the largest file that is analyzed, and as much again for the escapes of JSON.
pub(crate) const MAX_MESSAGE: usize = 128 * 1024 * 1024;

/// The maximum size of a header in bytes.
///
/// Limit: the two fields of the protocol take about a hundred bytes.
const MAX_HEADER: usize = 4096;

/// The number of bytes that are read at once.
const CHUNK: usize = 64 * 1024;

const LENGTH_FIELD: &[u8] = b"content-length:";

/// An error in the framing of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    /// The header is not terminated.
    HeaderTooLong,
    /// A line of the header is not a field.
    BadField,
    /// The header has no length.
    NoLength,
    /// The length is not a number.
    BadLength,
    /// The message is longer than [`MAX_MESSAGE`].
    TooLong,
    /// The declared charset is not UTF-8.
    Charset,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::HeaderTooLong => {
                write!(f, "the header is longer than {MAX_HEADER} bytes")
            }
            FrameError::BadField => f.write_str("a line of the header is not a field"),
            FrameError::NoLength => f.write_str("the header has no Content-Length"),
            FrameError::BadLength => f.write_str("the Content-Length is not a number"),
            FrameError::TooLong => {
                let limit = MAX_MESSAGE / (1024 * 1024);
                write!(f, "the message is longer than {limit} MiB")
            }
            FrameError::Charset => f.write_str("the charset of the Content-Type is not utf-8"),
        }
    }
}

/// The part that is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Header,
    Body {
        length: usize,
        charset_known: bool,
    },
    /// After an error: everything up to the next header is dropped.
    NextHeader,
}

/// Splits `input` into messages.
#[derive(Debug)]
pub(crate) struct Frames<I> {
    input: I,
    decoder: Decoder,
}

impl<I: AsyncRead + Unpin> Frames<I> {
    pub(crate) fn new(input: I) -> Self {
        Self {
            input,
            decoder: Decoder::default(),
        }
    }

    /// Returns the next message, or its error. `None` at the end of the input, or if it cannot be
    /// read.
    pub(crate) async fn next(&mut self) -> Option<Result<Bytes, FrameError>> {
        loop {
            if let Some(frame) = self.decoder.decode() {
                return Some(frame);
            }
            self.decoder.buffer.reserve(CHUNK);
            let read = self.input.read_buf(&mut self.decoder.buffer).await;
            if !matches!(read, Ok(1..)) {
                return None;
            }
        }
    }
}

/// The bytes read so far, and the part that they belong to.
#[derive(Debug)]
struct Decoder {
    buffer: BytesMut,
    expect: Expect,
}

impl Default for Decoder {
    fn default() -> Self {
        Self {
            buffer: BytesMut::new(),
            expect: Expect::Header,
        }
    }
}

impl Decoder {
    /// Returns the next message in the buffer. `None` if more bytes are needed.
    fn decode(&mut self) -> Option<Result<Bytes, FrameError>> {
        loop {
            match self.expect {
                Expect::NextHeader => {
                    if !self.skip_to_header() {
                        return None;
                    }
                    self.expect = Expect::Header;
                }
                Expect::Header => match self.header()? {
                    Ok(body) => self.expect = body,
                    Err(error) => {
                        self.expect = Expect::NextHeader;
                        return Some(Err(error));
                    }
                },
                Expect::Body { length, .. } if self.buffer.len() < length => return None,
                Expect::Body {
                    length,
                    charset_known,
                } => {
                    let body = self.take_body(length);
                    return Some(if charset_known {
                        Ok(body)
                    } else {
                        Err(FrameError::Charset)
                    });
                }
            }
        }
    }

    fn take_body(&mut self, length: usize) -> Bytes {
        self.expect = Expect::Header;
        let body = self.buffer.split_to(length).freeze();
        if length > CHUNK && self.buffer.len() <= length {
            // The buffer does not keep the memory of a large message.
            self.buffer = BytesMut::from(&*self.buffer);
        }
        body
    }

    /// Removes a header from the buffer. `None` if it is incomplete.
    fn header(&mut self) -> Option<Result<Expect, FrameError>> {
        let (length, header) = match header_end(&self.buffer) {
            Some(end) => (end, self.buffer.get(..end)?),
            None if self.buffer.len() < MAX_HEADER => return None,
            None => (MAX_HEADER, self.buffer.get(..MAX_HEADER)?),
        };
        let read = read_header(header);
        let skip = match &read {
            // These bytes may be the rest of a message with a wrong length, followed by the header
            // of the next one.
            Err(FrameError::BadField | FrameError::NoLength | FrameError::HeaderTooLong) => {
                find_field(header.get(1..)?).map_or(length, |at| at + 1)
            }
            Ok(_) | Err(_) => length,
        };
        self.buffer.advance(skip);
        Some(read)
    }

    /// Drops bytes up to something that looks like a header. Returns false if there is none yet.
    ///
    /// Invariant: a valid message is never mistaken for a header, since JSON strings have no line
    /// breaks.
    fn skip_to_header(&mut self) -> bool {
        let mut at = 0;
        loop {
            let rest = self.buffer.get(at..).unwrap_or_default();
            let Some(found) = find_field(rest) else {
                // The start of a header may be at the very end.
                let keep = rest.len().min(LENGTH_FIELD.len() - 1);
                self.buffer.advance(self.buffer.len() - keep);
                return false;
            };
            at += found;
            let field = self
                .buffer
                .get(at + LENGTH_FIELD.len()..)
                .unwrap_or_default();
            match looks_like_length(field) {
                Some(true) => {
                    self.buffer.advance(at);
                    return true;
                }
                Some(false) => at += LENGTH_FIELD.len(),
                None => {
                    self.buffer.advance(at);
                    return false;
                }
            }
        }
    }
}

/// Returns the length of a header including the empty line that ends it. Empty lines before the
/// first field are part of it.
fn header_end(bytes: &[u8]) -> Option<usize> {
    let mut line_start = 0;
    let mut fields = false;
    for (at, byte) in bytes.iter().enumerate().take(MAX_HEADER) {
        if *byte != b'\n' {
            continue;
        }
        let empty = matches!(bytes.get(line_start..at)?, b"" | b"\r");
        if empty && fields {
            return Some(at + 1);
        }
        fields |= !empty;
        line_start = at + 1;
    }
    None
}

fn find_field(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(LENGTH_FIELD.len())
        .position(|window| window.eq_ignore_ascii_case(LENGTH_FIELD))
}

/// Returns whether the value of a field is a number on the rest of its line. `None` if more bytes
/// are needed.
fn looks_like_length(field: &[u8]) -> Option<bool> {
    let mut digits = 0;
    for byte in field.iter().take(32) {
        match byte {
            b' ' | b'\t' if digits == 0 => {}
            b'0'..=b'9' => digits += 1,
            b'\r' | b'\n' => return Some(digits > 0),
            _ => return Some(false),
        }
    }
    (field.len() >= 32).then_some(false)
}

fn read_header(header: &[u8]) -> Result<Expect, FrameError> {
    if header.len() >= MAX_HEADER {
        return Err(FrameError::HeaderTooLong);
    }
    let mut length = None;
    let mut charset_known = true;
    for line in header.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let line = std::str::from_utf8(line).map_err(|_| FrameError::BadField)?;
        let (name, value) = line.split_once(':').ok_or(FrameError::BadField)?;
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(read_length(value.trim())?);
        } else if name.eq_ignore_ascii_case("Content-Type") {
            charset_known = is_utf8(value);
        }
    }
    let length = length.ok_or(FrameError::NoLength)?;
    Ok(Expect::Body {
        length,
        charset_known,
    })
}

fn read_length(value: &str) -> Result<usize, FrameError> {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FrameError::BadLength);
    }
    // More digits than fit into a number are still a length, but too many bytes.
    match value.parse::<usize>() {
        Ok(length) if length <= MAX_MESSAGE => Ok(length),
        _ => Err(FrameError::TooLong),
    }
}

fn is_utf8(content_type: &str) -> bool {
    let mut parameters = content_type.split(';').skip(1).map(str::trim);
    let charset = parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches('"'))
    });
    // The protocol once used `utf8` and still requires it to be accepted.
    charset.is_none_or(|charset| {
        charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8")
    })
}

#[cfg(test)]
mod tests;
