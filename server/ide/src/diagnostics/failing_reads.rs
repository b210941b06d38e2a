//! Reads of values that an object may lack, with fixes.

use super::Finding;
use super::document_facts::DocumentFacts;
use super::guard::{Guard, chain_end, read_guards, with_default};
use super::parents::{enclosing, parents};
use crate::presence::{Case, FieldState, Presence, Root, SiteContext, SiteKind, Term, TermId};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, MacroKind};
use foldhash::fast::RandomState;
use policy::Expression;
use std::collections::{HashMap, HashSet};
use text::Span;

/// A read that can fail, with the reads that follow in the same chain.
pub(super) struct Read<'f> {
    /// The site of the first read.
    pub(super) place: SiteContext<'f>,
    /// The nodes of all reads, the first one first.
    pub(super) steps: Vec<ExprId>,
    /// Whether the first read is of a map entry.
    pub(super) is_key: bool,
    /// The kinds whose objects may lack the value, each once.
    pub(super) kinds: Vec<&'f str>,
    /// Whether other kinds always have the value.
    pub(super) others: bool,
    /// A case in which the value can be missing.
    case: &'f Case,
}

/// Returns the reads of a document that fail if the value is missing.
pub(super) fn failing(presence: &Presence) -> Vec<Read<'_>> {
    let mut found: Vec<Read<'_>> = Vec::new();
    let mut seen: HashSet<(usize, TermId), RandomState> = HashSet::default();
    let mut known: HashMap<(usize, TermId), usize, RandomState> = HashMap::default();
    for place in presence
        .failure_sites()
        .chain(presence.rule_failure_sites())
    {
        let site = place.site;
        if site.kind != SiteKind::Read || place.is_present(site.term) {
            continue;
        }
        let Some(read) = failing_read(place) else {
            continue;
        };
        let key = (site.expression, site.term);
        let outer = place.parent(site.term);
        let outer = outer.and_then(|outer| known.get(&(site.expression, outer)));
        let new = seen.insert(key);
        if let Some(at) = outer.copied() {
            known.entry(key).or_insert(at);
            if let Some(first) = found.get_mut(at)
                && !first.steps.contains(&site.id)
                && new
            {
                first.steps.push(site.id);
            }
            continue;
        }
        if new {
            known.entry(key).or_insert(found.len());
            found.push(read);
        }
    }
    found
}

