//! Hovers in the YAML around the expressions: the meaning of a field, and the kind of a parameter.

use super::types::kind_types;
use super::{Hover, cost, inputs, json_schema, resources};
use crate::completion::{fixed_values, meaning_of_key};
use crate::definition::POLICIES;
use crate::explain::field_page;
use crate::file::SourceFile;
use crate::kind_fields::Kinds;
use crate::manifest_schema::{is_json_schema, schema_of};
use crate::signature::{add_page, code};
use kubernetes::TypeMeta;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Resource, Schema};
use policy::Kind;
use policy::manifest::{Binding, ParamKind, Rule, text_of};
use policy::variables::Variables;
use std::sync::Arc;
use text::{TextRange, TextSize};
use yaml::{Entry, Node};

/// Limit: listed kinds of a resource.
const MAX_KINDS: usize = 5;

/// Limit: bytes of a document that is parsed for a hover, in a file without policies.
const MAX_DOCUMENT: usize = 1 << 18;

/// The position of a cursor in a manifest: an entry, and the item of its list.
struct ManifestPosition<'a> {
    owner: Node<'a>,
    entry: Entry<'a>,
    item: Option<Node<'a>>,
}

/// Returns the hover at an offset outside the expressions.
pub(super) fn hover(file: &SourceFile, offset: TextSize) -> Option<Hover> {
    let mut documents = file.stream().documents();
    let document = documents.find(|it| it.range().contains_inclusive(offset));
    if let Some(root) = document.and_then(yaml::Document::root) {
        let found = in_document(file, root, offset);
        let cost = cost::hover(file, offset);
        return match (found, cost) {
            (Some(mut hover), Some(cost)) => {
                hover.markdown = format!("{}\n\n{}", cost.markdown, hover.markdown);
                Some(hover)
            }
            (found, cost) => found.or(cost),
        };
    }
    // Parsing a file leaves out the documents of inputs and samples.
    let mut documents = yaml::split(file.text());
    let document = documents.find(|it| it.contains_inclusive(offset))?;
    let text = file.slice(document);
    if text.len() > MAX_DOCUMENT {
        return None;
    }
    let stream = yaml::parse(Arc::from(text));
    let root = stream.documents().find_map(yaml::Document::root)?;
    let mut hover = in_document(file, root, offset - document.start())?;
    let start = document.start();
    hover.range = TextRange::new(hover.range.start() + start, hover.range.end() + start);
    Some(hover)
}

fn in_document(file: &SourceFile, root: Node<'_>, offset: TextSize) -> Option<Hover> {
    let place = place_at(root, offset)?;
    let ManifestPosition { owner, entry, item } = place;
    let on_key = item.is_none() && entry.key.range().contains_inclusive(offset);
    let at = match item {
        Some(item) => item,
        None if on_key => entry.key,
        None => entry.value,
    };
    let markdown = if on_key {
        let of_key = of_key(file, owner, entry).or_else(|| inputs::of_key(owner, entry));
        match (of_key, meaning_of_key(&entry.key.key_text())) {
            (Some(field), Some(meaning)) => Some(format!("{field}\n\n{meaning}")),
            (field, meaning) => field.or_else(|| meaning.map(str::to_owned)),
        }
    } else {
        param_kind(file, owner, entry)
            .or_else(|| of_value(file, &place, at))
            .or_else(|| inputs::of_value(file.project().kinds(), owner, entry))
    };
    Some(Hover {
        range: at.range(),
        part: None,
        markdown: markdown?,
    })
}

