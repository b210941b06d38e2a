//! The objects of a part of a dump, evaluated as they are read.

use super::interrupt::Interrupt;
use super::object_evaluator::ObjectEvaluator;
use super::object_outcome::ObjectOutcome;
use super::selection::Selection;
use super::tally::PartResult;
use admission::{PartTexts, SelectParts};
use cel::Value;
use policy::parts::{Parts, Readers};
use std::sync::Arc;
use workspace::{ObjectProblem, ObjectVisitor, Positions, StreamObject};

/// Evaluates objects, or counts their results if these are known.
#[derive(Debug)]
pub(super) struct PartVisitor<'w, 'p> {
    pub(super) evaluator: &'w mut ObjectEvaluator<'p>,
    pub(super) selection: &'w mut Selection<'p>,
    pub(super) result: &'w mut PartResult,
    pub(super) positions: Positions<'w>,
    pub(super) interrupt: &'w Interrupt,
}

impl PartVisitor<'_, '_> {
    fn add(&mut self, outcome: ObjectOutcome, start: usize) {
        self.result.add(outcome, || self.positions.find(start));
    }
}

impl ObjectVisitor for PartVisitor<'_, '_> {
    fn object(&mut self, object: StreamObject, texts: Option<&PartTexts>) {
        if self.interrupt.is_set() {
            return;
        }
        self.result.objects += 1;
        let missing = texts.map(|_| self.selection.missing());
        let rest = self.evaluator.evaluate_object(object.value, missing);
        match rest {
            Ok(rest) => {
                let outcome = match texts {
                    Some(texts) => self.selection.complete(texts, rest),
                    None => rest,
                };
                self.add(outcome, object.start);
            }
            Err(message) => {
                let position = self.positions.find(object.start);
                self.result.problem(Some(position), message, false);
            }
        }
    }

    fn known_object(&mut self, start: usize, texts: &PartTexts) {
        let outcome = self.selection.complete(texts, ObjectOutcome::default());
        if !self.interrupt.is_set() {
            self.result.objects += 1;
            self.add(outcome, start);
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

    fn compared_parts(&mut self, api_version: &str, kind: &str) -> Option<Arc<Parts>> {
        self.selection.compared_parts(api_version, kind)
    }

    fn readers(&mut self, texts: &PartTexts) -> Readers {
        self.selection.readers(texts)
    }
}
