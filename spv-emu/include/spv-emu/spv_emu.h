/* spv-emu: runs SPIR-V compute shaders on a model of a subgroup, under one of several
 * re-convergence policies, and counts what they cost.
 *
 *   spv_emu_program *program;
 *   if (spv_emu_load(words, count, &load, &program, message, sizeof message) == SPV_EMU_OK) {
 *     spv_emu_run(program, &run, &result);
 *     …
 *     spv_emu_result_free(result);
 *     spv_emu_free(program);
 *   }
 *
 * Nothing here reads files, prints or exits. A program may be run many times, also by several
 * threads at once, each with memory of its own. */
#ifndef SPV_EMU_H
#define SPV_EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum spv_emu_status {
  SPV_EMU_OK,
  SPV_EMU_BAD_INPUT, /* the module, or what was asked of it: a message says what */
  SPV_EMU_NO_MEMORY,
} spv_emu_status;

/* ---- loading --------------------------------------------------------------------------------- */

/* A constant is meant by its SpecId, its result id, or its name. The first that means it counts. */
typedef struct spv_emu_spec {
  uint32_t id;      /* SpecId; none has it: that is no error */
  uint64_t bits;    /* of the value; cut to the constant's width */
  uint32_t result;  /* not 0: result id instead */
  const char *name; /* not NULL: instead, the OpName of an integer or a bool; as a number its
                       SpecId, else its result id */
  bool *found;      /* of a name: set true if there is such a constant; NULL: there must be */
} spv_emu_spec;

typedef struct spv_emu_load_options {
  const char *entry;         /* name of the entry point; NULL: the only one, or "main" */
  const char *transform;     /* spvreconv's transforms to run first; NULL: none */
  const char *const *orders; /* of blocks, as spvreconv --order, for the transforms: the first that
                                the module's blocks allow; none does: that is an error */
  uint32_t order_count;      /* 0: the transforms' own */
  const spv_emu_spec *specs;
  uint32_t spec_count;
  uint32_t subgroup_size; /* 1 to 1024; 0: the workgroup's */
  uint32_t local_size[3]; /* for kernels that do not fix it; 0: 1 */
  bool check_uniform;     /* what the analysis proves uniform is checked; a breach is a fault */
} spv_emu_load_options;

typedef struct spv_emu_program spv_emu_program;

/* One descriptor, or array of descriptors, that the entry point's module declares. */
typedef struct spv_emu_binding {
  uint32_t set, binding;
  uint32_t count; /* descriptors; 0: a run-time array, as many as are bound */
  bool image;     /* image, sampler, or both */
  bool written;   /* may be written by the module */
  uint32_t id;    /* of the OpVariable */
} spv_emu_binding;

/* On failure writes one line to `message` ("function main, block %27: what is wrong (word 412)").
 * `words` in either byte order; not kept. Text is not read here. */
spv_emu_status spv_emu_load(const uint32_t *words, size_t count,
                            const spv_emu_load_options *options, spv_emu_program **program,
                            char *message, size_t message_size);
void spv_emu_free(spv_emu_program *program);
const spv_emu_binding *spv_emu_bindings(const spv_emu_program *program, uint32_t *count);
/* Bytes of push constants that the module declares. */
uint32_t spv_emu_push_constant_bytes(const spv_emu_program *program);

/* A block that the entry reaches, or a part of one that calls cut up. */
typedef struct spv_emu_place {
  uint32_t function, block; /* ids of the OpFunction and the OpLabel */
  uint32_t part;            /* 0, or after how many calls of the block */
  uint32_t index;           /* in spv_emu_result.parts */
  uint32_t issues;          /* instructions in it that count */
  bool reaches_barrier;     /* it holds one that is wider than a subgroup, or leads to one */
} spv_emu_place;

/* All of them, in the default order of priorities; to be freed. NULL: out of memory. */
spv_emu_place *spv_emu_places(const spv_emu_program *program, uint32_t *count);

/* ---- costs ----------------------------------------------------------------------------------- */

