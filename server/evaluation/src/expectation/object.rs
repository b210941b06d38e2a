//! Comparison of the object after all mutations.
//!
//! An author lists the fields that matter; the API server adds defaults, a namespace or
//! tolerations. Both objects are completed as the API server does, so that values may be
//! written as in a manifest, and then only the listed fields are compared. kat files contain
//! the whole object.

mod named;

use super::Difference;
use crate::input::{Input, Origin};
use crate::run::yaml::to_yaml;
use crate::run::{Evaluator, InputAnswer};
use admission::ApiServer;
use cel::Value;
use std::sync::Arc;

/// The metadata that the server sets in every object.
const FILLED_IN: [&str; 5] = [
    "managedFields",
    "uid",
    "creationTimestamp",
    "resourceVersion",
    "generation",
];

/// Returns how the object differs, if it does.
pub(super) fn difference(
    evaluator: &Evaluator<'_>,
    input: &Input,
    wanted: &Value,
    answer: &InputAnswer,
) -> Option<Difference> {
    let found = answer.response.object.as_ref();
    let wanted = &with_kind(wanted, found.or(input.request.object.as_ref()));
    let mut expected = completed(evaluator, input, wanted);
    leave_out_filled(&mut expected, wanted);
    let mut found = found.map(|found| {
        let mut found = completed(evaluator, input, found);
        leave_out_filled(&mut found, wanted);
        found
    });
    if input.origin != Origin::Kat {
        let schema = evaluator.server.api_server().kinds().schema_of(wanted);
        let there = found.as_ref().unwrap_or(&expected);
        let (left, right) = named::named(wanted, &expected, there, schema);
        expected = left;
        found = found.and(right);
    }
    (found.as_ref() != Some(&expected)).then(|| Difference::Object {
        expected: to_yaml(&expected),
        found: found.as_ref().map(to_yaml),
    })
}

/// Returns the object with the kind and the version of another one, if it does not name them.
fn with_kind(wanted: &Value, of: Option<&Value>) -> Value {
    let mut wanted = wanted.clone();
    let of = of.and_then(Value::as_map);
    if let Some((map, of)) = wanted.as_map_mut().zip(of) {
        for key in ["apiVersion", "kind"] {
            if let (None, Some(value)) = (map.get_str(key), of.get_str(key)) {
                map.set_str(key, value.clone());
            }
        }
    }
    wanted
}

/// Returns an object as it would be stored if no policy changed it.
fn completed(evaluator: &Evaluator<'_>, input: &Input, object: &Value) -> Value {
    let api_server = evaluator.server.api_server();
    let (kinds, resources) = (api_server.kinds(), api_server.resources());
    let mut described = input.request.clone();
    described.object = Some(object.clone());
    described.raw = false;
    let Ok(request) = described.request(kinds, resources) else {
        return object.clone();
    };
    let bare = ApiServer::new(Arc::clone(kinds), resources.clone());
    let completed = bare.completed(&request);
    completed.unwrap_or_else(|| object.clone())
}

/// Removes the fields that the server sets, unless they are expected.
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
