//! Placeholders of templates, such as those of Helm.

/// Returns whether a string contains `{{ … }}`, which a template replaces.
pub(super) fn has_placeholder(text: &str) -> bool {
    // Most texts have no brace, and one character is found faster than two.
    let from = text.find('{').and_then(|at| text.get(at..));
    from.and_then(|text| text.split_once("{{"))
        .is_some_and(|(_, rest)| rest.contains("}}"))
}
