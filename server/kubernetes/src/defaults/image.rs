//! The names of container images.
//!
//! Upstream: distribution/reference, reference.go and normalize.go; opencontainers/go-digest,
//! algorithm.go; kubernetes/kubernetes, pkg/util/parsers/parsers.go, ParseImageName.

/// Limit: the characters of a tag.
const MAX_TAG: usize = 128;

/// Limit: the characters of a name without its domain.
const MAX_NAME: usize = 255;

/// Returns the tag of an image: `latest` if it has neither a tag nor a digest. `None` if it has
/// only a digest, or is not a valid image name.
pub(super) fn tag(image: &str) -> Option<&str> {
    let (rest, digest) = match image.split_once('@') {
        Some((rest, digest)) => (rest, Some(digest)),
        None => (image, None),
    };
    if digest.is_some_and(|digest| !is_digest(digest)) || is_identifier(image) {
        return None;
    }
    let path_start = rest.rfind('/').map_or(0, |slash| slash + 1);
    let (name, tag) = match rest.rfind(':').filter(|colon| *colon >= path_start) {
        Some(colon) => (rest.get(..colon)?, rest.get(colon + 1..)),
        None => (rest, None),
    };
    if !is_name(name) || tag.is_some_and(|tag| !is_tag(tag)) {
        return None;
    }
    match (tag, digest) {
        (None, None) => Some("latest"),
        (tag, _) => tag,
    }
}

/// Returns whether it is the ID of an image, 64 hexadecimal digits, and not a name.
fn is_identifier(image: &str) -> bool {
    image.len() == 64 && image.bytes().all(is_hexadecimal)
}

const fn is_hexadecimal(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// Returns whether it is a digest: a known algorithm and its number of hexadecimal digits.
fn is_digest(digest: &str) -> bool {
    let (algorithm, hex) = digest.split_once(':').unwrap_or_default();
    let is_known = matches!(
        (algorithm, hex.len()),
        ("sha256", 64) | ("sha384", 96) | ("sha512", 128)
    );
    is_known && hex.bytes().all(is_hexadecimal)
}

fn is_tag(tag: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    tag.len() <= MAX_TAG
        && tag.bytes().next().is_some_and(is_word)
        && tag
            .bytes()
            .all(|byte| is_word(byte) || byte == b'.' || byte == b'-')
}

/// Returns whether it is a path of lowercase words, optionally after a domain.
fn is_name(name: &str) -> bool {
    let (domain, path) = match name.split_once('/') {
        Some((first, rest)) if is_domain(first) => (first, rest),
        _ => ("docker.io", name),
    };
    let is_official = matches!(domain, "docker.io" | "index.docker.io") && !path.contains('/');
    let prefix = if is_official { "library/" } else { "" };
    prefix.len() + path.len() <= MAX_NAME && path.split('/').all(is_component)
}

/// Returns whether the part before the first slash is a domain.
fn is_domain(part: &str) -> bool {
    let looks = part == "localhost"
        || part.contains(['.', ':'])
        || part.bytes().any(|byte| byte.is_ascii_uppercase());
    let (host, port) = match part.rsplit_once(':') {
        Some((host, port)) if !part.ends_with(']') => (host, Some(port)),
        _ => (part, None),
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_address = host.starts_with('[')
        && host.ends_with(']')
        && host
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'[' | b']'));
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    looks && (is_address || host.split('.').all(is_label)) && port.is_none_or(is_port)
}

/// Returns whether it consists of lowercase letters and digits, with one dot, one or two
/// underscores or any number of dashes between them.
fn is_component(component: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = component.as_bytes();
    let ends = bytes.first().zip(bytes.last());
    if !ends.is_some_and(|(first, last)| is_inner(*first) && is_inner(*last)) {
        return false;
    }
    let is_separator = |separator: &str| {
        matches!(separator, "." | "_" | "__") || separator.bytes().all(|byte| byte == b'-')
    };
    component
        .split(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        .all(is_separator)
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn a_tag_is_found() {
        let digest = format!("nginx@sha256:{}", "0".repeat(64));
        let both = format!("nginx:1@sha256:{}", "0".repeat(64));
        for (image, expected) in [
            ("nginx", Some("latest")),
            ("nginx:1.25", Some("1.25")),
            ("x:latest", Some("latest")),
            ("reg.example.com:5000/web", Some("latest")),
            ("reg.example.com:5000/a/web:v1", Some("v1")),
            ("a__b/c--d", Some("latest")),
            (&digest, None),
            (&both, Some("1")),
            ("", None),
            ("Nginx", None),
            ("nginx:", None),
            ("a//b", None),
            ("a___b", None),
            (&"a".repeat(64), None),
            (&"a".repeat(247), Some("latest")),
            (&"a".repeat(248), None),
            (&format!("docker.io/{}", "a".repeat(248)), None),
            (&format!("example.com/{}:1", "a".repeat(255)), Some("1")),
            (&format!("example.com/{}:1", "a".repeat(256)), None),
            ("nginx:latest@sha256:0123456789abcdef0123456789abcdef", None),
        ] {
            assert_eq!(tag(image), expected, "{image}");
        }
    }
}
