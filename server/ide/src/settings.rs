//! User settings of the analysis.

use crate::diagnostic::Severity;
use std::collections::BTreeMap;

/// How loud a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The rule is silent.
    Off,
    /// The rule speaks with this severity.
    At(Severity),
}

/// Settings of the analysis, as they come from the configuration file or the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Levels by rule code; a rule that is not named has its own default.
    pub rules: BTreeMap<String, Level>,
}

impl Settings {
    /// The severity of a rule, or `None` when it is off.
    #[must_use]
    pub fn severity(&self, code: &str, default: Severity) -> Option<Severity> {
        match self.rules.get(code) {
            Some(Level::Off) => None,
            Some(Level::At(severity)) => Some(*severity),
            None => Some(default),
        }
    }
}

impl Level {
    /// Reads a level as it is written in settings: `off`, `hint`, `information`, `warning`
    /// or `error`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "off" => Some(Level::Off),
            severity => Severity::parse(severity).map(Level::At),
        }
    }

    /// Returns the names of all levels.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once("off").chain(Severity::ALL.map(Severity::as_str))
    }
}
