//! The server as an editor starts it: a process that communicates over its standard streams.

use crate::connection::{Exit, serve};
use crate::session::Options;
use crate::transport::stdout::Stdout;
use crate::workers::STACK;
use std::io;
use std::process::ExitCode;

/// Serves one client over standard input and output. The exit code is 0 if the client sent
/// `shutdown` before it left, otherwise 1, as the protocol requires.
///
/// # Errors
/// If the operating system cannot start threads or duplicate the standard output.
pub fn run_stdio() -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(STACK)
        // Analyses have their own threads. Handling the rest takes less time than waking another
        // thread.
        .worker_threads(1)
        .enable_time()
        .build()?;
    // As a task, it shares the thread of the tasks that it starts. On the main thread, each message
    // would wake another one.
    let session = runtime.spawn(serve(
        tokio::io::stdin(),
        Stdout::new()?,
        Options::default(),
    ));
    let exit = runtime.block_on(session);
    // A thread may still read the standard input or analyze a large document, but its result is no
    // longer needed.
    runtime.shutdown_background();
    Ok(match exit {
        Ok(Exit::AfterShutdown) => ExitCode::SUCCESS,
        Ok(Exit::WithoutShutdown) | Err(_) => ExitCode::FAILURE,
    })
}
