//! Breaking lines.
//!
//! The printer passes a flat list of items with groups in it. A group is printed on one line if it
//! fits, holds no comment and the author has not broken it. Otherwise each of its own lines is
//! broken.

/// A part of the output.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Text(&'a str),
    /// A space, dropped at the start and the end of a line.
    Space,
    /// A space, or a line break if its group is broken.
    Line,
    /// Empty, or a line break if its group is broken.
    SoftLine,
    /// A space, or a line break if its group is broken and the group after it does not fit.
    Fill {
        /// Whether the author breaks the line here.
        is_broken: bool,
    },
    /// The beginning of a group.
    Open {
        /// Whether the author breaks it.
        is_broken: bool,
    },
    /// The end of a group.
    Close,
    /// Indents the lines that follow.
    Indent,
    Dedent,
    /// An empty line, if a line begins here.
    Blank,
    /// A comment. What follows begins a line.
    Comment {
        text: &'a str,
        /// Whether it is the first on its line.
        has_own_line: bool,
    },
}

/// Returns the items as text, with lines of at most `width` characters if possible. `first`
/// characters precede the first line.
pub(super) fn lay_out(items: &[Item<'_>], width: usize, first: usize) -> String {
    let measures = measure(items);
    let mut writer = Writer {
        out: String::new(),
        column: first,
        indent: 0,
        gap: Gap::Start,
        after_comment: false,
        after_blank: false,
    };
    let mut groups = vec![true];
    for (index, (item, measure)) in items.iter().zip(&measures).enumerate() {
        let is_broken = groups.last().copied().unwrap_or(true);
        match item {
            Item::Open { .. } => {
                let fits = measure.is_some_and(|it| writer.next_column() + it <= width);
                groups.push(is_broken && !fits);
            }
            Item::Close => {
                groups.pop();
            }
            Item::Indent => writer.indent += 1,
            Item::Dedent => writer.indent -= 1,
            Item::Line | Item::SoftLine if is_broken => writer.leave(Gap::Newline),
            Item::Fill { is_broken: forced } if is_broken => {
                let next = measures.get(index + 1).copied().flatten();
                let fits = next.is_some_and(|it| writer.next_column() + 1 + it <= width);
                writer.leave(Gap::from_break(*forced || !fits));
            }
            Item::Line | Item::Space | Item::Fill { .. } => writer.leave(Gap::Space),
            Item::SoftLine => {}
            Item::Blank => writer.after_blank = true,
            Item::Text(text) => writer.text(text),
            Item::Comment { text, has_own_line } => writer.comment(text, *has_own_line),
        }
    }
    writer.out
}

/// Returns, for each beginning of a group, the number of characters up to the first possible line
/// break after the group, if no line is broken inside it. `None` if a comment or the author breaks
/// it, and for other items.
fn measure(items: &[Item<'_>]) -> Vec<Option<usize>> {
    let mut measures = vec![None; items.len()];
    // From the end: the characters and breaks after each item, and the characters after the next
    // possible line break.
    let mut all = 0;
    let mut breaks = 0;
    let mut next_break = 0;
    let mut closes: Vec<(usize, usize)> = Vec::new();
    for (item, measure) in items.iter().zip(&mut measures).rev() {
        match item {
            Item::Text(text) => all += line_width(text),
            Item::Space => all += 1,
            Item::Line | Item::Fill { .. } => {
                next_break = all;
                all += 1;
                breaks += usize::from(matches!(item, Item::Fill { is_broken: true }));
            }
            Item::SoftLine => next_break = all,
            Item::Comment { .. } => {
                next_break = all;
                breaks += 1;
            }
            Item::Close => closes.push((next_break, breaks)),
            Item::Open { is_broken } => {
                let (end, breaks_behind) = closes.pop().unwrap_or_default();
                breaks += usize::from(*is_broken);
                *measure = (breaks == breaks_behind).then(|| all - end);
            }
            Item::Indent | Item::Dedent | Item::Blank => {}
        }
    }
    measures
}

/// Returns the characters of a string up to its first line break.
fn line_width(text: &str) -> usize {
    text.split('\n').next().unwrap_or("").chars().count()
}

/// The space before the next token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    /// Empty, since it is the first.
    Start,
    None,
    Space,
    Newline,
}

impl Gap {
    const fn from_break(is_broken: bool) -> Self {
        if is_broken {
            Self::Newline
        } else {
            Self::Space
        }
    }
}

struct Writer {
    out: String,
    column: usize,
    indent: usize,
    gap: Gap,
    /// Whether the last item written is a comment.
    after_comment: bool,
    /// Whether the author leaves a line empty before the next item.
    after_blank: bool,
}

impl Writer {
    const INDENT: usize = 2;

    /// Returns the column at which the next token would begin.
    const fn next_column(&self) -> usize {
        match self.gap {
            Gap::Start => self.column,
            Gap::None => self.column,
            Gap::Space => self.column + 1,
            Gap::Newline => self.indent * Self::INDENT,
        }
    }

    /// Requires at least this gap before the next text.
    fn leave(&mut self, gap: Gap) {
        if self.gap != Gap::Start {
            self.gap = self.gap.max(gap);
        }
    }

    fn comment(&mut self, text: &str, has_own_line: bool) {
        if has_own_line {
            self.leave(Gap::Newline);
        } else if !self.after_comment && self.gap != Gap::Start {
            // A break that is due anyway comes after the comment.
            self.gap = Gap::Space;
        }
        self.text(text);
        self.gap = Gap::Newline;
        self.after_comment = true;
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.gap {
            Gap::Start | Gap::None => {}
            Gap::Space => self.out.push(' '),
            Gap::Newline => {
                // None at the edges of brackets.
                let is_edge =
                    self.out.ends_with(['(', '[', '{']) || text.starts_with([')', ']', '}']);
                if self.after_blank && !is_edge {
                    self.out.push('\n');
                }
                self.out.push('\n');
                for _ in 0..self.indent * Self::INDENT {
                    self.out.push(' ');
                }
            }
        }
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.next_column() + text.chars().count(),
        };
        self.out.push_str(text);
        self.gap = Gap::None;
        self.after_comment = false;
        self.after_blank = false;
    }
}
