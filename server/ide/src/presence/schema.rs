//! The state and type of a value, from its schema and the defaults of the API server.

use super::Presence;
use super::always_present::{always_present, has_key};
use super::cases::Case;
use super::term::{Qualifier, Root, Term, TermId};
use admission::Operation;
use foldhash::fast::RandomState;
use kubernetes::names::NAMESPACE_NAME;
use kubernetes::openapi::{Schema, SchemaPlace, SchemaType};
use std::cell::RefCell;
use std::collections::HashMap;

/// The presence of a field or an entry, regardless of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldState {
    /// The value is always present.
    Required,
    /// An object may lack the value.
    Optional,
    /// The value is an entry of a map, which may lack it.
    Key,
    /// Objects of this kind never have it.
    Undefined,
    /// The schema is unknown.
    Unknown,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldType {
    pub(crate) ty: SchemaType,
    /// The format, if the type checker uses another type for it.
    pub(crate) format: Option<Format>,
}

/// A format for which the type checker uses another type than string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `byte`
    Bytes,
    /// `date-time`
    Timestamp,
    /// `duration`
    Duration,
}

/// The earlier results, by the first case of a kind and by value. Without them, the time would be
/// exponential in the nesting of concatenations and conditionals, since each visits both of its
/// parts.
#[derive(Debug, Default)]
pub(super) struct SchemaCache {
    states: RefCell<HashMap<(usize, TermId), FieldState, RandomState>>,
    schemas: RefCell<HashMap<(usize, TermId), Option<SchemaPlace>, RandomState>>,
}

const LABELS: &str = "labels";

const RESOURCE_VERSION: &str = "resourceVersion";

const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

impl Presence {
    /// Returns the state of a value in the object of a case.
    pub(super) fn known_state(&self, case: &Case, id: TermId) -> FieldState {
        let case_number = match self.terms.get(id) {
            // The state depends on the operation.
            Term::Field(of, name)
                if matches!(&**name, RESOURCE_VERSION | LABELS) || self.is_labels(*of) =>
            {
                case.number
            }
            _ => case.first_of_kind,
        };
        let key = (case_number, id);
        if let Some(state) = self.cache.states.borrow().get(&key) {
            return *state;
        }
        let state = self.state(case, id);
        self.cache.states.borrow_mut().insert(key, state);
        state
    }

    /// Returns the type of a value in a case.
    pub(super) fn field_type(&self, case: &Case, id: TermId) -> Option<FieldType> {
        let schema = self.schema(case, id)?;
        Some(FieldType {
            ty: schema.ty(),
            format: match schema.format() {
                Some("byte") => Some(Format::Bytes),
                Some("date-time") => Some(Format::Timestamp),
                Some("duration") => Some(Format::Duration),
                _ => None,
            },
        })
    }

    fn state(&self, case: &Case, id: TermId) -> FieldState {
        let (of, name) = match self.terms.get(id) {
            Term::Field(of, name) => (*of, &**name),
            Term::Index(of, _) => {
                let schema = self.schema(case, *of);
                return match schema.and_then(Schema::additional_properties) {
                    Some(_) => FieldState::Key,
                    None => FieldState::Unknown,
                };
            }
            _ => return FieldState::Unknown,
        };
        if self.is_selected(case, of, name) {
            return FieldState::Required;
        }
        let is_whole = self.is_top(of) || self.is_whole_self(case, of);
        if is_whole && matches!(name, "metadata" | "kind" | "apiVersion") {
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
            Some(_) => FieldState::Key,
            None if schema.preserves_unknown_fields() => FieldState::Unknown,
            None if schema.ty() == SchemaType::Object && schema.properties().len() > 0 => {
                FieldState::Undefined
            }
            None => FieldState::Unknown,
        }
    }

    fn field(
        &self,
        case: &Case,
        of: TermId,
        (schema, field): (Schema<'_>, Schema<'_>),
        name: &str,
    ) -> FieldState {
        if self.lacks_metadata(case, of, name) {
            return FieldState::Optional;
        }
        let type_name = schema.type_name().unwrap_or("");
        let kind = case.kind.as_ref().map(|kind| kind.kind.as_str());
        let is_known = schema.is_required(name)
            || field.default_value().is_some()
            || always_present(kind, type_name, name)
            || name == LABELS && self.is_of_namespace(case, of)
            // What Kubernetes itself defines has its `spec` by value.
            || self.is_top(of) && name == "spec" && schema.is_built_in();
        if is_known {
            FieldState::Required
        } else {
            FieldState::Optional
        }
    }

    /// Returns whether the metadata of the whole object lacks a field in a case: the object is not
    /// stored yet, or is cluster-scoped.
    fn lacks_metadata(&self, case: &Case, of: TermId, name: &str) -> bool {
        let is_outside = || case.kind.as_ref().is_some_and(|kind| !kind.namespaced);
        self.is_own_metadata(of)
            && match name {
                RESOURCE_VERSION => case.operation == Operation::Create,
                "namespace" => is_outside(),
                _ => false,
            }
    }

