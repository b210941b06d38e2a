//! From tokens to a tree.
//!
//! A recursive descent parser that never stops early: at an error in the source it records the
//! error, leaves an error node and continues where a person would. It never recurses deeper than
//! cel-go does, because an expression that nests deeper is rejected anyway.
//!
//! Upstream: cel-go, parser/gen/CEL.g4. The rules keep their names, and those whose depth
//! cel-go limits ([`Rule`]) are entered where its generated parser enters them.

mod aggregate;
mod expression;
mod member;
mod recovery;
mod scan;

use super::ParseOptions;
use super::ast::{Ast, Expr, ExprId, ExprKind, Name};
use super::error::{Bracket, Related, SyntaxError, SyntaxErrorKind};
use super::limits::{MAX_CODE_POINTS, MAX_ERRORS, MAX_NESTING, MAX_SKIPPED};
use super::token::{Token, TokenKind};
use text::Span;

/// The result of the parser, before the checks that need the whole tree.
pub(super) struct Parsed {
    pub(super) ast: Ast,
    pub(super) errors: Vec<SyntaxError>,
    /// Errors that cel-go finds only when it walks the tree, by node.
    pub(super) faults: Vec<(ExprId, SyntaxError)>,
    /// Whether cel-go stops before it walks the tree, or while it does.
    pub(super) stopped: bool,
    /// The errors of cel-go that follow from a reported one.
    pub(super) consequences: Vec<SyntaxError>,
    pub(super) comments: Vec<Span>,
}

/// Parses an expression.
pub(super) fn parse(text: &str, options: ParseOptions) -> Parsed {
    if let Some(code_points) = excess(text) {
        return too_long(text, code_points);
    }
    let scan = scan::scan(text);
    let mut parser = Parser {
        text,
        options,
        exprs: Vec::with_capacity(scan.tokens.len() / 2 + 1),
        depths: Vec::with_capacity(scan.tokens.len() / 2 + 1),
        tokens: scan.tokens,
        gaps: scan.gaps,
        at: 0,
        errors: scan.errors,
        faults: Vec::new(),
        last_error: None,
        muted: 0,
        open: [0; 3],
        nesting: [0; 3],
        ids: Vec::new(),
        in_key: false,
        missing_comma: None,
        open_end: 0,
        waiting: 0,
        stopped: None,
        consequences: Vec::new(),
    };
    let root = parser.start();
    let stopped = parser.stopped.is_some();
    parser.errors.extend(parser.stopped);
    Parsed {
        ast: Ast::new(text, parser.exprs, root),
        errors: parser.errors,
        faults: parser.faults,
        stopped,
        consequences: parser.consequences,
        comments: scan.comments,
    }
}

/// Returns the number of code points, if there are too many.
fn excess(text: &str) -> Option<usize> {
    if text.len() <= MAX_CODE_POINTS {
        return None;
    }
    Some(text.chars().count()).filter(|count| *count > MAX_CODE_POINTS)
}

/// Returns the result for a source that is too long: like cel-go, it does not parse it.
fn too_long(text: &str, code_points: usize) -> Parsed {
    let span = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    let root = Expr {
        kind: ExprKind::Error(Box::default()),
        span,
    };
    Parsed {
        ast: Ast::new(text, vec![root], ExprId::new(0)),
        errors: vec![limit_error(span, SyntaxErrorKind::TooLong { code_points })],
        faults: Vec::new(),
        stopped: true,
        consequences: Vec::new(),
        comments: Vec::new(),
    }
}

/// The rules of the grammar whose depth can reach cel-go's limit. All others are entered
/// once per [`Rule::Expr`] at most.
#[derive(Clone, Copy)]
enum Rule {
    Expr,
    Relation,
    Calc,
}

