//! Large JSON values.

use super::super::chunk::Layout;
use super::super::scan::{Fields, ListHead, Outline, Reached, Token};
use super::super::window::Window;
use super::super::{CHUNK, MAX_OBJECT, ObjectProblemKind, ObjectStream, Progress, State};
use super::Large;
use std::io::{self, Read};
use std::sync::Arc;

/// The elements of an array that is not in memory as a whole.
#[derive(Debug)]
pub(in crate::objects) struct Items {
    outline: Outline,
    /// The number of open brackets between elements.
    depth: usize,
    list: Arc<ListHead>,
    /// The offset after the last element in the window.
    cut: usize,
    /// Whether the current element is too large and its bytes are skipped.
    is_skipped: bool,
}

/// The position after a step through the elements.
enum ItemsReached {
    /// Enough elements for a chunk.
    Enough(usize),
    /// The offset after a skipped element.
    Skipped(usize),
    /// The offset of the bracket after the last element.
    End(usize, u8),
    /// The end of the text.
    TextEnd,
}

impl Items {
    fn advance(&mut self, text: &[u8]) -> ItemsReached {
        while let Some(token) = self.outline.next(text) {
            match token {
                Token::Comma(at) if self.outline.depth() == self.depth => {
                    if std::mem::take(&mut self.is_skipped) {
                        return ItemsReached::Skipped(at + 1);
                    }
                    self.cut = at + 1;
                    if self.cut >= CHUNK {
                        return ItemsReached::Enough(self.cut);
                    }
                }
                Token::Close(at, bracket) if self.outline.depth() < self.depth => {
                    return ItemsReached::End(at, bracket);
                }
                _ => {}
            }
        }
        ItemsReached::TextEnd
    }

    /// Adjusts the state after bytes were taken at the front.
    fn passed(mut self, count: usize) -> Large {
        self.outline.cut(count);
        self.cut = 0;
        Large::JsonItems(self)
    }

    fn layout(&self) -> Layout {
        Layout::JsonItems(Arc::clone(&self.list))
    }
}

impl<R: Read> ObjectStream<R> {
    pub(super) fn json(&mut self, mut fields: Fields) -> io::Result<Progress> {
        let size = self.window.bytes().len();
        match fields.advance(self.window.bytes()) {
            Reached::Items(at) => self.items_begin(fields, at),
            Reached::ValueEnd(end) => {
                self.state = State::Values;
                Ok(self.chunk(end, Layout::Values))
            }
            Reached::TextEnd if self.window.is_last() => Ok(self.rest(Layout::Values)),
            Reached::TextEnd if size > MAX_OBJECT => {
                let mut outline = fields.outline().clone();
                outline.cut(size);
                Ok(self.too_large(Large::JsonRest(outline)))
            }
            Reached::TextEnd => self.grow(Large::Json(fields)),
        }
    }

    /// Starts the items of a list at an offset of the window.
    fn items_begin(&mut self, fields: Fields, at: usize) -> io::Result<Progress> {
        let depth = fields.outline().depth();
        let mut head = fields.head;
        if depth > 1 && head.kind.is_none() && self.lacks_kind(at)? {
            let Some(rest) = self.again(at) else {
                return Ok(self.fail(ObjectProblemKind::LateKind));
            };
            let found = behind_items(rest?)?;
            head.kind = found.kind;
            head.api_version = head.api_version.or(found.api_version);
        }
        self.window.skip(at);
        Ok(self.continue_with(Large::JsonItems(Items {
            outline: Outline::at(0, depth),
            depth,
            list: Arc::new(head),
            cut: 0,
            is_skipped: false,
        })))
    }

    /// Returns whether the first item at an offset has no kind.
    fn lacks_kind(&mut self, at: usize) -> io::Result<bool> {
        loop {
            let mut first = Fields::before(at);
            let reached = first.advance(self.window.bytes());
            let size = self.window.bytes().len();
            if reached != Reached::TextEnd || self.window.is_last() || size > MAX_OBJECT {
                return Ok(first.head.kind.is_none());
            }
            self.window.fill(size + CHUNK)?;
        }
    }

    pub(super) fn json_items(&mut self, mut items: Items) -> io::Result<Progress> {
        let size = self.window.bytes().len();
        let layout = items.layout();
        Ok(match items.advance(self.window.bytes()) {
            ItemsReached::Enough(cut) => self.give(cut, layout, items.passed(cut)),
            ItemsReached::Skipped(end) => {
                self.window.skip(end);
                self.continue_with(items.passed(end))
            }
            ItemsReached::End(at, bracket) => {
                let mut outline = items.outline.clone();
                outline.cut(at);
                let then = match bracket {
                    b']' => Large::JsonRest(outline),
                    _ => Large::Broken(ObjectProblemKind::Json("expected `,` or `]`".to_owned())),
                };
                if items.is_skipped {
                    self.window.skip(at);
                    return Ok(self.continue_with(then));
                }
                self.give(at, layout, then)
            }
            ItemsReached::TextEnd if items.is_skipped => {
                self.window.skip(size);
                let then = items.passed(size);
                self.items_go_on(then)?
            }
            ItemsReached::TextEnd if self.window.is_last() => {
                self.give(size, layout, Large::Broken(ObjectProblemKind::Unclosed))
            }
            ItemsReached::TextEnd if items.cut > 0 && size >= CHUNK => {
                let cut = items.cut;
                self.give(cut, layout, items.passed(cut))
            }
            ItemsReached::TextEnd if size > MAX_OBJECT => {
                items.is_skipped = true;
                let then = items.passed(size);
                self.too_large(then)
            }
            ItemsReached::TextEnd => self.grow(Large::JsonItems(items))?,
        })
    }

    /// Continues with an empty window.
    fn items_go_on(&mut self, then: Large) -> io::Result<Progress> {
        if self.window.is_last() {
            return Ok(self.fail(ObjectProblemKind::Unclosed));
        }
        self.grow(then)
    }

    /// Skips what follows the items of a list, or a value that is too large.
    pub(super) fn json_rest(&mut self, mut outline: Outline) -> io::Result<Progress> {
        let is_end = |outline: &Outline| outline.depth() == 0;
        while !is_end(&outline) && outline.next(self.window.bytes()).is_some() {}
        let passed = outline.offset();
        self.window.skip(passed);
        if is_end(&outline) {
            self.state = State::Values;
            return Ok(Progress::Next);
        }
        outline.cut(passed);
        self.items_go_on(Large::JsonRest(outline))
    }
}

/// Returns the type of a list from the fields after its items.
fn behind_items(rest: impl Read) -> io::Result<ListHead> {
    let mut window = Window::new(rest);
    let mut outline = Outline::at(0, 1);
    while outline.depth() > 0 {
        window.fill(CHUNK)?;
        while outline.depth() > 0 && outline.next(window.bytes()).is_some() {}
        if outline.depth() > 0 && window.is_last() {
            return Ok(ListHead::default());
        }
        let passed = outline.offset();
        window.skip(passed);
        outline.cut(passed);
    }
    let mut fields = Fields::within(0);
    loop {
        let size = window.bytes().len();
        window.fill(size + CHUNK)?;
        let reached = fields.advance(window.bytes());
        if reached != Reached::TextEnd || window.is_last() || size > MAX_OBJECT {
            return Ok(fields.head);
        }
    }
}
