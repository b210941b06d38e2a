//! A message, told apart from everything else that JSON can say.
//!
//! tower-lsp-server reads a message without a method as a notification with an empty name,
//! and answers nothing to some that the protocol wants an error for. Here every shape has
//! one meaning, so the answer is right before any handler is asked.

use super::surrogates;
use serde_json::{Map, Value};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};

/// An incoming message.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    /// A request: it has an id and gets an answer.
    Request(Id, Request),
    /// A notification: it gets no answer.
    Notification(Request),
    /// The client's answer to a request of the server.
    Response(Response),
}

/// Why a body is not a message, and the id to answer to: null where it is not known.
#[derive(Debug, PartialEq)]
pub(crate) struct Invalid {
    pub(crate) id: Id,
    pub(crate) error: Box<Error>,
}

impl Invalid {
    /// An answer to no request in particular.
    pub(crate) fn anonymous(code: ErrorCode, reason: impl Into<String>) -> Self {
        Self {
            id: Id::Null,
            error: Box::new(error(code, reason)),
        }
    }
}

/// An error of the protocol with a text that says what is wrong.
pub(crate) fn error(code: ErrorCode, reason: impl Into<String>) -> Error {
    let mut error = Error::new(code);
    error.message = reason.into().into();
    error
}

/// Reads the body of a message.
pub(crate) fn read(body: &[u8]) -> Result<Message, Invalid> {
    let value = parse(body).map_err(|error| {
        Invalid::anonymous(
            ErrorCode::ParseError,
            format!("The message is not valid JSON: {error}."),
        )
    })?;
    let Value::Object(mut fields) = value else {
        let reason = "A message is one JSON object. Batches are not part of the protocol.";
        return Err(Invalid::anonymous(ErrorCode::InvalidRequest, reason));
    };
    let id = read_id(fields.remove("id"))?;
    let invalid = |reason: &str| Invalid {
        id: id.clone().unwrap_or(Id::Null),
        error: Box::new(error(ErrorCode::InvalidRequest, reason)),
    };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("A message has the field \"jsonrpc\": \"2.0\"."));
    }
    match fields.remove("method") {
        Some(Value::String(method)) => {
            let params = fields.remove("params");
            request(method, id.clone(), params).ok_or_else(|| {
                invalid("The params of a message are an object, an array or absent.")
            })
        }
        Some(_) => Err(invalid("The method of a message is a string.")),
        None => response(id.clone(), fields)
            .ok_or_else(|| invalid("A message has a method, or an id with a result or an error.")),
    }
}

fn parse(body: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(body).or_else(|error| match surrogates::repaired(body) {
        Some(repaired) => serde_json::from_slice(&repaired),
        None => Err(error),
    })
}

/// The id, `None` where there is none. A null one is not an id of the protocol.
fn read_id(id: Option<Value>) -> Result<Option<Id>, Invalid> {
    let id = match id {
        None => return Ok(None),
        Some(Value::String(id)) => Some(Id::String(id)),
        Some(Value::Number(id)) => id.as_i64().map(Id::Number),
        Some(_) => None,
    };
    match id {
        Some(id) => Ok(Some(id)),
        None => Err(Invalid::anonymous(
            ErrorCode::InvalidRequest,
            "The id of a message is an integer or a string.",
        )),
    }
}

fn request(method: String, id: Option<Id>, params: Option<Value>) -> Option<Message> {
    let request = Request::build(method);
    let request = match params {
        None | Some(Value::Null) => request,
        Some(params @ (Value::Object(_) | Value::Array(_))) => request.params(params),
        Some(_) => return None,
    };
    Some(match id {
        Some(id) => Message::Request(id.clone(), request.id(id).finish()),
        None => Message::Notification(request.finish()),
    })
}

fn response(id: Option<Id>, mut fields: Map<String, Value>) -> Option<Message> {
    let id = id?;
    let response = match (fields.remove("error"), fields.remove("result")) {
        // An error with fields of its own still is an answer.
        (Some(error @ Value::Object(_)), _) => Response::from_error(
            id,
            serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error()),
        ),
        (Some(error), _) if !error.is_null() => return None,
        (_, Some(result)) => Response::from_ok(id, result),
        (_, None) => return None,
    };
    Some(Message::Response(response))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(body: &str, expected: &Expect) {
        let text = match read(body.as_bytes()) {
            Ok(Message::Request(id, request)) => format!("request {id}: {request}"),
            Ok(Message::Notification(request)) => format!("notification: {request}"),
            Ok(Message::Response(response)) => format!("response: {response:?}"),
            Err(Invalid { id, error }) => {
                format!("{} to {id}: {}", error.code, error.message)
            }
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn requests_and_notifications_differ_by_their_id() {
        check(
            r#"{"jsonrpc":"2.0","id":"a","method":"m","params":[1]}"#,
            &expect![[r#"request "a": {"jsonrpc":"2.0","method":"m","params":[1],"id":"a"}"#]],
        );
        check(
            r#"{"jsonrpc":"2.0","method":"m","params":null}"#,
            &expect![[r#"notification: {"jsonrpc":"2.0","method":"m"}"#]],
        );
    }

    #[test]
    fn answers_have_an_id_and_a_result_or_an_error() {
        check(
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            &expect![[r#"response: Response { jsonrpc: Version, result: Null, id: Number(1) }"#]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#,
            &expect![[
                r#"response: Response { jsonrpc: Version, error: Error { code: ServerError(-1), message: "no", data: None }, id: Number(1) }"#
            ]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"error":7}"#,
            &expect!["-32600 to 1: A message has a method, or an id with a result or an error."],
        );
    }

    #[test]
    fn broken_json_is_a_parse_error() {
        check(
            r#"{"jsonrpc":"2.0","#,
            &expect![
                "-32700 to null: The message is not valid JSON: EOF while parsing a value at line 1 column 17."
            ],
        );
        let deep = "[".repeat(100_000);
        check(
            &deep,
            &expect![
                "-32700 to null: The message is not valid JSON: recursion limit exceeded at line 1 column 128."
            ],
        );
        assert!(read(b"{\"jsonrpc\":\"2.0\",\"method\":\"\xFF\"}").is_err());
    }

    #[test]
    fn other_json_is_an_invalid_request() {
        check(
            "[]",
            &expect![
                "-32600 to null: A message is one JSON object. Batches are not part of the protocol."
            ],
        );
        check(
            r#"{"id":3,"method":"m"}"#,
            &expect![[r#"-32600 to 3: A message has the field "jsonrpc": "2.0"."#]],
        );
        check(
            r#"{"jsonrpc":"2.0","id":3}"#,
            &expect!["-32600 to 3: A message has a method, or an id with a result or an error."],
        );
        check(
            r#"{"jsonrpc":"2.0","id":3,"method":4}"#,
            &expect!["-32600 to 3: The method of a message is a string."],
        );
        check(
            r#"{"jsonrpc":"2.0","id":3,"method":"m","params":4}"#,
            &expect!["-32600 to 3: The params of a message are an object, an array or absent."],
        );
        check(
            r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
            &expect!["-32600 to null: The id of a message is an integer or a string."],
        );
        check(
            r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
            &expect!["-32600 to null: The id of a message is an integer or a string."],
        );
    }
}
