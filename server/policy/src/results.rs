//! The results for the expressions of a file, which its versions share.
//!
//! A keystroke changes one expression, and the next version of the file uses the results for all
//! others: the tree, the types for each kind, the program. They do not depend on the position of an
//! expression in the file, so they remain valid when lines above it change.

use cel::Type;
use cel::check;
use cel::cost::CostEstimate;
use cel::env::Env;
use cel::eval::{Program, ProgramError};
use cel::expand::Expansion;
use cel::syntax::{ExprKind, IdentUse, MacroKind, Parse, ParseOptions, parse_with};
use kubernetes::names::GroupVersionKind;
use kubernetes::openapi::Definitions;
use kubernetes::{EnvironmentVersion, ServerVersion};
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use text::memo::{Identity, Memo, Round};

/// Parsed sources by their text, and the syntax that the servers accept.
pub(crate) type Sources = Memo<(Arc<str>, ParseOptions), Arc<Source>>;

/// The results for the expressions of the versions of one file.
#[derive(Debug, Default)]
pub struct Results {
    sources: Sources,
    /// Interned, so that scopes are compared by identity.
    scopes: Memo<Arc<Scope>, Arc<Scope>>,
    compiled: Memo<Inputs, Arc<Compiled>>,
}

/// The round of each memo for one version of the file.
pub(crate) type Rounds = [Round; 3];

impl Results {
    /// Begins the work on a new version of the file.
    pub(crate) fn begin(&self) -> Rounds {
        [
            self.sources.begin(),
            self.scopes.begin(),
            self.compiled.begin(),
        ]
    }

    /// Drops what neither this version nor a later one has used.
    pub(crate) fn end(&self, [sources, scopes, compiled]: Rounds) {
        self.sources.end(sources);
        self.scopes.end(scopes);
        self.compiled.end(compiled);
    }

    /// Returns the parsed sources.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the interned copy of a scope.
    pub(crate) fn scope(&self, scope: Scope) -> Arc<Scope> {
        let scope = Arc::new(scope);
        self.scopes.get(Arc::clone(&scope), || scope)
    }

    /// Returns an expression compiled in the environment that `scope` identifies. `variable`
    /// returns the types of the policy's variables that it sees.
    pub(crate) fn compile(
        &self,
        source: &Arc<Source>,
        env: &Env,
        scope: &Arc<Scope>,
        variable: impl Fn(&str) -> Option<Type>,
    ) -> Arc<Compiled> {
        let variables = source.variables().iter().map(|name| variable(name));
        let inputs = Inputs {
            source: Identity::from(source),
            scope: Identity::from(scope),
            variables: variables.collect(),
        };
        let make = || Arc::new(Compiled::new(source, env));
        self.compiled.get(inputs, make)
    }
}

/// Everything on which a compiled expression depends.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Inputs {
    /// Identical for identical sources.
    source: Identity<Source>,
    scope: Identity<Scope>,
    /// The types of the variables that it may use, in the order of their names.
    variables: Box<[Option<Type>]>,
}

/// An environment without the variables of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    /// Whether parameters, an authorizer, and the types of mutations are available.
    pub(crate) features: [bool; 3],
    pub(crate) version: EnvironmentVersion,
    /// The release whose cel-go compiles and runs the expressions.
    pub(crate) release: u8,
    /// Whether `variables` is declared.
    pub(crate) has_variables: bool,
    /// The types of `object` and `params`. `None` if they have no types.
    pub(crate) roots: Option<RootIds>,
}

/// Identifies the types of `object` and `params`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RootIds {
    /// `None` if the kind has no known schema.
    pub(crate) object: Option<KindId>,
    /// `None` if the kind has no known schema, or there are no parameters.
    pub(crate) params: Option<KindId>,
    /// Whether `params` is declared.
    pub(crate) has_params: bool,
}

/// Identifies the types of the objects of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KindId {
    pub(crate) kind: GroupVersionKind,
    /// The server whose kind it is.
    pub(crate) server: ServerVersion,
    /// The name of the type of a whole object.
    pub(crate) name: Arc<str>,
    /// The definitions that describe it. `None` for those of Kubernetes.
    pub(crate) definitions: Option<Identity<Definitions>>,
}

/// The macros of an environment, with their number of variables.
type Macros = Arc<[(MacroKind, usize)]>;

