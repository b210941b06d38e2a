//! `request`: the fields of an `AdmissionReview`.
//!
//! Upstream: kubernetes/api, admission/v1/types.go, AdmissionRequest.

use super::super::error::{ExpectedType, Hint, InputErrorKind};
use super::object_keys::{NAMESPACE_OBJECT, OBJECT, OLD_OBJECT};
use super::{Draft, Reader};
use admission::{Operation, UserInfo};
use text::{Key, ValueType};
use yaml::{Mapping, Node};

/// The keys of a request.
pub(super) const KEYS: &[Key] = &[
    Key::new(
        "operation",
        ValueType::Words(OPERATIONS),
        "The operation. Defaults to CREATE with only `object`, to DELETE with only `oldObject`, \
         and to UPDATE with both.",
    ),
    Key::new(
        "userInfo",
        ValueType::Keys(USER),
        "The user. Defaults to `kubernetes-admin` in the groups `system:masters` and \
         `system:authenticated`.",
    ),
    Key::new(
        "subResource",
        ValueType::String,
        "The subresource, such as `scale`. Defaults to the object itself.",
    ),
    Key::new(
        "name",
        ValueType::String,
        "The name of the object; empty for the deletion of a collection. Defaults to the name in \
         its metadata.",
    ),
    Key::new(
        "namespace",
        ValueType::String,
        "The namespace of the object. Defaults to that in its metadata, then to that of \
         `namespaceObject`, then to `default`.",
    ),
    NAMESPACE_OBJECT,
    Key::new(
        "kind",
        ValueType::Keys(GROUP_VERSION_KIND),
        "The kind of the object, if the object itself has none.",
    ),
    Key::new(
        "resource",
        ValueType::Keys(GROUP_VERSION_RESOURCE),
        "The resource. Defaults to the plural of the kind; for a subresource, to the only \
         resource that has it.",
    ),
    Key::new(
        "dryRun",
        ValueType::Bool,
        "Whether this is a dry run, which stores nothing.",
    )
    .with_default("false"),
    Key::new(
        "options",
        ValueType::Map(&ValueType::Any),
        "The options of the operation. Defaults to those that `kubectl` sends. Write \
         `{fieldValidation: Warn}` or `{fieldValidation: Ignore}` for another client, or for \
         `kubectl --validate=false`.",
    ),
    OBJECT,
    OLD_OBJECT,
    Key::new(
        "uid",
        ValueType::Any,
        "The UID of an `AdmissionReview`. It is ignored.",
    ),
    Key::new(
        "requestKind",
        ValueType::Any,
        "The kind of the original request. It is ignored.",
    ),
    Key::new(
        "requestResource",
        ValueType::Any,
        "The resource of the original request. It is ignored.",
    ),
    Key::new(
        "requestSubResource",
        ValueType::Any,
        "The subresource of the original request. It is ignored.",
    ),
];

const USER: &[Key] = &[
    Key::new("username", ValueType::String, "The name of the user."),
    Key::new("uid", ValueType::String, "The UID of the user."),
    Key::new(
        "groups",
        ValueType::List(&ValueType::String),
        "The groups of the user.",
    ),
    Key::new(
        "extra",
        ValueType::Map(&ValueType::List(&ValueType::String)),
        "More attributes of the user, each a list of strings.",
    ),
];

const GROUP: Key = Key::new(
    "group",
    ValueType::String,
    "The API group, such as `apps`; empty for the core group.",
);

const VERSION: Key = Key::new("version", ValueType::String, "The version, such as `v1`.");

const GROUP_VERSION_KIND: &[Key] = &[
    GROUP,
    VERSION,
    Key::new("kind", ValueType::String, "The kind, such as `Deployment`."),
];

const GROUP_VERSION_RESOURCE: &[Key] = &[
    GROUP,
    VERSION,
    Key::new(
        "resource",
        ValueType::String,
        "The resource, such as `deployments`.",
    ),
];

pub(super) const OPERATIONS: &[&str] = &["CREATE", "UPDATE", "DELETE", "CONNECT"];

/// Returns the likely intended key of an `AdmissionReview`.
fn hint(key: &str) -> Option<Hint> {
    match key {
        "user" => Some(Hint::Nearest("userInfo")),
        "username" | "groups" | "extra" => Some(Hint::Below("userInfo")),
        _ => None,
    }
}

