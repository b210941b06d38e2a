//! User settings of the analysis.

use crate::report::Severity;
use std::collections::BTreeMap;

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

    /// Returns the names of all levels.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let severities = Severity::ALL.map(Severity::as_str);
        ["off", "on"].into_iter().chain(severities)
    }
}
