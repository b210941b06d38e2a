//! The form in which an expression runs.
//!
//! A compiled expression is an arena of steps that refer to each other by number. It follows
//! the plan of cel-go: a name with the fields and indexes after it is one attribute, and the
//! loops of macros over a list or a map are single steps, so that lookups, name comparisons and
//! allocations happen before the run where possible.

use crate::expand::NodeId;
use crate::library::{CallCost, Implementation};
use crate::regex::Regex;
use crate::syntax::ExprId;
use crate::types::Type;
use crate::value::{EvalError, Place, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// The number of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepId(u32);

/// The number of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttributeId(u32);

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) steps: Vec<CompiledStep>,
    pub(super) attributes: Vec<Attribute>,
    /// The variables of the environment that it uses. An attribute refers to one by its index.
    pub(super) variables: Vec<Arc<str>>,
    /// The regular expressions that were constants.
    pub(super) regexes: Vec<(Box<str>, Arc<Regex>)>,
    /// The release of the host, for functions.
    pub(super) release: u8,
    pub(super) root: StepId,
    /// Whether selecting a field of a number or a string fails, even in a presence test.
    ///
    /// Upstream: cel-go, interpreter/attributes.go, `EnableErrorOnBadPresenceTest`.
    pub(super) fails_without_fields: bool,
}

/// One step: the compiled form of a node of the expansion.
#[derive(Debug)]
pub(super) struct CompiledStep {
    pub(super) kind: StepKind,
    pub(super) node: NodeId,
    pub(super) expr: ExprId,
}

#[derive(Debug)]
pub(super) enum StepKind {
    Constant(Value),
    /// A constant that could not be created.
    Failure(EvalError),
    /// A variable or a value with fields and indexes after it, or `c ? a : b`.
    Attribute(AttributeId),
    /// `has(a.b)`
    Presence(AttributeId),
    /// An operation on constants: its value, its cost units, and the step that it replaces, for
    /// recorded evaluations.
    Known(Value, u64, StepId),
    Connective(Box<Connective>),
    /// `optional.or(…)`, and `optional.orValue(…)` with `true`.
    OptionalOr(StepId, StepId, bool),
    Call(Box<Call>),
    /// `value in [constants]`
    InSet(StepId, Box<ConstantSet>),
    List(Box<ListStep>),
    Map(Box<[EntryStep]>),
    Struct(Box<StructStep>),
    Fold(Box<Fold>),
    Loop(Box<Loop>),
}

/// `left && right`, `left || right`.
#[derive(Debug)]
pub(super) struct Connective {
    /// The value of a side that decides: `true` for `||`.
    pub(super) decides: bool,
    pub(super) left: StepId,
    pub(super) right: StepId,
    /// The operands of the whole chain, in order. Empty for a part of a longer chain.
    pub(super) chain: Vec<StepId>,
}

/// A value and the qualifiers after it.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) root: Root,
    pub(super) expr: ExprId,
    pub(super) qualifiers: Vec<Arc<Qualifier>>,
    /// The names of the plain fields with which the qualifiers begin.
    pub(super) names: Vec<FieldName>,
    /// The index of the value above the last field, which other attributes read too.
    pub(super) parent: Option<usize>,
}

/// The name of a plain field.
#[derive(Debug)]
pub(super) struct FieldName {
    pub(super) text: Arc<str>,
    /// Where the last object had it.
    pub(super) place: Place,
}

impl From<&Arc<str>> for FieldName {
    fn from(text: &Arc<str>) -> Self {
        Self {
            text: Arc::clone(text),
            place: Place::default(),
        }
    }
}

#[derive(Debug)]
pub(super) enum Root {
    /// A variable of the environment, by its index in [`Code::variables`].
    Variable(u32),
    /// A variable of a comprehension: how many comprehensions out, and which of theirs.
    Local(u32, LoopVariable),
    /// The value of another step.
    Step(StepId),
    /// `c ? a : b`. Both branches also have all the qualifiers after it.
    Conditional(StepId, AttributeId, AttributeId),
}

/// The variables of a comprehension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopVariable {
    First,
    Second,
    Accumulator,
}

/// `.field`, `[index]`, `.?field`, `[?index]`.
#[derive(Debug)]
pub(super) struct Qualifier {
    pub(super) key: QualifierKey,
    pub(super) optional: bool,
    pub(super) node: NodeId,
    pub(super) expr: ExprId,
}

#[derive(Debug)]
pub(super) enum QualifierKey {
    /// A string.
    Field(Value),
    /// A number or a boolean.
    Constant(Value),
    /// The field whose presence `has()` tests.
    Presence(Value),
    /// The value of an attribute.
    Attribute(AttributeId),
    /// The value of any other expression.
    Step(StepId),
}

/// A call of a function or an operator.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: &'static str,
    /// The id of the overload; empty if the checker left several.
    pub(super) overload: &'static str,
    pub(super) operator: Option<Operator>,
    /// Whether it is an operator that returns `true` or `false`.
    pub(super) is_predicate: bool,
    pub(super) args: Box<[StepId]>,
    /// Whether the arguments after a failure are not evaluated.
    pub(super) stops_at_failure: bool,
    pub(super) dispatch: Dispatch,
    pub(super) hooks: Box<[CallCost]>,
    pub(super) rule: CostRule,
    /// The regular expression, if it is constant.
    pub(super) regex: Option<Arc<Regex>>,
    /// The operands, if they are a name with plain fields and a constant.
    pub(super) field: Option<FieldOperands>,
}

/// The operands of `object.spec.replicas <= 5` or `'key' in object.metadata.labels`.
#[derive(Debug)]
pub(super) struct FieldOperands {
    pub(super) attribute: AttributeId,
    pub(super) constant: Value,
    /// Whether the constant is the first operand.
    pub(super) is_reversed: bool,
}

