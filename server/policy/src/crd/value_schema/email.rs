//! Email addresses as Go reads them: `name@example.com`, or `Name <name@example.com>`.
//!
//! Upstream: Go, net/mail/message.go, `ParseAddress`.

/// Returns whether a string is one address.
pub(super) fn is_email(text: &str) -> bool {
    let mut reader = Reader { rest: text };
    reader.skip_space() && reader.address() && reader.skip_space() && reader.rest.is_empty()
}

/// Limit: comments within comments.
const MAX_COMMENTS: usize = 100;

/// The part of a string that has not been read.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn take(&mut self, letter: char) -> bool {
        let rest = self.rest.strip_prefix(letter);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next();
        self.rest = letters.as_str();
        letter
    }

    /// Skips blanks and comments. Returns whether the comments end.
    fn skip_space(&mut self) -> bool {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            if !self.take('(') {
                return true;
            }
            let mut depth = 1;
            while depth > 0 {
                match self.next() {
                    Some('\\') if self.next().is_none() => return false,
                    Some('(') if depth == MAX_COMMENTS => return false,
                    Some('(') => depth += 1,
                    Some(')') => depth -= 1,
                    Some(_) => {}
                    None => return false,
                }
            }
        }
    }

    /// Reads an address, or a name and an address in angle brackets.
    fn address(&mut self) -> bool {
        let start = self.rest;
        if self.spec() {
            return true;
        }
        self.rest = start;
        if !self.rest.starts_with('<') && !self.phrase() {
            return false;
        }
        self.skip_space() && self.take('<') && self.spec() && self.take('>')
    }

    fn spec(&mut self) -> bool {
        self.skip_space()
            && self.local()
            && self.skip_space()
            && self.take('@')
            && self.skip_space()
            && self.domain()
            && self.skip_space()
    }

    fn local(&mut self) -> bool {
        if self.rest.starts_with('"') {
            self.quoted().is_some_and(|is_empty| !is_empty)
        } else {
            self.atom(true)
        }
    }

    fn domain(&mut self) -> bool {
        if !self.take('[') {
            return self.atom(true);
        }
        let Some((literal, rest)) = self.rest.split_once(']') else {
            return false;
        };
        self.rest = rest;
        let version_6 = literal.strip_prefix("IPv6:");
        match version_6 {
            Some(address) => address.parse::<core::net::Ipv6Addr>().is_ok(),
            None => literal.parse::<core::net::IpAddr>().is_ok(),
        }
    }

    /// Words before the angle bracket.
    fn phrase(&mut self) -> bool {
        let mut has_words = false;
        loop {
            if !self.skip_space() {
                return false;
            }
            let is_word = if self.rest.starts_with('"') {
                self.quoted().is_some()
            } else {
                // A word may also begin or end with dots.
                self.letters(true) > 0
            };
            if !is_word {
                return has_words;
            }
            has_words = true;
        }
    }

    /// Reads a string in double quotes. Returns whether it is empty, or `None` if it is
    /// unterminated.
    fn quoted(&mut self) -> Option<bool> {
        self.take('"').then_some(())?;
        let mut is_empty = true;
        loop {
            match self.next()? {
                '"' => return Some(is_empty),
                '\\' => drop(self.next().filter(|it| is_visible(*it))?),
                letter if is_visible(letter) || matches!(letter, ' ' | '\t') => {}
                _ => return None,
            }
            is_empty = false;
        }
    }

    /// Letters with single dots between them.
    fn atom(&mut self, has_dots: bool) -> bool {
        let start = self.rest;
        let length = self.letters(has_dots);
        let text = start.get(..length).unwrap_or("");
        !text.is_empty() && !text.starts_with('.') && !text.ends_with('.') && !text.contains("..")
    }

    /// Skips the letters of an atom. Returns their bytes.
    fn letters(&mut self, has_dots: bool) -> usize {
        let is_letter =
            |it: char| is_visible(it) && !r#"()<>[]:;@\,""#.contains(it) && (has_dots || it != '.');
        let rest = self.rest.trim_start_matches(is_letter);
        let length = self.rest.len() - rest.len();
        self.rest = rest;
        length
    }
}

fn is_visible(letter: char) -> bool {
    !letter.is_control() && letter != ' '
}
