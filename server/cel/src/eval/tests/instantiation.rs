//! Which expressions certainly have a program.

use super::{checked, environment};
use crate::eval::Program;

#[test]
fn invalid_constants_have_no_program() {
    for text in [
        "int('a') == 1",
        "object.exists(k, k == string(b'\\xff'))",
        "[uint('a')]",
        "object.name.matches(string('('))",
        "object[null]",
        "object[b'a']",
        "object[[]]",
        "object[{}]",
        "object.?name.or(object[?null]).hasValue()",
    ] {
        let (_, checked) = checked(text);
        let program = Program::new(&checked, &environment());
        assert!(program.is_err(), "{text}");
        assert!(!Program::always_exists(&checked, &environment()), "{text}");
    }
}

#[test]
fn other_expressions_need_no_program_to_have_one() {
    for text in [
        "object.replicas <= 5 && has(object.labels) || !(object.name in ['a', 'b'])",
        "object.labels['app'] == object.tags[0] && numbers[size(numbers) - 1] > 0",
        "object.tags.all(it, it.startsWith('a') && it.size() < 10)",
        "object.tags.map(it, it.lowerAscii()).join(',').split(',') == ['a', 'b']",
        "object.?spec.on.orValue(false) ? {'a': 1} : {}",
        "sets.contains(numbers, [1]) && numbers.exists_one(i, it, i < it)",
    ] {
        let (_, checked) = checked(text);
        assert!(Program::always_exists(&checked, &environment()), "{text}");
        assert!(Program::new(&checked, &environment()).is_ok(), "{text}");
    }
}
