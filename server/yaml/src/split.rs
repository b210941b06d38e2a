//! The documents of a file as Kubernetes splits it.
//!
//! The splitter looks at the beginnings of lines only and knows nothing of YAML. It runs
//! before the parser, here as in Kubernetes, so that a mistake never reaches over a `---`
//! and a caller can skip documents without parsing them.
//!
//! Upstream: apimachinery, pkg/util/yaml/decoder.go, YAMLReader.Read.

use crate::chars::break_at;
use text::TextRange;

/// The documents of `text`: the ranges between the lines that begin with `---`. Ranges with
/// nothing but blanks are left out.
pub fn split(text: &str) -> impl Iterator<Item = TextRange> {
    let bytes = text.as_bytes();
    let mut at = Some(0);
    std::iter::from_fn(move || {
        loop {
            let start = at?;
            let mut end = start;
            let mut line = start;
            at = None;
            while line < bytes.len() {
                let next = crate::chars::line_end(bytes, line);
                let next = break_at(bytes, next).map_or(next, |line| line.end);
                if bytes
                    .get(line..)
                    .is_some_and(|rest| rest.starts_with(b"---"))
                {
                    at = Some(next);
                    break;
                }
                line = next;
                end = next;
            }
            if bytes.get(start..end)?.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Some(crate::decode::range(start, end));
        }
    })
}
