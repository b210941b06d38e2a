//! The messages of the errors: what is wrong and how to fix it.

use super::SyntaxErrorKind;
use std::fmt::{Formatter, Result};

/// Writes the message of an error.
#[expect(clippy::too_many_lines, reason = "one message for each kind")]
pub(super) fn write(kind: &SyntaxErrorKind, f: &mut Formatter<'_>) -> Result {
    use SyntaxErrorKind as Kind;
    match kind {
        Kind::TabIndentation => f.write_str("YAML cannot be indented with tabs; use spaces"),
        Kind::MissingColon => f.write_str("missing colon; write `key: value`, or indent the line if it continues the value above"),
        Kind::MissingSpaceAfterColon => f.write_str("missing space after the colon; write `key: value`"),
        Kind::MissingSpaceAfterDash => f.write_str("missing space after the dash; write `- item`"),
        Kind::MissingKey => f.write_str("missing key before the colon"),
        Kind::ColonInValue => f.write_str("unexpected colon followed by a space inside a value; quote the value"),
        Kind::TextAfterValue => f.write_str("unexpected content after the value; remove it, or quote the whole value"),
        Kind::TextAfterRoot => f.write_str("Kubernetes ignores everything from here to the next `---`, because the value above ends the document; check the indentation, or write `---` before a new document"),
        Kind::BadIndentation => f.write_str("the indentation of this line does not match any enclosing level; align it with its sibling keys or items"),
        Kind::MissingBrace => f.write_str("missing `{` before the keys of this value"),
        Kind::MissingComma => f.write_str("missing comma"),
        Kind::UnexpectedDash => f.write_str("a list cannot begin on the line of its key; move `- ` to the next line"),
        Kind::KeyInSequence => f.write_str("expected a list item; add `- `, or indent the line to continue the item above"),
        Kind::ItemInMapping => f.write_str("unexpected list item between keys; write the key of the list on the line before, or remove the dash"),
        Kind::KeyTooLong => f.write_str("this key is longer than 1024 characters, the maximum in YAML"),
        Kind::KeyOverLines => f.write_str("a key and its colon must be on one line"),
        Kind::BadKey => f.write_str("keys must be strings, numbers or booleans"),
        Kind::SurrogateEscape => f.write_str("Kubernetes does not support surrogate pairs in escapes; write the character itself, or `\\U` and eight digits"),
        Kind::BadBlockHeader => f.write_str("only `+`, `-`, a digit and a comment can follow `|` or `>`; start the string on the next line"),
        Kind::BadBlockIndentation => f.write_str("the indentation of this line does not match the block that begins with `|` or `>`; align it with the first line of the block"),
        Kind::ExcessiveAliasing => f.write_str("the aliases of this document expand to too many values; use fewer of them"),
        Kind::BadAnchor => f.write_str("missing name; write letters, digits, `-` or `_` after `&` or `*`"),
        Kind::BadTag => f.write_str("unknown tag; use one such as `!!str`, followed by a space"),
        Kind::RepeatedProperty => f.write_str("a value can have at most one tag and one anchor, and an alias neither; remove this one"),
        Kind::TagMismatch => f.write_str("the value does not match this tag; change the tag or the value"),
        Kind::BadMerge => f.write_str("`<<` requires a mapping, or a list of mappings"),
        Kind::Template => f.write_str("this looks like a template, such as a Helm template; \
                                       templates are not YAML, so render it first"),
        Kind::ForeignComment => f.write_str("Kubernetes rejects this comment; write it at the end of a line after `#`, which kubectl accepts in JSON files as well"),
        Kind::ByteOrderMark => f.write_str("Kubernetes reads this byte order mark as a part of the first key; remove it"),
        Kind::Directive => f.write_str("Kubernetes rejects `%` directives; remove the line"),
        Kind::DirectiveAfterRoot => f.write_str("Kubernetes ignores everything from here to the next `---`, because a directive ends the document; remove the line"),
        Kind::TextAfterSeparator => f.write_str("only a comment can follow `---` on its line, otherwise Kubernetes ignores the document above and everything below; move this to the next line"),
        Kind::TextAfterEnd => f.write_str("Kubernetes ignores everything from here to the next `---`, because `...` ends the document; write `---` instead"),
        Kind::UnexpectedEnd => f.write_str("unexpected `...`, as there is no document to end; remove it"),
        Kind::TooLong => f.write_str("the file is too large"),
        Kind::UnclosedQuote(quote) => write!(f, "missing closing `{quote}` of this string"),
        Kind::UnescapedQuote('"') => f.write_str(
            "this quote ends the string; write `\\\"` for a quote inside it",
        ),
        Kind::UnescapedQuote(quote) => write!(
            f,
            "this quote ends the string; write `{quote}{quote}` for a quote inside it"
        ),
        Kind::WrongBracket(bracket) => {
            let needed = if *bracket == ']' { '}' } else { ']' };
            write!(f, "expected `{needed}`, found `{bracket}`")
        }
        Kind::BracketInText(character) => write!(
            f,
            "an unquoted string inside `[…]` or `{{…}}` cannot contain `{character}`; quote the string"
        ),
        Kind::UnclosedBracket(bracket) => {
            let closing = if *bracket == '[' { ']' } else { '}' };
            write!(f, "unclosed `{bracket}`; add `{closing}`")
        }
        Kind::UnexpectedBracket(',') => {
            f.write_str("missing value before the comma; add one, or remove the comma")
        }
        Kind::UnexpectedBracket(bracket) => {
            write!(
                f,
                "unmatched `{bracket}`; remove it, or quote the value"
            )
        }
        Kind::UnexpectedCharacter('`') => {
            f.write_str("a value cannot start with a backtick; quote it")
        }
        Kind::UnexpectedCharacter(character) => {
            write!(
                f,
                "a value cannot start with `{character}`; quote it"
            )
        }
        Kind::ControlCharacter(character) => write!(
            f,
            "the character U+{:04X} is not allowed in YAML; remove it, or write it as an escape in double quotes",
            u32::from(*character)
        ),
        Kind::UnknownEscape('/') => {
            f.write_str("unknown escape `\\/`; write `/`")
        }
        Kind::UnknownEscape(character) => write!(
            f,
            "unknown escape `\\{character}`; write `\\\\` for a backslash, or use single quotes"
        ),
        Kind::IncompleteEscape(character) => {
            let digits = match character {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            write!(f, "`\\{character}` requires {digits} hexadecimal digits")
        }
        Kind::InvalidEscape(code) => write!(f, "U+{code:04X} is not a valid character"),
        Kind::UnknownAnchor(name) => {
            write!(
                f,
                "unknown anchor `{name}`; define `&{name}` before this alias, or quote the value"
            )
        }
        Kind::RecursiveAlias(name) => {
            write!(
                f,
                "the value of `&{name}` contains itself through this alias"
            )
        }
        Kind::TooDeep(depth) => {
            write!(
                f,
                "the document is nested more than {depth} levels deep; the rest is ignored"
            )
        }
    }
}
