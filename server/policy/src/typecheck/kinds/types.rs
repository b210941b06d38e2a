//! The types of `object` and `params` for a kind.
//!
//! A schema has no names for the objects in it. Kubernetes names them by their path,
//! `Deployment.spec.template`, and this module does the same: a name is looked up along that path
//! through the schema, so that only what an expression uses is ever read.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/schemas.go, SchemaDeclType; pkg/cel/types.go,
//! MaybeAssignTypeName and DeclTypeProvider; pkg/cel/openapi/resolver/refs.go, PopulateRefs.

use crate::results::{KindId, RootIds};
use cel::Type;
use cel::env::TypeProvider;
use cel::value::{EvalError, Value};
use kubernetes::names::GroupVersionKind;
use kubernetes::names::{escape, is_reserved};
use kubernetes::openapi::{Catalog, Schema, SchemaPlace, SchemaType};
use kubernetes::versions::changes::KEYWORDS_NAME_FIELDS;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use text::memo::Identity;

/// The names of the fields of an object, with their types.
type Fields = HashMap<Arc<str>, Type, foldhash::fast::RandomState>;

/// The types of the objects of a kind. Lookups are cached.
#[derive(Debug)]
pub(super) struct KindTypes {
    catalog: Arc<Catalog>,
    kind: GroupVersionKind,
    /// The name of the type of a whole object.
    name: Arc<str>,
    cached: RwLock<HashMap<Arc<str>, Arc<Fields>, foldhash::fast::RandomState>>,
}

/// The types of kinds.
type Shared = RwLock<HashMap<GroupVersionKind, Arc<KindTypes>, foldhash::fast::RandomState>>;

/// Limit: versions of Kubernetes. A minor version is the index of its kinds in [`SHARED`].
const VERSIONS: usize = 64;

/// The types of built-in kinds, which are the same in every project.
static SHARED: [OnceLock<Shared>; VERSIONS] = [const { OnceLock::new() }; VERSIONS];

impl KindTypes {
    /// Returns the types of a kind. `None` if the catalog has no schema for it.
    pub(super) fn from_kind(catalog: &Arc<Catalog>, kind: &GroupVersionKind) -> Option<Arc<Self>> {
        let is_given = catalog.is_added(&kind.group, &kind.version, &kind.kind);
        let catalog = &with_kind(catalog, kind)?;
        let cell = SHARED.get(usize::from(catalog.version().0));
        let Some(cell) = cell.filter(|_| !is_given) else {
            return Some(Arc::new(Self::new(catalog, kind, &kind.kind)));
        };
        let shared = cell.get_or_init(Shared::default);
        let cached = shared.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = cached.get(kind) {
            return Some(Arc::clone(cached));
        }
        drop(cached);
        let mut cached = shared.write().unwrap_or_else(PoisonError::into_inner);
        let entry = cached.entry(kind.clone());
        let types = entry.or_insert_with(|| Arc::new(Self::new(catalog, kind, &kind.kind)));
        Some(Arc::clone(types))
    }

    /// Returns the types of the kind of `params`, if `object` has a kind of the same name.
    ///
    /// The server numbers the names of types and treats the two as different.
    pub(super) fn from_param_kind(
        catalog: &Arc<Catalog>,
        kind: &GroupVersionKind,
    ) -> Option<Arc<Self>> {
        let catalog = &with_kind(catalog, kind)?;
        let name = format!("{}{OF_PARAMS}", kind.kind);
        Some(Arc::new(Self::new(catalog, kind, &name.into())))
    }

    fn new(catalog: &Arc<Catalog>, kind: &GroupVersionKind, name: &Arc<str>) -> Self {
        Self {
            catalog: Arc::clone(catalog),
            kind: kind.clone(),
            name: Arc::clone(name),
            cached: RwLock::default(),
        }
    }

