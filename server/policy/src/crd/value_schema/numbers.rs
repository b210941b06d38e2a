//! The checks of a number.
//!
//! Upstream: kubernetes/kube-openapi, pkg/validation/validate/validator.go, numberValidator;
//! values.go, IsValueValidAgainstRange, MaximumNativeType, MinimumNativeType and
//! MultipleOfNativeType.

use super::ValueSchema;
use super::error::{Reason, SchemaError, printed};
use super::validate::Outcome;
use crate::field_error::ErrorType;
use crate::field_path::{FieldPath, PathRef};
use cel::Value;
use kubernetes::versions::ServerVersion;
use kubernetes::versions::changes::NUMBERS_FIT_FORMATS;

/// Limit: the largest integer up to which a double holds every integer.
const MAX_INTEGER: f64 = 9_007_199_254_740_991.0;

/// The first double that exceeds every 64-bit integer.
const END: f64 = 9_223_372_036_854_775_808.0;

impl ValueSchema {
    pub(super) fn check_number(
        &self,
        value: &Value,
        path: PathRef<'_>,
        server: ServerVersion,
    ) -> Outcome {
        let check = Check {
            schema: self,
            value,
            path: path.to_path(),
            has_ranges: NUMBERS_FIT_FORMATS.applies(server),
        };
        let mut errors: Vec<SchemaError> = check.range(value, "Checked").into_iter().collect();
        let numbers = &self.numbers;
        let limits = [
            (numbers.multiple_of, "MultipleOf", Relation::MultipleOf),
            (
                numbers.min,
                "Minimum boundary",
                Relation::least(numbers.excludes_min),
            ),
            (
                numbers.max,
                "Maximum boundary",
                Relation::most(numbers.excludes_max),
            ),
        ];
        for (limit, name, relation) in limits {
            let Some(limit) = limit else { continue };
            let range = check.range(&Value::Double(limit), name);
            // A limit out of range is compared as a double.
            let is_native = range.is_none();
            errors.extend(range);
            errors.extend(check.limit(limit, relation, is_native));
        }
        Outcome { errors, checks: 1 }
    }
}

/// How a number relates to a limit.
#[derive(Clone, Copy)]
enum Relation {
    MultipleOf,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Relation {
    fn least(excludes: bool) -> Self {
        if excludes {
            Relation::Greater
        } else {
            Relation::GreaterOrEqual
        }
    }

    fn most(excludes: bool) -> Self {
        if excludes {
            Relation::Less
        } else {
            Relation::LessOrEqual
        }
    }

    fn words(self) -> &'static str {
        match self {
            Relation::MultipleOf => "a multiple of",
            Relation::Less => "less than",
            Relation::LessOrEqual => "less than or equal to",
            Relation::Greater => "greater than",
            Relation::GreaterOrEqual => "greater than or equal to",
        }
    }
}

/// A number that is checked.
struct Check<'a> {
    schema: &'a ValueSchema,
    value: &'a Value,
    path: FieldPath,
    has_ranges: bool,
}

impl Check<'_> {
    /// Compares the number with a limit: an integer with an integer, if the limit is one.
    // As Go converts the limit of an integer.
    fn limit(&self, limit: f64, relation: Relation, is_native: bool) -> Option<SchemaError> {
        let (holds, shown) = match self.value {
            Value::Int(number) if is_native => {
                let limit = limit as i64;
                let holds = match relation {
                    Relation::MultipleOf if limit <= 0 => {
                        return Some(self.factor(&Value::Int(limit)));
                    }
                    Relation::MultipleOf => number % limit == 0,
                    Relation::Less => *number < limit,
                    Relation::LessOrEqual => *number <= limit,
                    Relation::Greater => *number > limit,
                    Relation::GreaterOrEqual => *number >= limit,
                };
                (holds, limit.to_string())
            }
            value => {
                let number = double(value);
                let holds = match relation {
                    Relation::MultipleOf if limit <= 0.0 => {
                        return Some(self.factor(&Value::Double(limit)));
                    }
                    Relation::MultipleOf if limit < 1.0 => is_integer(1.0 / limit * number),
                    Relation::MultipleOf => is_integer(number / limit),
                    Relation::Less => number < limit,
                    Relation::LessOrEqual => number <= limit,
                    Relation::Greater => number > limit,
                    Relation::GreaterOrEqual => number >= limit,
                };
                (holds, Value::Double(limit).to_string())
            }
        };
        let reason = format!("should be {} {shown}", relation.words());
        (!holds).then(|| self.error(Reason::InBody(reason), self.value))
    }

    fn factor(&self, factor: &Value) -> SchemaError {
        let name = super::error::name(&self.path);
        let detail = format!("factor MultipleOf declared for {name} must be positive: {factor}");
        self.error(Reason::Detail(detail), factor)
    }

    fn error(&self, reason: Reason, value: &Value) -> SchemaError {
        SchemaError::new(self.path.clone(), ErrorType::Invalid, reason).with_value(printed(value))
    }

    /// Checks that a number or a limit fits the type and the format of the schema.
    fn range(&self, number: &Value, name: &str) -> Option<SchemaError> {
        let ty = match self.schema.types {
            [ty] if self.has_ranges => *ty,
            _ => return None,
        };
        let format = match (ty, &*self.schema.format) {
            ("integer", format @ ("int32" | "int64")) | ("number", format @ "float") => format,
            _ => "",
        };
        let fits = match (ty, format) {
            ("integer", "int32") => {
                integer_value(number).is_some_and(|it| i32::try_from(it).is_ok())
            }
            ("integer", _) => integer_value(number).is_some(),
            // The server also narrows it.
            ("number", "float") => (double(number) as f32).is_finite(),
            _ => true,
        };
        if fits {
            return None;
        }
        let format = match format {
            "" => "(default format)".to_owned(),
            format => format!("with format {format}"),
        };
        let place = super::error::name(&self.path);
        let text = format!("{name} value must be of type {ty} {format} in {place}");
        Some(SchemaError::whole(self.path.clone(), text))
    }
}

/// Returns the number as a 64-bit integer, if it is written as one.
// A number without a fraction within the range.
fn integer_value(number: &Value) -> Option<i64> {
    match number {
        Value::Int(number) => Some(*number),
        Value::Uint(number) => i64::try_from(*number).ok(),
        Value::Double(number) if number.fract() == 0.0 && number.abs() < END => {
            Some(*number as i64)
        }
        _ => None,
    }
}

// As Go converts the number.
fn double(number: &Value) -> f64 {
    match number {
        Value::Int(number) => *number as f64,
        Value::Uint(number) => *number as f64,
        Value::Double(number) => *number,
        _ => 0.0,
    }
}

/// Returns whether a double is an integer, up to a small relative error.
///
/// Upstream: go-openapi/swag, `IsFloat64AJSONInteger`.
pub(super) fn is_integer(number: f64) -> bool {
    if !number.is_finite() || number.abs() > MAX_INTEGER {
        return false;
    }
    let whole = number.trunc();
    let distance = (number - whole).abs();
    whole == number || whole > 0.0 && distance / (number.abs() + whole.abs()) < 1e-9
}
