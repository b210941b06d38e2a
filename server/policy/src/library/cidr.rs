//! Ranges of IP addresses.
//!
//! `10.0.0.0/8`: an address and how many of its bits all addresses of the range share.
use super::argument::{opaque, string};
use super::cost::{self, nominal};
use super::ip::Ip;
use super::ip::parse::{address as parse_address, any_address, is_mapped};
use cel::cost::{STRING_TRAVERSAL, actual, calls};
use cel::library::{Context, Function, Library, overloads};
use cel::types::Type;
use cel::value::{EvalError, Opaque, Value, unsupported};
use core::net::IpAddr;
use kubernetes::ServerVersion;
use kubernetes::quote::quote;
use kubernetes::versions::bugs::CONTAINS_CIDR_TOO_STRICT;

/// Ranges of IP addresses.
pub static CIDR: Library = Library {
    name: "cidr",
    macros: &[],
    functions: &[
        Function {
            doc: "Parses an address range in CIDR notation, such as `10.0.0.0/8`. Fails if the string is not valid. Bits after the prefix are kept.",
            example: "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
            overloads: overloads![
                global "string_to_cidr" since 30: "string" -> "net.CIDR", runs to_cidr;
            ],
            estimate: Some(calls::reads_argument),
            cost: Some(cost::reads_first),
            ..Function::named("cidr")
        },
        Function {
            doc: "Returns whether the range contains an IP address, which may be a string.",
            example: "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))",
            overloads: overloads![
                member "cidr_contains_ip_string" since 30:
                    "net.CIDR, string" -> "bool", runs contains_ip_text;
                member "cidr_contains_ip_ip" since 30:
                    "net.CIDR, net.IP" -> "bool", runs contains_ip;
            ],
            estimate: Some(super::estimate::contains_ip),
            cost: Some(contains_ip_cost),
            ..Function::named("containsIP")
        },
        Function {
            doc: "Returns whether the range contains all of another, which may be a string.",
            example: "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
            overloads: overloads![
                member "cidr_contains_cidr_string" since 30:
                    "net.CIDR, string" -> "bool", runs contains_cidr_text;
                member "cidr_contains_cidr" since 30:
                    "net.CIDR, net.CIDR" -> "bool", runs contains_cidr;
            ],
            estimate: Some(super::estimate::contains_cidr),
            cost: Some(contains_cidr_cost),
            ..Function::named("containsCIDR")
        },
        Function {
            doc: "Returns the IP address of the range, as written.",
            example: "cidr('10.1.2.3/8').ip() == ip('10.1.2.3')",
            overloads: overloads![
                member "cidr_ip" since 30: "net.CIDR" -> "net.IP", runs address;
            ],
            estimate: Some(calls::nominal),
            cost: Some(super::ip::conversion_cost),
            ..Function::named("ip")
        },
        Function {
            doc: "Returns the length of the prefix in bits.",
            example: "cidr('10.0.0.0/8').prefixLength() == 8",
            overloads: overloads![
                member "cidr_prefix_length" since 30: "net.CIDR" -> "int";
            ],
            implementation: Some(prefix_length),
            ..nominal("prefixLength")
        },
        Function {
            doc: "Returns the range with the bits after the prefix set to zero.",
            example: "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
            overloads: overloads![
                member "cidr_masked" since 30: "net.CIDR" -> "net.CIDR";
            ],
            implementation: Some(masked),
            ..nominal("masked")
        },
        Function {
            doc: "Returns whether the string is a valid address range in CIDR notation.",
            example: "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0')",
            overloads: overloads![
                global "is_cidr" since 30: "string" -> "bool";
            ],
            estimate: Some(calls::reads_argument),
            implementation: Some(is_cidr),
            cost: Some(cost::reads_first),
            ..Function::named("isCIDR")
        },
        Function {
            doc: "Returns the range in CIDR notation.",
            example: "string(cidr('10.0.0.0/8')) == '10.0.0.0/8'",
            overloads: overloads![
                global "cidr_to_string" since 30: "net.CIDR" -> "string", runs to_string;
            ],
            ..Function::named("string")
        },
    ],
};

/// A range of IP addresses as a value. Bits after the prefix are kept as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr {
    /// The address.
    pub address: IpAddr,
    /// The length of the prefix in bits.
    pub bits: u8,
}

impl Cidr {
    /// Parses an address range.
    ///
    /// Upstream: Go, net/netip/netip.go, `ParsePrefix`; kubernetes/apiserver,
    /// pkg/cel/library/cidr.go, parseCIDR.
    ///
    /// # Errors
    /// The error of the API server.
    pub fn parse(text: &str) -> Result<Self, String> {
        let range = Self::parse_any(text).map_err(|reason| {
            let text = quote(text);
            format!(
                "network address parse error during conversion from string: \
                 netip.ParsePrefix({text}): {reason}"
            )
        })?;
        if is_mapped(range.address) {
            let text = quote(text);
            return Err(format!("IPv4-mapped IPv6 address {text} is not allowed"));
        }
        Ok(range)
    }

