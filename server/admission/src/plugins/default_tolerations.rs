//! The plugin DefaultTolerationSeconds: a pod tolerates a failed node for a while.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/defaulttolerationseconds/admission.go.

use super::{Cluster, Notes, PluginResult};
use crate::map::map;
use crate::request::Request;
use cel::Value;

/// How long a pod tolerates a failed node, in seconds.
const TOLERATION: i64 = 300;

/// The taints of a node that fails.
const TAINTS: [&str; 2] = [
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
];

/// Adds the tolerations that every pod has to a pod.
pub(super) fn admit(request: &mut Request, _: &Cluster<'_>, _: &mut Notes) -> PluginResult {
    let is_pod = request.is_of_pod();
    let pod = request.inputs.object.as_mut().filter(|_| is_pod);
    let spec = pod.and_then(|pod| pod.as_map_mut()?.get_str_mut("spec")?.as_map_mut());
    let Some(spec) = spec else {
        return Ok(());
    };
    let tolerations = spec.get_str("tolerations").and_then(Value::as_list);
    let mut tolerations = tolerations.unwrap_or_default().to_vec();
    for taint in TAINTS {
        if !tolerations.iter().any(|it| tolerates(it, taint)) {
            tolerations.push(map([
                ("key", Value::string(taint)),
                ("operator", Value::string("Exists")),
                ("effect", Value::string("NoExecute")),
                ("tolerationSeconds", Value::Int(TOLERATION)),
            ]));
        }
    }
    spec.set_str("tolerations", Value::list(tolerations));
    Ok(())
}

fn tolerates(toleration: &Value, taint: &str) -> bool {
    let text = |field: &str| {
        let text = toleration
            .as_map()
            .and_then(|it| it.get_str(field)?.as_str());
        text.unwrap_or_default()
    };
    let key = text("key");
    let effect = text("effect");
    (key == taint || key.is_empty()) && (effect == "NoExecute" || effect.is_empty())
}
