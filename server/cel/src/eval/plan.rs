//! Compiling an expression to steps.
//!
//! Upstream: cel-go, interpreter/planner.go, and interpreter/decorators.go for the parts that
//! are computed before the expression runs: lists and maps of constants, conversions of
//! constants, sets of constants and regular expressions.

mod attributes;
mod calls;
mod loops;

pub(super) use calls::{CONVERSIONS, UNGUARDED};

use super::code::{
    AttributeId, Code, EntryStep, ListStep, LoopVariable, Root, StepId, StepKind, StructStep,
};
use super::frame::Frame;
use super::limits::Limits;
use super::record::Silent;
use super::run::Run;
use super::{Bindings, ProgramError};
use crate::check::{Checked, Reference, type_value};
use crate::env::Env;
use crate::expand::{Expansion, MapEntry, Node, NodeId, NodeKind, StructField};
use crate::types::Type;
use crate::value::{EvalError, Value};
use std::sync::Arc;

/// Compiles a checked expression. If it is `lenient`, a part that cannot be compiled fails when it
/// is evaluated.
pub(super) fn plan(checked: &Checked, env: &Env, lenient: bool) -> Result<Code, ProgramError> {
    let mut planner = Planner {
        lenient,
        checked,
        expansion: checked.expansion(),
        env,
        code: Code {
            release: env.release(),
            ..Code::default()
        },
        scopes: Vec::new(),
        planned: vec![None; checked.expansion().len()],
    };
    planner.code.fails_without_fields = env.rules().specification;
    planner.code.root = planner.plan(planner.expansion.root())?;
    planner.code.share_parents();
    Ok(planner.code)
}

struct Planner<'a> {
    lenient: bool,
    checked: &'a Checked,
    expansion: &'a Expansion,
    env: &'a Env,
    code: Code,
    /// The variables of the comprehensions around the node.
    scopes: Vec<Scope>,
    /// By node, the step that it became: a macro can name a node twice.
    planned: Vec<Option<StepId>>,
}

/// The variables of a comprehension.
#[derive(Clone, Debug)]
struct Scope {
    first: Arc<str>,
    second: Option<Arc<str>>,
    accumulator: Arc<str>,
    /// Only the accumulator is in scope in the result.
    only_accumulator: bool,
}

type Planned<T = StepId> = Result<T, ProgramError>;

