//! The tokens that the parser reads.
//!
//! Trivia is set aside, and so are tokens that cannot be part of any expression: characters that
//! CEL lacks, comments of other languages. They are reported here once, so that the parser does not
//! report consequences.

use crate::syntax::error::{EscapedPlace, SyntaxError, SyntaxErrorKind};
use crate::syntax::lexer::{Tokens, tokens};
use crate::syntax::limits::MAX_ERRORS;
use crate::syntax::token::{Token, TokenKind};
use text::{Span, template_len};

pub(super) struct Scan {
    /// Ends with [`TokenKind::End`]. An [`TokenKind::Unknown`] among them is an operand that
    /// is broken and reported.
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Span>,
    /// The indices of tokens before which something was skipped. Sorted.
    pub(super) gaps: Vec<usize>,
    pub(super) errors: Vec<SyntaxError>,
}

pub(super) fn scan(text: &str) -> Scan {
    let mut scan = Scan {
        tokens: Vec::with_capacity(text.len() / 4 + 1),
        comments: Vec::new(),
        gaps: Vec::new(),
        errors: Vec::new(),
    };
    let mut source = tokens(text);
    while let Some(token) = source.next() {
        match token.kind {
            TokenKind::Whitespace => {}
            TokenKind::Comment => scan.comments.push(token.span),
            TokenKind::Unterminated => scan.unterminated(text, token, &mut source),
            TokenKind::Unknown => scan.unknown(text, token, &mut source),
            TokenKind::OpenBrace if rest(text, token).starts_with('{') => {
                scan.double_brace(text, token, &mut source);
            }
            TokenKind::Slash if rest(text, token).starts_with('*') => {
                let body = rest(text, token).get(1..).unwrap_or("");
                let len = body.find("*/").map_or(text.len(), |at| at + 3);
                let whole = extended(text, token, len);
                scan.leave_out(whole, SyntaxErrorKind::BlockComment, &mut source);
            }
            _ => scan.tokens.push(token),
        }
    }
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    scan.tokens.push(Token {
        kind: TokenKind::End,
        span: Span::empty(end),
    });
    scan
}

/// Returns the source after a token.
fn rest(text: &str, token: Token) -> &str {
    text.get(token.span.end() as usize..).unwrap_or("")
}

/// Returns the span of a token and `len` bytes more, at most up to the end of the source.
fn extended(text: &str, token: Token, len: usize) -> Span {
    let end = (token.span.end() as usize)
        .saturating_add(len)
        .min(text.len());
    Span::new(token.span.start(), u32::try_from(end).unwrap_or(u32::MAX))
}