    /// Returns the name of the type of a whole object, with which the names of all others begin.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    fn id(&self) -> KindId {
        let GroupVersionKind {
            group,
            version,
            kind,
        } = &self.kind;
        let definitions = self.catalog.definitions_of(group, version, kind);
        KindId {
            kind: self.kind.clone(),
            server: self.catalog.version(),
            name: Arc::clone(&self.name),
            definitions: definitions.map(Identity::from),
        }
    }

    /// Returns the type of a whole object; `dyn` if the schema has no type that CEL supports.
    pub(super) fn object_type(&self) -> Type {
        let ty = self.root().and_then(|root| root.cel_type(&self.name));
        ty.unwrap_or(Type::Dyn)
    }

    /// Returns the schema of a whole object.
    pub(super) fn schema(&self) -> Option<Schema<'_>> {
        let GroupVersionKind {
            group,
            version,
            kind,
        } = &self.kind;
        self.catalog.schema(group, version, kind)
    }

    /// Returns the schema at a position in the catalog of the kind.
    pub(super) fn schema_at(&self, place: SchemaPlace) -> Schema<'_> {
        self.catalog.schema_at(place)
    }

    /// Returns whether the server uses its own type for a field of a part of the objects, instead
    /// of the schema.
    pub(super) fn has_standard_type(&self, part: Schema<'_>, field: &str) -> bool {
        let is_resource = || part.is_embedded_resource() || self.schema() == Some(part);
        standard_type(field).is_some() && is_resource() && !has_standard_fields(part)
    }

    fn root(&self) -> Option<TypePosition<'_>> {
        let schema = self.schema()?;
        Some(TypePosition {
            shape: PositionSchema::Schema(schema),
            is_resource: true,
            enclosing_types: schema.type_name().into_iter().collect(),
        })
    }

    fn find(&self, path: &str) -> Option<TypePosition<'_>> {
        let mut parts = path.split('.');
        if parts.next() != Some(&*self.name) {
            return None;
        }
        parts.try_fold(self.root()?, TypePosition::inside)
    }

    /// Returns the fields of an object type. `None` if there is no type of that name.
    fn fields(&self, name: &str) -> Option<Arc<Fields>> {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(fields) = cached.get(name) {
            return Some(Arc::clone(fields));
        }
        drop(cached);
        let fields = Arc::new(self.find(name)?.fields(name)?);
        let mut cached = self.cached.write().unwrap_or_else(PoisonError::into_inner);
        cached.insert(name.into(), Arc::clone(&fields));
        Some(fields)
    }
}

/// Returns the catalog that has a kind: the given one if a project defines it, otherwise one that
/// is the same in every project.
fn with_kind(catalog: &Arc<Catalog>, kind: &GroupVersionKind) -> Option<Arc<Catalog>> {
    let GroupVersionKind {
        group,
        version,
        kind,
    } = kind;
    if catalog.is_added(group, version, kind) {
        return Some(Arc::clone(catalog));
    }
    let has = |catalog: &Arc<Catalog>| catalog.schema(group, version, kind).is_some();
    let built_in = Catalog::built_in(catalog.version());
    if has(&built_in) {
        return Some(built_in);
    }
    Some(Catalog::with_former(catalog.version())).filter(has)
}

/// A place in the objects of a kind.
#[derive(Clone)]
struct TypePosition<'c> {
    shape: PositionSchema<'c>,
    /// Whether the position holds a whole object.
    is_resource: bool,
    /// The named types around it, itself included.
    enclosing_types: Vec<&'c str>,
}

