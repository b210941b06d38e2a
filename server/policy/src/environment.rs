//! The names that an expression can use.
//!
//! Each location in a policy has its own set: match conditions run before the variables, message
//! expressions have no authorizer, rules of a CustomResourceDefinition have only `self`. The sets
//! follow the API server's compiler, and users need to know why a name is missing.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/compile.go, createEnvForOpts;
//! kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/compilation.go,
//! prepareEnvSet.

mod environment_kind;
#[rustfmt::skip]
mod tables;
mod types;

pub use environment_kind::{
    EnvironmentKind, NEWEST, env, env_of, rules, variable_type, with_variables,
};

pub(crate) use environment_kind::types;
pub(crate) use types::{VARIABLES as VARIABLES_TYPE, is_value, named_type};

use crate::document::Document;
use crate::expression::Role;
use crate::kind::Kind;

/// A name that an expression can begin with.
#[derive(Debug)]
pub struct Root {
    /// The name.
    pub name: &'static str,
    /// Its type.
    pub ty: RootType,
    /// A description in one line.
    pub doc: &'static str,
}

/// The type of a variable in the compiler.
#[derive(Clone, Copy, Debug)]
pub enum RootType {
    /// Anything.
    Dyn,
    /// An object with known fields.
    Object(&'static ObjectType),
    /// The authorizer, which has functions and no fields but `requestResource`.
    Authorizer,
    /// The variables of the policy.
    Variables,
    /// The type of the schema around the rule.
    Schema,
    /// An optional of that.
    OptionalSchema,
}

/// An object type of the compiler, such as the type of `request`.
#[derive(Debug)]
pub struct ObjectType {
    /// The name of the type, such as `kubernetes.AdmissionRequest`.
    pub name: &'static str,
    /// The fields, sorted by name.
    pub fields: &'static [ObjectField],
}

/// A field of an object type.
#[derive(Clone, Copy, Debug)]
pub struct ObjectField {
    /// The name.
    pub name: &'static str,
    /// The type as CEL writes it.
    pub ty: &'static str,
    /// The fields of the value, if it is an object.
    pub object: Option<&'static ObjectType>,
    /// Whether the field is always present.
    pub required: bool,
}

/// Why a name that exists elsewhere is not available here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// `variables` in a match condition, which runs before the variables.
    VariablesInMatchCondition,
    /// `variables` in a policy that declares none.
    NoVariables,
    /// `params` in a policy without `paramKind`.
    NoParamKind,
    /// `authorizer` in a message expression.
    AuthorizerInMessage,
    /// `params` or `variables` in a webhook, which has neither.
    NotInWebhook,
    /// A name of policies in a rule of a CustomResourceDefinition, which has `self`.
    NotInCrd,
    /// A name of CustomResourceDefinitions in a policy or a webhook, which has `object`.
    OnlyInCrd,
    /// `Object` or `JSONPatch` outside a mutation.
    OnlyInMutation,
}

/// Whether a name is available in an expression.
#[derive(Clone, Copy, Debug)]
pub enum Availability {
    /// It does.
    Root(&'static Root),
    /// It is the name of a type.
    Type,
    /// It does not, though it does elsewhere.
    Absent(Absence),
    /// It exists nowhere.
    Unknown,
}

static OBJECT: Root = Root {
    name: "object",
    ty: RootType::Dyn,
    doc: "The object from the incoming request. Null for DELETE requests.",
};
static OLD_OBJECT: Root = Root {
    name: "oldObject",
    ty: RootType::Dyn,
    doc: "The existing object. Null for CREATE and CONNECT requests.",
};
static REQUEST: Root = Root {
    name: "request",
    ty: RootType::Object(&tables::REQUEST),
    doc: "The attributes of the request, such as the operation, the resource and the user.",
};
static NAMESPACE_OBJECT: Root = Root {
    name: "namespaceObject",
    ty: RootType::Object(&tables::NAMESPACE),
    doc: "The namespace of the object. Null for cluster-scoped objects.",
};
static NULL_NAMESPACE_OBJECT: Root = Root {
    name: "namespaceObject",
    ty: RootType::Object(&tables::NAMESPACE),
    doc: "Always null in match conditions, which are evaluated without a namespace. Match with \
          `namespaceSelector`, or read `request.namespace`.",
};
static PARAMS: Root = Root {
    name: "params",
    ty: RootType::Dyn,
    doc: "The parameter object that the binding refers to. Null if there is none.",
};
static AUTHORIZER: Root = Root {
    name: "authorizer",
    ty: RootType::Authorizer,
    doc: "Checks whether the user of the request, or a service account, is authorized to perform \
          an action.",
};
static VARIABLES: Root = Root {
    name: "variables",
    ty: RootType::Variables,
    doc: "The variables of the policy, by name.",
};
static SELF: Root = Root {
    name: "self",
    ty: RootType::Schema,
    doc: "The value described by the schema that contains the rule.",
};
static OLD_SELF: Root = Root {
    name: "oldSelf",
    ty: RootType::Schema,
    doc: "The value before the update. If there is none, as on creation, the rule is skipped.",
};
static OPTIONAL_OLD_SELF: Root = Root {
    name: "oldSelf",
    ty: RootType::OptionalSchema,
    doc: "An optional with the value before the update; empty on creation.",
};

/// Every root that some expression has.
static ALL: [&Root; 9] = [
    &OBJECT,
    &OLD_OBJECT,
    &REQUEST,
    &NAMESPACE_OBJECT,
    &PARAMS,
    &AUTHORIZER,
    &VARIABLES,
    &SELF,
    &OLD_SELF,
];

/// The names of types that are values too, as in `type(x) == int`. Names in packages, such
/// as `google.protobuf.Timestamp`, are in [`TYPE_PACKAGES`].
pub const TYPE_NAMES: [&str; 11] = [
    "bool",
    "bytes",
    "double",
    "int",
    "list",
    "map",
    "null_type",
    "optional_type",
    "string",
    "type",
    "uint",
];

/// The packages that types can be in.
pub(crate) const TYPE_PACKAGES: [&str; 3] = ["google", "kubernetes", "net"];

/// The types of the values that a mutation builds.
pub const MUTATION_TYPES: [&str; 2] = ["JSONPatch", "Object"];

/// Returns the variable that some expressions have under a name.
#[must_use]
pub fn root(name: &str) -> Option<&'static Root> {
    ALL.into_iter().find(|root| root.name == name)
}

