//! URLs as Go reads them.
//!
//! Upstream: Go 1.26, net/url/url.go, `Parse` and `ParseRequestURI`.

use super::super::ip::parse::any_address;
use super::escape::{Part, escape, unescape, written_or_escaped};
use core::net::IpAddr;
use kubernetes::quote::quote;

/// A URL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// In lower case.
    pub(super) scheme: String,
    /// The part after the scheme, if it does not begin with a slash.
    opaque: String,
    user: Option<User>,
    /// With the port.
    pub(super) host: String,
    /// Whether there is a scheme and a path without `//` in between.
    omits_host: bool,
    path: Escaped,
    /// Whether the URL ends in `?`.
    ends_in_question_mark: bool,
    pub(super) query: String,
    fragment: Escaped,
}

/// The user before `@`.
#[derive(Clone, Debug)]
struct User {
    name: Vec<u8>,
    password: Option<Vec<u8>>,
}

/// A part as written, and decoded.
#[derive(Clone, Debug, Default)]
struct Escaped {
    written: String,
    bytes: Vec<u8>,
}

impl Escaped {
    fn read(written: &str, part: Part) -> Result<Self, String> {
        Ok(Self {
            written: written.to_owned(),
            bytes: unescape(written.as_bytes(), part)?,
        })
    }
}

/// Parses a URL that is absolute, or a path that begins with a slash. The part after `#` is read
/// twice, first as a part of what precedes it.
///
/// # Errors
/// The error of Go.
///
/// Upstream: kubernetes/apiserver, pkg/cel/library/urls.go, stringToUrl.
pub(crate) fn parse(text: &str) -> Result<Parts, String> {
    check(text)?;
    parse_reference(text)
}

/// Parses a URL, absolute or not.
///
/// # Errors
/// The error of Go.
///
/// Upstream: Go, net/url/url.go, `Parse`.
pub(crate) fn parse_reference(text: &str) -> Result<Parts, String> {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let mut url = read(before, false).map_err(|error| error_in(before, &error))?;
    url.fragment =
        Escaped::read(fragment, Part::Fragment).map_err(|error| error_in(text, &error))?;
    Ok(url)
}

/// Checks that a string is a URL as in an HTTP request.
///
/// # Errors
/// The error of Go.
///
/// Upstream: Go, net/url/url.go, `ParseRequestURI`.
pub(crate) fn check(text: &str) -> Result<(), String> {
    request_parts(text).map(|_| ())
}

/// Parses a URL as in an HTTP request.
///
/// # Errors
/// The error of Go.
pub(crate) fn request_parts(text: &str) -> Result<Parts, String> {
    read(text, true).map_err(|error| error_in(text, &error))
}

fn error_in(text: &str, error: &str) -> String {
    format!("parse {}: {error}", quote(text))
}

fn read(text: &str, in_request: bool) -> Result<Parts, String> {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    if text.is_empty() && in_request {
        return Err("empty url".to_owned());
    }
    let mut url = Parts::default();
    if text == "*" {
        url.path = Escaped::read(text, Part::Path)?;
        return Ok(url);
    }
    let (scheme, rest) = scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    url.ends_in_question_mark = query.is_empty() && text.ends_with('?');
    query.clone_into(&mut url.query);
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            rest.clone_into(&mut url.opaque);
            return Ok(url);
        }
        if in_request {
            return Err("invalid URI for request".to_owned());
        }
        let segment = rest.split('/').next();
        if segment.is_some_and(|segment| segment.contains(':')) {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    let path = url.read_authority(rest, in_request)?;
    url.path = Escaped::read(path, Part::Path)?;
    Ok(url)
}

/// Returns the scheme before a colon, if there is one, and the rest.
fn scheme(text: &str) -> Result<(&str, &str), String> {
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let end = text.bytes().position(|byte| !is_scheme(byte));
    let Some((scheme, rest)) = end.and_then(|end| text.split_at_checked(end)) else {
        return Ok(("", text));
    };
    let Some(rest) = rest.strip_prefix(':') else {
        return Ok(("", text));
    };
    if scheme.is_empty() {
        return Err("missing protocol scheme".to_owned());
    }
    if scheme.starts_with(|first: char| first.is_ascii_alphabetic()) {
        Ok((scheme, rest))
    } else {
        Ok(("", text))
    }
}

impl Parts {
    /// Reads the authority between `//` and the path. Returns the path.
    fn read_authority<'a>(&mut self, text: &'a str, in_request: bool) -> Result<&'a str, String> {
        let has_scheme = !self.scheme.is_empty();
        let may_have = has_scheme || !in_request && !text.starts_with("///");
        let Some(after) = text.strip_prefix("//").filter(|_| may_have) else {
            self.omits_host = has_scheme && text.starts_with('/');
            return Ok(text);
        };
        let end = after.find('/').unwrap_or(after.len());
        let (authority, path) = after.split_at_checked(end).unwrap_or((after, ""));
        let (user, at) = match authority.rsplit_once('@') {
            Some((user, at)) => (Some(user), at),
            None => (None, authority),
        };
        self.host = host(&self.scheme, at)?;
        self.user = user.map(read_user).transpose()?;
        Ok(path)
    }
}

fn read_user(text: &str) -> Result<User, String> {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    if !text.bytes().all(is_known) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let (name, password) = match text.split_once(':') {
        Some((name, password)) => (name, Some(password)),
        None => (text, None),
    };
    let read = |text: &str| unescape(text.as_bytes(), Part::User);
    Ok(User {
        name: read(name)?,
        password: password.map(read).transpose()?,
    })
}

