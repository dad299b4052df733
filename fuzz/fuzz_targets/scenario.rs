#![no_main]

#[path = "../bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::scenario(data));

// Half of the time bytes are changed as libFuzzer does it, which knows what reached new code.
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match bodies::mutated(&data[..size], None, seed.into()) {
        Some(mutated) if seed.is_multiple_of(2) => put(&mutated, &mut data[..max_size]),
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
});

libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
    put(&bodies::mutated(one, Some(other), seed.into()).unwrap_or_default(), out)
});

/// As much as there is room for; returns how much that is.
fn put(bytes: &[u8], room: &mut [u8]) -> usize {
    let size = bytes.len().min(room.len());
    room[..size].copy_from_slice(&bytes[..size]);
    size
}
