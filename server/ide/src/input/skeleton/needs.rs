//! What a policy reads of its variables.

use crate::flow::{Flow, Root, Step};
use cel::syntax::ExprKind;
use policy::PolicyDocument;
use policy::openapi::Catalog;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is read of a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Need {
    /// Its fields.
    pub(super) fields: BTreeMap<Arc<str>, Need>,
    /// Its elements, where it is a list or a map.
    pub(super) element: Option<Box<Need>>,
}

/// What a policy reads.
#[derive(Debug, Default)]
pub(super) struct Needs {
    roots: Vec<(Root, Need)>,
    /// The variables that it names.
    names: BTreeSet<String>,
}

impl Needs {
    pub(super) fn of(document: &PolicyDocument, catalog: &Arc<Catalog>) -> Self {
        let mut needs = Self::default();
        for (root, steps) in Flow::new(document, Arc::clone(catalog)).paths() {
            let known = needs.roots.iter().position(|(known, _)| *known == root);
            let at = known.unwrap_or_else(|| {
                needs.roots.push((root, Need::default()));
                needs.roots.len() - 1
            });
            if let Some((_, need)) = needs.roots.get_mut(at) {
                need.add(&steps);
            }
        }
        for expression in document.expressions() {
            let ast = expression.ast();
            for id in ast.ids() {
                if let ExprKind::Ident { name, .. } = ast.kind(id) {
                    needs.names.insert(ast.name(*name).to_owned());
                }
            }
        }
        needs
    }

    /// What is read of a variable.
    pub(super) fn root(&self, root: Root) -> Need {
        let mut roots = self.roots.iter();
        let found = roots.find(|(known, _)| *known == root);
        found.map(|(_, need)| need.clone()).unwrap_or_default()
    }

    /// Whether an expression names a variable.
    pub(super) fn names(&self, variable: &str) -> bool {
        self.names.contains(variable)
    }
}

impl Need {
    fn add(&mut self, steps: &[Step]) {
        let Some((first, rest)) = steps.split_first() else {
            return;
        };
        match first {
            Step::Field(name) => self.fields.entry(Arc::clone(name)).or_default().add(rest),
            Step::Element => self.element.get_or_insert_default().add(rest),
        }
    }

    /// Adds fields that lie within each other.
    pub(super) fn require(&mut self, path: &[&str]) {
        let mut need = self;
        for name in path {
            need = need.fields.entry(Arc::from(*name)).or_default();
        }
    }
}