enum { SPV_EMU_COST_CLASSES = 15, SPV_EMU_COST_NAME = 64 };

/* What is paid in cycles. Set up by spv_emu_cost_find, changed by the two functions after it;
 * spv-emu/cost/cost.def says what the members are called there, docs/cost.md what they mean. */
typedef struct spv_emu_cost {
  char name[SPV_EMU_COST_NAME];
  uint32_t classes[SPV_EMU_COST_CLASSES]; /* an issue of each class of instructions */
  uint32_t divergent; /* a divergent branch: the push, the pop and its carrier; paid at the pop */
  uint32_t entries;   /* of the stack that are on the chip; 0: all */
  uint32_t chunk;     /* entries that leave the chip together, and come back together; of more than
                         `entries` those are meant */
  uint32_t spill, reload; /* such a move off the chip, paid at the push, and back, at the pop */
  /* Latency hiding. `subgroups` 0: loads never wait, subgroups run one after the other. */
  uint32_t subgroups; /* resident on the issue port */
  uint32_t latency,
      hit;        /* a subgroup waits so long for a load that misses, and for one that hits */
  uint32_t cache; /* memory segments in the cache that tells the two apart; 0: none, and */
  double miss;    /* … a load misses with this probability */
  uint64_t seed;  /* of those draws */
} spv_emu_cost;

/* Models by index, NULL past the last; the first, where each issue is a cycle and all else is free,
 * is what counts where none is given. */
const char *spv_emu_cost_model(uint32_t index, const char **purpose);
/* False: no model has that name. */
bool spv_emu_cost_find(const char *name, spv_emu_cost *cost);
/* One number by its name in cost.def. False: one line in `message`. */
bool spv_emu_cost_set(spv_emu_cost *cost, const char *key, const char *value, char *message,
                      size_t message_size);
/* A model as text, its lines "KEY VALUE" (docs/cost.md), into one that is set up. False: one line
 * in `message`, with the line's number. */
bool spv_emu_cost_parse(const char *text, size_t size, spv_emu_cost *cost, char *message,
                        size_t message_size);

/* ---- running --------------------------------------------------------------------------------- */

typedef struct spv_emu_buffer {
  uint32_t set, binding, element; /* element of a descriptor array */
  void *bytes;                    /* read and written in place */
  uint64_t size;
} spv_emu_buffer;

/* Texels tightly packed: level by level, layer by layer (cube faces are layers), slice by slice,
 * row by row. A texel buffer is an image of one row. */
typedef struct spv_emu_image {
  uint32_t set, binding, element;
  uint32_t format; /* number of a VkFormat */
  uint32_t width, height, depth, layers, levels, samples;
  void *bytes;
  uint64_t size;
} spv_emu_image;

typedef struct spv_emu_sampler {
  uint32_t set, binding, element;
  uint32_t mag_filter, min_filter, mipmap_mode; /* numbers of Vulkan's enums */
  uint32_t address_mode[3], border_color;
  float min_lod, max_lod, lod_bias;
  bool unnormalized, compare;
  uint32_t compare_op;
} spv_emu_sampler;

/* Hears of a policy's stack while it runs. NULL where it does not care. Blocks are named by the id
 * of their OpLabel. */
typedef struct spv_emu_trace {
  void *user;
  /* A subgroup has issued `count` instructions of a block, or of the policy's own after it, and the
   * stack is `depth` entries long after each of them. `issue`: how many came before, in this
   * subgroup. */
  void (*issued)(void *user, uint64_t subgroup, uint64_t issue, uint32_t count, uint32_t block,
                 uint32_t depth);
  /* Of pdom and ssy: an instruction that works on the stack ("SSY", "BRA", "SYNC", …), … */
  void (*step)(void *user, uint64_t subgroup, const char *name);
  /* … and each entry that it pops, then those that it pushes: its lanes (bit i % 64 of word i /
     64), the block that they run next, and of pdom that where they meet others; 0: none. */
  void (*entry)(void *user, bool pushed, const uint64_t *lanes, uint32_t next, uint32_t rejoin);
  uint64_t subgroups; /* counted on by every run */
  const char *policy; /* set by every run, as is */
  uint32_t lanes;     /* … of a subgroup */
} spv_emu_trace;

