//! The built-in kinds: every version is complete, with the expected facts.

use super::{at, catalog, line};
use crate::openapi::{Catalog, ListType, MapType, Schema, SchemaType};
use crate::versions::ServerVersion;
use expect_test::expect;
use serde_json::json;
use std::collections::HashSet;

fn minors() -> impl Iterator<Item = u8> {
    ServerVersion::OLDEST.0..=ServerVersion::NEWEST_KINDS.0
}

#[test]
fn the_versions_are_those_of_the_file() {
    assert_eq!(minors().collect::<Vec<_>>(), (25..=37).collect::<Vec<_>>());
    for minor in minors() {
        let catalog = catalog(minor);
        assert_eq!(catalog.version(), ServerVersion(minor));
        assert!(catalog.resource("apps", "v1", "deployments").is_some());
    }
    // Others count as the nearest one.
    assert_eq!(catalog(12).version(), ServerVersion(25));
    assert_eq!(catalog(99).version(), ServerVersion(37));
}

#[test]
fn every_resource_has_a_schema_and_is_found_by_its_names() {
    for minor in minors() {
        let catalog = catalog(minor);
        for resource in catalog.resources() {
            let (group, version) = (resource.group, resource.version);
            let schema = catalog
                .schema(group, version, resource.kind)
                .unwrap_or_else(|| panic!("1.{minor}: {resource:?}"));
            assert_eq!(schema.ty(), SchemaType::Object, "1.{minor}: {resource:?}");
            let by_plural = catalog.resource(group, version, resource.plural).unwrap();
            let by_kind = catalog.kind(group, version, resource.kind).unwrap();
            assert_eq!(by_plural.kind, resource.kind);
            assert_eq!(by_kind.plural, resource.plural);
            assert!(resource.verbs.iter().len() > 0, "1.{minor}: {resource:?}");
            for below in resource.subresources.iter() {
                let schema = catalog.schema(below.group, below.version, below.kind);
                assert!(schema.is_some(), "1.{minor}: {resource:?} {below:?}");
            }
        }
    }
}

/// Every node of every version, each named type once.
#[test]
fn every_node_can_be_visited() {
    fn visit<'c>(schema: Schema<'c>, seen: &mut HashSet<&'c str>, count: &mut usize) {
        *count += 1;
        if schema.type_name().is_some_and(|name| !seen.insert(name)) {
            return;
        }
        let _ = schema.default_value();
        assert!(schema.enum_values().all(|value| !value.is_null()));
        assert!(schema.list_map_keys().all(|key| !key.is_empty()));
        if schema.ty() == SchemaType::Array {
            assert!(schema.items().is_some(), "{schema:?}");
        }
        for (name, property) in schema.properties() {
            assert!(!name.is_empty());
            assert_eq!(schema.property(name), Some(property));
            visit(property, seen, count);
        }
        let inner = [schema.items(), schema.additional_properties()];
        for inner in inner.into_iter().flatten() {
            visit(inner, seen, count);
        }
    }
    for minor in minors() {
        let catalog = catalog(minor);
        let (mut seen, mut count) = (HashSet::new(), 0);
        let names: Vec<String> = catalog.type_names().map(str::to_owned).collect();
        for name in &names {
            visit(catalog.named(name).unwrap(), &mut seen, &mut count);
        }
        assert_eq!(seen.len(), names.len(), "1.{minor}");
        assert!(count > 2_500, "1.{minor}: {count}");
    }
}

fn field<'c>(catalog: &'c Catalog, group: &str, version: &str, path: &str) -> Schema<'c> {
    let (kind, path) = path.split_once('.').unwrap();
    let schema = catalog.schema(group, version, kind).unwrap();
    at(schema, path).unwrap_or_else(|| panic!("{path}"))
}

