//! What differs between a server and an evaluation without saying anything: random values, and
//! fields that the cases leave out.

use cel::Value;
use serde_json::Value as Json;

/// The prefix of the name of a token volume, and of our suffix, which is random on a server.
const VOLUME: &str = "kube-api-access-";
const SUFFIX: &str = "x7k2p";

/// Our UID, which is random on a server.
const UID: &str = "6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36";

/// The address of a new service, there and here.
const THEIR_ADDRESS: &str = "10.0.0.0";
const ADDRESS: &str = "10.96.0.10";

/// The fields of the metadata that a server sets and that cases do not contain.
const FILLED_IN: [&str; 5] = [
    "uid",
    "creationTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
];

/// Returns the JSON with our values in place of random ones, and with `x` in place of the five
/// letters after the prefix of a generated name.
pub(super) fn without_chance(json: Json, prefix: &str) -> Json {
    match json {
        Json::String(text) if text.starts_with(VOLUME) => format!("{VOLUME}{SUFFIX}").into(),
        Json::String(text) if is_uid(&text) => UID.into(),
        Json::String(text) if text == THEIR_ADDRESS => ADDRESS.into(),
        Json::String(text) => {
            let mut parts = text.split(prefix);
            let mut out = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                out.push_str(prefix);
                out.push('x');
                out.extend(part.chars().skip(5));
            }
            out.into()
        }
        Json::Array(list) => {
            let list = list.into_iter().filter(|it| !is_of_distribution(it));
            list.map(|it| without_chance(it, prefix)).collect()
        }
        Json::Object(map) => {
            let map = map.into_iter();
            Json::Object(
                map.map(|(key, value)| (key, without_chance(value, prefix)))
                    .collect(),
            )
        }
        other => other,
    }
}

fn is_uid(text: &str) -> bool {
    let dashes = text.match_indices('-').map(|(at, _)| at);
    text.len() == UID.len() && dashes.eq([8, 13, 18, 23])
}

/// Returns whether it is the part of a token volume that only one distribution adds.
fn is_of_distribution(source: &Json) -> bool {
    let name = source.pointer("/configMap/name").and_then(Json::as_str);
    name == Some("openshift-service-ca.crt")
}

/// Returns an object without the fields that cases do not contain.
pub(super) fn without_filled_in(mut object: Value) -> Value {
    let metadata = object
        .as_map_mut()
        .and_then(|it| it.get_str_mut("metadata"));
    if let Some(metadata) = metadata.and_then(Value::as_map_mut) {
        for field in FILLED_IN {
            metadata.take_str(field);
        }
    }
    object
}
