//! Sorting as Go sorts.
//!
//! Go's sort does not keep equal elements in their order: which one comes first depends on the
//! algorithm. To return the same list as Kubernetes, `sortBy` uses the same algorithm: a
//! pattern-defeating quicksort, which also tolerates inconsistent orders, such as that of NaN.
//!
//! Upstream: Go, sort/zsortfunc.go, `pdqsort_func`.

/// Up to this length elements are inserted one by one.
const MAX_INSERTION: usize = 12;
/// From this length on the pivot is a median of medians, and elements are shifted.
const LONG: usize = 50;
/// The number of pairs in the wrong order that are shifted in a nearly sorted list.
const MAX_SHIFTS: usize = 5;
/// The number of swaps that finding a median of medians can need.
const MAX_SWAPS: usize = 12;

/// Returns the sorted order of the elements `0..length`. `less` returns whether the first of
/// two elements comes before the second.
pub(super) fn sorted_order(length: usize, less: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut sorter = Sorter {
        order: (0..length).collect(),
        less,
    };
    let limit = bit_length(length);
    sorter.sort(0, length, limit);
    sorter.order
}

fn bit_length(length: usize) -> u32 {
    usize::BITS - length.leading_zeros()
}

struct Sorter<'a> {
    order: Vec<usize>,
    less: &'a dyn Fn(usize, usize) -> bool,
}

/// The order of a list according to the choice of a pivot.
#[derive(Clone, Copy, PartialEq)]
enum Hint {
    Unknown,
    Increasing,
    Decreasing,
}

