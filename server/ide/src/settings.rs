//! User settings of the analysis.

mod keys;

pub use keys::CONFIG_KEYS;

use crate::report::Severity;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The name of the configuration file.
pub const CONFIG_FILE: &str = "admissible.toml";

/// Limit: the line widths that settings can have.
const WIDTHS: RangeInclusive<u16> = 40..=1000;

/// The line widths that settings can have, as error messages list them.
pub const LINE_WIDTHS: &str = "expected a number from 40 to 1000";

/// Returns the line width that a setting gives. `None` if it is not from 40 to 1000.
#[must_use]
pub fn line_width(setting: i64) -> Option<u16> {
    let width = u16::try_from(setting).ok();
    width.filter(|width| WIDTHS.contains(width))
}

/// How loud a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The rule is silent.
    Off,
    /// The rule reports its findings with the severities that it gives them.
    On,
    /// The rule reports with this severity.
    At(Severity),
}

/// Settings of the analysis, as they come from the configuration file or the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Levels by rule code; a rule that is not named has its own default.
    pub rules: BTreeMap<String, Level>,
}

impl Settings {
    /// Returns whether the settings enable a rule that is off by default.
    pub(crate) fn enables(&self, code: &str) -> bool {
        let level = self.rules.get(code);
        level.is_some_and(|level| *level != Level::Off)
    }

    /// Returns whether the objects of custom resources are validated.
    #[must_use]
    pub fn validates_objects(&self) -> bool {
        self.enables("invalid-object")
    }

    /// The severity of a rule, or `None` when it is off.
    #[must_use]
    pub fn severity(&self, code: &str, default: Severity) -> Option<Severity> {
        match self.rules.get(code) {
            Some(Level::Off) => None,
            Some(Level::At(severity)) => Some(*severity),
            Some(Level::On) | None => Some(default),
        }
    }
}

impl Level {
    /// Reads a level as it is written in settings: `off`, `on`, `hint`, `information`,
    /// `warning` or `error`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "off" => Some(Level::Off),
            "on" => Some(Level::On),
            severity => Severity::parse(severity).map(Level::At),
        }
    }

    /// The names of all levels, the most frequent first.
    pub const NAMES: [&str; 6] = ["off", "warning", "error", "information", "hint", "on"];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_name() {
        for name in Level::NAMES {
            assert!(Level::parse(name).is_some(), "{name}");
        }
        for severity in Severity::ALL {
            assert!(Level::NAMES.contains(&severity.as_str()));
        }
    }

    #[test]
    fn line_widths_have_bounds() {
        let widths = [39, 40, 1000, 1001, -1].map(line_width);
        assert_eq!(widths, [None, Some(40), Some(1000), None, None]);
        assert!(LINE_WIDTHS.contains("from 40 to 1000"));
    }
}