/// Returns the names that an expression of the document can begin with, types left out.
#[must_use]
pub fn roots(document: &Document, role: Role) -> Vec<&'static Root> {
    ALL.into_iter()
        .filter_map(|root| match availability(document, role, root.name) {
            Availability::Root(root) => Some(root),
            Availability::Type | Availability::Absent(_) | Availability::Unknown => None,
        })
        .collect()
}

/// Returns whether `name` is available in an expression of the document.
#[must_use]
pub fn availability(document: &Document, role: Role, name: &str) -> Availability {
    if TYPE_NAMES.contains(&name) || TYPE_PACKAGES.contains(&name) {
        return Availability::Type;
    }
    if MUTATION_TYPES.contains(&name) {
        return match role {
            Role::ApplyConfiguration | Role::JsonPatch => Availability::Type,
            _ => Availability::Absent(Absence::OnlyInMutation),
        };
    }
    let Some(root) = root(name) else {
        return Availability::Unknown;
    };
    match absence(document, role, name) {
        Some(absence) => Availability::Absent(absence),
        None => Availability::Root(root_for(root, role)),
    }
}

fn root_for(root: &'static Root, role: Role) -> &'static Root {
    match role {
        Role::CrdRule {
            optional_old_self: true,
            ..
        }
        | Role::CrdMessageExpression {
            optional_old_self: true,
            ..
        } if root.name == OLD_SELF.name => &OPTIONAL_OLD_SELF,
        role if role.is_match_condition() && root.name == NAMESPACE_OBJECT.name => {
            &NULL_NAMESPACE_OBJECT
        }
        _ => root,
    }
}

fn absence(document: &Document, role: Role, name: &str) -> Option<Absence> {
    let in_crd = role.schema().is_some();
    match name {
        "self" | "oldSelf" => (!in_crd).then_some(Absence::OnlyInCrd),
        _ if in_crd => Some(Absence::NotInCrd),
        "params" if role == Role::WebhookMatchCondition => Some(Absence::NotInWebhook),
        "params" => (!document.has_params()).then_some(Absence::NoParamKind),
        "authorizer" => (role == Role::MessageExpression).then_some(Absence::AuthorizerInMessage),
        "variables" => match role {
            Role::MatchCondition => Some(Absence::VariablesInMatchCondition),
            Role::WebhookMatchCondition => Some(Absence::NotInWebhook),
            _ => (!has_variables(document)).then_some(Absence::NoVariables),
        },
        _ => None,
    }
}

/// Returns whether `variables` is declared: always in a mutating policy, in a validating one if
/// it has variables.
fn has_variables(document: &Document) -> bool {
    match document.kind() {
        Kind::MutatingAdmissionPolicy => true,
        Kind::ValidatingAdmissionPolicy => document.has_variables(),
        Kind::ValidatingAdmissionPolicyBinding
        | Kind::MutatingAdmissionPolicyBinding
        | Kind::ValidatingWebhookConfiguration
        | Kind::MutatingWebhookConfiguration
        | Kind::CustomResourceDefinition => false,
    }
}

impl ObjectType {
    /// Returns the field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static ObjectField> {
        let fields = self.fields;
        let at = fields
            .binary_search_by_key(&name, |field| field.name)
            .ok()?;
        fields.get(at)
    }
}

#[cfg(test)]
mod tests;
