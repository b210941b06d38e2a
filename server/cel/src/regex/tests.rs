//! Results of Go's package `regexp`, as tables.

use super::Regex;

fn finds(pattern: &str, text: &str) -> Option<String> {
    let regex = Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    let found = regex.find_iter(text).next()?;
    assert!(regex.is_match(text), "{pattern}");
    Some(found.to_owned())
}

/// Patterns, strings, and the matches in them.
const ACCEPTED: &[(&str, &str, Option<&str>)] = &[
    (r"\Qa.b\E+", "a.bbb", Some("a.bbb")),
    (r"\Qa*", "a*", Some("a*")),
    (r"a{,2}", "a{,2}", Some("a{,2}")),
    (r"a{", "a{", Some("a{")),
    (r"{02}", "{02}", Some("{02}")),
    (r"\101\x41\x{41}", "AAA", Some("AAA")),
    (r"\0", "\0", Some("\0")),
    (r"[a&&b]+", "ab&", Some("ab&")),
    (r"[+--]+", "+,-", Some("+,-")),
    (r"[]a]+", "]a", Some("]a")),
    (r"[^]a]", "]b", Some("b")),
    (r"[a-]+", "a-", Some("a-")),
    (r"[[:alpha:]_]+", "aé_", Some("a")),
    (r"[[:^alpha:]]", "a1", Some("1")),
    (r"[:a]", ":", Some(":")),
    (r"\<a\>", "<a>", Some("<a>")),
    (r"\d", "٣", None),
    (r"\w+", "aé", Some("a")),
    (r"\s", "\u{b}\u{a0}", None),
    (r"\bé", "aé", Some("é")),
    (r"\B", "é", Some("")),
    (r"(?i)k", "\u{212a}", Some("\u{212a}")),
    (r"(?i)[^\W]", "ſ", Some("ſ")),
    (r"(?i)\W", "ſ", None),
    (r"a.b", "a\nb", None),
    (r"(?s)a.b", "a\nb", Some("a\nb")),
    (r"(?m)^b$", "a\nb\n", Some("b")),
    (r"b$", "b\n", None),
    (r"b\z", "b\n", None),
    (r"(?U)a+", "aaa", Some("a")),
    (r"(?U)a+?", "aaa", Some("aaa")),
    (r"(?P<n>a)(?<n>b)", "ab", Some("ab")),
    (r"a(?i)*", "aaa", Some("aaa")),
    (r"^*", "b", Some("")),
    (r"a|", "b", Some("")),
    (r"(?i:A)b", "ab", Some("ab")),
    (r"(?i:A)b", "aB", None),
    (r"\p{Greek}+", "αβγd", Some("αβγ")),
    (r"\P{^lu}", "aB", Some("B")),
    (r"\p{Uppercase_Letter}", "aB", Some("B")),
    (r"[\x{D800}]", "\u{fffd}", None),
    (r"[^\x{D800}]", "x", Some("x")),
];

#[test]
fn what_go_accepts_means_what_it_means_there() {
    for (pattern, text, found) in ACCEPTED {
        assert_eq!(
            finds(pattern, text).as_deref(),
            *found,
            "{pattern} on {text:?}"
        );
    }
}

