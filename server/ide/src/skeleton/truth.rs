//! Changes the draft so that a condition is true or false.

use super::draft::Authorization;
use super::solver::Solver;
use super::term::{Call, Code, Term, bind};
use super::want::{Order, Test, Want, int};
use cel::syntax::{BinaryOperator, MacroCall, MacroKind, UnaryOperator};
use cel::{Ast, ExprId, ExprKind, Value};
use std::sync::Arc;

/// Limit: the alternatives among the values of a list.
const MAX_VALUES: usize = 6;

/// Functions that check the format of a string, each with an example.
const SAMPLES: [(&str, &str); 7] = [
    ("isURL", "https://example.com"),
    ("isIP", "192.0.2.1"),
    ("isCIDR", "192.0.2.0/24"),
    ("isQuantity", "1"),
    ("isSemver", "1.0.0"),
    ("ip.isCanonical", "192.0.2.1"),
    ("isCanonical", "192.0.2.1"),
];

impl<'a> Solver<'a> {
    /// Changes the draft so that a term meets a requirement. Returns whether it may be met now.
    pub(super) fn want(&mut self, term: &Term, want: &Want) -> bool {
        let go = |solver: &mut Self| {
            Some(match term {
                Term::Value(value) => want.is_met_by(Some(value)),
                Term::Key(map, key) => solver.want_key(map, key, want),
                Term::Path(place) => solver.want_path(place, want),
                Term::Code(code) => solver.want_result(code, want),
            })
        };
        self.deeper(go).unwrap_or_default()
    }

    pub(super) fn want_of(&mut self, code: &Code, want: &Want) -> bool {
        let is_choice = matches!(
            self.ast(code.expression).kind(code.node),
            ExprKind::Conditional { .. } | ExprKind::Paren(_)
        );
        // A condition may be changed instead of followed.
        let term = if is_choice {
            Term::Code(code.clone())
        } else {
            self.resolve(code)
        };
        self.want(&term, want)
    }

    fn want_result(&mut self, code: &Code, want: &Want) -> bool {
        let now = self.value(&Term::Code(code.clone()));
        if want.is_met_by(now.as_ref()) {
            return true;
        }
        match want {
            Want::Compare(Order::Equal, Value::Bool(wanted)) => self.truth(code, *wanted),
            Want::Compare(Order::Unequal, Value::Bool(other)) => self.truth(code, !other),
            _ => self.result(code, want, now.as_ref()),
        }
    }

    /// Makes a condition true or false.
    pub(super) fn truth(&mut self, code: &Code, wanted: bool) -> bool {
        let ast = self.ast(code.expression);
        let want = Want::truth(wanted);
        match ast.kind(code.node) {
            ExprKind::Paren(inner) => self.want_of(&code.at(*inner), &want),
            ExprKind::Unary {
                operator: UnaryOperator::Not,
                count,
                operand,
                ..
            } => {
                let wanted = wanted != (count % 2 == 1);
                self.want_of(&code.at(*operand), &Want::truth(wanted))
            }
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => self.operator(code, *operator, (*left, *right), wanted),
            ExprKind::Conditional { .. } => self.branch(code, &want),
            ExprKind::Call { .. } => match ast.macro_call(code.node) {
                Some(call) => self.quantified(code, ast, call, wanted),
                None => self
                    .of_call(code, ast, &want)
                    .unwrap_or_else(|| self.predicate(code, ast, wanted)),
            },
            _ => false,
        }
    }

    fn operator(
        &mut self,
        code: &Code,
        operator: BinaryOperator,
        (left, right): (ExprId, ExprId),
        wanted: bool,
    ) -> bool {
        use BinaryOperator as Op;
        let order = match operator {
            Op::And | Op::Or => return self.junction(code, operator, (left, right), wanted),
            Op::In => return self.membership(&code.at(left), &code.at(right), wanted),
            Op::Equals => Order::Equal,
            Op::NotEquals => Order::Unequal,
            Op::Less => Order::Less,
            Op::LessEquals => Order::AtMost,
            Op::Greater => Order::More,
            Op::GreaterEquals => Order::AtLeast,
            _ => return false,
        };
        let order = if wanted { order } else { order.opposite() };
        self.relation(&code.at(left), &code.at(right), order)
    }

    /// Changes the draft for `a && b` and `a || b`.
    fn junction(
        &mut self,
        code: &Code,
        operator: BinaryOperator,
        (left, right): (ExprId, ExprId),
        wanted: bool,
    ) -> bool {
        let want = Want::truth(wanted);
        if (operator == BinaryOperator::And) == wanted {
            let first = self.want_of(&code.at(left), &want);
            return self.want_of(&code.at(right), &want) && first;
        }
        // Guards come first: `has(a) && a > 1`, `!has(a) || a > 1`.
        let ways = if wanted && !self.is_guard(code, left) {
            [left, right]
        } else {
            [right, left]
        };
        let way = self.choose(&ways);
        way.is_some_and(|way| self.want_of(&code.at(way), &want))
    }

