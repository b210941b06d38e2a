//! Mapping an offset up to the file and down again returns the same offset.

use super::*;
use proptest::prelude::*;

fn file(start: u32, end: u32) -> TextRange {
    TextRange::new(start.into(), end.into())
}

/// `"a\nb` over two lines: `a`, an escape of two bytes, `b`, a folded line break with the
/// indentation of the next line, `cd`.
fn sample() -> SourceMap {
    let mut builder = SourceMapBuilder::new(1.into());
    builder.verbatim(file(1, 2));
    builder.replaced(file(2, 4), 1);
    builder.verbatim(file(4, 5));
    builder.replaced(file(5, 6), 1);
    builder.verbatim(file(10, 12));
    builder.finish()
}

#[test]
fn verbatim_bytes_map_one_to_one() {
    let map = SourceMap::verbatim(7.into(), 5.into());
    assert_eq!(map.up(Span::new(1, 3)), file(8, 10));
    assert_eq!(map.down(9.into()), Some(2));
    assert_eq!(map.down(12.into()), Some(5));
    assert_eq!(map.down(13.into()), None);
    assert_eq!(map.down(6.into()), None);
}

#[test]
fn an_escape_maps_as_a_whole() {
    assert_eq!(sample().up(Span::new(1, 2)), file(2, 4));
    assert_eq!(sample().up(Span::new(0, 3)), file(1, 5));
    assert_eq!(sample().down(3.into()), Some(1));
}

#[test]
fn a_span_starts_at_its_first_character_and_not_in_the_indentation() {
    assert_eq!(sample().up(Span::new(4, 5)), file(10, 11));
    assert_eq!(sample().up(Span::new(2, 3)), file(4, 5));
    assert_eq!(sample().down(8.into()), None);
}

#[test]
fn pieces_leave_the_indentation_out() {
    let pieces: Vec<_> = sample().up_pieces(Span::new(0, 6)).collect();
    assert_eq!(pieces, [file(1, 6), file(10, 12)]);
    let pieces: Vec<_> = sample().up_pieces(Span::new(2, 5)).collect();
    assert_eq!(pieces, [file(4, 6), file(10, 11)]);
}

#[test]
fn an_empty_span_within_an_escape_has_no_pieces() {
    assert_eq!(sample().up_pieces(Span::empty(1)).count(), 0);
    let mut builder = SourceMapBuilder::new(0.into());
    builder.replaced(file(0, 6), 3);
    assert_eq!(builder.finish().up_pieces(Span::empty(2)).count(), 0);
}

#[test]
fn the_end_is_after_the_last_character() {
    assert_eq!(sample().up(Span::empty(6)), TextRange::empty(12.into()));
    assert_eq!(sample().up(Span::new(90, 99)), TextRange::empty(12.into()));
}

#[test]
fn an_empty_text_stands_at_its_origin() {
    let map = SourceMapBuilder::new(3.into()).finish();
    assert_eq!(map.up(Span::empty(0)), TextRange::empty(3.into()));
    assert_eq!(map.down(3.into()), Some(0));
    assert_eq!(map.down(4.into()), None);
}

#[test]
fn truncate_cuts_both_sides() {
    let mut builder = SourceMapBuilder::new(0.into());
    builder.verbatim(file(0, 4));
    builder.replaced(file(4, 6), 1);
    builder.truncate(3);
    assert_eq!(builder.finish(), SourceMap::verbatim(0.into(), 3.into()));
}

prop_compose! {
    /// Pieces of random kinds with random gaps in the file.
    fn any_map()(parts in prop::collection::vec((any::<bool>(), 1u32..5, 1u32..4, 0u32..3), 0..12)) -> SourceMap {
        let mut at = 5;
        let mut builder = SourceMapBuilder::new(at.into());
        for (verbatim, in_file, decoded, gap) in parts {
            let range = file(at, at + in_file);
            if verbatim {
                builder.verbatim(range);
            } else {
                builder.replaced(range, decoded);
            }
            at += in_file + gap;
        }
        builder.finish()
    }
}

proptest! {
    #[test]
    fn down_of_up_is_the_offset(map in any_map()) {
        for offset in 0..=map.decoded_len() {
            let start = map.up(Span::empty(offset)).start();
            let down = map.down(start).expect("a mapped offset maps back");
            // Offsets within a replaced piece share its start.
            prop_assert!(down <= offset);
            prop_assert_eq!(map.up(Span::empty(down)).start(), start);
        }
    }

    #[test]
    fn ranges_keep_their_order(map in any_map(), a in 0u32..40, b in 0u32..40) {
        let (a, b) = (a.min(b), a.max(b));
        let range = map.up(Span::new(a, b));
        prop_assert!(range.start() <= range.end());
        for piece in map.up_pieces(Span::new(a, b)) {
            prop_assert!(range.contains_range(piece));
        }
    }
}

#[test]
fn a_cursor_in_the_indentation_stands_after_what_is_before_it() {
    assert_eq!(sample().down_floor(3.into()), 1);
    assert_eq!(sample().down_floor(8.into()), 4);
    assert_eq!(sample().down_floor(0.into()), 0);
    assert_eq!(sample().down_floor(99.into()), 6);
}