/// The schema of a position.
#[derive(Clone, Copy)]
enum PositionSchema<'c> {
    Schema(Schema<'c>),
    /// A type inside itself, which the server treats as an object without fields.
    Recursive(Schema<'c>),
    /// The `metadata` of an object whose schema does not describe it.
    Metadata,
    /// A string without a schema.
    Text,
}

impl<'c> TypePosition<'c> {
    fn schema(&self) -> Option<Schema<'c>> {
        match self.shape {
            PositionSchema::Schema(schema) | PositionSchema::Recursive(schema) => Some(schema),
            PositionSchema::Metadata | PositionSchema::Text => None,
        }
    }

    /// The place of a schema directly inside this one.
    fn child(mut self, schema: Schema<'c>) -> Self {
        self.shape = PositionSchema::Schema(schema);
        self.is_resource = schema.is_embedded_resource();
        if let Some(name) = schema.type_name() {
            if self.enclosing_types.contains(&name) {
                self.shape = PositionSchema::Recursive(schema);
            }
            self.enclosing_types.push(name);
        }
        self
    }

    fn with(self, shape: PositionSchema<'c>) -> Self {
        Self {
            shape,
            is_resource: false,
            ..self
        }
    }

    /// The place that a part of the name of a type leads to.
    fn inside(self, part: &str) -> Option<Self> {
        match (self.shape, part) {
            (PositionSchema::Text, _) => None,
            (PositionSchema::Metadata, "name" | "generateName") => {
                Some(self.with(PositionSchema::Text))
            }
            (PositionSchema::Metadata, _) => None,
            (PositionSchema::Schema(schema) | PositionSchema::Recursive(schema), part) => {
                self.inside_schema(schema, part)
            }
        }
    }

    fn inside_schema(self, schema: Schema<'c>, part: &str) -> Option<Self> {
        match part {
            "@idx" => Some(self.child(schema.items()?)),
            "@elem" => Some(self.child(schema.additional_properties()?)),
            name => {
                if let Some(shape) = self.standard(name) {
                    return Some(self.with(shape));
                }
                let exact = schema.property(name);
                let escaped = |(property, schema)| (escape(property)? == name).then_some(schema);
                let found = exact
                    .filter(|_| escape(name).is_some_and(|it| it == name))
                    .or_else(|| schema.properties().find_map(escaped));
                Some(self.child(found?))
            }
        }
    }

    /// Returns the type that the server uses for a field that every whole object has, if it has
    /// one.
    ///
    /// Upstream: kubernetes/apiserver, pkg/cel/common/schemas.go, WithTypeAndObjectMeta.
    fn standard(&self, name: &str) -> Option<PositionSchema<'c>> {
        let shape = standard_type(name)?;
        (self.is_resource && !has_standard_fields(self.schema()?)).then_some(shape)
    }

    /// Returns the type. An object is named `name`, and types inside it have names that begin
    /// with it. `None` if CEL supports no type for it, so that a field of it does not exist.
    fn cel_type(&self, name: &str) -> Option<Type> {
        let schema = match self.shape {
            PositionSchema::Recursive(_) | PositionSchema::Metadata => {
                return Some(Type::object(name));
            }
            PositionSchema::Text => return Some(Type::String),
            PositionSchema::Schema(schema) => schema,
        };
        match schema.ty() {
            SchemaType::IntOrString => Some(Type::Dyn),
            SchemaType::Array => {
                let items = self.clone().child(schema.items()?);
                Some(Type::list(items.cel_type(&format!("{name}.@idx"))?))
            }
            SchemaType::Object => match schema.additional_properties() {
                Some(values) => {
                    let values = self
                        .clone()
                        .child(values)
                        .cel_type(&format!("{name}.@elem"))?;
                    Some(Type::map(Type::String, values))
                }
                None => Some(Type::object(name)),
            },
            SchemaType::String => Some(string_type(schema.format().unwrap_or(""))),
            SchemaType::Boolean => Some(Type::Bool),
            SchemaType::Number => Some(Type::Double),
            SchemaType::Integer => Some(Type::Int),
            SchemaType::Quantity | SchemaType::Any => None,
        }
    }

    /// Returns the fields of the object at this position. `None` if it is not an object.
    fn fields(&self, name: &str) -> Option<Fields> {
        let mut fields = Fields::default();
        let mut add = |field: &str, place: Self| {
            let field = escape(field)?;
            let ty = place.cel_type(&format!("{name}.{field}"))?;
            fields.insert(field.as_ref().into(), ty);
            Some(())
        };
        match self.shape {
            PositionSchema::Text => return None,
            PositionSchema::Recursive(_) => {}
            PositionSchema::Metadata => {
                for field in ["name", "generateName"] {
                    add(field, self.clone().with(PositionSchema::Text));
                }
            }
            PositionSchema::Schema(schema) => {
                if schema.ty() != SchemaType::Object || schema.additional_properties().is_some() {
                    return None;
                }
                let standard = ["apiVersion", "kind", "metadata"];
                for (field, schema) in schema.properties() {
                    if !standard.contains(&field) || self.standard(field).is_none() {
                        add(field, self.clone().child(schema));
                    }
                }
                for field in standard {
                    if let Some(shape) = self.standard(field) {
                        add(field, self.clone().with(shape));
                    }
                }
            }
        }
        Some(fields)
    }
}

