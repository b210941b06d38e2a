//! From the protocol to the analysis.

use policy::ParsedFile;
use std::borrow::Cow;
use std::path::PathBuf;
use text::{Encoding, LineCol, TextRange, TextSize};
use tower_lsp_server::ls_types as lsp;

/// Returns the path of a file. `None` for anything else, such as a document that was never saved.
pub(crate) fn path(uri: &lsp::Uri) -> Option<PathBuf> {
    if !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    uri.to_file_path().map(Cow::into_owned)
}

/// Returns the offset of a position. After the last line it is the end of the text.
pub(crate) fn offset(file: &ParsedFile, at: lsp::Position, encoding: Encoding) -> TextSize {
    let position = LineCol {
        line: at.line,
        col: at.character,
    };
    file.line_index()
        .offset(file.text(), position, encoding)
        .unwrap_or_else(|| TextSize::of(file.text()))
}

/// Returns the offsets of a range. A reversed range is swapped.
pub(crate) fn range(file: &ParsedFile, range: lsp::Range, encoding: Encoding) -> TextRange {
    let start = offset(file, range.start, encoding);
    let end = offset(file, range.end, encoding);
    TextRange::new(start.min(end), start.max(end))
}

/// Returns the label of the signature that the user has selected.
pub(crate) fn active_signature(shown: &lsp::SignatureHelp) -> Option<&str> {
    let active = shown.active_signature.unwrap_or(0);
    let signature = shown.signatures.get(usize::try_from(active).ok()?)?;
    Some(&signature.label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_have_paths() {
        let path = |uri: &str| path(&uri.parse().unwrap());
        assert_eq!(path("file:///a%20b/c.yaml"), Some("/a b/c.yaml".into()));
        assert_eq!(path("FILE:///c.yaml"), Some("/c.yaml".into()));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("vscode-vfs://github/a/b.yaml"), None);
    }

    #[test]
    fn ranges_are_bytes_in_every_encoding() {
        let file = ide::SourceFile::new("a: é😀!\r\nb: 2\r\n");
        let at = |line, start, end, encoding| {
            let start = lsp::Position::new(line, start);
            let end = lsp::Position::new(line, end);
            let bytes = range(&file, lsp::Range::new(start, end), encoding);
            file.text()
                .get(std::ops::Range::<usize>::from(bytes))
                .unwrap()
                .to_owned()
        };
        assert_eq!(at(0, 4, 6, Encoding::Utf16), "😀");
        assert_eq!(at(0, 5, 9, Encoding::Utf8), "😀");
        assert_eq!(at(0, 4, 5, Encoding::Utf32), "😀");
        assert_eq!(at(0, 99, 6, Encoding::Utf16), "!");
        assert_eq!(at(7, 0, 0, Encoding::Utf16), "");
    }
}
