//! The order of completions that fit equally well: names that the policy uses already, then
//! common names, then the alphabet.
//!
//! By the alphabet, `args` is before `image`. A schema does not show which of its fields are used,
//! so the order is that of published policies and manifests.

use super::Item;
use super::context::Context;
use super::meant_field::meant_field;
use cel::syntax::ExprKind;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

/// Fields by their use in the public Kyverno policies with CEL and their sample manifests, the most
/// frequent first. A use in an expression counts ten times.
const FIELDS: &str = "\
    spec metadata name kind containers image labels template initContainers apiVersion selector \
    matchLabels replicas namespace securityContext jobTemplate annotations restartPolicy \
    ephemeralContainers resources schedule volumes rules type path strategy command requests \
    hostPath ports limits volumeMounts env port emptyDir capabilities value verbs mountPath drop \
    key add apiGroups status data host http containerPort envFrom runAsUser paths \
    automountServiceAccountToken valueFrom fsGroup roleRef secretRef runAsGroup sizeLimit tls \
    secret secretKeyRef subjects livenessProbe seccompProfile secretName imagePullPolicy service \
    protocol runAsNonRoot configMap pathType backend sysctls targetPort priorityClassName items \
    readOnly allowPrivilegeEscalation apiGroup hostNetwork supplementalGroups storage \
    persistentVolumeClaim operation userInfo username groups hostPort privileged ownerReferences \
    readinessProbe terminationGracePeriodSeconds tolerations hosts serviceAccountName \
    nodeSelector hostPID hostIPC readOnlyRootFilesystem conditions";

/// The fields of types that have another order than [`FIELDS`]: those that policies check, such as
/// the Pod Security Standards, and the kinds of probes.
const FIELDS_OF_TYPES: [(&str, &str); 11] = [
    (
        "SecurityContext",
        "runAsNonRoot privileged allowPrivilegeEscalation capabilities seccompProfile \
         readOnlyRootFilesystem runAsUser",
    ),
    (
        "PodSecurityContext",
        "runAsNonRoot runAsUser seccompProfile fsGroup sysctls",
    ),
    ("Probe", "httpGet exec tcpSocket grpc"),
    (
        "Container",
        "name image securityContext resources ports env imagePullPolicy command args volumeMounts \
         livenessProbe readinessProbe envFrom lifecycle",
    ),
    (
        "Volume",
        "name hostPath emptyDir secret configMap persistentVolumeClaim projected csi nfs ephemeral",
    ),
    ("ContainerPort", "containerPort hostPort name protocol"),
    ("Toleration", "key operator value effect tolerationSeconds"),
    (
        "PodStatus",
        "phase conditions containerStatuses podIP hostIP reason message",
    ),
    (
        "PersistentVolumeClaimSpec",
        "accessModes resources storageClassName volumeMode volumeName selector",
    ),
    (
        "JobSpec",
        "template ttlSecondsAfterFinished backoffLimit activeDeadlineSeconds completions \
         parallelism suspend",
    ),
    (
        "ServiceSpec",
        "type ports selector externalIPs loadBalancerSourceRanges clusterIP externalTrafficPolicy",
    ),
];

/// The fields of a request, those that policies read most often first.
const REQUEST: &str = "operation userInfo namespace name resource kind subResource";

/// Methods and macros by their use in the same policies. Those of a single type, such as `join`,
/// are before those of every list.
const METHODS: &str = "\
    orValue all exists join sum filter map startsWith contains endsWith matches hasValue size split \
    check allowed reason resource serviceAccount name namespace group value optMap exists_one \
    lowerAscii replace trim indexOf substring or requestResource isGreaterThan isLessThan compareTo \
    asInteger getHost getHostname getScheme getFullYear getMonth getDayOfWeek getHours getMinutes \
    getSeconds containsIP containsCIDR family named dns1123Label dns1123Subdomain qualifiedName \
    labelValue uri uuid";

/// The values of enums in manifests, the most frequent first.
const VALUES: &str =
    "ClusterIP NodePort LoadBalancer RollingUpdate Resource RuntimeDefault ClusterFirst";

