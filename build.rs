//! Compiles the protocol definitions without an external `protoc`.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use prost_build::Config;
use protox::prost::Message as _;

const DEFINITIONS: [&str; 3] = ["proto/tfplugin5.proto", "proto/tfplugin6.proto", "proto/go_plugin.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let descriptors = protox::compile(DEFINITIONS, ["proto"])?;
    // A test compares the two majors by their descriptors.
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is unset")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    Config::new()
        // Values are sliced out of the answer, not copied.
        .bytes(["."])
        // Ordered, so that whatever is made from them is the same on every run.
        .btree_map(["."])
        .compile_fds(descriptors)?;
    Ok(())
}