fn host(scheme: &str, text: &str) -> Result<String, String> {
    if let Some(open) = text.rfind('[') {
        if open > 0 {
            return Err("invalid IP-literal".to_owned());
        }
        return ip_literal(text);
    }
    if let (Some(first), Some(last)) = (text.find(':'), text.rfind(':')) {
        // Some databases accept several hosts, each with its port.
        let many = ["postgresql", "postgres"].contains(&scheme);
        check_port(text.get(if many { last } else { first }..).unwrap_or(""))?;
    }
    unescape(text.as_bytes(), Part::Host).map(lossy)
}

/// Returns an IPv6 address in square brackets.
fn ip_literal(text: &str) -> Result<String, String> {
    let inside = text.strip_prefix('[').unwrap_or(text);
    let Some((address, port)) = inside.rsplit_once(']') else {
        return Err("missing ']' in host".to_owned());
    };
    check_port(port)?;
    let port = unescape(port.as_bytes(), Part::Host).map(lossy)?;
    let zone = address.find("%25").unwrap_or(address.len());
    let (before, zone) = address.split_at_checked(zone).unwrap_or((address, ""));
    let mut address = unescape(before.as_bytes(), Part::Host)?;
    address.extend(unescape(zone.as_bytes(), Part::Zone)?);
    let address = lossy(address);
    match any_address(&address) {
        Ok((IpAddr::V6(_), _)) => Ok(format!("[{address}]{port}")),
        Ok((IpAddr::V4(_), _)) => Err("invalid IP-literal".to_owned()),
        Err(error) => Err(format!("invalid host: {error}")),
    }
}

fn check_port(text: &str) -> Result<(), String> {
    if is_port(text) {
        Ok(())
    } else {
        Err(format!("invalid port {} after host", quote(text)))
    }
}

/// Returns whether it is empty, or a colon followed by digits.
fn is_port(text: &str) -> bool {
    let digits = text.strip_prefix(':');
    text.is_empty() || digits.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

impl Parts {
    /// Returns the scheme, in lowercase.
    pub(crate) fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Returns the host, with the port.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the query.
    pub(crate) fn query(&self) -> &str {
        &self.query
    }

    /// Returns whether it has user information.
    pub(crate) fn has_user(&self) -> bool {
        self.user.is_some()
    }

    /// Returns whether it has a fragment.
    pub(crate) fn has_fragment(&self) -> bool {
        !self.fragment.bytes.is_empty()
    }

    /// Returns the path with its escapes.
    pub(super) fn escaped_path(&self) -> String {
        written_or_escaped(&self.path.written, &self.path.bytes, Part::Path)
    }

    /// Returns the host without square brackets, and the port.
    ///
    /// Upstream: Go, net/url/url.go, `splitHostPort`.
    pub(super) fn host_and_port(&self) -> (&str, &str) {
        let end = self.host.rfind(':').filter(|colon| {
            let port = self.host.get(*colon..);
            port.is_some_and(is_port)
        });
        let (host, port) = match end.and_then(|end| self.host.split_at_checked(end)) {
            Some((host, port)) => (host, port.strip_prefix(':').unwrap_or(port)),
            None => (self.host.as_str(), ""),
        };
        let inside = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        (inside.unwrap_or(host), port)
    }

    /// Returns the query parameters, in the order of their first occurrence. Parameters that cannot
    /// be decoded are left out.
    pub(super) fn parameters(&self) -> Vec<(String, Vec<String>)> {
        let mut found: indexmap::IndexMap<String, Vec<String>> = indexmap::IndexMap::new();
        let settings = self.query.split('&');
        for setting in settings.filter(|setting| !setting.is_empty() && !setting.contains(';')) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let read = |text: &str| unescape(text.as_bytes(), Part::Query).map(lossy);
            if let (Ok(name), Ok(value)) = (read(name), read(value)) {
                found.entry(name).or_default().push(value);
            }
        }
        found.into_iter().collect()
    }

    fn write_authority(&self, out: &mut String) {
        if self.scheme.is_empty() && self.host.is_empty() && self.user.is_none()
            || self.omits_host && self.host.is_empty() && self.user.is_none()
        {
            return;
        }
        if !self.host.is_empty() || !self.path.bytes.is_empty() || self.user.is_some() {
            out.push_str("//");
        }
        if let Some(user) = &self.user {
            out.push_str(&escape(&user.name, Part::User));
            if let Some(password) = &user.password {
                out.push(':');
                out.push_str(&escape(password, Part::User));
            }
            out.push('@');
        }
        out.push_str(&escape(self.host.as_bytes(), Part::Host));
    }
}

/// Upstream: Go, net/url/url.go, `String`.
impl std::fmt::Display for Parts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        if !self.scheme.is_empty() {
            text.push_str(&self.scheme);
            text.push(':');
        }
        if self.opaque.is_empty() {
            self.write_authority(&mut text);
            let path = self.escaped_path();
            if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
                text.push('/');
            }
            text.push_str(&path);
        } else {
            text.push_str(&self.opaque);
        }
        if self.ends_in_question_mark || !self.query.is_empty() {
            text.push('?');
            text.push_str(&self.query);
        }
        if !self.fragment.bytes.is_empty() {
            text.push('#');
            let (written, bytes) = (&self.fragment.written, &self.fragment.bytes);
            text.push_str(&written_or_escaped(written, bytes, Part::Fragment));
        }
        out.write_str(&text)
    }
}