fn failing_read(place: SiteContext<'_>) -> Option<Read<'_>> {
    let term = place.site.term;
    let root = place.root_of(term)?;
    if matches!(root, Root::Request | Root::Namespace) || is_escaped(place) {
        return None;
    }
    let mut kinds: Vec<&str> = Vec::new();
    let mut first: Option<(&Case, bool)> = None;
    let mut others = false;
    for case in place.all_cases().iter().filter(|case| case.has(root)) {
        let is_key = match place.state(case, term) {
            FieldState::Optional => false,
            FieldState::Key => true,
            FieldState::Required | FieldState::Undefined | FieldState::Unknown => {
                others = true;
                continue;
            }
        };
        if !place.is_possible(case) {
            others = true;
            continue;
        }
        first.get_or_insert((case, is_key));
        let kind = case.kind.as_ref().map_or("", |kind| kind.kind.as_str());
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let (case, is_key) = first?;
    Some(Read {
        place,
        steps: vec![place.site.id],
        is_key,
        kinds,
        others,
        case,
    })
}

/// Returns whether the name is escaped, which `property-escaping` reports.
fn is_escaped(place: SiteContext<'_>) -> bool {
    match place.term(place.site.term) {
        Term::Field(_, name) => kubernetes::names::unescape(name).is_some_and(|raw| raw != **name),
        _ => false,
    }
}

/// Returns the field or key that a node reads, as written, and its span.
pub(super) fn part(ast: &Ast, id: ExprId) -> Option<(&str, Span)> {
    match ast.kind(id) {
        ExprKind::Select { field, .. } => Some((ast.name(*field), field.span)),
        ExprKind::Index { index, .. } => {
            let span = ast.span(*index);
            Some((ast.slice(span), span))
        }
        _ => None,
    }
}

/// Returns whether another part of an expression can decide its result if this part fails: the
/// right operand of `&&` or `||`, or another element of a list.
fn can_be_absorbed(ast: &Ast, from: ExprId) -> bool {
    let parents = parents(ast);
    let above = |id: ExprId| parents.get(id.index()).copied().flatten();
    let mut at = from;
    while let Some(parent) = above(at) {
        let absorbs = match ast.kind(parent) {
            ExprKind::Binary {
                operator: BinaryOperator::And | BinaryOperator::Or,
                left,
                ..
            } => *left == at,
            ExprKind::Call { .. } => ast.macro_call(parent).is_some_and(|call| {
                matches!(call.kind, MacroKind::All | MacroKind::Exists) && call.body.contains(&at)
            }),
            _ => false,
        };
        if absorbs {
            return true;
        }
        at = parent;
    }
    false
}

/// Returns the finding with the use of the variable around it as a related location.
pub(super) fn used_at(
    finding: Finding,
    facts: &DocumentFacts<'_>,
    place: SiteContext<'_>,
) -> Finding {
    let used = place.site.used_at.and_then(|(index, id)| {
        let expression = facts.document.expressions().get(index)?;
        Some(facts.document.range(expression, expression.ast().span(id)))
    });
    match used {
        Some(range) => finding.related(range, "the variable is used here without a guard"),
        None => finding,
    }
}

impl Read<'_> {
    /// Returns the expression that contains the read.
    pub(super) fn expression<'a>(&self, facts: &DocumentFacts<'a>) -> Option<&'a Expression> {
        facts.document.expressions().get(self.place.site.expression)
    }

    /// Returns whether the expression can have a value even if the read fails, as in
    /// `object.spec.paused || true`.
    pub(super) fn can_be_absorbed(&self, facts: &DocumentFacts<'_>) -> bool {
        let site = self.place.site;
        let parts = std::iter::once((site.expression, site.id)).chain(site.used_at);
        parts
            .filter_map(|(index, id)| Some((facts.document.expressions().get(index)?, id)))
            .any(|(expression, id)| can_be_absorbed(expression.ast(), id))
    }

    /// Returns the kinds as part of a sentence. Empty if all kinds may lack the value.
    pub(super) fn of_kinds(&self) -> String {
        let named: Vec<&str> = self
            .kinds
            .iter()
            .copied()
            .filter(|kind| !kind.is_empty())
            .collect();
        if !self.others || named.is_empty() {
            return String::new();
        }
        format!(" in {}", named.join(", "))
    }

    /// Returns the finding with its related location and its fixes.
    pub(super) fn complete(&self, finding: Finding, facts: &DocumentFacts<'_>) -> Option<Finding> {
        let expression = self.expression(facts)?;
        let ast = expression.ast();
        let finding = used_at(finding, facts, self.place);
        let text = |id: &ExprId| ast.slice(ast.span(*id));
        // A condition on more than one line is not suitable for a quick fix.
        if self.steps.iter().any(|id| text(id).contains('\n')) {
            return Some(finding);
        }
        let steps = self.steps.iter();
        let guards: Option<Vec<Guard>> = steps.map(|id| Guard::from_read(ast, *id)).collect();
        let first = *self.steps.first()?;
        let last = *self.steps.last()?;
        let fixes = read_guards(facts.document, expression, last, &Guard::all(&guards?));
        let parents = parents(ast);
        let end = chain_end(ast, &parents, first);
        let schema = self.schema_at(ast, first, end);
        let default = |finding| with_default(finding, facts, expression, first, schema);
        // A missing list most likely means no elements.
        Some(if is_range(ast, &parents, end) {
            default(finding).unsafe_fixes(fixes)
        } else {
            default(finding.unsafe_fixes(fixes))
        })
    }

    /// Returns the schema at the end of the chain.
    fn schema_at(
        &self,
        ast: &Ast,
        first: ExprId,
        end: ExprId,
    ) -> Option<kubernetes::openapi::Schema<'_>> {
        let mut schema = self.place.schema(self.case, self.place.site.term)?;
        let mut steps = Vec::new();
        let mut at = end;
        while at != first {
            steps.push(at);
            at = match ast.kind(at) {
                ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => *operand,
                _ => return None,
            };
        }
        for step in steps.into_iter().rev() {
            schema = match ast.kind(step) {
                ExprKind::Select { field, .. } => {
                    let name = ast.name(*field);
                    schema
                        .property(name)
                        .or_else(|| schema.additional_properties())?
                }
                _ => schema.items().or_else(|| schema.additional_properties())?,
            };
        }
        Some(schema)
    }
}

/// Returns whether a macro such as `all` iterates over a node.
fn is_range(ast: &Ast, parents: &[Option<ExprId>], id: ExprId) -> bool {
    let Some(parent) = enclosing(ast, parents, id) else {
        return false;
    };
    let is_target = matches!(
        ast.kind(parent),
        ExprKind::Call { target: Some(target), .. } if ast.unparenthesized(*target) == id
    );
    is_target && ast.macro_call(parent).is_some()
}