    fn is_guard(&self, code: &Code, node: ExprId) -> bool {
        let ast = self.ast(code.expression);
        matches!(
            ast.kind(ast.unparenthesized(node)),
            ExprKind::Unary { .. }
                | ExprKind::Binary {
                    operator: BinaryOperator::Equals,
                    ..
                }
        )
    }

    /// Changes the draft in one branch of `c ? a : b`.
    pub(super) fn branch(&mut self, code: &Code, want: &Want) -> bool {
        let ast = self.ast(code.expression);
        let ExprKind::Conditional {
            condition,
            then,
            otherwise,
            ..
        } = ast.kind(code.node)
        else {
            return false;
        };
        let condition = code.at(*condition);
        let now = self.is_true(&condition);
        let Some(way) = self.choose(&[now, !now]) else {
            return false;
        };
        let branch = if way { *then } else { *otherwise };
        self.want_of(&condition, &Want::truth(way)) && self.want_of(&code.at(branch), want)
    }

    /// Changes the values of two parts to be in a relation.
    fn relation(&mut self, left: &Code, right: &Code, order: Order) -> bool {
        let terms = (self.resolve(left), self.resolve(right));
        let is_fixed = |term: &Term| matches!(term, Term::Value(_));
        let ways = match (is_fixed(&terms.0), is_fixed(&terms.1)) {
            (true, _) => vec![false],
            (_, true) => vec![true],
            _ => vec![true, false],
        };
        let Some(is_left) = self.choose(&ways) else {
            return false;
        };
        let (changed, other, order) = if is_left {
            (left, &terms.1, order)
        } else {
            (right, &terms.0, order.mirrored())
        };
        let mut value = self.value(other);
        if value.is_none() && self.want(other, &Want::Present(true)) {
            value = self.value(other);
        }
        value.is_some_and(|value| self.want_of(changed, &Want::Compare(order, value)))
    }

    /// Changes the draft for `a in b`.
    fn membership(&mut self, element: &Code, container: &Code, wanted: bool) -> bool {
        let (left, right) = (self.resolve(element), self.resolve(container));
        let is_fixed = matches!(left, Term::Value(_) | Term::Key(..));
        if let (Term::Path(_), true) | (Term::Path(_), false) = (&right, is_fixed)
            && let Some(value) = self.value(&left)
            && (is_fixed || self.choose(&[true, false]) == Some(true))
        {
            return self.want(&right, &Want::Includes(value, wanted));
        }
        if is_fixed && !matches!(left, Term::Key(..)) {
            let Some(value) = self.value(&left) else {
                return false;
            };
            return self.include_in(&right, &value, wanted);
        }
        let elements = self.elements(&right);
        if !wanted {
            let others = ["example", "other", "unlisted", "", "-1"].map(Value::string);
            let known: Vec<Value> = elements.iter().filter_map(|it| self.value(it)).collect();
            let is_new = |it: &Value| known.iter().all(|known| known.equals(it) != Ok(true));
            let others: Vec<Value> = others.into_iter().filter(is_new).collect();
            let numbers = known.iter().filter_map(int);
            let number = numbers.max().map(|it| Value::Int(it + 1));
            let Some(other) = number.or_else(|| self.choose(&others)) else {
                return false;
            };
            return self.want(&left, &Want::equal(other));
        }
        let elements: Vec<Term> = elements.into_iter().take(MAX_VALUES).collect();
        let value = self.choose(&elements).and_then(|it| self.value(&it));
        value.is_some_and(|value| self.want(&left, &Want::equal(value)))
    }

    /// Adds an element to a list, or removes it.
    pub(super) fn include_in(&mut self, list: &Term, value: &Value, wanted: bool) -> bool {
        if let Term::Path(_) = list {
            return self.want(list, &Want::Includes(value.clone(), wanted));
        }
        let mut elements = self.elements(list);
        if !wanted {
            let want = Want::Compare(Order::Unequal, value.clone());
            let all: Vec<bool> = elements.iter().map(|it| self.want(it, &want)).collect();
            return all.into_iter().all(|it| it);
        }
        if elements.is_empty() {
            elements.extend(self.grow(list));
        }
        let element = self.choose(&elements);
        element.is_some_and(|it| self.want(&it, &Want::equal(value.clone())))
    }

