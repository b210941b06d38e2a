//! The formats of strings in built-in objects, with the messages of the API server.
//!
//! Upstream: kubernetes/apimachinery, pkg/util/validation/validation.go and ip.go;
//! kubernetes/kubernetes, pkg/apis/core/validation/validation.go.

use cel::stdlib::time::zone_error;
use core::net::IpAddr;
use kubernetes::names::format::{
    dns_1123_label, dns_subdomain, label_value, path_segment, qualified_name,
};
use x509_cert::der::{Decode, ErrorKind};
use x509_cert::request::CertReq;

/// Returns what is wrong with a string.
pub(super) type Format = fn(&str) -> Vec<String>;

/// The formats by the names that rows use.
pub(super) static FORMATS: &[(&str, Format)] = &[
    ("label", dns_1123_label),
    ("subdomain", dns_subdomain),
    ("key", qualified_name),
    ("key_lower", |text| qualified_name(&text.to_lowercase())),
    ("label_value", |text| {
        let messages = label_value(text);
        if messages.is_empty() {
            messages
        } else {
            vec![messages.join(";")]
        }
    }),
    ("segment", path_segment),
    ("port_name", port_name),
    ("ip", ip),
    ("ordinary_ip", ordinary_ip),
    ("cidr", cidr),
    ("env_name", |text| {
        let is_valid = text
            .bytes()
            .all(|byte| (b' '..=b'~').contains(&byte) && byte != b'=');
        unless(
            is_valid,
            "a valid environment variable name must consist only of printable ASCII characters \
             other than '='",
        )
    }),
    ("config_key", config_key),
    ("header", |text| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        unless(
            !text.is_empty() && text.bytes().all(is_part),
            "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. \
             'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
        )
    }),
    ("absolute", |text| {
        unless(text.starts_with('/'), "must be an absolute path")
    }),
    ("backsteps", backsteps),
    ("relative", |text| {
        let mut messages = unless(!text.starts_with('/'), "must be a relative path");
        messages.extend(backsteps(text));
        messages
    }),
    ("sequences", sequences),
    ("host", host),
    ("cname", |text| {
        dns_subdomain(text.strip_suffix('.').unwrap_or(text))
    }),
    ("csi_driver", |text| dns_subdomain(&text.to_lowercase())),
    ("trimmed", |text| {
        unless(
            text.trim() == text,
            "must not have leading or trailing whitespace",
        )
    }),
    ("schedule", schedule),
    ("time_zone", time_zone),
    ("signer", signer),
    ("certificate_request", certificate_request),
];

fn unless(is_valid: bool, message: &str) -> Vec<String> {
    failing(&[(is_valid, message)])
}

/// Returns the messages of the conditions that do not hold.
fn failing(conditions: &[(bool, &str)]) -> Vec<String> {
    let failing = conditions.iter().filter(|(holds, _)| !holds);
    failing.map(|(_, message)| (*message).to_owned()).collect()
}

/// Upstream: IsValidPortName.
pub(super) fn port_name(text: &str) -> Vec<String> {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    failing(&[
        (text.len() <= 15, "must be no more than 15 characters"),
        (
            !text.is_empty() && text.bytes().all(is_part),
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        ),
        (
            text.bytes().any(|byte| byte.is_ascii_lowercase()),
            "must contain at least one letter (a-z)",
        ),
        (!text.contains("--"), "must not contain consecutive hyphens"),
        (
            !text.starts_with('-') && !text.ends_with('-'),
            "must not begin or end with a hyphen",
        ),
    ])
}

/// Returns an IPv4 address whose parts may have leading zeros, or an IPv6 address.
fn parse_ip(text: &str) -> Option<IpAddr> {
    let is_decimal = !text.contains(':');
    let parts = text.split('.').map(|part| {
        let part = part.trim_start_matches('0');
        if part.is_empty() { "0" } else { part }
    });
    let parts: Vec<&str> = parts.collect();
    let is_whole = text.split('.').all(|part| !part.is_empty());
    if is_decimal && is_whole {
        parts.join(".").parse().ok()
    } else {
        text.parse().ok()
    }
}

/// Upstream: IsValidIP.
fn ip(text: &str) -> Vec<String> {
    match (parse_ip(text), text.parse::<IpAddr>()) {
        (None, _) => unless(
            false,
            "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
        ),
        (Some(_), Err(_)) => unless(false, "must not have leading 0s"),
        (Some(IpAddr::V6(ip)), _) => unless(
            ip.to_ipv4_mapped().is_none(),
            "must not be an IPv4-mapped IPv6 address",
        ),
        _ => Vec::new(),
    }
}

