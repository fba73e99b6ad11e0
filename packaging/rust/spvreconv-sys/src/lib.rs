// SPDX-License-Identifier: Apache-2.0
//! The declarations of spvreconv.h, which describes them, by hand. `examples/layout.rs` prints what a C compiler can
//! compare with the header: tests/languages/rust.sh does.
#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_uint, c_void};

/// Structs of C, and `layout()`: struct, field ("" for the whole struct), offset, size.
macro_rules! structs {
    ($($(#[$attribute:meta])* struct $name:ident { $($field:ident: $kind:ty,)* })*) => {
        $($(#[$attribute])* #[repr(C)] #[derive(Clone, Copy)] pub struct $name { $(pub $field: $kind,)* })*

        #[doc(hidden)]
        pub fn layout() -> Vec<(&'static str, &'static str, usize, usize)> {
            let mut all = Vec::new();
            $({
                let place = std::mem::MaybeUninit::<$name>::uninit();
                let start = place.as_ptr();
                all.push((stringify!($name), "", 0, std::mem::size_of::<$name>()));
                $({
                    // SAFETY: the address of a field of a value that exists; nothing is read.
                    let field = unsafe { std::ptr::addr_of!((*start).$field) };
                    let offset = field as usize - start as usize;
                    all.push((stringify!($name), stringify!($field), offset, std::mem::size_of::<$kind>()));
                })*
            })*
            all
        }
    };
}

/// Enumerators and bits, and `constants()`: their names and values.
macro_rules! constants {
    ($($name:ident: $kind:ty = $value:expr;)*) => {
        $(pub const $name: $kind = $value;)*

        #[doc(hidden)]
        pub fn constants() -> Vec<(&'static str, u32)> {
            vec![$((stringify!($name), $name as u32)),*]
        }
    };
}

pub type spvreconv_status = c_uint;
pub type spvreconv_validate = c_uint;
pub type spvreconv_argument_kind = c_uint;

constants! {
    SPVRECONV_OK: spvreconv_status = 0;
    SPVRECONV_BAD_INPUT: spvreconv_status = 1;
    SPVRECONV_BAD_OPTION: spvreconv_status = 2;
    SPVRECONV_BUG: spvreconv_status = 3;
    SPVRECONV_OUT_OF_MEMORY: spvreconv_status = 4;
    SPVRECONV_VALIDATE_AUTO: spvreconv_validate = 0;
    SPVRECONV_VALIDATE_FULL: spvreconv_validate = 1;
    SPVRECONV_VALIDATE_NONE: spvreconv_validate = 2;
    SPVRECONV_WANT_STATS: c_uint = 1;
    SPVRECONV_WANT_CFG_DOT: c_uint = 2;
    SPVRECONV_WANT_UNIFORMITY: c_uint = 4;
    SPVRECONV_WANT_EXPLAIN: c_uint = 8;
    SPVRECONV_WANT_WAVE: c_uint = 16;
    SPVRECONV_WANT_ASSEMBLY: c_uint = 32;
    SPVRECONV_WANT_CHECK: c_uint = 64;
    SPVRECONV_WANT_EXPLAIN_PORTABLE: c_uint = SPVRECONV_WANT_EXPLAIN | 128;
    SPVRECONV_WANT_COST: c_uint = 256;
    SPVRECONV_WANT_LINT: c_uint = 512;
    SPVRECONV_WANT_FRONTIER: c_uint = 1024;
    SPVRECONV_ARGUMENT_BUFFER: spvreconv_argument_kind = 0;
    SPVRECONV_ARGUMENT_SAMPLED_IMAGE: spvreconv_argument_kind = 1;
    SPVRECONV_ARGUMENT_STORAGE_IMAGE: spvreconv_argument_kind = 2;
    SPVRECONV_ARGUMENT_SAMPLER: spvreconv_argument_kind = 3;
    SPVRECONV_ARGUMENT_LOCAL: spvreconv_argument_kind = 4;
    SPVRECONV_ARGUMENT_PUSH_CONSTANT: spvreconv_argument_kind = 5;
    SPVRECONV_ARGUMENT_UNIFORM: spvreconv_argument_kind = 6;
    SPVRECONV_ARGUMENT_ADDRESS: spvreconv_argument_kind = 7;
    SPVRECONV_ARGUMENT_ADDRESS_UNIFORM: spvreconv_argument_kind = 8;
}

pub type spvreconv_message = Option<unsafe extern "C" fn(user: *mut c_void, line: *const c_char)>;
pub type spvreconv_resize =
    Option<unsafe extern "C" fn(user: *mut c_void, old: *mut c_void, old_size: usize, new_size: usize) -> *mut c_void>;
pub type spvreconv_drawing = Option<unsafe extern "C" fn(user: *mut c_void, name: *const c_char, dot: *const c_char)>;
pub type spvreconv_bounded_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, r#loop: *const spvreconv_bounded) -> u64>;

structs! {
    struct spvreconv_options {
        size: usize,
        transform: *const c_char,
        order: *const c_char,
        uniformity: *const c_char,
        scope: *const c_char,
        target_env: *const c_char,
        validate: spvreconv_validate,
        max_growth: u32,
        strip_debug: bool,
        want: c_uint,
        message: spvreconv_message,
        message_user: *mut c_void,
        resize: spvreconv_resize,
        resize_user: *mut c_void,
        lowering: *const c_char,
        drawing: spvreconv_drawing,
        drawing_user: *mut c_void,
        max_blocks: u32,
        max_ids: u32,
        max_nesting: u32,
        check_walks: u32,
        profiles: *const *const spvreconv_profile,
        profile_count: u32,
        tail_copy: u32,
        goal: *const c_char,
        structure: *const c_char,
        phis: *const c_char,
        bounded: spvreconv_bounded_callback,
        bounded_user: *mut c_void,
    }
    struct spvreconv_bounded {
        function: *const c_char,
        function_id: u32,
        block: u32,
        file: *const c_char,
        line: u32,
        lane: *const c_char,
    }
    #[derive(Debug)]
    struct spvreconv_record {
        lanes: u32,
        named: [[u32; 3]; 5],
    }
    #[derive(Debug)]
    struct spvreconv_graph {
        blocks: u32,
        edges: u32,
        instructions: u32,
        branches: u32,
        divergent_branches: u32,
        uniform_branches: u32,
        switches: u32,
        loops: u32,
        irreducible_loops: u32,
        multi_exit_loops: u32,
        reducible: bool,
        structured: bool,
        reconverging: bool,
        frontier_average: f64,
        frontier_max: u32,
        frontier_join_blocks: u32,
        frontier_join_edges: u32,
        pdom_join_points: u32,
        code_expansion_percent: f64,
        expansion_area: u64,
        frontier_checks: u32,
        folding_nodes: u32,
        folding_conditions: u32,
    }
    #[derive(Debug)]
    struct spvreconv_counts {
        flow_blocks: u32,
        virtual_blocks: u32,
        dispatch_blocks: u32,
        selectors: u32,
        forward_copies: u32,
        backward_copies: u32,
        cuts: u32,
        duplicated_blocks: u32,
        duplicated_instructions: u32,
        added_blocks: u32,
        added_instructions: u32,
        added_phis: u32,
        merged_blocks: u32,
        merged_instructions: u32,
        interacting_in_edges: u32,
        interacting_out_edges: u32,
        rerouted_uniform_branches: u32,
        phi_variables: u32,
        forward_copy_edges: u32,
    }
    struct spvreconv_frontier {
        function: u32,
        block: u32,
        waiting: *const u32,
        waiting_count: u32,
        checks: *const u32,
        check_count: u32,
    }
    #[derive(Debug)]
    struct spvreconv_cost {
        frontier_issues: u64,
        stack_issues: u64,
        instructions: u32,
    }
    struct spvreconv_tried {
        transforms: *const c_char,
        order: *const c_char,
        verdict: *const c_char,
        why: *const c_char,
        cost: *const spvreconv_cost,
    }
    struct spvreconv_choice {
        transforms: *const c_char,
        order: *const c_char,
        lanes: u32,
        recorded: bool,
        input: *const spvreconv_cost,
        structurize: *const spvreconv_cost,
        chosen: *const spvreconv_cost,
        tried: *const spvreconv_tried,
        tried_count: u32,
    }
    struct spvreconv_function {
        name: *const c_char,
        id: u32,
        before: *const spvreconv_graph,
        after: *const spvreconv_graph,
        transform: *const spvreconv_counts,
        order: *const u32,
        order_count: u32,
        best_order: *const c_char,
        choice: *const spvreconv_choice,
        violations_repaired: u32,
        structure: *const c_char,
        cost_before: *const spvreconv_cost,
        cost_after: *const spvreconv_cost,
    }
    struct spvreconv_pass {
        name: *const c_char,
        milliseconds: f64,
    }
    #[derive(Debug)]
    struct spvreconv_check {
        functions: u64,
        walks: u64,
        edges: u64,
        edges_covered: u64,
        pairs: u64,
        pairs_covered: u64,
        differences: u64,
        unchanged: u64,
        output_edges: u64,
        output_edges_covered: u64,
        output_pairs: u64,
        output_pairs_covered: u64,
    }
    struct spvreconv_refusal {
        kernel: *const c_char,
        reason: *const c_char,
    }
    struct spvreconv_repair {
        function: *const c_char,
        function_id: u32,
        violations: u32,
    }
    struct spvreconv_violation {
        function: *const c_char,
        function_id: u32,
        rule: *const c_char,
        statement: *const c_char,
        construct: u32,
        from: u32,
        to: u32,
        entries: *const u32,
        entry_count: u32,
        text: *const c_char,
    }
    struct spvreconv_reason {
        text: *const c_char,
        file: *const c_char,
        line: u32,
    }
    struct spvreconv_finding {
        rule: *const c_char,
        scope: *const c_char,
        function: *const c_char,
        function_id: u32,
        block: u32,
        text: *const c_char,
        file: *const c_char,
        line: u32,
        reason_count: u32,
        reasons: *const spvreconv_reason,
    }
    struct spvreconv_argument {
        name: *const c_char,
        kind: spvreconv_argument_kind,
        set: u32,
        binding: u32,
        offset: u32,
        size: u32,
        spec_id: u32,
        element_size: u32,
    }
    struct spvreconv_kernel {
        name: *const c_char,
        workgroup: [u32; 3],
        push_constants: u32,
        arguments: *const spvreconv_argument,
        argument_count: u32,
    }
    #[derive(Debug)]
    struct spvreconv_sampler {
        set: u32,
        binding: u32,
        mask: u32,
    }
    struct spvreconv_profile {
        size: usize,
        block_count: u32,
        path_count: u32,
        subgroup_count: u32,
        issues: *const u32,
        reaches_barrier: *const bool,
        blocks: *const u32,
        path_end: *const u32,
        subgroup_end: *const u32,
        budget: u64,
        resize: spvreconv_resize,
        resize_user: *mut c_void,
        functions: *const u32,
        labels: *const u32,
        parts: *const u32,
    }
}

/// Opaque.
#[repr(C)]
pub struct spvreconv_result {
    _private: [u8; 0],
}
/// Opaque.
#[repr(C)]
pub struct spvreconv_context {
    _private: [u8; 0],
}

extern "C" {
    pub fn spvreconv_version() -> u32;
    pub fn spvreconv_version_string() -> *const c_char;
    pub fn spvreconv_options_init(options: *mut spvreconv_options, size: usize);
    pub fn spvreconv_run(
        options: *const spvreconv_options,
        words: *const u32,
        count: usize,
        result: *mut *mut spvreconv_result,
    ) -> spvreconv_status;
    pub fn spvreconv_run_text(
        options: *const spvreconv_options,
        text: *const c_char,
        length: usize,
        result: *mut *mut spvreconv_result,
    ) -> spvreconv_status;
    pub fn spvreconv_compare(
        options: *const spvreconv_options,
        before: *const u32,
        before_count: usize,
        after: *const u32,
        after_count: usize,
        result: *mut *mut spvreconv_result,
    ) -> spvreconv_status;
    pub fn spvreconv_result_destroy(result: *mut spvreconv_result);
    pub fn spvreconv_context_create(options: *const spvreconv_options) -> *mut spvreconv_context;
    pub fn spvreconv_context_destroy(context: *mut spvreconv_context);
    pub fn spvreconv_context_set_message(
        context: *mut spvreconv_context,
        message: spvreconv_message,
        user: *mut c_void,
    );
    pub fn spvreconv_context_register(context: *mut spvreconv_context, flag: *const c_char) -> spvreconv_status;
    pub fn spvreconv_context_run(
        context: *const spvreconv_context,
        words: *const u32,
        count: usize,
        result: *mut *mut spvreconv_result,
    ) -> spvreconv_status;
    pub fn spvreconv_result_status(result: *const spvreconv_result) -> spvreconv_status;
    pub fn spvreconv_result_message(result: *const spvreconv_result) -> *const c_char;
    pub fn spvreconv_result_words(result: *const spvreconv_result, count: *mut usize) -> *const u32;
    pub fn spvreconv_result_input_words(result: *const spvreconv_result) -> usize;
    pub fn spvreconv_result_changed(result: *const spvreconv_result) -> bool;
    pub fn spvreconv_result_needs_structure(result: *const spvreconv_result) -> bool;
    pub fn spvreconv_result_function(result: *const spvreconv_result, index: usize) -> *const spvreconv_function;
    pub fn spvreconv_result_pass(result: *const spvreconv_result, index: usize) -> *const spvreconv_pass;
    pub fn spvreconv_result_repair(result: *const spvreconv_result, index: usize) -> *const spvreconv_repair;
    pub fn spvreconv_result_violation(result: *const spvreconv_result, index: usize) -> *const spvreconv_violation;
    pub fn spvreconv_result_finding(result: *const spvreconv_result, index: usize) -> *const spvreconv_finding;
    pub fn spvreconv_result_kernel(result: *const spvreconv_result, index: usize) -> *const spvreconv_kernel;
    pub fn spvreconv_result_sampler(result: *const spvreconv_result, index: usize) -> *const spvreconv_sampler;
    pub fn spvreconv_result_refusal(result: *const spvreconv_result, index: usize) -> *const spvreconv_refusal;
    pub fn spvreconv_result_frontier(result: *const spvreconv_result, index: usize) -> *const spvreconv_frontier;
    pub fn spvreconv_result_check(result: *const spvreconv_result) -> *const spvreconv_check;
    pub fn spvreconv_result_text(result: *const spvreconv_result, want: c_uint) -> *const c_char;
    pub fn spvreconv_transform_info(index: usize, name: *mut *const c_char, purpose: *mut *const c_char) -> bool;
    pub fn spvreconv_compare_info(index: usize, transform: *mut *const c_char, order: *mut *const c_char) -> bool;
    pub fn spvreconv_profile_order(profile: *const spvreconv_profile, order: *mut u32) -> spvreconv_status;
}
