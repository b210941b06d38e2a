//! Cleans strings that are written to a terminal, a file format or Markdown.
//!
//! Names, messages and values come from files that others wrote. A terminal interprets control
//! characters, bidirectional marks let a line look like another one, a log of GitHub Actions runs
//! workflow commands in it, and an XML parser stops at characters that XML does not have. Each
//! destination has one function here.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns a string for a terminal: without control characters except the line feed, without
/// bidirectional marks, and without lines that a log interprets as commands.
///
/// Upstream: actions/runner, src/Runner.Common/ActionCommand.cs, TryParseV2 and TryParse.
#[must_use]
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    let is_hostile = |it: char| it.is_control() && it != '\n' || is_bidirectional(it);
    if !text.contains(is_hostile) && !text.contains("::") && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    let shown = |character: char| match character {
        '\n' => '\n',
        '\t' => ' ',
        '\u{7f}' => '\u{2421}',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        _ if is_hostile(character) => '\u{fffd}',
        _ => character,
    };
    let text: String = text.chars().map(shown).collect();
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(without_command).collect();
    Cow::Owned(lines.join("\n"))
}

/// Returns the name of a file for a terminal, on one line.
#[must_use]
pub fn for_name(name: &str) -> Cow<'_, str> {
    if name.contains('\n') {
        let name = name.replace('\n', "\u{240a}");
        return Cow::Owned(for_terminal(&name).into_owned());
    }
    for_terminal(name)
}

/// Separates the characters that begin a command: `::name::` at the start of a line, and `##[name]`
/// or `##vso[name]` anywhere.
fn without_command(line: &str) -> Cow<'_, str> {
    let trimmed = line.trim_start();
    let mut line = match trimmed.strip_prefix("::") {
        Some(rest) if rest.contains("::") => {
            let indent = line.strip_suffix(trimmed).unwrap_or_default();
            Cow::Owned(format!("{indent}: :{rest}"))
        }
        _ => Cow::Borrowed(line),
    };
    for command in ["##[", "##vso["] {
        if line.contains(command) {
            line = Cow::Owned(line.replace(command, &command.replacen("##", "## ", 1)));
        }
    }
    line
}

/// Returns output for a terminal, whose colors may stay, without the characters that the program
/// never writes.
#[must_use]
pub fn for_screen(output: &str) -> Cow<'_, str> {
    replaced(output, is_unseen, |_, out| out.push('\u{fffd}'))
}

/// Returns JSON that means the same and is safe to show in a terminal.
#[must_use]
pub fn for_json(json: &str) -> Cow<'_, str> {
    // Only strings have such characters.
    replaced(json, is_unseen, |character, out| {
        let _ = write!(out, "\\u{:04x}", u32::from(character));
    })
}

/// Returns XML without the characters that it does not allow, and safe to show in a terminal or a
/// log.
///
/// Upstream: Extensible Markup Language 1.0, 2.2 Characters.
#[must_use]
pub fn for_xml(xml: &str) -> Cow<'_, str> {
    let is_invalid = |it: char| {
        matches!(it, '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}') && !matches!(it, '\t' | '\n' | '\r')
    };
    let is_replaced = |it: char| is_unseen(it) || is_invalid(it);
    let xml = replaced(xml, is_replaced, |character, out| {
        if is_invalid(character) {
            out.push('\u{fffd}');
        } else {
            let _ = write!(out, "&#x{:x};", u32::from(character));
        }
    });
    if !xml.contains("::") && !xml.contains("##") {
        return xml;
    }
    Cow::Owned(xml.replace("::", ":&#58;").replace("##", "#&#35;"))
}

/// Returns prose as Markdown that renders verbatim: no links, images, HTML or headings.
#[must_use]
pub fn for_markdown(prose: &str) -> Cow<'_, str> {
    let is_special = |it: char| {
        matches!(
            it,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '!' | '|' | '&'
        )
    };
    replaced(
        prose,
        |it| is_special(it) || is_unseen(it),
        |character, out| {
            if is_special(character) {
                out.extend(['\\', character]);
            } else {
                out.push('\u{fffd}');
            }
        },
    )
}

/// Returns the message of a workflow command of GitHub Actions, which is one line.
///
/// Upstream: actions/toolkit, packages/core/src/command.ts, escapeData.
#[must_use]
pub fn for_command(message: &str) -> String {
    let message = message.replace('%', "%25");
    message.replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns the value of a property of a workflow command of GitHub Actions.
///
/// Upstream: actions/toolkit, packages/core/src/command.ts, escapeProperty.
#[must_use]
pub fn for_command_property(value: &str) -> String {
    for_command(value).replace(':', "%3A").replace(',', "%2C")
}

fn replaced(
    text: &str,
    is_replaced: impl Fn(char) -> bool,
    replace: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(&is_replaced) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_replaced(character) {
            replace(character, &mut out);
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Returns whether a terminal interprets a character beyond ASCII: a control character of
/// ISO 6429, or a bidirectional mark.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9f}') || is_bidirectional(character)
}

/// Upstream: Unicode Standard Annex 9, 2 Directional Formatting Characters.
fn is_bidirectional(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_interprets_nothing() {
        let text = "a\u{1b}[31m\tb\u{9b}\u{7f}\u{202e}\u{2066}\n\r";
        assert_eq!(for_terminal(text), "a␛[31m b\u{fffd}␡\u{fffd}\u{fffd}\n␍");
        assert!(matches!(for_terminal("plain 😀\n"), Cow::Borrowed(_)));
        assert_eq!(
            for_screen("\u{1b}[1m\u{9b}\u{200f}é"),
            "\u{1b}[1m\u{fffd}\u{fffd}é"
        );
    }

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(
            for_name("a\n::error file=b::c\r.yaml"),
            "a\u{240a}::error file=b::c␍.yaml"
        );
        assert_eq!(for_name("::error::a"), ": :error::a");
    }

    #[test]
    fn a_line_is_not_a_workflow_command() {
        let text = "::error::a\n  ::set-output name=a::b\nx ::c:: ##[add-path]d ##vso[e]f";
        let expected = ": :error::a\n  : :set-output name=a::b\nx ::c:: ## [add-path]d ## vso[e]f";
        assert_eq!(for_terminal(text), expected);
        assert_eq!(
            for_terminal("::1 is an address ## a"),
            "::1 is an address ## a"
        );
    }

    #[test]
    fn a_workflow_command_is_one_line() {
        assert_eq!(for_command("50%\r\na: b, c"), "50%25%0D%0Aa: b, c");
        assert_eq!(for_command_property("C:\\a,b%\n"), "C%3A\\a%2Cb%25%0A");
    }

    #[test]
    fn json_means_the_same() {
        assert_eq!(for_json("\"é\u{9b}\u{202e}\""), "\"é\\u009b\\u202e\"");
    }

    #[test]
    fn xml_has_only_its_characters() {
        assert_eq!(
            for_xml("a\u{fffe}\u{ffff}\u{1}\u{85}\t\n"),
            "a\u{fffd}\u{fffd}\u{fffd}&#x85;\t\n"
        );
        assert_eq!(for_xml("\n::error::##[a]"), "\n:&#58;error:&#58;#&#35;[a]");
    }

    #[test]
    fn markdown_shows_prose() {
        let prose = "![x](http://a) <b> `c` # d_e";
        assert_eq!(
            for_markdown(prose),
            "\\!\\[x\\](http://a) \\<b\\> \\`c\\` \\# d\\_e"
        );
        assert!(matches!(
            for_markdown("Plain text (a, b)."),
            Cow::Borrowed(_)
        ));
    }
}