/// Upstream: ValidateNonSpecialIP.
fn ordinary_ip(text: &str) -> Vec<String> {
    let Some(ip) = parse_ip(text) else {
        return Vec::new();
    };
    let is_link_local = match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    let is_local_group = match ip {
        IpAddr::V4(ip) => ip.octets().starts_with(&[224, 0, 0]),
        IpAddr::V6(ip) => ip.segments().first() == Some(&0xff02),
    };
    failing(&[
        (
            !ip.is_unspecified(),
            "may not be unspecified (0.0.0.0 or ::)",
        ),
        (
            !ip.is_loopback(),
            "may not be in the loopback range (127.0.0.0/8, ::1/128)",
        ),
        (
            !is_link_local,
            "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
        ),
        (
            !is_local_group,
            "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
        ),
    ])
}

/// Returns the address of a range as bits, their number, and the length of its prefix.
pub(super) fn parse_cidr(text: &str) -> Option<(u128, u32, u32)> {
    let (ip, length) = text.split_once('/')?;
    let (bits, size) = match parse_ip(ip)? {
        IpAddr::V4(ip) => (u128::from(ip.to_bits()), 32),
        IpAddr::V6(ip) => (ip.to_bits(), 128),
    };
    let length = length.parse().ok().filter(|length| *length <= size)?;
    Some((bits, size, length))
}

/// Upstream: IsValidCIDR.
fn cidr(text: &str) -> Vec<String> {
    let Some((bits, size, length)) = parse_cidr(text) else {
        return unless(
            false,
            "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
        );
    };
    let (ip, digits) = text.split_once('/').unwrap_or_default();
    let has_zeros = digits.len() > 1 && digits.starts_with('0');
    let is_strict = ip.parse::<IpAddr>().is_ok();
    let mut messages = failing(&[
        (is_strict, "must not have leading 0s in IP"),
        (!has_zeros, "must not have leading 0s in prefix length"),
    ]);
    let rest = bits.checked_shl(128 - size + length).unwrap_or(0);
    if rest != 0 {
        let network = bits >> (size - length) << (size - length);
        let network = match u32::try_from(network) {
            Ok(network) if size == 32 => IpAddr::V4(network.into()),
            _ => IpAddr::V6(network.into()),
        };
        messages.push(format!(
            "must not have bits set beyond the prefix length (e.g. {network}/{length})"
        ));
    }
    messages
}

/// Upstream: IsConfigMapKey.
pub(super) fn config_key(text: &str) -> Vec<String> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let mut messages = unless(text.len() <= 253, "must be no more than 253 characters");
    messages.extend(unless(
        !text.is_empty() && text.bytes().all(is_part),
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. \
         'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is \
         '[-._a-zA-Z0-9]+')",
    ));
    match text {
        "." | ".." => messages.push(format!("must not be '{text}'")),
        _ => messages.extend(unless(!text.starts_with(".."), "must not start with '..'")),
    }
    messages
}

/// Upstream: validatePathNoBacksteps.
fn backsteps(text: &str) -> Vec<String> {
    unless(
        text.split('/').all(|part| part != ".."),
        "must not contain '..'",
    )
}

/// Upstream: kubernetes/kubernetes, pkg/apis/networking/validation/validation.go,
/// validateHTTPIngressPath.
fn sequences(path: &str) -> Vec<String> {
    let inside = ["//", "/./", "/../", "%2f", "%2F"].iter();
    let inside = inside.filter(|part| path.contains(**part));
    let end = ["/..", "/."].iter().filter(|part| path.ends_with(**part));
    inside
        .map(|part| format!("must not contain '{part}'"))
        .chain(end.map(|part| format!("cannot end with '{part}'")))
        .collect()
}

