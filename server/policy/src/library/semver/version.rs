//! Semantic versions as the API server reads them.
//!
//! Upstream: blang/semver, v4/semver.go; kubernetes/apiserver, pkg/cel/library/semverlib.go,
//! normalizeAndParse.

use kubernetes::quote::quote;
use std::cmp::Ordering;
use std::fmt;

/// A semantic version.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) major: u64,
    pub(super) minor: u64,
    pub(super) patch: u64,
    /// The pre-release, after `-`.
    pre: Vec<Part>,
    /// The build metadata, after `+`, which comparisons ignore.
    build: Vec<Box<str>>,
}

/// An identifier of a pre-release. Numbers come before strings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u64),
    Text(Box<str>),
}

impl Version {
    /// Parses a version.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Version string empty".to_owned());
        }
        let mut numbers = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return Err("No Major.Minor.Patch elements found".to_owned());
        };
        let (major, minor) = (number(major, "major")?, number(minor, "minor")?);
        let (rest, build) = split_once(rest, '+');
        let (patch, pre) = split_once(rest, '-');
        let patch = number(patch, "patch")?;
        let pre = pre.into_iter().flat_map(|pre| pre.split('.'));
        let pre = pre.map(pre_release).collect::<Result<_, _>>()?;
        let build = build.into_iter().flat_map(|build| build.split('.'));
        let build = build.map(build_part).collect::<Result<_, _>>()?;
        Ok(Self {
            major,
            minor,
            patch,
            pre,
            build,
        })
    }

    /// Parses a version after normalization: a leading `v` and leading zeros are removed, and
    /// missing numbers are added.
    pub(super) fn parse_normalized(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<_> = text.splitn(3, '.').map(without_zeros).collect();
        let last = parts.last();
        if parts.len() < 3 && last.is_some_and(|last| last.contains(['+', '-'])) {
            let message = "short version cannot contain PreRelease/Build meta data";
            return Err(message.to_owned());
        }
        parts.resize(3, "0".to_owned());
        Self::parse(&parts.join("."))
    }
}

/// Returns a number without the zeros before it.
fn without_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    if rest.starts_with(|first: char| first.is_ascii_digit()) {
        rest.to_owned()
    } else {
        format!("0{rest}")
    }
}

fn split_once(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

fn is_word(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn number(text: &str, name: &str) -> Result<u64, String> {
    if !is_number(text) {
        let text = quote(text);
        return Err(format!(
            "Invalid character(s) found in {name} number {text}"
        ));
    }
    if has_leading_zero(text) {
        let (first, rest) = name.split_at_checked(1).unwrap_or((name, ""));
        let (first, text) = (first.to_ascii_uppercase(), quote(text));
        return Err(format!(
            "{first}{rest} number must not contain leading zeroes {text}"
        ));
    }
    parse_uint(text)
}

/// Upstream: Go, strconv/atoi.go, `ParseUint`.
fn parse_uint(digits: &str) -> Result<u64, String> {
    digits.parse().map_err(|_| {
        let reason = if digits.is_empty() {
            "invalid syntax"
        } else {
            "value out of range"
        };
        format!("strconv.ParseUint: parsing {}: {reason}", quote(digits))
    })
}

fn pre_release(text: &str) -> Result<Part, String> {
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if is_number(text) {
        if has_leading_zero(text) {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {}",
                quote(text)
            ));
        }
        return parse_uint(text).map(Part::Number);
    }
    if is_word(text) {
        return Ok(Part::Text(text.into()));
    }
    let text = quote(text);
    Err(format!("Invalid character(s) found in prerelease {text}"))
}

fn build_part(text: &str) -> Result<Box<str>, String> {
    if text.is_empty() {
        return Err("Build meta data is empty".to_owned());
    }
    if is_word(text) {
        return Ok(text.into());
    }
    let text = quote(text);
    Err(format!(
        "Invalid character(s) found in build meta data {text}"
    ))
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        let pre = || match (self.pre.is_empty(), other.pre.is_empty()) {
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            _ => self.pre.cmp(&other.pre),
        };
        numbers(self).cmp(&numbers(other)).then_with(pre)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (at, part) in self.pre.iter().enumerate() {
            out.write_str(if at == 0 { "-" } else { "." })?;
            match part {
                Part::Number(number) => write!(out, "{number}")?,
                Part::Text(text) => out.write_str(text)?,
            }
        }
        for (at, part) in self.build.iter().enumerate() {
            out.write_str(if at == 0 { "+" } else { "." })?;
            out.write_str(part)?;
        }
        Ok(())
    }
}
