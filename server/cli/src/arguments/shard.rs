//! `--shard`: which part of the objects to evaluate.

use std::env;

/// The variable with the index of a pod of an Indexed Job.
const INDEX: &str = "JOB_COMPLETION_INDEX";

/// A shard: its index, from 0, and the number of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u64,
    pub(crate) count: u64,
}

impl Shard {
    /// Parses `I/N`, or `N` if the environment has the index.
    ///
    /// # Errors
    /// The reason why it is not a shard.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        Self::parse_with(text, || env::var(INDEX).ok())
    }

    fn parse_with(text: &str, index: impl FnOnce() -> Option<String>) -> Result<Self, String> {
        let (index, count) = match text.split_once('/') {
            Some((index, count)) => (index.to_owned(), count),
            None => {
                let missing = || format!("write I/N, or set {INDEX} to the index");
                (index().ok_or_else(missing)?, text)
            }
        };
        let number = |text: &str| {
            let number = text.parse::<u64>();
            number.map_err(|_| format!("{text:?} is not a number"))
        };
        let (index, count) = (number(&index)?, number(count)?);
        if index < count {
            return Ok(Self { index, count });
        }
        Err(format!(
            "with {count} shards, the index is at most {}: it starts at 0",
            count.saturating_sub(1)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_an_index_and_a_count() {
        let parse = |text: &str| Shard::parse_with(text, || Some("3".to_owned()));
        let shard = |index, count| Ok(Shard { index, count });
        assert_eq!(parse("0/8"), shard(0, 8));
        assert_eq!(parse("8"), shard(3, 8));
        assert!(parse("8/8").unwrap_err().contains("at most 7"));
        assert!(parse("3").unwrap_err().contains("at most 2"));
        assert!(parse("a/8").unwrap_err().contains("not a number"));
        assert!(Shard::parse_with("8", || None).unwrap_err().contains(INDEX));
    }
}