    /// Changes the draft for `has`, `all`, `exists` and `exists_one`.
    fn quantified(&mut self, code: &Code, ast: &'a Ast, call: MacroCall<'a>, wanted: bool) -> bool {
        let Some(body) = call.body.first() else {
            return false;
        };
        let each = match call.kind {
            MacroKind::Has => {
                let field = self.resolve(&code.at(*body));
                return self.want(&field, &Want::Present(wanted));
            }
            MacroKind::All => wanted,
            MacroKind::Exists | MacroKind::ExistsOne => !wanted,
            _ => return false,
        };
        let Some(target) = call.target.map(|target| code.at(target)) else {
            return false;
        };
        let list = self.resolve(&target);
        let elements = self.elements(&list);
        let want = Want::truth(wanted);
        let inner = |element: &Term, place: usize| Code {
            scope: bind(ast, call, &code.scope, element, place),
            ..code.at(*body)
        };
        if each {
            // A macro over an empty list has a constant result.
            if self.choose(&[true, false]) == Some(false) {
                return self.want(&list, &Want::Size(Order::Equal, 0));
            }
            let mut all = true;
            for (place, element) in elements.iter().enumerate() {
                all &= self.want_of(&inner(element, place), &want);
            }
            return all;
        }
        let count = elements.len();
        let ways: Vec<usize> = (0..=count).collect();
        let Some(place) = self.choose(&ways) else {
            return false;
        };
        let element = elements.get(place).cloned().or_else(|| self.grow(&list));
        element.is_some_and(|element| self.want_of(&inner(&element, place), &want))
    }

    /// Changes the draft for functions that return a boolean.
    fn predicate(&mut self, code: &Code, ast: &'a Ast, wanted: bool) -> bool {
        let Some(call) = Call::new(ast, code.node) else {
            return false;
        };
        let subject = call.subject().map(|it| code.at(it));
        let Some(subject) = subject else { return false };
        let argument = call.args.last().map(|it| code.at(*it));
        let test = match call.name {
            "startsWith" => Some(Test::Starts),
            "endsWith" => Some(Test::Ends),
            "contains" => Some(Test::Contains),
            "matches" => Some(Test::Matches),
            _ => None,
        };
        if let Some((test, argument)) = test.zip(argument.as_ref()) {
            return self.passes(&subject, test, argument, wanted) || self.any_constant(code);
        }
        let mut samples = SAMPLES.iter();
        if let Some((_, sample)) = samples.find(|(name, _)| *name == call.name) {
            let text = if wanted { sample } else { "Not Valid!" };
            let argument = argument.unwrap_or(subject);
            return self.want_of(&argument, &Want::equal(Value::string(text)));
        }
        self.method(code, call, &subject, wanted)
    }

    /// Changes the draft for methods of quantities, optionals, the authorizer and sets.
    fn method(&mut self, code: &Code, call: Call<'a>, subject: &Code, wanted: bool) -> bool {
        let argument = call.args.last().map(|it| code.at(*it));
        let either = |yes, no| if wanted { yes } else { no };
        match (call.name, argument) {
            ("isLessThan" | "isGreaterThan", Some(argument)) => {
                let order = if call.name == "isLessThan" {
                    Order::Less
                } else {
                    Order::More
                };
                let order = if wanted { order } else { order.opposite() };
                self.quantities(subject, &argument, order)
            }
            ("hasValue", None) => self.want_of(subject, &Want::Present(wanted)),
            ("allowed", None) => self.authorize(either("allow", "deny"), None),
            ("denied", None) => self.authorize(either("deny", "allow"), None),
            ("errored", None) => self.authorize(either("error", "allow"), None),
            ("contains" | "intersects" | "equivalent", Some(part)) => self.sets(
                &code.at(*call.args.first().unwrap_or(&code.node)),
                &part,
                call.name,
                wanted,
            ),
            _ => self.any_constant(code),
        }
    }

    /// Sets the decision of the authorizer.
    pub(super) fn authorize(&mut self, decision: &'static str, reason: Option<&str>) -> bool {
        let reason = reason.map(Arc::from);
        self.draft.authorizer = Some(Authorization { decision, reason });
        self.changed();
        true
    }

    fn passes(&mut self, subject: &Code, test: Test, part: &Code, wanted: bool) -> bool {
        let Some(part) = self
            .value_of(part)
            .and_then(|it| it.as_str().map(Arc::from))
        else {
            return false;
        };
        self.want_of(subject, &Want::Text(test, part, wanted))
    }

    fn sets(&mut self, list: &Code, part: &Code, name: &str, wanted: bool) -> bool {
        let list = self.resolve(list);
        let parts = self.elements_of(part);
        let values: Vec<Value> = parts.iter().filter_map(|it| self.value(it)).collect();
        let enough = match (name, wanted) {
            ("contains" | "equivalent", true) | ("intersects", false) => values.len(),
            _ => 1,
        };
        let values = values.iter().take(enough);
        let all: Vec<bool> = values
            .map(|it| self.include_in(&list, it, wanted))
            .collect();
        !all.is_empty() && all.into_iter().all(|it| it)
    }
}
