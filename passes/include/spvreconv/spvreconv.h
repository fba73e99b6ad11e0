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

/* On Windows, a program that uses the library as a DLL may define SPVRECONV_DLL: calls are then direct. */
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
  SPVRECONV_BAD_INPUT = 1,  /* the module is not valid, or lacks what the options ask for */
  SPVRECONV_BAD_OPTION = 2, /* an option's value is not valid */
  SPVRECONV_BUG = 3,        /* one of spvreconv's own checks rejects the output */
  SPVRECONV_OUT_OF_MEMORY = 4,
} spvreconv_status;

typedef enum spvreconv_validate {
  SPVRECONV_VALIDATE_AUTO, /* SPIRV-Tools' validator, unless it would take long (a function of over
                              10,000 blocks, a module of over a million words, deep nests of
                              constructs, long chains of calls): then it is skipped, with a notice.
                              Also skipped, without a notice, if only transform "none" runs */
  SPVRECONV_VALIDATE_FULL, /* always; a module that needs a newer SPIRV-Tools is refused */
  SPVRECONV_VALIDATE_NONE, /* only spvreconv's own checks of control flow, dominance and phis */
} spvreconv_validate;

/* What a run computes besides the transformed module; combine with |. */
enum {
  SPVRECONV_WANT_STATS = 1,      /* graph figures before and after, block order */
  SPVRECONV_WANT_CFG_DOT = 2,    /* the transformed functions' graphs in Graphviz' language */
  SPVRECONV_WANT_UNIFORMITY = 4, /* annotated disassembly */
  SPVRECONV_WANT_EXPLAIN = 8,   /* do not transform; check only the structure and, unless `validate`
                                   is NONE, that the module is valid otherwise */
  SPVRECONV_WANT_WAVE = 16,     /* listing of the wave-level program; the functions must be
                                   reconverging */
  SPVRECONV_WANT_ASSEMBLY = 32, /* the output as assembly text, as `spirv-dis --raw-id` prints it */
  SPVRECONV_WANT_CHECK = 64,    /* compare the output with the input, without running either
                                   (docs/check.md); a difference fails with SPVRECONV_BUG */
  SPVRECONV_WANT_EXPLAIN_PORTABLE =
      SPVRECONV_WANT_EXPLAIN | 128, /* by the rules of portable structure as well */
  SPVRECONV_WANT_COST = 256,        /* with SPVRECONV_WANT_STATS: what the functions cost, before
                                       and after */
  SPVRECONV_WANT_LINT = 512, /* do not transform; look for barriers, derivatives and operations of
                                quads and subgroups under control that may diverge */
  SPVRECONV_WANT_FRONTIER = 1024, /* thread frontiers of the transformed functions, in `order` */
};

/* A loop that bound-loops bounds. */
typedef struct spvreconv_bounded {
  const char *function;
  uint32_t function_id, block; /* the id of the loop's header */
  const char *file;            /* the source's file, which may be ""; NULL: not known */
  uint32_t line;               /* 0: not known */
  const char *lane; /* how a record names lanes: "invocation" (by its global ID), "pixel" (by its
                       coordinates) or "vertex" (by its index); NULL: it only counts them */
} spvreconv_bounded;

/* What the lanes that were taken out of a loop leave in the device's memory, which is zero before;
 * aligned to 4 bytes. */
typedef struct spvreconv_record {
  uint32_t lanes;       /* their number; a lane counts each time */
  uint32_t named[5][3]; /* the first four; the last element is overwritten by all others */
} spvreconv_record;

