//! Named formats.
//!
//! The checks that the API server makes on names and fields, with the words in which it refuses them.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// Named formats.
pub static FORMAT: Library = Library {
    name: "format",
    macros: &[],
    functions: &[
        Function {
            doc: "The format of that name, if there is one.",
            example: "format.named('dns1123Label').hasValue()",
            overloads: &[Overload::global(
                "format-named",
                "string",
                "optional_type(struct(kubernetes.NamedFormat))",
                Version(31),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("format.named")
        },
        Function {
            doc: "None if a string has the format, else what is wrong with it.",
            example: "!format.dns1123Label().validate('my-name').hasValue()",
            overloads: &[Overload::member(
                "format-validate",
                "struct(kubernetes.NamedFormat), string",
                "optional_type(list(string))",
                Version(31),
            )],
            estimate: Some(super::estimate::validate),
            ..Function::named("validate")
        },
        Function {
            doc: "The format of base64 text.",
            example: "!format.byte().validate('aGk=').hasValue()",
            overloads: &[Overload::global(
                "format.byte",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.byte")
        },
        Function {
            doc: "The format of a date.",
            example: "!format.date().validate('2024-02-29').hasValue()",
            overloads: &[Overload::global(
                "format.date",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.date")
        },
        Function {
            doc: "The format of a date with time.",
            example: "!format.datetime().validate('2024-02-29T12:30:45Z').hasValue()",
            overloads: &[Overload::global(
                "format.datetime",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.datetime")
        },
        Function {
            doc: "The format of a DNS label that begins with a letter.",
            example: "!format.dns1035Label().validate('my-name').hasValue()",
            overloads: &[Overload::global(
                "format.dns1035Label",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.dns1035Label")
        },
        Function {
            doc: "The format of the beginning of a DNS label that begins with a letter.",
            example: "!format.dns1035LabelPrefix().validate('my-').hasValue()",
            overloads: &[Overload::global(
                "format.dns1035LabelPrefix",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.dns1035LabelPrefix")
        },
        Function {
            doc: "The format of a DNS label, as in the names of services and namespaces.",
            example: "!format.dns1123Label().validate('1-name').hasValue()",
            overloads: &[Overload::global(
                "format.dns1123Label",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.dns1123Label")
        },
        Function {
            doc: "The format of the beginning of a DNS label.",
            example: "!format.dns1123LabelPrefix().validate('my-').hasValue()",
            overloads: &[Overload::global(
                "format.dns1123LabelPrefix",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.dns1123LabelPrefix")
        },
        Function {
            doc: "The format of a DNS name, as in the names of most objects.",
            example: "!format.dns1123Subdomain().validate('my.name').hasValue()",
            overloads: &[Overload::global(
                "format.dns1123Subdomain",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.dns1123Subdomain")
        },
        Function {
            doc: "The format of the beginning of a DNS name.",
            example: "!format.dns1123SubdomainPrefix().validate('my.name-').hasValue()",
            overloads: &[Overload::global(
                "format.dns1123SubdomainPrefix",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.dns1123SubdomainPrefix")
        },
        Function {
            doc: "The format of the value of a label.",
            example: "!format.labelValue().validate('My_value').hasValue()",
            overloads: &[Overload::global(
                "format.labelValue",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.labelValue")
        },
        Function {
            doc: "The format of the key of a label or an annotation.",
            example: "!format.qualifiedName().validate('example.com/name').hasValue()",
            overloads: &[Overload::global(
                "format.qualifiedName",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.qualifiedName")
        },
        Function {
            doc: "The format of an absolute URI.",
            example: "!format.uri().validate('https://example.com/').hasValue()",
            overloads: &[Overload::global(
                "format.uri",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.uri")
        },
        Function {
            doc: "The format of a UUID.",
            example: "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()",
            overloads: &[Overload::global(
                "format.uuid",
                "",
                "struct(kubernetes.NamedFormat)",
                Version(31),
            )],
            ..Function::named("format.uuid")
        },
    ],
};
