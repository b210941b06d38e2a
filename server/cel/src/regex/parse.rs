//! Reading a regular expression by Go's rules.
//!
//! Upstream: Go, regexp/syntax/parse.go, `parse`, with the flags `Perl`.

use super::class::{self, Class, Item};
use super::error::{Code, RegexError};
use super::escape;
use super::group::{Flags, Opening};
use super::node::{Extent, Node, Repeat};

/// Limit: Go, `maxRepeat`, for all nested counts together.
const MAX_REPEAT: u32 = 1000;
/// Limit: Go, `maxHeight`.
const MAX_HEIGHT: u32 = 1000;
/// Limit: Go, `maxSize`, in instructions of 40 bytes.
const MAX_SIZE: u64 = (128 << 20) / 40;

/// Reads a pattern.
pub(super) fn parse(pattern: &str) -> Result<Node, RegexError> {
    let mut parser = Parser {
        pattern,
        flags: Flags::default(),
        outer: Vec::new(),
        group: Group::default(),
    };
    let (mut rest, mut last_repeat) = (pattern, None);
    while !rest.is_empty() {
        let before = rest;
        let (after, was_repeat) = parser.step(rest, last_repeat)?;
        last_repeat = was_repeat.then_some(before);
        rest = after;
    }
    parser.finish()
}

struct Parser<'p> {
    pattern: &'p str,
    flags: Flags,
    /// The groups around the current one. The first is the whole expression.
    outer: Vec<Group>,
    group: Group,
}

/// A group that is open.
#[derive(Default)]
struct Group {
    capture: bool,
    /// The flags that apply again after it.
    flags: Flags,
    alternatives: Vec<(Node, Extent)>,
    /// The parts of the alternative that is being read.
    parts: Vec<(Node, Extent)>,
}

/// The rest of the pattern, and whether the step was a repetition.
type ParsedPart<'p> = Result<(&'p str, bool), RegexError>;