    fn parse_any(text: &str) -> Result<Self, String> {
        let (address, bits) = text.rsplit_once('/').ok_or("no '/'")?;
        let (address, zone) = any_address(address)?;
        if !zone.is_empty() {
            return Err("IPv6 zones cannot be present in a prefix".to_owned());
        }
        let number = bits.strip_prefix('0').filter(|rest| !rest.is_empty());
        let is_number = number.is_none() && bits.bytes().all(|byte| byte.is_ascii_digit());
        let bad = || format!("bad bits after slash: {}", quote(bits));
        if !is_number || bits.is_empty() || bits.parse::<i64>().is_err() {
            return Err(bad());
        }
        let most = if address.is_ipv4() { 32 } else { 128 };
        match bits.parse() {
            Ok(bits) if bits <= most => Ok(Self { address, bits }),
            _ => Err("prefix length out of range".to_owned()),
        }
    }

    /// Returns whether an address is in the range.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                shares(own.to_bits().into(), other.to_bits().into(), 32, self.bits)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                shares(own.to_bits(), other.to_bits(), 128, self.bits)
            }
            _ => false,
        }
    }

    /// Returns the range with the bits after the prefix set to zero.
    #[must_use]
    pub(crate) fn masked(&self) -> Self {
        let address = match self.address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                IpAddr::V4((address.to_bits() & mask).into())
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits));
                IpAddr::V6((address.to_bits() & mask.unwrap_or(0)).into())
            }
        };
        Self { address, ..*self }
    }
}

/// Returns whether two addresses of a width have the same first bits.
fn shares(a: u128, b: u128, width: u32, bits: u8) -> bool {
    (a ^ b).checked_shr(width - u32::from(bits)).unwrap_or(0) == 0
}

impl Opaque for Cidr {
    fn ty(&self) -> Type {
        Type::opaque("net.CIDR")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn display(&self) -> String {
        format!("{}/{}", self.address, self.bits)
    }

    fn go_type(&self) -> &'static str {
        "cel.CIDR"
    }

    fn is_comparable(&self) -> bool {
        true
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(unsupported("netip.Prefix", &self.display())))
    }

    fn size(&self) -> Option<u64> {
        Some(u64::from(self.bits).div_ceil(8))
    }
}

fn to_cidr(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let range = Cidr::parse(string(args, 0)?).map_err(|error| {
        EvalError::message(format!(
            "network address parse error during conversion from string: {error}"
        ))
    })?;
    Ok(Value::opaque(range))
}

fn is_cidr(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(Cidr::parse(string(args, 0)?).is_ok()))
}

fn to_string(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::string(opaque::<Cidr>(args, 0)?.display()))
}

fn contains_ip(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let address = opaque::<Ip>(args, 1)?.0;
    Ok(Value::Bool(opaque::<Cidr>(args, 0)?.contains(address)))
}

/// Returns whether the range contains an address in a string. The server reports "no such overload"
/// for an invalid one.
fn contains_ip_text(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let address = parse_address(string(args, 1)?).map_err(|_| EvalError::no_such_overload())?;
    Ok(Value::Bool(opaque::<Cidr>(args, 0)?.contains(address)))
}

fn contains_cidr(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (range, other) = (opaque::<Cidr>(args, 0)?, opaque::<Cidr>(args, 1)?);
    Ok(Value::Bool(contains_range(context, range, other)))
}

fn contains_cidr_text(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let other = to_cidr(context, args.get(1..).unwrap_or_default())?;
    let other = opaque::<Cidr>(std::slice::from_ref(&other), 0)?;
    let range = opaque(args, 0)?;
    Ok(Value::Bool(contains_range(context, range, other)))
}

fn contains_range(context: &Context<'_>, range: &Cidr, other: &Cidr) -> bool {
    let is_within = if CONTAINS_CIDR_TOO_STRICT.affects(ServerVersion(context.release())) {
        range.masked().address == other.address
    } else {
        range.contains(other.address)
    };
    is_within && range.bits <= other.bits
}

fn address(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::opaque(Ip(opaque::<Cidr>(args, 0)?.address)))
}

fn prefix_length(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Int(opaque::<Cidr>(args, 0)?.bits.into()))
}

fn masked(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::opaque(opaque::<Cidr>(args, 0)?.masked()))
}

fn contains_ip_cost(overload: &str, args: &[Value], _: &Value) -> Option<u64> {
    let (range, other) = (args.first()?.size(), args.get(1)?.size());
    let mut cost = actual::part(2 * range, STRING_TRAVERSAL);
    if overload == "cidr_contains_ip_string" {
        cost += actual::part(other, STRING_TRAVERSAL);
    }
    Some(cost)
}

fn contains_cidr_cost(overload: &str, args: &[Value], _: &Value) -> Option<u64> {
    let (range, other) = (args.first()?.size(), args.get(1)?.size());
    let mut cost = actual::part(2 * range, STRING_TRAVERSAL);
    cost += actual::part(range, STRING_TRAVERSAL) + 1;
    if overload == "cidr_contains_cidr_string" {
        cost += actual::part(other, STRING_TRAVERSAL);
    }
    Some(cost)
}

#[cfg(test)]
mod tests;
