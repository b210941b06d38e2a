//! The objects of a part of a dump, evaluated as they are read.

use super::interrupt::Interrupt;
use super::object_evaluator::ObjectEvaluator;
use super::selection::Selection;
use super::tally::PartResult;
use admission::SelectParts;
use cel::Value;
use policy::parts::Parts;
use std::sync::Arc;
use workspace::{ObjectProblem, ObjectVisitor, Positions, StreamObject};

/// Evaluates objects.
#[derive(Debug)]
pub(super) struct PartVisitor<'w, 'p> {
    pub(super) evaluator: &'w mut ObjectEvaluator<'p>,
    pub(super) selection: &'w mut Selection<'p>,
    pub(super) result: &'w mut PartResult,
    pub(super) positions: Positions<'w>,
    pub(super) interrupt: &'w Interrupt,
}

impl ObjectVisitor for PartVisitor<'_, '_> {
    fn object(&mut self, object: StreamObject) {
        if self.interrupt.is_set() {
            return;
        }
        self.result.objects += 1;
        match self.evaluator.evaluate_object(object.value) {
            Ok(outcome) => self
                .result
                .add(outcome, || self.positions.find(object.start)),
            Err(message) => {
                let position = self.positions.find(object.start);
                self.result.problem(Some(position), message, false);
            }
        }
    }

    fn problem(&mut self, problem: ObjectProblem) {
        let message = problem.kind.to_string();
        self.result
            .problem(Some(problem.position), message, problem.is_final);
    }
}

impl SelectParts for PartVisitor<'_, '_> {
    fn parts(&mut self, api_version: &str, kind: &str) -> Option<Arc<Parts>> {
        self.selection.parts(api_version, kind)
    }

    fn suffices(&self, object: &Value) -> bool {
        self.selection.suffices(object)
    }
}
