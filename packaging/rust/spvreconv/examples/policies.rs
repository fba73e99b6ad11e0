// SPDX-License-Identifier: Apache-2.0
//! What structure saves: structurizes a module, compares both without running either, and prints the emulator's JSON
//! of both.
//!
//!     cargo run --example policies -- MODULE.spv [OPTION OF spv-emu...]

use spvreconv::{emulate, run, words_of, Options};
use spvreconv_sys::{SPVRECONV_WANT_CHECK, SPVRECONV_WANT_STATS};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (module, options) = arguments.split_first().ok_or("usage: policies MODULE.spv [OPTION OF spv-emu...]")?;
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let words = words_of(&fs::read(module)?);
    let wanted = Options::of("structurize").want(SPVRECONV_WANT_STATS).want(SPVRECONV_WANT_CHECK);
    let output = run(&words, &wanted)?;
    for function in output.functions() {
        eprintln!("{}: {} blocks before, {} after", function.name, function.before.blocks, function.after.blocks);
    }
    println!("{}{}", emulate(&words, &options)?, emulate(output.words(), &options)?);
    Ok(())
}
