#![doc = include_str!("non_scalar_set.md")]

use crate::diagnostics::{Finding, RuleContext};
use kubernetes::versions::changes::SETS_ARE_SCALAR;
use policy::Kind;
use policy::manifest::version_schemas;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let documents = context.policies().map(|facts| facts.document);
    let definitions = documents.filter(|document| {
        document.kind() == Kind::CustomResourceDefinition
            && SETS_ARE_SCALAR.applies(document.target().newest())
    });
    for document in definitions {
        let versions = version_schemas(document.root()).into_iter();
        for schema in versions.flat_map(|(_, schema)| schema.all()) {
            let is_set = schema.text("x-kubernetes-list-type") == "set";
            let items = schema.schema("items").map_or("", |items| items.ty());
            let place = schema.node().get("x-kubernetes-list-type");
            if let (true, "object" | "array", Some(place)) = (is_set, items, place) {
                let message = format!(
                    "Server-side apply and validation rules do not support a set of type \
                     `{items}`. Use the list type `map` with keys, or `atomic`."
                );
                let upstream = format!(
                    "x-kubernetes-list-type: set for items of type \"{items}\" is not supported \
                     by server-side apply or CEL validation rules"
                );
                found.push(Finding::new(place.range(), message).upstream(upstream));
            }
        }
    }
}

#[cfg(test)]
mod tests;
