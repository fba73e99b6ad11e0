// SPDX-License-Identifier: Apache-2.0
//! The emulator: the command spv-emu and its JSON (docs/emulator.md).

use crate::{bytes_of, Error, Status};
use std::{
    env,
    io::{self, Write},
    process::{Command, Output, Stdio},
};

/// Runs a module with options of spv-emu, such as "--policy=pdom,opt" and "--buffer=0:0:u32[64]=0..". Returns the text of
/// the command's JSON. An error has the command's message.
pub fn emulate(words: &[u32], arguments: &[&str]) -> Result<String, Error> {
    let command = env::var_os("SPV_EMU").unwrap_or_else(|| "spv-emu".into());
    let output = start(&command, words, arguments).map_err(|error| {
        let message = format!("{} cannot be run ({error}); install it, or set SPV_EMU", command.to_string_lossy());
        Error { status: Status::NoEmulator, message, output: None }
    })?;
    if output.stdout.is_empty() {
        let status = if output.status.code() == Some(2) { Status::BadOption } else { Status::BadInput };
        let message = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(Error { status, message, output: None });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command reads all of its input before it writes its output.
fn start(command: &std::ffi::OsStr, words: &[u32], arguments: &[&str]) -> io::Result<Output> {
    let mut child = Command::new(command)
        .arg("--json")
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A command that refuses its options does not read.
        let _ = input.write_all(&bytes_of(words));
    }
    child.wait_with_output()
}
