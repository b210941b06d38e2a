//! `typecheck.jsonl`: a policy, and the warnings of Kubernetes' type checker in its status.
//!
//! A warning contains all kinds and all errors, and is compared exactly, including the position and
//! the order.

use super::case::{Case, Outcome};
use super::compilation::same;
use kubernetes::openapi::{Catalog, Definitions};
use kubernetes::{ServerVersion, Target};
use policy::typecheck::kinds::KindChecks;
use policy::{PolicyDocument, recognize_for};
use serde_json::Value;
use std::sync::Arc;

/// Checks the whole result.
pub(super) fn check(case: &Case) -> Outcome {
    let crds = case.get(&["crds"]).and_then(Value::as_array);
    let crds = crds.into_iter().flatten().filter_map(Value::as_str);
    let definitions = crds
        .flat_map(|text| read(text).into_iter())
        .filter_map(|document| Definitions::from_crd(document.root()))
        .map(Arc::new);
    let catalog =
        Arc::new(Catalog::built_in(ServerVersion::COMPARED).with_definitions(definitions));
    let policies = read(case.require(&["manifest"])?);
    let [document] = policies.as_slice() else {
        return Err(format!("{} policies instead of one", policies.len()));
    };
    let checks = KindChecks::new(document, &catalog);
    compare(case, &checks)
}

fn read(text: &str) -> Vec<Arc<PolicyDocument>> {
    let stream = Arc::new(yaml::parse(text.into()));
    let target = Target::new(ServerVersion::COMPARED, ServerVersion::COMPARED).unwrap_or_default();
    recognize_for(&stream, target).policies
}

fn compare(case: &Case, checks: &KindChecks) -> Outcome {
    let expected = case.get(&["expect", "warnings"]).and_then(Value::as_array);
    let expected = expected.ok_or("malformed: no list `expect.warnings`")?;
    let text = |at: usize, key: &str| expected.get(at)?.get(key)?.as_str();
    let ours = checks.warnings();
    for at in 0..expected.len().max(ours.len()) {
        let warning = ours.get(at);
        let field = warning.map(|warning| warning.field_path.as_str());
        same("field", field, text(at, "fieldRef"))?;
        let words = warning.map(|warning| without_numbers(&warning.text));
        let expected = text(at, "warning").map(without_numbers);
        same("warning", words.as_deref(), expected.as_deref())?;
    }
    Ok(())
}

/// Returns a warning without the numbers of type variables: cel-go assigns them in the order of a
/// Go map, which varies.
///
/// Upstream: cel-go, common/decls/decls.go, `TypeParams`.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split("_var");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        text + "_var" + rest
    })
}