#[test]
fn fields_have_their_facts_in_every_version() {
    for minor in minors() {
        let catalog = catalog(minor);
        let deployment = |path: &str| field(&catalog, "apps", "v1", path);
        let replicas = deployment("Deployment.spec.replicas");
        assert_eq!(
            (replicas.ty(), replicas.format()),
            (SchemaType::Integer, Some("int32"))
        );
        let pod = "Deployment.spec.template.spec";
        let containers = deployment(&format!("{pod}.containers"));
        assert_eq!(containers.list_type(), Some(ListType::Map));
        assert_eq!(containers.list_map_keys().collect::<Vec<_>>(), ["name"]);
        assert!(!containers.is_atomic());
        assert!(deployment(&format!("{pod}.containers.[].args")).is_atomic());
        let port = deployment(&format!("{pod}.containers.[].ports.[]"));
        assert_eq!(port.type_name(), Some("io.k8s.api.core.v1.ContainerPort"));
        assert!(port.is_required("containerPort"));
        assert!(!port.is_required("protocol"));
        assert!(!port.is_required("unknown"));
        let protocol = port.property("protocol").unwrap();
        assert_eq!(protocol.default_value(), Some(json!("TCP")));
        let values: Vec<_> = protocol.enum_values().collect();
        assert_eq!(values, [json!("SCTP"), json!("TCP"), json!("UDP")]);
        let limit = deployment(&format!("{pod}.containers.[].resources.limits.{{}}"));
        assert_eq!(limit.ty(), SchemaType::Quantity);
        let surge = deployment("Deployment.spec.strategy.rollingUpdate.maxSurge");
        assert_eq!(surge.ty(), SchemaType::IntOrString);
        let created = deployment("Deployment.metadata.creationTimestamp");
        assert_eq!(created.format(), Some("date-time"));
        let selector = deployment("Deployment.spec.selector");
        assert_eq!(selector.map_type(), Some(MapType::Atomic));
        let finalizers = deployment("Deployment.metadata.finalizers");
        assert_eq!(finalizers.list_type(), Some(ListType::Set));
        let data = field(&catalog, "", "v1", "Secret.data.{}");
        assert_eq!(
            (data.ty(), data.format()),
            (SchemaType::String, Some("byte"))
        );
    }
}

#[test]
fn versions_differ() {
    let has = |minor: u8, path: &str| {
        let catalog = catalog(minor);
        at(catalog.schema("", "v1", "Pod").unwrap(), path).is_some()
    };
    // Servers add and remove fields.
    assert!(!has(25, "spec.resources") && has(36, "spec.resources"));
    assert!(!has(27, "spec.initContainers.[].restartPolicy"));
    assert!(has(28, "spec.initContainers.[].restartPolicy"));
    // So do kinds.
    let policy = |minor: u8, version: &str| {
        let group = "admissionregistration.k8s.io";
        let catalog = catalog(minor);
        let kind = catalog.kind(group, version, "ValidatingAdmissionPolicy");
        kind.map(|kind| kind.served_by_default)
    };
    assert_eq!(policy(25, "v1alpha1"), None);
    assert_eq!(policy(26, "v1alpha1"), Some(false));
    assert_eq!(policy(29, "v1beta1"), Some(false));
    assert_eq!(policy(29, "v1"), None);
    assert_eq!(policy(30, "v1"), Some(true));
    // And subresources.
    let resize = |minor: u8| {
        let catalog = catalog(minor);
        let pods = catalog.resource("", "v1", "pods").unwrap();
        pods.subresource("resize").is_some()
    };
    assert!(!resize(32) && resize(33));
}

#[test]
fn resources_of_some_versions_are_among_all() {
    let catalog = catalog(36);
    for wanted in [("", "v1"), ("apps", "v1"), ("apps", "v2"), ("*", "v1beta1")] {
        let is_wanted = |group: &str, version: &str| {
            (wanted.0 == "*" || group == wanted.0) && version == wanted.1
        };
        let found: Vec<String> = catalog.resources_in(is_wanted).map(line).collect();
        let all = catalog
            .resources()
            .filter(|it| is_wanted(it.group, it.version));
        assert_eq!(found, all.map(line).collect::<Vec<_>>());
        assert_eq!(found.is_empty(), wanted == ("apps", "v2"));
    }
}

