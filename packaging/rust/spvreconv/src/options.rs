// SPDX-License-Identifier: Apache-2.0
//! The options of a run, and the call of the library with them.

use crate::{text, Error, Output, Status};
use spvreconv_sys as sys;
use std::{
    ffi::CString,
    os::raw::{c_char, c_void},
    ptr,
};

/// How much is validated; see `spvreconv_validate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Validate {
    #[default]
    Auto,
    Full,
    None,
}

/// The fields of `spvreconv_options`; the default is the library's.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub transform: Option<String>,
    pub order: Option<String>,
    pub uniformity: Option<String>,
    pub scope: Option<String>,
    pub target_env: Option<String>,
    pub lowering: Option<String>,
    pub goal: Option<String>,
    pub structure: Option<String>,
    pub phis: Option<String>,
    pub validate: Validate,
    pub strip_debug: bool,
    pub max_growth: u32,
    pub max_blocks: u32,
    pub max_ids: u32,
    pub max_nesting: u32,
    pub check_walks: u32,
    pub tail_copy: u32,
    /// Bits `SPVRECONV_WANT_…`.
    pub want: u32,
}

impl Options {
    /// A comma list of transforms, and the defaults.
    pub fn of(transforms: &str) -> Options {
        Options { transform: Some(transforms.to_owned()), ..Options::default() }
    }

    /// Adds a bit `SPVRECONV_WANT_…` of `spvreconv_sys`.
    pub fn want(mut self, bit: u32) -> Options {
        self.want |= bit;
        self
    }

    /// Calls a function like `spvreconv_run` with these options.
    pub(crate) fn call(
        &self,
        function: impl FnOnce(*const sys::spvreconv_options, *mut *mut sys::spvreconv_result) -> sys::spvreconv_status,
    ) -> Result<Output, Error> {
        let mut strings = Vec::new();
        let mut notices: Vec<String> = Vec::new();
        let options = self.for_c(&mut strings, &mut notices)?;
        let mut result = ptr::null_mut();
        let status = function(&options, &mut result);
        // SAFETY: the result is this call's own.
        let output = unsafe { Output::new(result, notices) };
        let status = match status {
            sys::SPVRECONV_OK => return output.ok_or_else(|| failure(Status::Bug, "there is no result")),
            sys::SPVRECONV_BAD_INPUT => Status::BadInput,
            sys::SPVRECONV_BAD_OPTION => Status::BadOption,
            sys::SPVRECONV_OUT_OF_MEMORY => Status::OutOfMemory,
            _ => Status::Bug,
        };
        let message = output.as_ref().map_or("out of memory".to_owned(), |output| output.message().into_owned());
        Err(Error { status, message, output })
    }

    /// The struct of C. Its strings are those that are put in `strings`, and notices are put in `notices`.
    fn for_c(&self, strings: &mut Vec<CString>, notices: &mut Vec<String>) -> Result<sys::spvreconv_options, Error> {
        let mut string = |value: &Option<String>| match value {
            None => Ok(ptr::null()),
            Some(value) => {
                let value = CString::new(value.as_str())
                    .map_err(|_| failure(Status::BadOption, "an option contains a NUL character"))?;
                let pointer: *const c_char = value.as_ptr();
                strings.push(value);
                Ok(pointer)
            }
        };
        // SAFETY: all fields may be zero; the library then sets the defaults.
        let mut options: sys::spvreconv_options = unsafe { std::mem::zeroed() };
        unsafe { sys::spvreconv_options_init(&mut options, std::mem::size_of_val(&options)) };
        options.transform = string(&self.transform)?;
        options.order = string(&self.order)?;
        options.uniformity = string(&self.uniformity)?;
        options.scope = string(&self.scope)?;
        options.target_env = string(&self.target_env)?;
        options.lowering = string(&self.lowering)?;
        options.goal = string(&self.goal)?;
        options.structure = string(&self.structure)?;
        options.phis = string(&self.phis)?;
        options.validate = match self.validate {
            Validate::Auto => sys::SPVRECONV_VALIDATE_AUTO,
            Validate::Full => sys::SPVRECONV_VALIDATE_FULL,
            Validate::None => sys::SPVRECONV_VALIDATE_NONE,
        };
        options.strip_debug = self.strip_debug;
        options.max_growth = self.max_growth;
        options.max_blocks = self.max_blocks;
        options.max_ids = self.max_ids;
        options.max_nesting = self.max_nesting;
        options.check_walks = self.check_walks;
        options.tail_copy = self.tail_copy;
        options.want = self.want;
        options.message = Some(notice);
        options.message_user = (notices as *mut Vec<String>).cast();
        Ok(options)
    }
}

fn failure(status: Status, message: &str) -> Error {
    Error { status, message: message.to_owned(), output: None }
}

/// `user` is the list of notices of the run that calls this.
unsafe extern "C" fn notice(user: *mut c_void, line: *const c_char) {
    (*user.cast::<Vec<String>>()).push(text(line).into_owned());
}
