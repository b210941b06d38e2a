//! The plugin TaintNodesByCondition: a new node is not ready.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/nodetaint/admission.go.

use super::{Cluster, Notes, PluginResult};
use crate::create_defaults::default;
use crate::map::map;
use crate::request::{Operation, Request};
use cel::Value;
use cel::value::Map;

pub(super) fn admit(request: &mut Request, _: &Cluster<'_>, _: &mut Notes) -> PluginResult {
    let is_new = request.operation == Operation::Create && request.subresource.is_empty();
    let resource = (&*request.resource.group, &*request.resource.plural);
    if let Some(node) = &mut request.inputs.object
        && is_new
        && resource == ("", "nodes")
    {
        add_taint(node);
    }
    Ok(())
}

fn add_taint(node: &mut Value) {
    const NOT_READY: &str = "node.kubernetes.io/not-ready";
    let Some(fields) = node.as_map_mut() else {
        return;
    };
    default(fields, "spec", || Value::Map(Map::default()));
    let Some(spec) = fields.get_str_mut("spec").and_then(Value::as_map_mut) else {
        return;
    };
    let taints = spec.get_str("taints").and_then(Value::as_list);
    let mut taints = taints.unwrap_or_default().to_vec();
    let text = |taint: &Value, field: &str| {
        let text = taint.as_map().and_then(|it| it.get_str(field)?.as_str());
        text.unwrap_or_default().to_owned()
    };
    let is_there =
        |taint: &Value| text(taint, "key") == NOT_READY && text(taint, "effect") == "NoSchedule";
    if !taints.iter().any(is_there) {
        taints.push(map([
            ("key", Value::string(NOT_READY)),
            ("effect", Value::string("NoSchedule")),
        ]));
        spec.set_str("taints", Value::list(taints));
    }
}
