//! Tests of the crate as its users see it.

use crate::{NodeKind, ScalarStyle, Stream, Value, parse};
use text::Span;

fn stream(text: &str) -> Stream {
    parse(text.into())
}

#[test]
fn a_policy_is_read() {
    let stream = stream(
        "kind: Policy # c\nspec:\n  validations:\n  - expression: >-\n      a &&\n      b\n    message: 'it''s'\n  - {x: [1, \"2\"]}\n---\na: 1\n",
    );
    assert_eq!(stream.errors(), []);
    assert_eq!(stream.documents().len(), 2);
    let root = stream.documents().next().unwrap().root().unwrap();
    assert_eq!(root.get("kind").unwrap().as_str(), Some("Policy"));
    let list = root.get("spec").unwrap().get("validations").unwrap();
    let items: Vec<_> = list.as_sequence().unwrap().items().collect();
    let expression = items[0].get("expression").unwrap().as_scalar().unwrap();
    assert_eq!(expression.text(), "a && b");
    assert_eq!(expression.style(), ScalarStyle::Folded);
    let at = expression.source_map().up(Span::new(5, 6));
    assert_eq!(stream.slice(at), "b");
    assert_eq!(items[0].get("message").unwrap().text(), "it's");
    let NodeKind::Sequence(numbers) = items[1].get("x").unwrap().kind() else {
        panic!("a list")
    };
    let values: Vec<_> = numbers
        .items()
        .map(|item| item.as_scalar().unwrap().value())
        .collect();
    assert_eq!(values, [Value::Int(1), Value::Str]);
    assert_eq!(stream.comments().len(), 1);
}
