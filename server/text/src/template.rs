//! The placeholders of templates, such as those of Helm, in text that is something else.
//!
//! `{{` also occurs where no template is: in a typing error, or in braces that open one after the
//! other. What a template can replace ends with `}}`, which decides whether an error is certain.

/// Limit: the bytes of a placeholder. Longer ones are not worth the time, since each brace may begin
/// one.
const MAX_LEN: usize = 4_096;

/// Returns the length of the placeholder at the beginning of `text`: `{{ … }}` with strings and
/// comments inside, but without other braces. `None` if there is none.
///
/// Upstream: Go, text/template/parse/lex.go.
#[must_use]
pub fn template_len(text: &str) -> Option<usize> {
    let end = (0..=text.len().min(MAX_LEN)).rfind(|end| text.is_char_boundary(*end))?;
    let text = text.get(..end)?;
    let mut rest = text.strip_prefix("{{")?;
    loop {
        rest = rest.get(rest.find(['{', '}', '"', '\'', '`', '/'])?..)?;
        if let Some(after) = rest.strip_prefix("}}") {
            return Some(text.len() - after.len());
        }
        let mut characters = rest.chars();
        let first = characters.next()?;
        let after = characters.as_str();
        rest = match first {
            '{' | '}' => return None,
            '/' => match after.strip_prefix('*') {
                Some(comment) => comment.split_once("*/")?.1,
                None => after,
            },
            quote => string_end(after, quote)?,
        };
    }
}

/// Returns the text after the string whose opening quote is before `text`.
fn string_end(text: &str, quote: char) -> Option<&str> {
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '\\' if quote != '`' => {
                characters.next();
            }
            end if end == quote => return Some(characters.as_str()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::template_len;

    #[test]
    fn placeholder_ends_with_two_braces() {
        for whole in [
            "{{}}",
            "{{ .Values.x }}",
            "{{- include \"a}}\\\"\" . | nindent 4 -}}",
            "{{/* it's a } */}}",
            "{{ printf `{%s}\\` (div 4 2)\n}}",
            "{{ .x | default 'a' }}",
        ] {
            assert_eq!(
                template_len(&format!("{whole}}} 😀")),
                Some(whole.len()),
                "{whole}"
            );
        }
    }

    #[test]
    fn braces_that_only_look_alike_are_none() {
        for text in [
            "",
            "{ .x }}",
            "{{ .x }",
            "{{ metadata: Object.metadata{labels: {}}}",
            "{{'a': 1}: 2}",
            "{{ \"a }}",
        ] {
            assert_eq!(template_len(text), None, "{text}");
        }
    }
}
