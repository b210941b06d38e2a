//! The validation of a new request for a certificate.
//!
//! Limit: the parts of a signer's name are not checked.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/certificates/validation/validation.go,
//! validateCertificateSigningRequest.

use super::Errors;
use super::pkcs10::request_error;
use crate::fields::{get, list, text};
use cel::Value;
use kubernetes::quote::quote;
use policy::FieldPath;
use policy::field_error::ErrorType;
use std::collections::HashSet;

/// The usages of a key, in order.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/certificates/types.go, KeyUsage.
const USAGES: [&str; 23] = [
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
];

/// The signer that version 1 does not have.
const LEGACY_SIGNER: &str = "kubernetes.io/legacy-unknown";

/// The shortest duration of a certificate, in seconds.
const SHORTEST: i64 = 600;

impl Errors {
    /// Checks a request for a certificate.
    pub(super) fn certificate_request(&mut self, object: &Value) {
        let Some(spec) = get(object, "spec") else {
            return;
        };
        let path = FieldPath::root().child("spec");
        let request = text(spec, "request");
        if let Some(bytes) = text::decode_base64(request)
            && let Some(detail) = request_error(&bytes)
        {
            let path = path.child("request");
            self.add(&path, ErrorType::Invalid, Some(request), &detail);
        }
        self.usages(spec, &path.child("usages"));
        self.signer(text(spec, "signerName"), &path.child("signerName"));
        let seconds = get(spec, "expirationSeconds").and_then(Value::as_int);
        if let Some(seconds) = seconds.filter(|it| *it < SHORTEST) {
            let path = path.child("expirationSeconds");
            let detail = "may not specify a duration less than 600 seconds (10 minutes)";
            self.value(&path, ErrorType::Invalid, seconds.to_string(), detail);
        }
    }

    fn usages(&mut self, spec: &Value, path: &FieldPath) {
        let usages: Vec<&str> = list(spec, "usages")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        if usages.is_empty() {
            self.add(path, ErrorType::Required, None, "");
        }
        for (index, usage) in usages.iter().enumerate() {
            if !USAGES.contains(usage) {
                let known = USAGES.map(quote).join(", ");
                let detail = format!("supported values: {known}");
                let path = path.index(index);
                self.add(&path, ErrorType::NotSupported, Some(usage), &detail);
            }
        }
        let mut seen = HashSet::new();
        for (index, usage) in usages.iter().enumerate() {
            if !seen.insert(usage) {
                self.add(&path.index(index), ErrorType::Duplicate, Some(usage), "");
            }
        }
    }

    fn signer(&mut self, name: &str, path: &FieldPath) {
        if name.is_empty() {
            self.add(path, ErrorType::Required, None, "");
        } else if name == LEGACY_SIGNER {
            let detail = "the legacy signerName is not allowed via this API version";
            self.add(path, ErrorType::Invalid, Some(name), detail);
        } else if name.matches('/').count() != 1 {
            let detail = "must be a fully qualified domain and path of the form \
                          'example.com/signer-name'";
            self.add(path, ErrorType::Invalid, Some(name), detail);
        }
    }
}