/// Returns the innermost entry whose key or scalar value is at an offset.
fn place_at(root: Node<'_>, offset: TextSize) -> Option<ManifestPosition<'_>> {
    let mut at = root;
    let mut last = None;
    loop {
        if let Some(mapping) = at.as_mapping() {
            let mut entries = mapping.entries();
            let entry = entries.find(|entry| {
                let parts = [entry.key, entry.value];
                parts.iter().any(|it| it.range().contains_inclusive(offset))
            })?;
            let is_key = entry.key.range().contains_inclusive(offset);
            if is_key || entry.value.as_scalar().is_some() {
                let (owner, item) = (at, None);
                return Some(ManifestPosition { owner, entry, item });
            }
            last = Some((at, entry));
            at = entry.value;
            continue;
        }
        let mut items = at.as_sequence()?.items();
        at = items.find(|item| item.range().contains_inclusive(offset))?;
        if at.as_scalar().is_some() {
            let (owner, entry) = last?;
            let item = Some(at);
            return Some(ManifestPosition { owner, entry, item });
        }
    }
}

/// Returns the meaning of a field, by the schema of its kind.
fn of_key(file: &SourceFile, owner: Node<'_>, entry: Entry<'_>) -> Option<String> {
    let catalog = file.project().kinds();
    let (of, key) = (schema_of(catalog, owner)?, entry.key.key_text());
    let schema = owner.parent().filter(|parent| {
        let is_properties = parent
            .entry_of(owner)
            .is_some_and(|it| it.key.text() == "properties");
        is_properties && schema_of(catalog, *parent).is_some_and(is_json_schema)
    });
    match schema {
        Some(schema) => json_schema::property(schema, &key),
        None => field_page(catalog, of, &key),
    }
}

/// Returns the meaning of a value: its object or kind, or the field with fixed values.
fn of_value(file: &SourceFile, place: &ManifestPosition<'_>, value: Node<'_>) -> Option<String> {
    let ManifestPosition { owner, entry, .. } = *place;
    let key = entry.key.key_text();
    match &*key {
        "apiVersion" | "kind" => kind(file, owner),
        "policyName" => policy(file, &[bound_kind(owner)?], value.text()),
        "policy" if owner.parent().is_none() && TypeMeta::read(owner).kind.is_none() => {
            policy(file, &POLICIES, value.text())
        }
        "resources" => kinds_of_resource(file, owner, value.text()),
        "apiGroups" | "apiVersions" => group(file, owner, &key, value.text()),
        "name" => variable(file, owner, value.text())
            .or_else(|| named_policy(file, owner, value.text()))
            .or_else(|| param(file, owner, value.text())),
        "key" if meaning_of_key(value.text()).is_some() => {
            meaning_of_key(value.text()).map(str::to_owned)
        }
        _ => {
            let catalog = file.project().kinds();
            let of = schema_of(catalog, owner)?;
            if is_json_schema(of) {
                return json_schema::of_value((catalog, of), owner, (&key, value.text()));
            }
            if key == "fieldPath" && is_validation_rule(of) {
                return json_schema::of_path(owner.parent()?.parent()?, value.text());
            }
            let schema = of.property(&key)?;
            let is_fixed = schema.enum_values().len() > 0 || fixed_values(of, &key).is_some();
            let field = of_key(file, owner, entry).filter(|_| is_fixed)?;
            Some(match status_code(of, &key, value.text()) {
                Some(code) => format!("`{}`: status code {code}.\n\n{field}", value.text()),
                None => field,
            })
        }
    }
}

fn is_validation_rule(schema: Schema<'_>) -> bool {
    let name = schema.type_name();
    name.is_some_and(|name| name.ends_with(".ValidationRule"))
}

/// Returns the status code of a response to a denial with a reason.
fn status_code(owner: Schema<'_>, key: &str, reason: &str) -> Option<u16> {
    let mut known = fixed_values(owner, key)
        .filter(|_| key == "reason")?
        .split(' ');
    known
        .any(|it| it == reason)
        .then(|| admission::status_code(reason))
}

/// Returns the kind of an object.
fn kind(file: &SourceFile, owner: Node<'_>) -> Option<String> {
    let meta = TypeMeta::read(owner);
    let (GroupVersion { group, version }, kind) = meta.names()?;
    let catalog = file.project().kinds();
    let description = catalog.schema(group, version, kind)?.description()?;
    let api_version = GroupVersion { group, version };
    let mut shown = code([format!("{api_version}, Kind={kind}")]);
    add_page(&mut shown, description, "");
    Some(shown)
}

/// Returns the kind of the policy to which a binding with this `spec` refers.
fn bound_kind(spec: Node<'_>) -> Option<Kind> {
    let kind = TypeMeta::read(spec.parent()?).kind?.as_str()?;
    Kind::parse(kind)?.bound_kind()
}

/// Returns the policy that a binding or an input names, and its bindings.
fn policy(file: &SourceFile, kinds: &[Kind], name: &str) -> Option<String> {
    let surroundings = file.surroundings();
    let named = |kind: &Kind| {
        let all = surroundings.policies(*kind, Some(name));
        let nearest = surroundings.nearest(all, |policy| &policy.location);
        nearest.first().map(|policy| (*kind, *policy))
    };
    let (kind, policy) = kinds.iter().find_map(named)?;
    let mut shown = code([format!("{} {name}", policy.kind.as_str())]);
    let rules = policy.spec.rules().iter();
    let resources: Vec<&str> = rules
        .flat_map(|rule| rule.resources.iter().map(|it| &*it.text))
        .collect();
    if !resources.is_empty() {
        shown.push_str(&format!("\n\nMatches `{}`.", resources.join("`, `")));
    }
    let bindings: Vec<&str> = surroundings
        .bindings_of(kind, Some(name))
        .iter()
        .filter_map(|it| it.name.as_deref())
        .collect();
    if !bindings.is_empty() {
        shown.push_str(&format!("\n\nBound by `{}`.", bindings.join("`, `")));
    }
    Some(shown)
}

/// Returns the kinds of a resource in a rule.
fn kinds_of_resource(file: &SourceFile, rule: Node<'_>, resource: &str) -> Option<String> {
    let (catalog, rule) = (file.project().kinds(), Rule::read(rule));
    let is_matched = |it: &Resource<'_>| rule.has_version(it.group, it.version);
    match resource.split_once('/') {
        Some(names) => resources::subresource(catalog, names, is_matched)
            .or_else(|| resources::kinds(catalog, names.0, is_matched)),
        None => resources::kinds(catalog, resource, is_matched),
    }
}

/// Returns the resources of a group, or of a version in the groups of a rule.
fn group(file: &SourceFile, rule: Node<'_>, key: &str, value: &str) -> Option<String> {
    let catalog = file.project().kinds();
    if key == "apiGroups" {
        return resources::of_group(catalog, value);
    }
    let groups = rule.get("apiGroups").and_then(Node::as_sequence);
    let is_of_rule = |group: &str| {
        groups.is_none_or(|groups| {
            groups
                .items()
                .any(|it| it.text() == "*" || it.text() == group)
        })
    };
    let fits = |it: &Resource<'_>| it.version == value && is_of_rule(it.group);
    resources::names(catalog, &format!("The version `{value}`"), fits)
}

/// Returns the policy with a name in `metadata.name`, and the bindings that put it into effect.
fn named_policy(file: &SourceFile, metadata: Node<'_>, name: &str) -> Option<String> {
    let root = metadata.parent().filter(|root| root.parent().is_none())?;
    let kind = Kind::parse(TypeMeta::read(root).kind?.as_str()?)?;
    let is_policy = POLICIES.contains(&kind);
    is_policy.then(|| policy(file, &[kind], name)).flatten()
}

/// Returns the objects that a binding passes to its policy as parameters.
fn param(file: &SourceFile, param_ref: Node<'_>, name: &str) -> Option<String> {
    let spec = param_ref.parent()?;
    let is_param = spec.entry_of(param_ref)?.key.text() == "paramRef";
    let kind = bound_kind(spec).filter(|_| is_param)?;
    let binding = Binding::read(spec);
    let bound = text_of(binding.policy_name.as_ref());
    let policies = file.surroundings().policies(kind, Some(bound));
    let param_kind = policies.iter().find_map(|it| it.spec.param_kind.as_ref());
    let objects = file.project().files().iter().flat_map(|it| &it.objects);
    let objects = objects.filter(|object| {
        object.name == name
            && param_kind.is_none_or(|kind| {
                kind.api_version() == object.api_version && kind.kind() == object.kind
            })
    });
    let lines = objects.map(|object| {
        let (api_version, kind) = (&object.api_version, &object.kind);
        match &*object.namespace {
            "" => format!("{api_version}, Kind={kind} {name}"),
            namespace => format!("{api_version}, Kind={kind} {namespace}/{name}"),
        }
    });
    let lines: Vec<String> = lines.take(MAX_KINDS).collect();
    (!lines.is_empty()).then(|| format!("{}\n\nParameters of `{bound}`.", code(lines)))
}

/// Returns a variable of a policy, with its type and its expression.
fn variable(file: &SourceFile, owner: Node<'_>, name: &str) -> Option<String> {
    let mut documents = file.policies().iter();
    let document = documents.find(|it| it.root().range().contains_range(owner.range()))?;
    let mut definitions = Variables::new(document).definitions.into_iter();
    let definition = definitions.find(|it| it.node.range() == owner.range())?;
    let expression = definition.expression?;
    let root = expression.ast().root();
    let ty = document.checked(expression)?.type_of(root)?;
    let kinds = Kinds::new(file, document, expression);
    let by_kinds = kinds.and_then(|kinds| kind_types(kinds, root, name));
    let mut shown = by_kinds.unwrap_or_else(|| code([format!("{name}: {ty}")]));
    shown.push_str("\n\n");
    shown.push_str(&code([expression.text().trim().to_owned()]));
    Some(shown)
}

/// Returns the kind in `paramKind`, with its scope.
fn param_kind(file: &SourceFile, owner: Node<'_>, entry: Entry<'_>) -> Option<String> {
    let spec = owner.parent()?;
    let param_kind = ParamKind::read(spec)?;
    if param_kind.at.node != owner.id() || !matches!(entry.key.text(), "apiVersion" | "kind") {
        return None;
    }
    let (api_version, kind) = (param_kind.api_version(), param_kind.kind());
    let GroupVersion { group, version } = param_kind.group_version();
    let catalog = file.project().kinds();
    let resource = catalog.kind(group, version, kind)?;
    let scope = if resource.namespaced {
        "Namespaced: a binding selects objects of one namespace, or of the namespace of the request"
    } else {
        "Cluster-scoped: a binding must not set `paramRef.namespace`"
    };
    let mut shown = code([format!("{api_version}, Kind={kind}")]);
    shown.push_str(&format!("\n\n{scope}."));
    let description = catalog.schema(group, version, kind)?.description();
    if let Some(description) = description {
        add_page(&mut shown, description, "");
    }
    Some(shown)
}
