//! Writes kinds and their schemas into the form in which they are read.
//!
//! The output is deterministic: everything is sorted.

use super::layout::{LAST_PLACE, MAGIC, NONE, PLACE, REQUIRED, header, kind, node};
use super::model::{KindFacts, Model, SchemaFacts, SubresourceFacts};
use foldhash::fast::RandomState;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Strings before sorting. Most are in many schemas.
type Texts<'m> = HashSet<&'m str, RandomState>;

/// Returns the bytes of a file with these kinds.
#[must_use]
pub fn write(model: &Model) -> Vec<u8> {
    Writer::new(model).write(model)
}

struct Writer<'m> {
    /// Sorted.
    strings: Vec<&'m str>,
    /// The indices of the strings.
    places: HashMap<&'m str, u32, RandomState>,
    types: BTreeMap<&'m str, u32>,
    words: Vec<u32>,
    /// Where each list and node is.
    offsets: HashMap<Vec<u32>, u32, RandomState>,
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model) -> Self {
        let mut strings = Texts::default();
        let mut types = BTreeSet::new();
        for definitions in &model.types {
            for (name, schema) in definitions {
                types.insert(name.as_str());
                schema_strings(schema, &mut strings, &mut types);
            }
        }
        for facts in &model.kinds {
            kind_strings(facts, &mut strings);
            types.extend(facts.type_name.as_deref());
        }
        strings.extend(types.iter().copied());
        let mut strings: Vec<&str> = strings.into_iter().collect();
        strings.sort_unstable();
        Self {
            places: strings.iter().copied().zip(0..).collect(),
            strings,
            types: types.into_iter().zip(0..).collect(),
            words: Vec::new(),
            offsets: HashMap::default(),
        }
    }

    fn write(mut self, model: &'m Model) -> Vec<u8> {
        let mut kinds: Vec<&KindFacts> = model.kinds.iter().collect();
        kinds.sort_by_key(|facts| (&facts.group, &facts.version, &facts.kind));
        let (strings, types) = (count(self.strings.len()), count(self.types.len()));
        let versions = count(model.types.len());
        let string_offsets = header::LENGTH;
        let type_names = string_offsets + strings + 1;
        let type_nodes = type_names + types;
        let kind_table = type_nodes + types * versions;
        let arena = kind_table + count(kinds.len()) * kind::LENGTH;
        self.words.resize(arena as usize, 0);
        let names: Vec<u32> = self.types.keys().map(|name| self.string(name)).collect();
        self.fill(type_names, &names);
        for (version, definitions) in (0..).zip(&model.types) {
            let nodes = self.type_nodes(definitions);
            self.fill(type_nodes + version * types, &nodes);
        }
        let entries: Vec<u32> = kinds.iter().flat_map(|facts| self.kind(facts)).collect();
        self.fill(kind_table, &entries);
        let (offsets, text) = self.text();
        self.fill(string_offsets, &offsets);
        let mut head = [0; header::LENGTH as usize];
        for (at, value) in [
            (header::MAGIC, MAGIC),
            (header::STRINGS, strings),
            (header::STRING_OFFSETS, string_offsets),
            (header::TEXT, count(self.words.len())),
            (header::TYPES, types),
            (header::TYPE_NAMES, type_names),
            (header::FIRST_VERSION, u32::from(model.first_version)),
            (header::VERSIONS, versions),
            (header::TYPE_NODES, type_nodes),
            (header::KINDS, count(kinds.len())),
            (header::KIND_TABLE, kind_table),
        ] {
            set(&mut head, at, value);
        }
        self.fill(0, &head);
        let words = self.words.iter().flat_map(|word| word.to_le_bytes());
        words.chain(text.bytes()).collect()
    }

    fn fill(&mut self, at: u32, values: &[u32]) {
        for (at, value) in (at..).zip(values) {
            set(&mut self.words, at, *value);
        }
    }

    fn string(&self, text: &str) -> u32 {
        self.places.get(text).copied().unwrap_or(NONE)
    }

    /// Returns the offset of each string in the text, that of its end, and the text.
    fn text(&self) -> (Vec<u32>, String) {
        let mut text = String::new();
        let mut offsets = vec![0];
        for string in &self.strings {
            text.push_str(string);
            offsets.push(count(text.len()));
        }
        (offsets, text)
    }

    fn type_nodes(&mut self, definitions: &BTreeMap<String, SchemaFacts>) -> Vec<u32> {
        let names: Vec<&str> = self.types.keys().copied().collect();
        let nodes = names.iter().map(|name| {
            let schema = definitions.get(*name);
            schema.map_or(NONE, |schema| self.node(schema))
        });
        nodes.collect()
    }

    /// Adds words to the arena, or reuses equal ones.
    fn intern(&mut self, words: Vec<u32>) -> u32 {
        if let Some(known) = self.offsets.get(&words) {
            return *known;
        }
        let at = count(self.words.len());
        self.words.extend(&words);
        self.offsets.insert(words, at);
        at
    }

    fn list(&mut self, entries: u32, words: impl IntoIterator<Item = u32>) -> u32 {
        let words: Vec<u32> = std::iter::once(entries).chain(words).collect();
        self.intern(words)
    }

    fn names(&mut self, names: &[String]) -> u32 {
        let words: Vec<u32> = names.iter().map(|name| self.string(name)).collect();
        self.list(count(words.len()), words)
    }

    fn node(&mut self, schema: &SchemaFacts) -> u32 {
        let mut words = vec![flags(schema)];
        let reference = schema.reference.as_deref();
        words.extend(reference.map(|name| self.types.get(name).copied().unwrap_or(NONE)));
        words.extend(schema.format.as_deref().map(|text| self.string(text)));
        if !schema.properties.is_empty() {
            let mut list = Vec::new();
            for (name, property) in &schema.properties {
                let required = if property.required { REQUIRED } else { 0 };
                let place = property.place.min(LAST_PLACE) << PLACE;
                let name = self.string(name) | place | required;
                list.extend([name, self.node(&property.schema)]);
            }
            words.push(self.list(count(schema.properties.len()), list));
        }
        for inner in [&schema.items, &schema.values].into_iter().flatten() {
            words.push(self.node(inner));
        }
        words.extend(schema.default.as_deref().map(|text| self.string(text)));
        for names in [&schema.allowed, &schema.list_map_keys] {
            if !names.is_empty() {
                words.push(self.names(names));
            }
        }
        words.extend(schema.description.as_deref().map(|text| self.string(text)));
        self.intern(words)
    }

    fn kind(&mut self, facts: &KindFacts) -> [u32; kind::LENGTH as usize] {
        let mut entry = [NONE; kind::LENGTH as usize];
        let type_name = facts.type_name.as_deref();
        let ty = type_name.and_then(|name| self.types.get(name).copied());
        let servers = u32::from(facts.servers) | u32::from(facts.servers_by_default) << 16;
        for (at, value) in [
            (kind::GROUP, self.string(&facts.group)),
            (kind::VERSION, self.string(&facts.version)),
            (kind::KIND, self.string(&facts.kind)),
            (kind::TYPE, ty.unwrap_or(NONE)),
            (kind::SERVERS, servers),
            (
                kind::PLURAL,
                facts
                    .plural
                    .as_deref()
                    .map_or(NONE, |text| self.string(text)),
            ),
            (kind::SINGULAR, self.string(&facts.singular)),
            (kind::NAMESPACED, u32::from(facts.namespaced)),
            (kind::SHORT_NAMES, self.names(&facts.short_names)),
            (kind::VERBS, self.names(&facts.verbs)),
            (kind::SUBRESOURCES, self.subresources(&facts.subresources)),
        ] {
            set(&mut entry, at, value);
        }
        entry
    }

    fn subresources(&mut self, subresources: &[SubresourceFacts]) -> u32 {
        let mut words = Vec::new();
        for facts in subresources {
            words.extend([
                self.string(&facts.name),
                self.string(&facts.group),
                self.string(&facts.version),
                self.string(&facts.kind),
                self.names(&facts.verbs),
                u32::from(facts.servers),
            ]);
        }
        self.list(count(subresources.len()), words)
    }
}