struct Parser<'t> {
    text: &'t str,
    options: ParseOptions,
    /// Invariant: the last one is the only [`TokenKind::End`].
    tokens: Vec<Token>,
    /// The tokens before which something was skipped and reported. Sorted.
    gaps: Vec<usize>,
    at: usize,
    exprs: Vec<Expr>,
    /// Per node, the number of operations that cel-go counts on the longest path down.
    depths: Vec<u32>,
    errors: Vec<SyntaxError>,
    faults: Vec<(ExprId, SyntaxError)>,
    /// The token at which the last error was reported: each has at most one.
    last_error: Option<usize>,
    /// Above 0 while tokens are skipped whose error was reported.
    muted: u32,
    /// The number of open brackets of each kind.
    open: [u32; 3],
    /// The depth of each [`Rule`].
    nesting: [u32; 3],
    /// Lists under construction, one after the other.
    ids: Vec<ExprId>,
    /// Whether the parser is in the key of a map, where `=` can only mean `:`.
    in_key: bool,
    /// The start of the last item without a comma before it.
    missing_comma: Option<u32>,
    /// The end of unclosed brackets: the next token, so that a cursor after a space is still inside
    /// them.
    open_end: u32,
    /// The conditionals, up to the innermost brace, whose `:` is still missing.
    waiting: u32,
    /// The limit that was reached.
    stopped: Option<SyntaxError>,
    /// The errors of cel-go that follow from a reported one.
    consequences: Vec<SyntaxError>,
}

