//! The clauses of a format string: `%s`, `%.2f`.

use crate::value::{number, quoted};

/// The verb of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `%s`
    String,
    /// `%d`
    Decimal,
    /// `%f`
    Fixed,
    /// `%e`
    Scientific,
    /// `%b`
    Binary,
    /// `%x`, and `%X` with capital letters
    Hexadecimal {
        /// Whether the letters are upper case.
        capitals: bool,
    },
    /// `%o`
    Octal,
}

impl Verb {
    /// Returns Kubernetes' message for a value of another type.
    pub(crate) const fn complaint(self) -> &'static str {
        match self {
            Verb::String => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, \
                 lists, types, durations, and timestamps"
            }
            Verb::Decimal => "decimal clause can only be used on integers",
            Verb::Fixed => "fixed-point clause can only be used on doubles",
            Verb::Scientific => "scientific clause can only be used on doubles",
            Verb::Binary => "only integers and bools can be formatted as binary",
            Verb::Hexadecimal { .. } => {
                "only integers, byte buffers, and strings can be formatted as hex"
            }
            Verb::Octal => "octal clause can only be used on integers",
        }
    }
}

/// A clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The verb.
    pub verb: Verb,
    /// The number after the point, if there is one.
    pub precision: Option<usize>,
    /// Its length in bytes, without the percent sign.
    pub length: usize,
}

impl Clause {
    /// Reads the clause that begins after a percent sign.
    ///
    /// # Errors
    /// It is invalid; the message is that of cel-go.
    ///
    /// Upstream: cel-go, ext/formatting.go, `parseFormattingClause`.
    pub fn read(text: &str) -> Result<Self, String> {
        let (precision, rest) = match text.strip_prefix('.') {
            Some(rest) => {
                let (precision, rest) = read_precision(rest)
                    .map_err(|why| format!("error while parsing precision: {why}"))?;
                (Some(precision), rest)
            }
            None => (None, text),
        };
        // Upstream reads a byte.
        let byte = rest.bytes().next().unwrap_or_default();
        let verb = match byte {
            b's' => Verb::String,
            b'd' => Verb::Decimal,
            b'f' => Verb::Fixed,
            b'e' => Verb::Scientific,
            b'b' => Verb::Binary,
            b'x' => Verb::Hexadecimal { capitals: false },
            b'X' => Verb::Hexadecimal { capitals: true },
            b'o' => Verb::Octal,
            _ => {
                let byte = char::from(byte);
                return Err(format!("unrecognized formatting clause \"{byte}\""));
            }
        };
        Ok(Self {
            verb,
            precision,
            length: text.len() - rest.len() + 1,
        })
    }
}

fn read_precision(text: &str) -> Result<(usize, &str), String> {
    let end = text
        .find(|next: char| !next.is_ascii_digit())
        .ok_or("could not find end of precision specifier")?;
    let (digits, rest) = text.split_at_checked(end).unwrap_or_default();
    match number::parse_int(digits).and_then(|number| usize::try_from(number).ok()) {
        Some(precision) => Ok((precision, rest)),
        None => {
            let why = if digits.is_empty() {
                "invalid syntax"
            } else {
                "value out of range"
            };
            let digits = quoted(digits);
            Err(format!(
                "error while converting precision to integer: strconv.Atoi: parsing {digits}: {why}"
            ))
        }
    }
}