typedef struct spvreconv_options {
  size_t size;            /* sizeof(spvreconv_options) as the caller knows it */
  const char *transform;  /* comma list, as --transform; NULL: "auto" */
  const char *order;      /* as --order; NULL: the transform's default */
  const char *uniformity; /* "analysis" (default), "divergent", "uniform" */
  const char *scope;      /* "subgroup" (default), "workgroup" */
  const char *target_env; /* as spirv-val's --target-env; NULL: from the module's version */
  spvreconv_validate validate;
  uint32_t max_growth; /* percent, for transforms that add code; 0: 1000, kernel-to-shader: 10000 */
  bool strip_debug;
  unsigned want; /* SPVRECONV_WANT_… */
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
  const char *lowering; /* for SPVRECONV_WANT_WAVE: a comma list of "needed-skips" (omit skip
                           branches that are not needed), "flow-blocks" and "branch-masks"
                           (docs/wave.md); NULL: none */
  /* Called with a drawing of reconverge's open tree after each step, in Graphviz' language, and a
   * name for it: function, id, step, such as main-4-0012; may be NULL. */
  void (*drawing)(void *user, const char *name, const char *dot);
  void *drawing_user;
  /* An input that exceeds one of these is refused (docs/limits.md). 0: the default named below. */
  uint32_t max_blocks;  /* of a function; 0: as many as there are ids */
  uint32_t max_ids;     /* the id bound; 0: 4,194,303, the most that SPIR-V allows */
  uint32_t max_nesting; /* of constructs, where SPIRV-Tools validates; 0: 1023 */
  uint32_t check_walks; /* for SPVRECONV_WANT_CHECK: limit on walks per function; 0: as many as are
                         * needed to cover the function, within a budget linear in its size. Half of
                         * them aim at edges of the output */
  /* For transform best:profile:NAME: profiles with `functions`, `labels` and `parts`. The first one
   * whose blocks the module has is used. They must outlive the run, or the context. */
  const struct spvreconv_profile *const *profiles;
  uint32_t profile_count;
  uint32_t tail_copy; /* structurize, auto: copy a tail of up to this many instructions instead of
                         guarding it (docs/structurize.md); 0: copy nothing */
  const char *goal;   /* structurize, auto: what the order and the copies are chosen to save, "size"
                         or "issues"; NULL: the order is not chosen, copies save size */
  const char *structure; /* transforms that make structure: "portable" writes only what structured
                          * languages can say (docs/structurize.md), "any" all that SPIR-V allows;
                          * NULL: portable */
  const char *phis; /* the phis of the output: "keep", or "variables": each OpPhi becomes a Function
                       variable (docs/spvreconv.md); NULL: keep */
  /* Called for each loop of a shader that bound-loops bounds; may be NULL. Returns the device address
   * of a spvreconv_record, in which lanes that the bound takes out of the loop record themselves, or
   * 0: they do not. Such an output needs the feature bufferDeviceAddress, and in the stages of
   * fragments and vertices the features of stores and atomics. */
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
  uint32_t frontier_checks; /* edges with a check for lanes that wait at their target */
  uint32_t folding_nodes;   /* of the maximal folding; 1: structured by the definitions of Sabne et
                               al. (docs/spvreconv.md) */
  uint32_t folding_conditions; /* of these, nodes with several successors */
} spvreconv_graph;

typedef struct spvreconv_counts {
  uint32_t flow_blocks, virtual_blocks, dispatch_blocks, selectors;
  uint32_t forward_copies, backward_copies, cuts, duplicated_blocks, duplicated_instructions;
  uint32_t added_blocks, added_instructions, added_phis;
  uint32_t merged_blocks, merged_instructions;
  uint32_t interacting_in_edges, interacting_out_edges;
  uint32_t rerouted_uniform_branches;
  uint32_t phi_variables;      /* phis that became variables */
  uint32_t forward_copy_edges; /* edges that lead to a forward copy */
} spvreconv_counts;

/* The thread frontier of a block of the output (docs/spvreconv.md, SPVRECONV_WANT_FRONTIER). */
typedef struct spvreconv_frontier {
  uint32_t function, block; /* ids */
  const uint32_t *waiting;  /* the frontier: ids of the blocks where lanes may wait, by priority */
  uint32_t waiting_count;
  const uint32_t *checks; /* ids of the successors to which an edge with a check leads */
  uint32_t check_count;
} spvreconv_frontier;

/* What a function costs: the issues of a subgroup that runs it, under two schedules, and the size
 * of its code (docs/best.md). */
typedef struct spvreconv_cost {
  uint64_t frontier_issues, stack_issues; /* under thread frontiers; under a stack of
                                             post-dominators */
  uint32_t instructions;
} spvreconv_cost;

