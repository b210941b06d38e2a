//! The kinds that an OpenAPI document describes, as returned by a server.
//!
//! `kubectl get --raw /openapi/v3/apis/apps/v1` prints such a document for one group and
//! version, `kubectl get --raw /openapi/v2` one for everything. Types name their kinds; the names
//! of resources and their scope are in the paths, if there are any.

use super::definitions::Definitions;
use super::json::{ReadError, read_type};
use super::model::{KindFacts, Model, SchemaFacts, SubresourceFacts};
use super::resource::guessed_plural;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Limit: the bytes of a document. That of a whole server with many definitions has 10 MB.
const MAX_BYTES: usize = 32 << 20;

/// The extension that names the kinds of a type, and of an operation.
const GROUP_VERSION_KIND: &str = "x-kubernetes-group-version-kind";

impl Definitions {
    /// Reads the kinds of an OpenAPI document of version 3 or 2, as JSON.
    ///
    /// # Errors
    /// It is not an OpenAPI document, or it is too large.
    pub fn from_openapi(text: &str) -> Result<Self, ReadError> {
        if text.len() > MAX_BYTES {
            return Err(ReadError::TooLarge(MAX_BYTES));
        }
        let document: Value =
            serde_json::from_str(text).map_err(|error| ReadError::Json(error.to_string()))?;
        let schemas = document
            .pointer("/components/schemas")
            .or_else(|| document.get("definitions"))
            .and_then(Value::as_object)
            .ok_or(ReadError::NoSchemas)?;
        let (types, mut kinds) = described(schemas)?;
        match document.get("paths").and_then(Value::as_object) {
            Some(paths) if !paths.is_empty() => {
                let paths: Vec<_> = paths
                    .iter()
                    .filter_map(|(path, operations)| Some((ResourcePath::read(path)?, operations)))
                    .collect();
                for (place, operations) in &paths {
                    read_resource(place, operations, &mut kinds);
                }
                for (place, operations) in &paths {
                    read_subresource(place, operations, &mut kinds);
                }
            }
            _ => kinds.values_mut().for_each(|kind| guess(kind, &types)),
        }
        for kind in kinds.values_mut() {
            tidy(kind);
        }
        Ok(Self::from_model(&Model {
            first_version: 0,
            types: vec![types],
            kinds: kinds.into_values().collect(),
        }))
    }
}

/// Group, version and kind.
type Key = (String, String, String);

/// The types by name, and their kinds.
type Described = (BTreeMap<String, SchemaFacts>, BTreeMap<Key, KindFacts>);

fn described(schemas: &Map<String, Value>) -> Result<Described, ReadError> {
    let mut types = BTreeMap::new();
    let mut kinds = BTreeMap::new();
    for (name, schema) in schemas {
        types.insert(name.clone(), read_type(name, schema)?);
        let of_type = schema.get(GROUP_VERSION_KIND).and_then(Value::as_array);
        let of_type: Vec<Key> = of_type.into_iter().flatten().filter_map(key).collect();
        // A type in every group, such as DeleteOptions, is not a kind of any of them.
        if let [only] = of_type.as_slice() {
            kinds.insert(only.clone(), kind(only, name));
        }
    }
    Ok((types, kinds))
}

fn key(value: &Value) -> Option<Key> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    Some((text("group")?, text("version")?, text("kind")?))
}

fn kind((group, version, kind): &Key, type_name: &str) -> KindFacts {
    KindFacts {
        group: group.clone(),
        version: version.clone(),
        kind: kind.clone(),
        type_name: Some(type_name.to_owned()),
        servers: 1,
        servers_by_default: 1,
        singular: kind.to_lowercase(),
        ..KindFacts::default()
    }
}

/// Guesses the facts that a document without paths lacks: kinds with metadata are resources.
fn guess(kind: &mut KindFacts, types: &BTreeMap<String, SchemaFacts>) {
    let schema = kind.type_name.as_ref().and_then(|name| types.get(name));
    let metadata = schema.and_then(|schema| schema.properties.get("metadata"));
    let ty = metadata.and_then(|property| property.schema.reference.as_deref());
    if ty.is_some_and(|name| name.ends_with(".ObjectMeta")) {
        kind.plural = Some(guessed_plural(&kind.kind));
        kind.namespaced = true;
    }
}

