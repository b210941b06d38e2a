//! Thousands of validations that are aliases of one.

use super::{LONGEST, limited};
use crate::project::{GOOD, Project, finish};
use std::time::Instant;

/// The validations.
const COUNT: usize = 4_000;

const OBJECT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}\n";

#[test]
fn thousands_of_aliased_validations_take_linear_time() {
    let validation = "\n    - &v {expression: \"object.spec.replicas <= 5 && true\"}";
    let aliases = format!("{validation}{}", "\n    - *v".repeat(COUNT - 1));
    let policy = GOOD.replace("\n    - expression: object.spec.replicas <= 5", &aliases);
    assert!(policy.contains("*v"), "{policy}");
    let project = Project::new(&[("p.yaml", policy.as_str()), ("o.yaml", OBJECT)]);
    for arguments in [
        &["check", "p.yaml"][..],
        &["eval", "p.yaml", "--object", "o.yaml"],
        &["eval", "p.yaml", "--object", "o.yaml", "--format", "json"],
        &["init-input", "p.yaml"],
    ] {
        let mut command = limited();
        project.prepare(&mut command);
        let start = Instant::now();
        let run = finish(command.args(arguments).spawn().unwrap(), b"");
        let took = start.elapsed();
        assert!(took < LONGEST, "{arguments:?} {took:?}");
        assert!(run.code <= 1, "{arguments:?} {}", run.stderr);
    }
}
