//! Rules and their values when the time is over.

use super::{DEFINITION, definition, read, validate};
use crate::crd_validation::CrdValidator;
use crate::{EvaluationLimits, Inputs, Request, Resources};
use policy::{PolicyDocument, recognize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const OBJECT: &str = "{apiVersion: x.io/v1, kind: Widget, metadata: {name: w}, spec: {x-y: 1, ratio: 2.5, count: 3}}";

const STOPPED: &str = "stopped: the evaluation takes too long";

fn document() -> Arc<PolicyDocument> {
    let stream = Arc::new(yaml::parse(definition(DEFINITION).as_str().into()));
    recognize(&stream).policies.remove(0)
}

#[test]
fn a_deadline_stops_cheap_rules() {
    let limits = EvaluationLimits::within(Duration::ZERO);
    let findings = validate(&CrdValidator::new(document()), &read(OBJECT), None, &limits);
    assert_eq!(findings.stopped, Some(STOPPED));
}

#[test]
fn the_values_of_rules_are_stopped_between_two_rules() {
    let canceled = Arc::new(AtomicBool::new(false));
    let limits = EvaluationLimits {
        canceled: Some(Arc::clone(&canceled)),
        ..EvaluationLimits::default()
    };
    let inputs = Inputs {
        object: Some(read(OBJECT)),
        ..Inputs::default()
    };
    let document = document();
    let mut resources = Resources::default();
    resources.add(&document);
    let request = Request::new(inputs, &resources).unwrap();
    let definition = CrdValidator::new(document);
    let inspection = definition.inspect(&request, &limits).unwrap();
    let stopped = |index| inspection.expression(index).unwrap().0.stopped();
    assert_eq!(stopped(0), None);
    canceled.store(true, Ordering::Relaxed);
    assert_eq!(stopped(0), Some(STOPPED));
}
