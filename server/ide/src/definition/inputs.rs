//! The names of policies in admission inputs.

use super::{Access, Definition, Occurrence, content, form};
use crate::project::is_literal_name;
use policy::ParsedFile;
use std::ops::Range;
use text::TextRange;
use yaml::Node;

/// The key whose value is the names of policies.
const KEY: &str = "policy";

/// The other keys that only an input has, regardless of the name of the file.
const TELLING: [&str; 4] = ["object", "oldObject", "request", "expect"];

/// Adds the names of policies in the admission inputs of a file.
pub(super) fn add(file: &ParsedFile, is_inputs: bool, names: &mut Vec<Occurrence>) {
    let text = file.text();
    let may_name = |range: &TextRange| {
        let document = text.get(Range::<usize>::from(*range)).unwrap_or_default();
        let is_input = is_inputs || TELLING.iter().any(|key| document.contains(key));
        is_input && document.contains(KEY)
    };
    let documents: Vec<TextRange> = yaml::split(text).filter(may_name).collect();
    if documents.is_empty() {
        return;
    }
    let stream = yaml::parse_documents(file.shared_text(), &documents);
    let roots = stream.documents().filter_map(yaml::Document::root);
    for root in roots {
        if !is_inputs && !TELLING.iter().any(|key| root.get(key).is_some()) {
            continue;
        }
        let Some(value) = root.get(KEY) else {
            continue;
        };
        let items = value.as_sequence().into_iter();
        let items = items.flat_map(yaml::Sequence::items);
        names.extend(std::iter::once(value).chain(items).filter_map(name));
    }
}

fn name(node: Node<'_>) -> Option<Occurrence> {
    let name = node.as_str().filter(|name| is_literal_name(name))?;
    let range = content(node);
    Some(Occurrence {
        definition: Definition::OfInput { name: name.into() },
        access: Access::Reference,
        range,
        whole: range,
        form: form(node),
    })
}
