//! Markdown and plain text.

use tower_lsp_server::ls_types as lsp;

/// Returns Markdown in a form that the client can show. For plain text the code fences and the
/// backquotes are removed.
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
            lines.push(line.replace('`', ""));
        }
    }
    lsp::MarkupContent {
        kind: lsp::MarkupKind::PlainText,
        value: lines.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_fences_and_no_quotes() {
        let text = "```cel\na: `x`\n```\n\nSee `b`.";
        assert_eq!(markup(text, false).value, "a: `x`\n\nSee b.");
        assert_eq!(markup(text, true).value, text);
    }
}