/// The names with which an expression can begin, those that policies read most often first. `has`
/// is for conditions, `string` for messages.
const ROOTS: &str =
    "object self variables has string request params oldObject oldSelf namespaceObject";

/// The names that the other parts of a policy use, and the resulting order.
#[derive(Debug)]
pub(super) struct Usage<'c> {
    names: HashSet<&'c str>,
    of_project: &'c HashSet<Arc<str>>,
    /// The field that the rest of the expression leads to.
    meant: Option<&'c str>,
}

/// The sort key of an item; the smallest comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    is_meant: Reverse<bool>,
    is_misfit: bool,
    is_unused: bool,
    is_unused_in_project: bool,
    position: usize,
    is_optional: bool,
}

impl<'c> Usage<'c> {
    pub(super) fn new(context: &Context<'c>) -> Self {
        let document = context.target.document;
        let others = document
            .expressions()
            .iter()
            .filter(|it| !std::ptr::eq(*it, context.target.expression));
        let names = others.flat_map(|expression| {
            let ast = expression.ast();
            ast.ids().filter_map(move |id| match ast.kind(id) {
                ExprKind::Select { field, .. } => Some(ast.name(*field)),
                _ => None,
            })
        });
        Self {
            names: names.collect(),
            of_project: context.project.selected_names(),
            meant: meant_field(context),
        }
    }

    /// Returns the order of a field or a key, or of a JSON pointer to one.
    pub(super) fn field(&self, item: &Item) -> Order {
        let name = match item.label.strip_prefix('/') {
            Some(pointer) => pointer.rsplit('/').next().unwrap_or(pointer),
            None => &item.label,
        };
        Order {
            is_meant: Reverse(self.meant == Some(name)),
            is_unused: !self.names.contains(name),
            is_unused_in_project: !self.of_project.contains(name),
            position: item.position.unwrap_or_else(|| rank(FIELDS, name)),
            is_optional: !item.is_required,
            ..Order::default()
        }
    }

    /// Returns the order of a method or a macro.
    pub(super) fn method(label: &str) -> Order {
        Order {
            position: rank(METHODS, label),
            ..Order::default()
        }
    }
}

/// Returns the values of an enum, the most frequent first.
pub(super) fn by_frequency(mut values: Vec<String>) -> Vec<String> {
    values.sort_by_cached_key(|value| rank(VALUES, value));
    values
}

/// Returns the position of a root name in the order.
pub(super) fn root(name: &str) -> usize {
    rank(ROOTS, name)
}

/// Returns the position of a field, if its type has a separate order.
pub(super) fn field_of_type(type_name: &str, field: &str) -> Option<usize> {
    let name = type_name.rsplit('.').next();
    let mut types = FIELDS_OF_TYPES.iter();
    let (_, fields) = types.find(|(ty, _)| Some(*ty) == name)?;
    Some(rank(fields, field))
}

/// Returns the position of a field of a request.
pub(super) fn request_field(name: &str) -> usize {
    rank(REQUEST, name)
}

/// Returns the order of a key of a manifest. `place` is its position in the definition.
pub(super) fn key(name: &str, is_required: bool, place: Option<usize>) -> Order {
    Order {
        is_unused: !is_required,
        position: place.unwrap_or_else(|| rank(FIELDS, name)),
        ..Order::default()
    }
}

impl Order {
    /// Returns the order of an entry of a table by its position.
    pub(super) fn at(position: usize) -> Self {
        Self {
            position,
            ..Self::default()
        }
    }

    /// Changes the position in the table, if there is one.
    pub(super) fn with_place(self, change: impl FnOnce(usize) -> usize) -> Self {
        let position = match self.position {
            usize::MAX => usize::MAX,
            place => change(place),
        };
        Self { position, ..self }
    }

    /// Returns the order, with misfits after all other items.
    pub(super) fn after_fitting(self, is_misfit: bool) -> Self {
        Self { is_misfit, ..self }
    }
}

fn rank(table: &str, label: &str) -> usize {
    let found = table.split(' ').position(|known| known == label);
    found.unwrap_or(usize::MAX)
}
