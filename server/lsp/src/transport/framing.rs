//! Messages cut out of a stream of bytes.
//!
//! A message is a header that tells its length, an empty line and that many bytes. The
//! decoder of tower-lsp-server ends the connection at the first message that it cannot
//! read, and waits without bound for a length that is a lie. This one reports what is wrong
//! and finds the next header, so that one bad message costs that message only.

use bytes::{Buf, Bytes, BytesMut};
use std::fmt;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The most bytes that a message may have.
///
/// Limit: twice the largest file that is analysed, and as much again for the escapes of
/// JSON.
pub(crate) const MAX_MESSAGE: usize = 128 * 1024 * 1024;

/// The most bytes that the header of a message may have.
///
/// Limit: the two fields that the protocol knows take about a hundred.
const MAX_HEADER: usize = 4096;

/// How many bytes are asked for at once.
const CHUNK: usize = 64 * 1024;

const LENGTH_FIELD: &[u8] = b"content-length:";

/// Why bytes are not a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    /// The header has no end.
    HeaderTooLong,
    /// A line of the header is not a field.
    BadField,
    /// The header does not tell a length.
    NoLength,
    /// The length is not a number.
    BadLength,
    /// The message is longer than [`MAX_MESSAGE`].
    TooLong,
    /// The text is neither declared as UTF-8 nor left undeclared.
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

/// What is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Header,
    Body {
        length: usize,
        charset_known: bool,
    },
    /// Something was wrong: everything up to the next header is dropped.
    NextHeader,
}

/// Cuts messages out of what `input` gives.
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

    /// The next message, or what is wrong with it. `None` at the end of the input, also
    /// when the input cannot be read.
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

/// The bytes read so far and what they are part of.
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
    /// The next message in the buffer; `None` when more bytes are needed.
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
                    return Some(match charset_known {
                        true => Ok(body),
                        false => Err(FrameError::Charset),
                    });
                }
            }
        }
    }

    fn take_body(&mut self, length: usize) -> Bytes {
        self.expect = Expect::Header;
        let body = self.buffer.split_to(length).freeze();
        if length > CHUNK && self.buffer.is_empty() {
            // Lets go of the memory of a large message.
            self.buffer = BytesMut::new();
        }
        body
    }

    /// Takes a header off the buffer; `None` when its end is not there yet.
    fn header(&mut self) -> Option<Result<Expect, FrameError>> {
        let (length, header) = match header_end(&self.buffer) {
            Some(end) => (end, self.buffer.get(..end)?),
            None if self.buffer.len() < MAX_HEADER => return None,
            None => (MAX_HEADER, self.buffer.get(..MAX_HEADER)?),
        };
        let read = read_header(header);
        let skip = match &read {
            // These bytes may be the rest of a message that told a wrong length, with the
            // header of the next one behind them.
            Err(FrameError::BadField | FrameError::NoLength | FrameError::HeaderTooLong) => {
                find_field(header.get(1..)?).map_or(length, |at| at + 1)
            }
            Ok(_) | Err(_) => length,
        };
        self.buffer.advance(skip);
        Some(read)
    }

    /// Drops bytes up to something that looks like a header. False when there is none yet.
    ///
    /// Invariant: a valid message is never mistaken for a header, since the strings of JSON
    /// hold no line breaks.
    fn skip_to_header(&mut self) -> bool {
        let mut at = 0;
        loop {
            let rest = self.buffer.get(at..).unwrap_or_default();
            let Some(found) = find_field(rest) else {
                // The start of a header may lie at the very end.
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

/// The number of bytes up to and with the empty line that ends a header. Empty lines before
/// the first field count to it.
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

/// Whether the value of a field is a number on a line of its own; `None` when the bytes end
/// before that is known.
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
    // More digits than a number holds are still a length, and too many bytes.
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
    // The protocol had `utf8` for it once and asks to go on reading it.
    charset.is_none_or(|charset| {
        charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8")
    })
}

#[cfg(test)]
mod tests;
