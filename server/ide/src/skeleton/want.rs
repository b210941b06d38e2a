//! Requirements for values, and values that meet them.

use super::placeholder::TEXT;
use cel::Value;
use cel::regex::Regex;
use cel::value::Duration;
use std::cmp::Ordering;
use std::sync::Arc;

/// A requirement for a value.
#[derive(Clone, Debug)]
pub(super) enum Want {
    /// The value is in this relation to another one.
    Compare(Order, Value),
    /// The value is a string for which a test is true or false.
    Text(Test, Arc<str>, bool),
    /// The size of the value is in this relation to a number.
    Size(Order, i64),
    /// The value is a list or a map that contains a value or a key, or does not.
    Includes(Value, bool),
    /// The value is present or missing.
    Present(bool),
}

/// A relation between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// A test of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Starts,
    Ends,
    Contains,
    Matches,
}

impl Order {
    /// Returns the relation that holds if this one does not.
    pub(super) fn opposite(self) -> Self {
        match self {
            Order::Equal => Order::Unequal,
            Order::Unequal => Order::Equal,
            Order::Less => Order::AtLeast,
            Order::AtMost => Order::More,
            Order::More => Order::AtMost,
            Order::AtLeast => Order::Less,
        }
    }

    /// Returns the relation of the right side to the left side.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Order::Equal | Order::Unequal => self,
            Order::Less => Order::More,
            Order::AtMost => Order::AtLeast,
            Order::More => Order::Less,
            Order::AtLeast => Order::AtMost,
        }
    }

    /// Returns whether the relation holds for values in this order.
    pub(super) fn holds(self, ordering: Ordering) -> bool {
        match self {
            Order::Equal => ordering.is_eq(),
            Order::Unequal => ordering.is_ne(),
            Order::Less => ordering.is_lt(),
            Order::AtMost => ordering.is_le(),
            Order::More => ordering.is_gt(),
            Order::AtLeast => ordering.is_ge(),
        }
    }

    /// Returns a number in this relation to another one.
    pub(super) fn near(self, number: i64) -> i64 {
        match self {
            Order::Equal | Order::AtMost | Order::AtLeast => number,
            Order::Less => number.saturating_sub(1),
            Order::Unequal | Order::More => number.saturating_add(1),
        }
    }
}

impl Want {
    pub(super) fn truth(wanted: bool) -> Self {
        Want::Compare(Order::Equal, Value::Bool(wanted))
    }

    pub(super) fn equal(value: Value) -> Self {
        Want::Compare(Order::Equal, value)
    }

    /// Returns whether a value meets the requirement.
    pub(super) fn is_met_by(&self, value: Option<&Value>) -> bool {
        let Some(value) = value else {
            return matches!(self, Want::Present(false));
        };
        match self {
            Want::Present(wanted) => *wanted,
            Want::Compare(Order::Equal, other) => value.equals(other) == Ok(true),
            Want::Compare(Order::Unequal, other) => value.equals(other) == Ok(false),
            Want::Compare(order, other) => compare(value, other).is_some_and(|it| order.holds(it)),
            Want::Text(test, part, wanted) => {
                let passes = |text: &str| match test {
                    Test::Starts => text.starts_with(&**part),
                    Test::Ends => text.ends_with(&**part),
                    Test::Contains => text.contains(&**part),
                    Test::Matches => Regex::new(part).is_ok_and(|it| it.is_match(text)),
                };
                value.as_str().is_some_and(|text| passes(text) == *wanted)
            }
            Want::Size(order, size) => {
                i64::try_from(value.size()).is_ok_and(|it| order.holds(it.cmp(size)))
            }
            Want::Includes(part, wanted) => match value {
                Value::List(list) => list.holds(part) == Ok(*wanted),
                Value::Map(map) => map.get(part).is_some() == *wanted,
                _ => false,
            },
        }
    }

    /// Returns values that meet the requirement, the most natural first, close to the current one.
    pub(super) fn satisfying(&self, now: Option<&Value>) -> Vec<Value> {
        let text = now.and_then(Value::as_str).unwrap_or(TEXT);
        let mut found = match self {
            Want::Compare(Order::Equal, value) => return vec![value.clone()],
            Want::Compare(order, value) => near(*order, value),
            Want::Text(test, part, true) => strings(passing(*test, part, text)),
            Want::Text(_, _, false) => strings(others(text)),
            Want::Size(order, size) => {
                let size = usize::try_from(order.near(*size)).unwrap_or_default();
                let long = text.chars().chain(std::iter::repeat('a'));
                strings([long.take(size).collect()])
            }
            Want::Includes(..) | Want::Present(_) => Vec::new(),
        };
        found.retain(|it| self.is_met_by(Some(it)));
        found
    }
}