/// Returns the type that the server uses for a field of an object whose schema does not declare all
/// standard fields.
fn standard_type(field: &str) -> Option<PositionSchema<'static>> {
    match field {
        "kind" | "apiVersion" => Some(PositionSchema::Text),
        "metadata" => Some(PositionSchema::Metadata),
        _ => None,
    }
}

/// Returns whether the schema of a whole object declares all standard fields.
fn has_standard_fields(schema: Schema<'_>) -> bool {
    let has = |schema: Schema<'_>, name: &str, ty: SchemaType| {
        let found = schema.property(name);
        found.is_some_and(|found| found.ty() == ty)
    };
    has(schema, "kind", SchemaType::String)
        && has(schema, "apiVersion", SchemaType::String)
        && has(schema, "metadata", SchemaType::Object)
        && schema.property("metadata").is_some_and(|metadata| {
            has(metadata, "name", SchemaType::String)
                && has(metadata, "generateName", SchemaType::String)
        })
}

/// Returns the type of a string with a format.
fn string_type(format: &str) -> Type {
    match format {
        "byte" => Type::Bytes,
        "duration" => Type::Duration,
        "date" | "date-time" => Type::Timestamp,
        _ => Type::String,
    }
}

/// The types of an environment in which `object` and `params` have types.
#[derive(Debug)]
pub(super) struct TypedRoots {
    pub(super) object: Option<Arc<KindTypes>>,
    pub(super) params: Option<Arc<KindTypes>>,
    /// The types that do not depend on kinds.
    pub(super) others: Arc<dyn TypeProvider>,
}

/// Distinguishes the type name of `params` from that of `object`. It is never shown.
pub(super) const OF_PARAMS: char = '\u{f8ff}';

impl TypedRoots {
    /// Returns the types of `object` and `params`.
    pub(super) fn types(&self) -> [Type; 2] {
        let whole = |types: &Option<Arc<KindTypes>>| {
            types
                .as_ref()
                .map_or(Type::Dyn, |types| types.object_type())
        };
        [whole(&self.object), whole(&self.params)]
    }

    /// Identifies the types of `object` and `params`, as if both were declared.
    pub(super) fn ids(&self) -> RootIds {
        let id = |types: &Option<Arc<KindTypes>>| types.as_ref().map(|types| types.id());
        RootIds {
            object: id(&self.object),
            params: id(&self.params),
            has_params: true,
        }
    }

    /// Returns the kind to which a name of a type belongs.
    fn owner(&self, name: &str) -> Option<&KindTypes> {
        let first = name.split('.').next()?;
        let roots = [&self.object, &self.params].into_iter().flatten();
        let mut roots = roots.filter(|types| *types.name == *first);
        roots.next().map(|types| &**types)
    }
}

impl TypeProvider for TypedRoots {
    fn find_type(&self, name: &str) -> Option<Type> {
        let declared = self.owner(name).and_then(|types| types.fields(name));
        match declared {
            Some(_) => Some(Type::object(name)),
            None => self.others.find_type(name),
        }
    }

    fn is_value(&self, name: &str) -> bool {
        self.others.is_value(name)
    }

    /// Delegates to the other types, since no expression can name the type of a kind: the server
    /// numbers them.
    fn is_namespace(&self, name: &str) -> bool {
        self.others.is_namespace(name)
    }

    fn field_type(&self, type_name: &str, field: &str) -> Option<Type> {
        let Some(types) = self.owner(type_name) else {
            return self.others.field_type(type_name, field);
        };
        let fields = types.fields(type_name)?;
        if let Some(ty) = fields.get(field) {
            return Some(ty.clone());
        }
        let by_keyword =
            KEYWORDS_NAME_FIELDS.applies(types.catalog.version()) && is_reserved(field);
        by_keyword
            .then(|| fields.get(&*format!("__{field}__")).cloned())
            .flatten()
    }

    fn field_names(&self, type_name: &str) -> Vec<Arc<str>> {
        match self.owner(type_name).and_then(|it| it.fields(type_name)) {
            Some(fields) => fields.keys().cloned().collect(),
            None => self.others.field_names(type_name),
        }
    }

    fn new_value(
        &self,
        type_name: &str,
        fields: Vec<(Arc<str>, Value)>,
    ) -> Result<Value, EvalError> {
        self.others.new_value(type_name, fields)
    }
}
