//! The structure of a PKCS #10 certificate request in PEM.
//!
//! Limit: the public key, the subject and the extensions are not decoded, and the signature is
//! not verified.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/certificates/helpers.go, ParseCSR; Go, encoding/pem,
//! Decode; crypto/x509, ParseCertificateRequest; encoding/asn1, Unmarshal.

use std::fmt;

/// The type of the block in PEM.
const BLOCK: &str = "CERTIFICATE REQUEST";

/// The tags of the types that occur in a request.
const INTEGER: u32 = 2;
const BIT_STRING: u32 = 3;
const OBJECT_IDENTIFIER: u32 = 6;
const SEQUENCE: u32 = 16;

/// The class of the types that every encoding has.
const UNIVERSAL: u8 = 0;

/// The class of a field with its own tag.
const CONTEXT: u8 = 2;

/// Returns Go's error for bytes that are not a certificate request.
pub(super) fn request_error(pem: &[u8]) -> Option<String> {
    let block = block(&String::from_utf8_lossy(pem)).filter(|(ty, _)| ty == BLOCK);
    let Some((_, der)) = block else {
        return Some(format!("PEM block type must be {BLOCK}"));
    };
    let mut input = Input::new(&der);
    let result = input.request().and_then(|()| match input.rest() {
        [] => Ok(()),
        _ => Err(Error::Syntax("trailing data")),
    });
    result.err().map(|error| error.to_string())
}

/// Returns the type and the bytes of the first block in PEM.
fn block(text: &str) -> Option<(String, Vec<u8>)> {
    let mut rest = text;
    loop {
        let start = match rest.strip_prefix("-----BEGIN ") {
            Some(start) => start,
            None => rest.split_once("\n-----BEGIN ")?.1,
        };
        rest = start;
        let (line, body) = start.split_once('\n')?;
        let Some(ty) = line.trim_end().strip_suffix("-----") else {
            continue;
        };
        let end = format!("-----END {ty}-----");
        let Some((body, _)) = body.split_once(&end) else {
            continue;
        };
        let is_digit = |line: &&str| !line.contains(':');
        let digits: String = body.lines().filter(is_digit).map(str::trim).collect();
        if let Some(bytes) = text::decode_base64(&digits) {
            return Some((ty.to_owned(), bytes));
        }
    }
}

#[derive(Debug)]
enum Error {
    Syntax(&'static str),
    Structure(String),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(message) => write!(out, "asn1: syntax error: {message}"),
            Error::Structure(message) => write!(out, "asn1: structure error: {message}"),
        }
    }
}

/// A tag and the length of what follows.
struct Header {
    class: u8,
    is_compound: bool,
    tag: u32,
    length: usize,
}