/* A list that transform best tried on a function, and the verdict. */
typedef struct spvreconv_tried {
  const char *transforms, *order; /* as in spvreconv_choice */
  const char *verdict; /* "chosen"; "lost" to the chosen list; "same": an earlier list has the same
                          result; "refused": it cannot be chosen */
  const char *why;     /* the reason, in one line; NULL: it was chosen */
  const spvreconv_cost *cost; /* of the list's result; NULL: not known */
} spvreconv_tried;

/* What transform best chose for a function. */
typedef struct spvreconv_choice {
  const char *transforms; /* the list */
  const char *order;      /* the list's order, as --order; NULL: that of the options */
  uint32_t lanes;         /* the number of lanes whose paths were measured */
  bool recorded;          /* the paths come from a profile; false: they are supposed */
  const spvreconv_cost *input, *structurize, *chosen; /* of the input, after structurize, after the
                                                         chosen list */
  const spvreconv_tried *tried;                       /* the lists, in the order of the table */
  uint32_t tried_count;
} spvreconv_choice;

/* A function of the module; what it points to lives as long as the result. */
typedef struct spvreconv_function {
  const char *name;
  uint32_t id;
  const spvreconv_graph *before, *after;
  const spvreconv_counts *transform;
  const uint32_t *order; /* block ids of the input function in the order used */
  uint32_t order_count;
  const char *best_order; /* what --order=best chose for reconverge; NULL: nothing to choose */
  const spvreconv_choice *choice; /* of transform best; NULL: nothing to choose */
  uint32_t violations_repaired;   /* as in spvreconv_repair; 0: not repaired */
  const char *structure; /* of the output: "portable", "any" (SPIR-V's rules hold) or "none" */
  const spvreconv_cost *cost_before,
      *cost_after; /* of SPVRECONV_WANT_COST, on supposed paths; NULL:
                                                     not known */
} spvreconv_function;

typedef struct spvreconv_pass {
  const char *name;
  double milliseconds;
} spvreconv_pass;

/* The findings of SPVRECONV_WANT_CHECK. */
typedef struct spvreconv_check {
  uint64_t functions;            /* functions that the transforms changed; others need no walk */
  uint64_t walks;                /* number of walks, each through both versions of a function */
  uint64_t edges, edges_covered; /* edges of these functions in the input; how many of them a
                                    walk took */
  uint64_t pairs, pairs_covered; /* the same for pairs of an edge into a block and an edge out of
                                    it */
  uint64_t differences;          /* functions that compute something else in the output, and
                                    differences outside of functions */
  uint64_t unchanged;            /* functions with a body that are the same word for word */
  uint64_t output_edges, output_edges_covered; /* the same for these functions in the output */
  uint64_t output_pairs, output_pairs_covered;
} spvreconv_check;

/* A function that broke rules of structured control flow in the input, and obeys them in the
 * output. */
typedef struct spvreconv_repair {
  const char *function;
  uint32_t function_id;
  uint32_t violations; /* in the input, as SPVRECONV_WANT_EXPLAIN counts them; in a module without
                          Shader only violations of the rules that it has to obey */
} spvreconv_repair;

/* How the host passes an argument of a kernel to the shader that transform kernel-to-shader made of
 * it (docs/kernel-to-shader.md). */
typedef enum spvreconv_argument_kind {
  SPVRECONV_ARGUMENT_BUFFER,          /* a storage buffer */
  SPVRECONV_ARGUMENT_SAMPLED_IMAGE,   /* a sampled image */
  SPVRECONV_ARGUMENT_STORAGE_IMAGE,   /* a storage image without format */
  SPVRECONV_ARGUMENT_SAMPLER,         /* a sampler */
  SPVRECONV_ARGUMENT_LOCAL,           /* memory of the workgroup: a specialization constant */
  SPVRECONV_ARGUMENT_PUSH_CONSTANT,   /* bytes of the push constants */
  SPVRECONV_ARGUMENT_UNIFORM,         /* bytes of a uniform buffer */
  SPVRECONV_ARGUMENT_ADDRESS,         /* the address of a buffer, 8 bytes of the push constants */
  SPVRECONV_ARGUMENT_ADDRESS_UNIFORM, /* the same, of a uniform buffer */
} spvreconv_argument_kind;

