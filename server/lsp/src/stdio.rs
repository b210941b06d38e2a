//! The server as an editor starts it: a process that speaks over its standard streams.

use crate::connection::{Exit, serve};
use crate::session::Options;
use std::io;
use std::process::ExitCode;

/// The stack of a thread that analyses, in bytes.
///
/// Limit: the parsers bound their nesting for threads of 2 MiB; this leaves room for builds
/// without optimisation.
const STACK: usize = 8 * 1024 * 1024;

/// Serves one client over standard input and output. The exit code is 0 when the client
/// asked for the shutdown before it left, else 1, as the protocol has it.
///
/// # Errors
/// When the operating system gives no threads.
pub fn run_stdio() -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(STACK)
        .enable_time()
        .build()?;
    let exit = runtime.block_on(serve(
        tokio::io::stdin(),
        tokio::io::stdout(),
        Options::default(),
    ));
    // A thread may still read the standard input, or analyse a large document: nobody waits
    // for it.
    runtime.shutdown_background();
    Ok(match exit {
        Exit::AfterShutdown => ExitCode::SUCCESS,
        Exit::WithoutShutdown => ExitCode::FAILURE,
    })
}