/// The implementation of a call.
#[derive(Clone, Debug)]
pub(super) enum Dispatch {
    /// One implementation for all arguments.
    Direct(Implementation),
    /// The first of these whose parameters accept the arguments.
    Guarded(Box<[Guarded]>),
}

#[derive(Clone, Debug)]
pub(super) struct Guarded {
    pub(super) params: Box<[Type]>,
    pub(super) run: Implementation,
}

/// The functions of which the most common cases run without a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equals,
    NotEquals,
    Less,
    LessEquals,
    Greater,
    GreaterEquals,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Negate,
    Not,
    NotStrictlyFalse,
    In,
    Size,
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

/// The cost of a call whose function has no specific rule.
///
/// Upstream: cel-go, interpreter/runtimecost.go, `costCall`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CostRule {
    /// One unit.
    One,
    /// The size of the first argument.
    First,
    /// The size of the second argument.
    Second,
    /// The elements of the second argument.
    Elements,
    /// The size of the smaller argument, for equality.
    Equality,
    /// The size of the smaller argument.
    Smaller,
    /// The size of both arguments.
    Both,
    /// The size of the string times that of the pattern.
    Match,
    /// The size of the string times that of the substring.
    Contains,
}

/// The values of a list of constants, for `in`.
///
/// Upstream: cel-go, interpreter/decorators.go, `maybeOptimizeSetMembership`.
#[derive(Debug, Default)]
pub(super) struct ConstantSet {
    pub(super) strings: HashSet<Arc<str>, foldhash::fast::RandomState>,
    pub(super) others: Vec<ConstantKey>,
}

/// A constant other than a string, with its type: `1` and `1u` differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ConstantKey {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
}

#[derive(Debug)]
pub(super) struct ListStep {
    /// The elements, and whether a `?` precedes each.
    pub(super) elements: Box<[(StepId, bool)]>,
}

#[derive(Debug)]
pub(super) struct EntryStep {
    pub(super) key: StepId,
    pub(super) value: StepId,
    pub(super) optional: bool,
}

#[derive(Debug)]
pub(super) struct StructStep {
    pub(super) type_name: Arc<str>,
    pub(super) types: Arc<dyn crate::env::TypeProvider>,
    /// The fields, and whether a `?` precedes each.
    pub(super) fields: Box<[(Arc<str>, StepId, bool)]>,
}

/// A comprehension that has no specialized step.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) range: StepId,
    pub(super) two_variables: bool,
    pub(super) init: StepId,
    pub(super) condition: StepId,
    pub(super) step: StepId,
    pub(super) result: StepId,
}

/// A comprehension of a macro.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) range: StepId,
    pub(super) two_variables: bool,
    pub(super) kind: LoopKind,
}

#[derive(Debug)]
pub(super) enum LoopKind {
    /// `all` with `true`, `exists` with `false`.
    Quantifier(bool, StepId),
    ExistsOne(StepId),
    /// `map`, `filter`, `transformList`: the condition and the element.
    List(Option<StepId>, StepId),
    /// `transformMap`: the condition and the value.
    Map(Option<StepId>, StepId),
    /// `transformMapEntry`: the condition and the map of one entry.
    Entries(Option<StepId>, StepId),
}

/// Limit: values above a field that an evaluation keeps.
pub(super) const PARENTS: usize = 4;

/// The step for an ID of another expression.
static NOTHING: StepKind = StepKind::Constant(Value::Null);

impl Code {
    pub(super) fn step(&self, id: StepId) -> Option<&CompiledStep> {
        self.steps.get(id.0 as usize)
    }

    pub(super) fn kind(&self, id: StepId) -> &StepKind {
        self.step(id).map_or(&NOTHING, |step| &step.kind)
    }

    pub(super) fn kind_mut(&mut self, id: StepId) -> Option<&mut StepKind> {
        self.steps.get_mut(id.0 as usize).map(|step| &mut step.kind)
    }

    pub(super) fn attribute(&self, id: AttributeId) -> Option<&Attribute> {
        self.attributes.get(id.0 as usize)
    }

    pub(super) fn attribute_mut(&mut self, id: AttributeId) -> Option<&mut Attribute> {
        self.attributes.get_mut(id.0 as usize)
    }

    pub(super) fn add_step(&mut self, kind: StepKind, node: NodeId, expr: ExprId) -> StepId {
        let id = StepId(u32::try_from(self.steps.len()).unwrap_or(u32::MAX));
        self.steps.push(CompiledStep { kind, node, expr });
        id
    }

    pub(super) fn add_attribute(&mut self, attribute: Attribute) -> AttributeId {
        let id = AttributeId(u32::try_from(self.attributes.len()).unwrap_or(u32::MAX));
        self.attributes.push(attribute);
        id
    }

    /// Returns whether a step always yields `true` or `false`.
    pub(super) fn is_test(&self, id: StepId) -> bool {
        match self.kind(id) {
            StepKind::Call(call) => call.is_predicate,
            StepKind::Connective(_) | StepKind::Presence(_) | StepKind::InSet(..) => true,
            _ => false,
        }
    }

    pub(super) fn is_constant(&self, id: StepId) -> bool {
        matches!(self.kind(id), StepKind::Constant(_) | StepKind::Failure(_))
    }
}

impl Default for Code {
    fn default() -> Self {
        Self {
            steps: Vec::new(),
            attributes: Vec::new(),
            variables: Vec::new(),
            regexes: Vec::new(),
            release: u8::MAX,
            root: StepId(0),
            fails_without_fields: false,
        }
    }
}
