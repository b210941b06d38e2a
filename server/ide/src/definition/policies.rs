//! The names of policies, in the policies and in their bindings, and of other documents to which
//! admission inputs can refer.

use super::{Access, Definition, Occurrence, content, form};
use crate::project::is_literal_name;
use policy::{Kind, ParsedFile, PolicyDocument};
use yaml::Node;

/// Adds the names of policies in a file.
pub(super) fn add(file: &ParsedFile, names: &mut Vec<Occurrence>) {
    for document in file.policies() {
        let (kind, name, access) = match document.binding() {
            Some(binding) => {
                let name = binding.policy_name.as_ref();
                let name = name.map(|name| document.node(name.at.node));
                (document.kind().bound_kind(), name, Access::Reference)
            }
            None => {
                let kind = document.kind();
                (Some(kind), document.name_node(), Access::Definition)
            }
        };
        if let (Some(kind), Some(name)) = (kind, name) {
            names.extend(policy_name(document, kind, name, access));
        }
    }
}

fn policy_name(
    document: &PolicyDocument,
    kind: Kind,
    node: Node<'_>,
    access: Access,
) -> Option<Occurrence> {
    let name = node.as_str().filter(|name| is_literal_name(name))?;
    Some(Occurrence {
        definition: Definition::Policy {
            kind,
            name: name.into(),
        },
        access,
        range: content(node),
        whole: document.root().range(),
        form: form(node),
    })
}
