//! The formats of strings that a server checks.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/validation/formats.go;
//! kubernetes/kube-openapi, pkg/validation/strfmt/default.go and
//! pkg/internal/third_party/govalidator.

use super::email::is_email;
use crate::library::format::has_format;
use cel::regex::Regex;
use cel::value::Duration;
use core::net::IpAddr;
use core::str::FromStr;
use kubernetes::versions::ServerVersion;
use kubernetes::versions::changes::NAME_FORMATS;
use std::sync::LazyLock;

/// A format of strings.
#[derive(Debug)]
pub(super) struct Format {
    /// Without hyphens, which the server ignores.
    name: &'static str,
    check: fn(&str) -> bool,
}

impl Format {
    /// Returns the format with a name. `None` if no server has it.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        let name = name.replace('-', "");
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns whether a string has the format.
    pub(super) fn validates(&self, text: &str) -> bool {
        (self.check)(text)
    }
}

/// Returns whether a server does not ignore a format of a type.
pub(super) fn is_supported(format: &str, types: &[&str], server: ServerVersion) -> bool {
    match types {
        ["integer"] => matches!(format, "int32" | "int64"),
        ["number"] => matches!(format, "float" | "double"),
        ["object" | "array" | "boolean"] => false,
        _ => Format::named(format)
            .is_some_and(|known| !known.name.starts_with("k8s") || NAME_FORMATS.applies(server)),
    }
}

const fn format(name: &'static str, check: fn(&str) -> bool) -> Format {
    Format { name, check }
}

static FORMATS: [Format; 26] = [
    format("bsonobjectid", |text| {
        text.len() == 24 && text.bytes().all(|it| it.is_ascii_hexdigit())
    }),
    format("byte", |text| has_format("byte", text)),
    format("cidr", is_range),
    format("creditcard", is_credit_card),
    format("date", |text| has_format("date", text)),
    format("datetime", |text| {
        text.len() >= 4 && has_format("datetime", text)
    }),
    format("duration", is_duration),
    format("email", is_email),
    format("hexcolor", |text| matches(&HEX_COLOR, text)),
    format("hostname", is_hostname),
    format("ipv4", |text| {
        text.contains('.') && is_address(text, Zeros::Allowed)
    }),
    format("ipv6", |text| {
        text.contains(':') && is_address(text, Zeros::Rejected)
    }),
    format("isbn", |text| is_isbn_10(text) || is_isbn_13(text)),
    format("isbn10", is_isbn_10),
    format("isbn13", is_isbn_13),
    format("k8slongname", |text| {
        text.len() <= 253 && matches(&LONG_NAME, text)
    }),
    format("k8sshortname", |text| {
        text.len() <= 63 && matches(&SHORT_NAME, text)
    }),
    format("mac", is_mac),
    format("password", |_| true),
    format("rgbcolor", |text| matches(&RGB_COLOR, text)),
    format("ssn", |text| text.len() == 11 && matches(&SSN, text)),
    format("uri", |text| has_format("uri", text)),
    format("uuid", |text| has_format("uuid", text)),
    format("uuid3", |text| matches(&UUID_3, text)),
    format("uuid4", |text| matches(&UUID_4, text)),
    format("uuid5", |text| matches(&UUID_5, text)),
];

type Compiled = LazyLock<Option<Regex>>;

macro_rules! patterns {
    ($($name:ident = $pattern:expr;)*) => {
        $(static $name: Compiled = LazyLock::new(|| Regex::new($pattern).ok());)*
    };
}

patterns! {
    CREDIT_CARD = r"^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$";
    HEX_COLOR = "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$";
    HOSTNAME = r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$";
    LONG_NAME = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
    RGB_COLOR = r"^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$";
    SHORT_NAME = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
    SSN = r"^\d{3}[- ]?\d{2}[- ]?\d{4}$";
    TIME_UNIT = r"([0-9]+)\s*([A-Za-zµ]+)";
    UUID_3 = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$";
    UUID_4 = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$";
    UUID_5 = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$";
}

fn matches(pattern: &Compiled, text: &str) -> bool {
    pattern.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// Zeros before the digits of an IPv4 address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    Allowed,
    Rejected,
}