impl Planner<'_> {
    fn plan(&mut self, id: NodeId) -> Planned {
        if let Some(step) = self.planned.get(id.index()).copied().flatten() {
            return Ok(step);
        }
        let Some(node) = self.expansion.node(id) else {
            return Err(self.error_at(id, EvalError::message("the expression is incomplete")));
        };
        let step = match self.step(id, node) {
            Err(error) if self.lenient => {
                self.add(StepKind::Failure(error.reason().clone()), id, node)
            }
            step => step?,
        };
        if let Some(cell) = self.planned.get_mut(id.index()) {
            *cell = Some(step);
        }
        Ok(step)
    }

    fn step(&mut self, id: NodeId, node: &Node) -> Planned {
        Ok(match &node.kind {
            NodeKind::Error => {
                return Err(self.error_at(id, EvalError::message("the expression is incomplete")));
            }
            NodeKind::Literal(literal) => self.constant(id, node, Value::from(literal)),
            NodeKind::Ident(name) => self.ident(id, node, name)?,
            NodeKind::Select {
                operand,
                field,
                test_only,
            } => self.select(id, node, *operand, field, *test_only)?,
            NodeKind::Call {
                target,
                function,
                args,
            } => self.call(id, node, *target, function, args)?,
            NodeKind::List { elements, optional } => self.list(id, node, elements, optional)?,
            NodeKind::Map(entries) => self.map(id, node, entries)?,
            NodeKind::Struct { type_name, fields } => {
                self.structure(id, node, type_name, fields)?
            }
            NodeKind::Comprehension(comprehension) => {
                self.comprehension(id, node, comprehension)?
            }
        })
    }

    fn error_at(&self, node: NodeId, reason: EvalError) -> ProgramError {
        let expr = self.expansion.node(node).map(|node| node.origin);
        ProgramError::new(reason, expr)
    }

    fn add(&mut self, kind: StepKind, id: NodeId, node: &Node) -> StepId {
        self.code.add_step(kind, id, node.origin)
    }

    fn constant(&mut self, id: NodeId, node: &Node, value: Value) -> StepId {
        self.add(StepKind::Constant(value), id, node)
    }

    /// Plans a name. The name of a type, or of a variable that holds a type, is looked up in the
    /// environment at compile time.
    ///
    /// Upstream: cel-go, interpreter/planner.go, `planCheckedIdent`.
    fn ident(&mut self, id: NodeId, node: &Node, name: &Arc<str>) -> Planned {
        let name: Arc<str> = match self.checked.reference(id) {
            Some(Reference::Type(_)) => self.written_name(id).into(),
            Some(Reference::Variable(full)) => Arc::clone(full),
            _ => return Ok(self.variable(id, node, name)),
        };
        if !matches!(self.checked.type_of(id), Type::Type(_)) {
            return Ok(self.variable(id, node, &name));
        }
        match type_value(self.env, &name) {
            Some(ty) => Ok(self.constant(id, node, Value::Type(Arc::new(ty)))),
            None => {
                let message = format!("reference to undefined type: {name}");
                Err(self.error_at(id, EvalError::message(message)))
            }
        }
    }

    /// Returns the name that a chain of fields is.
    fn written_name(&self, mut id: NodeId) -> String {
        let mut fields = Vec::new();
        loop {
            match self.expansion.kind(id) {
                NodeKind::Select { operand, field, .. } => {
                    fields.push(&**field);
                    id = *operand;
                }
                NodeKind::Ident(name) => {
                    fields.push(name.strip_prefix('.').unwrap_or(name));
                    break;
                }
                _ => break,
            }
        }
        fields.reverse();
        fields.join(".")
    }

    fn variable(&mut self, id: NodeId, node: &Node, name: &Arc<str>) -> StepId {
        let root = match self.local(name) {
            Some((up, local)) => Root::Local(up, local),
            None => Root::Variable(self.global(name)),
        };
        let attribute = self.new_attribute(root, node.origin);
        self.add(StepKind::Attribute(attribute), id, node)
    }

    /// Returns the variable of a comprehension that has this name.
    fn local(&self, name: &str) -> Option<(u32, LoopVariable)> {
        let scopes = (0..).zip(self.scopes.iter().rev());
        scopes.into_iter().find_map(|(up, scope)| {
            let local = if *scope.accumulator == *name {
                LoopVariable::Accumulator
            } else if scope.only_accumulator {
                return None;
            } else if *scope.first == *name {
                LoopVariable::First
            } else if scope.second.as_deref() == Some(name) {
                LoopVariable::Second
            } else {
                return None;
            };
            Some((up, local))
        })
    }

    /// Returns the index of a variable of the environment.
    fn global(&mut self, name: &str) -> u32 {
        let name = name.strip_prefix('.').unwrap_or(name);
        let known = self.code.variables.iter().position(|it| **it == *name);
        let place = known.unwrap_or_else(|| {
            self.code.variables.push(name.into());
            self.code.variables.len() - 1
        });
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    fn list(&mut self, id: NodeId, node: &Node, elements: &[NodeId], optional: &[u32]) -> Planned {
        let mut steps = Vec::with_capacity(elements.len());
        for (index, element) in (0_u32..).zip(elements) {
            steps.push((self.plan(*element)?, optional.contains(&index)));
        }
        let constant = steps.iter().all(|(step, _)| self.code.is_constant(*step));
        let elements = steps.into_boxed_slice();
        let step = self.add(StepKind::List(Box::new(ListStep { elements })), id, node);
        Ok(self.fold_if(constant, step, id, node))
    }

    fn map(&mut self, id: NodeId, node: &Node, entries: &[MapEntry]) -> Planned {
        let mut steps = Vec::with_capacity(entries.len());
        let mut constant = true;
        for entry in entries {
            let (key, value) = (self.plan(entry.key)?, self.plan(entry.value)?);
            constant &= self.code.is_constant(key) && self.code.is_constant(value);
            steps.push(EntryStep {
                key,
                value,
                optional: entry.optional,
            });
        }
        let step = self.add(StepKind::Map(steps.into_boxed_slice()), id, node);
        Ok(self.fold_if(constant, step, id, node))
    }

    fn structure(
        &mut self,
        id: NodeId,
        node: &Node,
        type_name: &Arc<str>,
        fields: &[StructField],
    ) -> Planned {
        let mut steps = Vec::with_capacity(fields.len());
        for field in fields {
            let value = self.plan(field.value)?;
            steps.push((Arc::clone(&field.name), value, field.optional));
        }
        let name = type_name.strip_prefix('.').unwrap_or(type_name);
        let step = StepKind::Struct(Box::new(StructStep {
            type_name: name.into(),
            types: self.env.shared_types(),
            fields: steps.into_boxed_slice(),
        }));
        Ok(self.add(step, id, node))
    }

    /// Evaluates a step now if all its operands are constant. It costs nothing at run time.
    fn fold_if(&mut self, constant: bool, step: StepId, id: NodeId, node: &Node) -> StepId {
        if !constant {
            return step;
        }
        let kind = match self.value_now(step) {
            Ok(value) => StepKind::Constant(value),
            Err(error) => StepKind::Failure(error),
        };
        self.add(kind, id, node)
    }

    fn value_now(&self, step: StepId) -> Result<Value, EvalError> {
        let (bindings, limits) = (Bindings::default(), Limits::default());
        let run = Run::new(&self.code, &bindings, &limits, Silent);
        let value = run.eval(step, &Frame::NONE)?;
        Ok(value.into_owned())
    }

    fn constant_value(&self, step: StepId) -> Option<&Value> {
        match self.code.kind(step) {
            StepKind::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn attribute_of(&self, step: StepId) -> Option<AttributeId> {
        match self.code.kind(step) {
            StepKind::Attribute(attribute) | StepKind::Presence(attribute) => Some(*attribute),
            _ => None,
        }
    }
}
