//! Changes the draft so that an expression returns a required value, backward through functions.

use super::draft::ValuePath;
use super::placeholder::TEXT;
use super::solver::Solver;
use super::term::{Call, Code, Term, bind};
use super::want::{Order, Want, int};
use cel::syntax::{BinaryOperator, MacroCall, MacroKind, UnaryOperator};
use cel::{Ast, ExprId, ExprKind, Value};

/// Limit: the constants that are tried at paths, if there is no better guess.
const MAX_GUESSES: usize = 48;

/// Quantities of all sizes.
const QUANTITIES: [&str; 12] = [
    "1", "0", "1m", "100m", "500m", "2", "10", "1Ki", "100Mi", "1Gi", "1000Gi", "1000000",
];

/// Strings that functions can parse.
const GUESSES: [&str; 8] = [
    TEXT,
    "other",
    "1",
    "1.0.0",
    "192.0.2.1",
    "10.0.0.1",
    "https://example.com",
    "registry.example.com/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
];

impl<'a> Solver<'a> {
    /// Changes the draft so that a part of an expression has the wanted result. `now` is its
    /// current result.
    pub(super) fn result(&mut self, code: &Code, want: &Want, now: Option<&Value>) -> bool {
        let ast = self.ast(code.expression);
        match ast.kind(code.node) {
            ExprKind::Paren(inner) => return self.want_of(&code.at(*inner), want),
            ExprKind::Conditional { .. } => return self.branch(code, want),
            _ => {}
        }
        if let Some(is_so) = self.of_call(code, ast, want) {
            return is_so;
        }
        match want {
            Want::Size(order, size) => self.of_size(code, ast, *order, *size),
            Want::Includes(value, wanted) => {
                self.include_in(&Term::Code(code.clone()), value, *wanted)
            }
            Want::Compare(Order::Equal, Value::List(list)) if list.is_empty() => {
                self.of_size(code, ast, Order::Equal, 0)
            }
            Want::Compare(Order::Unequal, Value::List(list)) if list.is_empty() => {
                self.of_size(code, ast, Order::More, 0)
            }
            _ => {
                let values = want.satisfying(now);
                let value = self.choose(&values);
                value.is_some_and(|value| self.invert(code, ast, &value)) || self.any_constant(code)
            }
        }
    }

    /// Changes the draft for calls that pass on the wanted result.
    pub(super) fn of_call(&mut self, code: &Code, ast: &'a Ast, want: &Want) -> Option<bool> {
        let call = Call::new(ast, code.node).filter(|_| ast.macro_call(code.node).is_none())?;
        let subject = code.at(call.subject()?);
        Some(match (call.name, want) {
            ("orValue", _) => {
                let default = self.value_of(&code.at(*call.args.first()?));
                let is_default = want.is_met_by(default.as_ref());
                if is_default && self.choose(&[true, false]) == Some(true) {
                    self.want_of(&subject, &Want::Present(false))
                } else {
                    self.want_of(&subject, want)
                }
            }
            ("or" | "sort" | "distinct" | "reverse" | "dyn" | "of" | "flatten", _) => {
                self.want_of(&subject, want)
            }
            ("size", Want::Compare(order, Value::Int(size))) => {
                self.want_of(&subject, &Want::Size(*order, *size))
            }
            ("reason", Want::Compare(Order::Equal, Value::String(reason))) => {
                self.authorize("allow", Some(reason))
            }
            ("error", Want::Compare(Order::Equal, Value::String(reason))) => {
                self.authorize("error", Some(reason))
            }
            ("compareTo", Want::Compare(order, Value::Int(number))) => {
                let order = match (order, number) {
                    (Order::Equal, 1..) | (Order::AtLeast, 1..) => Order::More,
                    (Order::Equal, ..=-1) | (Order::AtMost, ..=-1) => Order::Less,
                    _ => *order,
                };
                self.quantities(&subject, &code.at(*call.args.last()?), order)
            }
            _ => return None,
        })
    }

