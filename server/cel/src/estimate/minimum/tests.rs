//! Lower bounds of the cost.

use super::super::tests::checked;
use super::minimum;

#[track_caller]
fn units(cases: &[(&str, u64)]) {
    for (text, expected) in cases {
        let (checked, env) = checked(text);
        assert_eq!(minimum(&checked, &env), *expected, "{text}");
    }
}

#[test]
fn what_depends_on_values_is_not_counted() {
    units(&[
        ("1 + 1 == 2", 0),
        ("self.name == 'a'", 0),
        ("self.containers.all(c, c.name != '')", 0),
        ("lists.range(self.count).all(i, i < 5)", 0),
        (
            "self.containers.slice(1, size(self.containers)).size() == 0",
            0,
        ),
        ("[[1]].flatten(self.count) == []", 0),
        ("[1, 2, 3].distinct().size() == 1", 0),
        ("lists.range(self.count)[0]", 0),
    ]);
}

#[test]
fn constant_ranges_and_the_loops_over_them_are_counted() {
    units(&[
        ("lists.range(5)", 16),
        ("lists.range(5).map(x, lists.range(2))", 16 + 5 * 13),
        (
            "lists.range(5).map(x, x + 1).map(x, lists.range(2))",
            16 + 5 * 13,
        ),
        ("([1] + lists.range(2)).map(x, lists.range(2))", 13 + 3 * 13),
        ("[1, ?optional.of(2)].map(x, lists.range(2))", 13),
        (
            "{'a': 1, ?'b': optional.of(2)}.transformList(k, v, lists.range(2))",
            13,
        ),
        ("lists.range(-1)", 11),
    ]);
}

#[test]
fn loops_that_can_end_early_or_leave_elements_out_count_no_turns() {
    units(&[
        ("lists.range(5).all(x, lists.range(2) == [])", 16),
        ("lists.range(5).exists(x, lists.range(2) == [])", 16),
        ("lists.range(5).filter(x, x > 1).map(x, lists.range(2))", 16),
        ("lists.range(5).map(x, x > 1, lists.range(2))", 16),
        (
            "lists.range(5).exists_one(x, lists.range(2) == [])",
            16 + 5 * 13,
        ),
    ]);
}

#[test]
fn what_may_not_run_is_not_counted() {
    units(&[
        ("any.a || lists.range(5) == []", 0),
        ("lists.range(5) == [] || any.a", 0),
        (
            "lists.range(5).size() == 5 && lists.range(9).size() == 9",
            16,
        ),
        ("any.a ? lists.range(5) : lists.range(2)", 13),
        ("optional.none().orValue(lists.range(5))", 0),
        ("optional.of(1).optMap(x, lists.range(5))", 0),
    ]);
}