impl<'p> Parser<'p> {
    fn step(&mut self, text: &'p str, last_repeat: Option<&'p str>) -> ParsedPart<'p> {
        let mut chars = text.chars();
        let Some(first) = chars.next() else {
            return Ok(("", false));
        };
        let rest = chars.as_str();
        match first {
            '(' => return self.open(text, rest).map(|rest| (rest, false)),
            '|' => {
                let (node, extent) = concat(std::mem::take(&mut self.group.parts));
                check(extent, self.pattern)?;
                self.group.alternatives.push((node, extent));
            }
            ')' => self.close()?,
            '^' if self.flags.lines => self.push(Node::LineStart),
            '^' => self.push(Node::TextStart),
            '$' if self.flags.lines => self.push(Node::LineEnd),
            '$' => self.push(Node::TextEnd),
            '.' if self.flags.dot_all => self.push(Node::Any),
            '.' => self.push(Node::AnyInLine),
            '[' => {
                let (class, rest) = Class::read(text, self.flags.fold)?;
                self.push(Node::Class(class));
                return Ok((rest, false));
            }
            '*' => return self.repeat(text, rest, (0, None, false), last_repeat),
            '+' => return self.repeat(text, rest, (1, None, false), last_repeat),
            '?' => return self.repeat(text, rest, (0, Some(1), false), last_repeat),
            '{' => return self.brace(text, rest, last_repeat),
            '\\' => return self.escape(text).map(|rest| (rest, false)),
            _ => self.push_literal(u32::from(first)),
        }
        Ok((rest, false))
    }

    fn push(&mut self, node: Node) {
        self.group.parts.push((node, Extent::LEAF));
    }

    fn push_literal(&mut self, code: u32) {
        let fold = self.flags.fold;
        self.push(Node::Literal { code, fold });
    }

    fn push_item(&mut self, item: Item) {
        let class = Class::from_item(item, self.flags.fold);
        self.push(Node::Class(class));
    }

    fn open(&mut self, text: &'p str, rest: &'p str) -> Result<&'p str, RegexError> {
        let mut group = Group {
            capture: true,
            flags: self.flags,
            ..Group::default()
        };
        let mut after = rest;
        if rest.starts_with('?') {
            let (opening, rest) = Opening::read(text, self.flags)?;
            after = rest;
            match opening {
                Opening::Capture => {}
                Opening::Group(flags) => {
                    group.capture = false;
                    self.flags = flags;
                }
                Opening::Flags(flags) => {
                    self.flags = flags;
                    return Ok(after);
                }
            }
        }
        self.outer.push(std::mem::replace(&mut self.group, group));
        Ok(after)
    }

    fn close(&mut self) -> Result<(), RegexError> {
        let Some(outer) = self.outer.pop() else {
            return Err(RegexError::new(Code::UnexpectedParen, self.pattern));
        };
        let group = std::mem::replace(&mut self.group, outer);
        self.flags = group.flags;
        let capture = group.capture;
        let (mut node, mut extent) = group.finish();
        if capture {
            node = Node::Capture(Box::new(node));
            extent = extent.nested(2);
        }
        check(extent, self.pattern)?;
        self.group.parts.push((node, extent));
        Ok(())
    }

    fn finish(self) -> Result<Node, RegexError> {
        if !self.outer.is_empty() {
            return Err(RegexError::new(Code::MissingParen, self.pattern));
        }
        let (node, extent) = self.group.finish();
        check(extent, self.pattern)?;
        Ok(node)
    }

    /// Reads a repetition whose operator ends before `after`: least, most, whether in braces.
    fn repeat(
        &mut self,
        text: &'p str,
        after: &'p str,
        (min, max, counted): (u32, Option<u32>, bool),
        last_repeat: Option<&'p str>,
    ) -> ParsedPart<'p> {
        let mut greedy = !self.flags.lazy;
        let mut rest = after;
        if let Some(after) = rest.strip_prefix('?') {
            rest = after;
            greedy = !greedy;
        }
        let up_to_here = |start: &'p str| start.strip_suffix(rest).unwrap_or(start);
        if let Some(last) = last_repeat {
            return Err(RegexError::new(Code::RepeatOperator, up_to_here(last)));
        }
        let Some((node, extent)) = self.group.parts.pop() else {
            return Err(RegexError::new(Code::MissingArgument, up_to_here(text)));
        };
        let extent = extent.repeated(min, max, counted);
        check(extent, self.pattern)?;
        let node = Node::Repeat(Box::new(Repeat {
            node,
            min,
            max,
            greedy,
            counted,
        }));
        let is_long = min >= 2 || max.is_some_and(|max| max >= 2);
        if counted && is_long && !node.repeats_at_most(MAX_REPEAT) {
            return Err(RegexError::new(Code::RepeatSize, up_to_here(text)));
        }
        self.group.parts.push((node, extent));
        Ok((rest, true))
    }

    fn brace(
        &mut self,
        text: &'p str,
        rest: &'p str,
        last_repeat: Option<&'p str>,
    ) -> ParsedPart<'p> {
        let Some((counts, after)) = read_counts(rest) else {
            self.push_literal(u32::from('{'));
            return Ok((rest, false));
        };
        let valid = match counts {
            (Some(min), Count::Unlimited) if min <= MAX_REPEAT => Some((min, None)),
            (Some(min), Count::Number(max)) if min <= max && max <= MAX_REPEAT => {
                Some((min, Some(max)))
            }
            _ => None,
        };
        let Some((min, max)) = valid else {
            let part = text.strip_suffix(after).unwrap_or(text);
            return Err(RegexError::new(Code::RepeatSize, part));
        };
        self.repeat(text, after, (min, max, true), last_repeat)
    }

    fn escape(&mut self, text: &'p str) -> Result<&'p str, RegexError> {
        let mut chars = text.chars();
        let letter = chars.nth(1);
        let rest = chars.as_str();
        match letter {
            Some('A') => self.push(Node::TextStart),
            Some('z') => self.push(Node::TextEnd),
            Some('b') => self.push(Node::WordBoundary),
            Some('B') => self.push(Node::NoWordBoundary),
            Some('C') => return Err(RegexError::new(Code::Escape, "\\C")),
            Some('Q') => {
                let (literal, rest) = rest.split_once("\\E").unwrap_or((rest, ""));
                for next in literal.chars() {
                    self.push_literal(u32::from(next));
                }
                return Ok(rest);
            }
            _ => return self.character(text),
        }
        Ok(rest)
    }

    /// Reads an escape for characters.
    fn character(&mut self, text: &'p str) -> Result<&'p str, RegexError> {
        let item = match class::read_property(text)? {
            Some(found) => Some(found),
            None => class::read_perl(text),
        };
        if let Some((item, rest)) = item {
            self.push_item(item);
            return Ok(rest);
        }
        let (code, rest) = escape::read(text)?;
        self.push_literal(code);
        Ok(rest)
    }
}

/// Rejects a pattern that has grown too large.
fn check(extent: Extent, pattern: &str) -> Result<(), RegexError> {
    let code = if extent.size > MAX_SIZE {
        Code::Large
    } else if extent.height > MAX_HEIGHT {
        Code::Nesting
    } else {
        return Ok(());
    };
    Err(RegexError::new(code, pattern))
}

impl Group {
    fn finish(mut self) -> (Node, Extent) {
        let last = concat(self.parts);
        if self.alternatives.is_empty() {
            return last;
        }
        self.alternatives.push(last);
        let between = self.alternatives.len() as u64 - 1;
        let mut extent = Extent::NOTHING;
        let mut nodes = Vec::with_capacity(self.alternatives.len());
        for (node, part) in self.alternatives {
            match node {
                Node::Alternate(inner) => {
                    nodes.extend(inner);
                    extent = extent.in_parallel_with(part.inside());
                }
                node => {
                    nodes.push(node);
                    extent = extent.in_parallel_with(part);
                }
            }
        }
        (Node::Alternate(nodes), extent.nested(between))
    }
}

/// Concatenates parts. A part that is a concatenation itself is merged, as Go does it.
fn concat(mut parts: Vec<(Node, Extent)>) -> (Node, Extent) {
    if parts.len() == 1
        && let Some(only) = parts.pop()
    {
        return only;
    }
    if parts.is_empty() {
        return (Node::Concat(Vec::new()), Extent::LEAF);
    }
    let mut extent = Extent::NOTHING;
    let mut nodes = Vec::with_capacity(parts.len());
    for (node, part) in parts {
        match node {
            Node::Concat(inner) if !inner.is_empty() => {
                nodes.extend(inner);
                extent = extent.in_parallel_with(part.inside());
            }
            node => {
                nodes.push(node);
                extent = extent.in_parallel_with(part);
            }
        }
    }
    (Node::Concat(nodes), extent.nested(0))
}

/// The count after the comma in braces.
enum Count {
    Unlimited,
    Number(u32),
    TooLarge,
}

/// Returns the numbers of `{2}`, `{2,}` and `{2,5}`, and the string after it. A number that is
/// too large is `None`. `None` also if the braces are characters.
fn read_counts(text: &str) -> Option<((Option<u32>, Count), &str)> {
    let (min, rest) = read_count(text)?;
    let (max, rest) = match rest.strip_prefix(',') {
        None => (min.map_or(Count::TooLarge, Count::Number), rest),
        Some(rest) if rest.starts_with('}') => (Count::Unlimited, rest),
        Some(rest) => {
            let (max, rest) = read_count(rest)?;
            (max.map_or(Count::TooLarge, Count::Number), rest)
        }
    };
    Some(((min, max), rest.strip_prefix('}')?))
}

fn read_count(text: &str) -> Option<(Option<u32>, &str)> {
    let end = text
        .find(|next: char| !next.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().ok(), rest))
}
