//! IP addresses.
//!
//! Versions 4 and 6. Addresses with a zone and IPv4 addresses in IPv6 notation are refused.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// IP addresses.
pub static IP: Library = Library {
    name: "ip",
    macros: &[],
    functions: &[
        Function {
            doc: "Reads an IP address. One with a zone, an IPv4 address mapped to IPv6 and anything else is an error.",
            example: "ip('10.0.0.1').family() == 4",
            overloads: &[Overload::global(
                "string_to_ip",
                "string",
                "net.IP",
                Version(30),
            )],
            estimate: Some(calls::reads_argument),
            ..Function::named("ip")
        },
        Function {
            doc: "4 or 6: the version of an IP address.",
            example: "ip('::1').family() == 6",
            overloads: &[Overload::member("ip_family", "net.IP", "int", Version(30))],
            estimate: Some(calls::nominal),
            ..Function::named("family")
        },
        Function {
            doc: "Whether a text is an IP address as it is usually written: in lower case and short.",
            example: "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1')",
            overloads: &[Overload::global(
                "ip_is_canonical",
                "string",
                "bool",
                Version(30),
            )],
            estimate: Some(super::estimate::reads_argument_twice),
            ..Function::named("ip.isCanonical")
        },
        Function {
            doc: "Whether an IP address is `0.0.0.0` or `::`.",
            example: "ip('0.0.0.0').isUnspecified()",
            overloads: &[Overload::member(
                "ip_is_unspecified",
                "net.IP",
                "bool",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isUnspecified")
        },
        Function {
            doc: "Whether an IP address is that of the machine itself: `127.0.0.0/8` or `::1`.",
            example: "ip('127.0.0.1').isLoopback()",
            overloads: &[Overload::member(
                "ip_is_loopback",
                "net.IP",
                "bool",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isLoopback")
        },
        Function {
            doc: "Whether an IP address is for a group on the local link: `224.0.0.0/24` or `ff02::/16`.",
            example: "ip('224.0.0.1').isLinkLocalMulticast()",
            overloads: &[Overload::member(
                "ip_is_link_local_multicast",
                "net.IP",
                "bool",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isLinkLocalMulticast")
        },
        Function {
            doc: "Whether an IP address is for the local link: `169.254.0.0/16` or `fe80::/10`.",
            example: "ip('169.254.169.254').isLinkLocalUnicast()",
            overloads: &[Overload::member(
                "ip_is_link_local_unicast",
                "net.IP",
                "bool",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isLinkLocalUnicast")
        },
        Function {
            doc: "Whether an IP address is for one receiver beyond the link. Private ranges count.",
            example: "ip('10.0.0.1').isGlobalUnicast()",
            overloads: &[Overload::member(
                "ip_is_global_unicast",
                "net.IP",
                "bool",
                Version(30),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isGlobalUnicast")
        },
        Function {
            doc: "Whether `ip()` can read a text.",
            example: "isIP('10.0.0.1') && !isIP('10.0.0.256')",
            overloads: &[Overload::global("is_ip", "string", "bool", Version(30))],
            estimate: Some(calls::reads_argument),
            ..Function::named("isIP")
        },
        Function {
            doc: "The usual notation of an IP address.",
            example: "string(ip('2001:DB8::1')) == '2001:db8::1'",
            overloads: &[Overload::global(
                "ip_to_string",
                "net.IP",
                "string",
                Version(30),
            )],
            ..Function::named("string")
        },
    ],
};