impl Sorter<'_> {
    /// Returns whether the element at index `a` comes before the one at index `b`.
    fn less(&self, a: usize, b: usize) -> bool {
        match (self.order.get(a), self.order.get(b)) {
            (Some(a), Some(b)) => (self.less)(*a, *b),
            _ => false,
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a < self.order.len() && b < self.order.len() {
            self.order.swap(a, b);
        }
    }

    fn sort(&mut self, mut start: usize, mut end: usize, mut limit: u32) {
        let (mut balanced, mut partitioned) = (true, true);
        loop {
            let length = end - start;
            if length <= MAX_INSERTION {
                return self.insert(start, end);
            }
            if limit == 0 {
                return self.heap_sort(start, end);
            }
            if !balanced {
                self.break_patterns(start, end);
                limit -= 1;
            }
            let (mut pivot, mut hint) = self.choose_pivot(start, end);
            if hint == Hint::Decreasing {
                self.reverse(start, end);
                pivot = end - 1 - (pivot - start);
                hint = Hint::Increasing;
            }
            let in_order = balanced && partitioned && hint == Hint::Increasing;
            if in_order && self.insert_few(start, end) {
                return;
            }
            // The pivot equals the element before the part: many elements are equal.
            if start > 0 && !self.less(start - 1, pivot) {
                start = self.partition_equal(start, end, pivot);
                continue;
            }
            let (middle, was_partitioned) = self.partition(start, end, pivot);
            partitioned = was_partitioned;
            let (left, right) = (middle - start, end - middle);
            balanced = left.min(right) >= length / 8;
            if left < right {
                self.sort(start, middle, limit);
                start = middle + 1;
            } else {
                self.sort(middle + 1, end, limit);
                end = middle;
            }
        }
    }

    fn insert(&mut self, start: usize, end: usize) {
        for from in start + 1..end {
            let mut at = from;
            while at > start && self.less(at, at - 1) {
                self.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    fn heap_sort(&mut self, start: usize, end: usize) {
        let length = end - start;
        for root in (0..=(length - 1) / 2).rev() {
            self.sift_down(root, length, start);
        }
        for last in (0..length).rev() {
            self.swap(start, start + last);
            self.sift_down(0, last, start);
        }
    }

    fn sift_down(&mut self, mut root: usize, end: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.swap(first + root, first + child);
            root = child;
        }
    }

    /// Moves `i` right and `j` left to the next pair whose elements are on the wrong sides.
    fn skip(&self, pivot: usize, i: &mut usize, j: &mut usize) {
        while *i <= *j && self.less(*i, pivot) {
            *i += 1;
        }
        while *i <= *j && !self.less(*j, pivot) {
            *j -= 1;
        }
    }

    /// Moves elements before the pivot to its left. Returns the index of the pivot and whether they
    /// already were there.
    fn partition(&mut self, start: usize, end: usize, pivot: usize) -> (usize, bool) {
        self.swap(start, pivot);
        let (mut i, mut j) = (start + 1, end - 1);
        let mut untouched = true;
        loop {
            self.skip(start, &mut i, &mut j);
            if i > j {
                self.swap(j, start);
                return (j, untouched);
            }
            untouched = false;
            self.swap(i, j);
            i += 1;
            j -= 1;
        }
    }

    /// Moves elements equal to the pivot to the left. Returns the index after them.
    fn partition_equal(&mut self, start: usize, end: usize, pivot: usize) -> usize {
        self.swap(start, pivot);
        let (mut i, mut j) = (start + 1, end - 1);
        loop {
            while i <= j && !self.less(start, i) {
                i += 1;
            }
            while i <= j && self.less(start, j) {
                j -= 1;
            }
            if i > j {
                return i;
            }
            self.swap(i, j);
            i += 1;
            j -= 1;
        }
    }

    /// Shifts a few elements. Returns whether all are in order then.
    fn insert_few(&mut self, start: usize, end: usize) -> bool {
        let mut at = start + 1;
        for _ in 0..MAX_SHIFTS {
            while at < end && !self.less(at, at - 1) {
                at += 1;
            }
            if at == end {
                return true;
            }
            if end - start < LONG {
                return false;
            }
            self.swap(at, at - 1);
            if at - start >= 2 {
                self.shift_left(at - 1);
            }
            if end - at >= 2 {
                self.shift_right(at + 1, end);
            }
        }
        false
    }

    fn shift_left(&mut self, from: usize) {
        for at in (1..=from).rev() {
            if !self.less(at, at - 1) {
                return;
            }
            self.swap(at, at - 1);
        }
    }

    fn shift_right(&mut self, from: usize, end: usize) {
        for at in from..end {
            if !self.less(at, at - 1) {
                return;
            }
            self.swap(at, at - 1);
        }
    }

    /// Swaps three elements in the middle with others, so that no pattern makes the sort slow.
    fn break_patterns(&mut self, start: usize, end: usize) {
        let length = end - start;
        let mut random = length as u64;
        let mask = (1_u64 << bit_length(length)) - 1;
        let middle = start + length / 4 * 2;
        for place in middle - 1..=middle + 1 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut other = (random & mask) as usize;
            if other >= length {
                other -= length;
            }
            self.swap(place, start + other);
        }
    }

    fn choose_pivot(&self, start: usize, end: usize) -> (usize, Hint) {
        let length = end - start;
        let quarter = length / 4;
        let mut swaps = 0;
        let mut places = [1, 2, 3].map(|part| start + quarter * part);
        if length >= LONG {
            places = places.map(|place| self.median([place - 1, place, place + 1], &mut swaps));
        }
        let pivot = self.median(places, &mut swaps);
        let hint = match swaps {
            0 => Hint::Increasing,
            MAX_SWAPS => Hint::Decreasing,
            _ => Hint::Unknown,
        };
        (pivot, hint)
    }

    fn median(&self, [a, b, c]: [usize; 3], swaps: &mut usize) -> usize {
        let (a, b) = self.in_order(a, b, swaps);
        let (b, _) = self.in_order(b, c, swaps);
        self.in_order(a, b, swaps).1
    }

    fn in_order(&self, a: usize, b: usize, swaps: &mut usize) -> (usize, usize) {
        if self.less(b, a) {
            *swaps += 1;
            (b, a)
        } else {
            (a, b)
        }
    }

    fn reverse(&mut self, start: usize, end: usize) {
        if let Some(part) = self.order.get_mut(start..end) {
            part.reverse();
        }
    }
}
