//! Adds the values that a policy reads to its input.

use super::draft::{PathStep, ValuePath};
use super::placeholder::map;
use super::solver::Solver;
use super::term::{Code, Term, bind};
use super::want::Want;
use crate::presence::Root;
use cel::syntax::{MacroCall, MacroKind};
use cel::{Ast, ExprKind, Value};
use kubernetes::openapi::{Schema, SchemaType};

/// Limit: the elements of a list that are visited in a loop.
const MAX_ELEMENTS: usize = 4;

impl<'a> Solver<'a> {
    /// Adds the values that the expressions of the policy read to the draft.
    pub(super) fn read_all(&mut self) {
        let expressions = self.document.expressions().iter().enumerate();
        let whole: Vec<Code> = expressions
            .filter(|(_, it)| it.parse.is_ok())
            .map(|(place, it)| self.whole_expression(place, it))
            .collect();
        for code in whole {
            self.read(&code);
        }
    }

    fn read(&mut self, code: &Code) {
        let _: Option<()> = self.deeper(|solver| {
            solver.read_within(code);
            None
        });
    }

    fn read_within(&mut self, code: &Code) {
        let ast = self.ast(code.expression);
        if let Some(call) = ast.macro_call(code.node) {
            return self.read_macro(code, ast, call);
        }
        if let ExprKind::Select { .. } | ExprKind::Index { .. } = ast.kind(code.node)
            && let Term::Path(place) = self.resolve(code)
        {
            self.read_place(&place);
            if let ExprKind::Index { index, .. } = ast.kind(code.node) {
                self.read(&code.at(*index));
            }
            return;
        }
        for child in ast.children(code.node) {
            self.read(&code.at(child));
        }
        if let ExprKind::Struct {
            type_name, fields, ..
        } = ast.kind(code.node)
            && type_name
                .last()
                .is_some_and(|name| ast.name(*name) == "JSONPatch")
        {
            let text = |solver: &mut Self, wanted: &str| {
                let field = fields.iter().find(|it| ast.name(it.name) == wanted)?;
                let value = solver.value_of(&code.at(field.value))?;
                value.as_str().map(str::to_owned)
            };
            let operation = text(self, "op").unwrap_or_default();
            if let Some(path) = text(self, "path") {
                self.read_pointer(&path, operation == "remove" || operation == "replace");
            }
            if let Some(path) = text(self, "from") {
                self.read_pointer(&path, true);
            }
        }
    }

    /// Adds the value at a JSON pointer, or only its containers.
    fn read_pointer(&mut self, pointer: &str, whole: bool) {
        let mut steps: Vec<String> = pointer
            .split('/')
            .skip(1)
            .map(|step| step.replace("~1", "/").replace("~0", "~"))
            .collect();
        if !whole && steps.pop().is_none() {
            return;
        }
        let (root, mut place) = (Root::Object, Vec::new());
        for step in steps {
            place.push(match step.parse() {
                Ok(index) => PathStep::Element(index),
                Err(_) => PathStep::Field(step.into()),
            });
        }
        let place = ValuePath { root, steps: place };
        if !place.steps.is_empty() {
            self.want_path(&place, &Want::Present(true));
        }
    }

    fn read_macro(&mut self, code: &Code, ast: &'a Ast, call: MacroCall<'a>) {
        if call.kind == MacroKind::Has {
            let of = call.body.first().map(|body| ast.kind(*body));
            if let Some(ExprKind::Select { operand, .. }) = of {
                self.read(&code.at(*operand));
            }
            return;
        }
        let Some(target) = call.target.map(|target| code.at(target)) else {
            return;
        };
        self.read(&target);
        let list = self.resolve(&target);
        let mut elements = match call.kind {
            MacroKind::OptMap | MacroKind::OptFlatMap => vec![list],
            _ => self.elements(&list),
        };
        if elements.is_empty() {
            let list = self.resolve(&target);
            elements.extend(self.grow(&list));
        }
        for (place, element) in elements.iter().take(MAX_ELEMENTS).enumerate() {
            for body in call.body {
                self.read(&Code {
                    scope: bind(ast, call, &code.scope, element, place),
                    ..code.at(*body)
                });
            }
        }
    }

    fn read_place(&mut self, place: &ValuePath) {
        let Some(first) = place.steps.first() else {
            return;
        };
        if place.root == Root::Request {
            if *first == PathStep::Field("userInfo".into()) {
                self.read_user();
            }
            return;
        }
        let schema = self.schemas.at(place);
        if schema.is_some_and(is_better_left_out) || self.is_of_subresource(place) {
            return;
        }
        let others = match place.root {
            Root::Object | Root::OldObject => vec![Root::Object, Root::OldObject],
            root => vec![root],
        };
        for root in others {
            let place = place.with_root(root);
            if self.value(&Term::Path(place.clone())).is_none() {
                self.make(&place);
            }
        }
    }

    /// Returns whether the server rejects the value at a path unless a subresource sets it.
    fn is_of_subresource(&self, place: &ValuePath) -> bool {
        let name = |step: &PathStep| matches!(step, PathStep::Field(name) if **name == *"ephemeralContainers");
        let request = self.draft.request.as_ref().and_then(Value::as_map);
        let is_whole = request.is_some_and(|it| it.get_str("subResource").is_none());
        is_whole && place.steps.iter().any(name)
    }

    /// Adds a user who is not an administrator.
    fn read_user(&mut self) {
        let Some(request) = self.draft.request.as_mut().and_then(Value::as_map_mut) else {
            return;
        };
        if request.get_str("userInfo").is_none() {
            let groups = Value::list(vec![Value::string("system:authenticated")]);
            let user = map([("username", Value::string("jane")), ("groups", groups)]);
            request.set_str("userInfo", user);
            self.changed();
        }
    }
}

/// Returns whether an example value is not useful: flags that are false, and empty values.
fn is_better_left_out(schema: Schema<'_>) -> bool {
    match schema.ty() {
        SchemaType::Boolean => true,
        SchemaType::Object => {
            let mut fields = schema.properties();
            !fields.any(|(field, _)| schema.is_required(field))
        }
        _ => false,
    }
}