#[test]
fn resources_have_their_names() {
    let catalog = catalog(36);
    let of = |group: &str, version: &str, plural: &str| {
        line(catalog.resource(group, version, plural).unwrap())
    };
    let text = [
        of("", "v1", "namespaces"),
        of("apps", "v1", "deployments"),
        of("", "v1", "bindings"),
        of("certificates.k8s.io", "v1beta1", "clustertrustbundles"),
        of(
            "storagemigration.k8s.io",
            "v1beta1",
            "storageversionmigrations",
        ),
    ];
    expect![[r#"
        /v1 namespaces namespace [ns] Namespace Cluster create,delete,get,list,patch,update,watch [finalize=/v1.Namespace status=/v1.Namespace]
        apps/v1 deployments deployment [deploy] Deployment Namespaced create,delete,deletecollection,get,list,patch,update,watch [scale=autoscaling/v1.Scale status=apps/v1.Deployment]
        /v1 bindings binding [] Binding Namespaced create []
        certificates.k8s.io/v1beta1 clustertrustbundles clustertrustbundle [] ClusterTrustBundle Cluster create,delete,deletecollection,get,list,patch,update,watch []
        storagemigration.k8s.io/v1beta1 storageversionmigrations storageversionmigration [] StorageVersionMigration Cluster create,delete,deletecollection,get,list,patch,update,watch [status=storagemigration.k8s.io/v1beta1.StorageVersionMigration]"#]].assert_eq(&text.join("\n"));
    assert!(catalog.resource("apps", "v1", "Deployment").is_none());
    assert!(catalog.resource("apps", "v2", "deployments").is_none());
    // Kinds without their own resource.
    for (group, kind) in [
        ("autoscaling", "Scale"),
        ("policy", "Eviction"),
        ("", "PodList"),
    ] {
        assert!(catalog.kind(group, "v1", kind).is_none(), "{kind}");
        assert!(catalog.schema(group, "v1", kind).is_some(), "{kind}");
    }
    let exec = catalog
        .resource("", "v1", "pods")
        .unwrap()
        .subresource("exec")
        .unwrap();
    let options = catalog.schema(exec.group, exec.version, exec.kind).unwrap();
    assert_eq!(options.property("command").unwrap().ty(), SchemaType::Array);
}

#[test]
fn a_type_may_hold_itself() {
    let catalog = catalog(36);
    let name = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
    let mut schema = catalog.named(name).unwrap();
    for _ in 0..1_000 {
        schema = at(schema, "properties.{}.not").unwrap();
        assert_eq!(schema.type_name(), Some(name));
    }
    // A union of several types has no type.
    assert_eq!(schema.property("items").unwrap().ty(), SchemaType::Any);
}

#[test]
fn fields_are_described() {
    for minor in [25, 37] {
        let catalog = catalog(minor);
        let replicas = field(&catalog, "apps", "v1", "Deployment.spec.replicas");
        let text = replicas.description().unwrap();
        assert!(text.starts_with("Number of desired pods."), "{text}");
        let deployment = catalog.schema("apps", "v1", "Deployment").unwrap();
        let text = deployment.description().unwrap();
        assert!(
            text.starts_with("Deployment enables declarative updates"),
            "{text}"
        );
        // An item is described by its type.
        let container = field(&catalog, "", "v1", "Pod.spec.containers.[]");
        let text = container.description().unwrap();
        assert!(text.starts_with("A single application container"), "{text}");
    }
}

#[test]
fn nearly_every_field_is_described() {
    let catalog = catalog(37);
    let (mut described, mut all) = (0, 0);
    for name in catalog.type_names() {
        for (_, property) in catalog.named(name).unwrap().properties() {
            all += 1;
            described += usize::from(property.description().is_some());
        }
    }
    assert!(described * 100 >= all * 95, "{described} of {all}");
}
