//! Versions as the API server reads and compares them.

use super::version::Version;
use expect_test::expect;

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

#[test]
fn versions_are_written_as_they_are_read() {
    for text in [
        "0.0.0",
        "1.2.3",
        "1.2.3-rc.1",
        "1.2.3-0a.-.1+b.05",
        "1.2.3+b-1",
    ] {
        assert_eq!(version(text).to_string(), text);
    }
}

#[test]
fn versions_have_an_order() {
    let ascending = [
        "1.0.0-1",
        "1.0.0-2",
        "1.0.0-10",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "1.9.0",
        "1.10.0",
        "2.0.0",
    ];
    for pair in ascending.windows(2) {
        assert!(version(pair[0]) < version(pair[1]), "{pair:?}");
    }
    assert_eq!(version("1.0.0+a"), version("1.0.0+b"));
}

#[test]
fn a_lenient_version_is_mended() {
    for (text, mended) in [
        ("v1.2.3", "1.2.3"),
        ("1", "1.0.0"),
        ("v01.02", "1.2.0"),
        ("00.1", "0.1.0"),
        ("1.2.03-rc.1+x", "1.2.3-rc.1+x"),
    ] {
        assert_eq!(Version::parse_normalized(text).unwrap().to_string(), mended);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_no_version_is_refused_in_the_words_of_the_server() {
    let strict = [
        "",
        "1",
        "1.2",
        "v1.2.3",
        "01.2.3",
        "1.02.3",
        "1.2.03",
        "1.x.3",
        "1.2.x",
        "..",
        "1.2.3-",
        "1.2.3-a..b",
        "1.2.3-01",
        "1.2.3-ü",
        "1.2.3+",
        "1.2.3+a_b",
        "99999999999999999999.1.1",
    ];
    let lenient = ["1-rc", "1.2+b", "vv1", " 1", ""];
    let strict = strict.map(|text| (text, Version::parse(text)));
    let lenient = lenient.map(|text| (text, Version::parse_normalized(text)));
    let shown: Vec<_> = strict
        .iter()
        .chain(&lenient)
        .map(|(text, result)| format!("{text}: {}", result.as_ref().unwrap_err()))
        .collect();
    expect![[r#"
        : Version string empty
        1: No Major.Minor.Patch elements found
        1.2: No Major.Minor.Patch elements found
        v1.2.3: Invalid character(s) found in major number "v1"
        01.2.3: Major number must not contain leading zeroes "01"
        1.02.3: Minor number must not contain leading zeroes "02"
        1.2.03: Patch number must not contain leading zeroes "03"
        1.x.3: Invalid character(s) found in minor number "x"
        1.2.x: Invalid character(s) found in patch number "x"
        ..: strconv.ParseUint: parsing "": invalid syntax
        1.2.3-: Prerelease is empty
        1.2.3-a..b: Prerelease is empty
        1.2.3-01: Numeric PreRelease version must not contain leading zeroes "01"
        1.2.3-ü: Invalid character(s) found in prerelease "ü"
        1.2.3+: Build meta data is empty
        1.2.3+a_b: Invalid character(s) found in build meta data "a_b"
        99999999999999999999.1.1: strconv.ParseUint: parsing "99999999999999999999": value out of range
        1-rc: short version cannot contain PreRelease/Build meta data
        1.2+b: short version cannot contain PreRelease/Build meta data
        vv1: Invalid character(s) found in major number "0v1"
         1: Invalid character(s) found in major number "0 1"
        : strconv.ParseUint: parsing "": invalid syntax"#]].assert_eq(&shown.join("\n"));
}