/// Checks the name of a host, which may begin with `*.`.
fn host(text: &str) -> Vec<String> {
    if !text.contains('*') {
        return match parse_ip(text) {
            Some(_) => unless(false, "must be a DNS name, not an IP address"),
            None => dns_subdomain(text),
        };
    }
    let rest = text.strip_prefix("*.");
    unless(
        rest.is_some_and(|rest| dns_subdomain(rest).is_empty()),
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, \
         which must consist of lower case alphanumeric characters, '-' or '.' and end with an \
         alphanumeric character (e.g. '*.example.com', regex used for validation is \
         '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    )
}

/// Checks the number of fields of a schedule.
///
/// Upstream: robfig/cron, parser.go, Parse.
fn schedule(text: &str) -> Vec<String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if text.starts_with('@') || text.contains('=') || fields.len() == 5 {
        return Vec::new();
    }
    let count = fields.len();
    let fields = fields.join(" ");
    vec![format!(
        "expected exactly 5 fields, found {count}: [{fields}]"
    )]
}

fn time_zone(text: &str) -> Vec<String> {
    match text {
        "" => unless(false, "timeZone must be nil or non-empty string"),
        _ => zone_error(text).into_iter().collect(),
    }
}

/// Upstream: kubernetes/kubernetes, pkg/apis/certificates/validation/validation.go,
/// validateCertificateSigningRequest.
fn signer(name: &str) -> Vec<String> {
    if name == "kubernetes.io/legacy-unknown" {
        return unless(
            false,
            "the legacy signerName is not allowed via this API version",
        );
    }
    unless(
        name.matches('/').count() == 1,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
    )
}

/// Checks a PKCS #10 request in PEM, which is encoded once more.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/certificates/helpers.go, ParseCSR; Go, encoding/asn1.
fn certificate_request(text: &str) -> Vec<String> {
    let pem = text::decode_base64(text).unwrap_or_default();
    let pem = String::from_utf8_lossy(&pem);
    let block = || {
        let (_, rest) = pem.split_once("-----BEGIN CERTIFICATE REQUEST-----")?;
        let (digits, _) = rest.split_once("-----END CERTIFICATE REQUEST-----")?;
        text::decode_base64(&digits.split_whitespace().collect::<String>())
    };
    let Some(block) = block() else {
        return unless(false, "PEM block type must be CERTIFICATE REQUEST");
    };
    let Err(error) = CertReq::from_der(&block) else {
        return Vec::new();
    };
    let message = match error.kind() {
        ErrorKind::Incomplete { .. } => "syntax error: data truncated".to_owned(),
        ErrorKind::TrailingData { .. } => "syntax error: trailing data".to_owned(),
        other => format!("structure error: {other}"),
    };
    vec![format!("asn1: {message}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structure of a request: version 0, no subject, a key, no attributes, a signature.
    const REQUEST: [u8; 29] = [
        0x30, 29, 0x30, 18, 2, 1, 0, 0x30, 0, 0x30, 9, 0x30, 3, 6, 1, 0x2a, 3, 2, 0, 1, 0xa0, 0,
        0x30, 3, 6, 1, 0x2a, 3, 2,
    ];

    #[test]
    fn errors_of_certificate_requests_are_those_of_go() {
        let whole = [&REQUEST[..], &[0, 1]].concat();
        let [whole, truncated, trailing, other] = [
            whole.clone(),
            REQUEST.to_vec(),
            [&*whole, &[0]].concat(),
            vec![2, 1, 0],
        ]
        .map(|der| {
            let der = text::encode_base64(&der);
            format!("-----BEGIN CERTIFICATE REQUEST-----\n{der}\n-----END CERTIFICATE REQUEST-----")
        });
        for (pem, expected) in [
            (&*whole, ""),
            (&truncated, "asn1: syntax error: data truncated"),
            (&trailing, "asn1: syntax error: trailing data"),
            ("abc", "PEM block type must be CERTIFICATE REQUEST"),
        ] {
            let text = text::encode_base64(pem.as_bytes());
            assert_eq!(messages("certificate_request", &text), expected, "{pem}");
        }
        let text = text::encode_base64(other.as_bytes());
        let message = messages("certificate_request", &text);
        assert!(message.starts_with("asn1: structure error: "), "{message}");
    }

    fn messages(format: &str, text: &str) -> String {
        let known = FORMATS.iter().find(|(name, _)| *name == format).unwrap();
        known.1(text).join("; ")
    }

    #[test]
    fn valid_strings_have_no_message() {
        for (format, text) in [
            ("ip", "10.0.0.1"),
            ("ip", "::1"),
            ("cidr", "10.0.0.0/8"),
            ("cidr", "::/0"),
            ("port_name", "http-2"),
            ("host", "*.example.com"),
            ("config_key", "..a".strip_prefix('.').unwrap()),
            ("relative", "a/..b"),
            ("schedule", "*/5 * * * *"),
            ("schedule", "@daily"),
            ("time_zone", "Europe/Berlin"),
            ("csi_driver", "CSI.example.com"),
        ] {
            assert_eq!(messages(format, text), "", "{format} {text}");
        }
    }

    #[test]
    fn addresses_are_strict() {
        for (format, text, expected) in [
            ("ip", "010.0.0.1", "must not have leading 0s"),
            (
                "ip",
                "::ffff:1.2.3.4",
                "must not be an IPv4-mapped IPv6 address",
            ),
            (
                "ip",
                "10.0..1",
                "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
            ),
            (
                "cidr",
                "10.0.0.1/8",
                "must not have bits set beyond the prefix length (e.g. 10.0.0.0/8)",
            ),
            (
                "cidr",
                "10.0.0.0/33",
                "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
            ),
            (
                "ordinary_ip",
                "127.0.0.1",
                "may not be in the loopback range (127.0.0.0/8, ::1/128)",
            ),
        ] {
            assert_eq!(messages(format, text), expected, "{format} {text}");
        }
    }

    #[test]
    fn a_port_name_has_every_message_that_applies() {
        assert_eq!(
            messages("port_name", "10%"),
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-); must contain \
             at least one letter (a-z)"
        );
        assert_eq!(
            messages("port_name", "-a--b"),
            "must not contain consecutive hyphens; must not begin or end with a hyphen"
        );
    }
}