/// The source of an expression, parsed.
#[derive(Debug)]
pub struct Source {
    parse: Parse,
    /// Whether it may use the policy's variables.
    uses_variables: bool,
    /// The expansion in the environment that it is first compiled in.
    expansion: OnceLock<(Macros, Arc<Expansion>)>,
    selected: OnceLock<Box<[Arc<str>]>>,
    idents: OnceLock<Box<[IdentUse]>>,
    normalized: OnceLock<String>,
}

impl Deref for Source {
    type Target = Parse;

    fn deref(&self) -> &Parse {
        &self.parse
    }
}

impl Source {
    pub(crate) fn new(text: &str, options: ParseOptions) -> Self {
        Self {
            parse: parse_with(text, options),
            // Macros can bind `variables` to other names, so that any operand counts.
            uses_variables: text.contains("variables"),
            expansion: OnceLock::new(),
            selected: OnceLock::new(),
            idents: OnceLock::new(),
            normalized: OnceLock::new(),
        }
    }

    /// Returns the tree with the macros of an environment expanded. Nearly all environments of a
    /// file have the same macros.
    fn expansion(&self, env: &Env) -> Arc<Expansion> {
        let expand = || Arc::new(check::expansion(&self.parse.ast, env));
        let (macros, expansion) = self
            .expansion
            .get_or_init(|| (Arc::clone(env.macros()), expand()));
        if macros == env.macros() {
            Arc::clone(expansion)
        } else {
            expand()
        }
    }

    /// Returns the names of the fields that it selects, sorted.
    #[must_use]
    pub fn selected(&self) -> &[Arc<str>] {
        self.selected.get_or_init(|| {
            let ast = &self.parse.ast;
            let names = ast.ids().filter_map(|id| match ast.kind(id) {
                ExprKind::Select { field, .. } => Some(ast.name(*field)),
                _ => None,
            });
            let names: BTreeSet<&str> = names.collect();
            names.into_iter().map(Arc::from).collect()
        })
    }

    /// Returns the names of the policy's variables that it may use, sorted.
    #[must_use]
    pub fn variables(&self) -> &[Arc<str>] {
        if self.uses_variables {
            self.selected()
        } else {
            &[]
        }
    }

    /// Returns all identifiers in source order, with their bindings.
    #[must_use]
    pub fn idents(&self) -> &[IdentUse] {
        let ast = &self.parse.ast;
        self.idents
            .get_or_init(|| ast.idents(ast.root(), &[]).into())
    }

    /// Returns the source without white space, comments and outer parentheses, for comparison.
    #[must_use]
    pub fn normalized_source(&self) -> &str {
        let ast = &self.parse.ast;
        self.normalized
            .get_or_init(|| ast.normalized_source(ast.root()))
    }
}

/// An expression compiled in an environment.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) answer: check::Checked,
    /// The minimum cost, and that for typical objects, estimated when they are first needed.
    pub(crate) least: OnceLock<u64>,
    pub(crate) typical: OnceLock<CostEstimate>,
    program: OnceLock<Result<Arc<Program>, ProgramError>>,
    /// Whether the program certainly exists, determined when it is first needed.
    always_exists: OnceLock<bool>,
}

impl Compiled {
    pub(crate) fn new(source: &Source, env: &Env) -> Self {
        let expansion = source.expansion(env);
        Self {
            answer: check::check_expanded(&source.parse.ast, expansion, env),
            least: OnceLock::new(),
            typical: OnceLock::new(),
            program: OnceLock::new(),
            always_exists: OnceLock::new(),
        }
    }

    /// Returns the program of the expression, compiled on first use, or the error of a constant in
    /// it. `None` if the expression does not compile.
    pub(crate) fn program(&self, env: &Env) -> Option<Result<&Arc<Program>, &ProgramError>> {
        let make = || Program::new(&self.answer, env).map(Arc::new);
        let is_ok = self.answer.is_ok();
        is_ok.then(|| self.program.get_or_init(make).as_ref())
    }

    /// Returns the error that prevents the program of the expression. Most expressions cannot have
    /// one; for these, no program is created.
    pub(crate) fn program_error(&self, env: &Env) -> Option<&ProgramError> {
        let always_exists = || Program::always_exists(&self.answer, env);
        if *self.always_exists.get_or_init(always_exists) {
            return None;
        }
        self.program(env)?.err()
    }
}

#[cfg(test)]
mod tests;
