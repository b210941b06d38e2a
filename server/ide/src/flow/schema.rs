//! What an object has at a place, by its schema and by what the server fills in.

use super::Flow;
use super::cases::Case;
use super::present::{always_present, has_key};
use super::term::{Root, Term, TermId};
use policy::openapi::{Schema, SchemaType};

/// What is known of a field or an entry without a look at the conditions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FieldState<'f> {
    /// It is always there.
    Required,
    /// An object can lack it.
    Optional(Schema<'f>),
    /// It is the entry of a map, which can lack it.
    Key(Schema<'f>),
    /// Objects of this kind never have it.
    Undefined,
    /// Nothing is known.
    Unknown,
}

const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

impl Flow {
    /// What the object of a case has at the place of a value.
    pub(super) fn state(&self, case: &Case, id: TermId) -> FieldState<'_> {
        let (of, name) = match self.terms.get(id) {
            Term::Field(of, name) => (*of, &**name),
            Term::Index(of, _) => {
                let schema = self.schema(case, *of);
                return match schema.and_then(Schema::additional_properties) {
                    Some(value) => FieldState::Key(value),
                    None => FieldState::Unknown,
                };
            }
            _ => return FieldState::Unknown,
        };
        if self.is_top(of) && matches!(name, "metadata" | "kind" | "apiVersion") {
            return FieldState::Required;
        }
        if self.is_status(id) || self.is_data_of_params(id) {
            return FieldState::Unknown;
        }
        let Some(schema) = self.schema(case, of) else {
            return FieldState::Unknown;
        };
        if let Some(field) = schema.property(name) {
            return self.field(case, of, (schema, field), name);
        }
        match schema.additional_properties() {
            Some(_) if self.is_known_key(case, of, name) => FieldState::Required,
            Some(value) => FieldState::Key(value),
            None if schema.preserves_unknown_fields() => FieldState::Unknown,
            None if schema.ty() == SchemaType::Object && schema.properties().len() > 0 => {
                FieldState::Undefined
            }
            None => FieldState::Unknown,
        }
    }

    fn field<'f>(
        &self,
        case: &Case,
        of: TermId,
        (schema, field): (Schema<'f>, Schema<'f>),
        name: &str,
    ) -> FieldState<'f> {
        let type_name = schema.type_name().unwrap_or("");
        let kind = case.kind.as_ref().map(|kind| kind.kind.as_str());
        let is_known = schema.is_required(name)
            || field.default_value().is_some()
            || always_present(kind, type_name, name)
            // What Kubernetes itself defines has its `spec` by value.
            || self.is_top(of) && name == "spec" && type_name.starts_with("io.k8s.");
        if is_known {
            FieldState::Required
        } else {
            FieldState::Optional(field)
        }
    }

    fn is_known_key(&self, case: &Case, map: TermId, key: &str) -> bool {
        let Term::Field(of, field) = self.terms.get(map) else {
            return false;
        };
        let schema = self.schema(case, *of);
        let type_name = schema.and_then(Schema::type_name).unwrap_or("");
        has_key(type_name, field, key)
    }

    /// Whether a value is a whole object.
    fn is_top(&self, id: TermId) -> bool {
        matches!(
            self.terms.get(id),
            Term::Root(Root::Object | Root::OldObject | Root::Params)
        )
    }

    /// Whether a value belongs to the status, which controllers write at their own time.
    fn is_status(&self, mut id: TermId) -> bool {
        loop {
            if let Term::Field(of, name) = self.terms.get(id)
                && &**name == "status"
                && self.is_top(*of)
            {
                return true;
            }
            match self.terms.parent(id) {
                Some(parent) => id = parent,
                None => return false,
            }
        }
    }

    /// Whether a value belongs to parameters that are a ConfigMap or a Secret. Those who use
    /// them know which keys the policy wants, and have no schema to say it in.
    fn is_data_of_params(&self, id: TermId) -> bool {
        let is_plain = |(group, _, kind): &(String, String, String)| {
            group.is_empty() && matches!(kind.as_str(), "ConfigMap" | "Secret")
        };
        self.terms.root_of(id) == Some(Root::Params) && self.params.as_ref().is_some_and(is_plain)
    }

    /// The schema of a value in a case.
    pub(super) fn schema(&self, case: &Case, id: TermId) -> Option<Schema<'_>> {
        match self.terms.get(id) {
            Term::Root(Root::Object | Root::OldObject) => case.kind.as_ref()?.schema(&self.catalog),
            Term::Root(Root::Params) => {
                let (group, version, kind) = self.params.as_ref()?;
                self.catalog.schema(group, version, kind)
            }
            Term::Root(Root::Request | Root::Namespace) => None,
            Term::Field(of, name) => {
                if &**name == "metadata" && self.is_top(*of) {
                    return self.catalog.named(METADATA);
                }
                let schema = self.schema(case, *of)?;
                schema
                    .property(name)
                    .or_else(|| schema.additional_properties())
            }
            Term::Index(of, _) | Term::Value(of, _) => {
                let of = self.schema(case, *of)?;
                of.items().or_else(|| of.additional_properties())
            }
            Term::Item(of, _) | Term::Each(of) => self.schema(case, *of)?.items(),
            Term::Call(name, parts) => match (&**name, &**parts) {
                ("+", [one, other]) | ("?:", [_, one, other]) => {
                    let one = self.schema(case, *one);
                    one.or_else(|| self.schema(case, *other))
                }
                ("orValue", [inner, _]) => self.schema(case, *inner),
                _ => None,
            },
            Term::Position(..) | Term::Constant(_) | Term::Unique(_) => None,
        }
    }
}