/// DER, and the offset in it.
struct Input<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Input<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.offset..).unwrap_or_default()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.offset).copied();
        self.offset += usize::from(byte.is_some());
        byte
    }

    fn request(&mut self) -> Result<(), Error> {
        let mut request = self.sequence("certificateRequest")?;
        let mut signed = request.sequence("tbsCertificateRequest")?;
        let version = signed.element(INTEGER, "int")?;
        integer(version)?;
        signed.any()?;
        let mut key = signed.sequence("publicKeyInfo")?;
        key.algorithm()?;
        key.bit_string()?;
        signed.attributes()?;
        request.algorithm()?;
        request.bit_string()
    }

    fn algorithm(&mut self) -> Result<(), Error> {
        let mut algorithm = self.sequence("AlgorithmIdentifier")?;
        let identifier = algorithm.element(OBJECT_IDENTIFIER, "ObjectIdentifier")?;
        if identifier.is_empty() {
            return Err(Error::Syntax("zero length OBJECT IDENTIFIER"));
        }
        let mut identifier = Input::new(identifier);
        while !identifier.rest().is_empty() {
            identifier.base_128()?;
        }
        match algorithm.rest() {
            [] => Ok(()),
            _ => algorithm.any(),
        }
    }

    fn bit_string(&mut self) -> Result<(), Error> {
        let bytes = self.element(BIT_STRING, "BitString")?;
        let Some((padding, bits)) = bytes.split_first() else {
            return Err(Error::Syntax("zero length BIT STRING"));
        };
        let mask = 1_u8.checked_shl(u32::from(*padding)).map(|bit| bit - 1);
        let is_padded = match (mask, bits.last()) {
            (None, _) => false,
            (Some(mask), Some(last)) => last & mask == 0,
            (Some(mask), None) => mask == 0,
        };
        if is_padded {
            Ok(())
        } else {
            Err(Error::Syntax("invalid padding bits in BIT STRING"))
        }
    }

    /// Reads the attributes, which have the context-specific tag 0.
    fn attributes(&mut self) -> Result<(), Error> {
        let header = self.header()?;
        if header.class != CONTEXT || header.tag != 0 || !header.is_compound {
            return Err(self.mismatch(0, &header, ""));
        }
        let mut attributes = Input::new(self.content(&header)?);
        while !attributes.rest().is_empty() {
            let header = attributes.header()?;
            let truncated = |_| Error::Syntax("truncated sequence");
            attributes.content(&header).map_err(truncated)?;
        }
        Ok(())
    }

    fn sequence(&mut self, name: &str) -> Result<Input<'a>, Error> {
        self.element(SEQUENCE, name).map(Input::new)
    }

    /// Reads an element of a type. Returns its content.
    fn element(&mut self, tag: u32, name: &str) -> Result<&'a [u8], Error> {
        let header = self.header()?;
        let is_compound = tag == SEQUENCE;
        if (header.class, header.tag, header.is_compound) != (UNIVERSAL, tag, is_compound) {
            return Err(self.mismatch(tag, &header, name));
        }
        self.content(&header)
    }

    /// Skips an element of any type.
    fn any(&mut self) -> Result<(), Error> {
        let header = self.header()?;
        self.content(&header).map(drop)
    }

    fn content(&mut self, header: &Header) -> Result<&'a [u8], Error> {
        let content = self.rest().get(..header.length);
        self.offset += header.length;
        content.ok_or(Error::Syntax("data truncated"))
    }

    fn mismatch(&self, expected: u32, header: &Header, name: &str) -> Error {
        let Header {
            class,
            is_compound,
            tag,
            length,
        } = header;
        Error::Structure(format!(
            "tags don't match ({expected} vs {{class:{class} tag:{tag} length:{length} \
             isCompound:{is_compound}}}) {{optional:false explicit:false application:false \
             private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false \
             omitEmpty:false}} {name} @{}",
            self.offset
        ))
    }

    /// Reads a tag and a length.
    fn header(&mut self) -> Result<Header, Error> {
        const TRUNCATED: Error = Error::Syntax("truncated tag or length");
        let first = self.next().ok_or(Error::Syntax("sequence truncated"))?;
        let mut tag = u32::from(first & 0x1f);
        if tag == 0x1f {
            tag = self.base_128()?;
            if tag < 0x1f {
                return Err(Error::Syntax("non-minimal tag"));
            }
        }
        let byte = self.next().ok_or(TRUNCATED)?;
        let mut length = usize::from(byte & 0x7f);
        if byte & 0x80 != 0 {
            length = self.long_length(length)?;
        }
        Ok(Header {
            class: first >> 6,
            is_compound: first & 0x20 != 0,
            tag,
            length,
        })
    }

    fn long_length(&mut self, bytes: usize) -> Result<usize, Error> {
        if bytes == 0 {
            return Err(Error::Syntax("indefinite length found (not DER)"));
        }
        let structure = |message: &str| Err(Error::Structure(message.to_owned()));
        let mut length = 0;
        for _ in 0..bytes {
            let byte = self
                .next()
                .ok_or(Error::Syntax("truncated tag or length"))?;
            if length >= 1 << 23 {
                return structure("length too large");
            }
            length = length << 8 | usize::from(byte);
            if length == 0 {
                return structure("superfluous leading zeros in length");
            }
        }
        match length {
            0..0x80 => structure("non-minimal length"),
            _ => Ok(length),
        }
    }

    fn base_128(&mut self) -> Result<u32, Error> {
        let too_large = || Error::Structure("base 128 integer too large".to_owned());
        let mut number: u64 = 0;
        for position in 0.. {
            let is_at_end = self.rest().is_empty();
            if is_at_end {
                break;
            }
            if position == 5 {
                return Err(too_large());
            }
            let byte = self.next().unwrap_or_default();
            if position == 0 && byte == 0x80 {
                return Err(Error::Syntax("integer is not minimally encoded"));
            }
            number = number << 7 | u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                let number = i32::try_from(number).map_err(|_| too_large())?;
                return Ok(number.unsigned_abs());
            }
        }
        Err(Error::Syntax("truncated base 128 integer"))
    }
}

