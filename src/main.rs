//! The `tfconform` program.

use std::process::ExitCode;

/// Schemas and transcripts are millions of small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tfconform::cli::main()
}
