//! The validation of constants.
//!
//! A constant that a function cannot parse fails whenever the expression runs, so Kubernetes
//! rejects it. It also rejects literals of mixed types, but not in the arguments of `format()`,
//! whose positions it compares with the string instead.
//!
//! Upstream: cel-go, cel/validator.go; ext/formatting.go, `stringFormatValidator`.

mod format;

use super::{CheckErrorKind, Reference};
use crate::env::Env;
use crate::expand::{Expansion, NodeId, NodeKind};
use crate::library::Context;
use crate::regex::Regex;
use crate::syntax::Literal;
use crate::types::Type;
use crate::value::Value;

/// A checked expression whose constants are validated.
pub(super) struct Validator<'a> {
    env: &'a Env,
    expansion: &'a Expansion,
    types: &'a [Type],
    references: &'a [Option<Reference>],
    found: Vec<(NodeId, CheckErrorKind)>,
}

/// Returns the errors, in cel-go's order.
pub(super) fn validate(
    env: &Env,
    expansion: &Expansion,
    types: &[Type],
    references: &[Option<Reference>],
) -> Vec<(NodeId, CheckErrorKind)> {
    let mut validator = Validator {
        env,
        expansion,
        types,
        references,
        found: Vec::new(),
    };
    let rules = env.rules();
    if !rules.specification {
        validator.literals();
    }
    if rules.validates_constants {
        validator.constants("duration");
        validator.constants("timestamp");
        validator.constants("matches");
        validator.formats();
    }
    validator.found
}

impl<'a> Validator<'a> {
    /// Returns the calls of a function, inner ones first, with target and arguments.
    fn calls(
        &self,
        name: &'static str,
    ) -> impl Iterator<Item = (NodeId, Option<NodeId>, &'a [NodeId])> + use<'a> {
        let expansion = self.expansion;
        expansion
            .ids()
            .filter_map(move |id| match expansion.kind(id) {
                NodeKind::Call {
                    target,
                    function,
                    args,
                } if **function == *name => Some((id, *target, &**args)),
                _ => None,
            })
    }

    fn type_of(&self, node: NodeId) -> &'a Type {
        self.types.get(node.index()).unwrap_or(&Type::Error)
    }

    fn constants(&mut self, function: &'static str) {
        for (_, _, args) in self.calls(function) {
            let Some(arg) = args.first() else { continue };
            let NodeKind::Literal(literal) = self.expansion.kind(*arg) else {
                continue;
            };
            let is_read = match (function, literal) {
                ("matches", Literal::String(pattern)) => Regex::new(pattern).is_ok(),
                _ => self.can_run(function, literal),
            };
            if !is_read {
                let kind = CheckErrorKind::InvalidArgument { function };
                self.found.push((*arg, kind));
            }
        }
    }

    /// Returns whether a function accepts a constant. True if this cannot be tested.
    fn can_run(&self, function: &str, literal: &Literal) -> bool {
        let (value, ty) = match literal {
            Literal::String(text) => (Value::string(&**text), Type::String),
            Literal::Int(number) => (Value::Int(*number), Type::Int),
            // Durations and timestamps can be null for the checker, but not for the functions.
            Literal::Null => return false,
            _ => return true,
        };
        let overloads = self.env.function(function).map(|it| &it.overloads);
        let overload = overloads.and_then(|all| all.iter().find(|it| *it.params == [ty.clone()]));
        let Some(run) = overload.and_then(|overload| overload.implementation()) else {
            return true;
        };
        run(&Context::default(), &[value]).is_ok()
    }

    /// Returns whether each node is below a call of `format`. Empty if there is no such call.
    fn below_format(&self) -> Vec<bool> {
        let mut below = Vec::new();
        for (call, ..) in self.calls("format") {
            below.resize(self.expansion.len(), false);
            if let Some(cell) = below.get_mut(call.index()) {
                *cell = true;
            }
        }
        if below.is_empty() {
            return below;
        }
        for id in self.expansion.ids().rev() {
            if below.get(id.index()) != Some(&true) {
                continue;
            }
            self.expansion.kind(id).each_child(|child| {
                if let Some(cell) = below.get_mut(child.index()) {
                    *cell = true;
                }
            });
        }
        below
    }

