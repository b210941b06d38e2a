//! Questions to an authorizer and their answers.

use super::value::{DecisionValue, ResourceCheck};
use super::{Answer, AuthorizationRequest, Authorizer, AuthorizerValue, Decision, Target, User};
use cel::library::Context;
use cel::value::{Opaque, Value};
use std::sync::Arc;

/// Prints each check, and allows the user `alice`.
#[derive(Debug)]
struct Echo;

impl Authorizer for Echo {
    fn authorize(&self, request: &AuthorizationRequest<'_>) -> Answer {
        let target = match request.target {
            Target::Path(path) => path.to_owned(),
            Target::Resource(resource) => format!("{resource:?}"),
        };
        Answer {
            decision: match &*request.user.name {
                "alice" => Decision::Allow,
                _ => Decision::Deny,
            },
            reason: format!("{} {} {target}", request.user.name, request.verb).into(),
            error: (request.verb == "boom").then(|| "broken".into()),
        }
    }
}

fn alice() -> Value {
    Value::opaque(AuthorizerValue {
        user: Arc::new(User {
            name: "alice".into(),
            groups: Vec::new(),
        }),
        authorizer: Arc::new(Echo),
    })
}

type Run = fn(&Context<'_>, &[Value]) -> Result<Value, cel::value::EvalError>;

fn call(function: Run, args: &[Value]) -> Value {
    function(&Context::default(), args).unwrap()
}

fn text(text: &str) -> Value {
    Value::string(text)
}

#[test]
#[expect(clippy::too_many_lines, reason = "one step after the other")]
fn a_question_is_put_together() {
    let check = call(super::group, &[alice(), text("apps")]);
    let check = call(super::resource, &[check, text("deployments")]);
    let steps: [(Run, &str); 5] = [
        (super::subresource, "scale"),
        (super::namespace, "shop"),
        (super::name, "web"),
        (super::field_selector, "a=b"),
        (super::label_selector, "c"),
    ];
    let check = steps.into_iter().fold(check, |check, (step, value)| {
        call(step, &[check, text(value)])
    });
    let resource = &check.downcast::<ResourceCheck>().unwrap().resource;
    assert_eq!(
        [
            &resource.group,
            &resource.resource,
            &resource.subresource,
            &resource.namespace,
            &resource.name
        ],
        [
            &"apps".into(),
            &"deployments".into(),
            &"scale".into(),
            &"shop".into(),
            &"web".into()
        ]
    );
    assert_eq!(
        (&*resource.field_selector, &*resource.label_selector),
        ("a=b", "c")
    );
    let answer = call(super::check_resource, &[check, text("boom")]);
    assert_eq!(
        call(super::allowed, std::slice::from_ref(&answer)),
        Value::Bool(true)
    );
    assert_eq!(
        call(super::errored, std::slice::from_ref(&answer)),
        Value::Bool(true)
    );
    assert_eq!(call(super::error, &[answer]), text("broken"));
}

#[test]
fn a_service_account_asks_for_itself() {
    let account = call(
        super::service_account,
        &[alice(), text("default"), text("sa")],
    );
    let check = call(super::path, &[account, text("/healthz")]);
    let answer = call(super::check_path, &[check, text("get")]);
    assert_eq!(
        answer.downcast::<DecisionValue>().unwrap().display(),
        "deny: system:serviceaccount:default:sa get /healthz"
    );
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let context = Context::default();
    let group = call(super::group, &[alice(), text("")]);
    let errors = [
        super::path(&context, &[alice(), text(" ")]),
        super::resource(&context, &[group, text("")]),
        super::service_account(&context, &[alice(), text("default"), text("_")]),
        super::service_account(&context, &[alice(), text("a.b"), text("sa")]),
        super::group(&context, &[alice(), Value::Int(1)]),
    ]
    .map(|result| result.unwrap_err().to_string());
    assert_eq!(
        errors,
        [
            "path must not be empty",
            "resource must not be empty",
            "Invalid service account name",
            "Invalid service account namespace",
            "no such overload",
        ]
    );
}
