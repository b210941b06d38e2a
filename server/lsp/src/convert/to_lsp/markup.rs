//! Markdown and plain text.

use tower_lsp_server::ls_types as lsp;

/// Returns Markdown in a form that the client can show. For plain text the code fences and the
/// backquotes are removed, and characters are unescaped.
pub(super) fn markup(markdown: &str, shows_markdown: bool) -> lsp::MarkupContent {
    if shows_markdown {
        return lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value: markdown.to_owned(),
        };
    }
    let mut in_code = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            lines.push(line.to_owned());
        } else {
            lines.push(plain(line));
        }
    }
    lsp::MarkupContent {
        kind: lsp::MarkupKind::PlainText,
        value: lines.join("\n"),
    }
}

fn plain(line: &str) -> String {
    let (mut out, mut in_code) = (String::with_capacity(line.len()), false);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '`' => in_code = !in_code,
            '\\' if !in_code => out.extend(characters.next()),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_fences_and_no_quotes() {
        let text = "```cel\na: `x`\n```\n\nSee `b`.";
        assert_eq!(markup(text, false).value, "a: `x`\n\nSee b.");
        assert_eq!(markup(text, true).value, text);
        assert_eq!(markup("\\[a\\] `\\d`", false).value, "[a] \\d");
    }
}
