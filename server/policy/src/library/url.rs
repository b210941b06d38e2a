//! The library of URLs.
//!
//! `url()` accepts absolute URLs and absolute paths, as parsed by Go.

mod escape;
pub(crate) mod parse;

use super::argument::{opaque, string};
use super::cost::{self, nominal};
use super::estimate;
use cel::cost::calls;
use cel::library::{Context, Function, Library, overloads};
use cel::types::Type;
use cel::value::{EvalError, Key, Map, Opaque, Value, unsupported};

/// The library of URLs.
pub static URL: Library = Library {
    name: "url",
    macros: &[],
    functions: &[
        Function {
            doc: "Parses a URL. Fails unless the string is an absolute URL or an absolute path.",
            example: "url('https://example.com:80/a').getHost() == 'example.com:80'",
            overloads: overloads![
                global "string_to_url" since 24: "string" -> "struct(kubernetes.URL)";
            ],
            estimate: Some(calls::converts_argument),
            implementation: Some(to_url),
            cost: Some(cost::reads_first),
            ..Function::named("url")
        },
        Function {
            doc: "Returns the scheme in lowercase, empty for a path.",
            example: "url('https://example.com/').getScheme() == 'https'",
            overloads: overloads![
                member "url_get_scheme" since 24: "struct(kubernetes.URL)" -> "string";
            ],
            implementation: Some(scheme),
            estimate: Some(estimate::url_part),
            ..nominal("getScheme")
        },
        Function {
            doc: "Returns the host with its port and the brackets of an IPv6 address.",
            example: "url('https://[::1]:80/').getHost() == '[::1]:80'",
            overloads: overloads![
                member "url_get_host" since 24: "struct(kubernetes.URL)" -> "string";
            ],
            implementation: Some(host),
            estimate: Some(estimate::url_part),
            ..nominal("getHost")
        },
        Function {
            doc: "Returns the host without its port and the brackets of an IPv6 address.",
            example: "url('https://[::1]:80/').getHostname() == '::1'",
            overloads: overloads![
                member "url_get_hostname" since 24: "struct(kubernetes.URL)" -> "string";
            ],
            implementation: Some(hostname),
            estimate: Some(estimate::url_part),
            ..nominal("getHostname")
        },
        Function {
            doc: "Returns the port, empty if the URL has none.",
            example: "url('https://example.com:8443/').getPort() == '8443'",
            overloads: overloads![
                member "url_get_port" since 24: "struct(kubernetes.URL)" -> "string";
            ],
            implementation: Some(port),
            estimate: Some(estimate::url_part),
            ..nominal("getPort")
        },
        Function {
            doc: "Returns the path with its percent-encoding.",
            example: "url('https://example.com/a b').getEscapedPath() == '/a%20b'",
            overloads: overloads![
                member "url_get_escaped_path" since 24: "struct(kubernetes.URL)" -> "string";
            ],
            implementation: Some(escaped_path),
            estimate: Some(estimate::escaped_path),
            ..nominal("getEscapedPath")
        },
        Function {
            doc: "Returns the query parameters, each with all of its values, decoded.",
            example: "url('https://example.com/?k=a&k=b').getQuery()['k'] == ['a', 'b']",
            overloads: overloads![
                member "url_get_query" since 24:
                    "struct(kubernetes.URL)" -> "map(string, list(string))";
            ],
            implementation: Some(query),
            estimate: Some(estimate::url_part),
            ..nominal("getQuery")
        },
        Function {
            doc: "Returns whether the string is a valid URL.",
            example: "isURL('https://example.com/') && !isURL('example.com')",
            overloads: overloads![
                global "is_url_string" since 24: "string" -> "bool";
            ],
            implementation: Some(is_url),
            ..Function::named("isURL")
        },
    ],
};

/// A URL as a value.
#[derive(Clone, Debug)]
pub struct Url(parse::Parts);

impl Opaque for Url {
    fn ty(&self) -> Type {
        Type::object("kubernetes.URL")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| other.0.to_string() == self.0.to_string())
    }

    fn display(&self) -> String {
        self.0.to_string()
    }

    fn go_type(&self) -> &'static str {
        "cel.URL"
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(unsupported("*url.URL", &self.display())))
    }
}

fn to_url(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let url = parse::parse(string(args, 0)?).map_err(|error| {
        EvalError::message(format!(
            "URL parse error during conversion from string: {error}"
        ))
    })?;
    Ok(Value::opaque(Url(url)))
}

fn is_url(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(parse::check(string(args, 0)?).is_ok()))
}

fn scheme(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::string(opaque::<Url>(args, 0)?.0.scheme.as_str()))
}

fn host(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::string(opaque::<Url>(args, 0)?.0.host.as_str()))
}

fn hostname(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::string(opaque::<Url>(args, 0)?.0.host_and_port().0))
}

fn port(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::string(opaque::<Url>(args, 0)?.0.host_and_port().1))
}

fn escaped_path(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::string(opaque::<Url>(args, 0)?.0.escaped_path()))
}

fn query(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let parameters = opaque::<Url>(args, 0)?.0.parameters();
    let entry = |(name, values): (String, Vec<String>)| {
        let values = values.into_iter().map(Value::string).collect();
        (Key::String(name.into()), Value::list(values))
    };
    Ok(Value::Map(
        parameters.into_iter().map(entry).collect::<Map>(),
    ))
}

#[cfg(test)]
mod tests;
