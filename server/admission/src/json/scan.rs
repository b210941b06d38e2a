//! The syntax of JSON, without values.
//!
//! The parts of an object that policies do not read are skipped, but their syntax is still checked.
//! The scan is stricter than the reader of values: it accepts what every reader accepts and leaves
//! the rest, such as numbers with an exponent, to it. So that reader finds and describes errors.

/// Limit: nested lists and maps, fewer than the reader of values allows.
pub(super) const MAX_DEPTH: u8 = 100;

/// Limit: the digits of a number, so that it is finite.
const MAX_DIGITS: usize = 300;

/// A position in JSON. Every function returns `None` for input that it leaves to the reader of
/// values.
#[derive(Clone, Debug)]
pub(super) struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

/// A string in JSON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoted<'t> {
    /// The string without its quotes.
    pub(super) inner: &'t str,
    /// Whether it has escapes.
    pub(super) has_escapes: bool,
}

/// The name of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldName<'t> {
    pub(super) text: &'t str,
    /// The offset of its opening quote.
    pub(super) start: usize,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
        }
    }

    /// Returns the offset of the next byte.
    pub(super) const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the first byte after white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Takes a byte after white space.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Consumes a byte after white space, if it is next.
    #[inline]
    pub(super) fn takes(&mut self, byte: u8) -> bool {
        self.take(byte).is_some()
    }

    /// Consumes a comma, or the closing bracket. Returns whether it is the comma.
    #[inline]
    pub(super) fn has_next(&mut self, end: u8) -> Option<bool> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b',' => Some(true),
            _ => (byte == end).then_some(false),
        }
    }

    /// Consumes a word.
    pub(super) fn literal(&mut self, word: &str) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        rest.starts_with(word.as_bytes())
            .then(|| self.at += word.len())
    }

    /// Takes a string after white space.
    #[inline]
    pub(super) fn string(&mut self) -> Option<Quoted<'t>> {
        let start = self.at + 1;
        let has_escapes = self.skip_string()?;
        Some(Quoted {
            inner: self.text.get(start..self.at - 1)?,
            has_escapes,
        })
    }

    /// Takes the name of a field and the colon after it. One with escapes is left to the reader of
    /// values.
    #[inline]
    pub(super) fn name(&mut self) -> Option<FieldName<'t>> {
        self.peek()?;
        let start = self.at;
        let name = self.string().filter(|it| !it.has_escapes)?;
        self.take(b':')?;
        Some(FieldName {
            text: name.inner,
            start,
        })
    }

    /// Returns the text from an offset up to the next byte.
    pub(super) fn since(&self, start: usize) -> Option<&'t str> {
        self.text.get(start..self.at)
    }

    /// Skips a string. Returns whether it has escapes.
    #[inline]
    fn skip_string(&mut self) -> Option<bool> {
        if *self.bytes.get(self.at)? != b'"' {
            return None;
        }
        let end = special(self.bytes, self.at + 1)?;
        if *self.bytes.get(end)? == b'"' {
            self.at = end + 1;
            return Some(false);
        }
        self.at = end;
        self.skip_escapes()?;
        Some(true)
    }

    /// Skips the rest of a string, from its first escape.
    #[inline(never)]
    fn skip_escapes(&mut self) -> Option<()> {
        loop {
            match self.bytes.get(self.at)? {
                b'"' => break,
                b'\\' => self.escape()?,
                // A control character.
                _ => return None,
            }
            self.at = special(self.bytes, self.at)?;
        }
        self.at += 1;
        Some(())
    }

    /// Skips an escape. Surrogates come in pairs, which are left to the reader of values.
    fn escape(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.at + 1..)?;
        self.at += match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', digits @ ..] => {
                let digits = digits.first_chunk::<4>()?;
                let is_surrogate = matches!(
                    digits,
                    [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..]
                );
                let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
                (is_hex && !is_surrogate).then_some(6)?
            }
            _ => return None,
        };
        Some(())
    }

    /// Consumes a number. Returns it, and whether it is an integer.
    pub(super) fn number(&mut self) -> Option<(&'t str, bool)> {
        let start = self.at;
        let is_integer = self.skip_number()?;
        Some((self.since(start)?, is_integer))
    }

    /// Skips a number. Returns whether it is an integer.
    fn skip_number(&mut self) -> Option<bool> {
        self.at += usize::from(self.bytes.get(self.at) == Some(&b'-'));
        let first = self.at;
        let digits = self.digits()?;
        let has_leading_zero = digits > 1 && self.bytes.get(first) == Some(&b'0');
        let is_integer = self.bytes.get(self.at) != Some(&b'.');
        if !is_integer {
            self.at += 1;
            self.digits()?;
        }
        let is_plain = !has_leading_zero && digits <= MAX_DIGITS;
        let has_exponent = matches!(self.bytes.get(self.at), Some(b'e' | b'E'));
        (is_plain && !has_exponent).then_some(is_integer)
    }

    /// Skips one or more digits. Returns their number.
    fn digits(&mut self) -> Option<usize> {
        let rest = self.bytes.get(self.at..)?;
        let count = rest.iter().take_while(|it| it.is_ascii_digit()).count();
        self.at += count;
        (count > 0).then_some(count)
    }

    /// Skips a value after white space, nested in `depth` lists and maps.
    pub(super) fn skip(&mut self, depth: u8) -> Option<()> {
        match self.peek()? {
            b'"' => self.skip_string().map(|_| ()),
            b'{' => self.skip_map(depth),
            b'[' => self.skip_list(depth),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            _ => self.skip_number().map(|_| ()),
        }
    }

    fn skip_map(&mut self, depth: u8) -> Option<()> {
        self.at += 1;
        if depth >= MAX_DEPTH {
            return None;
        }
        if self.takes(b'}') {
            return Some(());
        }
        loop {
            self.peek()?;
            self.skip_string()?;
            self.take(b':')?;
            // Most values are strings.
            if self.peek()? == b'"' {
                self.skip_string()?;
            } else {
                self.skip(depth + 1)?;
            }
            if !self.has_next(b'}')? {
                return Some(());
            }
        }
    }

    fn skip_list(&mut self, depth: u8) -> Option<()> {
        self.at += 1;
        if depth >= MAX_DEPTH {
            return None;
        }
        if self.takes(b']') {
            return Some(());
        }
        loop {
            self.skip(depth + 1)?;
            if !self.has_next(b']')? {
                return Some(());
            }
        }
    }
}

/// A byte in each of eight.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each of eight bytes.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns the offset of the next quote, backslash or control character. Most strings are short, so
/// eight bytes are compared at once without setting up a search.
#[inline]
fn special(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        let Some(eight) = rest.first_chunk::<8>() else {
            let found = rest
                .iter()
                .position(|it| matches!(it, b'"' | b'\\' | 0..0x20));
            return found.map(|found| at + found);
        };
        // A byte that is less than another one borrows from its highest bit, which no ASCII
        // character has.
        let word = u64::from_le_bytes(*eight);
        let quotes = (word ^ (ONES * u64::from(b'"'))).wrapping_sub(ONES);
        let backslashes = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        let controls = word.wrapping_sub(ONES * 0x20);
        let found = (quotes | backslashes | controls) & !word & HIGH;
        if found != 0 {
            // The lowest match is exact: only bytes after a match can be false matches.
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
}
