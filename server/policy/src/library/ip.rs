//! IP addresses.
//!
//! Versions 4 and 6. Addresses with a zone and IPv4-mapped IPv6 addresses are rejected.

pub(crate) mod parse;

use super::argument::{opaque, string};
use super::cost::{self, nominal};
use cel::cost::calls;
use cel::library::{Context, Function, Library, overloads};
use cel::types::Type;
use cel::value::{EvalError, Opaque, Value, unsupported};
use core::net::IpAddr;

/// IP addresses.
pub static IP: Library = Library {
    name: "ip",
    macros: &[],
    functions: &[
        Function {
            doc: "Parses an IP address. Fails if the string is not valid, has a zone, or is an IPv4-mapped IPv6 address.",
            example: "ip('10.0.0.1').family() == 4",
            overloads: overloads![
                global "string_to_ip" since 30: "string" -> "net.IP", runs to_ip;
            ],
            estimate: Some(calls::reads_argument),
            cost: Some(conversion_cost),
            ..Function::named("ip")
        },
        Function {
            doc: "Returns the IP version of the address: 4 or 6.",
            example: "ip('::1').family() == 6",
            overloads: overloads![
                member "ip_family" since 30: "net.IP" -> "int";
            ],
            implementation: Some(family),
            ..nominal("family")
        },
        Function {
            doc: "Returns whether the string is an IP address in its canonical form.",
            example: "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1')",
            overloads: overloads![
                global "ip_is_canonical" since 30: "string" -> "bool";
            ],
            estimate: Some(super::estimate::reads_argument_twice),
            implementation: Some(is_canonical),
            cost: Some(cost::reads_first_twice),
            ..Function::named("ip.isCanonical")
        },
        Function {
            doc: "Returns whether the address is unspecified: `0.0.0.0` or `::`.",
            example: "ip('0.0.0.0').isUnspecified()",
            overloads: overloads![
                member "ip_is_unspecified" since 30: "net.IP" -> "bool";
            ],
            implementation: Some(is_unspecified),
            ..nominal("isUnspecified")
        },
        Function {
            doc: "Returns whether the address is a loopback address: `127.0.0.0/8` or `::1`.",
            example: "ip('127.0.0.1').isLoopback()",
            overloads: overloads![
                member "ip_is_loopback" since 30: "net.IP" -> "bool";
            ],
            implementation: Some(is_loopback),
            ..nominal("isLoopback")
        },
        Function {
            doc: "Returns whether the address is a link-local multicast address: `224.0.0.0/24` or `ff02::/16`.",
            example: "ip('224.0.0.1').isLinkLocalMulticast()",
            overloads: overloads![
                member "ip_is_link_local_multicast" since 30: "net.IP" -> "bool";
            ],
            implementation: Some(is_link_local_multicast),
            ..nominal("isLinkLocalMulticast")
        },
        Function {
            doc: "Returns whether the address is a link-local unicast address: `169.254.0.0/16` or `fe80::/10`.",
            example: "ip('169.254.169.254').isLinkLocalUnicast()",
            overloads: overloads![
                member "ip_is_link_local_unicast" since 30: "net.IP" -> "bool";
            ],
            implementation: Some(is_link_local_unicast),
            ..nominal("isLinkLocalUnicast")
        },
        Function {
            doc: "Returns whether the address is a global unicast address. Private addresses are included.",
            example: "ip('10.0.0.1').isGlobalUnicast()",
            overloads: overloads![
                member "ip_is_global_unicast" since 30: "net.IP" -> "bool";
            ],
            implementation: Some(is_global_unicast),
            ..nominal("isGlobalUnicast")
        },
        Function {
            doc: "Returns whether the string is a valid IP address.",
            example: "isIP('10.0.0.1') && !isIP('10.0.0.256')",
            overloads: overloads![
                global "is_ip" since 30: "string" -> "bool";
            ],
            estimate: Some(calls::reads_argument),
            implementation: Some(is_ip),
            cost: Some(cost::reads_first),
            ..Function::named("isIP")
        },
        Function {
            doc: "Returns the canonical form of the IP address.",
            example: "string(ip('2001:DB8::1')) == '2001:db8::1'",
            overloads: overloads![
                global "ip_to_string" since 30: "net.IP" -> "string", runs to_string;
            ],
            ..Function::named("string")
        },
    ],
};

/// An IP address as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ip(pub IpAddr);

impl Opaque for Ip {
    fn ty(&self) -> Type {
        Type::opaque("net.IP")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn display(&self) -> String {
        self.0.to_string()
    }

    fn go_type(&self) -> &'static str {
        "cel.IP"
    }

    fn is_comparable(&self) -> bool {
        true
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(unsupported("netip.Addr", &self.display())))
    }

    fn size(&self) -> Option<u64> {
        Some(if self.0.is_ipv4() { 4 } else { 16 })
    }
}

/// Returns the cost of the functions named `ip`: an address is read from a string, and a range has
/// one.
pub(super) fn conversion_cost(overload: &str, args: &[Value], result: &Value) -> Option<u64> {
    match overload {
        "cidr_ip" => Some(1),
        _ => cost::reads_first(overload, args, result),
    }
}

fn to_ip(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let address = parse::address(string(args, 0)?).map_err(EvalError::message)?;
    Ok(Value::opaque(Ip(address)))
}

fn is_ip(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(parse::address(string(args, 0)?).is_ok()))
}

fn is_canonical(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let text = string(args, 0)?;
    let address = parse::address(text).map_err(EvalError::message)?;
    Ok(Value::Bool(address.to_string() == text))
}

fn to_string(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::string(opaque::<Ip>(args, 0)?.0.to_string()))
}

fn family(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let address = opaque::<Ip>(args, 0)?.0;
    Ok(Value::Int(if address.is_ipv4() { 4 } else { 6 }))
}

fn is_unspecified(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(opaque::<Ip>(args, 0)?.0.is_unspecified()))
}

fn is_loopback(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(opaque::<Ip>(args, 0)?.0.is_loopback()))
}

fn is_link_local_multicast(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(match opaque::<Ip>(args, 0)?.0 {
        IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
        IpAddr::V6(address) => matches!(address.octets(), [0xff, scope, ..] if scope & 0xf == 2),
    }))
}

fn is_link_local_unicast(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(link_local_unicast(opaque::<Ip>(args, 0)?.0)))
}

fn link_local_unicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

/// Upstream: Go, net/netip/netip.go, `IsGlobalUnicast`.
fn is_global_unicast(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let address = opaque::<Ip>(args, 0)?.0;
    let is_broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    Ok(Value::Bool(
        !is_broadcast
            && !address.is_unspecified()
            && !address.is_loopback()
            && !address.is_multicast()
            && !link_local_unicast(address),
    ))
}

#[cfg(test)]
mod tests;
