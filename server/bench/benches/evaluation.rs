//! A policy with ten validations on a Deployment, from the request to the decisions.
//!
//! An editor does this after every keystroke for every input, a server for every request.
//! Everything is compiled before. `cargo bench -p bench --bench evaluation`.

use admission::{CompiledPolicy, EvaluationLimits, Inputs, Request, Resources, Verdict};
use cel::Value;
use divan::{Bencher, black_box};
use kubernetes::defaults;
use kubernetes::openapi::Catalog;
use policy::recognize;
use std::sync::Arc;

/// A policy with ten validations of a Deployment.
const POLICY: &str = include_str!("policies/deployment.yaml");
/// A Deployment with three containers.
const DEPLOYMENT: &str = include_str!("manifests/deployment.json");

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// All validations hold.
#[divan::bench]
fn ten_validations(bencher: Bencher<'_, '_>) {
    let recognition = recognize(&Arc::new(yaml::parse(POLICY.into())));
    let Some(document) = recognition.policies.into_iter().next() else {
        return;
    };
    let compiled = CompiledPolicy::new(&document);
    let stream = yaml::parse(DEPLOYMENT.into());
    let root = stream.documents().next().and_then(yaml::Document::root);
    let mut object = root.and_then(kubernetes::object).unwrap_or(Value::Null);
    defaults::apply(
        &Catalog::built_in(kubernetes::ServerVersion(36)),
        &mut object,
    );
    let inputs = Inputs {
        object: Some(object),
        ..Inputs::default()
    };
    let Ok(request) = Request::new(inputs, &Resources::default()) else {
        return;
    };
    let limits = EvaluationLimits::default();
    let evaluation = compiled.evaluate(&document, &request, &limits);
    assert_eq!(
        evaluation.verdict,
        Verdict::Allowed,
        "{:?}",
        evaluation.decisions
    );
    assert_eq!(evaluation.decisions.len(), 10);
    bencher.bench(|| compiled.evaluate(&document, black_box(&request), &limits));
}
