//! The resource of a request.
//!
//! It follows from the kind of the object. The object of a subresource has a different kind,
//! or is missing for CONNECT; the subresource then determines the resource if only one
//! resource has it.

use super::{RequestError, RequestInput};
use admission::{Resource, Resources};
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{self, Catalog};
use kubernetes::string_field;

/// Returns the resource of an input.
pub(super) fn resolve(
    input: &RequestInput,
    kinds: &Catalog,
    resources: &Resources,
) -> Result<Resource, RequestError> {
    let described = input.described();
    let api_version = described.and_then(|it| string_field(it, "apiVersion"));
    let kind = input
        .kind
        .as_deref()
        .or(described.and_then(|it| string_field(it, "kind")));
    let of_kind = api_version.map(GroupVersion::parse);
    let written = Written {
        group: input.group.as_deref().or(of_kind.map(|it| it.group)),
        version: input.version.as_deref().or(of_kind.map(|it| it.version)),
        kind,
    };
    if let Some(plural) = &input.resource {
        return Ok(written.named(plural, input, kinds, resources));
    }
    if let (Some(version), Some(kind)) = (written.version, written.kind) {
        return written.of_kind(version, kind, input, kinds, resources);
    }
    if !input.subresource.is_empty() {
        return parent_resource(&input.subresource, None, kinds);
    }
    Err(match (described, api_version) {
        (None, _) => RequestError::NoObject,
        (Some(_), None) => RequestError::NoApiVersion,
        (Some(_), Some(_)) => RequestError::NoKind,
    })
}

/// Returns the subresource that follows from the kind of the object: `eviction` of `Eviction`.
/// `None` if the input names a resource, a kind or a subresource, if the kind has its own resource,
/// or if several subresources have the kind.
pub(super) fn implied_subresource(input: &RequestInput, kinds: &Catalog) -> Option<String> {
    if input.resource.is_some() || input.kind.is_some() || !input.subresource.is_empty() {
        return None;
    }
    let object = input.described()?;
    let GroupVersion { group, version } = GroupVersion::parse(string_field(object, "apiVersion")?);
    let kind = string_field(object, "kind")?;
    if kinds.kind(group, version, kind).is_some() {
        return None;
    }
    let below = kinds.resources().flat_map(|it| it.subresources.iter());
    let mut names = below
        .filter(|it| (it.group, it.version, it.kind) == (group, version, kind))
        .map(|it| it.name);
    let first = names.next()?;
    names.all(|name| name == first).then(|| first.to_owned())
}

/// The fields of a resource, or of the object that determines it.
struct Written<'a> {
    group: Option<&'a str>,
    version: Option<&'a str>,
    kind: Option<&'a str>,
}

impl Written<'_> {
    /// Returns the resource of that plural name.
    fn named(
        &self,
        plural: &str,
        input: &RequestInput,
        kinds: &Catalog,
        resources: &Resources,
    ) -> Resource {
        let exact = self
            .group
            .zip(self.version)
            .and_then(|(group, version)| kinds.resource(group, version, plural));
        let fits = |it: &openapi::Resource<'_>| {
            it.plural == plural
                && input.group.as_ref().is_none_or(|group| it.group == group)
                && input
                    .version
                    .as_ref()
                    .is_none_or(|version| it.version == version)
        };
        if let Some(known) = exact.or_else(|| kinds.resources().find(fits)) {
            let below = known.subresource(&input.subresource);
            return Resource {
                kind: self
                    .kind
                    .unwrap_or(below.map_or(known.kind, |below| below.kind))
                    .to_owned(),
                ..owned(known)
            };
        }
        let (group, version) = (self.group.unwrap_or_default(), self.version.unwrap_or("v1"));
        let kind = self.kind.unwrap_or_default();
        Resource {
            plural: plural.to_owned(),
            ..resources.resource(&GroupVersion { group, version }.to_string(), kind)
        }
    }

    /// Returns the resource of the kind, or that which has the kind below it.
    fn of_kind(
        &self,
        version: &str,
        kind: &str,
        input: &RequestInput,
        kinds: &Catalog,
        resources: &Resources,
    ) -> Result<Resource, RequestError> {
        let group = self.group.unwrap_or_default();
        if !input.subresource.is_empty() && kinds.kind(group, version, kind).is_none() {
            let of_kind = Some((group, version, kind));
            match parent_resource(&input.subresource, of_kind, kinds) {
                Err(RequestError::NoResource { resources, .. }) if resources.is_empty() => {}
                found => return found,
            }
        }
        Ok(resources.resource(&GroupVersion { group, version }.to_string(), kind))
    }
}

/// Returns the one resource that has a subresource, with objects of that kind if one is given.
fn parent_resource(
    subresource: &str,
    wanted: Option<(&str, &str, &str)>,
    kinds: &Catalog,
) -> Result<Resource, RequestError> {
    let mut found: Vec<Resource> = Vec::new();
    for resource in kinds.resources() {
        let Some(below) = resource.subresource(subresource) else {
            continue;
        };
        let fits = wanted.is_none_or(|it| it == (below.group, below.version, below.kind));
        let is_new = |other: &Resource| {
            (other.group.as_str(), other.plural.as_str()) != (resource.group, resource.plural)
        };
        if fits && found.iter().all(is_new) {
            found.push(Resource {
                kind: below.kind.to_owned(),
                ..owned(resource)
            });
        }
    }
    match found.as_slice() {
        [one] => Ok(one.clone()),
        several => Err(RequestError::NoResource {
            subresource: subresource.to_owned(),
            resources: several.iter().map(in_words).collect(),
        }),
    }
}

fn in_words(resource: &Resource) -> String {
    match resource.group.as_str() {
        "" => resource.plural.clone(),
        group => format!("{}.{group}", resource.plural),
    }
}

fn owned(resource: openapi::Resource<'_>) -> Resource {
    Resource {
        group: resource.group.to_owned(),
        version: resource.version.to_owned(),
        kind: resource.kind.to_owned(),
        plural: resource.plural.to_owned(),
        namespaced: Some(resource.namespaced),
    }
}
