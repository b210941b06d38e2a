//! The values of a field that only its description lists: `The supported values are linux and
//! windows.`
//!
//! The API server may accept others, so they are offered and nothing else.

use kubernetes::openapi::{Schema, SchemaType};

/// The words before the noun of a list: `Valid values are`.
const ADJECTIVES: [&str; 6] = [
    "valid",
    "allowed",
    "acceptable",
    "accepted",
    "supported",
    "possible",
];

/// Returns the values that the description of a field lists. Empty if the schema has an enum or a
/// format.
pub(super) fn described_values<'c>(owner: Schema<'c>, field: &str) -> Vec<&'c str> {
    let Some(schema) = owner.property(field) else {
        return Vec::new();
    };
    let value = schema.items().unwrap_or(schema);
    if value.ty() != SchemaType::String || value.format().is_some() || value.enum_values().len() > 0
    {
        return Vec::new();
    }
    let mut values = values(schema.description().unwrap_or_default());
    // One of several fields must be set.
    if values.iter().any(|value| owner.property(value).is_some()) {
        values.clear();
    }
    values
}

/// Returns the values of the first list in a description.
fn values(description: &str) -> Vec<&str> {
    let mut starts = description.match_indices(' ').map(|(at, _)| at + 1);
    let at_start = list_of_keywords(description);
    let found = at_start.or_else(|| {
        starts.find_map(|start| {
            let (before, after) = description.split_at_checked(start)?;
            list_of_keywords(after)
                .filter(|_| before.ends_with(". "))
                .or_else(|| list_after(before, after))
        })
    });
    found.unwrap_or_default()
}

/// Returns the values of a sentence such as `"a" and "b" are special keywords`.
fn list_of_keywords(sentence: &str) -> Option<Vec<&str>> {
    let (values, rest) = list(sentence)?;
    let rest = rest.trim_start().strip_prefix("are ")?;
    let end = rest.split(". ").next()?;
    let is_list = sentence.starts_with(is_quote) && end.contains("keywords");
    is_list.then_some(values)
}

/// Returns the list after words that introduce one.
fn list_after<'d>(before: &str, after: &'d str) -> Option<Vec<&'d str>> {
    let mut words = before.trim_end().rsplit(' ');
    let last = words.next()?.trim_end_matches(':');
    let other = words.next()?.to_lowercase();
    let is_list = match last {
        "are" | "is" => ADJECTIVES.contains(&&*words.next()?.to_lowercase()),
        "of" => other == "one",
        "be" => after.starts_with(is_quote) && matches!(&*other, "can" | "must" | "may"),
        _ => false,
    };
    if !is_list {
        return None;
    }
    if let Some(bullets) = after.strip_prefix("- ") {
        return bulleted(bullets);
    }
    let (values, rest) = list(after)?;
    let is_end = rest.is_empty() || rest.starts_with(['.', ',', ';', '(', ':']);
    (values.len() > 1 && is_end).then_some(values)
}

/// Returns the values of a list of items, each with an explanation after a colon.
fn bulleted(text: &str) -> Option<Vec<&str>> {
    let items = text.split(" - ").map_while(|item| {
        let (value, rest) = item_at(item)?;
        rest.starts_with(':').then_some(value)
    });
    let values: Vec<&str> = items.collect();
    (values.len() > 1).then_some(values)
}

/// Returns the values of a list such as `"a", "b" or "c"`, and what follows. Quoted values
/// can have an explanation: `'a' - means one; 'b' - means two`.
fn list(text: &str) -> Option<(Vec<&str>, &str)> {
    let mut values = Vec::new();
    let mut rest = text;
    loop {
        let is_quoted = rest.starts_with(is_quote);
        let (value, after) = item_at(rest)?;
        values.push(value);
        rest = after;
        if let Some(explanation) = rest.strip_prefix(" - ").filter(|_| is_quoted) {
            let end = explanation.find([';', '.']).unwrap_or(explanation.len());
            rest = explanation.get(end..)?;
        }
        match separated(rest).filter(|next| item_at(next).is_some()) {
            Some(next) if next.starts_with(is_quote) == is_quoted => rest = next,
            _ => return Some((values, rest)),
        }
    }
}

/// Returns the rest of a list after the separator of two items.
fn separated(text: &str) -> Option<&str> {
    let after = text.trim_start_matches([',', ';']);
    let has_mark = after.len() < text.len();
    let after = after.strip_prefix(' ')?;
    let word = ["and ", "or "].iter().find_map(|it| after.strip_prefix(it));
    word.or_else(|| has_mark.then_some(after))
}

