use super::{Catalog, ListType, Schema, SchemaType};
use crate::target::Target;
use cel::library::Version;
use serde_json::json;

fn catalog(minor: u8) -> std::sync::Arc<Catalog> {
    Catalog::built_in(Version(minor))
}

/// A schema by the path of fields from a kind; `[]` is an item, `{}` the value of a map.
fn at<'c>(catalog: &'c Catalog, group: &str, version: &str, path: &str) -> Option<Schema<'c>> {
    let mut steps = path.split('.');
    let kind = steps.next()?;
    let mut schema = catalog.schema(group, version, kind)?;
    for step in steps {
        schema = match step {
            "[]" => schema.items()?,
            "{}" => schema.additional_properties()?,
            name => schema.property(name)?,
        };
    }
    Some(schema)
}

#[test]
fn there_is_a_catalog_of_every_version() {
    for minor in Target::OLDEST.0..=Target::NEWEST.0 {
        let catalog = catalog(minor);
        assert_eq!(catalog.version(), Version(minor));
        assert!(catalog.resource("apps", "v1", "deployments").is_some());
    }
}

#[test]
fn every_resource_has_a_schema() {
    for minor in Target::OLDEST.0..=Target::NEWEST.0 {
        let catalog = catalog(minor);
        for resource in catalog.resources() {
            let schema = catalog.schema(resource.group, resource.version, resource.kind);
            let schema = schema.unwrap_or_else(|| panic!("1.{minor}: {resource:?}"));
            assert_eq!(schema.ty(), SchemaType::Object, "1.{minor}: {resource:?}");
        }
    }
}

#[test]
fn fields_have_their_facts() {
    let catalog = catalog(36);
    let deployment = |path: &str| at(&catalog, "apps", "v1", path).unwrap();
    let replicas = deployment("Deployment.spec.replicas");
    assert_eq!(replicas.ty(), SchemaType::Integer);
    assert_eq!(replicas.format(), Some("int32"));
    let containers = deployment("Deployment.spec.template.spec.containers");
    assert_eq!(containers.list_type(), Some(ListType::Map));
    assert_eq!(containers.list_map_keys().collect::<Vec<_>>(), ["name"]);
    let port = deployment("Deployment.spec.template.spec.containers.[].ports.[]");
    assert_eq!(port.type_name(), Some("io.k8s.api.core.v1.ContainerPort"));
    assert!(port.is_required("containerPort"));
    let protocol = port.property("protocol").unwrap();
    assert_eq!(protocol.default_value(), Some(json!("TCP")));
    assert_eq!(
        protocol.enum_values().collect::<Vec<_>>(),
        [json!("SCTP"), json!("TCP"), json!("UDP")]
    );
    let limit = deployment("Deployment.spec.template.spec.containers.[].resources.limits.{}");
    assert_eq!(limit.ty(), SchemaType::Quantity);
    let surge = deployment("Deployment.spec.strategy.rollingUpdate.maxSurge");
    assert_eq!(surge.ty(), SchemaType::IntOrString);
    assert_eq!(
        deployment("Deployment.metadata.labels.{}").ty(),
        SchemaType::String
    );
    assert!(deployment("Deployment.spec.selector").is_atomic());
}