/// Returns the first word of a node.
fn flags(schema: &SchemaFacts) -> u32 {
    let mut flags = schema.ty.bits();
    flags |= schema
        .list_type
        .map_or(0, |ty| ty.bits() << node::LIST_TYPE);
    flags |= schema.map_type.map_or(0, |ty| ty.bits() << node::MAP_TYPE);
    for (flag, is_set) in [
        (node::REFERENCE, schema.reference.is_some()),
        (node::FORMAT, schema.format.is_some()),
        (node::PROPERTIES, !schema.properties.is_empty()),
        (node::ITEMS, schema.items.is_some()),
        (node::VALUES, schema.values.is_some()),
        (node::DEFAULT, schema.default.is_some()),
        (node::ENUM, !schema.allowed.is_empty()),
        (node::KEYS, !schema.list_map_keys.is_empty()),
        (node::DESCRIPTION, schema.description.is_some()),
        (node::PRESERVES, schema.preserves_unknown_fields),
        (node::EMBEDDED, schema.embedded_resource),
        (node::NULLABLE, schema.nullable),
    ] {
        if is_set {
            flags |= flag;
        }
    }
    flags
}

fn schema_strings<'m>(
    schema: &'m SchemaFacts,
    strings: &mut Texts<'m>,
    types: &mut BTreeSet<&'m str>,
) {
    types.extend(schema.reference.as_deref());
    strings.extend(schema.format.as_deref());
    strings.extend(schema.default.as_deref());
    strings.extend(schema.description.as_deref());
    let texts = schema.allowed.iter().chain(&schema.list_map_keys);
    strings.extend(texts.map(String::as_str));
    for (name, property) in &schema.properties {
        strings.insert(name);
        schema_strings(&property.schema, strings, types);
    }
    for inner in [&schema.items, &schema.values].into_iter().flatten() {
        schema_strings(inner, strings, types);
    }
}

fn kind_strings<'m>(facts: &'m KindFacts, strings: &mut Texts<'m>) {
    let names = [&facts.group, &facts.version, &facts.kind, &facts.singular];
    strings.extend(names.map(String::as_str));
    strings.extend(facts.plural.as_deref());
    let texts = facts.short_names.iter().chain(&facts.verbs);
    strings.extend(texts.map(String::as_str));
    for facts in &facts.subresources {
        let names = [&facts.name, &facts.group, &facts.version, &facts.kind];
        strings.extend(names.into_iter().chain(&facts.verbs).map(String::as_str));
    }
}

fn set(words: &mut [u32], at: u32, value: u32) {
    if let Some(word) = words.get_mut(at as usize) {
        *word = value;
    }
}

/// Returns a count of items in memory, which are far fewer than 4 billion.
fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NONE)
}