/* Hears what subgroups issue, in order, under any policy but opt, which has no schedule. */
typedef struct spv_emu_schedule {
  void *user;
  uint64_t subgroups; /* of a dispatch the first so many are told of */
  /* A run begins that is not skipped, with subgroups of `lanes` lanes. */
  void (*begun)(void *user, const spv_emu_program *program, uint32_t lanes);
  /* A subgroup issues that part of the program (index in spv_emu_result.parts), `count`
     instructions, for these lanes (bit i % 64 of word i / 64), perhaps none; or, part
     SPV_EMU_NO_PART, so many of the policy's own. Several threads may tell at once, but never of
     one subgroup. */
  void (*issued)(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                 const uint64_t *lanes);
} spv_emu_schedule;

#define SPV_EMU_NO_PART UINT32_MAX

/* A priority order of a whole program. Of a place `block` and `part` count. Places of the program
 * that it does not list come after, as in LRPO. */
typedef struct spv_emu_order {
  const spv_emu_place *places;
  uint32_t count;
} spv_emu_order;

typedef struct spv_emu_run_options {
  const char
      *policy; /* a name of spv_emu_policy; NULL: structured where it applies, else maximal */
  const char *priority;        /* lrpo (NULL), rpo, or @BLOCK,BLOCK,… */
  const spv_emu_order *orders; /* instead: the first of which all places are the program's; none is:
                                  that is an error */
  uint32_t order_count;        /* 0: as `priority` says */
  uint32_t groups[3];          /* workgroups */
  const spv_emu_buffer *buffers;
  uint32_t buffer_count;
  const spv_emu_image *images;
  uint32_t image_count;
  const spv_emu_sampler *samplers;
  uint32_t sampler_count;
  const void *push_constants;
  uint32_t push_constant_bytes;
  uint32_t segment_bytes; /* of a memory transaction; a power of two; 0: 128 */
  uint64_t max_issues;    /* of the dispatch; 0: 10^9 */
  uint32_t threads;       /* 0: 1 */
  uint64_t opt_budget;    /* states that `opt` may visit, in equal shares of the subgroups, each of
                             which has some; 0: its default */
  bool strict;            /* an access out of bounds is a fault */
  const char *wave;       /* exec: a listing of `spvreconv --dump-wave`, perhaps edited, to be run;
                             NULL: the module is lowered here */
  spv_emu_trace *trace;   /* of a policy with a stack (none, pdom, tf-stack, structured, maximal,
                             ssy); the run takes one thread then. NULL: nothing listens */
  bool list_tokens;       /* ssy: the result has its program as text */
  const char *lowering;   /* exec: as `spvreconv --lowering`; NULL: its default */
  const spv_emu_cost *cost;         /* NULL: a cycle for each issue */
  const spv_emu_schedule *schedule; /* NULL: nothing listens */
} spv_emu_run_options;

/* A block, or where calls cut it up a part of one, and how often it ran. */
typedef struct spv_emu_part {
  uint32_t block;  /* index in spv_emu_result.blocks */
  uint32_t part;   /* 0, or after how many of the block's calls it stands */
  uint32_t issues; /* instructions in it that count */
  uint64_t executions, lanes;
} spv_emu_part;

typedef enum spv_emu_outcome {
  SPV_EMU_RAN,
  SPV_EMU_SKIP,     /* the policy does not apply; the message says why */
  SPV_EMU_DEADLOCK, /* a barrier that lanes of the subgroup cannot reach */
  SPV_EMU_LIMIT,    /* max_issues */
  SPV_EMU_FAULT,
} spv_emu_outcome;

