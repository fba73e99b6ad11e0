// SPDX-License-Identifier: Apache-2.0
//! Structured control flow for SPIR-V, and a model of a subgroup that measures what divergence costs.
//!
//! ```no_run
//! let options = spvreconv::Options::of("structurize");
//! let output = spvreconv::run(&words, &options)?;
//! let json = spvreconv::emulate(output.words(), &["--policy=pdom,opt"])?;
//! ```
//!
//! Words in, words out. Options, figures and findings are those of spvreconv.h. The shared library `libspvreconv` must
//! be installed, and for [`emulate`] the command `spv-emu`, or `$SPV_EMU`.

mod emulator;
mod findings;
mod options;
mod output;

pub use emulator::emulate;
pub use findings::{Finding, Function, Pass, Reason, Repair, Violation};
pub use options::{Options, Validate};
pub use output::Output;
pub use spvreconv_sys::{
    spvreconv_check as Check, spvreconv_cost as Cost, spvreconv_counts as Counts, spvreconv_graph as Graph,
};

use std::{borrow::Cow, ffi::CStr, fmt, os::raw::c_char, ptr};

/// Why a run failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The module is not valid, or lacks what the options ask for.
    BadInput,
    /// An option's value is not valid.
    BadOption,
    /// One of the library's own checks rejects the output.
    Bug,
    OutOfMemory,
    /// The command spv-emu cannot be run.
    NoEmulator,
}

/// A failure. `output` has the findings that there are all the same.
#[derive(Debug)]
pub struct Error {
    pub status: Status,
    pub message: String,
    pub output: Option<Output>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Runs the transforms of `options` over a binary.
pub fn run(words: &[u32], options: &Options) -> Result<Output, Error> {
    // SAFETY: the slice is readable for the call, and the library keeps nothing of it; so below.
    options.call(|c, result| unsafe { spvreconv_sys::spvreconv_run(c, words.as_ptr(), words.len(), result) })
}

/// The same for assembly text.
pub fn run_text(text: &str, options: &Options) -> Result<Output, Error> {
    options.call(|c, result| unsafe {
        spvreconv_sys::spvreconv_run_text(c, text.as_ptr().cast::<c_char>(), text.len(), result)
    })
}

/// Compares two binaries without running either; [`Output::check`] of the result says how much was compared. A
/// difference is [`Status::Bug`].
pub fn compare(before: &[u32], after: &[u32], options: &Options) -> Result<Output, Error> {
    options.call(|c, result| unsafe {
        spvreconv_sys::spvreconv_compare(c, before.as_ptr(), before.len(), after.as_ptr(), after.len(), result)
    })
}

/// The names of the transforms, and what each is for.
pub fn transforms() -> Vec<(String, String)> {
    let (mut name, mut purpose) = (ptr::null(), ptr::null());
    let mut all = Vec::new();
    // SAFETY: both are set to strings of the library whenever the function returns true.
    while unsafe { spvreconv_sys::spvreconv_transform_info(all.len(), &mut name, &mut purpose) } {
        all.push(unsafe { (text(name).into_owned(), text(purpose).into_owned()) });
    }
    all
}

/// The library's version.
pub fn version() -> String {
    // SAFETY: a string of the library.
    unsafe { text(spvreconv_sys::spvreconv_version_string()).into_owned() }
}

/// A string of C. NULL is "".
///
/// # Safety
/// `pointer` is NULL or a string that lives for 'a.
unsafe fn text<'a>(pointer: *const c_char) -> Cow<'a, str> {
    if pointer.is_null() {
        Cow::Borrowed("")
    } else {
        CStr::from_ptr(pointer).to_string_lossy()
    }
}

/// The words of a binary file, in the machine's byte order.
pub fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// The bytes of words, as a binary file has them.
pub fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}
