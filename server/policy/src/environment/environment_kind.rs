//! The environments of expressions, by their location in a policy.
//!
//! The API server creates one environment per version and extends it with the variables of a field.
//! This module does the same: the declarations of a version are read once and shared by the
//! environments of fields and policies.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, baseOpts;
//! pkg/admission/plugin/cel/compile.go, createEnvForOpts.

use super::types::{NamedTypes, PolicyTypes};
use crate::document::Document;
use crate::expression::Role;
use crate::library;
use cel::env::{Env, Rules, TypeProvider};
use cel::library::Library;
use cel::types::Type;
use kubernetes::EnvironmentVersion;
use std::sync::{Arc, OnceLock};

/// The kind of field of an expression, which determines the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnvironmentKind {
    /// In a policy or a webhook configuration: `object`, `oldObject`, `request`,
    /// `namespaceObject` and the variables below.
    Admission {
        /// Whether `params` is available.
        params: bool,
        /// Whether `authorizer` is available.
        authorizer: bool,
        /// Whether `Object`, `JSONPatch` and `jsonpatch.escapeKey` are available.
        patch_types: bool,
    },
    /// In a CustomResourceDefinition. The variables `self` and `oldSelf` depend on the schema
    /// and are not in it.
    Schema,
    /// No field: only the language with all its standard functions and macros.
    Language,
}

impl EnvironmentKind {
    /// Returns the environment kind of an expression of a document.
    #[must_use]
    pub fn new(document: &Document, role: Role) -> Self {
        if role.schema().is_some() {
            return EnvironmentKind::Schema;
        }
        let in_webhook = role == Role::WebhookMatchCondition;
        EnvironmentKind::Admission {
            params: !in_webhook && document.has_params(),
            authorizer: role != Role::MessageExpression,
            patch_types: role.is_mutation(),
        }
    }

    /// Returns whether parameters, an authorizer, and the types of mutations are available.
    pub(crate) const fn features(self) -> [bool; 3] {
        match self {
            EnvironmentKind::Admission {
                params,
                authorizer,
                patch_types,
            } => [params, authorizer, patch_types],
            EnvironmentKind::Schema | EnvironmentKind::Language => [false; 3],
        }
    }
}

/// The environment of the newest server that is known exactly.
pub const NEWEST: EnvironmentVersion = EnvironmentVersion(36);

const COUNT: usize = EnvironmentVersion::COUNT;

/// Environments without variables, created on first use.
struct Bases([OnceLock<Env>; COUNT]);

static POLICY: Bases = Bases([const { OnceLock::new() }; COUNT]);
static MUTATION: Bases = Bases([const { OnceLock::new() }; COUNT]);
static LANGUAGE: Bases = Bases([const { OnceLock::new() }; COUNT]);

impl Bases {
    fn get(&'static self, version: EnvironmentVersion, libraries: &[&[&'static Library]]) -> Env {
        let version = version.clamp(EnvironmentVersion::OLDEST, EnvironmentVersion::NEWEST);
        let make = || build(version, libraries);
        let cell = self.0.get(version.index());
        cell.map_or_else(make, |cell| cell.get_or_init(make).clone())
    }
}

/// Returns the rules of the language in a version.
///
/// Upstream: kubernetes/apiserver, pkg/cel/environment/base.go, baseOpts.
#[must_use]
pub fn rules(version: EnvironmentVersion) -> Rules {
    Rules {
        specification: false,
        validates_constants: version >= EnvironmentVersion(29),
        optional_syntax: version >= EnvironmentVersion(28),
    }
}

