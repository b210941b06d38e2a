//! Creation of an environment.

use super::declared::{DeclaredFunction, DeclaredOverload};
use super::{Declarations, Env, NameMap, NoTypes, Rules, TypeProvider};
use crate::library::{Function, Library, Overload, Since};
use crate::types::{Type, TypeSyntaxError};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// An environment under construction.
#[derive(Debug)]
pub struct EnvBuilder {
    latest: Since,
    rules: Rules,
    container: Box<str>,
    libraries: Vec<&'static Library>,
    variables: NameMap<Type>,
    types: Arc<dyn TypeProvider>,
}

/// A table of a library that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvError {
    /// The id of the overload.
    pub overload: &'static str,
    /// The error in its signature.
    pub reason: TypeSyntaxError,
}

impl fmt::Display for EnvError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "overload {}: {}", self.overload, self.reason)
    }
}

impl std::error::Error for EnvError {}

impl EnvBuilder {
    pub(super) fn new() -> Self {
        Self {
            latest: Since::PLAIN_CEL,
            rules: Rules::SPECIFICATION,
            container: Box::default(),
            libraries: Vec::new(),
            variables: NameMap::default(),
            types: Arc::new(NoTypes),
        }
    }

    /// Leaves out what libraries added after `latest`.
    #[must_use]
    pub fn up_to(mut self, latest: impl Into<Since>) -> Self {
        self.latest = latest.into();
        self
    }

    /// Sets the rules.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Sets the namespace in which names are looked up first, such as `google.api`.
    #[must_use]
    pub fn container(mut self, name: &str) -> Self {
        self.container = name.into();
        self
    }

    /// Adds a library.
    #[must_use]
    pub fn library(mut self, library: &'static Library) -> Self {
        self.libraries.push(library);
        self
    }

    /// Adds a variable. The name can have dots.
    #[must_use]
    pub fn variable(mut self, name: &str, ty: Type) -> Self {
        self.variables.insert(name.into(), ty);
        self
    }

    /// Sets the types with fields.
    #[must_use]
    pub fn types(mut self, types: Arc<dyn TypeProvider>) -> Self {
        self.types = types;
        self
    }

    /// Returns the environment.
    ///
    /// # Errors
    /// A signature of a library cannot be read.
    pub fn build(self) -> Result<Env, EnvError> {
        let mut functions = NameMap::default();
        let mut macros = Vec::new();
        for library in &self.libraries {
            for function in library.functions {
                declare(&mut functions, function, self.latest)?;
            }
            let known = library.macros.iter().filter(|it| it.since <= self.latest);
            macros.extend(known.map(|it| (it.kind, it.variables)));
        }
        Ok(Env {
            declarations: Arc::new(Declarations {
                rules: self.rules,
                container: self.container,
                namespaces: namespaces(&functions),
                functions,
                macros: macros.into(),
            }),
            prefixes: Arc::new(prefixes(&self.variables)),
            variables: Arc::new(self.variables),
            types: self.types,
            release: u8::MAX,
        })
    }
}

fn prefixes(variables: &NameMap<Type>) -> Vec<Box<str>> {
    let names = variables.keys();
    names
        .filter_map(|name| Some(name.split_once('.')?.0.into()))
        .collect()
}

fn namespaces(
    functions: &NameMap<DeclaredFunction>,
) -> HashSet<&'static str, foldhash::fast::RandomState> {
    let names = functions.values().map(|function| function.name);
    names
        .filter_map(|name| Some(name.split_once('.')?.0))
        .collect()
}

fn declare(
    functions: &mut NameMap<DeclaredFunction>,
    function: &'static Function,
    latest: Since,
) -> Result<(), EnvError> {
    let known = |overload: &&Overload| overload.since <= latest;
    let overloads: Result<Vec<_>, _> = function
        .overloads
        .iter()
        .filter(known)
        .map(|overload| read(function, overload))
        .collect();
    let overloads = overloads?;
    if overloads.is_empty() {
        return Ok(());
    }
    let declared = functions
        .entry(function.name.into())
        .or_insert_with(|| DeclaredFunction {
            name: function.name,
            declarations: Vec::new(),
            overloads: Vec::new(),
        });
    declared.declarations.push(function);
    declared.overloads.extend(overloads);
    Ok(())
}

fn read(
    function: &'static Function,
    overload: &'static Overload,
) -> Result<DeclaredOverload, EnvError> {
    let error = |reason| EnvError {
        overload: overload.id,
        reason,
    };
    let params = Type::read_list(overload.params).map_err(error)?;
    let result: Type = overload.result.parse().map_err(error)?;
    Ok(DeclaredOverload::new(function, overload, params, result))
}
