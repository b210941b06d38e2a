//! The signatures of functions and methods.

use super::{Context, Signature, SignatureHelp, signature};
use crate::signature::{add_page, add_since};
use cel::Type;
use cel::env::{DeclaredOverload, Env};
use cel::syntax::ExprId;
use policy::environment;
use std::cmp::Reverse;

/// The overloads of a call, by the name of their function.
struct Candidates<'e> {
    name: &'static str,
    overloads: Vec<&'e DeclaredOverload>,
}

impl Context<'_> {
    /// Returns the signatures of a function, also of one that only newer servers have.
    pub(super) fn function_signatures(
        &self,
        name: &str,
        target: Option<ExprId>,
        args: &[ExprId],
        chosen: Option<&str>,
    ) -> Option<SignatureHelp> {
        if let Some(found) = self.candidates(&self.env, name, target) {
            return Some(self.choose(&found, args, chosen));
        }
        let (document, role) = (self.target.document, self.target.expression.role);
        let newest = kubernetes::Target::default().environment();
        let env = environment::env_of(document, role, newest);
        let found = self.candidates(&env, name, target)?;
        Some(self.choose(&found, args, chosen))
    }

    /// Returns the overloads that a call can mean by its form and its receiver. If no overload fits
    /// the receiver, all of them are returned.
    fn candidates<'e>(
        &self,
        env: &'e Env,
        name: &str,
        target: Option<ExprId>,
    ) -> Option<Candidates<'e>> {
        let namespace = target.and_then(|target| self.ast.qualified_name(target));
        let qualified = namespace.map(|names| format!("{}.{name}", names.join(self.ast)));
        let (function, receiver) = match qualified.and_then(|name| env.function(&name)) {
            Some(function) => (function, None),
            None => (env.function(name)?, target),
        };
        let overloads: Vec<_> = function
            .overloads
            .iter()
            .filter(|overload| overload.declaration.member == receiver.is_some())
            .filter(|overload| overload.exists(env.release()))
            .collect();
        let fits = |overload: &&DeclaredOverload| match (receiver, overload.params.first()) {
            (Some(receiver), Some(first)) => self.fits(first, receiver),
            _ => true,
        };
        let fitting: Vec<_> = overloads.iter().copied().filter(fits).collect();
        let overloads = if fitting.is_empty() {
            overloads
        } else {
            fitting
        };
        (!overloads.is_empty()).then_some(Candidates {
            name: function.name,
            overloads,
        })
    }

    /// Returns the signatures. The active one is the first that fits the arguments best.
    fn choose(
        &self,
        found: &Candidates<'_>,
        args: &[ExprId],
        chosen: Option<&str>,
    ) -> SignatureHelp {
        let at = self.open.commas;
        let count = args.len().max(if at > 0 { at + 1 } else { 0 });
        let signatures: Vec<Signature> = found
            .overloads
            .iter()
            .map(|overload| self.of_overload(found.name, overload))
            .collect();
        let score = |index: &usize| {
            let params = found.overloads.get(*index).map(|it| parameters(it));
            let params = params.unwrap_or_default();
            let fits = |at: usize| match (params.get(at), args.get(at)) {
                (Some(param), Some(arg)) => self.fits(param, *arg),
                _ => true,
            };
            let label = signatures.get(*index).map(|it| it.label.as_str());
            Reverse((
                count <= params.len(),
                (0..count).filter(|it| *it != at).all(fits),
                fits(at),
                chosen.is_some() && label == chosen,
            ))
        };
        let active = (0..signatures.len()).min_by_key(score).unwrap_or(0);
        SignatureHelp { signatures, active }
    }

    fn of_overload(&self, name: &str, overload: &DeclaredOverload) -> Signature {
        let receiver = overload.params.first();
        let before = match receiver.filter(|_| overload.declaration.member) {
            Some(receiver) => format!("{receiver}.{name}("),
            None => format!("{name}("),
        };
        let params: Vec<String> = parameters(overload).iter().map(Type::to_string).collect();
        let mut documentation = String::new();
        add_page(
            &mut documentation,
            overload.function.doc,
            overload.function.example,
        );
        add_since(&mut documentation, overload.declaration.since.into());
        let at = self.open.commas;
        Signature {
            documentation: Some(documentation.trim_start().to_owned()),
            active_parameter: (at < params.len()).then_some(at),
            ..signature(&before, &params, &format!(") -> {}", overload.result))
        }
    }
}

/// Returns the parameters without the receiver.
fn parameters(overload: &DeclaredOverload) -> &[Type] {
    let receiver = usize::from(overload.declaration.member);
    overload.params.get(receiver..).unwrap_or_default()
}
