//! The plugins DefaultStorageClass and DefaultIngressClass: a new object without a class gets the
//! default one.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/storage/storageclass/setdefault/
//! admission.go, Admit; pkg/volume/util/storageclass.go, GetDefaultClass;
//! plugin/pkg/admission/network/defaultingressclass/admission.go, Admit and getDefaultClass.

use super::{Cluster, Notes, PluginResult, spec_mut};
use crate::fields::get;
use crate::request::{Operation, Request};
use cel::Value;
use kubernetes::metadata_field;

/// A kind whose objects name a class.
struct Classified {
    /// The group and plural of its resource.
    resource: (&'static str, &'static str),
    /// The field of the specification that names the class.
    field: &'static str,
    /// The older annotation for the same purpose.
    annotation: &'static str,
    class: (&'static str, &'static str),
    /// The annotations that make a class the default.
    default: &'static [&'static str],
}

const CLAIM: Classified = Classified {
    resource: ("", "persistentvolumeclaims"),
    field: "storageClassName",
    annotation: "volume.beta.kubernetes.io/storage-class",
    class: ("storage.k8s.io/v1", "StorageClass"),
    default: &[
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
    ],
};

const INGRESS: Classified = Classified {
    resource: ("networking.k8s.io", "ingresses"),
    field: "ingressClassName",
    annotation: "kubernetes.io/ingress.class",
    class: ("networking.k8s.io/v1", "IngressClass"),
    default: &["ingressclass.kubernetes.io/is-default-class"],
};

pub(super) fn storage_class(
    request: &mut Request,
    cluster: &Cluster<'_>,
    _: &mut Notes,
) -> PluginResult {
    set_default(request, cluster, &CLAIM);
    Ok(())
}

pub(super) fn ingress_class(
    request: &mut Request,
    cluster: &Cluster<'_>,
    _: &mut Notes,
) -> PluginResult {
    set_default(request, cluster, &INGRESS);
    Ok(())
}

fn set_default(request: &mut Request, cluster: &Cluster<'_>, kind: &Classified) {
    let resource = (&*request.resource.group, &*request.resource.plural);
    let is_new = request.operation == Operation::Create && request.subresource.is_empty();
    let Some(object) = request.inputs.object.as_mut() else {
        return;
    };
    if !is_new || resource != kind.resource || annotation(object, kind.annotation).is_some() {
        return;
    }
    let classes = cluster.objects.of_kind(kind.class.0, kind.class.1);
    let defaults = classes.filter(|class| {
        let mut keys = kind.default.iter();
        keys.any(|key| annotation(class, key) == Some("true"))
    });
    // The newest one, then the first by name.
    let rank = |class: &&Value| {
        let of = |field| metadata_field(class, field).unwrap_or_default().to_owned();
        (std::cmp::Reverse(of("creationTimestamp")), of("name"))
    };
    let class = defaults.min_by_key(rank);
    if let (Some(class), Some(spec)) = (class, spec_mut(object))
        && spec
            .get_str(kind.field)
            .is_none_or(|it| matches!(it, Value::Null))
    {
        let name = metadata_field(class, "name").unwrap_or_default();
        spec.set_str(kind.field, Value::string(name));
    }
}

fn annotation<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    let annotations = get(get(object, "metadata")?, "annotations")?;
    get(annotations, key)?.as_str()
}
