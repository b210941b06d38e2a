//! The fields of `Object{}`, of the types of its fields, and of `JSONPatch{}`.

use super::{Context, Signature, SignatureHelp, signature};
use crate::hover::patch_field;
use crate::kind_fields::{Kinds, OBJECT, facts, fields_of, schema_of_type, type_text};
use crate::signature::add_page;
use cel::syntax::{ExprId, ExprKind};
use kubernetes::openapi::{Schema, SchemaType};

/// Limit: the fields in a label. The type of a pod has forty.
const MAX_FIELDS: usize = 12;

/// The fields of a `JSONPatch` that every operation has.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/json_patch.go.
const REQUIRED_OF_PATCH: [&str; 2] = ["op", "path"];

/// A field of an object.
struct ObjectField<'a> {
    name: String,
    label: String,
    is_required: bool,
    /// `None` for a field that only the compiler declares.
    schema: Option<Schema<'a>>,
}

impl<'t> Context<'t> {
    /// Returns the fields of an object, the required ones first. The active one is the field at the
    /// cursor, otherwise the next required one.
    pub(super) fn object_signature(&self, id: ExprId, type_name: &str) -> Option<SignatureHelp> {
        let mut fields = self.object_fields(type_name);
        if fields.is_empty() {
            fields = self.declared_fields(type_name);
        }
        fields.sort_by_cached_key(|field| !field.is_required);
        let (written, current) = self.written_fields(id);
        let active = |field: &ObjectField<'_>| match current {
            Some(current) => field.name == current,
            None => field.is_required && !written.contains(&&*field.name),
        };
        let at = fields.iter().position(active);
        if let Some(at) = at.filter(|at| *at >= MAX_FIELDS) {
            fields.swap(at, MAX_FIELDS - 1);
        }
        let active_parameter = at.map(|at| at.min(MAX_FIELDS - 1));
        let rest = fields.len().saturating_sub(MAX_FIELDS);
        fields.truncate(MAX_FIELDS);
        let labels: Vec<String> = fields.iter().map(|field| field.label.clone()).collect();
        let after = if rest == 0 { "}" } else { ", …}" };
        let mut shown = Signature {
            active_parameter,
            ..signature(&format!("{type_name}{{"), &labels, after)
        };
        if let Some(at) = active_parameter
            && let (Some(parameter), Some(field)) = (shown.parameters.get_mut(at), fields.get(at))
        {
            parameter.documentation = Some(field.documentation(type_name));
        }
        (!labels.is_empty()).then(|| SignatureHelp {
            signatures: vec![shown],
            active: 0,
        })
    }

    /// Returns the names of the written fields, and that of the field at the cursor.
    fn written_fields(&self, id: ExprId) -> (Vec<&str>, Option<&str>) {
        let ExprKind::Struct { fields, .. } = self.ast.kind(id) else {
            return (Vec::new(), None);
        };
        let names = fields.iter().filter(|field| !field.name.is_missing());
        let (mut written, mut current) = (Vec::new(), None);
        for field in names {
            let name = self.ast.name(field.name);
            let span = field.name.span;
            if (self.open.segment..=self.target.offset).contains(&span.start()) {
                current = Some(name);
            }
            written.push(name);
        }
        (written, current)
    }

    /// Returns the fields that the schemas of the matched kinds have.
    fn object_fields(&self, type_name: &str) -> Vec<ObjectField<'t>> {
        let mut found: Vec<ObjectField<'t>> = Vec::new();
        for root in self.kinds.into_iter().flat_map(Kinds::objects) {
            let Some(owner) = schema_of_type(root, type_name) else {
                continue;
            };
            for (name, schema) in owner.properties() {
                if !found.iter().any(|known| known.name == name) {
                    found.push(ObjectField::new(type_name, name, owner, schema));
                }
            }
        }
        found
    }

    /// Returns the fields that the compiler declares.
    fn declared_fields(&self, type_name: &str) -> Vec<ObjectField<'t>> {
        let types = self.env.types();
        let fields = types.field_names(type_name).into_iter().filter_map(|name| {
            let ty = types.field_type(type_name, &name)?;
            Some(ObjectField {
                label: format!("{name}: {ty}"),
                is_required: REQUIRED_OF_PATCH.contains(&&*name),
                schema: None,
                name: name.to_string(),
            })
        });
        fields.collect()
    }
}

impl<'a> ObjectField<'a> {
    fn new(type_name: &str, name: &str, owner: Schema<'a>, schema: Schema<'a>) -> Self {
        Self {
            label: format!("{name}: {}", written_type(type_name, name, schema)),
            name: name.to_owned(),
            is_required: owner.is_required(name),
            schema: Some(schema),
        }
    }

    fn documentation(&self, type_name: &str) -> String {
        let Some(schema) = self.schema else {
            return patch_field(type_name, &self.name).trim_start().to_owned();
        };
        let mut text = facts(schema, self.is_required);
        if let Some(description) = schema.description() {
            add_page(&mut text, &text::clean::for_markdown(description), "");
        }
        text
    }
}

/// Returns the type of a field as it is written in a mutation: `Object.spec`.
fn written_type(type_name: &str, name: &str, schema: Schema<'_>) -> String {
    let is_object = type_name.starts_with(OBJECT) && fields_of(schema).is_some();
    match schema.ty() {
        SchemaType::Array if is_object => format!("list({type_name}.{name})"),
        _ if is_object => format!("{type_name}.{name}"),
        _ => type_text(schema),
    }
}