    /// Returns whether a value is the metadata of a Namespace, which the server labels with its
    /// name.
    ///
    /// Upstream: kubernetes/kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_Namespace.
    fn is_of_namespace(&self, case: &Case, id: TermId) -> bool {
        let is_namespace = case
            .kind
            .as_ref()
            .is_some_and(|kind| kind.group.is_empty() && kind.kind == "Namespace");
        is_namespace && self.is_own_metadata(id)
    }

    /// Returns whether a value is the metadata of the whole object.
    fn is_own_metadata(&self, id: TermId) -> bool {
        match self.terms.get(id) {
            Term::Field(object, field) => {
                &**field == "metadata"
                    && matches!(
                        self.terms.get(*object),
                        Term::Root(Root::Object | Root::OldObject)
                    )
            }
            _ => false,
        }
    }

    fn is_labels(&self, id: TermId) -> bool {
        matches!(self.terms.get(id), Term::Field(_, name) if &**name == LABELS)
    }

    /// Returns whether a field is the labels of an object, or one of them, that a selector
    /// guarantees in a case.
    fn is_selected(&self, case: &Case, of: TermId, name: &str) -> bool {
        if name != LABELS && !self.is_labels(of) {
            return false;
        }
        let Some((root, path)) = self.terms.fields(of) else {
            return false;
        };
        let mut keys = case.selected(root);
        match path.as_slice() {
            ["metadata"] => name == LABELS && keys.next().is_some(),
            ["metadata", LABELS] => keys.any(|key| key == name),
            _ => false,
        }
    }

    fn is_known_key(&self, case: &Case, map: TermId, key: &str) -> bool {
        let Term::Field(of, field) = self.terms.get(map) else {
            return false;
        };
        if &**field == LABELS && key == NAMESPACE_NAME {
            return self.is_of_namespace(case, *of);
        }
        let schema = self.schema(case, *of);
        let type_name = schema.and_then(Schema::type_name).unwrap_or("");
        has_key(type_name, field, key)
    }

    /// Returns whether a value is a whole object.
    fn is_top(&self, id: TermId) -> bool {
        matches!(
            self.terms.get(id),
            Term::Root(Root::Object | Root::OldObject | Root::Params)
        )
    }

    /// Returns whether a value is a whole custom resource.
    fn is_whole_self(&self, case: &Case, id: TermId) -> bool {
        case.at.is_empty() && matches!(self.terms.get(id), Term::Root(Root::This | Root::OldSelf))
    }

    /// Returns whether a value belongs to the status, which controllers write independently.
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

    /// Returns whether a value belongs to parameters that are a ConfigMap or a Secret. The keys
    /// that the policy needs are a convention; there is no schema for them.
    fn is_data_of_params(&self, id: TermId) -> bool {
        let is_plain = |(group, _, kind): &(String, String, String)| {
            group.is_empty() && matches!(kind.as_str(), "ConfigMap" | "Secret")
        };
        self.terms.root_of(id) == Some(Root::Params) && self.params.as_ref().is_some_and(is_plain)
    }

    /// Returns the schema of a value in a case.
    pub(super) fn schema(&self, case: &Case, id: TermId) -> Option<Schema<'_>> {
        let key = (case.first_of_kind, id);
        let known = self.cache.schemas.borrow().get(&key).copied();
        if let Some(known) = known {
            return known.map(|place| self.catalog.schema_at(place));
        }
        let found = self.find_schema(case, id);
        let place = found.map(Schema::place);
        self.cache.schemas.borrow_mut().insert(key, place);
        found
    }

    fn find_schema(&self, case: &Case, id: TermId) -> Option<Schema<'_>> {
        match self.terms.get(id) {
            Term::Root(Root::Object | Root::OldObject) => case.kind.as_ref()?.schema(&self.catalog),
            Term::Root(Root::This | Root::OldSelf) => {
                let object = case.kind.as_ref()?.schema(&self.catalog)?;
                case.at.iter().try_fold(object, |schema, step| match step {
                    Qualifier::Field(name) => schema.property(name),
                    Qualifier::Element => schema.items().or_else(|| schema.additional_properties()),
                })
            }
            Term::Root(Root::Params) => {
                let (group, version, kind) = self.params.as_ref()?;
                self.catalog.schema(group, version, kind)
            }
            Term::Root(Root::Request | Root::Namespace) => None,
            Term::Field(of, name) => {
                if &**name == "metadata" && (self.is_top(*of) || self.is_whole_self(case, *of)) {
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
                // The schema of the first part that has one.
                ("+", [one, other]) | ("?:", [_, one, other]) => self
                    .schema(case, *one)
                    .or_else(|| self.schema(case, *other)),
                ("orValue", [inner, _]) => self.schema(case, *inner),
                _ => None,
            },
            Term::Position(..) | Term::Constant(_) | Term::Unique(_) => None,
        }
    }
}
