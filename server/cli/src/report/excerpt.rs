//! The lines of a file that a finding is shown in.
//!
//! The renderer gets these lines and never the file: the time to show a finding then depends on the
//! finding and not on the file, and a line of ten megabytes becomes a window around the position.
//! Every line ends in ` ` here, whatever its line break in the file.

use super::Source;
use super::columns::boundary;
use std::ops::Range;
use text::TextRange;

/// Limit: a longer line, in bytes, is cut. It is several screens wide.
const LONGEST_LINE: usize = 1_000;

/// Limit: bytes of a truncated line before the position.
const BEFORE: usize = 80;

/// Limit: bytes of a truncated line from the position on.
const AFTER: usize = 400;

/// Limit: a range over more lines is shown by its first line.
const MOST_LINES: u32 = 60;

const ELLIPSIS: &str = "…";

/// Consecutive lines of a file.
#[derive(Debug)]
pub(crate) struct Excerpt {
    /// The lines, each with a line feed but the last.
    pub(crate) text: String,
    /// The number of the first line, beginning at 1.
    pub(crate) first_line: usize,
    pieces: Vec<Piece>,
    is_cut: bool,
}

/// The shown part of a line.
#[derive(Debug)]
struct Piece {
    /// The bytes in the file.
    file: Range<usize>,
    /// The offset in the excerpt.
    at: usize,
    /// Whether the line begins before it.
    cut: bool,
}

impl Excerpt {
    /// Returns the lines from the first to the last of `ranges`. Long lines are truncated around
    /// the position where a range begins or ends.
    pub(crate) fn new(source: &Source, ranges: &[TextRange]) -> Self {
        let line = |offset| source.lines.line(offset);
        let first = ranges.iter().map(|range| line(range.start())).min();
        let last = ranges.iter().map(|range| line(range.end())).max();
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        let mut excerpt = Self {
            text: String::new(),
            first_line: first as usize + 1,
            pieces: Vec::new(),
            is_cut: false,
        };
        for number in first..=last {
            if number > first {
                excerpt.text.push('\n');
            }
            excerpt.push_line(source, number, ranges);
        }
        excerpt
    }

    fn push_line(&mut self, source: &Source, number: u32, ranges: &[TextRange]) {
        let content = source.lines.line_content(&source.text, number);
        let content = content.unwrap_or_default();
        let mut line = usize::from(content.start())..usize::from(content.end());
        if number == 0 && source.text.starts_with('\u{feff}') {
            line.start = line.end.min('\u{feff}'.len_utf8());
        }
        let visible = window(&source.text, &line, ranges);
        let cut = visible.start > line.start;
        self.is_cut |= visible != line;
        if cut {
            self.text.push_str(ELLIPSIS);
        }
        self.pieces.push(Piece {
            file: visible.clone(),
            at: self.text.len(),
            cut,
        });
        self.text
            .push_str(source.text.get(visible.clone()).unwrap_or(""));
        if visible.end < line.end {
            self.text.push_str(ELLIPSIS);
        }
    }

    /// Returns the range in the excerpt, without the parts that are not shown.
    pub(crate) fn span(&self, range: TextRange) -> Range<usize> {
        let start = self.offset(usize::from(range.start()));
        let end = self.offset(usize::from(range.end()));
        start..end.max(start)
    }

    fn offset(&self, offset: usize) -> usize {
        let after = self
            .pieces
            .partition_point(|piece| piece.file.start <= offset);
        match after
            .checked_sub(1)
            .and_then(|index| self.pieces.get(index))
        {
            Some(piece) => piece.at + offset.min(piece.file.end) - piece.file.start,
            None => self.pieces.first().map_or(0, |piece| piece.at),
        }
    }

    /// Returns whether the beginning of the line at `offset` is truncated, so that a column counted
    /// in the excerpt would be wrong.
    pub(crate) fn hides_start_of_line(&self, range: TextRange) -> bool {
        let start = usize::from(range.start());
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| piece.cut && piece.file.start <= start && start <= piece.file.end)
    }

    /// Returns whether a line is cut.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// Returns the part of a line to show.
fn window(text: &str, line: &Range<usize>, ranges: &[TextRange]) -> Range<usize> {
    if line.len() <= LONGEST_LINE {
        return line.clone();
    }
    let focus = ranges
        .iter()
        .flat_map(|range| [usize::from(range.start()), usize::from(range.end())])
        .filter(|offset| line.start <= *offset && *offset <= line.end)
        .min()
        .unwrap_or(line.start);
    let start = boundary(text, focus.saturating_sub(BEFORE)).max(line.start);
    let end = boundary(text, focus.saturating_add(AFTER)).min(line.end);
    start..end
}