typedef struct spvreconv_argument {
  const char *name; /* "": the module does not say it */
  spvreconv_argument_kind kind;
  uint32_t set, binding; /* of a descriptor, or of the uniform buffer */
  uint32_t offset, size; /* in bytes, in the push constants or the uniform buffer */
  uint32_t spec_id;      /* LOCAL: the SpecId of the number of elements */
  uint32_t element_size; /* LOCAL: bytes of an element */
} spvreconv_argument;

/* A kernel that became an entry point. */
typedef struct spvreconv_kernel {
  const char *name;        /* of the entry point */
  uint32_t workgroup[3];   /* the size that the kernel requires; 0, 0, 0: SpecIds 0 to 2 set it */
  uint32_t push_constants; /* their bytes; 0: there are none */
  const spvreconv_argument *arguments; /* in the kernel's order */
  uint32_t argument_count;
  uint32_t
      dimensions_spec_id; /* the SpecId of the number of dimensions, three if it is not set; 0: the
                                  kernel does not ask for it */
} spvreconv_kernel;

/* A sampler that the program defines. */
typedef struct spvreconv_sampler {
  uint32_t set, binding;
  uint32_t
      mask; /* bit 0: normalized coordinates; bits 1 to 3: addressing (0 none, 1 clamp to edge, 2
                    clamp, 3 repeat, 4 mirrored repeat); 16: nearest; 32: linear */
} spvreconv_sampler;

/* A kernel that cannot be converted. The module lacks it. */
typedef struct spvreconv_refusal {
  const char *kernel; /* its name */
  const char *reason; /* a message, as spvreconv_result_message returns it */
} spvreconv_refusal;

/* A violation of the rules of structured control flow, found by SPVRECONV_WANT_EXPLAIN. */
typedef struct spvreconv_violation {
  const char *function;
  uint32_t function_id;
  const char *rule, *statement; /* the rule's name; what it demands, and its section of SPIR-V */
  uint32_t construct;           /* the id of the construct's header; 0: none */
  uint32_t from, to;       /* the edge at fault, as ids of blocks; 0: there is no such edge, or it
                              lacks this end */
  const uint32_t *entries; /* ids of the entries of the cycle that the edge closes, if it has
                              several */
  uint32_t entry_count;
  const char *text; /* one line: what is wrong, and what to do */
} spvreconv_violation;

/* A step in the reason for a finding: a branch, a call, a value. */
typedef struct spvreconv_reason {
  const char *text; /* one line */
  const char *file; /* the source's file, which may be ""; NULL: not known */
  uint32_t line;    /* 0: not known */
} spvreconv_reason;

/* An operation of several lanes under control that may diverge, found by SPVRECONV_WANT_LINT. */
typedef struct spvreconv_finding {
  const char *rule;  /* "barrier", "derivative", "sample", "quad", "subgroup" */
  const char *scope; /* whose lanes may diverge: "workgroup", "quad", "subgroup" */
  const char *function;
  uint32_t function_id, block; /* the id of the block */
  const char *text;            /* one line: the instruction, and what goes wrong */
  const char *file;            /* the instruction's place in the source, as in spvreconv_reason */
  uint32_t line;
  uint32_t reason_count;
  const spvreconv_reason *reasons; /* from the branch at fault to the value that differs */
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
/* The blocks of SPVRECONV_WANT_FRONTIER that their functions' entries reach, from index 0, those of a
 * function by priority; NULL after the last. */
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
  size_t size; /* sizeof(spvreconv_profile) as the caller knows it */
  uint32_t block_count, path_count, subgroup_count;
  const uint32_t *issues;       /* by block: how many instructions it issues */
  const bool *reaches_barrier;  /* by block: does it lead to a barrier wider than a subgroup?
                                   Then all blocks that precede it in the initial order precede
                                   it in the result too */
  const uint32_t *blocks;       /* of all paths, one path after the other; none is empty */
  const uint32_t *path_end;     /* by path: where it ends in `blocks` */
  const uint32_t *subgroup_end; /* by subgroup: where its paths end in `path_end` */
  uint64_t budget; /* limit on the block executions that the search simulates, counted for each
                      lane; 0: 40 million, about a quarter of a second */
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