    /// Changes the size of a list that is computed from other lists.
    fn of_size(&mut self, code: &Code, ast: &'a Ast, order: Order, size: i64) -> bool {
        let want = Want::Size(order, size);
        if let ExprKind::Binary {
            operator: BinaryOperator::Add,
            left,
            right,
            ..
        } = ast.kind(code.node)
        {
            if order.near(size) <= 0 {
                return self.want_of(&code.at(*left), &want)
                    & self.want_of(&code.at(*right), &want);
            }
            let way = self.choose(&[*left, *right]);
            return way.is_some_and(|way| self.want_of(&code.at(way), &want));
        }
        let Some(call) = ast.macro_call(code.node) else {
            let values = want.satisfying(self.value(&Term::Code(code.clone())).as_ref());
            let value = self.choose(&values);
            return value.is_some_and(|value| self.invert(code, ast, &value));
        };
        let Some(target) = call.target.map(|target| code.at(target)) else {
            return false;
        };
        let condition = match (call.kind, call.body) {
            (MacroKind::Filter, [condition]) | (MacroKind::Map, [condition, _]) => *condition,
            _ => return self.want_of(&target, &want),
        };
        self.filtered(code, call, &target, condition, order.near(size).max(0))
    }

    /// Makes a condition true for this many elements of a list, and false for the others.
    fn filtered(
        &mut self,
        code: &Code,
        call: MacroCall<'a>,
        target: &Code,
        condition: ExprId,
        wanted: i64,
    ) -> bool {
        let ast = self.ast(code.expression);
        let list = self.resolve(target);
        let mut elements = self.elements(&list);
        while i64::try_from(elements.len()).is_ok_and(|it| it < wanted.min(8)) {
            match self.grow(&list) {
                Some(element) => elements.push(element),
                None => return false,
            }
        }
        let mut all = true;
        for (place, element) in elements.iter().enumerate() {
            let inner = Code {
                scope: bind(ast, call, &code.scope, element, place),
                ..code.at(condition)
            };
            let passes = i64::try_from(place).is_ok_and(|it| it < wanted);
            all &= self.want_of(&inner, &Want::truth(passes));
        }
        all
    }

