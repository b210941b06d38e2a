//! Patterns of resources, as rules have them.

/// A resource with its subresource: `pods`, `pods/exec`, `pods/*`, `*/scale` or `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourcePattern<'a> {
    /// The plural name of the resource, or `*`.
    pub resource: &'a str,
    /// The subresource, or `*`. `None` for the resource itself.
    pub subresource: Option<&'a str>,
}

impl<'a> ResourcePattern<'a> {
    /// Parses an entry of `resources`.
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        match text.split_once('/') {
            Some((resource, subresource)) => Self {
                resource,
                subresource: Some(subresource),
            },
            None => Self {
                resource: text,
                subresource: None,
            },
        }
    }

    /// Returns the subresource, empty for the resource itself.
    #[must_use]
    pub fn subresource(self) -> &'a str {
        self.subresource.unwrap_or("")
    }

    /// Returns whether the resource or the subresource is the wildcard.
    #[must_use]
    pub fn is_wildcard(self) -> bool {
        self.resource == "*" || self.subresource == Some("*")
    }

    /// Returns whether it matches a resource, or a subresource unless that is empty.
    ///
    /// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/rules/rules.go,
    /// Matcher.resource.
    #[must_use]
    pub fn matches(self, plural: &str, subresource: &str) -> bool {
        let is = |pattern: &str, name: &str| pattern == "*" || pattern == name;
        is(self.resource, plural) && is(self.subresource(), subresource)
    }
}
