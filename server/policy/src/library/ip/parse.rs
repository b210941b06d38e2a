//! IP addresses as Go reads them.
//!
//! Upstream: Go, net/netip/netip.go, `ParseAddr`; kubernetes/apiserver, pkg/cel/library/ip.go,
//! parseIPAddr.

use core::net::{IpAddr, Ipv6Addr};
use kubernetes::quote::quote;
use std::fmt::Write;

/// An address and the zone after `%`, which is empty if there is none.
type Zoned<'a> = (IpAddr, &'a str);

/// The error of an address: the reason, and the rest of the string from there on, which is empty
/// if the whole string is invalid.
type Fault<'a> = (&'static str, &'a str);

/// Parses an address as Kubernetes does: without a zone, and not IPv4-mapped.
///
/// # Errors
/// The error of the API server.
pub(crate) fn address(text: &str) -> Result<IpAddr, String> {
    let (address, zone) = any_address(text).map_err(|error| {
        let text = quote(text);
        format!("IP Address {text} parse error during conversion from string: {error}")
    })?;
    let text = || quote(text);
    if !zone.is_empty() {
        return Err(format!(
            "IP address {} with zone value is not allowed",
            text()
        ));
    }
    if is_mapped(address) {
        return Err(format!(
            "IPv4-mapped IPv6 address {} is not allowed",
            text()
        ));
    }
    Ok(address)
}

/// Returns whether it is an IPv4-mapped IPv6 address.
pub(crate) fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some())
}

/// Parses an address with an optional zone.
///
/// # Errors
/// The error of Go.
pub(crate) fn any_address(text: &str) -> Result<Zoned<'_>, String> {
    let first = text.bytes().find(|byte| b".:%".contains(byte));
    let found = match first {
        Some(b'.') => version_4(text).map(|address| (IpAddr::V4(address.into()), "")),
        Some(b':') => version_6(text),
        Some(_) => Err(("missing IPv6 address", "")),
        None => Err(("unable to parse IP", "")),
    };
    found.map_err(|(reason, rest)| {
        let mut message = format!("ParseAddr({}): {reason}", quote(text));
        if !rest.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(message, " (at {})", quote(rest));
        }
        message
    })
}

fn version_4(text: &str) -> Result<[u8; 4], Fault<'_>> {
    let mut fields = [0_u8; 4];
    let mut field = 0;
    let (mut value, mut digits) = (0_u16, 0);
    let mut before = b'.';
    for (at, byte) in text.bytes().enumerate() {
        let rest = || text.get(at..).unwrap_or("");
        if byte.is_ascii_digit() {
            if digits == 1 && value == 0 {
                return Err(("IPv4 field has octet with leading zero", ""));
            }
            value = value * 10 + u16::from(byte - b'0');
            digits += 1;
            if value > 255 {
                return Err(("IPv4 field has value >255", ""));
            }
        } else if byte == b'.' {
            if before == b'.' || at + 1 == text.len() {
                return Err(("IPv4 field must have at least one digit", rest()));
            }
            if field == 3 {
                return Err(("IPv4 address too long", ""));
            }
            set(&mut fields, field, value);
            field += 1;
            (value, digits) = (0, 0);
        } else {
            return Err(("unexpected character", rest()));
        }
        before = byte;
    }
    if field < 3 {
        return Err(("IPv4 address too short", ""));
    }
    set(&mut fields, field, value);
    Ok(fields)
}

fn set(fields: &mut [u8], at: usize, value: u16) {
    if let Some(field) = fields.get_mut(at) {
        *field = value.to_be_bytes()[1];
    }
}

/// The bytes of an IPv6 address that have been read.
struct Groups {
    bytes: [u8; 16],
    /// How many.
    length: usize,
    /// The position of `::`.
    ellipsis: Option<usize>,
}

impl Groups {
    fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = *byte;
                self.length += 1;
            }
        }
    }

    /// Returns the address, with zeros in place of `::`.
    fn expand(mut self) -> Result<Ipv6Addr, Fault<'static>> {
        match self.ellipsis {
            None if self.length < 16 => return Err(("address string too short", "")),
            Some(_) if self.length == 16 => {
                let reason = "the :: must expand to at least one field of zeros";
                return Err((reason, ""));
            }
            Some(at) => {
                if let Some(after) = self.bytes.get_mut(at..) {
                    after.rotate_right(16 - self.length);
                }
            }
            None => {}
        }
        Ok(self.bytes.into())
    }
}

fn version_6(text: &str) -> Result<Zoned<'_>, Fault<'_>> {
    let (address, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(("zone must be a non-empty string", "")),
        Some((address, zone)) => (address, zone),
        None => (text, ""),
    };
    let mut groups = Groups {
        bytes: [0; 16],
        length: 0,
        ellipsis: None,
    };
    let mut rest = address;
    if let Some(after) = rest.strip_prefix("::") {
        groups.ellipsis = Some(0);
        rest = after;
    }
    while groups.length < 16 && !(rest.is_empty() && groups.ellipsis == Some(groups.length)) {
        rest = group(rest, &mut groups)?;
        if rest.is_empty() {
            break;
        }
    }
    if !rest.is_empty() {
        return Err(("trailing garbage after address", rest));
    }
    Ok((IpAddr::V6(groups.expand()?), zone))
}

/// Reads one group and its separator. Returns the rest of the string.
fn group<'a>(text: &'a str, groups: &mut Groups) -> Result<&'a str, Fault<'a>> {
    let mut value = 0_u32;
    let mut digits = 0;
    for digit in text.chars().map_while(|char| char.to_digit(16)) {
        value = (value << 4) + digit;
        if digits > 3 {
            return Err(("each group must have 4 or less digits", text));
        }
        digits += 1;
    }
    if digits == 0 {
        let reason = "each colon-separated field must have at least one digit";
        return Err((reason, text));
    }
    let rest = text.get(digits..).unwrap_or("");
    if rest.starts_with('.') {
        return last_four(text, groups);
    }
    let [.., high, low] = value.to_be_bytes();
    groups.push(&[high, low]);
    if rest.is_empty() {
        return Ok(rest);
    }
    let Some(after) = rest.strip_prefix(':') else {
        return Err(("unexpected character, want colon", rest));
    };
    if after.is_empty() {
        return Err(("colon must be followed by more characters", rest));
    }
    let Some(end) = after.strip_prefix(':') else {
        return Ok(after);
    };
    if groups.ellipsis.is_some() {
        return Err(("multiple :: in address", after));
    }
    groups.ellipsis = Some(groups.length);
    Ok(end)
}

/// Reads an IPv4 address at the end of an IPv6 address.
fn last_four<'a>(text: &'a str, groups: &mut Groups) -> Result<&'a str, Fault<'a>> {
    if groups.ellipsis.is_none() && groups.length != 12 {
        let reason = "embedded IPv4 address must replace the final 2 fields of the address";
        return Err((reason, text));
    }
    if groups.length + 4 > 16 {
        let reason = "too many hex fields to fit an embedded IPv4 at the end of the address";
        return Err((reason, text));
    }
    groups.push(&version_4(text)?);
    Ok("")
}
