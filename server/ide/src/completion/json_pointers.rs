//! The paths of JSON patches: pointers into the objects of the matched kinds.

use super::context::Context;
use super::{CompletionKind, List, fields};
use crate::kind_fields::{Kinds, schema_at_pointer};
use kubernetes::openapi::SchemaType;

const RANK: u8 = 0;

/// Offers the fields below the part of a pointer that is written, each as a whole pointer.
pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let content = context.word;
    let text = context.target.text();
    let written = text
        .get(content.start() as usize..context.target.offset as usize)
        .unwrap_or_default();
    let parent = written.rsplit_once('/').map_or("", |(parent, _)| parent);
    for root in context.kinds.into_iter().flat_map(Kinds::objects) {
        let Some(owner) = schema_at_pointer(root, parent) else {
            continue;
        };
        for (name, field) in owner.properties() {
            let mut item = fields::schema_item(owner, name, field);
            item.label = format!("{parent}/{}", escape(name));
            push(context, list, item);
        }
        if owner.ty() == SchemaType::Array {
            let last = super::Item {
                detail: Some("after the last element".to_owned()),
                ..super::Item::new(format!("{parent}/-"))
            };
            push(context, list, last);
        }
    }
}

fn push(context: &Context<'_>, list: &mut List<'_>, item: super::Item) {
    if item.label.contains(['\'', '"', '\\']) {
        return;
    }
    let write = (context.word, item.label.clone(), None);
    list.write(CompletionKind::Field, RANK, item, write);
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
