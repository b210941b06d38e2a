//! The purposes of a first policy.

use super::KindPaths;
use policy::Kind;

/// The purpose of a policy.
#[derive(Debug)]
pub struct Intent {
    /// The name, such as `require-label`.
    pub name: &'static str,
    /// The purpose, in the imperative.
    pub purpose: &'static str,
    /// Whether the policy mutates objects.
    pub is_mutating: bool,
    /// Returns the parts of the policy. `None` if it does not fit the kind.
    pub(super) parts: fn(&KindPaths) -> Option<Parts>,
}

/// The parts of a policy that depend on its purpose.
pub(super) struct Parts {
    /// The operations, separated by commas.
    pub(super) operations: &'static str,
    /// The subresource to match as well, if the resource has it.
    pub(super) subresource: Option<&'static str>,
    /// The name of the variable, or of the match condition.
    pub(super) name: &'static str,
    /// The expression of the variable or of the match condition. Empty if there is none.
    pub(super) condition: String,
    /// The expression of the validation or mutation.
    pub(super) expression: String,
    /// The message of the denial.
    pub(super) message: &'static str,
}

impl Intent {
    /// Returns the kind of the policy.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        if self.is_mutating {
            Kind::MutatingAdmissionPolicy
        } else {
            Kind::ValidatingAdmissionPolicy
        }
    }
}

impl Parts {
    fn new(operations: &'static str, expression: impl Into<String>) -> Self {
        Self {
            operations,
            subresource: None,
            name: "",
            condition: String::new(),
            expression: expression.into(),
            message: "",
        }
    }
}

/// All purposes, those of validating policies first.
pub const INTENTS: &[Intent] = &[
    Intent {
        name: "require-label",
        purpose: "require the label `team`",
        is_mutating: false,
        parts: |_| {
            Some(Parts {
                message: "Set the label `team`.",
                ..Parts::new(
                    "CREATE, UPDATE",
                    "'team' in object.metadata.?labels.orValue({})",
                )
            })
        },
    },
    Intent {
        name: "limit-replicas",
        purpose: "limit the number of replicas",
        is_mutating: false,
        parts: |paths| {
            paths.has_replicas.then(|| Parts {
                // `kubectl scale` changes only the subresource.
                subresource: Some("scale"),
                message: "At most five replicas are allowed.",
                ..Parts::new("CREATE, UPDATE", "object.?spec.replicas.orValue(1) <= 5")
            })
        },
    },
    Intent {
        name: "require-registry",
        purpose: "require images from one registry",
        is_mutating: false,
        parts: |paths| {
            Some(Parts {
                message: "Images must come from registry.example.com.",
                ..containers(
                    paths,
                    "container.?image.orValue('').startsWith('registry.example.com/')",
                )?
            })
        },
    },
    Intent {
        name: "require-memory-limit",
        purpose: "require a memory limit for every container",
        is_mutating: false,
        parts: |paths| {
            Some(Parts {
                message: "Every container needs a memory limit.",
                ..containers(paths, "container.?resources.limits.memory.hasValue()")?
            })
        },
    },
    Intent {
        name: "protect-deletion",
        purpose: "deny the deletion of objects with the label `protected`",
        is_mutating: false,
        parts: |_| {
            Some(Parts {
                message: "Remove the label `protected` first.",
                ..Parts::new(
                    "DELETE",
                    "!('protected' in oldObject.metadata.?labels.orValue({}))",
                )
            })
        },
    },
    Intent {
        name: "add-label",
        purpose: "add the label `team` where it is missing",
        is_mutating: true,
        parts: |_| {
            Some(Parts {
                name: "no-team",
                condition: "!('team' in object.metadata.?labels.orValue({}))".to_owned(),
                ..Parts::new(
                    "CREATE",
                    "Object{metadata: Object.metadata{labels: {'team': 'default'}}}",
                )
            })
        },
    },
    Intent {
        name: "disable-token",
        purpose: "do not mount a service account token unless a pod requests it",
        is_mutating: true,
        parts: |paths| {
            let path = paths.pod_spec.as_ref()?;
            let spec = path.join(".");
            Some(Parts {
                name: "no-choice",
                condition: format!("!has(object.{spec}.automountServiceAccountToken)"),
                ..Parts::new("CREATE", apply(path, "automountServiceAccountToken: false"))
            })
        },
    },
];

/// Returns a validation of every container, with the containers as a variable.
fn containers(paths: &KindPaths, condition: &str) -> Option<Parts> {
    let spec = format!("object.{}", paths.pod_spec.as_ref()?.join("."));
    Some(Parts {
        name: "containers",
        condition: format!("{spec}.containers + {spec}.?initContainers.orValue([])"),
        ..Parts::new(
            "CREATE, UPDATE",
            format!("variables.containers.all(container, {condition})"),
        )
    })
}

/// Returns an apply configuration that sets fields of the object at a path.
fn apply(path: &[String], fields: &str) -> String {
    let mut expression = "Object{".to_owned();
    let mut ty = "Object".to_owned();
    for name in path {
        ty = format!("{ty}.{name}");
        expression.push_str(&format!("{name}: {ty}{{"));
    }
    format!("{expression}{fields}{}", "}".repeat(path.len() + 1))
}
