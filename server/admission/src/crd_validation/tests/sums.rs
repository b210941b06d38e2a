//! The result of `+` on lists of an object, before and after Kubernetes 1.37.

use super::{LISTS, errors_on};

#[test]
fn a_sum_finds_escaped_keys_from_1_37_on() {
    let spec =
        "{refs: [{namespace: a, num: 1}, {namespace: b, num: 2}], more: [{host: c, port: 1}]}";
    let old = "{refs: [{namespace: b, num: 3}, {namespace: c, num: 4}]}";
    for (rule, before, after) in [
        ("(self.refs + oldSelf.refs).size() == 3", false, true),
        ("(self.refs + oldSelf.refs)[1].num == 3", false, true),
        (
            "self.refs + oldSelf.refs == oldSelf.refs + self.refs + oldSelf.refs",
            false,
            true,
        ),
        ("(self.more + []).size() == 1", true, true),
    ] {
        let holds = |server| errors_on(server, (LISTS, rule), spec, old).is_empty();
        assert_eq!(holds("1.36"), before, "1.36: {rule}");
        assert_eq!(holds("1.37"), after, "1.37: {rule}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_sum_keeps_what_it_adds_from_1_37_on() {
    let spec = "{times: ['2026-01-01T00:00:00Z'], days: ['2026-01-01'], waits: [1h], data: [YQ==], \
                 maps: [{a: b}], lists: [[a]]}";
    for (rule, error) in [
        (
            "(self.times + self.times)[1].getFullYear() == 2026",
            "expected string, got time.Time",
        ),
        (
            "(self.days + self.days).all(d, d == d)",
            "expected string, got time.Time",
        ),
        (
            "(self.waits + [duration('1h')])[1] > duration('1s')",
            "expected string, got time.Duration",
        ),
        (
            "(self.data + self.data).map(b, string(b)) == ['a', 'a']",
            "expected string, got []uint8",
        ),
        (
            "(self.maps + [{'a': 'c'}])[1].a == 'c'",
            "expected a map for the provided schema with type=object",
        ),
        (
            "(self.lists + [['c']])[1][0] == 'c'",
            "expected an array for the provided schema with type=array",
        ),
        // Values in the object are decoded again without an error, and values that are not read
        // do not fail.
        (
            "(self.maps + self.maps)[1].a == 'b' && (self.lists + self.lists)[1][0] == 'a'",
            "",
        ),
        (
            "(self.times + self.times).size() == 2 && (self.times + self.times)[0].getFullYear() == 2026",
            "",
        ),
        (
            "([timestamp('2026-01-01T00:00:00Z')] + self.times).all(t, t.getFullYear() == 2026)",
            "",
        ),
    ] {
        let errors = |server| errors_on(server, (LISTS, rule), spec, spec).join("\n");
        assert!(
            errors("1.36").contains(error),
            "1.36: {rule}: {}",
            errors("1.36")
        );
        assert_eq!(errors("1.36").is_empty(), error.is_empty(), "1.36: {rule}");
        assert_eq!(errors("1.37"), "", "1.37: {rule}");
    }
}

#[test]
fn a_set_of_timestamps_equals_itself_from_1_37_on() {
    let equal = "self.moments == oldSelf.moments";
    let spec = "{moments: ['2026-01-01T00:00:00Z']}";
    assert!(!errors_on("1.36", (LISTS, equal), spec, spec).is_empty());
    assert!(errors_on("1.37", (LISTS, equal), spec, spec).is_empty());
}