impl Parser<'_> {
    fn current(&self) -> Token {
        self.peek(0)
    }

    fn kind(&self) -> TokenKind {
        self.current().kind
    }

    /// Returns the token `ahead` of the current one.
    fn peek(&self, ahead: usize) -> Token {
        match self.tokens.get(self.at + ahead) {
            Some(token) => *token,
            None => Token {
                kind: TokenKind::End,
                span: Span::empty(self.text_end()),
            },
        }
    }

    /// Takes the current token; the end stays.
    fn bump(&mut self) -> Token {
        let token = self.current();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// Consumes the current token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.bump())
    }

    fn previous(&self) -> Option<Token> {
        let before = self.at.checked_sub(1)?;
        self.tokens.get(before).copied()
    }

    /// Returns the end of the last token, or of unclosed brackets.
    fn previous_end(&self) -> u32 {
        let end = self.previous().map_or(0, |token| token.span.end());
        end.max(self.open_end)
    }

    fn text_end(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    fn slice(&self, span: Span) -> &str {
        span.slice(self.text)
    }

    fn current_text(&self) -> &str {
        self.slice(self.current().span)
    }

    /// Returns the current token as stored in errors; `None` at the end.
    fn found(&self) -> Option<Box<str>> {
        (self.kind() != TokenKind::End).then(|| shorten(self.current_text()))
    }

    /// Returns whether the current token follows the previous one without anything between.
    fn is_adjacent(&self) -> bool {
        self.previous()
            .is_some_and(|before| before.span.end() == self.current().span.start())
    }

    /// Returns the current token, or the end of the last one at the end of the source.
    fn here(&self) -> Span {
        match self.kind() {
            TokenKind::End => Span::empty(self.previous_end()),
            _ => self.current().span,
        }
    }

    fn missing_name(&self) -> Name {
        Name {
            span: Span::empty(self.previous_end()),
        }
    }

    /// Records an error at the current token, unless it already has one, since the second follows
    /// from the first.
    fn error(&mut self, span: Span, kind: SyntaxErrorKind) {
        self.error_with(span, kind, None);
    }

    fn error_with(&mut self, span: Span, kind: SyntaxErrorKind, related: Option<Related>) {
        let is_known =
            self.last_error == Some(self.at) || self.gaps.binary_search(&self.at).is_ok();
        self.last_error = Some(self.at);
        if self.muted > 0 || is_known || self.errors.len() >= MAX_ERRORS {
            return;
        }
        let offset = match self.kind() {
            TokenKind::End => self.text_end(),
            _ => self.current().span.start(),
        };
        self.errors.push(SyntaxError {
            span,
            kind,
            related,
            upstream_offset: Some(offset),
        });
    }

    /// Records the errors of cel-go when it skips the rest of the source after an error at the
    /// current token: none unless the rest is too long.
    ///
    /// Upstream: cel-go, parser/parser.go, `lookaheadConsumer.Consume`. Within brackets its
    /// generated parser finds a token to go on with before that.
    fn note_skipping(&mut self) {
        let rest = self.tokens.len().saturating_sub(self.at + 1);
        if self.open == [0; 3] && rest > MAX_SKIPPED && self.consequences.is_empty() {
            let kind = SyntaxErrorKind::SkippedTooMuch;
            self.consequences
                .push(limit_error(self.current().span, kind));
        }
    }

    /// Adds a node with a depth of `depth` counted operations.
    fn push(&mut self, kind: ExprKind, span: Span, depth: u32) -> ExprId {
        let id = ExprId::new(self.exprs.len());
        self.exprs.push(Expr { kind, span });
        self.depths.push(depth);
        id
    }

    /// Returns a new node for an operation that cel-go counts. Past its limit the operation becomes
    /// an error node without parts, so that no tree is deep.
    ///
    /// Upstream: cel-go, parser/parser.go, `checkAndIncrementRecursionDepth`.
    fn push_counted(&mut self, kind: ExprKind, span: Span, below: u32, operator: Span) -> ExprId {
        if below < MAX_NESTING {
            return self.push(kind, span, below + 1);
        }
        if self.stopped.is_none() {
            self.stopped = Some(limit_error(operator, SyntaxErrorKind::ChainTooLong));
        }
        self.push(ExprKind::Error(Box::default()), span, 0)
    }

    fn depth(&self, id: ExprId) -> u32 {
        self.depths.get(id.index()).copied().unwrap_or(0)
    }

    fn max_depth(&self, ids: &[ExprId]) -> u32 {
        ids.iter().map(|id| self.depth(*id)).max().unwrap_or(0)
    }

    fn span(&self, id: ExprId) -> Span {
        self.exprs
            .get(id.index())
            .map_or(Span::empty(0), |it| it.span)
    }

    /// Returns an error node around what could be read.
    fn error_node(&mut self, parts: &[ExprId], span: Span) -> ExprId {
        let depth = self.max_depth(parts);
        self.push(ExprKind::Error(parts.into()), span, depth)
    }

    /// Returns an error node where an expression is missing.
    fn missing_expr(&mut self) -> ExprId {
        let span = Span::empty(self.previous_end());
        self.error_node(&[], span)
    }

    /// Enters a rule, unless it is nested too deep: then the rest of the source is skipped.
    ///
    /// Upstream: cel-go, parser/parser.go, `recursionListener.EnterEveryRule`.
    fn enter(&mut self, rule: Rule) -> bool {
        let Some(depth) = self.nesting.get_mut(rule as usize) else {
            return false;
        };
        *depth += 1;
        *depth <= MAX_NESTING
    }

    fn leave(&mut self, rule: Rule) {
        if let Some(depth) = self.nesting.get_mut(rule as usize) {
            *depth -= 1;
        }
    }

    /// Records that the source is nested too deeply and skips the rest of it.
    fn give_up(&mut self) -> ExprId {
        let span = Span::new(self.current().span.start(), self.last_token_end());
        // It hides a long chain from cel-go, which does not reach the tree.
        let error = limit_error(self.current().span, SyntaxErrorKind::NestedTooDeep);
        self.stopped = Some(error);
        self.muted += 1;
        self.at = self.tokens.len().saturating_sub(1);
        self.error_node(&[], span)
    }

    fn last_token_end(&self) -> u32 {
        let last = self.tokens.len().checked_sub(2);
        last.and_then(|index| self.tokens.get(index))
            .map_or(0, |token| token.span.end())
    }

    fn open_count(&mut self, bracket: Bracket) -> &mut u32 {
        let [paren, square, brace] = &mut self.open;
        match bracket {
            Bracket::Paren => paren,
            Bracket::Square => square,
            Bracket::Brace => brace,
        }
    }
}

/// Returns the error for an exceeded limit. cel-go has no position for it.
const fn limit_error(span: Span, kind: SyntaxErrorKind) -> SyntaxError {
    SyntaxError {
        span,
        kind,
        related: None,
        upstream_offset: None,
    }
}

/// Returns the text of a token, truncated for a message.
fn shorten(text: &str) -> Box<str> {
    const MAX_CHARS: usize = 40;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")).into(),
        None => text.into(),
    }
}
