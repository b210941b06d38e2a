//! Ranges of addresses as Go reads them.

use super::Cidr;
use crate::environment::{EnvironmentKind, NEWEST, env};
use cel::check::check;
use cel::eval::{Bindings, Limits, Program};
use cel::value::{Opaque, Value};
use expect_test::expect;

fn range(text: &str) -> Cidr {
    Cidr::parse(text).unwrap()
}

#[test]
fn ranges_contain_addresses_of_their_family() {
    let cases = [
        ("10.0.0.0/8", "10.255.0.1", true),
        ("10.0.0.0/8", "11.0.0.0", false),
        ("0.0.0.0/0", "255.255.255.255", true),
        ("0.0.0.0/0", "::1", false),
        ("10.0.0.1/32", "10.0.0.1", true),
        ("10.0.0.1/32", "10.0.0.0", false),
        ("::/0", "fe80::1", true),
        ("2001:db8::/33", "2001:db8:7fff::", true),
        ("2001:db8::/33", "2001:db8:8000::", false),
    ];
    for (text, address, expected) in cases {
        assert_eq!(
            range(text).contains(address.parse().unwrap()),
            expected,
            "{text} {address}"
        );
    }
}

#[test]
fn masks_clear_what_follows_the_prefix() {
    for (text, masked) in [
        ("10.1.2.3/8", "10.0.0.0/8"),
        ("10.1.2.3/0", "0.0.0.0/0"),
        ("10.1.2.3/32", "10.1.2.3/32"),
        ("2001:db8::ffff/120", "2001:db8::ff00/120"),
        ("2001:db8::ffff/0", "::/0"),
    ] {
        assert_eq!(range(text).masked().display(), masked);
    }
    assert_eq!(range("10.0.0.0/9").size(), Some(2));
    assert_eq!(range("10.0.0.0/0").size(), Some(0));
}

#[test]
fn what_is_no_range_is_refused_in_the_words_of_go() {
    let shown: Vec<_> = [
        "10.0.0.0",
        "/8",
        "x/8",
        "10.0.0.0/",
        "10.0.0.0/08",
        "10.0.0.0/+8",
        "10.0.0.0/-1",
        "10.0.0.0/33",
        "::/129",
        "::/999",
        "10.0.0.0/99999999999999999999",
        "fe80::1%a/8",
        "::ffff:1.2.3.4/120",
    ]
    .iter()
    .map(|text| Cidr::parse(text).map(|_| ()).unwrap_err())
    .collect();
    expect![[r#"
        network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0"): no '/'
        network address parse error during conversion from string: netip.ParsePrefix("/8"): ParseAddr(""): unable to parse IP
        network address parse error during conversion from string: netip.ParsePrefix("x/8"): ParseAddr("x"): unable to parse IP
        network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/"): bad bits after slash: ""
        network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"
        network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/+8"): bad bits after slash: "+8"
        network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/-1"): bad bits after slash: "-1"
        network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range
        network address parse error during conversion from string: netip.ParsePrefix("::/129"): prefix length out of range
        network address parse error during conversion from string: netip.ParsePrefix("::/999"): prefix length out of range
        network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/99999999999999999999"): bad bits after slash: "99999999999999999999"
        network address parse error during conversion from string: netip.ParsePrefix("fe80::1%a/8"): IPv6 zones cannot be present in a prefix
        IPv4-mapped IPv6 address "::ffff:1.2.3.4/120" is not allowed"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn an_inner_range_begins_with_the_outer_address_up_to_1_32() {
    let contains = |release: u8, inner: &str| {
        let expression = format!("cidr('10.0.0.0/8').containsCIDR('{inner}')");
        let parse = cel::parse(&expression);
        let env = env(NEWEST, EnvironmentKind::Schema).with_release(release);
        let program = Program::new(&check(&parse.ast, &env), &env).unwrap();
        let outcome = program.run(&Bindings::default(), &Limits::default());
        matches!(outcome.result.unwrap(), Value::Bool(true))
    };
    for (inner, old, new) in [
        ("10.0.0.0/16", true, true),
        ("10.1.0.0/16", false, true),
        ("11.0.0.0/16", false, false),
        ("10.0.0.0/7", false, false),
    ] {
        assert_eq!(contains(31, inner), old, "{inner}");
        assert_eq!(contains(32, inner), old, "{inner}");
        assert_eq!(contains(33, inner), new, "{inner}");
    }
}
