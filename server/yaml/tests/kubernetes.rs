//! YAML that Kubernetes reads or rejects.
//!
//! `kubernetes/verdicts.jsonl` holds documents with the JSON that sigs.k8s.io/yaml makes of them
//! (`YAMLToJSON`, with goyaml.v2 at its last version there), or the fact that it rejects them.
//! Written by hand for every rule of YAML, and by chance for the rest.

use serde_json::{Map, Number, Value as Json};
use yaml::{Node, NodeKind, Value, parse_documents};

#[test]
fn documents_read_as_in_kubernetes() {
    let mut count = 0;
    for line in include_str!("kubernetes/verdicts.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let text = case["yaml"].as_str().unwrap();
        let whole = text::TextRange::up_to(text::TextSize::of(text));
        let stream = parse_documents(text.into(), &[whole]);
        let root = stream.documents().next().and_then(yaml::Document::root);
        if case["rejected"] == Json::Bool(true) {
            assert!(!stream.errors().is_empty(), "accepted: {text:?}");
        } else {
            assert_eq!(stream.errors(), [], "rejected: {text:?}");
            let json = root.map_or(Json::Null, json);
            let comparison = Comparison {
                adds_break: !text.ends_with('\n'),
            };
            assert!(
                comparison.equal(&json, &case["json"]),
                "{text:?}: {json} is not {}",
                case["json"]
            );
        }
        count += 1;
    }
    assert!(count > 400);
}

fn json(node: Node<'_>) -> Json {
    match node.kind() {
        NodeKind::Mapping(mapping) => {
            let entries = mapping.merged();
            let pairs = entries
                .iter()
                .map(|entry| (entry.key.key_text().into_owned(), json(entry.value)));
            Json::Object(pairs.collect::<Map<_, _>>())
        }
        NodeKind::Sequence(sequence) => sequence.items().map(json).collect(),
        NodeKind::Scalar(scalar) => match scalar.value() {
            Value::Null => Json::Null,
            Value::Bool(bool) => bool.into(),
            Value::Int(int) => int.into(),
            Value::Uint(uint) => uint.into(),
            Value::Float(float) => Number::from_f64(float).map_or(Json::Null, Json::Number),
            Value::Str => scalar.text().into(),
        },
    }
}

struct Comparison {
    /// The reader of files ends the last line with a line break, `YAMLToJSON` does not. A block
    /// scalar there has an additional one.
    adds_break: bool,
}

impl Comparison {
    /// Go prints a float without a fraction as an integer.
    fn equal(&self, left: &Json, right: &Json) -> bool {
        match (left, right) {
            (Json::Number(left), Json::Number(right)) => {
                left == right || left.as_f64() == right.as_f64()
            }
            (Json::String(left), Json::String(right)) => {
                left == right || self.without_break(left) == Some(right)
            }
            (Json::Array(left), Json::Array(right)) => {
                let mut pairs = left.iter().zip(right);
                left.len() == right.len() && pairs.all(|(left, right)| self.equal(left, right))
            }
            (Json::Object(left), Json::Object(right)) => {
                let value = |key: &str| {
                    right
                        .get(key)
                        .or_else(|| right.get(self.without_break(key)?))
                };
                let mut entries = left.iter();
                left.len() == right.len()
                    && entries
                        .all(|(key, left)| value(key).is_some_and(|right| self.equal(left, right)))
            }
            _ => left == right,
        }
    }

    fn without_break<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.strip_suffix('\n').filter(|_| self.adds_break)
    }
}
