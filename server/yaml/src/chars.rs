//! The characters that YAML 1.1 treats in a special way.
//!
//! Kubernetes' reader ends a line at LF, CR, CR LF, NEL (U+0085), LS (U+2028) and PS (U+2029). All
//! of these are matched, because otherwise a scalar would decode differently.
//!
//! Upstream: go.yaml.in/yaml/v2, yamlprivateh.go.

/// A line break in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Break {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: BreakKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakKind {
    LineFeed,
    /// CR, CR LF and NEL, which decode to LF.
    Other,
    /// LS and PS: they do not fold, and decode to themselves.
    Separator,
}

impl Break {
    pub(crate) fn is_separator(self) -> bool {
        self.kind == BreakKind::Separator
    }
}

/// Returns the line break at `at`, if there is one.
#[inline]
pub(crate) fn break_at(bytes: &[u8], at: usize) -> Option<Break> {
    let (length, kind) = match bytes.get(at)? {
        b'\n' => (1, BreakKind::LineFeed),
        b'\r' if bytes.get(at + 1) == Some(&b'\n') => (2, BreakKind::Other),
        b'\r' => (1, BreakKind::Other),
        0xC2 if bytes.get(at + 1) == Some(&0x85) => (2, BreakKind::Other),
        0xE2 if bytes.get(at + 1) == Some(&0x80)
            && matches!(bytes.get(at + 2), Some(0xA8 | 0xA9)) =>
        {
            (3, BreakKind::Separator)
        }
        _ => return None,
    };
    Some(Break {
        start: at,
        end: at + length,
        kind,
    })
}

/// Returns whether the byte is a space or a tab.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns the offset of the next line break at or after `at`, or the end of the bytes.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < bytes.len() && break_at(bytes, at).is_none() {
        at += 1;
    }
    at
}
