//! Comparing the object after all mutations.
//!
//! An author writes what a manifest has, and the server more: defaults, a namespace,
//! tolerations. Both objects are completed as the server does, so that a test has to name only
//! what is not always there.

use super::super::yaml::to_yaml;
use super::super::{Trial, TrialAnswer};
use super::Difference;
use crate::input::Input;
use cel::Value;
use policy::admission::Cluster;
use std::sync::Arc;

/// What the server writes into the metadata of every object.
const FILLED_IN: [&str; 5] = [
    "managedFields",
    "uid",
    "creationTimestamp",
    "resourceVersion",
    "generation",
];

/// How the object differs, if it does.
pub(super) fn difference(
    trial: &Trial<'_>,
    input: &Input,
    wanted: &Value,
    answer: &TrialAnswer,
) -> Option<Difference> {
    let mut expected = completed(trial, input, wanted);
    leave_out_filled(&mut expected, wanted);
    let found = answer.response.object.as_ref().map(|found| {
        let mut found = completed(trial, input, found);
        leave_out_filled(&mut found, wanted);
        found
    });
    (found.as_ref() != Some(&expected)).then(|| Difference::Object {
        expected: to_yaml(&expected),
        found: found.as_ref().map(to_yaml),
    })
}

/// An object as it would be stored if no policy changed it.
fn completed(trial: &Trial<'_>, input: &Input, object: &Value) -> Value {
    let cluster = trial.setup.cluster();
    let (kinds, resources) = (cluster.kinds(), cluster.resources());
    let mut described = input.request.clone();
    described.object = Some(object.clone());
    described.raw = false;
    let Ok(request) = described.request(kinds, resources) else {
        return object.clone();
    };
    let bare = Cluster::new(Arc::clone(kinds), resources.clone());
    let response = bare.admit(&request, trial.limits);
    response.object.unwrap_or_else(|| object.clone())
}

/// Takes away what the server fills in, unless it is wanted.
fn leave_out_filled(object: &mut Value, wanted: &Value) {
    let wanted = wanted.as_map().and_then(|it| it.get_str("metadata"));
    let wanted = wanted.and_then(Value::as_map);
    let metadata = object
        .as_map_mut()
        .and_then(|it| it.get_str_mut("metadata"));
    let Some(metadata) = metadata.and_then(Value::as_map_mut) else {
        return;
    };
    for field in FILLED_IN {
        if wanted.is_none_or(|wanted| wanted.get_str(field).is_none()) {
            metadata.take_str(field);
        }
    }
}
