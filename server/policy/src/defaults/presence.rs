//! Which fields are written without a value.
//!
//! The API server writes a struct, a number, a text or a truth value of most fields that must
//! be there also where nothing was given, and null for a list, a map or a pointer among them.
//! The schemas say nearly all of it; here is the rest.
//!
//! Upstream: kubernetes/api, types.go of each group.

/// Fields that are written as null without a value, though none is required.
static NULLS: &[(&str, &[&str])] = &[
    ("AllocatedDeviceStatus", &["conditions"]),
    ("AzureFilePersistentVolumeSource", &["secretNamespace"]),
    ("CSINodeDriver", &["topologyKeys"]),
    ("CapacityRequestPolicy", &["default"]),
    ("ClusterRole", &["rules"]),
    ("ContainerImage", &["names"]),
    (
        "CustomResourceDefinitionStatus",
        &["conditions", "storedVersions"],
    ),
    ("DeviceClaim", &["requests"]),
    ("EndpointSlice", &["endpoints", "ports"]),
    ("GRPCAction", &["service"]),
    ("HorizontalPodAutoscalerStatus", &["currentMetrics"]),
    ("IngressClassParametersReference", &["scope"]),
    (
        "LimitedPriorityLevelConfiguration",
        &["nominalConcurrencyShares"],
    ),
    ("PodGroupSpec", &["podGroupTemplateRef"]),
    ("PodGroupTemplate", &["schedulingConstraints"]),
    ("PodGroupTemplateReference", &["workload"]),
    ("ProjectedVolumeSource", &["sources"]),
    ("ResourcePolicyRule", &["namespaces"]),
    ("Role", &["rules"]),
    (
        "TokenRequestSpec",
        &["audiences", "boundObjectRef", "expirationSeconds"],
    ),
    ("TypedLocalObjectReference", &["apiGroup"]),
    ("TypedObjectReference", &["apiGroup"]),
];

/// Fields that are required and yet not written without a value.
static LEFT_OUT: &[(&str, &[&str])] = &[
    ("CapacityRequestPolicyRange", &["min"]),
    ("CounterSet", &["counters"]),
    ("DeviceCounterConsumption", &["counters"]),
    ("IPAddressSpec", &["parentRef"]),
    ("ServerStorageVersion", &["decodableVersions"]),
    (
        "ValidatingAdmissionPolicyBindingSpec",
        &["validationActions"],
    ),
];

/// Times that are written as null without a value: those that are no pointers.
static TIMES: &[&str] = &[
    "deprecatedFirstTimestamp",
    "deprecatedLastTimestamp",
    "eventTime",
    "evictionTime",
    "expirationTimestamp",
    "finishedAt",
    "firstTimestamp",
    "lastHeartbeatTime",
    "lastObservedTime",
    "lastProbeTime",
    "lastTimestamp",
    "lastTransitionTime",
    "lastUpdateTime",
    "startedAt",
];

/// Whether a field without a value is written as null, where nothing is required of it.
pub(super) fn is_null(type_name: &str, field: &str) -> bool {
    holds(NULLS, type_name, field)
}

/// Whether a required field without a value is left out.
pub(super) fn is_left_out(type_name: &str, field: &str) -> bool {
    holds(LEFT_OUT, type_name, field)
}

/// Whether a time without a value is written as null.
pub(super) fn is_written_time(field: &str) -> bool {
    TIMES.binary_search(&field).is_ok()
}

/// Whether a table, in the order of its types, has a field.
pub(super) fn holds(table: &[(&str, &[&str])], type_name: &str, field: &str) -> bool {
    let name = type_name.rsplit('.').next().unwrap_or(type_name);
    let place = table.binary_search_by_key(&name, |(name, _)| name);
    let fields = place.ok().and_then(|place| table.get(place));
    fields.is_some_and(|(_, fields)| fields.contains(&field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order() {
        for table in [NULLS, LEFT_OUT] {
            assert!(table.is_sorted_by_key(|(name, _)| *name));
        }
        assert!(TIMES.is_sorted());
    }
}
