//! A manifest of the workspace that stands for the objects a policy will see.
//!
//! Completion offers the fields that samples have, and an evaluation takes them as its
//! objects. Whoever calls finds and reads them: this crate does no IO.

use cel::Value;
use std::path::PathBuf;

/// A manifest.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The file in which it stands.
    pub path: PathBuf,
    /// The place of its document among those of the file, from 0.
    pub document: usize,
    /// `apiVersion`, such as `apps/v1`.
    pub api_version: String,
    /// `kind`, such as `Deployment`.
    pub kind: String,
    /// `metadata.name`, empty where there is none.
    pub name: String,
    /// `metadata.namespace`, empty where there is none.
    pub namespace: String,
    /// The whole object as CEL sees it.
    pub value: Value,
}

impl Sample {
    /// The group of [`Sample::api_version`]: `apps` of `apps/v1`, nothing of `v1`.
    #[must_use]
    pub fn group(&self) -> &str {
        self.api_version
            .split_once('/')
            .map_or("", |(group, _)| group)
    }

    /// The version of [`Sample::api_version`]: `v1` of `apps/v1` and of `v1`.
    #[must_use]
    pub fn version(&self) -> &str {
        self.api_version
            .split_once('/')
            .map_or(self.api_version.as_str(), |(_, version)| version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(api_version: &str) -> Sample {
        Sample {
            path: PathBuf::new(),
            document: 0,
            api_version: api_version.to_owned(),
            kind: String::new(),
            name: String::new(),
            namespace: String::new(),
            value: Value::Null,
        }
    }

    #[test]
    fn the_core_group_has_no_name() {
        let core = sample("v1");
        assert_eq!((core.group(), core.version()), ("", "v1"));
        let apps = sample("apps/v1");
        assert_eq!((apps.group(), apps.version()), ("apps", "v1"));
    }
}
