//! Sets whose items are objects or lists.

use crate::fixture::check_diagnostics;

fn definition(target: &str, items: &str, finding: &str) -> String {
    format!(
        "# kubernetes = \"{target}\"\napiVersion: apiextensions.k8s.io/v1\n\
         kind: CustomResourceDefinition\nmetadata: {{name: widgets.x.io}}\nspec:\n  group: x.io\n  \
         scope: Cluster\n  names: {{kind: Widget, plural: widgets, singular: widget, listKind: \
         WidgetList}}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      \
         openAPIV3Schema:\n        type: object\n        properties:\n          list:\n            \
         type: array\n            x-kubernetes-list-type: set\n{finding}            items: {items}\n"
    )
}

#[test]
fn a_set_of_objects_or_lists_is_reported_from_1_37_on() {
    let of = |ty: &str| {
        format!(
            "                                   #^^^ warning[non-scalar-set]: do not support a set \
             of type `{ty}`\n"
        )
    };
    let object = "{type: object, x-kubernetes-map-type: atomic}";
    let list = "{type: array, x-kubernetes-list-type: atomic, items: {type: string}}";
    check_diagnostics(&definition("1.37", object, &of("object")));
    check_diagnostics(&definition("1.30..1.38", list, &of("array")));
    check_diagnostics(&definition("1.37", "{type: string}", ""));
    check_diagnostics(&definition("1.36", object, ""));
}