/// Returns the part of a range to underline: without line feeds at its end, within the excerpt, and
/// at most a screen.
pub(crate) fn visible(source: &Source, range: TextRange) -> TextRange {
    let text: &str = &source.text;
    let start = boundary(text, usize::from(range.start()));
    let mut end = boundary(text, usize::from(range.end())).max(start);
    let first = source.lines.line(size(start));
    if source.lines.line(size(end)) - first > MOST_LINES {
        let content = source.lines.line_content(text, first).unwrap_or_default();
        end = usize::from(content.end()).max(start);
    }
    let kept = text.get(start..end).unwrap_or("").trim_end().len();
    if kept > 0 {
        end = start + kept;
    }
    TextRange::new(size(start), size(end))
}

fn size(offset: usize) -> text::TextSize {
    text::TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
}

/// Returns whether two ranges are close enough to share an excerpt.
pub(crate) fn are_near(source: &Source, left: TextRange, right: TextRange) -> bool {
    let cover = left.cover(right);
    let lines = source.lines.line(cover.end()) - source.lines.line(cover.start());
    lines <= MOST_LINES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::new(text.into())
    }

    fn range(source: &Source, words: &str) -> TextRange {
        let at = source.text.find(words).unwrap();
        TextRange::new(size(at), size(at + words.len()))
    }

    #[track_caller]
    fn check(text: &str, words: &str) -> Excerpt {
        let source = source(text);
        let range = range(&source, words);
        let excerpt = Excerpt::new(&source, &[range]);
        assert_eq!(excerpt.text.get(excerpt.span(range)), Some(words));
        excerpt
    }

    #[test]
    fn only_the_lines_of_the_range_are_taken() {
        let excerpt = check("a\r\nb 😀 c\rd\n", "😀 c");
        assert_eq!(excerpt.text, "b 😀 c");
        assert_eq!(excerpt.first_line, 2);
    }

    #[test]
    fn every_line_ending_becomes_a_line_feed() {
        let source = source("a: 1\r\nb: 2\rc: 3");
        let all = TextRange::up_to(size(source.text.len()));
        let excerpt = Excerpt::new(&source, &[all]);
        assert_eq!(excerpt.text, "a: 1\nb: 2\nc: 3");
        let c = excerpt.span(range(&source, "c"));
        assert_eq!(excerpt.text.get(c), Some("c"));
    }

    #[test]
    fn a_long_line_is_a_window_around_the_place() {
        let text = format!("{}here{}", "é".repeat(5_000), "😀".repeat(5_000));
        let excerpt = check(&text, "here");
        assert!(excerpt.text.len() < LONGEST_LINE);
        assert!(excerpt.text.starts_with("…é") && excerpt.text.ends_with("😀…"));
    }

    #[test]
    fn the_start_of_a_long_line_is_not_cut() {
        let text = format!("here {}", "x".repeat(5_000));
        let source = source(&text);
        let excerpt = check(&text, "here");
        assert!(!excerpt.hides_start_of_line(range(&source, "here")));
    }

    #[test]
    fn a_range_longer_than_the_window_is_cut_with_it() {
        let source = source(&"x".repeat(20_000));
        let all = TextRange::new(size(5_000), size(15_000));
        let excerpt = Excerpt::new(&source, &[all]);
        let span = excerpt.span(all);
        assert!(span.len() >= AFTER && span.end <= excerpt.text.len());
        assert!(excerpt.hides_start_of_line(all) && excerpt.is_cut());
    }

    #[test]
    fn a_byte_order_mark_is_not_shown() {
        assert_eq!(check("\u{feff}a: b", "a").text, "a: b");
    }

    #[test]
    fn line_feeds_at_the_end_are_not_underlined() {
        let source = source("a: |\n  b\n\n\nc: d\n");
        let block = TextRange::new(size(3), size(11));
        assert_eq!(visible(&source, block), TextRange::new(size(3), size(8)));
        let feed = TextRange::new(size(4), size(5));
        assert_eq!(visible(&source, feed), feed);
        let outside = TextRange::new(size(90), size(99));
        assert!(visible(&source, outside).is_empty());
    }

    #[test]
    fn a_range_over_many_lines_is_its_first() {
        let source = source(&"line\n".repeat(500));
        let all = TextRange::new(size(2), size(2_000));
        assert_eq!(visible(&source, all), TextRange::new(size(2), size(4)));
    }
}