    fn literals(&mut self) {
        let large = |kind: &NodeKind| match kind {
            NodeKind::List { elements, .. } => elements.len() > 1,
            NodeKind::Map(entries) => entries.len() > 1,
            _ => false,
        };
        let expansion = self.expansion;
        let mut literals = expansion.ids().filter(|id| large(expansion.kind(*id)));
        let Some(first) = literals.next() else { return };
        let below = self.below_format();
        let literals: Vec<NodeId> = [first].into_iter().chain(literals).collect();
        let judged: Vec<NodeId> = literals
            .into_iter()
            .filter(|id| below.get(id.index()) != Some(&true))
            .collect();
        for id in &judged {
            if let NodeKind::List { elements, optional } = expansion.kind(*id) {
                self.elements(elements, optional);
            }
        }
        for id in &judged {
            if let NodeKind::Map(entries) = expansion.kind(*id) {
                let mut first: Option<(&Type, &Type)> = None;
                for entry in entries {
                    let key = self.type_of(entry.key);
                    let value = self.value_type(entry.value, entry.optional);
                    let (first_key, first_value) = *first.get_or_insert((key, value));
                    self.compare(first_key, key, entry.key);
                    self.compare(first_value, value, entry.value);
                }
            }
        }
    }

    /// Reports the first element whose type differs from that of the first element.
    fn elements(&mut self, elements: &[NodeId], optional: &[u32]) {
        let mut first = None;
        for (element, index) in elements.iter().zip(0_u32..) {
            let ty = self.value_type(*element, optional.binary_search(&index).is_ok());
            let first = *first.get_or_insert(ty);
            if !self.compare(first, ty, *element) {
                return;
            }
        }
    }

    fn value_type(&self, node: NodeId, optional: bool) -> &'a Type {
        match self.type_of(node) {
            Type::Optional(value) if optional => value,
            other => other,
        }
    }

    fn compare(&mut self, expected: &Type, found: &Type, node: NodeId) -> bool {
        if is_equivalent(expected, found) {
            return true;
        }
        let kind = CheckErrorKind::TypeMismatch {
            expected: expected.clone(),
            found: found.clone(),
        };
        self.found.push((node, kind));
        false
    }

    fn formats(&mut self) {
        for (call, target, args) in self.calls("format") {
            let Some(NodeKind::Literal(Literal::String(text))) =
                target.map(|target| self.expansion.kind(target))
            else {
                continue;
            };
            let [list] = args else { continue };
            let NodeKind::List { elements, .. } = self.expansion.kind(*list) else {
                continue;
            };
            if !self.is_string_format(call) {
                continue;
            }
            if let Some((node, message)) = format::error(self, text, elements) {
                let message = message.into();
                let kind = CheckErrorKind::Format { message };
                self.found.push((node.unwrap_or(call), kind));
            }
        }
    }

    fn is_string_format(&self, call: NodeId) -> bool {
        let reference = self.references.get(call.index()).and_then(Option::as_ref);
        let Some(Reference::Function { name, overloads }) = reference else {
            return true;
        };
        let declared = self.env.function(name).map_or(&[][..], |it| &it.overloads);
        overloads
            .iter()
            .filter_map(|index| declared.get(index))
            .any(|overload| overload.id() == "string_format")
    }
}

/// Returns whether two types are the same, with or without a `wrapper` around a part.
fn is_equivalent(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Nullable(a), b) | (b, Type::Nullable(a)) => is_equivalent(a, b),
        (Type::List(a), Type::List(b))
        | (Type::Optional(a), Type::Optional(b))
        | (Type::Type(Some(a)), Type::Type(Some(b))) => is_equivalent(a, b),
        (Type::Map(a), Type::Map(b)) => is_equivalent(&a.0, &b.0) && is_equivalent(&a.1, &b.1),
        (a, b) => a == b,
    }
}