fn build(version: EnvironmentVersion, libraries: &[&[&'static Library]]) -> Env {
    let libraries = libraries.iter().copied().flatten();
    let builder = Env::builder().up_to(version).rules(rules(version));
    let builder = libraries.fold(builder, |builder, library| builder.library(library));
    // A signature that cannot be parsed is an error in the tables, which tests find.
    let env = builder.build().unwrap_or_else(|_| Env::empty());
    env.with_release(version.0)
}

/// Returns the environment of a kind of field, without the variables of a policy.
///
/// Functions behave as on the server of the environment's version, [`Env::with_release`]. Versions
/// before the oldest or after the newest are treated like them.
#[must_use]
pub fn env(version: EnvironmentVersion, kind: EnvironmentKind) -> Env {
    let (params, authorizer, patch_types) = match kind {
        EnvironmentKind::Language => return LANGUAGE.get(version, &[&cel::ext::PLAIN_CEL]),
        EnvironmentKind::Schema => return base(version, false).with_types(Arc::new(NamedTypes)),
        EnvironmentKind::Admission {
            params,
            authorizer,
            patch_types,
        } => (params, authorizer, patch_types),
    };
    let mut env = base(version, patch_types)
        .with_types(Arc::new(PolicyTypes::new(patch_types)))
        .with_variable("object", Type::Dyn)
        .with_variable("oldObject", Type::Dyn)
        .with_variable("request", Type::object("kubernetes.AdmissionRequest"))
        .with_variable("namespaceObject", Type::object("kubernetes.Namespace"));
    if params {
        env = env.with_variable("params", Type::Dyn);
    }
    if authorizer {
        let check = Type::object("kubernetes.authorization.ResourceCheck");
        env = env
            .with_variable(
                "authorizer",
                Type::object("kubernetes.authorization.Authorizer"),
            )
            .with_variable("authorizer.requestResource", check);
    }
    env
}

fn base(version: EnvironmentVersion, patch_types: bool) -> Env {
    if patch_types {
        let libraries = [library::LANGUAGE, library::KUBERNETES, library::MUTATION];
        MUTATION.get(version, &libraries)
    } else {
        POLICY.get(version, &[library::LANGUAGE, library::KUBERNETES])
    }
}

/// Returns the environment of an expression of a document. The document's variables are not in it.
#[must_use]
pub fn env_of(document: &Document, role: Role, version: EnvironmentVersion) -> Env {
    env(version, EnvironmentKind::new(document, role))
}

/// Returns the types with fields in expressions of a kind of field.
pub(crate) fn types(kind: EnvironmentKind) -> Arc<dyn TypeProvider> {
    let patch_types = match kind {
        EnvironmentKind::Admission { patch_types, .. } => patch_types,
        EnvironmentKind::Schema | EnvironmentKind::Language => false,
    };
    Arc::new(PolicyTypes::new(patch_types))
}

/// Returns the environment with `variables`, which has these fields.
///
/// `patch_types` is whether the environment has them, [`EnvironmentKind::Admission`].
#[must_use]
pub fn with_variables(
    env: Env,
    patch_types: bool,
    variables: impl IntoIterator<Item = (Arc<str>, Type)>,
) -> Env {
    let types = PolicyTypes::new(patch_types).with_variables(variables);
    env.with_types(Arc::new(types))
        .with_variable("variables", Type::object(super::types::VARIABLES))
}

/// Limit: the nested lists and maps in the type of a variable. Deeper types are `dyn`: types of
/// variables can contain each other, without a limit in Kubernetes.
const MAX_TYPE_DEPTH: u32 = 100;

/// Returns the type of a variable for the expressions that use it: types that the API server cannot
/// represent become `dyn`.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/composition.go,
/// convertCelTypeToDeclType.
#[must_use]
pub fn variable_type(output: &Type) -> Type {
    limited_type(output, MAX_TYPE_DEPTH)
}

fn limited_type(output: &Type, depth: u32) -> Type {
    let inner = |it| match depth.checked_sub(1) {
        Some(depth) => limited_type(it, depth),
        None => Type::Dyn,
    };
    match output {
        Type::Any
        | Type::Bool
        | Type::Bytes
        | Type::Double
        | Type::Duration
        | Type::Int
        | Type::Null
        | Type::String
        | Type::Timestamp
        | Type::Uint => output.clone(),
        Type::List(element) => Type::list(inner(element)),
        Type::Map(entry) => Type::map(inner(&entry.0), inner(&entry.1)),
        Type::Dyn
        | Type::Error
        | Type::Optional(_)
        | Type::Type(_)
        | Type::Nullable(_)
        | Type::Param(_)
        | Type::Var(_)
        | Type::Struct(_)
        | Type::Opaque(_) => Type::Dyn,
    }
}

#[cfg(test)]
mod tests;
