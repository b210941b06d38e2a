//! Placeholders of templates, such as those of Helm.

/// Returns whether a string contains `{{ … }}`, which a template replaces.
pub(super) fn has_placeholder(text: &str) -> bool {
    text.split_once("{{")
        .is_some_and(|(_, rest)| rest.contains("}}"))
}
