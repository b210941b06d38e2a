//! The texts of the errors: what is wrong and what to do about it.

use super::SyntaxErrorKind;
use std::fmt::{Formatter, Result};

/// Writes the text of an error.
#[expect(clippy::too_many_lines, reason = "one text for each kind")]
pub(super) fn write(kind: &SyntaxErrorKind, f: &mut Formatter<'_>) -> Result {
    use SyntaxErrorKind as Kind;
    match kind {
        Kind::TabIndentation => f.write_str("a tab cannot indent a line in YAML; use spaces, two for each level"),
        Kind::MissingColon => f.write_str("this line has no colon; write `key: value`, or indent the line if it goes on with the value above"),
        Kind::MissingSpaceAfterColon => f.write_str("a space is missing after the colon; write `key: value`"),
        Kind::MissingSpaceAfterDash => f.write_str("a space is missing after the dash; write `- item`"),
        Kind::MissingKey => f.write_str("nothing stands before this colon; write a key"),
        Kind::ColonInValue => f.write_str("a colon with a space behind it begins a value, but this already is one; put the value in quotes"),
        Kind::TextAfterValue => f.write_str("the value has ended, so this text belongs to nothing; remove it, or put all of the value in quotes"),
        Kind::TextAfterRoot => f.write_str("Kubernetes ignores everything from here to the next `---`, because the document ends with the value above; check the indentation, or write `---` before a new document"),
        Kind::BadIndentation => f.write_str("this line is indented like none of the lines above; align it with the keys or items that it belongs to"),
        Kind::MissingBrace => f.write_str("`{` is missing before the keys of this value"),
        Kind::MissingComma => f.write_str("a comma is missing here"),
        Kind::UnexpectedDash => f.write_str("a list cannot begin on the line of its key; move `- ` to the next line"),
        Kind::KeyInSequence => f.write_str("this line stands among list items but does not begin with `- `; add the dash, or indent the line as the item above"),
        Kind::ItemInMapping => f.write_str("this list item stands among keys; write the key of the list on the line before, or remove the dash"),
        Kind::KeyTooLong => f.write_str("this key is longer than 1024 characters, which YAML does not allow"),
        Kind::KeyOverLines => f.write_str("a key and its colon must stand on one line"),
        Kind::BadKey => f.write_str("Kubernetes takes only strings, numbers and booleans as keys"),
        Kind::SurrogateEscape => f.write_str("Kubernetes does not read a character in two escapes; write the character itself, or `\\U` and eight digits"),
        Kind::BadBlockHeader => f.write_str("only `+`, `-`, a digit and a comment can follow `|` or `>`; write the text on the next line"),
        Kind::BadBlockIndentation => f.write_str("this line does not match the indentation of the text that begins with `|` or `>`; align it with the first line of the text"),
        Kind::ExcessiveAliasing => f.write_str("the aliases of this document stand for too many values; write fewer of them"),
        Kind::BadAnchor => f.write_str("a name is missing here; write letters, digits, `-` or `_` after `&` or `*`"),
        Kind::BadTag => f.write_str("Kubernetes does not know this tag; write one such as `!!str`, followed by a space"),
        Kind::RepeatedProperty => f.write_str("a value can have one tag and one anchor, and an alias none; remove the second"),
        Kind::TagMismatch => f.write_str("the value cannot be read as this tag says; change the tag or the value"),
        Kind::BadMerge => f.write_str("`<<` needs a mapping, or a list of mappings"),
        Kind::Template => f.write_str("this looks like a template, of Helm for example; render it first, because templates are not YAML"),
        Kind::ForeignComment => f.write_str("Kubernetes rejects this comment; begin it with `#`, which kubectl reads in JSON files as well"),
        Kind::Directive => f.write_str("kubectl does not read `%` directives; remove the line"),
        Kind::DirectiveAfterRoot => f.write_str("Kubernetes ignores everything from here to the next `---`, because a directive ends the document; remove the line"),
        Kind::TextAfterSeparator => f.write_str("only a comment can follow `---` on its line, and Kubernetes reads neither the document above nor anything below; move this to the next line"),
        Kind::TextAfterEnd => f.write_str("Kubernetes ignores everything from here to the next `---`, because `...` ends the document; write `---` instead"),
        Kind::UnexpectedEnd => f.write_str("`...` ends a document, but nothing stands before it; remove it"),
        Kind::TooLong => f.write_str("the file is too big to be read"),
        Kind::UnclosedQuote(quote) => write!(f, "the closing `{quote}` of this text is missing"),
        Kind::UnescapedQuote('"') => f.write_str(
            "this quote ends the text; write `\\\"` for a quote within it",
        ),
        Kind::UnescapedQuote(quote) => write!(
            f,
            "this quote ends the text; write `{quote}{quote}` for a quote within it"
        ),
        Kind::WrongBracket(bracket) => {
            let needed = if *bracket == ']' { '}' } else { ']' };
            write!(f, "`{needed}` is needed here, not `{bracket}`")
        }
        Kind::BracketInText(character) => write!(
            f,
            "`{character}` cannot stand in a text without quotes inside `[…]` or `{{…}}`; put the text in quotes"
        ),
        Kind::UnclosedBracket(bracket) => {
            let closing = if *bracket == '[' { ']' } else { '}' };
            write!(f, "this `{bracket}` is not closed; add `{closing}`")
        }
        Kind::UnexpectedBracket(',') => {
            f.write_str("nothing stands before this comma; remove it, or write a value")
        }
        Kind::UnexpectedBracket(bracket) => {
            write!(
                f,
                "nothing is open that this `{bracket}` could close; remove it, or put the value in quotes"
            )
        }
        Kind::UnexpectedCharacter('`') => {
            f.write_str("a value cannot begin with a backtick; put it in quotes")
        }
        Kind::UnexpectedCharacter(character) => {
            write!(
                f,
                "a value cannot begin with `{character}`; put it in quotes"
            )
        }
        Kind::ControlCharacter(character) => write!(
            f,
            "YAML does not allow the character U+{:04X}; remove it, or write it as an escape in double quotes",
            u32::from(*character)
        ),
        Kind::UnknownEscape('/') => {
            f.write_str("Kubernetes does not know the escape `\\/`; write `/`")
        }
        Kind::UnknownEscape(character) => write!(
            f,
            "there is no escape `\\{character}`; write `\\\\` for a backslash, or use single quotes"
        ),
        Kind::IncompleteEscape(character) => {
            let digits = match character {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            write!(f, "`\\{character}` needs {digits} hexadecimal digits")
        }
        Kind::InvalidEscape(code) => write!(f, "there is no character with the number {code:X}"),
        Kind::UnknownAnchor(name) => {
            write!(
                f,
                "no anchor `&{name}` stands before this alias; add it, or put the value in quotes"
            )
        }
        Kind::RecursiveAlias(name) => {
            write!(
                f,
                "`*{name}` stands within `&{name}`, so the value would contain itself"
            )
        }
        Kind::TooDeep(depth) => {
            write!(
                f,
                "values are nested more than {depth} levels deep; the rest of the document is not read"
            )
        }
    }
}
