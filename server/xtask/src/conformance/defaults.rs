//! `default.jsonl`: an object with the defaults of its kind.

use super::case::{Case, Outcome};
use super::engine::from_json;
use super::request;
use kubernetes::defaults;

/// Checks that the object equals that of Kubernetes.
pub(super) fn check(case: &Case) -> Outcome {
    let mut ours = request::read(case.require(&["object"])?)?;
    defaults::apply(&request::catalog(), &mut ours);
    let expected = case.get(&["expect", "object"]);
    let expected = from_json(expected.ok_or("malformed: no `expect.object`")?);
    if ours == expected {
        return Ok(());
    }
    Err(format!("we have {ours}\nKubernetes has {expected}"))
}