/// Checks an integer of 64 bits.
fn integer(bytes: &[u8]) -> Result<(), Error> {
    let message = match bytes {
        [] => "empty integer",
        [0, second, ..] if second & 0x80 == 0 => "integer not minimally-encoded",
        [0xff, second, ..] if second & 0x80 != 0 => "integer not minimally-encoded",
        _ if bytes.len() > 8 => "integer too large",
        _ => return Ok(()),
    };
    Err(Error::Structure(message.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pem(der: &[u8]) -> String {
        let digits = text::encode_base64(der);
        format!("-----BEGIN {BLOCK}-----\n{digits}\n-----END {BLOCK}-----\n")
    }

    fn error_of(der: &[u8]) -> String {
        request_error(pem(der).as_bytes()).unwrap_or_default()
    }

    /// Returns a sequence.
    fn sequence(parts: &[&[u8]]) -> Vec<u8> {
        let content = parts.concat();
        [&[0x30, u8::try_from(content.len()).unwrap()], &*content].concat()
    }

    /// Returns a request: version 0, no subject, a key, no attributes, a signature.
    fn request(attributes: &[u8]) -> Vec<u8> {
        let algorithm = sequence(&[&[6, 1, 0x2a], &[5, 0]]);
        let key = sequence(&[&algorithm, &[3, 2, 0, 1]]);
        let signed = sequence(&[&[2, 1, 0], &[0x30, 0], &key, attributes]);
        sequence(&[&signed, &algorithm, &[3, 2, 0, 1]])
    }

    #[test]
    fn a_request_is_a_block_in_pem() {
        let whole = pem(&request(&[0xa0, 0]));
        assert_eq!(request_error(whole.as_bytes()), None);
        let after = format!("a comment\n{whole}");
        assert_eq!(request_error(after.as_bytes()), None);
        let broken = format!("-----BEGIN x-----\n-----BEGIN y\n{whole}");
        assert_eq!(request_error(broken.as_bytes()), None);
        let no_block = Some("PEM block type must be CERTIFICATE REQUEST".to_owned());
        let other = whole.replace("CERTIFICATE REQUEST", "CERTIFICATE");
        for text in ["", "abc", &*other, whole.trim_start_matches('-')] {
            assert_eq!(request_error(text.as_bytes()), no_block, "{text}");
        }
    }

    #[test]
    fn errors_of_lengths_and_tags_are_those_of_go() {
        for (der, expected) in [
            (&[][..], "syntax error: sequence truncated"),
            (&[0x30], "syntax error: truncated tag or length"),
            (
                &[0x30, 0x80],
                "syntax error: indefinite length found (not DER)",
            ),
            (&[0x30, 0x81, 5], "structure error: non-minimal length"),
            (
                &[0x30, 0x82, 0, 5],
                "structure error: superfluous leading zeros in length",
            ),
            (
                &[0x3f, 0x80],
                "syntax error: integer is not minimally encoded",
            ),
            (&[0x3f, 0x81], "syntax error: truncated base 128 integer"),
            (&[0x3f, 0x1e], "syntax error: non-minimal tag"),
        ] {
            assert_eq!(error_of(der), format!("asn1: {expected}"), "{der:x?}");
        }
    }

    #[test]
    fn errors_of_elements_are_those_of_go() {
        let whole = request(&[0xa0, 0]);
        let cut = whole.get(..whole.len() - 1).unwrap();
        let trailing = [&*whole, &[0]].concat();
        let nested = |element: &[u8]| sequence(&[&sequence(&[element])]);
        for (der, expected) in [
            (cut, "asn1: syntax error: data truncated"),
            (&*trailing, "asn1: syntax error: trailing data"),
            (&*nested(&[2, 1]), "asn1: syntax error: data truncated"),
            (&*nested(&[2, 0]), "asn1: structure error: empty integer"),
            (&*request(&[]), "asn1: syntax error: sequence truncated"),
            (
                &*request(&[0xa0, 2, 0x30, 1]),
                "asn1: syntax error: truncated sequence",
            ),
            (
                &*nested(&[12, 1, b'a']),
                "asn1: structure error: tags don't match (2 vs {class:0 tag:12 length:1 \
                 isCompound:false}) {optional:false explicit:false application:false \
                 private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false \
                 omitEmpty:false} int @2",
            ),
        ] {
            assert_eq!(error_of(der), expected, "{der:x?}");
        }
    }
}
