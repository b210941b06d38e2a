//! The labels of a namespace that select the Pod Security Standards for its pods.
//!
//! Upstream: kubernetes/pod-security-admission, api/helpers.go, PolicyToEvaluate.

use super::PREFIX;
use crate::request::Request;
use cel::Value;
use cel::value::Map;
use kubernetes::quote::quote;
use policy::field_error::{ErrorType, FieldError};
use std::fmt;

/// A level of the Pod Security Standards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Privileged,
    Baseline,
    Restricted,
}

/// A level in a version of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standard {
    pub(super) level: Level,
    /// The minor version. `None` for the latest one.
    pub(super) minor: Option<u8>,
}

/// The standards that the labels of a namespace require.
#[derive(Debug)]
pub(super) struct Policy {
    pub(super) enforce: Standard,
    pub(super) audit: Standard,
    pub(super) warn: Standard,
    /// The errors in the labels.
    pub(super) errors: Vec<FieldError>,
}

const LEVELS: [(&str, Level); 3] = [
    ("privileged", Level::Privileged),
    ("baseline", Level::Baseline),
    ("restricted", Level::Restricted),
];

const NONE: Standard = Standard {
    level: Level::Privileged,
    minor: None,
};

/// Formats it: `restricted:latest`.
impl fmt::Display for Standard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = LEVELS.iter().find(|(_, level)| *level == self.level);
        out.write_str(name.map_or("", |(name, _)| name))?;
        match self.minor {
            None => out.write_str(":latest"),
            Some(minor) => write!(out, ":v1.{minor}"),
        }
    }
}

impl Policy {
    /// Reads the labels of a namespace.
    pub(super) fn read(namespace: Option<&Value>) -> Self {
        let labels = Request::labels(namespace);
        let mut policy = Self {
            enforce: NONE,
            audit: NONE,
            warn: NONE,
            errors: Vec::new(),
        };
        let (enforced, enforce) = policy.standard(labels, "enforce", Level::Restricted);
        let (_, audit) = policy.standard(labels, "audit", Level::Privileged);
        let (warned, warn) = policy.standard(labels, "warn", Level::Privileged);
        (policy.enforce, policy.audit, policy.warn) = (enforce, audit, warn);
        if enforced == Some(true) && warned.is_none() {
            policy.warn.level = enforce.level;
            if label(labels, "warn-version").is_none() {
                policy.warn.minor = enforce.minor;
            }
        }
        policy
    }

    pub(super) fn is_privileged(&self) -> bool {
        let mut all = [self.enforce, self.audit, self.warn].into_iter();
        self.errors.is_empty() && all.all(|it| it.level == Level::Privileged)
    }

    /// Returns whether the label for a level is valid, if there is one, and the standard.
    fn standard(
        &mut self,
        labels: Option<&Map>,
        name: &str,
        otherwise: Level,
    ) -> (Option<bool>, Standard) {
        let mut standard = NONE;
        let mut is_valid = None;
        if let Some(word) = label(labels, name) {
            let level = LEVELS.iter().find(|(known, _)| *known == word);
            is_valid = Some(level.is_some());
            standard.level = level.map_or(otherwise, |(_, level)| *level);
            if level.is_none() {
                self.add_error(
                    name,
                    word,
                    "must be one of privileged, baseline, restricted",
                );
            }
        }
        let name = format!("{name}-version");
        if let Some(word) = label(labels, &name)
            && word != "latest"
        {
            standard.minor = minor(word);
            if standard.minor.is_none() {
                self.add_error(&name, word, "must be \"latest\" or \"v1.x\"");
            }
        }
        (is_valid, standard)
    }

    fn add_error(&mut self, name: &str, word: &str, detail: &str) {
        let field = format!("metadata.labels[{PREFIX}{name}]");
        let value = Some(quote(word));
        let error = FieldError::new(field, ErrorType::Invalid, value, detail);
        self.errors.push(error);
    }
}

fn label<'a>(labels: Option<&'a Map>, name: &str) -> Option<&'a str> {
    labels?.get_str(&format!("{PREFIX}{name}"))?.as_str()
}

/// Returns the minor version in `v1.25`. Versions that no server has are the newest.
fn minor(version: &str) -> Option<u8> {
    let digits = version.strip_prefix("v1.")?;
    let is_number = digits.bytes().all(|it| it.is_ascii_digit()) && !digits.is_empty();
    let is_plain = is_number && (digits == "0" || !digits.starts_with('0'));
    is_plain.then(|| digits.parse().unwrap_or(u8::MAX))
}
