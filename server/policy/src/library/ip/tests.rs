//! Addresses as Go reads them.

use super::parse::address;
use expect_test::expect;
use kubernetes::quote::quote;

#[test]
fn addresses_are_read_as_in_go() {
    for text in [
        "1.2.3.4",
        "0.0.0.0",
        "::",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "fe80::1",
        "::1.2.3.4",
        "64:ff9b::1.2.3.4",
        "1:2:3:4:5:6:1.2.3.4",
        "ABCD::",
        "1:0:0:2:0:0:0:3",
        "1::3:4:5:6:7:8",
    ] {
        assert!(address(text).is_ok(), "{text}");
    }
    let shown = |text: &str| address(text).unwrap().to_string();
    assert_eq!(shown("1:0:0:2:0:0:0:3"), "1:0:0:2::3");
    assert_eq!(shown("2001:DB8:0:0:0:0:0:1"), "2001:db8::1");
    assert_eq!(shown("::1.2.3.4"), "::102:304");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_no_address_is_refused_in_the_words_of_go() {
    let shown: Vec<_> = [
        "",
        "a",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1..2.3",
        ".1.2.3",
        "1.2.3.",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.x",
        "1.2.3.4%eth0",
        "%eth0",
        ":",
        ":1",
        ":::",
        "1:2",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7::8",
        "12345::",
        "g::",
        "1:2:",
        "1::2::3",
        "1:1.2.3.4",
        "::1:2:3:4:5:6:7:1.2.3.4",
        "::1.2.3",
        "::1 ",
        "fe80::1%",
        "fe80::1%eth0",
        "::ffff:1.2.3.4",
        "::ffff:1.2.3.4%a",
    ]
    .iter()
    .map(|text| {
        let error = address(text).map(|_| ()).unwrap_err();
        let prefix = format!(
            "IP Address {} parse error during conversion from string: ",
            quote(text)
        );
        error.replace(&prefix, "")
    })
    .collect();
    expect![[r#"
        ParseAddr(""): unable to parse IP
        ParseAddr("a"): unable to parse IP
        ParseAddr("1"): unable to parse IP
        ParseAddr("1.2.3"): IPv4 address too short
        ParseAddr("1.2.3.4.5"): IPv4 address too long
        ParseAddr("1..2.3"): IPv4 field must have at least one digit (at ".2.3")
        ParseAddr(".1.2.3"): IPv4 field must have at least one digit (at ".1.2.3")
        ParseAddr("1.2.3."): IPv4 field must have at least one digit (at ".")
        ParseAddr("1.2.3.256"): IPv4 field has value >255
        ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero
        ParseAddr("1.2.3.x"): unexpected character (at "x")
        ParseAddr("1.2.3.4%eth0"): unexpected character (at "%eth0")
        ParseAddr("%eth0"): missing IPv6 address
        ParseAddr(":"): each colon-separated field must have at least one digit (at ":")
        ParseAddr(":1"): each colon-separated field must have at least one digit (at ":1")
        ParseAddr(":::"): each colon-separated field must have at least one digit (at ":")
        ParseAddr("1:2"): address string too short
        ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")
        ParseAddr("1:2:3:4:5:6:7::8"): the :: must expand to at least one field of zeros
        ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")
        ParseAddr("g::"): each colon-separated field must have at least one digit (at "g::")
        ParseAddr("1:2:"): colon must be followed by more characters (at ":")
        ParseAddr("1::2::3"): multiple :: in address (at ":3")
        ParseAddr("1:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")
        ParseAddr("::1:2:3:4:5:6:7:1.2.3.4"): too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")
        ParseAddr("::1.2.3"): IPv4 address too short
        ParseAddr("::1 "): unexpected character, want colon (at " ")
        ParseAddr("fe80::1%"): zone must be a non-empty string
        IP address "fe80::1%eth0" with zone value is not allowed
        IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed
        IP address "::ffff:1.2.3.4%a" with zone value is not allowed"#]].assert_eq(&shown.join("\n"));
}
