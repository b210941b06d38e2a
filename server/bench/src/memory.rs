//! The memory of another process.
//!
//! The numbers are the system's own, in `/proc`, so that no library is needed and nothing
//! is added to the measured process. Systems other than Linux have none.

use std::fs;

/// The memory of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Now, in KiB.
    pub(crate) resident: u64,
    /// At most since it started, in KiB.
    pub(crate) peak: u64,
}

/// Returns the memory of a running process.
pub(crate) fn of_process(id: u32) -> Option<Memory> {
    parse(&fs::read_to_string(format!("/proc/{id}/status")).ok()?)
}

fn parse(status: &str) -> Option<Memory> {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().split(' ').next()?.parse().ok()
    };
    Some(Memory {
        resident: field("VmRSS:")?,
        peak: field("VmHWM:")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_both_in_kib() {
        let status = "Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t   2048 kB\nVmRSS:\t   1024 kB\n";
        let memory = Memory {
            resident: 1024,
            peak: 2048,
        };
        assert_eq!(parse(status), Some(memory));
        assert_eq!(parse("Name:\tx\n"), None);
    }
}
