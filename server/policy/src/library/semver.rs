//! Versions.
//!
//! Semantic versions 2.0.0, `1.2.3-rc.1`, and optionally incomplete ones, `v1.2`.

mod version;

use super::argument::{opaque, string};
use super::cost::{self, nominal};
use cel::cost::calls;
use cel::library::{Context, Function, Library, overloads};
use cel::types::Type;
use cel::value::{EvalError, Opaque, Value, unsupported};
use std::cmp::Ordering;

/// Versions.
pub(crate) static SEMVER: Library = Library {
    name: "semver",
    macros: &[],
    functions: &[
        Function {
            doc: "Parses a semantic version such as `1.2.3`. With `true`, it is normalized first: a leading `v`, missing parts and leading zeros are accepted.",
            example: "semver('v1.2', true) == semver('1.2.0')",
            overloads: overloads![
                global "string_to_semver" since 33:
                    "string" -> "struct(kubernetes.Semver)", runs to_semver;
                global "string_bool_to_semver" since 33:
                    "string, bool" -> "struct(kubernetes.Semver)", runs to_semver;
            ],
            estimate: Some(calls::reads_argument),
            cost: Some(cost::reads_first),
            ..Function::named("semver")
        },
        Function {
            doc: "Returns whether the string is a valid semantic version.",
            example: "isSemver('1.2.3-rc.1') && !isSemver('v1.2')",
            overloads: overloads![
                global "is_semver_string" since 33: "string" -> "bool", runs is_semver;
                global "is_semver_string_bool" since 33: "string, bool" -> "bool", runs is_semver;
            ],
            estimate: Some(calls::reads_argument),
            cost: Some(cost::reads_first),
            ..Function::named("isSemver")
        },
        Function {
            doc: "Returns whether the version is greater than another.",
            example: "semver('1.10.0').isGreaterThan(semver('1.9.0'))",
            overloads: overloads![
                member "semver_is_greater_than" since 33:
                    "struct(kubernetes.Semver), struct(kubernetes.Semver)" -> "bool";
            ],
            implementation: Some(is_greater),
            ..nominal("isGreaterThan")
        },
        Function {
            doc: "Returns whether the version is less than another. A pre-release such as `1.0.0-rc.1` is less than its release.",
            example: "semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))",
            overloads: overloads![
                member "semver_is_less_than" since 33:
                    "struct(kubernetes.Semver), struct(kubernetes.Semver)" -> "bool";
            ],
            implementation: Some(is_less),
            ..nominal("isLessThan")
        },
        Function {
            doc: "Returns -1, 0 or 1 if the version is less than, equal to or greater than another. Build metadata after `+` is ignored.",
            example: "semver('1.2.3+a').compareTo(semver('1.2.3')) == 0",
            overloads: overloads![
                member "semver_compare_to" since 33:
                    "struct(kubernetes.Semver), struct(kubernetes.Semver)" -> "int";
            ],
            implementation: Some(compare),
            ..nominal("compareTo")
        },
        Function {
            doc: "Returns the major version.",
            example: "semver('1.2.3').major() == 1",
            overloads: overloads![
                member "semver_major" since 33: "struct(kubernetes.Semver)" -> "int";
            ],
            implementation: Some(major),
            ..nominal("major")
        },
        Function {
            doc: "Returns the minor version.",
            example: "semver('1.2.3').minor() == 2",
            overloads: overloads![
                member "semver_minor" since 33: "struct(kubernetes.Semver)" -> "int";
            ],
            implementation: Some(minor),
            ..nominal("minor")
        },
        Function {
            doc: "Returns the patch version.",
            example: "semver('1.2.3').patch() == 3",
            overloads: overloads![
                member "semver_patch" since 33: "struct(kubernetes.Semver)" -> "int";
            ],
            implementation: Some(patch),
            ..nominal("patch")
        },
    ],
};

/// A semantic version as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semver(version::Version);

impl Opaque for Semver {
    fn ty(&self) -> Type {
        Type::object("kubernetes.Semver")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn display(&self) -> String {
        self.0.to_string()
    }

    fn go_type(&self) -> &'static str {
        "cel.Semver"
    }

    fn is_hashable(&self) -> bool {
        false
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(unsupported("semver.Version", &self.display())))
    }
}

fn read(args: &[Value]) -> Result<Result<Semver, String>, EvalError> {
    let text = string(args, 0)?;
    let version = match args.get(1).map(Value::as_bool) {
        None | Some(Some(false)) => version::Version::parse(text),
        Some(Some(true)) => version::Version::parse_normalized(text),
        Some(None) => return Err(EvalError::no_such_overload()),
    };
    Ok(version.map(Semver))
}

fn to_semver(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    read(args)?.map(Value::opaque).map_err(EvalError::message)
}

fn is_semver(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(read(args)?.is_ok()))
}

fn order(args: &[Value]) -> Result<Ordering, EvalError> {
    Ok(opaque::<Semver>(args, 0)?
        .0
        .cmp(&opaque::<Semver>(args, 1)?.0))
}

fn is_greater(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(order(args)?.is_gt()))
}

fn is_less(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(order(args)?.is_lt()))
}

fn compare(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Int(order(args)? as i64))
}

/// Returns the major version. A number that is too large for an `int` wraps around, as on the
/// server.
fn major(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Int(opaque::<Semver>(args, 0)?.0.major.cast_signed()))
}

fn minor(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Int(opaque::<Semver>(args, 0)?.0.minor.cast_signed()))
}

fn patch(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Int(opaque::<Semver>(args, 0)?.0.patch.cast_signed()))
}

#[cfg(test)]
mod tests;
