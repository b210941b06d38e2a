//! The errors as cel-go prints them.
//!
//! Upstream: cel-go, common/errors.go, `ToDisplayString`.

use super::Checked;
use crate::syntax::upstream_display;

impl Checked {
    /// Returns cel-go's report of all errors, in its order. `None` if there are none.
    #[must_use]
    pub fn upstream_report(&self) -> Option<String> {
        let mut lines: Vec<String> = self
            .errors
            .iter()
            .map(|error| upstream_display(&self.text, Some(error.offset), &error.message()))
            .collect();
        if self.more_errors > 0 {
            lines.push(format!("{} more errors were truncated", self.more_errors));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}
