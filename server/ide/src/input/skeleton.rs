//! A new input for a policy, with the fields that the policy reads.
//!
//! Who writes a test starts with an object that the policy looks at. What it looks at is in
//! its rules, what it reads is in its expressions, and which values are allowed there is in
//! the schema of the kind. So the input can be written but for the values that matter.

mod needs;
mod shape;
mod target;

use super::read;
use crate::SourceFile;
use crate::flow::Root;
use needs::{Need, Needs};
use policy::PolicyDocument;
use policy::admission::{Operation, Resources, matching};
use policy::openapi::Catalog;
use policy::typecheck::kinds::KindChecks;
use shape::Shape;
use std::path::Path;
use std::sync::Arc;
use target::Target;
use yaml::{Node, Sequence};

/// The name of everything.
const NAME: &str = "example";

/// The namespace of everything.
const NAMESPACE: &str = "default";

/// The text of a new input for a policy of a file, such that the policy looks at its request.
/// `None` for documents that are no policies, and for policies that look at nothing.
#[must_use]
pub fn skeleton(file: &SourceFile, policy: usize) -> Option<String> {
    let document = file.policies().get(policy)?;
    if !document.kind().is_policy() {
        return None;
    }
    let catalog = file.project().kinds();
    let mut resources = Resources::default();
    for other in file.policies() {
        resources.add(other);
    }
    let skeleton = Skeleton {
        document,
        catalog,
        checks: file.kind_checks(policy)?,
        needs: Needs::of(document, catalog),
        resources,
    };
    let targets = target::targets(document, skeleton.checks, catalog);
    let operations = skeleton.operations();
    let mut all = operations
        .iter()
        .flat_map(|operation| targets.iter().map(move |target| (*operation, target)));
    all.find_map(|(operation, target)| {
        let text = skeleton.text(operation, target);
        skeleton.is_matched(&text).then_some(text)
    })
}

/// A policy for which an input is written.
struct Skeleton<'a> {
    document: &'a PolicyDocument,
    catalog: &'a Arc<Catalog>,
    checks: &'a KindChecks,
    needs: Needs,
    resources: Resources,
}

