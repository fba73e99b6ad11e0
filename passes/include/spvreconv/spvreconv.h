/* SPDX-License-Identifier: Apache-2.0 */
/* spvreconv: SPIR-V control-flow transforms as a C library. Words in, words out.
 *
 * In one call:
 *
 *   spvreconv_options options;
 *   spvreconv_options_init(&options, sizeof options);
 *   options.transform = "structurize";
 *   spvreconv_result *result;
 *   if (spvreconv_run(&options, words, count, &result) == SPVRECONV_OK) {
 *     size_t n;
 *     const uint32_t *out = spvreconv_result_words(result, &n);
 *     ...
 *   } else {
 *     fputs(spvreconv_result_message(result), stderr);
 *   }
 *   spvreconv_result_destroy(result);
 *
 * In the style of SPIRV-Tools' optimizer (register, then run), for many modules:
 *
 *   spvreconv_context *context = spvreconv_context_create(NULL);
 *   spvreconv_context_register(context, "strip-merges");
 *   spvreconv_context_register(context, "structurize");
 *   spvreconv_context_run(context, words, count, &result);
 *   ...
 *   spvreconv_context_destroy(context);
 *
 * The library keeps no state between calls, touches no file, prints nothing and never exits; any
 * number of threads may call it concurrently.
 *
 * ABI. A program built with the header of one version runs with the library of every later one of
 * the same major version (the number of the shared object):
 *   - the caller's structs start with their size as the caller knows it. A smaller struct comes
 *     from an older caller: its missing fields take their defaults. A larger one comes from a newer
 *     caller: it is accepted if the fields unknown to this library are zero, and else refused with
 *     SPVRECONV_BAD_OPTION
 *   - the library's structs are returned one by one and by pointer, never as an array or within
 *     one another; new fields are only added at the end of a struct
 *   - enumerators and bits keep their numbers, functions their meaning.
 * tests/unit/driver/test_abi.c checks all this. */
