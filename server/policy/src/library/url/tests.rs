//! URLs as Go reads them.

use super::parse::{check, parse};
use expect_test::expect;

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn urls_are_taken_apart() {
    let texts = [
        "https://example.com:8443/path?k=v",
        "/abs/path",
        "//a//b",
        "mailto:a@b.c",
        "http://[::1]:80/",
        "http://[fe80::1%25en0]/",
        "https://u:p%40@h.example.com:1/a%20b/c?q=1&q=2&r=#frag",
        "https://h/a b/ü?x y",
        "http:/path",
        "file:///etc/hosts",
        "http://h/%2f?",
        "HTTP://H",
        "postgres://a:1,b:2/db",
        "http://host:/",
        "*",
        "http://h?a=%zz&b=%41&;c&&d=+",
        "http://ü.example/",
    ];
    let shown: Vec<_> = texts
        .iter()
        .map(|text| {
            let url = parse(text).unwrap();
            let (host, port) = url.host_and_port();
            format!(
                "{text} -> {url} {:?} {:?} {host:?} {port:?} {:?} {:?}",
                url.scheme,
                url.host,
                url.escaped_path(),
                url.parameters()
            )
        })
        .collect();
    expect![[r#"
        https://example.com:8443/path?k=v -> https://example.com:8443/path?k=v "https" "example.com:8443" "example.com" "8443" "/path" [("k", ["v"])]
        /abs/path -> /abs/path "" "" "" "" "/abs/path" []
        //a//b -> //a//b "" "a" "a" "" "//b" []
        mailto:a@b.c -> mailto:a@b.c "mailto" "" "" "" "" []
        http://[::1]:80/ -> http://[::1]:80/ "http" "[::1]:80" "::1" "80" "/" []
        http://[fe80::1%25en0]/ -> http://[fe80::1%25en0]/ "http" "[fe80::1%en0]" "fe80::1%en0" "" "/" []
        https://u:p%40@h.example.com:1/a%20b/c?q=1&q=2&r=#frag -> https://u:p%40@h.example.com:1/a%20b/c?q=1&q=2&r=#frag "https" "h.example.com:1" "h.example.com" "1" "/a%20b/c" [("q", ["1", "2"]), ("r", [""])]
        https://h/a b/ü?x y -> https://h/a%20b/%C3%BC?x y "https" "h" "h" "" "/a%20b/%C3%BC" [("x y", [""])]
        http:/path -> http:/path "http" "" "" "" "/path" []
        file:///etc/hosts -> file:///etc/hosts "file" "" "" "" "/etc/hosts" []
        http://h/%2f? -> http://h/%2f? "http" "h" "h" "" "/%2f" []
        HTTP://H -> http://H "http" "H" "H" "" "" []
        postgres://a:1,b:2/db -> postgres://a:1,b:2/db "postgres" "a:1,b:2" "a:1,b" "2" "/db" []
        http://host:/ -> http://host:/ "http" "host:" "host" "" "/" []
        * -> * "" "" "" "" "*" []
        http://h?a=%zz&b=%41&;c&&d=+ -> http://h?a=%zz&b=%41&;c&&d=+ "http" "h" "h" "" "" [("b", ["A"]), ("d", [" "])]
        http://ü.example/ -> http://%C3%BC.example/ "http" "ü.example" "ü.example" "" "/" []"#]].assert_eq(&shown.join("\n"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_no_url_is_refused_in_the_words_of_go() {
    let texts = [
        "",
        "example.com",
        "rel/path",
        "://x",
        ":a",
        "http://a b/",
        "http://%zz/",
        "http://h/%zz",
        "http://h/%4",
        "http://%41/",
        "http://h/\n",
        "http://h:port/",
        "http://h:80:80/",
        "http://::1/",
        "http://[::1",
        "http://[::1]x/",
        "http://[1.2.3.4]/",
        "http://[x]/",
        "http://a[::1]/",
        "http://u ser@h/",
        "http://u%zz@h/",
        "http://[fe80::1%25%41%2f]/",
        "1http://h/",
        "http://h/#%zz",
        "http://h\\x/",
        "http://h^/",
    ];
    let shown: Vec<_> = texts
        .iter()
        .map(|text| parse(text).map(|_| ()).unwrap_err())
        .collect();
    expect![[r#"
        parse "": empty url
        parse "example.com": invalid URI for request
        parse "rel/path": invalid URI for request
        parse "://x": missing protocol scheme
        parse ":a": missing protocol scheme
        parse "http://a b/": invalid character " " in host name
        parse "http://%zz/": invalid URL escape "%zz"
        parse "http://h/%zz": invalid URL escape "%zz"
        parse "http://h/%4": invalid URL escape "%4"
        parse "http://%41/": invalid URL escape "%41"
        parse "http://h/\n": net/url: invalid control character in URL
        parse "http://h:port/": invalid port ":port" after host
        parse "http://h:80:80/": invalid port ":80:80" after host
        parse "http://::1/": invalid port "::1" after host
        parse "http://[::1": missing ']' in host
        parse "http://[::1]x/": invalid port "x" after host
        parse "http://[1.2.3.4]/": invalid IP-literal
        parse "http://[x]/": invalid host: ParseAddr("x"): unable to parse IP
        parse "http://a[::1]/": invalid IP-literal
        parse "http://u ser@h/": net/url: invalid userinfo
        parse "http://u%zz@h/": invalid URL escape "%zz"
        parse "http://[fe80::1%25%41%2f]/": invalid URL escape "%2f"
        parse "1http://h/": invalid URI for request
        parse "http://h/#%zz": invalid URL escape "%zz"
        parse "http://h\\x/": invalid character "\\" in host name
        parse "http://h^/": invalid character "^" in host name"#]]
    .assert_eq(&shown.join("\n"));
    assert!(check("http://h/#a%20b").is_ok());
}
