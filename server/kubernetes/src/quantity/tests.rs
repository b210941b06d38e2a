//! Quantities as Kubernetes reads, adds and prints them.

use super::Quantity;
use crate::versions::ServerVersion;
use cel::library::Context;
use expect_test::expect;
use proptest::prelude::*;

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn amounts_are_written_as_in_kubernetes() {
    let texts = [
        "0",
        "00",
        "-",
        ".",
        "5.",
        "+5",
        "-5",
        ".5",
        "0.5",
        "1.5Gi",
        "500m",
        "1e3",
        "1E3",
        "1E",
        "1Ki",
        "8Ki",
        "1024",
        "1024Ki",
        "1000",
        "1000k",
        "1000E",
        "12e2",
        "1e-3",
        "0.1Ki",
        "0.0001Ki",
        "1.5Ki",
        "9223372036854775807",
        "9223372036854775808",
        "9Ei",
        "99Ei",
        "-99Ei",
        "1n",
        "0.1n",
        "1.0000000001",
        "123456789012345678901234567890",
        "1e30",
        "1e4294967297",
        "0.5Mi",
        "1000000000000000000000n",
        "1500m",
        "1e-12",
        "-0.1n",
        "100Ti",
    ];
    let shown: Vec<_> = texts
        .iter()
        .map(|text| {
            let quantity = quantity(text);
            format!(
                "{text} = {quantity} {:?} {}",
                quantity.as_int(),
                quantity.as_float()
            )
        })
        .collect();
    expect![[r#"
        0 = 0 Some(0) 0
        00 = 0 Some(0) 0
        - = 0 Some(0) 0
        . = 0 Some(0) 0
        5. = 5. Some(5) 5
        +5 = +5 Some(5) 5
        -5 = -5 Some(-5) -5
        .5 = 500m None 0.5
        0.5 = 500m None 0.5
        1.5Gi = 1536Mi None 1610612736
        500m = 500m None 0.5
        1e3 = 1e3 Some(1000) 1000
        1E3 = 1E3 Some(1000) 1000
        1E = 1E Some(1000000000000000000) 1000000000000000000
        1Ki = 1Ki Some(1024) 1024
        8Ki = 8Ki Some(8192) 8192
        1024 = 1024 Some(1024) 1024
        1024Ki = 1Mi Some(1048576) 1048576
        1000 = 1k Some(1000) 1000
        1000k = 1M Some(1000000) 1000000
        1000E = 1 None 1000000000000000000000
        12e2 = 1200 Some(1200) 1200
        1e-3 = 1e-3 None 0.001
        0.1Ki = 102400m None 102.4
        0.0001Ki = 102400u None 0.1024
        1.5Ki = 1536 None 1536
        9223372036854775807 = 9223372036854775807 None 9223372036854776000
        9223372036854775808 = 9223372036854775808 None 9223372036854776000
        9Ei = 9223372036854775807 None 9223372036854776000
        99Ei = 9223372036854775807 None 9223372036854776000
        -99Ei = -9223372036854775807 None -9223372036854776000
        1n = 1n None 0.000000001
        0.1n = 1n None 0.000000001
        1.0000000001 = 1000000001n None 1.000000001
        123456789012345678901234567890 = 123456789012345678901234567890 None 123456789012345700000000000000
        1e30 = 1e30 None 1000000000000000000000000000000
        1e4294967297 = 10 Some(10) 10
        0.5Mi = 512Ki None 524288
        1000000000000000000000n = 1T None 1000000000000.0001
        1500m = 1500m None 1.5
        1e-12 = 1e-9 None 0.000000001
        -0.1n = -1n None -0.000000001
        100Ti = 100Ti None 109951162777600"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn what_is_no_amount_is_refused() {
    for text in [
        "", "abc", "1 Gi", "1.5GB", "1e3k", "1.2.3", " 1", "1k ", "ü",
    ] {
        assert!(
            Quantity::parse(text)
                .unwrap_err()
                .starts_with("quantities must match"),
            "{text}"
        );
    }
    for text in ["1e", "1ki", "1K", "1Ee3", "1k-3", "1i", "1mi"] {
        assert_eq!(
            Quantity::parse(text).unwrap_err(),
            "unable to parse quantity's suffix",
            "{text}"
        );
    }
}

#[test]
fn sums_keep_the_notation_of_the_first() {
    let context = Context::default();
    let cases = [
        ("50k", "20", "50020", "49980"),
        ("1Gi", "1Mi", "1025Mi", "1023Mi"),
        ("0", "1Ki", "1Ki", "-1Ki"),
        ("0.1", "0.2", "300m", "-100m"),
        (
            "9223372036854775807",
            "1",
            "9223372036854775808",
            "9223372036854775806",
        ),
        ("1e3", "1", "1001", "999"),
        (
            "1E",
            "1n",
            "1000000000000000000000000001n",
            "999999999999999999999999999n",
        ),
    ];
    for (a, b, sum, difference) in cases {
        let (a, b) = (quantity(a), quantity(b));
        assert_eq!(a.plus(&b, &context).unwrap().to_string(), sum);
        assert_eq!(a.minus(&b, &context).unwrap().to_string(), difference);
    }
}

#[test]
fn amounts_of_any_size_are_compared() {
    let ascending = [
        "-1e999999999",
        "-99Ei",
        "-1",
        "-1n",
        "0",
        "1e-3",
        "1",
        "1024",
        "1025",
        "1.1Ki",
        "1E",
        "1e99999998",
        "1e99999999",
        "11111111111111111111e99999999",
    ];
    for pair in ascending.windows(2) {
        assert!(
            quantity(pair[0]).compare(&quantity(pair[1])).is_lt(),
            "{pair:?}"
        );
    }
    assert!(quantity("1Ki").compare(&quantity("1024")).is_eq());
    assert!(quantity("0.001").compare(&quantity("1m")).is_eq());
}

#[test]
fn a_sum_of_too_many_digits_is_an_error() {
    let context = Context::default();
    assert!(
        quantity("1e999999999")
            .plus(&quantity("1"), &context)
            .is_err()
    );
}

#[test]
fn extreme_exponents_are_shown() {
    let context = Context::default();
    for text in [
        "1e-2147483648",
        "1e2147483647",
        "1e-2147483647",
        "12345678901234567890e2147483647",
    ] {
        let quantity = quantity(text);
        let _ = (quantity.to_string(), quantity.as_float(), quantity.as_int());
        assert!(quantity.compare(&quantity).is_eq());
    }
    let one = quantity("1");
    let large = quantity("1e200000").plus(&one, &context).unwrap();
    let large = large.minus(&one, &context).unwrap();
    assert_eq!(large.to_string(), "about 1e200000");
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same(digits in "[0-9]{1,12}(\\.[0-9]{0,8})?", suffix in "|m|k|Ki|M|Gi|e3|e-2|E") {
        // Kubernetes has no suffix for the power of `1000E`, and writes `1`.
        let whole = digits.split('.').next().unwrap_or_default();
        prop_assume!(suffix != "E" || whole.len() <= 3);
        let text = format!("{digits}{suffix}");
        let first = quantity(&text);
        prop_assert!(first.compare(&quantity(&first.to_string())).is_eq(), "{text} {first}");
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-+0-9.eEkKimu]{0,24}") {
        if let Ok(quantity) = Quantity::parse(&text) {
            let _ = (quantity.to_string(), quantity.as_float(), quantity.as_int());
        }
    }
}

#[test]
fn a_quantity_beyond_its_suffixes_has_an_exponent_from_1_38_on() {
    let written = |text: &str, server| {
        let quantity = Quantity::parse_on(ServerVersion(server), text).unwrap();
        quantity.to_string()
    };
    for (text, old, new) in [
        ("1000E", "1", "1e21"),
        ("999E", "999E", "999E"),
        ("2e30", "2e30", "2e30"),
        ("2000Ki", "2000Ki", "2000Ki"),
        ("1000000000000000000", "1E", "1E"),
        (
            "9223372036854775807",
            "9223372036854775807",
            "9223372036854775807",
        ),
    ] {
        assert_eq!(written(text, 37), old);
        assert_eq!(written(text, 38), new);
    }
}
