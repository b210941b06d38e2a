//! Manifests, inputs and mutations.

use crate::parts;
use admission::{EvaluationLimits, Resources};
use evaluation::run::{
    Evaluator, PolicyServer, PreparedInput, Programs, read_object, related_server_with,
};
use evaluation::{input, samples};
use ide::{Settings, SourceFile};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;

/// A policy with both kinds of patches, for the object of every input.
const MUTATION: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: p.example.com}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
    - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*']}
  mutations:
";

/// Parses a file and reports its findings, at ranges that the file has.
pub(crate) fn yaml(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let stream = yaml::parse(Arc::from(&*text));
    for error in stream.errors() {
        at(&text, error.range);
        let _ = error.message();
    }
    let file = SourceFile::new(text.as_ref());
    for finding in ide::diagnose(&file, &Settings::default()) {
        at(&text, finding.range);
        for fix in &finding.fixes {
            let _ = text::apply_edits(&text, &fix.edits);
        }
    }
    let _ = ide::document_symbols(&file);
    let _ = read_object(&text);
}

/// Evaluates the policies of the first part against the inputs in the second.
pub(crate) fn inputs(data: &[u8]) {
    let mut parts = parts(data);
    let policies = parts.next().unwrap_or_default();
    let inputs = parts.next().unwrap_or_default();
    evaluate(&policies, &inputs);
}

/// Evaluates the mutation of the first part on the object in the second.
pub(crate) fn mutation(data: &[u8]) {
    let mut parts = parts(data);
    let expression = parts.next().unwrap_or_default().replace('\n', " ");
    let object = parts.next().unwrap_or_default().replace('\n', " ");
    let mutation = |kind: &str, field: &str| {
        format!("  - {{patchType: {kind}, {field}: {{expression: {expression:?}}}}}\n")
    };
    let patch = mutation("JSONPatch", "jsonPatch");
    let configuration = mutation("ApplyConfiguration", "applyConfiguration");
    let policy = format!("{MUTATION}{patch}{configuration}");
    evaluate(&policy, &format!("object: {object}\n"));
}

fn evaluate(policies: &str, inputs: &str) {
    let file = SourceFile::new(policies);
    let path = Path::new("/nowhere/p.inputs.yaml");
    let read = input::read(path, inputs);
    for error in &read.errors {
        at(inputs, error.range);
        let _ = error.kind.to_string();
    }
    let samples = samples::read(path, inputs);
    let kinds = file.project().kinds();
    let related = related_server_with(kinds, Resources::default(), [], &samples);
    let prepared = read.inputs.into_iter().map(Arc::new);
    let prepared: Vec<Arc<PreparedInput>> = prepared
        .map(|input| Arc::new(PreparedInput::new(input, kinds, &Resources::default())))
        .collect();
    let programs = Programs::new(file.policies());
    let evaluator = Evaluator {
        policies: file.policies(),
        programs: &programs,
        server: &PolicyServer::new(file.policies(), &programs, &related),
        inputs: &prepared,
        limits: &EvaluationLimits::default(),
    };
    for policy in 0..file.policies().len() {
        let _ = evaluator.summary(policy);
        for input in &prepared {
            let _ = evaluator.mutation(policy, input);
        }
    }
}

/// Checks that a file has a range.
fn at(text: &str, range: TextRange) {
    let range = std::ops::Range::<usize>::from(range);
    assert!(text.get(range.clone()).is_some(), "{range:?} in {text:?}");
}
