//! Limits that end an evaluation.

use super::{bindings, environment, program, run};
use crate::eval::{Limits, Outcome, Program};
use crate::value::EvalErrorKind;
use crate::{check, parse};
use std::sync::atomic::AtomicBool;

#[test]
fn the_budget_ends_it_at_the_same_cost() {
    let text = "numbers.all(n, numbers.all(m, n + m > 0))";
    let full = run(text, &Limits::default());
    assert!(full.result.is_ok());
    for limit in 0..full.cost {
        let limits = Limits {
            cost: Some(limit),
            ..Limits::default()
        };
        let outcome = run(text, &limits);
        let error = outcome.result.unwrap_err();
        assert_eq!(error.kind(), &EvalErrorKind::CostLimit);
        // Every step of this expression costs one unit.
        assert_eq!(outcome.cost, limit + 1);
    }
    let limits = Limits {
        cost: Some(full.cost),
        ..Limits::default()
    };
    assert_eq!(run(text, &limits).result, full.result);
}

#[test]
fn nothing_absorbs_the_end_of_the_budget() {
    let limits = Limits {
        cost: Some(3),
        ..Limits::default()
    };
    let error = run("numbers.all(n, n > 0) || true", &limits)
        .result
        .unwrap_err();
    assert!(error.is_fatal());
    assert_eq!(
        error.to_string(),
        "operation cancelled: actual cost limit exceeded"
    );
}

#[test]
fn cancelling_ends_a_long_loop() {
    let canceled = AtomicBool::new(true);
    let limits = Limits {
        canceled: Some(&canceled),
        ..Limits::default()
    };
    let loops =
        "numbers.all(a, numbers.all(b, numbers.all(c, numbers.all(d, numbers.all(e, true)))))";
    let error = run(loops, &limits).result.unwrap_err();
    assert_eq!(error.kind(), &EvalErrorKind::Canceled);
    assert!(run("numbers.all(n, n > 0)", &limits).result.is_ok());
}

#[test]
fn memory_is_bounded() {
    let limits = Limits {
        memory: 1 << 20,
        ..Limits::default()
    };
    let mut text = "numbers".to_owned();
    for _ in 0..20 {
        text = format!("[{text}].map(x, x + x)[0]");
    }
    let error = run(&text, &limits).result.err().unwrap();
    assert_eq!(error.kind(), &EvalErrorKind::MemoryLimit);
}

/// The deepest expressions that the parser accepts, in the stack of a thread.
#[test]
fn deep_expressions_fit_a_thread() {
    let expressions = [
        format!("{}1{}", "(".repeat(249), ")".repeat(249)),
        format!("{}1{}", "[".repeat(248), "]".repeat(248)),
        format!("{}1", "1+".repeat(249)),
        format!("{}true", "true?true:".repeat(249)),
        format!("object{}", ".a".repeat(249)),
        format!("{}true{}", "true&&(".repeat(249), ")".repeat(249)),
        format!("{}numbers{}", "[".repeat(120), "].map(x,x)".repeat(120)),
        format!("{}true{}", "numbers.all(x,".repeat(100), ")".repeat(100)),
        format!("{}!true", "!".repeat(9_999)),
        format!("{}true", "true&&".repeat(9_999)),
    ];
    let run_all = move || {
        let limits = Limits {
            cost: Some(100_000),
            ..Limits::default()
        };
        for text in expressions {
            let parsed = parse(&text);
            assert!(parsed.is_ok(), "{:?}", parsed.errors);
            let env = environment();
            let checked = check::check(&parsed.ast, &env);
            if let Ok(program) = Program::new(&checked, &env) {
                let _ = program.run(&bindings(), &limits);
                let _ = program.run_traced(&bindings(), &limits);
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(run_all).unwrap().join().unwrap();
}

#[test]
fn a_program_is_shared_between_threads() {
    let program = program("numbers.exists(n, n == 2)");
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert!(program.run(&bindings(), &Limits::default()).result.is_ok()));
        }
    });
}

const READ_IN_PLACE: [&str; 36] = [
    "object.replicas <= 5",
    "5 != object.replicas",
    "object.replicas > 1.5",
    "object.name.startsWith('w')",
    "'app' in object.labels",
    "object.spec.absent == 1",
    "object.name.x == 1",
    "object == 3",
    "missing.x == 1",
    "object.replicas <= 5 && object.replicas > 1",
    "5 < object.replicas || object.replicas == 3.0",
    "object.name == 'web' && object.name != 'a longer name' && object.name.startsWith('w')",
    "object.name < 1 || object.spec.absent == 1 || object.name == 'web'",
    "object.spec.absent == 1 || object.name.matches('^w') && object.spec.other",
    "object.name.x == 1 || object.missing.y == 2 || object == 3 || null == object.nothing",
    "'app' in object.labels && !('x' in object.labels) && object.tags == ['a']",
    "object.labels.app == object.name && object.labels.app != object.labels['app']",
    "(object.replicas == 0 || object.replicas == 3) && (true && object.replicas == 3)",
    "(object.x == 1 && object.replicas == 3) || (object.y && false) || object.z == 1",
    "numbers.all(n, n > 0 && n < 9 && (n == 7 || object.replicas != n || object.x == n))",
    "numbers.exists(n, object.absent == n && n == 2 && missing.name == 'x')",
    "!(object.replicas == 3) || !object.replicas || !has(object.spec.absent)",
    "missing == 1 || missing.x == 'y' || object.spec == {} || object.name + 'x' == 'webx'",
    "object.?name.orValue('')",
    "object.?spec.?deep.?x.orValue(0)",
    "object.spec.?deep.x.orValue(0)",
    "object.?absent.?deep.orValue(object.replicas)",
    "object.absent.?deep.orValue(1)",
    "object.?name.?x.orValue(1)",
    "object.?tags[0].orValue('')",
    "object.?nothing.orValue(1) == null",
    "object.spec.on.orValue(true)",
    "missing.?x.orValue(1)",
    "object.?spec.or(optional.none()).hasValue()",
    "numbers.all(x, object.?labels.?app.orValue('') == 'web')",
    "optional.of(object).?name.orValue('') == 'web'",
];

/// Fields of objects are read in place and chains of operators are one loop, unless the evaluation
/// is recorded.
#[test]
fn fields_and_chains_cost_the_same_at_every_budget() {
    for text in READ_IN_PLACE {
        let program = program(text);
        let whole = program.run(&bindings(), &Limits::default());
        for cost in 0..=whole.cost + 1 {
            let limits = Limits {
                cost: Some(cost),
                ..Limits::default()
            };
            let plain = program.run(&bindings(), &limits);
            let (watched, _) = program.run_traced(&bindings(), &limits);
            let shown = |outcome: &Outcome| (format!("{:?}", outcome.result), outcome.cost);
            assert_eq!(shown(&plain), shown(&watched), "{text} {cost}");
        }
    }
}
