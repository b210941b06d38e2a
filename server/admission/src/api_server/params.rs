//! The parameters that a binding selects for a policy.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go,
//! CollectParams.

use super::ApiServer;
use crate::matching::selects;
use crate::request::Request;
use cel::Value;
use kubernetes::metadata_field;
use kubernetes::names::GroupVersion;
use policy::PolicyDocument;
use policy::manifest::{ParamKind, ParamRef, text_of};

/// The message of the server if a binding selects parameters that do not exist.
pub(super) const NO_PARAMS: &str =
    "no params found for policy binding with `Deny` parameterNotFoundAction";

/// Why a policy is not evaluated with the parameters of a binding.
pub(super) enum ParamsError {
    /// The binding is invalid.
    Configuration {
        /// The message of the server.
        reason: &'static str,
        /// Whether the binding selects parameters that do not exist.
        lacks_params: bool,
    },
    /// It is unknown which objects the server finds: whether the kind of the parameters is
    /// namespaced, or which of its objects exist.
    Unknown(String),
}

/// The selection of parameters.
pub(super) struct Params<'a, 'r> {
    pub(super) api_server: &'a ApiServer,
    pub(super) policy: &'r PolicyDocument,
    pub(super) binding: &'r PolicyDocument,
    /// The namespace of the request. Empty without one.
    pub(super) namespace: &'r str,
}

impl<'a> Params<'a, '_> {
    /// Returns the parameters: the policy is evaluated once for each. One `None` if it has none.
    ///
    /// # Errors
    /// Why the policy cannot be evaluated.
    pub(super) fn collect(&self) -> Result<Vec<Option<&'a Value>>, ParamsError> {
        let kind = self.policy.policy().and_then(|it| it.param_kind.as_ref());
        let reference = self.binding.binding().and_then(|it| it.param_ref.as_ref());
        let (Some(kind), Some(reference)) = (kind, reference) else {
            return Ok(vec![None]);
        };
        let found = self.find(kind, reference)?;
        if found.is_empty() && text_of(reference.not_found_action.as_ref()) == "Deny" {
            return Err(ParamsError::Configuration {
                reason: NO_PARAMS,
                lacks_params: true,
            });
        }
        Ok(found.into_iter().map(Some).collect())
    }

    fn find(&self, kind: &ParamKind, reference: &ParamRef) -> Result<Vec<&'a Value>, ParamsError> {
        let (api_version, kind) = (kind.api_version(), kind.kind());
        let written = text_of(reference.namespace.as_ref());
        let is_namespaced = self.is_namespaced(api_version, kind, written)?;
        if !written.is_empty() && !is_namespaced {
            return configuration(
                "paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
            );
        }
        let namespace = match (is_namespaced, written, self.namespace) {
            (false, _, _) => "",
            (true, "", "") => {
                return configuration(
                    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
                );
            }
            (true, "", of_request) => of_request,
            (true, written, _) => written,
        };
        let name = text_of(reference.name.as_ref());
        let selector = reference.selector.as_ref();
        if name.is_empty() && selector.is_none() {
            return configuration("one of name or selector must be provided");
        }
        if !name.is_empty() && selector.is_some() {
            return configuration("paramRef.name and paramRef.selector are mutually exclusive");
        }
        let is_wanted = |object: &&Value| {
            metadata_field(object, "namespace").unwrap_or_default() == namespace
                && (name.is_empty() || metadata_field(object, "name").unwrap_or_default() == name)
                && selector.is_none_or(|selector| selects(selector, Request::labels(Some(object))))
        };
        let objects = self.api_server.objects.of_kind(api_version, kind);
        let found: Vec<&Value> = objects.filter(is_wanted).collect();
        let may_lack = found.is_empty() || name.is_empty();
        if may_lack && self.api_server.omitted.contains(api_version, kind) {
            return Err(unread(api_version, kind));
        }
        Ok(found)
    }

    /// Returns whether the kind of the parameters is namespaced. If neither the catalog nor a
    /// CustomResourceDefinition defines the kind, an object of the kind shows it.
    ///
    /// # Errors
    /// Neither a definition nor an object shows the scope. A `paramRef` that names a
    /// namespace and an object without one contradict each other only on a server: a manifest can
    /// leave the namespace to the command that applies it.
    fn is_namespaced(
        &self,
        api_version: &str,
        kind: &str,
        written: &str,
    ) -> Result<bool, ParamsError> {
        let resource = self.api_server.resources.resource(api_version, kind);
        if let Some(is_namespaced) = resource.namespaced {
            return Ok(is_namespaced);
        }
        let mut of_kind = self
            .api_server
            .objects
            .of_kind(api_version, kind)
            .peekable();
        let is_there = of_kind.peek().is_some();
        let in_namespace = of_kind.any(|it| metadata_field(it, "namespace").is_some());
        if in_namespace || is_there && written.is_empty() {
            Ok(in_namespace)
        } else {
            Err(ParamsError::Unknown(format!(
                "`{kind}` ({api_version}), the kind of its parameters, may be namespaced or \
                 cluster-scoped. Add its CustomResourceDefinition or an object of the kind"
            )))
        }
    }
}

/// Returns that objects of the kind of the parameters may be missing.
fn unread(api_version: &str, kind: &str) -> ParamsError {
    ParamsError::Unknown(format!(
        "the project has more manifests than are read, so objects of `{kind}` ({api_version}), the \
         kind of its parameters, may be missing. Move them into smaller files"
    ))
}

fn configuration<T>(reason: &'static str) -> Result<T, ParamsError> {
    Err(ParamsError::Configuration {
        reason,
        lacks_params: false,
    })
}

impl ApiServer {
    /// Returns the error if the kind of parameters that a policy names does not exist. A server
    /// that [assumes kinds](Self::assuming_kinds) accepts those of a group that neither the catalog
    /// nor a definition contains.
    ///
    /// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_source.go,
    /// ensureParamsForPolicyLocked.
    pub(super) fn unknown_params(&self, policy: &PolicyDocument) -> Option<String> {
        let kind = policy.policy()?.param_kind.as_ref()?;
        let GroupVersion { group, version } = kind.group_version();
        let (api_version, kind) = (kind.api_version(), kind.kind());
        let is_there = self.kinds.kind(group, version, kind).is_some()
            || self.resources.has_kind(group, kind)
            || self.omitted.contains(api_version, kind)
            || self.objects.of_kind(api_version, kind).next().is_some();
        let is_of_group = || self.kinds.resources().any(|it| it.group == group);
        let is_known = || self.resources.has_group(group) || is_of_group();
        if is_there || self.assumes_kinds && !is_known() {
            return None;
        }
        Some(format!(
            "failed to find resource referenced by paramKind: '{group}/{version}, Kind={kind}'"
        ))
    }
}
