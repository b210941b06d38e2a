//! Hovers in directive comments: the effect of a directive, and the page of a rule.

use super::Hover;
use crate::completion::{DIRECTIVES, MARKER};
use crate::diagnostics::RULES;
use crate::file::SourceFile;
use text::{TextRange, TextSize};

/// Returns the hover in a directive comment. `None` elsewhere.
pub(super) fn hover(file: &SourceFile, offset: TextSize) -> Option<Hover> {
    let (before, after) = file.text().split_at_checked(usize::from(offset))?;
    let start = before.rsplit('\n').next().unwrap_or_default();
    let (lead, written) = start.rsplit_once(MARKER)?;
    if !lead.trim_end().ends_with(['#', '/']) {
        return None;
    }
    let is_word = |it: char| it == '-' || it.is_ascii_alphanumeric();
    let head = written.len() - written.trim_end_matches(is_word).len();
    let rest = after.lines().next().unwrap_or_default();
    let tail = rest.len() - rest.trim_start_matches(is_word).len();
    let from = offset - TextSize::try_from(head).ok()?;
    let range = TextRange::new(from, offset + TextSize::try_from(tail).ok()?);
    let word = file.slice(range);
    let is_in_list = written.contains('[');
    let markdown = if is_in_list {
        RULES.iter().find(|rule| rule.code == word)?.page.to_owned()
    } else {
        let (name, _, purpose) = DIRECTIVES.iter().find(|(name, ..)| *name == word)?;
        format!("```yaml\n# {MARKER} {name}\n```\n\n`{name}` {purpose}.")
    };
    Some(Hover {
        range,
        part: None,
        markdown,
    })
}

#[cfg(test)]
mod tests {
    use super::super::hover;
    use crate::file::SourceFile;
    use crate::fixture::{Fixture, slice};

    #[test]
    fn a_comment_explains_its_directive_and_its_rules() {
        let at = |source: &str| {
            let fixture = Fixture::parse(source);
            let file = SourceFile::new(fixture.text.as_str());
            let hover = hover(&file, fixture.cursor.expect("a cursor"))?;
            let word = slice(&fixture.text, hover.range).to_owned();
            Some((word, hover.markdown))
        };
        let (word, markdown) = at("a: '🦊' # admissible: ig$0nore[null-object]\r\nb: 1\n").unwrap();
        assert_eq!(word, "ignore");
        assert!(
            markdown.contains("`ignore` suppresses findings on a line."),
            "{markdown}"
        );
        let (word, markdown) =
            at("# admissible: ignore[unused-variable, null-$0object]\n").unwrap();
        assert_eq!(word, "null-object");
        assert!(markdown.starts_with("# "), "{markdown}");
        assert_eq!(at("# admissible: ignore[no-$0such]\n"), None);
        assert_eq!(at("a: 'admissible: ig$0nore'\n"), None);
    }
}
