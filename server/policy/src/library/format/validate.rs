//! The checks of the named formats.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/library/format.go, ConstantFormats;
//! kubernetes/kube-openapi, pkg/validation/strfmt.

use super::super::url::parse::check as check_url;
use kubernetes::names::format;

/// Returns the errors of a string; empty if it has the format.
pub(super) type Check = fn(&str) -> Vec<String>;

/// A named format.
#[derive(Debug)]
pub(super) struct Named {
    /// The name in functions and in `format.named`.
    pub(super) name: &'static str,
    /// The name that it prints.
    pub(super) display: &'static str,
    pub(super) check: Check,
    /// Limit: the length of the regular expression by which its cost is counted.
    pub(super) regex_size: u64,
}

const fn named(name: &'static str, display: &'static str, check: Check, regex_size: u64) -> Named {
    Named {
        name,
        display,
        check,
        regex_size,
    }
}

/// The formats, sorted by name.
pub(super) static FORMATS: [Named; 13] = [
    named("byte", "byte", byte, 84),
    named("date", "date", date, 71),
    named("datetime", "datetime", datetime, 71),
    named("dns1035Label", "DNS1035Label", format::dns_1035_label, 30),
    named(
        "dns1035LabelPrefix",
        "DNS1035LabelPrefix",
        dns_1035_label_prefix,
        30,
    ),
    named("dns1123Label", "DNS1123Label", format::dns_1123_label, 30),
    named(
        "dns1123LabelPrefix",
        "DNS1123LabelPrefix",
        dns_1123_label_prefix,
        30,
    ),
    named(
        "dns1123Subdomain",
        "DNS1123Subdomain",
        format::dns_subdomain,
        60,
    ),
    named(
        "dns1123SubdomainPrefix",
        "DNS1123SubdomainPrefix",
        dns_subdomain_prefix,
        60,
    ),
    named("labelValue", "LabelValue", format::label_value, 40),
    named("qualifiedName", "QualifiedName", format::qualified_name, 60),
    named("uri", "URI", uri, 1103),
    named("uuid", "uuid", uuid, 70),
];

fn dns_1035_label_prefix(text: &str) -> Vec<String> {
    format::dns_1035_label(&format::without_dash(text))
}

fn dns_1123_label_prefix(text: &str) -> Vec<String> {
    format::dns_1123_label(&format::without_dash(text))
}

/// Returns the errors of the beginning of a name, which a server completes.
fn dns_subdomain_prefix(text: &str) -> Vec<String> {
    format::dns_subdomain(&format::without_dash(text))
}

fn uri(text: &str) -> Vec<String> {
    check_url(text).err().into_iter().collect()
}

fn unless(is_right: bool, message: &str) -> Vec<String> {
    if is_right {
        Vec::new()
    } else {
        vec![message.to_owned()]
    }
}

/// Dashes between the groups can be missing.
fn uuid(text: &str) -> Vec<String> {
    let mut rest = text;
    let is_right = [8, 4, 4, 4, 12]
        .into_iter()
        .enumerate()
        .all(|(at, length)| {
            if at > 0 {
                rest = rest.strip_prefix('-').unwrap_or(rest);
            }
            let Some((group, after)) = rest.split_at_checked(length) else {
                return false;
            };
            rest = after;
            group.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
    unless(
        is_right && rest.is_empty(),
        "does not match the UUID format",
    )
}

fn byte(text: &str) -> Vec<String> {
    let is_right = !text.is_empty() && !text.contains(['\r', '\n']);
    unless(
        is_right && text::decode_base64(text).is_some(),
        "invalid base64",
    )
}

fn date(text: &str) -> Vec<String> {
    unless(is_date(text), "invalid date")
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// Returns a number of exactly that many digits.
fn number(text: &str, digits: usize) -> Option<u32> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Checks a date, `t`, a time and a zone, in upper or lower case. The part after a second `t` is
/// ignored, as in the server.
///
/// Upstream: kubernetes/kube-openapi, pkg/validation/strfmt/time.go, IsDateTime.
fn datetime(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let is_right = parts.next().is_some_and(is_date) && parts.next().is_some_and(is_time);
    unless(is_right, "invalid datetime")
}

/// Upstream: kubernetes/kube-openapi, pkg/validation/strfmt/time.go, DateTimePattern. Any
/// character may precede the fraction of the seconds.
fn is_time(text: &str) -> bool {
    let (Some(time), Some(rest)) = (text.get(..8), text.get(8..)) else {
        return false;
    };
    let parts: Vec<Option<u32>> = time.split(':').map(|part| number(part, 2)).collect();
    let [Some(hour), Some(minute), Some(second)] = parts.as_slice() else {
        return false;
    };
    *hour <= 23 && *minute <= 59 && *second <= 59 && is_fraction_and_zone(rest)
}

fn is_fraction_and_zone(text: &str) -> bool {
    if is_zone(text) {
        return true;
    }
    let mut after = text.chars();
    let point = after.next();
    let after = after.as_str();
    let zone = after.trim_start_matches(|char: char| char.is_ascii_digit());
    // The last digits cannot belong to a zone, which begins with a letter or a sign.
    point.is_some_and(|point| point != '\n') && zone.len() < after.len() && is_zone(zone)
}

fn is_zone(text: &str) -> bool {
    if text == "z" {
        return true;
    }
    let Some(offset) = text.strip_prefix(['+', '-']) else {
        return false;
    };
    let parts = offset.split_once(':');
    parts.is_some_and(|(hours, minutes)| number(hours, 2).is_some() && number(minutes, 2).is_some())
}