/// A path such as `/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale`.
struct ResourcePath<'p> {
    group: &'p str,
    version: &'p str,
    namespaced: bool,
    plural: &'p str,
    subresource: Option<&'p str>,
}

impl<'p> ResourcePath<'p> {
    fn read(path: &'p str) -> Option<Self> {
        let (group, rest) = match path.strip_prefix("/apis/") {
            Some(rest) => rest.split_once('/')?,
            None => ("", path.strip_prefix("/api/")?),
        };
        let (version, rest) = rest.split_once('/')?;
        // Paths of watches repeat others.
        if rest.starts_with("watch/") {
            return None;
        }
        let inside = rest.strip_prefix("namespaces/{namespace}/");
        let mut steps = inside
            .unwrap_or(rest)
            .split('/')
            .filter(|step| !step.is_empty());
        let plural = steps.next().filter(|plural| !plural.starts_with('{'))?;
        let by_name = steps.next();
        Some(Self {
            group,
            version,
            namespaced: inside.is_some(),
            plural,
            subresource: by_name.and(steps.next()),
        })
    }
}

/// Returns the operations of a path: the kind and the verb of each.
fn operations(path: &Value) -> impl Iterator<Item = (Key, &'static [&'static str])> {
    let operations = path.as_object().into_iter().flatten();
    operations.filter_map(|(_, operation)| {
        let action = operation.get("x-kubernetes-action")?.as_str()?;
        Some((key(operation.get(GROUP_VERSION_KIND)?)?, verbs(action)))
    })
}

/// Adds the facts in the path of a resource to its kind.
fn read_resource(place: &ResourcePath<'_>, path: &Value, kinds: &mut BTreeMap<Key, KindFacts>) {
    if place.subresource.is_some() {
        return;
    }
    for (key, verbs) in operations(path) {
        if (&*key.0, &*key.1) != (place.group, place.version) {
            continue;
        }
        if let Some(kind) = kinds.get_mut(&key) {
            kind.plural = Some(place.plural.to_owned());
            kind.namespaced |= place.namespaced;
            kind.verbs.extend(verbs.iter().map(|verb| (*verb).into()));
        }
    }
}

/// Adds a subresource to the kind of its resource.
fn read_subresource(place: &ResourcePath<'_>, path: &Value, kinds: &mut BTreeMap<Key, KindFacts>) {
    let Some(name) = place.subresource else {
        return;
    };
    let parent = kinds.values_mut().find(|parent| {
        (&*parent.group, &*parent.version) == (place.group, place.version)
            && parent.plural.as_deref() == Some(place.plural)
    });
    let Some(parent) = parent else {
        return;
    };
    let mut facts: Option<SubresourceFacts> = None;
    for ((group, version, kind), verbs) in operations(path) {
        let facts = facts.get_or_insert_with(|| SubresourceFacts {
            name: name.to_owned(),
            group,
            version,
            kind,
            verbs: Vec::new(),
            servers: 1,
        });
        facts.verbs.extend(verbs.iter().map(|verb| (*verb).into()));
    }
    // `proxy` has a second path, with a path parameter.
    if parent.subresources.iter().all(|below| below.name != name) {
        parent.subresources.extend(facts);
    }
}

/// Returns the verbs of an action of a document.
fn verbs(action: &str) -> &'static [&'static str] {
    match action {
        "post" => &["create"],
        "put" => &["update"],
        "get" => &["get"],
        "list" => &["list", "watch"],
        "patch" => &["patch"],
        "delete" => &["delete"],
        "deletecollection" => &["deletecollection"],
        "connect" => &["create", "get"],
        _ => &[],
    }
}

/// Puts verbs and subresources in their order, each once.
pub(super) fn tidy(kind: &mut KindFacts) {
    let ordered = |verbs: &mut Vec<String>| {
        let unique: BTreeSet<String> = verbs.drain(..).collect();
        verbs.extend(unique);
    };
    ordered(&mut kind.verbs);
    kind.subresources.sort_by(|a, b| a.name.cmp(&b.name));
    for below in &mut kind.subresources {
        ordered(&mut below.verbs);
    }
}
