//! Audit annotations: the entries that the `auditAnnotations` of a policy add to the audit
//! event of a request.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/validator.go,
//! Validate.

use super::decision::Evaluated;
use cel::Value;
use policy::PolicyDocument;
use policy::manifest::FailurePolicy;

/// An audit annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditAnnotation {
    /// The index of its expression in [`PolicyDocument::expressions`].
    pub index: usize,
    /// The key.
    pub key: String,
    /// The value. `None` when no annotation is added, for example because it is null.
    pub value: Result<Option<String>, String>,
}

/// Returns an audit annotation as the server writes it, or `None` if it has no key.
pub(super) fn audit_annotation(
    document: &PolicyDocument,
    evaluated: &Evaluated,
    failure_policy: FailurePolicy,
) -> Option<AuditAnnotation> {
    let expression = document.expressions().get(evaluated.index)?;
    let key = document.audit_annotation_key(expression)?;
    let value = match &evaluated.result {
        Err(_) if !failure_policy.denies() => Ok(None),
        Err(message) => Err(message.clone()),
        Ok(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Ok(Value::Null) => Ok(None),
        Ok(other) => Err(format!(
            "valueExpression '{}' resulted in unsupported return type: {}. Return type must be either string or null.",
            expression.text(),
            other.ty()
        )),
    };
    Some(AuditAnnotation {
        index: evaluated.index,
        key: key.to_owned(),
        value,
    })
}
