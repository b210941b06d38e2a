//! The links in directive comments: to the named files, and to the pages of rules.

use crate::diagnostics::RULES;
use crate::file::SourceFile;
use evaluation::input::named;
use text::TextRange;

/// A link in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLink {
    /// The range of the path or the code.
    pub range: TextRange,
    /// The target.
    pub target: LinkTarget,
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A file or a folder, by its path relative to the file with the link. It may be missing.
    Path(String),
    /// The page of a rule.
    Rule(&'static str),
}

/// Returns the links in the comments of a file, in its order.
#[must_use]
pub fn document_links(file: &SourceFile) -> Vec<DocumentLink> {
    let inputs = named(file).into_iter().filter(|it| !it.path.is_empty());
    let inputs = inputs.map(|it| DocumentLink {
        range: it.range,
        target: LinkTarget::Path(it.path),
    });
    let codes = file.suppressions().iter().flat_map(|it| &it.codes);
    let rules = codes.filter_map(|code| {
        let rule = RULES.iter().find(|rule| rule.code == code.name)?;
        Some(DocumentLink {
            range: code.range,
            target: LinkTarget::Rule(rule.code),
        })
    });
    let mut links: Vec<DocumentLink> = inputs.chain(rules).collect();
    links.sort_by_cached_key(|link| link.range.start());
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::policy;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let file = SourceFile::new(text);
        let links = document_links(&file).into_iter().map(|link| {
            let target = match link.target {
                LinkTarget::Path(path) => format!("file {path}"),
                LinkTarget::Rule(code) => format!("rule {code}"),
            };
            format!("{:?} -> {target}\n", file.slice(link.range))
        });
        expected.assert_eq(&links.collect::<String>());
    }

    #[test]
    fn comments_link_to_files_and_rules() {
        let rest = "  validations:\n  # admissible: ignore[unguarded-field, 🦊, null-object] 😀\n  - expression: |\n      // admissible: ignore[null-object]\n      true\n";
        let text = format!(
            "# admissible: input ../é 🦊/b.yaml\n# admissible: input\n{}",
            policy(rest)
        );
        let expected = expect![[r#"
            "../é 🦊/b.yaml" -> file ../é 🦊/b.yaml
            "unguarded-field" -> rule unguarded-field
            "null-object" -> rule null-object
            "null-object" -> rule null-object
        "#]];
        check(&text, &expected);
        check(&text.replace('\n', "\r\n"), &expected);
    }
}