#ifndef SPVRECONV_H
#define SPVRECONV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; the build reads it here. */
#define SPVRECONV_VERSION_MAJOR 0
#define SPVRECONV_VERSION_MINOR 1
#define SPVRECONV_VERSION_PATCH 0
#define SPVRECONV_VERSION "0.1.0"
/* Versions as one number, to compare: SPVRECONV_MAKE_VERSION(0, 1, 0) <= spvreconv_version(). */
#define SPVRECONV_MAKE_VERSION(major, minor, patch)                                                \
  ((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(patch))
#define SPVRECONV_VERSION_NUMBER                                                                   \
  SPVRECONV_MAKE_VERSION(SPVRECONV_VERSION_MAJOR, SPVRECONV_VERSION_MINOR, SPVRECONV_VERSION_PATCH)

/* On Windows, a program that uses the library as a DLL may define SPVRECONV_DLL, which makes calls
 * direct. */
#if defined(_WIN32) && defined(SPVRECONV_BUILD)
#define SPVRECONV_EXPORT __declspec(dllexport)
#elif defined(_WIN32) && defined(SPVRECONV_DLL)
#define SPVRECONV_EXPORT __declspec(dllimport)
#elif defined(__GNUC__)
#define SPVRECONV_EXPORT __attribute__((visibility("default")))
#else
#define SPVRECONV_EXPORT
#endif

typedef enum spvreconv_status {
  SPVRECONV_OK = 0,
  /* The module is not valid, or lacks what the options ask for. */
  SPVRECONV_BAD_INPUT = 1,
  /* The value of an option is not valid. */
  SPVRECONV_BAD_OPTION = 2,
  /* One of spvreconv's own checks rejects the output. */
  SPVRECONV_BUG = 3,
  SPVRECONV_OUT_OF_MEMORY = 4,
} spvreconv_status;

typedef enum spvreconv_validate {
  /* Runs SPIRV-Tools' validator, unless that would take long: for a function of over 10,000 blocks,
   * a module of over a million words, deeply nested constructs, or long chains of calls. It is then
   * skipped, with a notice. If "none" is the only transform, it is also skipped, without a
   * notice. */
  SPVRECONV_VALIDATE_AUTO,
  /* Always runs the validator. A module that needs a newer SPIRV-Tools is refused. */
  SPVRECONV_VALIDATE_FULL,
  /* Runs only spvreconv's own checks of control flow, dominance and phis. */
  SPVRECONV_VALIDATE_NONE,
} spvreconv_validate;

/* What a run computes besides the transformed module; combine with |. */
enum {
  /* Figures of each function's graph before and after, and the block order. */
  SPVRECONV_WANT_STATS = 1,
  /* The graphs of the transformed functions in Graphviz' language. */
  SPVRECONV_WANT_CFG_DOT = 2,
  /* A disassembly with remarks on uniformity. */
  SPVRECONV_WANT_UNIFORMITY = 4,
  /* No transform runs. The structure is checked, and, unless `validate` is NONE, whether the module
   * is valid otherwise. */
  SPVRECONV_WANT_EXPLAIN = 8,
  /* A listing of the wave-level program. The functions must be reconverging. */
  SPVRECONV_WANT_WAVE = 16,
  /* The output as assembly text, as `spirv-dis --raw-id` prints it. */
  SPVRECONV_WANT_ASSEMBLY = 32,
  /* Compares the output with the input, without running either (docs/check.md). If they differ, the
   * run fails with SPVRECONV_BUG. */
  SPVRECONV_WANT_CHECK = 64,
  /* As EXPLAIN, and checks the rules of portable structure, too. */
  SPVRECONV_WANT_EXPLAIN_PORTABLE = SPVRECONV_WANT_EXPLAIN | 128,
  /* With SPVRECONV_WANT_STATS: the cost of each function before and after. */
  SPVRECONV_WANT_COST = 256,
  /* No transform runs. Finds barriers, derivatives, and operations of quads and subgroups in places
   * that may be reached by only some lanes. */
  SPVRECONV_WANT_LINT = 512,
  /* The thread frontiers of the transformed functions, in `order`. */
  SPVRECONV_WANT_FRONTIER = 1024,
};

/* A loop that bound-loops bounds. */
typedef struct spvreconv_bounded {
  const char *function;
  /* The ids of the function and of the loop's header. */
  uint32_t function_id, block;
  /* The loop's source file, which may be "", and its line. If they are not known: NULL and 0. */
  const char *file;
  uint32_t line;
  /* How a record names a lane: "invocation" (by its global ID), "pixel" (by its coordinates) or
   * "vertex" (by its index). NULL: the record only counts lanes. */
  const char *lane;
} spvreconv_bounded;

/* The record of the lanes that a bound takes out of a loop. It is in the device's memory, aligned
 * to 4 bytes, and must be zero before the shader runs. */
typedef struct spvreconv_record {
  /* How often a lane was taken out; a lane may be counted several times. */
  uint32_t lanes;
  /* The first four of these lanes. All later ones overwrite the last element. */
  uint32_t named[5][3];
} spvreconv_record;

typedef struct spvreconv_options {
  /* sizeof(spvreconv_options) as the caller knows it. */
  size_t size;
  /* A list of transforms with commas between, as for --transform. NULL: "auto". */
  const char *transform;
  /* The block order, as for --order. NULL: the transform's default. */
  const char *order;
  /* "analysis" (the default), "divergent" or "uniform". */
  const char *uniformity;
  /* "subgroup" (the default) or "workgroup". */
  const char *scope;
  /* As spirv-val's --target-env. NULL: chosen by the module's version. */
  const char *target_env;
  spvreconv_validate validate;
  /* For transforms that add code: the limit on what they add, in percent. 0: 1000, or 10000 for
   * kernel-to-shader. */
  uint32_t max_growth;
  bool strip_debug;
  /* SPVRECONV_WANT_… bits. */
  unsigned want;
  /* Called for notices (not failures), one line each without a newline; may be NULL. */
  void (*message)(void *user, const char *line);
  void *message_user;
  /* The library's allocator: like realloc, with the old size as one more argument. It aligns blocks
   * as malloc does, and a new_size of 0 frees. The member may be NULL: malloc is used. SPIRV-Tools,
   * which assembles, validates and prints, does not use it. If the allocator returns NULL, the call
   * fails with SPVRECONV_OUT_OF_MEMORY and frees its memory. A result and a context call the
   * allocator until they are destroyed. */
  void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
  void *resize_user;
  /* For SPVRECONV_WANT_WAVE: a list, with commas between, of "needed-skips" (omit skip branches
   * that are not needed), "flow-blocks" and "branch-masks" (docs/wave.md). NULL: none of them. */
  const char *lowering;
  /* Called with a drawing of reconverge's open tree after each step, in Graphviz' language, and a
   * name for it: function, id, step, such as main-4-0012; may be NULL. */
  void (*drawing)(void *user, const char *name, const char *dot);
  void *drawing_user;
  /* An input that exceeds one of the next three limits is refused (docs/limits.md). */
  /* The most blocks of a function. 0: as many as there are ids. */
  uint32_t max_blocks;
  /* The highest id bound. 0: 4,194,303, the most that SPIR-V allows. */
  uint32_t max_ids;
  /* The deepest nesting of constructs, where SPIRV-Tools validates. 0: 1023. */
  uint32_t max_nesting;
  /* For SPVRECONV_WANT_CHECK: the most walks through a function. 0: as many as are needed to cover
   * the function, within a budget that is linear in its size. Half of them aim at edges of the
   * output. */
  uint32_t check_walks;
  /* For transform best:profile:NAME: profiles with `functions`, `labels` and `parts`. The first one
   * whose blocks the module has is used. They must outlive the run, or the context. */
  const struct spvreconv_profile *const *profiles;
  uint32_t profile_count;
  /* For structurize and auto: a tail of at most this many instructions is copied instead of guarded
   * (docs/structurize.md). 0: nothing is copied. */
  uint32_t tail_copy;
  /* For structurize and auto: what the order and the copies are chosen to save, "size" or "issues".
   * NULL: the order is not chosen, and copies save size. */
  const char *goal;
  /* For transforms that make structure: "portable" writes only what structured languages can
   * express (docs/structurize.md), "any" writes whatever SPIR-V allows. NULL: portable. */
  const char *structure;
  /* The phis of the output: "keep", or "variables", which turns each OpPhi into a Function variable
   * (docs/spvreconv.md). NULL: keep. */
  const char *phis;
  /* Called for each loop of a shader that bound-loops bounds; may be NULL. Returns the device
   * address of an spvreconv_record, to which the lanes that the bound takes out of the loop add
   * themselves, or 0 for no record. A shader with records needs the feature bufferDeviceAddress
   * and, in the fragment and vertex stages, the features for stores and atomics. */
  uint64_t (*bounded)(void *user, const spvreconv_bounded *loop);
  void *bounded_user;
} spvreconv_options;

/* Figures of one function's graph; names and meanings as in the JSON of the command line. */
typedef struct spvreconv_graph {
  uint32_t blocks, edges, instructions, branches, divergent_branches, uniform_branches, switches;
  uint32_t loops, irreducible_loops, multi_exit_loops;
  bool reducible, structured, reconverging;
  double frontier_average;
  uint32_t frontier_max, frontier_join_blocks, frontier_join_edges, pdom_join_points;
  double code_expansion_percent;
  uint64_t expansion_area;
  /* Edges with a check for lanes that wait at their target. */
  uint32_t frontier_checks;
  /* The nodes of the maximal folding. If there is one, the graph is structured by the definitions
   * of Sabne et al. (docs/spvreconv.md). */
  uint32_t folding_nodes;
  /* How many of these nodes have several successors. */
  uint32_t folding_conditions;
} spvreconv_graph;

/* What the transforms added to, or removed from, a function; names and meanings as in the JSON. */
typedef struct spvreconv_counts {
  uint32_t flow_blocks, virtual_blocks, dispatch_blocks, selectors;
  uint32_t forward_copies, backward_copies, cuts, duplicated_blocks, duplicated_instructions;
  uint32_t added_blocks, added_instructions, added_phis;
  uint32_t merged_blocks, merged_instructions;
  uint32_t interacting_in_edges, interacting_out_edges;
  uint32_t rerouted_uniform_branches;
  /* Phis that became variables. */
  uint32_t phi_variables;
  /* Edges that lead to a forward copy. */
  uint32_t forward_copy_edges;
} spvreconv_counts;

/* The thread frontier of a block of the output (docs/spvreconv.md, SPVRECONV_WANT_FRONTIER). All
 * numbers are ids. */
typedef struct spvreconv_frontier {
  uint32_t function, block;
  /* The frontier: the blocks where lanes may wait, by priority. */
  const uint32_t *waiting;
  uint32_t waiting_count;
  /* The successors to which an edge with a check leads. */
  const uint32_t *checks;
  uint32_t check_count;
} spvreconv_frontier;

/* The cost of a function: the issues of a subgroup that runs it, under two schedules, and the size
 * of its code (docs/best.md). */
typedef struct spvreconv_cost {
  /* Under thread frontiers, and under a stack of post-dominators. */
  uint64_t frontier_issues, stack_issues;
  uint32_t instructions;
} spvreconv_cost;

/* A list that transform best tried on a function, and the verdict. */
typedef struct spvreconv_tried {
  /* As in spvreconv_choice. */
  const char *transforms, *order;
  /* "chosen", "lost" (the chosen list is better), "same" (an earlier list has the same result), or
   * "refused" (this list may not be chosen). */
  const char *verdict;
  /* The reason, in one line. NULL: the list was chosen. */
  const char *why;
  /* The cost of the list's result. NULL: not known. */
  const spvreconv_cost *cost;
} spvreconv_tried;

/* What transform best chose for a function. */
typedef struct spvreconv_choice {
  const char *transforms;
  /* The block order of the list, as for --order. NULL: that of the options. */
  const char *order;
  /* The number of lanes whose paths were measured. */
  uint32_t lanes;
  /* Do the paths come from a profile? If not, they are assumed. */
  bool recorded;
  /* The cost of the input, after structurize, and after the chosen list. */
  const spvreconv_cost *input, *structurize, *chosen;
  /* The lists that were tried, in the order of the table. */
  const spvreconv_tried *tried;
  uint32_t tried_count;
} spvreconv_choice;

/* A function of the module; what it points to lives as long as the result. */
typedef struct spvreconv_function {
  const char *name;
  uint32_t id;
  const spvreconv_graph *before, *after;
  const spvreconv_counts *transform;
  /* The ids of the input function's blocks, in the order that was used. */
  const uint32_t *order;
  uint32_t order_count;
  /* What --order=best chose for reconverge. NULL: there was nothing to choose. */
  const char *best_order;
  /* What transform best chose. NULL: there was nothing to choose. */
  const spvreconv_choice *choice;
  /* As in spvreconv_repair. 0: nothing was repaired. */
  uint32_t violations_repaired;
  /* The structure of the output: "portable", "any" (SPIR-V's rules hold) or "none". */
  const char *structure;
  /* With SPVRECONV_WANT_COST: the cost on assumed paths. NULL: not known. */
  const spvreconv_cost *cost_before, *cost_after;
} spvreconv_function;

typedef struct spvreconv_pass {
  const char *name;
  double milliseconds;
} spvreconv_pass;

/* The findings of SPVRECONV_WANT_CHECK. */
typedef struct spvreconv_check {
  /* The functions that the transforms changed. The others need no walk. */
  uint64_t functions;
  /* The walks, each through both versions of a function. */
  uint64_t walks;
  /* The edges of the changed functions in the input, and how many of them a walk took. */
  uint64_t edges, edges_covered;
  /* The same for pairs of an edge into a block and an edge out of it. */
  uint64_t pairs, pairs_covered;
  /* The functions that compute something else in the output, and the differences outside of
   * functions. */
  uint64_t differences;
  /* The functions with a body that are the same word for word. */
  uint64_t unchanged;
  /* The edges and pairs of the changed functions in the output. */
  uint64_t output_edges, output_edges_covered;
  uint64_t output_pairs, output_pairs_covered;
} spvreconv_check;

/* A function that broke rules of structured control flow in the input, and obeys them in the
 * output. */
typedef struct spvreconv_repair {
  const char *function;
  uint32_t function_id;
  /* The violations in the input, as SPVRECONV_WANT_EXPLAIN counts them. In a module without Shader,
   * only violations of the rules that apply to such a module. */
  uint32_t violations;
} spvreconv_repair;

/* How the host passes a kernel's argument to the shader that transform kernel-to-shader made from
 * the kernel (docs/kernel-to-shader.md). */
typedef enum spvreconv_argument_kind {
  /* A storage buffer. */
  SPVRECONV_ARGUMENT_BUFFER,
  /* A sampled image. */
  SPVRECONV_ARGUMENT_SAMPLED_IMAGE,
  /* A storage image without format. */
  SPVRECONV_ARGUMENT_STORAGE_IMAGE,
  /* A sampler. */
  SPVRECONV_ARGUMENT_SAMPLER,
  /* Memory of the workgroup; a specialization constant sets its size. */
  SPVRECONV_ARGUMENT_LOCAL,
  /* Bytes of the push constants. */
  SPVRECONV_ARGUMENT_PUSH_CONSTANT,
  /* Bytes of a uniform buffer. */
  SPVRECONV_ARGUMENT_UNIFORM,
  /* The address of a buffer: 8 bytes of the push constants. */
  SPVRECONV_ARGUMENT_ADDRESS,
  /* The address of a buffer: 8 bytes of a uniform buffer. */
  SPVRECONV_ARGUMENT_ADDRESS_UNIFORM,
} spvreconv_argument_kind;

typedef struct spvreconv_argument {
  /* "": the module has no name for it. */
  const char *name;
  spvreconv_argument_kind kind;
  /* Of the descriptor, or of the uniform buffer that holds the argument. */
  uint32_t set, binding;
  /* In bytes, in the push constants or the uniform buffer. */
  uint32_t offset, size;
  /* For LOCAL: the SpecId of the number of elements, and the bytes of an element. */
  uint32_t spec_id;
  uint32_t element_size;
} spvreconv_argument;

/* A kernel that became an entry point. */
typedef struct spvreconv_kernel {
  /* The name of the entry point. */
  const char *name;
  /* The size that the kernel requires. All 0: SpecIds 0 to 2 set it. */
  uint32_t workgroup[3];
  /* The bytes of push constants. 0: there are none. */
  uint32_t push_constants;
  /* In the order of the kernel's parameters. */
  const spvreconv_argument *arguments;
  uint32_t argument_count;
  /* The SpecId of the number of dimensions, which is three by default. 0: the kernel does not use
   * it. */
  uint32_t dimensions_spec_id;
} spvreconv_kernel;

/* A sampler that the program defines. */
typedef struct spvreconv_sampler {
  uint32_t set, binding;
  /* Bit 0: normalized coordinates. Bits 1 to 3: the addressing (0 none, 1 clamp to edge, 2 clamp,
   * 3 repeat, 4 mirrored repeat). The filter: 16 nearest, 32 linear. */
  uint32_t mask;
} spvreconv_sampler;

/* A kernel that cannot be converted. The module lacks it. */
typedef struct spvreconv_refusal {
  /* The kernel's name. */
  const char *kernel;
  /* A message, as spvreconv_result_message returns it. */
  const char *reason;
} spvreconv_refusal;

/* A violation of the rules of structured control flow, found by SPVRECONV_WANT_EXPLAIN. */
typedef struct spvreconv_violation {
  const char *function;
  uint32_t function_id;
  /* The rule's name; what it demands, with the section of SPIR-V that states it. */
  const char *rule, *statement;
  /* The id of the construct's header. 0: there is no such construct. */
  uint32_t construct;
  /* The ids of the blocks at the ends of the offending edge. 0: there is no such edge, or it lacks
   * this end. */
  uint32_t from, to;
  /* If the edge closes a cycle that has several entries: their ids. */
  const uint32_t *entries;
  uint32_t entry_count;
  /* One line: what is wrong, and what to do. */
  const char *text;
} spvreconv_violation;

/* A step in the reason for a finding: a branch, a call, a value. */
typedef struct spvreconv_reason {
  /* One line. */
  const char *text;
  /* The source file, which may be "", and the line in it. If they are not known: NULL and 0. */
  const char *file;
  uint32_t line;
} spvreconv_reason;

/* An operation of several lanes in a place that only some of them may reach, found by
 * SPVRECONV_WANT_LINT. */
typedef struct spvreconv_finding {
  /* "barrier", "derivative", "sample", "quad" or "subgroup". */
  const char *rule;
  /* Whose lanes may diverge: "workgroup", "quad" or "subgroup". */
  const char *scope;
  const char *function;
  /* The ids of the function and the block. */
  uint32_t function_id, block;
  /* One line: the instruction, and what goes wrong. */
  const char *text;
  /* The instruction's place in the source, as in spvreconv_reason. */
  const char *file;
  uint32_t line;
  uint32_t reason_count;
  /* From the offending branch to the value that differs between lanes. */
  const spvreconv_reason *reasons;
} spvreconv_finding;

/* The result of a run; it belongs to the caller, who destroys it. Everything that the functions
 * below return from it is valid until then. */
typedef struct spvreconv_result spvreconv_result;

/* The library's version, which may be later than the header's. */
SPVRECONV_EXPORT uint32_t spvreconv_version(void);
SPVRECONV_EXPORT const char *spvreconv_version_string(void);

/* ---- in one call ---- */

/* Sets the defaults: all zero, except for `size` itself. */
SPVRECONV_EXPORT void spvreconv_options_init(spvreconv_options *options, size_t size);

/* Runs the transforms over `count` words; `options` NULL: the defaults. *result is set in every
 * case except out of memory (then it may be NULL, which all functions below accept), and does not
 * refer to `options` or `words`. */
SPVRECONV_EXPORT spvreconv_status spvreconv_run(const spvreconv_options *options,
                                                const uint32_t *words, size_t count,
                                                spvreconv_result **result);
/* Runs the transforms over SPIR-V assembly text (numeric ids are preserved). Its version of SPIR-V
 * is that of a line `; Version: 1.N` before the first instruction, else that of target_env, else
 * the lowest that accepts it (docs/spvreconv.md). */
SPVRECONV_EXPORT spvreconv_status spvreconv_run_text(const spvreconv_options *options,
                                                     const char *text, size_t length,
                                                     spvreconv_result **result);
/* Makes only the comparison of SPVRECONV_WANT_CHECK, for two modules: the second must have been
 * made from the first by the transforms of `options`, or by others that move instructions and keep
 * their ids. A difference is SPVRECONV_BUG; the result has no words. If spvreconv_result_check
 * counts neither `functions` nor `unchanged`, there was nothing to compare. */
SPVRECONV_EXPORT spvreconv_status spvreconv_compare(const spvreconv_options *options,
                                                    const uint32_t *before, size_t before_count,
                                                    const uint32_t *after, size_t after_count,
                                                    spvreconv_result **result);
SPVRECONV_EXPORT void spvreconv_result_destroy(spvreconv_result *result);

/* ---- register, then run ---- */

/* Options and a list of transforms to use repeatedly; any number of threads may run one context
 * concurrently. Each run of a context calls spvreconv_run. */
typedef struct spvreconv_context spvreconv_context;

/* `options` as for spvreconv_run; its strings are copied, and the transforms in its `transform`
 * come first. Bad options are reported by the run. NULL: out of memory. */
SPVRECONV_EXPORT spvreconv_context *spvreconv_context_create(const spvreconv_options *options);
SPVRECONV_EXPORT void spvreconv_context_destroy(spvreconv_context *context);
/* Sets the receiver of failures (including those of registering) and notices, one line each,
 * instead of the receiver in the options. */
SPVRECONV_EXPORT void spvreconv_context_set_message(spvreconv_context *context,
                                                    void (*message)(void *user, const char *line),
                                                    void *user);
/* Adds transforms to the end of the list: a name, as in --transform's list or as a flag
 * ("--structurize"), or several with commas between. BAD_OPTION, with the list unchanged, if there
 * is no transform of that name; or OUT_OF_MEMORY. */
SPVRECONV_EXPORT spvreconv_status spvreconv_context_register(spvreconv_context *context,
                                                             const char *flag);
/* Like spvreconv_run; "auto" if nothing is registered. */
SPVRECONV_EXPORT spvreconv_status spvreconv_context_run(const spvreconv_context *context,
                                                        const uint32_t *words, size_t count,
                                                        spvreconv_result **result);

/* ---- results ---- */

SPVRECONV_EXPORT spvreconv_status spvreconv_result_status(const spvreconv_result *result);
/* Why the run failed, one line without a newline: "function main, block %27: what (word 412)". */
SPVRECONV_EXPORT const char *spvreconv_result_message(const spvreconv_result *result);
/* The output; the input's own words if nothing changed. NULL unless the status is OK. */
SPVRECONV_EXPORT const uint32_t *spvreconv_result_words(const spvreconv_result *result,
                                                        size_t *count);
/* How many words the input has. */
SPVRECONV_EXPORT size_t spvreconv_result_input_words(const spvreconv_result *result);
SPVRECONV_EXPORT bool spvreconv_result_changed(const spvreconv_result *result);
/* Does a function of the output, changed or not, lack the structure that the module's capabilities
 * require? Vulkan does not accept such a module. False if nothing changed, unless the list of
 * transforms ends in one that may leave structure out (reconverge, merge-copies, strip-merges,
 * unstructure). After such a list, if the answer is yes, the validation checks a structurized copy
 * of the output. */
SPVRECONV_EXPORT bool spvreconv_result_needs_structure(const spvreconv_result *result);
/* The functions with a body, in module order, from index 0 (with SPVRECONV_WANT_STATS; else there
 * are none); NULL after the last. */
SPVRECONV_EXPORT const spvreconv_function *spvreconv_result_function(const spvreconv_result *result,
                                                                     size_t index);
/* The steps of the run, from index 0; NULL after the last. */
SPVRECONV_EXPORT const spvreconv_pass *spvreconv_result_pass(const spvreconv_result *result,
                                                             size_t index);
/* The kernels that transform kernel-to-shader converted, and the samplers that their program
 * defines, from index 0; NULL after the last. */
SPVRECONV_EXPORT const spvreconv_kernel *spvreconv_result_kernel(const spvreconv_result *result,
                                                                 size_t index);
SPVRECONV_EXPORT const spvreconv_sampler *spvreconv_result_sampler(const spvreconv_result *result,
                                                                   size_t index);
/* The kernels that transform kernel-to-shader left out, from index 0; NULL after the last. If it
 * can convert none, the run fails. */
SPVRECONV_EXPORT const spvreconv_refusal *spvreconv_result_refusal(const spvreconv_result *result,
                                                                   size_t index);
/* The functions that were repaired, from index 0, whatever the transforms were; NULL after the
 * last. */
SPVRECONV_EXPORT const spvreconv_repair *spvreconv_result_repair(const spvreconv_result *result,
                                                                 size_t index);
/* The findings of SPVRECONV_WANT_EXPLAIN, from index 0, even if the run failed because the module
 * is not valid for another reason; NULL after the last. */
SPVRECONV_EXPORT const spvreconv_violation *
spvreconv_result_violation(const spvreconv_result *result, size_t index);
/* The findings of SPVRECONV_WANT_LINT in the input, from index 0; NULL after the last. */
SPVRECONV_EXPORT const spvreconv_finding *spvreconv_result_finding(const spvreconv_result *result,
                                                                   size_t index);
/* The frontiers of SPVRECONV_WANT_FRONTIER, from index 0: for each block that its function's entry
 * reaches, those of a function by priority. NULL after the last. */
SPVRECONV_EXPORT const spvreconv_frontier *spvreconv_result_frontier(const spvreconv_result *result,
                                                                     size_t index);
/* The findings of SPVRECONV_WANT_CHECK, even if they made the run fail; NULL if nothing was
 * checked. */
SPVRECONV_EXPORT const spvreconv_check *spvreconv_result_check(const spvreconv_result *result);
/* The text that bit `want` of the options requests; NULL if the bit was not set.
 * SPVRECONV_WANT_CHECK: the differences, several lines each; NULL if there are none.
 * SPVRECONV_WANT_EXPLAIN: one line per violation, empty if the module is structured; even if the
 * run failed because the module is not valid for another reason; NULL if it could not be read.
 * SPVRECONV_WANT_ASSEMBLY, …_UNIFORMITY: NULL also if SPIRV-Tools cannot print the module. */
SPVRECONV_EXPORT const char *spvreconv_result_text(const spvreconv_result *result, unsigned want);

/* ---- what is available ---- */

/* The transforms that `transform` may list, from index 0: name and purpose in one line. False after
 * the last. */
SPVRECONV_EXPORT bool spvreconv_transform_info(size_t index, const char **name,
                                               const char **purpose);

/* The runs of the command line's --compare, from index 0, the first being the unchanged input: a
 * value for `transform`, and one for `order` or NULL. False after the last. */
SPVRECONV_EXPORT bool spvreconv_compare_info(size_t index, const char **transform,
                                             const char **order);

/* ---- block orders from profiles ---- */

/* Paths that lanes took through a program (docs/profile.md). spvreconv_profile_order searches for
 * an order of the program's blocks that suits them; transform best measures its candidates on them.
 * Blocks are numbered from 0 in the initial order of the search. */
typedef struct spvreconv_profile {
  /* sizeof(spvreconv_profile) as the caller knows it. */
  size_t size;
  uint32_t block_count, path_count, subgroup_count;
  /* By block: how many instructions it issues. */
  const uint32_t *issues;
  /* By block: does it lead to a barrier wider than a subgroup? If so, all blocks that precede it in
   * the initial order precede it in the result, too. */
  const bool *reaches_barrier;
  /* The blocks of all paths, one path after the other. No path is empty. */
  const uint32_t *blocks;
  /* By path: where it ends in `blocks`. */
  const uint32_t *path_end;
  /* By subgroup: where its paths end in `path_end`. */
  const uint32_t *subgroup_end;
  /* The most block executions that the search simulates, counted for each lane. 0: 40 million,
   * about a quarter of a second. */
  uint64_t budget;
  /* As in spvreconv_options. */
  void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
  void *resize_user;
  /* For transform best; NULL for spvreconv_profile_order. By block: the ids of its OpFunction and
   * its OpLabel, and, if calls split that block into parts, how many of its calls come before this
   * part. */
  const uint32_t *functions, *labels, *parts;
} spvreconv_profile;

/* Chooses priorities for thread frontiers: writes the blocks to `order` (room for block_count), by
 * descending priority. On the paths of the profile the result issues no more than the initial
 * order. The same profile and budget give the same order. BAD_OPTION: a number is out of range. */
SPVRECONV_EXPORT spvreconv_status spvreconv_profile_order(const spvreconv_profile *profile,
                                                          uint32_t *order);

#ifdef __cplusplus
}
#endif
#endif