fn strings(texts: impl IntoIterator<Item = String>) -> Vec<Value> {
    texts.into_iter().map(Value::string).collect()
}

fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        (Value::Timestamp(left), Value::Timestamp(right)) => left.partial_cmp(right),
        (Value::Duration(left), Value::Duration(right)) => {
            left.seconds().partial_cmp(&right.seconds())
        }
        _ => left.compare_numbers(right),
    }
}

/// Returns strings that pass a test.
fn passing(test: Test, part: &str, now: &str) -> Vec<String> {
    let short = now.rsplit('/').next().unwrap_or(now);
    let untagged = now.rsplit_once(':').map_or(now, |(before, _)| before);
    match test {
        Test::Starts if part.ends_with('/') => vec![format!("{part}{short}"), part.to_owned()],
        Test::Starts if now.contains('/') => {
            vec![
                format!("{part}/{short}"),
                format!("{part}{short}"),
                part.to_owned(),
            ]
        }
        Test::Starts => vec![
            format!("{part}{TEXT}"),
            part.to_owned(),
            format!("{part}{now}"),
        ],
        Test::Ends if part.starts_with([':', '@']) => {
            vec![
                format!("{untagged}{part}"),
                format!("{now}{part}"),
                part.to_owned(),
            ]
        }
        Test::Ends => vec![format!("{now}{part}"), part.to_owned()],
        Test::Contains if part.starts_with('@') => {
            vec![format!("{now}{part}{}", "0".repeat(64)), part.to_owned()]
        }
        Test::Contains => vec![
            part.to_owned(),
            format!("{now}{part}"),
            format!("{part}{now}"),
        ],
        Test::Matches => {
            let example = Regex::example(part);
            let within = example.iter().map(|it| format!("{now}{it}"));
            example.clone().into_iter().chain(within).collect()
        }
    }
}

/// Returns strings that differ from the current one.
fn others(now: &str) -> Vec<String> {
    let short = now.rsplit('/').next().unwrap_or(now);
    let untagged = now.rsplit_once(':').map_or(now, |(before, _)| before);
    let mut others = vec![TEXT.to_owned(), "other".to_owned()];
    if now.contains('/') {
        others.insert(0, format!("other.example.com/{short}"));
        others.push(untagged.to_owned());
        others.push(format!("{untagged}:latest"));
    }
    let odd = ["", "Not Valid!", "a", "1", "UPPER", "192.0.2.1"];
    others.extend(odd.map(str::to_owned));
    others.push(format!("{now}-other"));
    others
}

fn near(order: Order, value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::Int(number) => {
            let below = Value::Int(number.saturating_sub(1));
            vec![Value::Int(order.near(*number)), below]
        }
        Value::Uint(number) => {
            let number = i64::try_from(*number).unwrap_or(i64::MAX);
            vec![Value::Int(order.near(number))]
        }
        Value::Double(number) => [0.0, 1.0, -1.0].map(|it| Value::Double(number + it)).into(),
        Value::String(text) => {
            let mut found = strings(others(text));
            found.insert(0, value.clone());
            found.push(Value::string(format!("{text}a")));
            found
        }
        Value::Timestamp(time) => {
            let spans = ["0s", "1h", "-1h"].map(Duration::parse);
            let times = spans
                .into_iter()
                .flatten()
                .filter_map(|it| time.checked_add(it));
            times.map(Value::Timestamp).collect()
        }
        Value::Duration(span) => {
            let factors = [1.0, 2.0, 0.5, 0.0, -1.0];
            let spans = factors.map(|it| Duration::parse(&format!("{}s", span.seconds() * it)));
            let other = Duration::parse("1h");
            let spans = spans.into_iter().chain([other]).flatten();
            spans.map(Value::Duration).collect()
        }
        Value::List(list) => {
            let more = list.iter().cloned().chain([Value::string(TEXT)]);
            vec![Value::list(more.collect()), Value::list(Vec::new())]
        }
        _ => Vec::new(),
    }
}

/// Returns a value as an integer, if it is one.
pub(super) fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}