impl Scan {
    fn report(&mut self, span: Span, kind: SyntaxErrorKind) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(SyntaxError {
                span,
                kind,
                related: None,
                upstream_offset: Some(span.start()),
            });
        }
    }

    fn mark_gap(&mut self) {
        if self.gaps.last() != Some(&self.tokens.len()) {
            self.gaps.push(self.tokens.len());
        }
    }

    fn leave_out(&mut self, span: Span, kind: SyntaxErrorKind, source: &mut Tokens<'_>) {
        source.seek(span.end());
        self.report(span, kind);
        self.mark_gap();
    }

    /// Keeps `span` as an operand that is broken and reported.
    fn broken(&mut self, span: Span, kind: SyntaxErrorKind, source: &mut Tokens<'_>) {
        source.seek(span.end());
        self.report(span, kind);
        self.tokens.push(Token {
            kind: TokenKind::Unknown,
            span,
        });
        self.mark_gap();
    }

    fn unknown(&mut self, text: &str, token: Token, source: &mut Tokens<'_>) {
        let written = token.span.slice(text);
        let first = written.chars().next().unwrap_or(' ');
        match first {
            '$' if rest(text, token).starts_with('{') => {
                let len = placeholder_len(rest(text, token));
                let kind = SyntaxErrorKind::Template { open: "${" };
                self.broken(extended(text, token, len), kind, source);
            }
            '#' => {
                let len = rest(text, token).find('\n');
                let line = extended(text, token, len.unwrap_or(text.len()));
                self.leave_out(line, SyntaxErrorKind::HashComment, source);
            }
            _ if is_smart_quote(first) => {
                let span = smart_string(text, token);
                self.broken(span, SyntaxErrorKind::SmartQuote(first), source);
            }
            '`' => {
                let kind = SyntaxErrorKind::Backticks {
                    name: Box::default(),
                    place: EscapedPlace::Variable,
                };
                self.broken(token.span, kind, source);
            }
            _ if first == '_' || first.is_alphanumeric() => {
                let name = super::shorten(written);
                self.broken(token.span, SyntaxErrorKind::NonAsciiName { name }, source);
            }
            _ => self.unknown_character(token.span, first, source),
        }
    }

    /// Reads `{{`, which begins a placeholder or a map whose first key is a map.
    fn double_brace(&mut self, text: &str, token: Token, source: &mut Tokens<'_>) {
        let start = token.span.start() as usize;
        match text.get(start..).and_then(template_len) {
            Some(len) => {
                let kind = SyntaxErrorKind::Template { open: "{{" };
                self.broken(extended(text, token, len - 1), kind, source);
            }
            None => self.tokens.push(token),
        }
    }

    /// Characters of this sort in a row are one error.
    fn unknown_character(&mut self, span: Span, first: char, source: &mut Tokens<'_>) {
        let is_invisible = first.is_whitespace()
            || first.is_control()
            || matches!(
                first,
                '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}'
            );
        if let Some(last) = self.errors.last_mut()
            && last.span.end() == span.start()
            && matches!(
                last.kind,
                SyntaxErrorKind::UnknownCharacter(_) | SyntaxErrorKind::InvisibleCharacter(_)
            )
        {
            last.span = last.span.cover(span);
            return;
        }
        let kind = if is_invisible {
            SyntaxErrorKind::InvisibleCharacter(first)
        } else {
            SyntaxErrorKind::UnknownCharacter(first)
        };
        self.leave_out(span, kind, source);
    }

    /// Returns the start of a string that is cut by a quote within it, as in `'it's'`: a word
    /// follows it directly and, on the same line, an unterminated string.
    fn quote_in_string(&self, text: &str, end: Token, quote: &str) -> Option<usize> {
        let before = text.get(..end.span.start() as usize)?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let mut word: Option<&Token> = None;
        for (index, token) in self.tokens.iter().enumerate().rev() {
            if (token.span.start() as usize) < line {
                return None;
            }
            let is_cut = word.is_some_and(|word| {
                word.kind == TokenKind::Ident && word.span.start() == token.span.end()
            });
            if is_cut && token.kind == TokenKind::String && token.span.slice(text).ends_with(quote)
            {
                return Some(index);
            }
            word = Some(token);
        }
        None
    }

    /// Makes one broken operand of the tokens from `first` on and of the string `last`.
    fn join_string(&mut self, first: usize, last: Token, quote: &str, source: &mut Tokens<'_>) {
        let Some(first) = self.tokens.drain(first..).next() else {
            return;
        };
        let end = first.span.end();
        let quote = quote.chars().next().unwrap_or('\'');
        let kind = SyntaxErrorKind::QuoteInString { quote };
        self.broken(first.span.cover(last.span), kind, source);
        if let Some(error) = self.errors.last_mut() {
            error.span = Span::new(end - 1, end);
            error.upstream_offset = Some(end);
        }
    }

    fn unterminated(&mut self, text: &str, token: Token, source: &mut Tokens<'_>) {
        let written = token.span.slice(text);
        let quotes = written.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let quote = match quotes {
            _ if quotes.starts_with("'''") => "'''",
            _ if quotes.starts_with("\"\"\"") => "\"\"\"",
            _ if quotes.starts_with('\'') => "'",
            _ => "\"",
        };
        if let Some(index) = self.quote_in_string(text, token, quote) {
            return self.join_string(index, token, quote, source);
        }
        let at_line_end = !rest(text, token).is_empty();
        let kind = SyntaxErrorKind::UnterminatedString { quote, at_line_end };
        let len = continuation(rest(text, token), quote);
        self.broken(extended(text, token, len), kind, source);
    }
}

/// Returns the length of the placeholder whose `{` begins `rest`, otherwise of the `{` alone.
fn placeholder_len(rest: &str) -> usize {
    let end = rest.find(['}', '$', '\n']).unwrap_or(rest.len());
    if rest.get(end..).is_some_and(|it| it.starts_with('}')) {
        end + 1
    } else {
        1
    }
}

const fn is_smart_quote(c: char) -> bool {
    matches!(c, '“' | '”' | '‘' | '’' | '„' | '«')
}

/// Returns the span of a string in typographic quotes, up to the closing one on the same line, or
/// of the first quote alone.
fn smart_string(text: &str, token: Token) -> Span {
    let closing = rest(text, token)
        .char_indices()
        .find(|(_, c)| is_smart_quote(*c) || matches!(c, '»' | '\n'));
    match closing {
        Some((at, c)) if c != '\n' => extended(text, token, at + c.len_utf8()),
        _ => token.span,
    }
}

/// Returns how much of `rest`, the source after a string that ended at a line break, still belongs
/// to the string: an odd number of quotes in the next line that has one means that the string ends
/// at the first of them.
fn continuation(rest: &str, quote: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        let Some(first) = line.find(quote) else {
            end += line.len();
            continue;
        };
        let is_odd = line.matches(quote).count() % 2 == 1;
        return if is_odd { end + first + quote.len() } else { 0 };
    }
    0
}