impl Reader<'_> {
    /// Reads `request` into the draft.
    pub(super) fn request(&mut self, node: Node<'_>, draft: &mut Draft) {
        let Some(mapping) = self.mapping(node, "request") else {
            return;
        };
        self.check_keys(mapping, KEYS, &[], hint);
        self.request_fields(mapping, draft);
    }

    /// Reads a document that itself is a request.
    pub(in crate::input) fn request_document(&mut self, root: Node<'_>, draft: &mut Draft) {
        let Some(mapping) = root.as_mapping() else {
            self.wrong(root, "request", ExpectedType::Mapping);
            return;
        };
        self.check_keys(mapping, KEYS, &["apiVersion"], hint);
        self.request_fields(mapping, draft);
    }

    fn request_fields(&mut self, mapping: Mapping<'_>, draft: &mut Draft) {
        if let Some(node) = mapping.get("operation")
            && let Some(word) = self.word(node, "operation", OPERATIONS)
        {
            draft.request.operation = Operation::parse(word);
            draft.operation = Some(node.range());
        }
        self.request_objects(mapping, draft);
        let request = &mut draft.request;
        for (field, key) in [
            (&mut request.subresource, "subResource"),
            (&mut request.namespace, "namespace"),
        ] {
            if let Some(text) = self.text(mapping, key) {
                *field = text;
            }
        }
        request.name = self.text(mapping, "name");
        request.dry_run = self.boolean(mapping, "dryRun").unwrap_or_default();
        let options = mapping.get("options").filter(|node| !node.is_null());
        request.options = options.and_then(|node| self.mapping_object(node, "options"));
        let user = mapping.get("userInfo").filter(|node| !node.is_null());
        request.user = user.and_then(|node| self.user(node));
        self.resource(mapping, draft);
    }

    fn request_objects(&mut self, mapping: Mapping<'_>, draft: &mut Draft) {
        let object = self.object(mapping, "object");
        let old_object = self.object(mapping, "oldObject");
        let namespace = self.namespace(mapping);
        let request = &mut draft.request;
        for (field, key, found) in [
            (&mut request.object, "object", object),
            (&mut request.old_object, "oldObject", old_object),
            (&mut request.namespace_object, "namespaceObject", namespace),
        ] {
            if found.is_none() {
                continue;
            }
            if field.is_some()
                && let Some(entry) = mapping.entry(key)
            {
                self.error(entry.key, InputErrorKind::Twice { key });
            }
            *field = found;
        }
    }

    /// Reads `resource`, and `kind` if it is more specific.
    fn resource(&mut self, mapping: Mapping<'_>, draft: &mut Draft) {
        let request = &mut draft.request;
        let kind = mapping.get("kind").filter(|node| !node.is_null());
        // `kind: AdmissionRequest`, of a document that is a request.
        let kind = kind.filter(|_| mapping.get("apiVersion").is_none());
        if let Some(kind) = kind.and_then(|node| self.mapping(node, "kind")) {
            self.check_keys(kind, GROUP_VERSION_KIND, &[], |_| None);
            request.kind = self.text(kind, "kind");
            request.group = self.text(kind, "group");
            request.version = self.text(kind, "version");
        }
        let resource = mapping.get("resource").filter(|node| !node.is_null());
        if let Some(resource) = resource.and_then(|node| self.mapping(node, "resource")) {
            self.check_keys(resource, GROUP_VERSION_RESOURCE, &[], |_| None);
            request.resource = self.text(resource, "resource");
            for (field, key) in [
                (&mut request.group, "group"),
                (&mut request.version, "version"),
            ] {
                let text = self.text(resource, key);
                *field = text.or(field.take());
            }
        }
    }

    fn user(&mut self, node: Node<'_>) -> Option<UserInfo> {
        let mapping = self.mapping(node, "userInfo")?;
        self.check_keys(mapping, USER, &[], |_| None);
        let mut extra = Vec::new();
        let node = mapping.get("extra").filter(|node| !node.is_null());
        if let Some(entries) = node.and_then(|node| self.mapping(node, "extra")) {
            for entry in entries.merged() {
                let values = self.strings_at(entry.value, "extra").unwrap_or_default();
                extra.push((entry.key.key_text().into_owned(), values));
            }
        }
        Some(UserInfo {
            name: self.text(mapping, "username").unwrap_or_default(),
            uid: self.text(mapping, "uid").unwrap_or_default(),
            groups: self.strings(mapping, "groups").unwrap_or_default(),
            extra,
        })
    }
}
