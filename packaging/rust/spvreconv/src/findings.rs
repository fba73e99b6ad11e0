// SPDX-License-Identifier: Apache-2.0
//! What a run says about functions, as structs that borrow from its output. The fields are those of spvreconv.h.

use crate::{text, Cost, Counts, Graph};
use spvreconv_sys as sys;
use std::{borrow::Cow, slice};

/// An array of C.
///
/// # Safety
/// `start` is NULL, or `count` elements that live for 'a.
unsafe fn elements<'a, T>(start: *const T, count: u32) -> &'a [T] {
    if start.is_null() {
        &[]
    } else {
        slice::from_raw_parts(start, count as usize)
    }
}

/// A string that may be missing; safety as for `text`.
unsafe fn optional<'a>(pointer: *const std::os::raw::c_char) -> Option<Cow<'a, str>> {
    (!pointer.is_null()).then(|| text(pointer))
}

// Each `new` below: the struct, and all that it points to, belongs to a result that lives for 'a.

/// A function with a body.
#[derive(Debug)]
pub struct Function<'a> {
    pub name: Cow<'a, str>,
    pub id: u32,
    pub before: &'a Graph,
    pub after: &'a Graph,
    pub transform: &'a Counts,
    /// Block ids of the input in the order used.
    pub order: &'a [u32],
    pub best_order: Option<Cow<'a, str>>,
    /// The list that transform `best` chose.
    pub chosen: Option<Cow<'a, str>>,
    pub violations_repaired: u32,
    pub structure: Cow<'a, str>,
    pub cost_before: Option<&'a Cost>,
    pub cost_after: Option<&'a Cost>,
}

impl<'a> Function<'a> {
    pub(crate) unsafe fn new(c: &'a sys::spvreconv_function) -> Self {
        Function {
            name: text(c.name),
            id: c.id,
            before: &*c.before,
            after: &*c.after,
            transform: &*c.transform,
            order: elements(c.order, c.order_count),
            best_order: optional(c.best_order),
            chosen: c.choice.as_ref().map(|choice| text(choice.transforms)),
            violations_repaired: c.violations_repaired,
            structure: text(c.structure),
            cost_before: c.cost_before.as_ref(),
            cost_after: c.cost_after.as_ref(),
        }
    }
}

/// A step of the run.
#[derive(Debug)]
pub struct Pass<'a> {
    pub name: Cow<'a, str>,
    pub milliseconds: f64,
}

impl<'a> Pass<'a> {
    pub(crate) unsafe fn new(c: &'a sys::spvreconv_pass) -> Self {
        Pass { name: text(c.name), milliseconds: c.milliseconds }
    }
}

/// A function that broke rules in the input, and obeys them in the output.
#[derive(Debug)]
pub struct Repair<'a> {
    pub function: Cow<'a, str>,
    pub function_id: u32,
    pub violations: u32,
}

impl<'a> Repair<'a> {
    pub(crate) unsafe fn new(c: &'a sys::spvreconv_repair) -> Self {
        Repair { function: text(c.function), function_id: c.function_id, violations: c.violations }
    }
}

/// A violation of the rules of structured control flow; ids are 0 where there is none.
#[derive(Debug)]
pub struct Violation<'a> {
    pub function: Cow<'a, str>,
    pub function_id: u32,
    pub rule: Cow<'a, str>,
    pub statement: Cow<'a, str>,
    pub construct: u32,
    pub from: u32,
    pub to: u32,
    pub entries: &'a [u32],
    pub text: Cow<'a, str>,
}

impl<'a> Violation<'a> {
    pub(crate) unsafe fn new(c: &'a sys::spvreconv_violation) -> Self {
        Violation {
            function: text(c.function),
            function_id: c.function_id,
            rule: text(c.rule),
            statement: text(c.statement),
            construct: c.construct,
            from: c.from,
            to: c.to,
            entries: elements(c.entries, c.entry_count),
            text: text(c.text),
        }
    }
}

/// A step in the reason for a finding.
#[derive(Debug)]
pub struct Reason<'a> {
    pub text: Cow<'a, str>,
    pub file: Option<Cow<'a, str>>,
    pub line: u32,
}

/// An operation of several lanes under control that may diverge.
#[derive(Debug)]
pub struct Finding<'a> {
    pub rule: Cow<'a, str>,
    pub scope: Cow<'a, str>,
    pub function: Cow<'a, str>,
    pub function_id: u32,
    pub block: u32,
    pub text: Cow<'a, str>,
    pub file: Option<Cow<'a, str>>,
    pub line: u32,
    pub reasons: Vec<Reason<'a>>,
}

impl<'a> Finding<'a> {
    pub(crate) unsafe fn new(c: &'a sys::spvreconv_finding) -> Self {
        let reason = |c: &'a sys::spvreconv_reason| Reason { text: text(c.text), file: optional(c.file), line: c.line };
        Finding {
            rule: text(c.rule),
            scope: text(c.scope),
            function: text(c.function),
            function_id: c.function_id,
            block: c.block,
            text: text(c.text),
            file: optional(c.file),
            line: c.line,
            reasons: elements(c.reasons, c.reason_count).iter().map(reason).collect(),
        }
    }
}
