// SPDX-License-Identifier: Apache-2.0
//! What a run leaves.

use crate::{
    findings::{Finding, Function, Pass, Repair, Violation},
    text, Check,
};
use spvreconv_sys as sys;
use std::{borrow::Cow, fmt, ptr::NonNull, slice};

/// The result of a run. What its functions return borrows from it.
pub struct Output {
    result: NonNull<sys::spvreconv_result>,
    /// Notices of the run, one line each.
    pub notices: Vec<String>,
}

// SAFETY: nothing changes a result until it is destroyed.
unsafe impl Send for Output {}
unsafe impl Sync for Output {}

impl Output {
    /// None for NULL.
    ///
    /// # Safety
    /// `result` is NULL or a result that nothing else will destroy.
    pub(crate) unsafe fn new(result: *mut sys::spvreconv_result, notices: Vec<String>) -> Option<Output> {
        NonNull::new(result).map(|result| Output { result, notices })
    }

    // SAFETY of all calls below: the result lives as long as self, and what they return as long as the result.

    /// The output; empty if the run failed, or only compared.
    pub fn words(&self) -> &[u32] {
        let mut count = 0;
        unsafe {
            let start = sys::spvreconv_result_words(self.as_ptr(), &mut count);
            if start.is_null() {
                &[]
            } else {
                slice::from_raw_parts(start, count)
            }
        }
    }

    pub fn changed(&self) -> bool {
        unsafe { sys::spvreconv_result_changed(self.as_ptr()) }
    }

    /// Does the output lack the structure that its capabilities require?
    pub fn needs_structure(&self) -> bool {
        unsafe { sys::spvreconv_result_needs_structure(self.as_ptr()) }
    }

    pub(crate) fn message(&self) -> Cow<'_, str> {
        unsafe { text(sys::spvreconv_result_message(self.as_ptr())) }
    }

    /// Figures of the functions, with `SPVRECONV_WANT_STATS`.
    pub fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        self.each(sys::spvreconv_result_function).map(|c| unsafe { Function::new(c) })
    }

    pub fn passes(&self) -> impl Iterator<Item = Pass<'_>> {
        self.each(sys::spvreconv_result_pass).map(|c| unsafe { Pass::new(c) })
    }

    pub fn repairs(&self) -> impl Iterator<Item = Repair<'_>> {
        self.each(sys::spvreconv_result_repair).map(|c| unsafe { Repair::new(c) })
    }

    /// With `SPVRECONV_WANT_EXPLAIN`.
    pub fn violations(&self) -> impl Iterator<Item = Violation<'_>> {
        self.each(sys::spvreconv_result_violation).map(|c| unsafe { Violation::new(c) })
    }

    /// With `SPVRECONV_WANT_LINT`.
    pub fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        self.each(sys::spvreconv_result_finding).map(|c| unsafe { Finding::new(c) })
    }

    /// With `SPVRECONV_WANT_CHECK`, and of `compare`.
    pub fn check(&self) -> Option<&Check> {
        unsafe { sys::spvreconv_result_check(self.as_ptr()).as_ref() }
    }

    /// The text that one bit `SPVRECONV_WANT_…` asked for.
    pub fn text(&self, want: u32) -> Option<Cow<'_, str>> {
        unsafe {
            let pointer = sys::spvreconv_result_text(self.as_ptr(), want);
            (!pointer.is_null()).then(|| text(pointer))
        }
    }

    fn as_ptr(&self) -> *const sys::spvreconv_result {
        self.result.as_ptr()
    }

    fn each<'a, T: 'a>(
        &'a self,
        get: unsafe extern "C" fn(*const sys::spvreconv_result, usize) -> *const T,
    ) -> impl Iterator<Item = &'a T> {
        (0..).map_while(move |index| unsafe { get(self.as_ptr(), index).as_ref() })
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        unsafe { sys::spvreconv_result_destroy(self.result.as_ptr()) }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("words", &self.words().len()).field("changed", &self.changed()).finish()
    }
}
