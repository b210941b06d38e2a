//! Ranges of IP addresses.
//!
//! `10.0.0.0/8`: an address and how many of its bits all addresses of the range share.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// Ranges of IP addresses.
pub static CIDR: Library = Library {
    name: "cidr",
    macros: &[],
    functions: &[
        Function {
            doc: "Reads a range, `10.0.0.0/8`. Anything else is an error. Bits after the prefix are kept.",
            example: "cidr('10.0.0.0/8').containsIP('10.1.2.3')",
            overloads: &[Overload::global(
                "string_to_cidr",
                "string",
                "net.CIDR",
                Version(30),
            )],
            estimate: Some(calls::reads_argument),
            ..Function::named("cidr")
        },
        Function {
            doc: "Whether an IP address, also given as a string, is in a range.",
            example: "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))",
            overloads: &[
                Overload::member(
                    "cidr_contains_ip_string",
                    "net.CIDR, string",
                    "bool",
                    Version(30),
                ),
                Overload::member(
                    "cidr_contains_ip_ip",
                    "net.CIDR, net.IP",
                    "bool",
                    Version(30),
                ),
            ],
            estimate: Some(super::estimate::contains_ip),
            ..Function::named("containsIP")
        },
        Function {
            doc: "Whether a range, also given as a string, is wholly in another.",
            example: "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
            overloads: &[
                Overload::member(
                    "cidr_contains_cidr_string",
                    "net.CIDR, string",
                    "bool",
                    Version(30),
                ),
                Overload::member(
                    "cidr_contains_cidr",
                    "net.CIDR, net.CIDR",
                    "bool",
                    Version(30),
                ),
            ],
            estimate: Some(super::estimate::contains_cidr),
            ..Function::named("containsCIDR")
        },
        Function {
            doc: "The address of a range as it was written.",
            example: "cidr('10.1.2.3/8').ip() == ip('10.1.2.3')",
            overloads: &[Overload::member(
                "cidr_ip",
                "net.CIDR",
                "net.IP",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("ip")
        },
        Function {
            doc: "How many bits all addresses of a range share.",
            example: "cidr('10.0.0.0/8').prefixLength() == 8",
            overloads: &[Overload::member(
                "cidr_prefix_length",
                "net.CIDR",
                "int",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("prefixLength")
        },
        Function {
            doc: "A range with the bits after the prefix set to zero.",
            example: "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
            overloads: &[Overload::member(
                "cidr_masked",
                "net.CIDR",
                "net.CIDR",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("masked")
        },
        Function {
            doc: "Whether `cidr()` can read a text.",
            example: "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0')",
            overloads: &[Overload::global("is_cidr", "string", "bool", Version(30))],
            estimate: Some(calls::reads_argument),
            ..Function::named("isCIDR")
        },
        Function {
            doc: "The usual notation of a range.",
            example: "string(cidr('10.0.0.0/8')) == '10.0.0.0/8'",
            overloads: &[Overload::global(
                "cidr_to_string",
                "net.CIDR",
                "string",
                Version(30),
            )],
            ..Function::named("string")
        },
    ],
};
