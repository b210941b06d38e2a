//! Placeholders of templates, such as those of Helm.
//!
//! What a template may replace is not checked, but an error that remains whatever the template
//! inserts is certain.

use cel::syntax::{SyntaxError, SyntaxErrorKind, TokenKind, parse, tokens};
use policy::Expression;
use std::borrow::Cow;
use std::ops::Range;
use text::template_len;

/// Returns whether a string contains `{{ … }}`, which a template replaces.
pub(super) fn has_placeholder(text: &str) -> bool {
    placeholders(text).next().is_some()
}

/// Returns the syntax errors of an expression that no template can correct: all of them if it has no
/// placeholder.
pub(super) fn certain_errors(expression: &Expression) -> Cow<'_, [SyntaxError]> {
    let (text, errors) = (expression.text(), &expression.parse.errors);
    if errors.is_empty() || !has_placeholder(text) {
        return Cow::Borrowed(errors);
    }
    // Inserted into a string, a name leaves the tokens around it as they are.
    let named = with_names(text);
    let is_string = |place: &Range<usize>| {
        tokens(&named).any(|token| {
            token.kind == TokenKind::String
                && (token.span.start() as usize) < place.start
                && (token.span.end() as usize) > place.end
        })
    };
    let Some(first) = placeholders(text).find(|place| !is_string(place)) else {
        return Cow::Owned(parse(&named).errors);
    };
    let before = named.get(..first.start).unwrap_or("");
    let end = before.trim_end().len();
    let mut certain = parse(before).errors;
    certain.retain(|error| {
        let is_before = error
            .upstream_offset()
            .is_some_and(|at| (at as usize) < end);
        let touches = error.span.end() as usize >= end;
        is_before && (!touches || is_complete(error) && end < before.len())
    });
    let all = parse(&named).errors.into_iter();
    certain.extend(all.filter(|error| {
        let (start, end) = (error.span.start() as usize, error.span.end() as usize);
        let touches = |place: Range<usize>| place.start <= end && start <= place.end;
        start > first.end && is_foreign(error) && !placeholders(text).any(touches)
    }));
    Cow::Owned(certain)
}

/// Returns whether an error is an operator that CEL has nowhere.
fn is_foreign(error: &SyntaxError) -> bool {
    use SyntaxErrorKind::{Arrow, ForeignOperator};
    matches!(error.kind, ForeignOperator { .. } | Arrow { .. })
}

/// Returns whether what follows after a space does not belong to the part that is wrong.
fn is_complete(error: &SyntaxError) -> bool {
    use SyntaxErrorKind::{HasArgument, MacroVariable, SortByTarget};
    !matches!(error.kind, HasArgument | MacroVariable(_) | SortByTarget)
}

/// Returns the ranges of the placeholders in a string.
fn placeholders(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            // Most texts have no brace, and one character is found faster than two.
            let start = from + text.get(from..)?.find('{')?;
            match template_len(text.get(start..)?) {
                Some(len) => {
                    from = start + len;
                    return Some(start..from);
                }
                None => from = start + 1,
            }
        }
    })
}

/// Returns a string of the same length with a name in place of each placeholder.
fn with_names(text: &str) -> String {
    let mut named = String::with_capacity(text.len());
    for place in placeholders(text) {
        named.push_str(text.get(named.len()..place.start).unwrap_or(""));
        named.extend(std::iter::repeat_n('x', place.len()));
    }
    named.push_str(text.get(named.len()..).unwrap_or(""));
    named
}

#[cfg(test)]
mod tests {
    use super::{certain_errors, has_placeholder};
    use crate::file::SourceFile;
    use crate::fixture::policy;

    #[track_caller]
    fn check(expression: &str, certain: &[&str]) {
        assert!(has_placeholder(expression));
        let lines = expression.replace('\n', "\n      ");
        let text = policy(&format!(
            "  validations:\n  - expression: |-\n      {lines}\n"
        ));
        let file = SourceFile::new(text.as_str());
        let expression = &file.policies()[0].expressions()[0];
        let errors = certain_errors(expression);
        let found: Vec<_> = errors
            .iter()
            .map(|it| it.span.slice(expression.text()))
            .collect();
        assert_eq!(found, certain, "{}", expression.text());
    }

    #[test]
    fn placeholder_may_stand_for_anything() {
        for expression in [
            "object.spec.replicas < {{ .Values.max }}",
            "{{ .Values.condition }}",
            "object.a {{ .Values.operator }} 1",
            "has(object{{ .Values.path }})",
            "has(object {{ .Values.path }})",
            "object.a.all(object {{ .x }}, true)",
            "object.{{ .Values.field }}.all(c, c.{{ .x }} == 1)",
            "{{- if .Values.strict }}\nobject.a &&\n{{- end }}\nobject.b",
            "object.x in [{{ range .Values.list }}'{{ . }}',{{ end }}]",
            "object.x == '{{ .x | default 'a' }}'",
            "size(object.a {{ if .b }}) > 1 && (true{{ end }})",
        ] {
            check(expression, &[]);
        }
    }

    #[test]
    fn nothing_corrects_what_is_wrong_before_it() {
        check("object.a > 1 &&& {{ .x }}", &["&&&"]);
        check("object.a > 1 &&& '{{x}}' == 'y'", &["&&&"]);
        check("'{{x}}' == 'y' === true", &["==="]);
        check("object.a) && {{ .x }}", &[")"]);
        check("object.a > > {{ .x }}", &[">"]);
        check("object.a == '{{x}}' &&", &[""]);
    }

    #[test]
    fn nothing_corrects_an_operator_of_another_language() {
        check("{{ .x }} == '😀' &&& true", &["&&&"]);
        check("{{ .x }} &{{ .y }}& true", &[]);
    }
}
