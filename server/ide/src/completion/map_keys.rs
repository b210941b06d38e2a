//! The keys of a map in the objects of a policy.

use super::context::Context;
use super::well_known;
use kubernetes::openapi::Schema;
use std::collections::BTreeSet;

/// Returns the keys of a map at a path, with its schema if it is known: those of the samples, then those of other manifests that
/// have the same meaning in every kind, then well-known ones.
pub(super) fn map_keys(
    context: &Context<'_>,
    path: &[&str],
    map: Option<Schema<'_>>,
) -> Vec<String> {
    let kind = context.object_kind();
    let mut keys: Vec<String> = sample_keys(context, path).into_iter().collect();
    if let ["metadata", field] = path {
        keys.extend(well_known::metadata_keys(context.samples, field, kind));
    }
    let field = path.last().copied().unwrap_or_default();
    let values = map.and_then(Schema::additional_properties);
    keys.extend(well_known::words(well_known::keys(field, kind, values)));
    let mut seen = BTreeSet::new();
    keys.retain(|key| seen.insert(key.clone()));
    keys
}

/// Returns the keys that a field of the sample objects has.
pub(super) fn sample_keys(context: &Context<'_>, path: &[&str]) -> BTreeSet<String> {
    let document = context.target.document;
    let samples = context.samples.iter();
    let samples = samples.filter(|it| it.is_matched_by(document, context.resources));
    let maps: Vec<_> = samples
        .filter_map(|sample| {
            let mut names = path.iter();
            names.try_fold(sample.value.clone(), |value, name| {
                value.as_map()?.get_str(name).cloned()
            })
        })
        .collect();
    let keys = maps.iter().filter_map(|map| map.as_map());
    let keys = keys.flat_map(|map| map.iter().map(|(key, _)| key.value()));
    keys.filter_map(|key| key.as_str().map(str::to_owned))
        .collect()
}