    /// Changes the draft so that a part of an expression returns this value.
    fn invert(&mut self, code: &Code, ast: &'a Ast, value: &Value) -> bool {
        match ast.kind(code.node) {
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let (left, right) = (code.at(*left), code.at(*right));
                self.invert_operator(*operator, &left, &right, value)
            }
            ExprKind::Unary {
                operator: UnaryOperator::Negate,
                operand,
                ..
            } => match value {
                Value::Int(number) => {
                    let number = Value::Int(number.saturating_neg());
                    self.want_of(&code.at(*operand), &Want::equal(number))
                }
                _ => false,
            },
            ExprKind::Index { operand, index, .. } => {
                self.invert_index(&code.at(*operand), &code.at(*index), value)
            }
            ExprKind::Call { .. } => {
                let call = Call::new(ast, code.node);
                call.is_some_and(|call| self.invert_call(code, call, value))
            }
            _ => false,
        }
    }

    fn invert_operator(
        &mut self,
        operator: BinaryOperator,
        left: &Code,
        right: &Code,
        value: &Value,
    ) -> bool {
        let (now_left, now_right) = (self.value_of(left), self.value_of(right));
        let ways = [true, false].map(|is_left| {
            let other = if is_left { &now_right } else { &now_left };
            let needed = other
                .as_ref()
                .and_then(|it| operand(operator, is_left, it, value));
            needed.map(|it| (is_left, it))
        });
        let ways: Vec<(bool, Value)> = ways.into_iter().flatten().collect();
        let Some((is_left, needed)) = self.choose(&ways) else {
            return false;
        };
        self.want_of(if is_left { left } else { right }, &Want::equal(needed))
    }

    /// Inverts `x.split(',')[0]`, and an entry of a constant map.
    fn invert_index(&mut self, of: &Code, index: &Code, value: &Value) -> bool {
        let ast = self.ast(of.expression);
        let Term::Code(of) = self.resolve(of) else {
            return false;
        };
        if let ExprKind::Map { entries } = ast.kind(of.node) {
            let is_it = |solver: &mut Self, node| {
                solver
                    .value_of(&of.at(node))
                    .is_some_and(|it| it.equals(value) == Ok(true))
            };
            let entry = entries.iter().find(|entry| is_it(self, entry.value));
            let key = entry.and_then(|entry| self.value_of(&of.at(entry.key)));
            return key.is_some_and(|key| self.want_of(index, &Want::equal(key)));
        }
        let ast = self.ast(of.expression);
        let call = Call::new(ast, of.node).filter(|call| call.name == "split");
        let Some((target, separator)) = call.and_then(|it| it.target.zip(it.args.first())) else {
            return false;
        };
        let (target, separator) = (of.at(target), self.value_of(&of.at(*separator)));
        let now = self.value_of(&target);
        let index = self.value_of(index).and_then(|it| int(&it));
        let (Some(Value::String(now)), Some(Value::String(separator)), Some(index), Some(part)) =
            (now, separator, index, value.as_str())
        else {
            return false;
        };
        let mut parts: Vec<&str> = now.split(&*separator).collect();
        let index = usize::try_from(index).unwrap_or_default().min(16);
        while parts.len() <= index {
            parts.push(TEXT);
        }
        if let Some(slot) = parts.get_mut(index) {
            *slot = part;
        }
        self.want_of(&target, &Want::equal(Value::string(parts.join(&separator))))
    }

    fn invert_call(&mut self, code: &Code, call: Call<'a>, value: &Value) -> bool {
        let Some(subject) = call.subject().map(|it| code.at(it)) else {
            return false;
        };
        if let ("join", Value::String(text)) = (call.name, value) {
            return self.join(&subject, call.args.first().map(|it| code.at(*it)), text);
        }
        let needed = match (call.name, value) {
            ("getHost" | "getHostname", Value::String(host)) => {
                Value::string(format!("https://{host}"))
            }
            ("getScheme", Value::String(scheme)) => {
                Value::string(format!("{scheme}://example.com"))
            }
            ("asInteger" | "asApproximateFloat" | "string", Value::Int(_) | Value::Double(_)) => {
                value.clone()
            }
            ("string", Value::String(text)) => {
                text.parse().map_or_else(|_| value.clone(), Value::Int)
            }
            ("int" | "uint" | "double", Value::Int(number)) => {
                let is_text = self
                    .value_of(&subject)
                    .is_none_or(|it| it.as_str().is_some());
                if is_text {
                    Value::string(number.to_string())
                } else {
                    value.clone()
                }
            }
            _ => value.clone(),
        };
        self.want_of(&subject, &Want::equal(needed))
    }

    /// Sets the elements of a list whose joined string is `text`.
    fn join(&mut self, list: &Code, separator: Option<Code>, text: &str) -> bool {
        let separator = separator.and_then(|it| self.value_of(&it));
        let separator = separator
            .as_ref()
            .and_then(Value::as_str)
            .unwrap_or_default();
        let parts: Vec<&str> = match separator {
            "" => vec![text],
            separator => text.split(separator).collect(),
        };
        let count = i64::try_from(parts.len()).unwrap_or_default();
        let size = Want::Size(Order::Equal, count);
        if !self.want_of(list, &size) {
            return false;
        }
        let elements = self.elements_of(list);
        let wanted = parts.iter().map(|part| Want::equal(Value::string(*part)));
        let mut pairs = elements.iter().zip(wanted);
        pairs.all(|(element, want)| self.want(element, &want))
    }

    /// Changes two quantities, or values with the same comparison, to be in a relation.
    pub(super) fn quantities(&mut self, left: &Code, right: &Code, order: Order) -> bool {
        let (left, right) = (self.read_text(left), self.read_text(right));
        let is_fixed = |term: &Term| matches!(term, Term::Value(_));
        let (changed, other) = if is_fixed(&left) {
            (right, left)
        } else {
            (left, right)
        };
        let mut texts: Vec<Value> = Vec::new();
        if order.holds(std::cmp::Ordering::Equal) {
            texts.extend(self.value(&other));
        }
        texts.extend(QUANTITIES.map(Value::string));
        let text = self.choose(&texts);
        text.is_some_and(|text| self.want(&changed, &Want::equal(text)))
    }

    /// Returns the term of the string that `quantity(…)` and similar functions parse.
    fn read_text(&mut self, code: &Code) -> Term {
        let term = self.resolve(code);
        let Term::Code(code) = &term else { return term };
        match Call::new(self.ast(code.expression), code.node) {
            Some(Call {
                target: None,
                args: [argument],
                ..
            }) => self.resolve(&code.at(*argument)),
            Some(Call {
                name: "orValue",
                target: Some(target),
                ..
            }) => self.resolve(&code.at(target)),
            _ => term,
        }
    }

    /// Returns the paths that a part of an expression reads.
    pub(super) fn paths_read(&mut self, code: &Code) -> Vec<ValuePath> {
        let ast = self.ast(code.expression);
        let mut places = Vec::new();
        for node in ast.descendants(code.node) {
            match self.resolve(&code.at(node)) {
                Term::Path(place) if !place.steps.is_empty() => places.push(place),
                Term::Code(inner) if inner.expression != code.expression => {
                    places.extend(
                        self.deeper(|it| Some(it.paths_read(&inner)))
                            .unwrap_or_default(),
                    );
                }
                _ => {}
            }
        }
        places
    }

    /// Sets a path that an expression reads to some constant, if there is no better guess.
    pub(super) fn any_constant(&mut self, code: &Code) -> bool {
        let mut guesses: Vec<Value> = Vec::new();
        let ast = self.ast(code.expression);
        for node in ast.ids() {
            if let ExprKind::Literal(cel::syntax::Literal::String(text)) = ast.kind(node) {
                guesses.push(Value::string(&**text));
            }
        }
        guesses.extend(GUESSES.map(Value::string));
        let mut ways = Vec::new();
        for place in self.paths_read(code) {
            let is_leaf = self.value(&Term::Path(place.clone()));
            if is_leaf.is_none_or(|it| it.as_map().is_none() && it.as_list().is_none()) {
                ways.extend(guesses.iter().map(|guess| (place.clone(), guess.clone())));
            }
        }
        ways.truncate(MAX_GUESSES);
        let way = self.choose(&ways);
        way.is_some_and(|(place, value)| self.want_path(&place, &Want::equal(value)))
    }
}

/// Returns the value that an operand must have so that an operation returns a value, given the
/// other operand.
fn operand(operator: BinaryOperator, is_left: bool, other: &Value, value: &Value) -> Option<Value> {
    match (operator, other, value) {
        (BinaryOperator::Add, Value::String(other), Value::String(value)) => {
            let rest = if is_left {
                value.strip_suffix(&**other)
            } else {
                value.strip_prefix(&**other)
            };
            rest.map(Value::string)
        }
        (operator, Value::Int(other), Value::Int(value)) => {
            let number = match (operator, is_left) {
                (BinaryOperator::Add, _) => value.checked_sub(*other),
                (BinaryOperator::Subtract, true) => value.checked_add(*other),
                (BinaryOperator::Subtract, false) => other.checked_sub(*value),
                (BinaryOperator::Multiply, _) => value.checked_div(*other),
                (BinaryOperator::Divide, true) => value.checked_mul(*other),
                (BinaryOperator::Modulo, true) => Some(*value),
                _ => None,
            };
            number.map(Value::Int)
        }
        _ => None,
    }
}