/// Upstream: kubernetes/utils, net/parse.go, ParseIPSloppy; Go, net/ip.go, `ParseIP`.
fn is_address(text: &str, zeros: Zeros) -> bool {
    let parts = text.split('.');
    let shorten = |part: &str| match part.trim_start_matches('0') {
        "" if !part.is_empty() => "0".to_owned(),
        rest => rest.to_owned(),
    };
    if zeros == Zeros::Allowed && !text.contains(':') {
        let parts: Vec<String> = parts.map(shorten).collect();
        return IpAddr::from_str(&parts.join(".")).is_ok();
    }
    IpAddr::from_str(text).is_ok()
}

fn is_range(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else {
        return false;
    };
    let most = if address.contains(':') { 128 } else { 32 };
    let is_number = !bits.is_empty() && bits.bytes().all(|it| it.is_ascii_digit());
    is_number
        && bits.parse::<u64>().is_ok_and(|bits| bits <= most)
        && is_address(address, Zeros::Allowed)
}

fn is_hostname(text: &str) -> bool {
    matches(&HOSTNAME, text) && text.len() <= 255 && text.split('.').all(|it| it.len() <= 63)
}

/// Upstream: Go, net/mac.go, `ParseMAC`.
fn is_mac(text: &str) -> bool {
    let (separator, digits) = match (text.get(2..3), text.get(4..5)) {
        (Some(separator @ (":" | "-")), _) => (separator, 2),
        (_, Some(separator @ ".")) => (separator, 4),
        _ => return false,
    };
    let groups: Vec<&str> = text.split(separator).collect();
    let is_group =
        |group: &&str| group.len() == digits && group.bytes().all(|it| it.is_ascii_hexdigit());
    matches!(groups.len() * digits / 2, 6 | 8 | 20) && groups.iter().all(is_group)
}

/// Upstream: kubernetes/kube-openapi, pkg/validation/strfmt/duration.go, ParseDuration.
fn is_duration(text: &str) -> bool {
    const UNITS: [&str; 17] = [
        "ns", "nano", "us", "µs", "micro", "ms", "milli", "s", "m", "h", "hr", "d", "w", "wk",
        "sec", "min", "day",
    ];
    /// The names that may have a suffix, as in `hours`.
    const STEMS: [&str; 8] = [
        "nano", "micro", "milli", "sec", "min", "hour", "day", "week",
    ];
    if Duration::parse(text).is_some() {
        return true;
    }
    let Some(regex) = TIME_UNIT.as_ref() else {
        return false;
    };
    let mut has_unit = false;
    for found in regex.find_iter(text) {
        let digits = found.trim_end_matches(|it: char| !it.is_ascii_digit());
        if digits.parse::<i64>().is_err() {
            return false;
        }
        let unit = found.trim_start_matches(|it: char| it.is_ascii_digit());
        let unit = unit.trim().to_lowercase();
        let is_unit = UNITS.contains(&&*unit) || STEMS.iter().any(|stem| unit.starts_with(stem));
        has_unit |= is_unit;
    }
    has_unit
}

/// Returns the digits of a number, and the letter X, without separators.
fn without_separators(text: &str) -> String {
    let is_separator = |it: char| matches!(it, '-' | ' ' | '\t' | '\n' | '\x0c' | '\r');
    text.replace(is_separator, "")
}

fn is_isbn_10(text: &str) -> bool {
    let text = without_separators(text);
    let digit = |(at, letter): (usize, char)| match letter {
        'X' if at == 9 => Some(10),
        letter => letter.to_digit(10),
    };
    let digits: Option<Vec<u32>> = text.chars().enumerate().map(digit).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == 10) else {
        return false;
    };
    let sum: u32 = (1..)
        .zip(&digits)
        .map(|(factor, digit)| factor * digit)
        .sum();
    sum.is_multiple_of(11)
}

fn is_isbn_13(text: &str) -> bool {
    let text = without_separators(text);
    let digits: Option<Vec<u32>> = text.chars().map(|letter| letter.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == 13) else {
        return false;
    };
    let factors = [1, 3].into_iter().cycle();
    let sum: u32 = factors
        .zip(&digits)
        .map(|(factor, digit)| factor * digit)
        .sum();
    sum.is_multiple_of(10)
}

/// Upstream: govalidator, IsCreditCard: the pattern of a card and its checksum.
fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !matches(&CREDIT_CARD, &digits) {
        return false;
    }
    let digits = digits
        .chars()
        .rev()
        .filter_map(|letter| letter.to_digit(10));
    let weighted = digits.enumerate().map(|(at, digit)| match at % 2 {
        0 => digit,
        _ if digit > 4 => digit * 2 - 9,
        _ => digit * 2,
    });
    weighted.sum::<u32>().is_multiple_of(10)
}
