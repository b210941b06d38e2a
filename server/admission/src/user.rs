//! The user of a request.

use crate::map::map;
use cel::Value;
use cel::value::Key;
use policy::library;
use std::sync::Arc;

/// The user of a request, as authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserInfo {
    /// The name.
    pub name: String,
    /// The UID, which distinguishes users with the same name over time. Often empty.
    pub uid: String,
    /// The groups.
    pub groups: Vec<String>,
    /// The extra values of authentication; a key may have several.
    pub extra: Vec<(String, Vec<String>)>,
}

impl Default for UserInfo {
    /// Returns the administrator that `kubeadm` sets up.
    fn default() -> Self {
        Self {
            name: "kubernetes-admin".to_owned(),
            uid: String::new(),
            groups: vec![
                "system:masters".to_owned(),
                "system:authenticated".to_owned(),
            ],
            extra: Vec::new(),
        }
    }
}

impl UserInfo {
    /// Returns the user as the authorizer library has it.
    pub(super) fn question(&self) -> library::User {
        library::User {
            name: self.name.as_str().into(),
            groups: self
                .groups
                .iter()
                .map(|group| group.as_str().into())
                .collect(),
        }
    }

    /// Returns `request.userInfo`. Fields that would be empty are absent.
    pub(super) fn variable(&self) -> Value {
        let mut fields = Vec::new();
        for (field, text) in [("username", &self.name), ("uid", &self.uid)] {
            if !text.is_empty() {
                fields.push((field, Value::string(text.as_str())));
            }
        }
        if !self.groups.is_empty() {
            fields.push(("groups", strings(&self.groups)));
        }
        if !self.extra.is_empty() {
            let entries = self.extra.iter();
            let extra = entries
                .map(|(key, values)| (Key::String(Arc::from(key.as_str())), strings(values)));
            fields.push(("extra", Value::Map(extra.collect())));
        }
        map(fields)
    }
}

fn strings(texts: &[String]) -> Value {
    let texts = texts.iter().map(|text| Value::string(text.as_str()));
    Value::list(texts.collect())
}
