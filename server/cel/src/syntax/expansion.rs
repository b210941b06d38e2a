//! The errors that cel-go finds when it walks the tree.
//!
//! Its parser accepts numbers that do not fit, reserved words, and macros with any argument. It
//! rejects them when it turns the parse tree into its own and expands the macros. They are found
//! here in the same way, because cel-go only reports what it visits.
//!
//! Upstream: cel-go, parser/parser.go, the `Visit…` functions; parser/macro.go;
//! cel/library.go, `optMap`; ext/comprehensions.go, `extractIterVars`; ext/lists.go,
//! `sortByMacro`.

use super::ParseOptions;
use super::ast::{Ast, ExprId, ExprKind, Field, Name};
use super::error::{EscapedPlace, SyntaxError, SyntaxErrorKind};
use super::macros::{MacroCall, MacroKind};
use text::Span;

/// Returns the errors in a tree. `faults` are those that the parser noted at a node, sorted by
/// it.
pub(super) fn check(
    ast: &Ast,
    faults: Vec<(ExprId, SyntaxError)>,
    options: ParseOptions,
) -> Vec<SyntaxError> {
    let mut check = Check {
        ast,
        options,
        visited: visited(ast, &faults, options),
        faulty: faults
            .iter()
            .map(|(id, error)| (*id, error.upstream_offset))
            .collect(),
        failed: Vec::new(),
        errors: Vec::new(),
    };
    for (id, error) in faults {
        if check.is_visited(id) {
            check.errors.push(error);
        }
    }
    for id in ast.ids() {
        if check.is_visited(id) {
            check.node(id);
        }
    }
    check.errors
}

/// Returns the nodes that cel-go visits: all but what an error cuts off.
fn visited(ast: &Ast, faults: &[(ExprId, SyntaxError)], options: ParseOptions) -> Vec<bool> {
    let mut visited = vec![false; ast.len()];
    let mark = |visited: &mut Vec<bool>, id: ExprId| {
        if let Some(cell) = visited.get_mut(id.index()) {
            *cell = true;
        }
    };
    mark(&mut visited, ast.root());
    // Parents have larger numbers than their children.
    for id in ast.ids().rev() {
        let is_cut_off = faults.binary_search_by_key(&id, |fault| fault.0).is_ok();
        if !visited.get(id.index()).copied().unwrap_or(false) || is_cut_off {
            continue;
        }
        if let ExprKind::Struct { fields, .. } = ast.kind(id) {
            let is_read = |field: &&Field| options.escaped_names || !is_escaped(ast, field.name);
            let plain = fields.iter().filter(is_read);
            plain.for_each(|field| mark(&mut visited, field.value));
        } else {
            ast.children(id).for_each(|child| mark(&mut visited, child));
        }
    }
    visited
}

fn is_escaped(ast: &Ast, name: Name) -> bool {
    ast.slice(name.span).starts_with('`')
}

struct Check<'a> {
    ast: &'a Ast,
    options: ParseOptions,
    visited: Vec<bool>,
    /// The nodes with faults, and where cel-go locates them. Sorted.
    faulty: Vec<(ExprId, Option<u32>)>,
    /// The same for invalid calls of macros. Sorted.
    failed: Vec<(ExprId, Option<u32>)>,
    errors: Vec<SyntaxError>,
}

/// The expansion of a node in cel-go.
enum ExpandedForm {
    Ident,
    Select,
    /// A list, a call, or a macro other than `has`.
    Computed,
    /// A constant, a map or a struct.
    Constant,
    /// No expansion, because of an error in the node itself.
    Failed(Option<u32>),
    /// The parser could not read it, and reported that.
    Unread,
}