/// Returns the value at the beginning of a string, without its quotes, and the rest.
fn item_at(text: &str) -> Option<(&str, &str)> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '/');
    let quote = text.chars().next().filter(|it| is_quote(*it));
    let text = quote.map_or(Some(text), |quote| text.strip_prefix(quote))?;
    let end = text.find(|it| !is_part(it)).unwrap_or(text.len());
    let (value, rest) = text.split_at_checked(end)?;
    let rest = match quote {
        Some(quote) => rest.strip_prefix(quote)?,
        None => rest,
    };
    (!value.is_empty()).then_some((value, rest))
}

fn is_quote(it: char) -> bool {
    matches!(it, '"' | '\'' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use kubernetes::ServerVersion;
    use kubernetes::openapi::Catalog;
    use std::collections::BTreeSet;

    #[test]
    fn only_lists_of_values_are_read() {
        for (description, expected) in [
            (
                "The currently supported values are linux and windows. More may follow.",
                "linux windows",
            ),
            ("Can be \"a\" or 'b'. Default is a.", "a b"),
            (
                "Acceptable values are: 'A' - one thing; 'B' - another; 'C' - a third.",
                "A B C",
            ),
            ("Status, one of True, False, Unknown.", "True False Unknown"),
            (
                "Valid values are: - Ignore: drops it. All of it. - Warn: warns.",
                "Ignore Warn",
            ),
            (
                "\"x-y\" and \"z\" are two special keywords. Others exist.",
                "x-y z",
            ),
            (
                "🦊 Possible values are `a`, `b`, and `c`, where c is rare.",
                "a b c",
            ),
            ("Exactly one of the fields must be set.", ""),
            ("One of `url` or `service` must be specified.", ""),
            ("Must be a DNS label. Must be \"a\".", ""),
            ("If set, it must be less than 5, or 6.", ""),
            ("The values are whatever, or not at all.", ""),
            ("", ""),
        ] {
            assert_eq!(values(description).join(" "), expected, "{description}");
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn the_descriptions_of_kubernetes_list_these_values() {
        let catalog = Catalog::built_in(ServerVersion::NEWEST);
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Schema<'_>> = catalog
            .resources()
            .filter_map(|it| catalog.schema(it.group, it.version, it.kind))
            .collect();
        while let Some(schema) = open.pop() {
            let inner = [schema.items(), schema.additional_properties()];
            open.extend(inner.into_iter().flatten());
            let Some(name) = schema.type_name().filter(|name| seen.insert(*name)) else {
                continue;
            };
            for (field, property) in schema.properties() {
                let values = described_values(schema, field).join(" ");
                if !values.is_empty() {
                    let name = name.rsplit('.').next().unwrap_or(name);
                    found.insert(format!("{name}.{field}: {values}\n"));
                }
                open.push(property);
            }
        }
        let found: String = found.into_iter().collect();
        expect![[r#"
            CertificateSigningRequestCondition.status: True False Unknown
            CompositePodGroupSpec.preemptionPolicy: Never PreemptLowerPriority
            CompositePodGroupTemplate.preemptionPolicy: Never PreemptLowerPriority
            Condition.status: True False Unknown
            CustomResourceDefinitionSpec.scope: Cluster Namespaced
            DaemonSetCondition.status: True False Unknown
            DeploymentCondition.status: True False Unknown
            FieldSelectorRequirement.operator: In NotIn Exists DoesNotExist
            FlowDistinguisherMethod.type: ByUser ByNamespace
            FlowSchemaCondition.status: True False Unknown
            JobCondition.status: True False Unknown
            LabelSelectorRequirement.operator: In NotIn Exists DoesNotExist
            MatchResources.matchPolicy: Exact Equivalent
            MetricSpec.type: ContainerResource External Object Pods Resource
            MetricStatus.type: ContainerResource External Object Pods Resource
            NamespaceCondition.status: True False Unknown
            NodeAddress.type: Hostname ExternalIP InternalIP
            NodeCondition.status: True False Unknown
            PodGroupSpec.preemptionPolicy: Never PreemptLowerPriority
            PodGroupTemplate.preemptionPolicy: Never PreemptLowerPriority
            PodOS.name: linux windows
            PodSecurityContext.seLinuxChangePolicy: MountOption Recursive
            PodSpec.priorityClassName: system-node-critical system-cluster-critical
            PriorityLevelConfigurationCondition.status: True False Unknown
            ReplicaSetCondition.status: True False Unknown
            ReplicationControllerCondition.status: True False Unknown
            ResourceHealth.health: Healthy Unhealthy Unknown
            StatefulSetCondition.status: True False Unknown
            StorageHealthCondition.status: StorageUnreachable StorageDegraded
            StorageVersionCondition.status: True False Unknown
            Validation.reason: Unauthorized Forbidden Invalid RequestEntityTooLarge
            VolumeMount.bindMountOptions: noexec nodev nosuid
        "#]]
        .assert_eq(&found);
    }
}
