//! Variations of known inputs, which are the same for the same seed.
//!
//! They need no coverage of the program, so they work with every compiler.

/// Creates variations.
#[derive(Clone, Debug)]
pub struct Variations {
    inputs: Vec<Vec<u8>>,
    state: u64,
}

impl Variations {
    /// Returns the variations of some inputs.
    #[must_use]
    pub fn new(inputs: Vec<Vec<u8>>, seed: u64) -> Self {
        Self {
            inputs,
            state: seed | 1,
        }
    }

    /// Returns a part of one input within another, sometimes repeated, with some bytes changed.
    #[must_use]
    pub fn next_input(&mut self) -> Vec<u8> {
        let (outer, start, end) = self.part();
        let (inner, from, to) = self.part();
        let mut made = outer.get(..start).unwrap_or_default().to_vec();
        let count = if self.below(8) == 0 {
            self.below(40)
        } else {
            1
        };
        for _ in 0..count {
            made.extend(inner.get(from..to).unwrap_or_default());
        }
        made.extend(outer.get(end..).unwrap_or_default());
        for _ in 0..self.below(4) {
            let at = self.below(made.len());
            let value = u8::try_from(self.below(256)).unwrap_or_default();
            if let Some(byte) = made.get_mut(at) {
                *byte = value;
            }
        }
        made
    }

    /// Returns an input and the ends of a part of it.
    fn part(&mut self) -> (Vec<u8>, usize, usize) {
        let index = self.below(self.inputs.len());
        let input = self.inputs.get(index).cloned().unwrap_or_default();
        let one = self.below(input.len() + 1);
        let other = self.below(input.len() + 1);
        (input, one.min(other), one.max(other))
    }

    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 16).unwrap_or_default() % end.max(1)
    }
}