typedef struct spv_emu_block { /* one SPIR-V block that ran, or could */
  const char *function;
  uint32_t id;                /* of its OpLabel */
  uint32_t line;              /* of its first OpLine; 0: none */
  uint32_t issues;            /* instructions in it that count */
  uint64_t executions, lanes; /* how often it ran; sum of the lanes that were on */
} spv_emu_block;

typedef struct spv_emu_result {
  const char *policy;
  uint32_t subgroup_size;
  spv_emu_outcome outcome;
  char message[512]; /* empty, or one line; a note on dropped accesses where it ran */
  uint64_t subgroups, issued, lane_instructions;
  double activity_factor;
  uint64_t overhead, noop_issues, phi, divergent_branches, reconvergences;
  uint64_t stack_pushes, stack_pops, stack_spills;
  uint32_t stack_max_depth;
  uint64_t memory_issues, memory_transactions;
  double memory_efficiency;
  uint64_t scalar_issues, branch_issues; /* of exec */
  uint64_t expansion_area; /* issues between unstructured branches and their post-dominators while
                              living lanes were elsewhere */
  uint64_t cycles;
  uint64_t issue_cycles, branch_cycles, unwinding_cycles; /* of issues; of pushes; of pops */
  uint64_t loads, misses; /* of the latency model: loads and atomics on buffers */
  uint64_t load_cycles;   /* all subgroups' waits for them, hidden or not */
  uint64_t idle_cycles;   /* in which nothing was issued */
  double utilisation;     /* issue_cycles / cycles */
  uint64_t out_of_bounds; /* accesses dropped */
  bool exact;             /* opt */
  spv_emu_block *blocks;
  spv_emu_part *parts; /* of every run of a program the same but for what they count */
  uint32_t block_count, part_count;
  char *tokens;       /* ssy, where asked for: its program as text; else NULL */
  uint32_t *priority; /* block ids in priority order */
  uint32_t priority_count;
} spv_emu_result;

/* SPV_EMU_OK with *result set, whatever the outcome; else a message. */
spv_emu_status spv_emu_run(const spv_emu_program *program, const spv_emu_run_options *options,
                           spv_emu_result **result, char *message, size_t message_size);
void spv_emu_result_free(spv_emu_result *result);

/* Policies by index, NULL past the last: name and one line of purpose. */
const char *spv_emu_policy(uint32_t index, const char **purpose);

/* ---- listings -------------------------------------------------------------------------------- */

typedef struct spv_emu_use {
  uint32_t part, count; /* so many instructions of a part, of those that count */
} spv_emu_use;

typedef struct spv_emu_line {
  const char *text; /* not terminated: */
  uint32_t length;  /* bytes, without the line end */
  uint32_t use,
      uses; /* the first in spv_emu_listing.uses, and how many: what the line stands for */
} spv_emu_line;

typedef struct spv_emu_listing {
  bool source; /* else the disassembly of the functions */
  const spv_emu_line *lines;
  uint32_t line_count;
  const spv_emu_use *uses;
} spv_emu_listing;

/* The source that the module holds (OpSource, and OpLine for its instructions); where it holds
 * none, or `source` is false, the functions' disassembly. NULL: out of memory. */
spv_emu_listing *spv_emu_list(const spv_emu_program *program, bool source);
void spv_emu_listing_free(spv_emu_listing *listing);

/* The functions' control-flow graphs in Graphviz' language, nodes "b" and the OpLabel's id; to be
 * freed. Empty: there are more than `most` blocks, or four times as many edges. NULL: out of
 * memory. */
char *spv_emu_draw(const spv_emu_program *program, uint32_t most);

/* What cost how much, as text to be freed; NULL: out of memory. The program's disassembly with,
 * after each instruction that counts, how often it was issued and with how many lanes on
 * average. */
char *spv_emu_annotate(const spv_emu_program *program, const spv_emu_result *result);
/* The source that the module holds, and before each line the issues of its instructions and their
 * lanes on average; empty where the module holds none. */
char *spv_emu_annotate_source(const spv_emu_program *program, const spv_emu_result *result);

#endif