impl Skeleton<'_> {
    /// The operations, those first in which all that the policy reads is there.
    fn operations(&self) -> [Operation; 4] {
        use Operation::{Connect, Create, Delete, Update};
        if self.needs.names("oldObject") {
            [Update, Delete, Create, Connect]
        } else {
            [Create, Update, Delete, Connect]
        }
    }

    /// Whether the policy looks at the request of a text.
    fn is_matched(&self, text: &str) -> bool {
        let file = read(Path::new(""), text);
        let ([input], []) = (file.inputs.as_slice(), file.errors.as_slice()) else {
            return false;
        };
        let request = input.request.request(self.catalog, &self.resources);
        request.is_ok_and(|request| matching::matches(self.document, &request).is_ok())
    }

    fn text(&self, operation: Operation, target: &Target) -> String {
        let mut root = Shape::Map(Vec::new());
        if operation != Operation::Delete {
            root.set("object", self.object(Root::Object, target));
        }
        if matches!(operation, Operation::Update | Operation::Delete) {
            root.set("oldObject", self.object(Root::OldObject, target));
        }
        if let Some(params) = self.params() {
            root.set("params", params);
        }
        if self.needs.names("namespaceObject") && target.namespaced {
            root.set("namespaceObject", self.namespace());
        }
        root.set("request", self.request(operation, target));
        if self.needs.names("authorizer") {
            let verb = ("verb".to_owned(), Shape::text("*"));
            let decision = ("decision".to_owned(), Shape::text("allow"));
            let row = Shape::Map(vec![verb, decision]);
            root.set("authorizer", Shape::List(vec![row]));
        }
        let decision = ("decision".to_owned(), Shape::text("allow"));
        root.set("expect", Shape::Map(vec![decision]));
        let mut text = String::new();
        root.write(0, &mut text);
        text.trim_start().to_owned()
    }

    fn object(&self, root: Root, target: &Target) -> Shape {
        let schema = self
            .catalog
            .schema(&target.group, &target.version, &target.kind);
        let mut need = self.needs.root(root);
        if !target.has_metadata(schema) {
            need.fields.remove("metadata");
            return headed(
                &target.api_version(),
                &target.kind,
                Shape::of(schema, &need),
            );
        }
        need.require(&["metadata", "name"]);
        let shape = Shape::of(schema, &need);
        let mut object = headed(&target.api_version(), &target.kind, shape);
        if let Some(metadata) = object.field("metadata") {
            metadata.set("name", Shape::text(target.name.as_deref().unwrap_or(NAME)));
            if target.namespaced {
                metadata.set("namespace", Shape::text(NAMESPACE));
            }
            self.select("objectSelector", metadata);
            if target.group.is_empty() && target.kind == "Namespace" {
                // A namespace is chosen by its own labels.
                self.select("namespaceSelector", metadata);
            }
        }
        object
    }

    /// Gives metadata the labels that a selector wants.
    fn select(&self, selector: &str, metadata: &mut Shape) {
        let spec = self.document.root().get("spec");
        let constraints = spec.and_then(|spec| spec.get("matchConstraints"));
        let Some(selector) = constraints.and_then(|it| it.get(selector)) else {
            return;
        };
        let labels = labels(selector);
        if labels.is_empty() {
            return;
        }
        if let Some(field) = metadata.field("labels") {
            for (key, value) in labels {
                field.set(&key, Shape::Text(value));
            }
        }
    }

    fn params(&self) -> Option<Shape> {
        let kind = self.document.root().get("spec")?.get("paramKind")?;
        let text = |field: &str| kind.get(field).and_then(Node::as_str);
        let mut need = self.needs.root(Root::Params);
        need.require(&["metadata", "name"]);
        let shape = Shape::of(self.checks.params_schema(), &need);
        let mut params = headed(text("apiVersion")?, text("kind")?, shape);
        params.field("metadata")?.set("name", Shape::text(NAME));
        Some(params)
    }

    fn namespace(&self) -> Shape {
        let mut need = self.needs.root(Root::Namespace);
        need.require(&["metadata", "name"]);
        let schema = self.catalog.schema("", "v1", "Namespace");
        let mut namespace = headed("v1", "Namespace", Shape::of(schema, &need));
        if let Some(metadata) = namespace.field("metadata") {
            metadata.set("name", Shape::text(NAMESPACE));
            self.select("namespaceSelector", metadata);
        }
        namespace
    }

    fn request(&self, operation: Operation, target: &Target) -> Shape {
        let mut request = Shape::Map(Vec::new());
        request.set("operation", Shape::text(operation.as_str()));
        if let Some(subresource) = &target.subresource {
            request.set("subResource", Shape::text(subresource));
            request.set("name", Shape::text(target.name.as_deref().unwrap_or(NAME)));
            if target.namespaced {
                request.set("namespace", Shape::text(NAMESPACE));
            }
        }
        if let Some((group, version)) = &target.of {
            let mut resource = Shape::Map(Vec::new());
            resource.set("group", Shape::text(group));
            resource.set("version", Shape::text(version));
            resource.set("resource", Shape::text(&target.plural));
            request.set("resource", resource);
        }
        let need: Need = self.needs.root(Root::Request);
        if need.fields.contains_key("userInfo") {
            let mut user = Shape::Map(Vec::new());
            user.set("username", Shape::text("jane"));
            let group = Shape::text("system:authenticated");
            user.set("groups", Shape::List(vec![group]));
            request.set("userInfo", user);
        }
        request
    }
}

/// An object that says what it is before all else.
fn headed(api_version: &str, kind: &str, rest: Shape) -> Shape {
    let mut object = Shape::Map(Vec::new());
    object.set("apiVersion", Shape::text(api_version));
    object.set("kind", Shape::text(kind));
    if let Shape::Map(entries) = rest {
        let own = ["apiVersion", "kind"];
        let (first, others): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .filter(|(key, _)| !own.contains(&key.as_str()))
            .partition(|(key, _)| key == "metadata");
        for (key, value) in first.into_iter().chain(others) {
            object.set(&key, value);
        }
    }
    object
}

/// Labels that a selector matches.
fn labels(selector: Node<'_>) -> Vec<(String, String)> {
    let mut labels = Vec::new();
    if let Some(wanted) = selector.get("matchLabels").and_then(Node::as_mapping) {
        for entry in wanted.merged() {
            let key = entry.key.key_text().into_owned();
            labels.push((key, entry.value.text().to_owned()));
        }
    }
    let expressions = selector.get("matchExpressions").and_then(Node::as_sequence);
    for expression in expressions.into_iter().flat_map(Sequence::items) {
        let text = |field: &str| expression.get(field).and_then(Node::as_str);
        let values = expression.get("values").and_then(Node::as_sequence);
        let first = values.and_then(|values| values.items().find_map(Node::as_str));
        let value = match text("operator") {
            Some("In") => first,
            Some("Exists") => Some(NAME),
            _ => None,
        };
        if let Some((key, value)) = text("key").zip(value) {
            labels.push((key.to_owned(), value.to_owned()));
        }
    }
    labels
}

#[cfg(test)]
mod tests;
