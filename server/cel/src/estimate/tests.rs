//! Estimates, as computed by cel-go in Kubernetes' configuration.

use super::{EstimateOptions, estimate};
use crate::check::{Checked, check};
use crate::cost::{CostEstimate, SizeEstimate, SizeOf};
use crate::env::Rules;
use crate::env::{Env, TypeProvider};
use crate::types::Type;
use std::sync::Arc;

#[derive(Debug)]
struct Pod;

impl TypeProvider for Pod {
    fn find_type(&self, name: &str) -> Option<Type> {
        matches!(name, "Pod" | "Container").then(|| Type::object(name))
    }

    fn field_type(&self, ty: &str, field: &str) -> Option<Type> {
        Some(match (ty, field) {
            (_, "name") => Type::String,
            ("Pod", "containers") => Type::list(Type::object("Container")),
            ("Pod", "labels") => Type::map(Type::String, Type::String),
            ("Pod", "count") => Type::Int,
            ("Container", "args") => Type::list(Type::String),
            _ => return None,
        })
    }

    fn field_names(&self, _: &str) -> Vec<Arc<str>> {
        Vec::new()
    }
}

struct Sizes;

impl SizeOf for Sizes {
    fn size_of(&self, path: &[Arc<str>]) -> Option<SizeEstimate> {
        let max = match path.join(".").as_str() {
            "self.name" | "self.containers.@items.args.@items" => 100,
            "self.containers" => 5,
            "self.containers.@items.name" => 20,
            "self.containers.@items.args" => 10,
            "self.labels" => 7,
            "self.labels.@keys" => 64,
            "self.labels.@values" => 30,
            "google.protobuf.Timestamp" => 0,
            _ => return None,
        };
        Some(SizeEstimate { min: 0, max })
    }
}

fn estimated(text: &str) -> CostEstimate {
    let (checked, env) = checked(text);
    estimate(&checked, &env, &Sizes, EstimateOptions::default())
}

pub(super) fn checked(text: &str) -> (Checked, Env) {
    let libraries = [
        &crate::stdlib::LIBRARY,
        &crate::ext::strings::LIBRARY,
        &crate::ext::lists::LIBRARY,
        &crate::ext::sets::LIBRARY,
        &crate::ext::optionals::LIBRARY,
        &crate::ext::comprehensions::LIBRARY,
    ];
    let env = libraries
        .into_iter()
        .fold(Env::builder().rules(Rules::STRICT), |builder, library| {
            builder.library(library)
        })
        .types(Arc::new(Pod))
        .variable("self", Type::object("Pod"))
        .variable("any", Type::Dyn)
        .build()
        .expect("the libraries are sound");
    let parse = crate::parse(text);
    let checked = check(&parse.ast, &env);
    assert_eq!(checked.upstream_report(), None, "{text}");
    (checked, env)
}

#[track_caller]
fn costs(cases: &[(&str, u64, u64)]) {
    for (text, min, max) in cases {
        let (min, max) = (*min, *max);
        assert_eq!(estimated(text), CostEstimate { min, max }, "{text}");
    }
}

#[test]
fn operators_and_access() {
    costs(&[
        ("1 + 1 == 2", 2, 2),
        ("self.name == 'a'", 3, 3),
        ("self.count > 3 && self.name != ''", 3, 5),
        ("has(self.name)", 1, 1),
        ("[1, 2, 3].size() == 3", 12, 12),
        ("{'a': 'b'}['a'] == 'b'", 32, 32),
        ("any.a.b == 1", 2, 2),
        ("any.a[0] == 'x'", 3, 3),
        ("true ? self.name : 'abc'", 0, 2),
    ]);
}

#[test]
fn the_dotted_name_of_a_type_is_one_name() {
    costs(&[("type(any.at) == google.protobuf.Timestamp", 3, 3)]);
}

#[test]
fn loops_by_what_they_run_over() {
    costs(&[
        ("self.containers.all(c, c.name != '')", 3, 28),
        (
            "self.containers.exists(c, c.name.startsWith('kube-'))",
            3,
            38,
        ),
        (
            "self.containers.filter(c, c.args.size() > 2).size() < 3",
            15,
            100,
        ),
        ("self.containers.map(c, c.name) == ['a']", 24, 94),
        ("self.labels.all(k, k.size() < 63)", 3, 45),
        ("self.labels.all(k, v, v != k)", 3, 59),
        ("[1, 2].all(x, x > 0)", 17, 21),
        ("['a', 'bcd'].exists(x, x == self.name)", 19, 27),
        ("any.list.all(x, x == 1)", 2, u64::MAX),
        (
            "self.containers.transformList(i, c, c.name)[0] == 'x'",
            15,
            85,
        ),
    ]);
}

#[test]
fn functions_of_strings() {
    costs(&[
        ("self.name.contains('abc')", 2, 12),
        ("self.name.matches('^[a-z]+$')", 4, 24),
        ("(self.name + 'abc').size() > 5", 5, 15),
        ("self.name.lowerAscii() == self.name", 5, 24),
        ("self.name.replace('a', 'bc') == ''", 2, 22),
        ("self.name.replace('', 'bc') == ''", 2, 22),
        ("self.name.replace('abc', '') == ''", 2, 22),
        ("self.name.split(',').all(p, p != '')", 3, 423),
        ("self.name.split(',', 2).size() == 2", 4, 24),
        (
            "self.containers.map(c, c.name).join(',') == ''",
            13,
            1_844_674_407_370_955_347,
        ),
        ("self.name.indexOf('x') == 1", 3, 13),
        ("bytes(self.name) == b'abc'", 3, 13),
        (
            "any.x.replace('a', 'bb') == ''",
            1,
            3_689_348_814_741_910_529,
        ),
    ]);
}

#[test]
fn functions_of_lists() {
    costs(&[
        ("sets.contains(self.containers[0].args, ['a', 'b'])", 15, 35),
        ("sets.equivalent([1, 2], [2, 1])", 29, 29),
        ("self.containers[0].args.sort() == []", 25, 235),
        ("self.containers.sortBy(c, c.name).size() == 0", 38, 161),
        ("lists.range(5).size() == 5", 18, 18),
        ("[1, 2, 3].slice(1, 2) == [2]", 33, 33),
        ("[[1], [2, 3]].flatten() == [1, 2, 3]", 54, 54),
        ("self.containers[0].args.distinct().size() == 1", 17, 217),
        ("self.name in self.containers[0].args", 6, 16),
    ]);
}

#[test]
fn fields_that_share_the_memory_of_a_path() {
    costs(&[
        ("self.containers.all(c, c.args.all(a, a != c.name))", 3, 833),
        (
            "self.containers.all(c, c.name != '' && c.args.all(a, a != ''))",
            3,
            243,
        ),
    ]);
}

#[test]
fn optionals() {
    costs(&[
        ("self.labels[?'a'].orValue('') == 'x'", 5, 5),
        (
            "self.?name.optMap(n, n + 'x').orValue('') == 'x'",
            6,
            1_844_674_407_370_955_284,
        ),
    ]);
}
