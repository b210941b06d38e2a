//! Kinds of Kubernetes and their fields, by the names that kubectl accepts.

use super::{Explanation, Topic};
use crate::completion::fixed_values;
use crate::kind_fields::{facts, facts_with, type_text};
use crate::manifest_schema::{description, field, is_required};
use crate::signature::{add_page, code};
use kubernetes::ServerVersion;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Resource, Schema, SchemaType};
use std::cmp::Reverse;

/// The names of the fields from a kind to a field.
type Path<'a> = Vec<&'a str>;

/// Returns a resource by a kind, a plural, a singular or a short name, with the API version before
/// it if the name is ambiguous.
#[must_use]
pub fn find_resource<'c>(catalog: &'c Catalog, word: &str) -> Option<Resource<'c>> {
    let (api_version, name) = match word.rsplit_once('/') {
        Some((api_version, name)) => (Some(api_version), name),
        None => (None, word),
    };
    let is_named = |it: &Resource<'_>| {
        let mut names = [it.kind, it.plural, it.singular]
            .into_iter()
            .chain(it.short_names.iter());
        let (group, version) = (it.group, it.version);
        let of = GroupVersion { group, version }.to_string();
        names.any(|known| known.eq_ignore_ascii_case(name))
            && api_version.is_none_or(|wanted| wanted == of)
    };
    // Stable versions first, the core group before the others, and the newest version.
    let rank = |it: &Resource<'c>| {
        let is_unstable = it.version.contains("alpha") || it.version.contains("beta");
        (is_unstable, it.group, Reverse(it.version))
    };
    catalog.resources().filter(is_named).min_by_key(rank)
}

/// Returns the documentation of a kind or of a field, by the newest server that has it.
pub(super) fn explain(name: &str) -> Result<Explanation, Vec<String>> {
    let (word, path) = split(name);
    let mut near = Vec::new();
    for server in servers().rev() {
        let catalog = Catalog::built_in(server);
        let Some(resource) = find_resource(&catalog, word) else {
            continue;
        };
        match page(&catalog, resource, &path) {
            Ok(markdown) => return Ok(explanation(resource, &path, markdown)),
            Err(similar) if near.is_empty() => near = full_names(word, &path, &similar),
            Err(_) => {}
        }
    }
    if near.is_empty() && is_kind(name) || name.contains('/') {
        let newest = Catalog::built_in(ServerVersion::NEWEST_KINDS);
        near.extend(near_kind(&newest, word, &path));
    }
    Err(near)
}

/// Returns the full names of a field that expressions read from `object`, one for each kind with
/// the field: `deployment.spec.replicas` for `object.spec.replicas`.
pub(super) fn of_objects(name: &str) -> Vec<String> {
    let (variable, path) = split(name);
    if path.is_empty() || !["object", "oldObject"].contains(&variable) {
        return Vec::new();
    }
    let catalog = Catalog::built_in(ServerVersion::NEWEST_KINDS);
    let has = |it: &Resource<'_>| {
        let root = catalog.schema(it.group, it.version, it.kind);
        root.is_some_and(|root| walk(&catalog, root, &path).is_ok())
    };
    let kinds = catalog.resources().filter(has);
    let mut names: Vec<String> = kinds
        .map(|it| format!("{}.{}", it.singular, path.join(".")))
        .collect();
    names.dedup();
    names
}

/// Returns the documentation of a kind or a field of a project.
///
/// # Errors
/// Nothing has the name. The error has similar names.
pub fn explain_custom(name: &str, catalog: &Catalog) -> Result<Explanation, Vec<String>> {
    let name = name.trim();
    let (word, path) = split(name);
    let Some(resource) = find_resource(catalog, word) else {
        let near = is_kind(name).then(|| near_kind(catalog, word, &path));
        return Err(near.flatten().into_iter().collect());
    };
    let mut markdown =
        page(catalog, resource, &path).map_err(|similar| full_names(word, &path, &similar))?;
    if !path.is_empty() {
        markdown.push_str(&format!("\n\n{}.", place(resource)));
    }
    Ok(named(resource, &path, markdown))
}

/// Returns whether a name seems to refer to a kind or a field of one.
fn is_kind(name: &str) -> bool {
    !split(name).1.is_empty() || name.starts_with(|it: char| it.is_ascii_uppercase())
}

/// Returns the paths of existing fields that are similar to an unknown one.
fn full_names(word: &str, path: &Path<'_>, similar: &[Similar]) -> Vec<String> {
    let full_name = |name: &Similar| {
        let known = path.iter().take(name.depth);
        let names = [word].into_iter().chain(known.copied());
        let names = names.chain([name.field.as_str()]);
        names.collect::<Vec<_>>().join(".")
    };
    similar.iter().map(full_name).collect()
}

/// An existing field that is similar to an unknown one.
struct Similar {
    /// The number of existing names before it.
    depth: usize,
    field: String,
}

/// Returns a path with the kind that is probably meant by an unknown one.
fn near_kind(catalog: &Catalog, word: &str, path: &Path<'_>) -> Option<String> {
    let names = catalog
        .resources()
        .flat_map(|it| [it.kind, it.plural, it.singular]);
    let near = text::nearest(word, names)?;
    let names: Vec<&str> = [near].into_iter().chain(path.iter().copied()).collect();
    Some(names.join("."))
}

