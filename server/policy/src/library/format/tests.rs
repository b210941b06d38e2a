//! Named formats, with the messages of Kubernetes.

use super::validate::FORMATS;

fn check(name: &str, text: &str) -> Vec<String> {
    let format = FORMATS.iter().find(|format| format.name == name).unwrap();
    (format.check)(text)
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn formats_accept_what_the_server_accepts() {
    let long = "a".repeat(64);
    let cases: [(&str, &[&str], &[&str]); 13] = [
        (
            "byte",
            &["aGk=", "aGkh", "YQ==", "+/+/"],
            &["", "!!", "aGk", "a===", "aGk-", "=", "===="],
        ),
        (
            "date",
            &["2024-02-29", "0000-01-01"],
            &[
                "2023-02-29",
                "2024-2-9",
                "2024-13-01",
                "24-01-01",
                "",
                "2024-01-01 ",
            ],
        ),
        (
            "datetime",
            &[
                "2024-02-29T12:30:45Z",
                "2024-02-29t12:30:45.123z",
                "2024-02-29T12:30:45+01:00",
                "2024-02-29T12:30:45,5-99:99",
            ],
            &[
                "x",
                "2024-02-29",
                "2024-02-29T24:00:00Z",
                "2024-02-29T12:30:60Z",
                "2024-02-29T12:30:45",
                "2024-02-29 12:30:45Z",
                "2024-02-29T12:30:45.Z",
            ],
        ),
        (
            "dns1035Label",
            &["a", "a-1"],
            &["1a", "a.b", "", "A", &long],
        ),
        ("dns1035LabelPrefix", &["a-", "a1-"], &["-", "1-a-"]),
        ("dns1123Label", &["1", "a-b"], &["a.b", "A", "-a", &long]),
        ("dns1123LabelPrefix", &["a-", "a--", "A-"], &["-", "A--"]),
        ("dns1123Subdomain", &["a.b", "1.2"], &["a..b", "a_b", ""]),
        ("dns1123SubdomainPrefix", &["a.b-", "a.b.-"], &["-"]),
        ("labelValue", &["", "A_1.x"], &["_a", "a ", &long]),
        (
            "qualifiedName",
            &["example.com/MyName", "a"],
            &["", "/a", "a/b/c"],
        ),
        ("uri", &["https://a", "/a"], &["nope", ""]),
        (
            "uuid",
            &[
                "123e4567-e89b-12d3-a456-426614174000",
                "123E4567E89B12D3A456426614174000",
            ],
            &[
                "x",
                "123e4567-e89b-12d3-a456-42661417400",
                "123e4567-e89b-12d3-a456-426614174000-",
                "123e4567--e89b12d3a456426614174000",
            ],
        ),
    ];
    for (name, right, wrong) in cases {
        for text in right {
            assert_eq!(check(name, text), Vec::<String>::new(), "{name} {text}");
        }
        for text in wrong {
            assert!(!check(name, text).is_empty(), "{name} {text}");
        }
    }
}

#[test]
fn messages_are_those_of_the_server() {
    assert_eq!(check("dns1123Label", "a.b"), ["must not contain dots"]);
    assert_eq!(
        check("uri", "nope"),
        [r#"parse "nope": invalid URI for request"#]
    );
    assert_eq!(
        check("dns1123Label", &"a".repeat(64)),
        ["must be no more than 63 characters"]
    );
}