impl Check<'_> {
    fn is_visited(&self, id: ExprId) -> bool {
        self.visited.get(id.index()).copied().unwrap_or(false)
    }

    fn node(&mut self, id: ExprId) {
        match self.ast.kind(id) {
            ExprKind::Select { field, .. } => {
                self.backticks(*field, EscapedPlace::Selection, field.span.start());
            }
            ExprKind::Struct { fields, .. } => {
                // cel-go reports the position of the whole list of fields.
                let Some(first) = fields.first() else { return };
                let question = self.ast.text().get(..first.name.span.start() as usize);
                let start = match (first.optional, question.and_then(|it| it.rfind('?'))) {
                    (true, Some(at)) => u32::try_from(at).unwrap_or(u32::MAX),
                    _ => first.name.span.start(),
                };
                for field in fields {
                    self.backticks(field.name, EscapedPlace::Literal, start);
                }
            }
            ExprKind::Call { .. } => {
                if let Some(call) = self.ast.macro_call(id) {
                    self.macro_call(call);
                }
            }
            _ => {}
        }
    }

    fn backticks(&mut self, name: Name, place: EscapedPlace, offset: u32) {
        if self.options.escaped_names || !is_escaped(self.ast, name) {
            return;
        }
        self.errors.push(SyntaxError {
            span: name.span,
            kind: SyntaxErrorKind::Backticks {
                name: self.ast.name(name).into(),
                place,
            },
            related: None,
            upstream_offset: Some(offset),
        });
    }

    fn macro_call(&mut self, call: MacroCall<'_>) {
        let wrong = match call.kind {
            MacroKind::Has => self.has_argument(call),
            MacroKind::SortBy => self.sort_by_target(call).or_else(|| self.variables(call)),
            _ => self.variables(call),
        };
        let Some((argument, kind)) = wrong else {
            return;
        };
        let offset = match self.expanded_form(argument) {
            ExpandedForm::Unread => return,
            ExpandedForm::Failed(offset) => offset,
            _ => Some(self.ast.upstream_offset(argument)),
        };
        let error = SyntaxError {
            span: self.ast.span(argument),
            kind,
            related: None,
            upstream_offset: offset,
        };
        self.failed.push((call.id, offset));
        self.errors.push(error);
    }

    fn has_argument(&self, call: MacroCall<'_>) -> Option<(ExprId, SyntaxErrorKind)> {
        let argument = *call.body.first()?;
        match self.expanded_form(argument) {
            ExpandedForm::Select => None,
            _ => Some((argument, SyntaxErrorKind::HasArgument)),
        }
    }

    fn sort_by_target(&self, call: MacroCall<'_>) -> Option<(ExprId, SyntaxErrorKind)> {
        let target = call.target?;
        match self.expanded_form(target) {
            ExpandedForm::Constant | ExpandedForm::Failed(_) => {
                Some((target, SyntaxErrorKind::SortByTarget))
            }
            _ => None,
        }
    }

    fn variables(&self, call: MacroCall<'_>) -> Option<(ExprId, SyntaxErrorKind)> {
        let is_ident = |id: &&ExprId| matches!(self.expanded_form(**id), ExpandedForm::Ident);
        if let Some(wrong) = call.variables.iter().find(|id| !is_ident(id)) {
            return Some((*wrong, SyntaxErrorKind::MacroVariable(call.kind)));
        }
        if let [first, second] = call.variables
            && self.ident_text(*first) == self.ident_text(*second)
        {
            let name = self.ident_text(*second).into();
            return Some((*second, SyntaxErrorKind::DuplicateVariable { name }));
        }
        if matches!(call.kind, MacroKind::OptMap | MacroKind::OptFlatMap) {
            return None;
        }
        let accumulator = call
            .variables
            .iter()
            .find(|id| self.ident_text(**id) == "__result__")?;
        Some((*accumulator, SyntaxErrorKind::AccumulatorVariable))
    }

    /// Returns an identifier as cel-go names it, with its leading dot.
    fn ident_text(&self, id: ExprId) -> &str {
        match self.ast.kind(self.ast.bare(id)) {
            ExprKind::Ident {
                leading_dot: true, ..
            } => self.ast.slice(self.ast.span(self.ast.bare(id))),
            ExprKind::Ident { name, .. } => self.ast.name(*name),
            _ => "",
        }
    }

    fn expanded_form(&self, id: ExprId) -> ExpandedForm {
        let id = self.ast.bare(id);
        let offset = |list: &[(ExprId, Option<u32>)]| {
            let at = list.binary_search_by_key(&id, |entry| entry.0).ok()?;
            list.get(at).map(|entry| entry.1)
        };
        if let Some(offset) = offset(&self.faulty).or_else(|| offset(&self.failed)) {
            return ExpandedForm::Failed(offset);
        }
        match self.ast.kind(id) {
            ExprKind::Error(_) => ExpandedForm::Unread,
            ExprKind::Ident { .. } => ExpandedForm::Ident,
            ExprKind::Select {
                optional: false, ..
            } => ExpandedForm::Select,
            ExprKind::Call { .. } => match self.ast.macro_call(id) {
                Some(MacroCall {
                    kind: MacroKind::Has,
                    ..
                }) => ExpandedForm::Select,
                _ => ExpandedForm::Computed,
            },
            ExprKind::Select { .. }
            | ExprKind::List { .. }
            | ExprKind::Index { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. } => ExpandedForm::Computed,
            ExprKind::Literal(_)
            | ExprKind::Map { .. }
            | ExprKind::Struct { .. }
            | ExprKind::Paren(_) => ExpandedForm::Constant,
        }
    }
}

impl Ast {
    /// Returns the node without parentheses and pairs of unary operators, as in cel-go.
    #[must_use]
    pub fn bare(&self, mut id: ExprId) -> ExprId {
        loop {
            match self.kind(id) {
                ExprKind::Paren(inner) => id = *inner,
                ExprKind::Unary { count, operand, .. } if count % 2 == 0 => id = *operand,
                _ => return id,
            }
        }
    }

    /// Returns the offset, in bytes, at which cel-go locates a node: an operator, an opening
    /// bracket, or the first byte.
    ///
    /// Upstream: cel-go, parser/parser.go, the ids that the `Visit…` functions take.
    #[must_use]
    pub fn upstream_offset(&self, id: ExprId) -> u32 {
        let id = self.bare(id);
        let span: Span = match self.kind(id) {
            ExprKind::Ident { name, .. } => name.span,
            ExprKind::Select { operator, .. } => *operator,
            ExprKind::Index { brackets, .. } => *brackets,
            ExprKind::Call { parens, .. } => *parens,
            ExprKind::Unary { operator_span, .. } | ExprKind::Binary { operator_span, .. } => {
                *operator_span
            }
            ExprKind::Conditional { question, .. } => *question,
            ExprKind::Struct { braces, .. } => *braces,
            ExprKind::Error(_)
            | ExprKind::Literal(_)
            | ExprKind::List { .. }
            | ExprKind::Map { .. }
            | ExprKind::Paren(_) => self.span(id),
        };
        span.start()
    }
}
