//! The library of URLs.
//!
//! `url()` takes absolute URLs and absolute paths, as Go reads them.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// The library of URLs.
pub static URL: Library = Library {
    name: "url",
    macros: &[],
    functions: &[
        Function {
            doc: "Reads a URL. It must be absolute, or a path that begins with a slash; anything else is an error.",
            example: "url('https://example.com:80/a').getHost() == 'example.com:80'",
            overloads: &[Overload::global(
                "string_to_url",
                "string",
                "struct(kubernetes.URL)",
                Version(24),
            )],
            estimate: Some(calls::converts_argument),
            ..Function::named("url")
        },
        Function {
            doc: "The scheme of a URL, in lower case. Empty for a path.",
            example: "url('https://example.com/').getScheme() == 'https'",
            overloads: &[Overload::member(
                "url_get_scheme",
                "struct(kubernetes.URL)",
                "string",
                Version(24),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("getScheme")
        },
        Function {
            doc: "The host of a URL with its port, and with the square brackets of an IPv6 address.",
            example: "url('https://[::1]:80/').getHost() == '[::1]:80'",
            overloads: &[Overload::member(
                "url_get_host",
                "struct(kubernetes.URL)",
                "string",
                Version(24),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("getHost")
        },
        Function {
            doc: "The host of a URL without port and square brackets.",
            example: "url('https://[::1]:80/').getHostname() == '::1'",
            overloads: &[Overload::member(
                "url_get_hostname",
                "struct(kubernetes.URL)",
                "string",
                Version(24),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("getHostname")
        },
        Function {
            doc: "The port of a URL. Empty if it names none.",
            example: "url('https://example.com:8443/').getPort() == '8443'",
            overloads: &[Overload::member(
                "url_get_port",
                "struct(kubernetes.URL)",
                "string",
                Version(24),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("getPort")
        },
        Function {
            doc: "The path of a URL as it is sent, with its percent escapes.",
            example: "url('https://example.com/a b').getEscapedPath() == '/a%20b'",
            overloads: &[Overload::member(
                "url_get_escaped_path",
                "struct(kubernetes.URL)",
                "string",
                Version(24),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("getEscapedPath")
        },
        Function {
            doc: "The parameters of the query, each with all its values, without percent escapes.",
            example: "url('https://example.com/?k=a&k=b').getQuery()['k'] == ['a', 'b']",
            overloads: &[Overload::member(
                "url_get_query",
                "struct(kubernetes.URL)",
                "map(string, list(string))",
                Version(24),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("getQuery")
        },
        Function {
            doc: "Whether `url()` can read a text.",
            example: "isURL('https://example.com/') && !isURL('example.com')",
            overloads: &[Overload::global(
                "is_url_string",
                "string",
                "bool",
                Version(24),
            )],
            ..Function::named("isURL")
        },
    ],
};