/// Splits a name into the kind and the fields. A group may contain dots.
fn split(name: &str) -> (&str, Path<'_>) {
    let kind = name.rfind('/').map_or(0, |slash| slash + 1);
    let end = name.get(kind..).and_then(|rest| rest.find('.'));
    let Some((word, rest)) = end.and_then(|end| name.split_at_checked(kind + end)) else {
        return (name, Vec::new());
    };
    let names = rest.split(['.', '[', ']', '*']);
    let is_name = |it: &&str| !it.is_empty() && !it.bytes().all(|byte| byte.is_ascii_digit());
    (word, names.filter(is_name).collect())
}

fn servers() -> impl DoubleEndedIterator<Item = ServerVersion> {
    ServerVersion::OLDEST.up_to(ServerVersion::NEWEST_KINDS)
}

/// Returns the documentation of the kind or the field, or similar fields.
fn page(
    catalog: &Catalog,
    resource: Resource<'_>,
    path: &Path<'_>,
) -> Result<String, Vec<Similar>> {
    let (group, version, kind) = (resource.group, resource.version, resource.kind);
    let Some(root) = catalog.schema(group, version, kind) else {
        return Err(Vec::new());
    };
    let Some((last, owners)) = path.split_last() else {
        let api_version = GroupVersion { group, version };
        let mut shown = code([format!("{api_version}, Kind={kind}")]);
        add_page(&mut shown, root.description().unwrap_or_default(), "");
        shown.push_str(&fields_of(root));
        return Ok(shown);
    };
    let owner = walk(catalog, root, owners)?;
    match field_page(catalog, owner, last) {
        Some(mut shown) => {
            let schema = field(catalog, owner, last).map(innermost);
            shown.push_str(&schema.map(fields_of).unwrap_or_default());
            Ok(shown)
        }
        None => Err(similar(owner, last, owners.len())),
    }
}

fn walk<'c>(
    catalog: &'c Catalog,
    root: Schema<'c>,
    names: &[&str],
) -> Result<Schema<'c>, Vec<Similar>> {
    let mut at = root;
    for (depth, name) in names.iter().enumerate() {
        let inner = field(catalog, at, name).map(innermost);
        at = inner.ok_or_else(|| similar(at, name, depth))?;
    }
    Ok(at)
}

/// Returns the schema of the items of a list, otherwise the schema itself.
fn innermost(schema: Schema<'_>) -> Schema<'_> {
    match schema.items() {
        Some(items) if schema.ty() == SchemaType::Array => innermost(items),
        _ => schema,
    }
}

fn similar(owner: Schema<'_>, name: &str, depth: usize) -> Vec<Similar> {
    let names = owner.properties().map(|(name, _)| name);
    let near = text::nearest(name, names).map(|field| Similar {
        depth,
        field: field.to_owned(),
    });
    near.into_iter().collect()
}

/// Returns the page of a field: its type, whether it is required, its default, its values and its
/// description. `None` if the owner has no such field.
pub(crate) fn field_page(catalog: &Catalog, owner: Schema<'_>, name: &str) -> Option<String> {
    let schema = field(catalog, owner, name)?;
    let mut shown = code([format!("{name}: {}", type_text(schema))]);
    let is_required = is_required(owner, name, schema);
    let facts = match fixed_values(owner, name) {
        Some(values) => facts_with(schema, is_required, values.split(' ').map(str::to_owned)),
        None => facts(schema, is_required),
    };
    shown.push_str(&format!("\n\n{facts}"));
    add_page(
        &mut shown,
        description(owner, name, schema).unwrap_or_default(),
        "",
    );
    Some(shown)
}

/// Returns the fields of an object as a list. Empty if there are none.
fn fields_of(schema: Schema<'_>) -> String {
    let fields = schema.properties().map(|(name, field)| {
        let required = if is_required(schema, name, field) {
            ", required"
        } else {
            ""
        };
        format!("\n- `{name}`: {}{required}", type_text(field))
    });
    let fields: String = fields.collect();
    if fields.is_empty() {
        fields
    } else {
        format!("\n\nFields:\n{fields}")
    }
}

/// Returns the explanation, with the servers that have the kind or the field in this version.
fn explanation(resource: Resource<'_>, path: &Path<'_>, mut markdown: String) -> Explanation {
    let (group, version, kind) = (resource.group, resource.version, resource.kind);
    let has = |server: &ServerVersion| {
        let catalog = Catalog::built_in(*server);
        let root = catalog.schema(group, version, kind);
        root.is_some_and(|root| walk(&catalog, root, path).is_ok())
    };
    let first = servers().find(has);
    let last = servers().rev().find(has);
    let since = first.filter(|first| *first > ServerVersion::OLDEST);
    let until = last.filter(|last| *last < ServerVersion::NEWEST_KINDS);
    let mut servers = vec![place(resource)];
    servers.extend(since.map(|since| format!("since Kubernetes {since}")));
    servers.extend(until.map(|until| format!("until Kubernetes {until}")));
    if !path.is_empty() || servers.len() > 1 {
        markdown.push_str(&format!("\n\n{}.", servers.join(" ")));
    }
    Explanation {
        since,
        until,
        ..named(resource, path, markdown)
    }
}

/// Returns the location of a field in words.
fn place(resource: Resource<'_>) -> String {
    let (group, version, kind) = (resource.group, resource.version, resource.kind);
    format!("In `{}` `{kind}`", GroupVersion { group, version })
}

/// Returns the explanation of a kind or a field, without Kubernetes versions.
fn named(resource: Resource<'_>, path: &Path<'_>, markdown: String) -> Explanation {
    let names = [resource.kind].into_iter().chain(path.iter().copied());
    Explanation {
        topic: if path.is_empty() {
            Topic::Kind
        } else {
            Topic::Field
        },
        name: names.collect::<Vec<_>>().join("."),
        markdown,
        since: None,
        until: None,
    }
}