/// Patterns, and their error messages.
const REFUSED: &[(&str, &str)] = &[
    ("[", "missing closing ]: `[`"),
    ("a(b", "missing closing ): `a(b`"),
    ("a)b", "unexpected ): `a)b`"),
    ("*", "missing argument to repetition operator: `*`"),
    ("a|+?b", "missing argument to repetition operator: `+?`"),
    ("(*)", "missing argument to repetition operator: `*`"),
    ("a**", "invalid nested repetition operator: `**`"),
    ("a+?{2}", "invalid nested repetition operator: `+?{2}`"),
    ("a{1001}", "invalid repeat count: `{1001}`"),
    ("a{3,2}", "invalid repeat count: `{3,2}`"),
    (
        "a{2,99999999999}",
        "invalid repeat count: `{2,99999999999}`",
    ),
    ("((a{100}){11})?", "invalid repeat count: `{11}`"),
    ("[c-a]", "invalid character class range: `c-a`"),
    ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
    (
        r"\p{IsGreek}",
        r"invalid character class range: `\p{IsGreek}`",
    ),
    (
        r"\p{Alphabetic}",
        r"invalid character class range: `\p{Alphabetic}`",
    ),
    (r"\pé", r"invalid character class range: `\pé`"),
    (r"\p", r"invalid character class range: `\p`"),
    (r"[a--b]", "invalid character class range: `a--`"),
    (r"a\", "trailing backslash at end of expression: ``"),
    (r"\8", r"invalid escape sequence: `\8`"),
    (r"\1", r"invalid escape sequence: `\1`"),
    (r"\Z", r"invalid escape sequence: `\Z`"),
    (r"\C", r"invalid escape sequence: `\C`"),
    (r"[\b]", r"invalid escape sequence: `\b`"),
    (r"[a-\d]", r"invalid escape sequence: `\d`"),
    (r"\xg1", r"invalid escape sequence: `\xg1`"),
    (r"\x{110000}", r"invalid escape sequence: `\x{110000`"),
    ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
    ("(?x)a", "invalid or unsupported Perl syntax: `(?x`"),
    ("(?i-)a", "invalid or unsupported Perl syntax: `(?i-)`"),
    ("(?<=a)", "invalid named capture: `(?<=a)`"),
    ("(?P<a-b>c)", "invalid named capture: `(?P<a-b>`"),
    ("(?P<n", "invalid named capture: `(?P<n`"),
];

#[test]
fn what_go_refuses_is_refused_in_its_words() {
    for (pattern, message) in REFUSED {
        let error = Regex::new(pattern).expect_err(pattern);
        let expected = format!("error parsing regexp: {message}");
        assert_eq!(error.to_string(), expected, "{pattern}");
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let deep = format!("{}a{}", "(".repeat(1001), ")".repeat(1001));
    let error = Regex::new(&deep).expect_err("deep");
    assert!(error.to_string().contains("expression nests too deeply"));
    let groups = format!("{}a{}", "(?:".repeat(5000), ")".repeat(5000));
    assert!(Regex::new(&groups).is_ok());
    let long = format!("(?:{}){{1000}}", "a".repeat(4000));
    let error = Regex::new(&long).expect_err("long");
    assert!(error.to_string().contains("expression too large"));
}

#[test]
fn an_example_matches() {
    let examples = [
        (r"^v\d+\.\d+$", Some("v0.0")),
        (r"^[a-z]([-a-z0-9]*[a-z0-9])?$", Some("a")),
        (
            r"^(docker\.io|quay\.io)/.+:[^:]{3}$",
            Some("docker.io/a:aaa"),
        ),
        (r"^é🦊[A-F]\pN$", Some("é🦊A0")),
        (r"^\s$", Some(" ")),
        (r"a\b\Bb", None),
        (r"(", None),
        (r"^a{700}$", None),
    ];
    for (pattern, example) in examples {
        assert_eq!(Regex::example(pattern).as_deref(), example, "{pattern}");
    }
}

#[test]
fn a_description_is_in_words() {
    let descriptions = [
        (
            "^[a-z0-9]+(-[a-z]+)*$",
            "the start of the string, then one or more characters of `a-z0-9`, then any number of \
             times (`-`, then one or more characters of `a-z`), then the end of the string",
        ),
        (
            r"^(docker\.io|quay\.io)/.+$",
            "the start of the string, then (`docker.io` or `quay.io`), then `/`, then one or more \
             characters, then the end of the string",
        ),
        (r"v?\d{2}", "optionally `v`, then 2 characters of `0-9`"),
        ("a{2,3}|b{4,}", "2 to 3 times `a` or 4 or more times `b`"),
        ("(?i)ab", "`ab` in any case"),
        ("a(?i)b", "`a`, then `b` in any case"),
        ("[^/`]", "a character not of ``` /` ```"),
        (".", "any character"),
        ("", "nothing"),
        ("(?:ab)?c", "optionally `ab`, then `c`"),
    ];
    for (pattern, expected) in descriptions {
        let description = Regex::description(pattern);
        assert_eq!(description.as_deref(), Some(expected), "{pattern}");
    }
    assert_eq!(Regex::description("("), None);
    assert_eq!(Regex::description(r"\pL"), None);
    assert_eq!(Regex::description(&"a|".repeat(200)), None);
}
