/* SPDX-License-Identifier: Apache-2.0 */
/* spv-emu: runs SPIR-V compute shaders, kernels and draw calls (spv_emu_render.h) on a model of a
 * subgroup, under one of several reconvergence policies, and counts the cost.
 *
 *   spv_emu_program *program;
 *   if (spv_emu_load(words, count, &load, &program, message, sizeof message) == SPV_EMU_OK) {
 *     spv_emu_run(program, &run, &result);
 *     …
 *     spv_emu_result_free(result);
 *     spv_emu_free(program);
 *   }
 *
 * No function reads files, prints or exits. A program may be run many times, also by several
 * threads concurrently, each with its own memory. */
#ifndef SPV_EMU_H
#define SPV_EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum spv_emu_status {
  SPV_EMU_OK,
  SPV_EMU_BAD_INPUT, /* the module or an option is wrong; the message says what */
  SPV_EMU_NO_MEMORY,
} spv_emu_status;

/* ---- loading --------------------------------------------------------------------------------- */

/* A value for a specialization constant, which the entry names by SpecId, result id, or name. The
 * first entry for a constant counts; two entries with `text` or `width` for one constant are an
 * error. */
typedef struct spv_emu_spec {
  uint32_t id;      /* SpecId; a SpecId that no constant has is ignored */
  uint64_t bits;    /* the value, truncated to the constant's width */
  uint32_t result;  /* the result id, instead of `id`; 0: not used */
  const char *name; /* the name, instead of `id` and `result`: an OpName, or a number, which is a
                       SpecId or, if no constant has that SpecId, a result id; NULL: not used */
  bool *found; /* for a name: set to true if there is such a constant; NULL: there must be one */
  const char *text; /* for a name: the value as text, instead of `bits`: a number that the
                       constant's type can hold, or true or false for a bool; NULL: not used */
  uint32_t width;   /* for a name: the constant must be a number of this width, and `bits` are its
                       bits; 0: it must be an integer or a bool, unless `text` gives its value */
} spv_emu_spec;

typedef enum spv_emu_stage {
  SPV_EMU_COMPUTE, /* compute shaders and kernels */
  SPV_EMU_VERTEX,
  SPV_EMU_FRAGMENT,
  SPV_EMU_GEOMETRY,
} spv_emu_stage;

typedef struct spv_emu_load_options {
  const char *entry;         /* name of the entry point; NULL: the only one, or "main" */
  const char *transform;     /* spvreconv's transforms to run first; NULL: none */
  const char *const *orders; /* block orders for the transforms, as spvreconv --order: the first
                                that fits the module's blocks is used; it is an error if none
                                does */
  uint32_t order_count;      /* 0: the transforms' own */
  const spv_emu_spec *specs;
  uint32_t spec_count;
  uint32_t subgroup_size; /* 1 to 1024; 0: the size of a workgroup, or 32 for graphics stages */
  uint32_t local_size[3]; /* for kernels that set no size; 0: not given, so 32, 1 and 1; an error if
                             the module sets another size */
  bool check_uniform;     /* check at run time what the analysis proves uniform; a difference is a
                             fault */
  bool check_vuid;     /* find at run time where the module breaks rules about uniformity, under the
                          policies structured and maximal (spv_emu_result.breaches) */
  bool known;          /* these words have been loaded before: they are not validated again */
  bool debug;          /* the program can be run under a debugger, and runs slower */
  bool tangles;        /* its runs can report tangles: spv_emu_run_options.tangles */
  bool shapes;         /* fill in spv_emu_binding.shape and spv_emu_push_constant_shape */
  spv_emu_stage stage; /* of the entry point */
  bool check_convergence; /* find at run time, under the same policies, operations of a subgroup or
                             quad that only some of its lanes run (spv_emu_result.breaches) */
} spv_emu_load_options;

typedef struct spv_emu_program spv_emu_program;

typedef enum spv_emu_number { SPV_EMU_UINT, SPV_EMU_SINT, SPV_EMU_FLOAT } spv_emu_number;

/* Numbers of one type, one after the other. */
typedef struct spv_emu_field {
  const char *name; /* of the block's member that holds the numbers; "": unnamed */
  spv_emu_number kind;
  uint32_t bits, count;
  uint64_t offset; /* bytes from the start of the record */
} spv_emu_field;

typedef struct spv_emu_record {
  uint64_t offset, stride; /* bytes from the start of the block; bytes from one record to the
                              next */
  uint64_t count;          /* number of consecutive records; 0: a run-time array */
  const spv_emu_field *fields;
  uint32_t field_count; /* sorted by offset */
} spv_emu_record;

/* What a descriptor, a parameter of a kernel or the push constants consist of. */
typedef struct spv_emu_shape {
  const char *name; /* of the variable, or of its type; "": neither has one */
  const spv_emu_record *records;
  uint32_t record_count; /* of a buffer; sorted by offset, unless records share memory */
  bool uniform;          /* a uniform block; false: a storage buffer */
  bool parameter, value; /* a kernel's parameter; one that is passed by value */
  bool local;            /* workgroup memory, which only needs a size */
  /* An image or a sampler; if both are set, a combined image and sampler. */
  bool image, sampler;
  spv_emu_number texel;
  uint32_t texel_bits; /* of a component */
  uint32_t dimension;  /* SpvDim */
  uint32_t format;     /* SpvImageFormat */
  bool arrayed, multisampled, depth, storage;
} spv_emu_shape;

/* A descriptor, or array of descriptors, that the module declares. */
typedef struct spv_emu_binding {
  uint32_t set, binding;
  uint32_t count;    /* descriptors; 0: a run-time array, as many as are bound */
  bool image;        /* image, sampler, or both */
  bool written;      /* may be written by the module */
  uint32_t id;       /* of the OpVariable */
  const char *name;  /* its OpName; NULL: it has none */
  const char *block; /* the OpName of the variable's struct, or of its elements'; NULL: none */
  const spv_emu_shape *shape; /* NULL: not asked for */
} spv_emu_binding;

/* On failure writes one line to `message` ("function main, block %27: … (word 412)"). `words` is a
 * binary in either byte order, and is not kept. */
spv_emu_status spv_emu_load(const uint32_t *words, size_t count,
                            const spv_emu_load_options *options, spv_emu_program **program,
                            char *message, size_t message_size);
void spv_emu_free(spv_emu_program *program);
/* A notice about a loaded module for the user, one line; NULL: none. */
const char *spv_emu_notice(const spv_emu_program *program);
const spv_emu_binding *spv_emu_bindings(const spv_emu_program *program, uint32_t *count);
/* Bytes of push constants that the module declares. */
uint32_t spv_emu_push_constant_bytes(const spv_emu_program *program);
/* The shape of the push constants. NULL: there are none, or spv_emu_load_options.shapes was not
 * set. */
const spv_emu_shape *spv_emu_push_constant_shape(const spv_emu_program *program);
/* An input or output of a graphics stage: one number at a location. */
typedef struct spv_emu_port {
  const char *name; /* of the variable; NULL: it has none */
  uint32_t location, component;
  spv_emu_number kind;
  uint32_t bits;
} spv_emu_port;

/* By location and component. */
const spv_emu_port *spv_emu_inputs(const spv_emu_program *program, uint32_t *count);
const spv_emu_port *spv_emu_outputs(const spv_emu_program *program, uint32_t *count);
/* Does the fragment shader write FragDepth? */
bool spv_emu_writes_depth(const spv_emu_program *program);
/* The stage of the entry point named `entry`; NULL: of any entry point. Among several, compute (and
 * kernels) comes before fragment, and fragment before vertex. Also SPV_EMU_COMPUTE if no entry
 * point has such a stage, or if `words` is not a module: spv_emu_load then says why. */
spv_emu_stage spv_emu_stage_of(const uint32_t *words, size_t count, const char *entry);

/* A specialization constant for which the options of the load gave a value. */
typedef struct spv_emu_constant {
  uint32_t result; /* its id in the module */
  bool decorated;  /* it has a SpecId, which is `id` */
  uint32_t id;
  spv_emu_number kind; /* of a bool SPV_EMU_UINT */
  uint32_t bits;       /* of the number; 0: a bool */
  uint64_t value;      /* its bits; of a bool 0 or 1 */
} spv_emu_constant;

/* Those constants, each once. */
const spv_emu_constant *spv_emu_constants(const spv_emu_program *program, uint32_t *count);

/* The sizes of a workgroup. */
const uint32_t *spv_emu_local_size(const spv_emu_program *program);

/* A file of the source. */
typedef struct spv_emu_file {
  const char *name; /* as the compiler wrote it; may be empty */
  const char *text; /* `size` bytes; NULL: neither the module nor the caller gave it */
  size_t size;
} spv_emu_file;

/* A call of the source that the compiler inlined. */
typedef struct spv_emu_call {
  const char *function; /* the function that contains the call; NULL: not known */
  uint32_t file, line;  /* of the call: SPV_EMU_NO_FILE, 0: not known */
  uint32_t outer;       /* the inlined call that contains it; SPV_EMU_NO_CALL: none */
} spv_emu_call;

#define SPV_EMU_NO_FILE UINT32_MAX
#define SPV_EMU_NO_CALL UINT32_MAX

/* The source of the functions that the entry reaches, from the module's debug information: OpSource
 * and OpLine, NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100. */
typedef struct spv_emu_source {
  const spv_emu_file *files;
  const spv_emu_call *calls; /* an outer call comes before those inside it */
  uint32_t file_count, call_count;
} spv_emu_source;

/* The result belongs to the program. */
const spv_emu_source *spv_emu_source_of(const spv_emu_program *program);
/* Supplies the text of a file that the module does not hold; the text is copied. No other thread
 * may list the program at the same time. False: out of memory. */
bool spv_emu_give_text(spv_emu_program *program, uint32_t file, const char *text, size_t size);

/* A block that the entry reaches, or, if calls split the block, one of its parts. */
typedef struct spv_emu_place {
  uint32_t function, block; /* ids of the OpFunction and the OpLabel */
  uint32_t part;            /* how many of the block's calls come before it */
  uint32_t index;           /* in spv_emu_result.parts */
  uint32_t issues;          /* instructions in it that count */
  bool reaches_barrier;     /* it contains, or leads to, a barrier wider than a subgroup */
} spv_emu_place;

/* All places of the program, in the default priority order; the caller frees the array. NULL: out
 * of memory. */
spv_emu_place *spv_emu_places(const spv_emu_program *program, uint32_t *count);

/* ---- costs ----------------------------------------------------------------------------------- */

enum { SPV_EMU_COST_CLASSES = 15, SPV_EMU_COST_NAME = 64 };

/* A cost model, in cycles. spv_emu_cost_find initializes it; spv_emu_cost_set and
 * spv_emu_cost_parse change it; spv-emu/cost/cost.def has the members' names, docs/cost.md their
 * meaning. */
typedef struct spv_emu_cost {
  char name[SPV_EMU_COST_NAME];
  uint32_t classes[SPV_EMU_COST_CLASSES]; /* of an issue, by class of instructions */
  uint32_t divergent;     /* of a divergent branch: push, pop and carrier; paid at the pop */
  uint32_t entries;       /* stack entries on the chip; 0: all */
  uint32_t chunk;         /* entries that are spilled and reloaded together; at most `entries` */
  uint32_t spill, reload; /* of moving `chunk` entries off the chip, paid at the push; of moving
                             them back, paid at the pop */
  /* Latency hiding. `subgroups` 0: subgroups never wait for loads, and run one after the other. */
  uint32_t subgroups;    /* resident on the issue port */
  uint32_t latency, hit; /* how long a subgroup waits for a load that misses, or hits */
  uint32_t cache;        /* memory segments in the cache; 0: no cache, `miss` applies */
  double miss;           /* without a cache: the probability that a load misses */
  uint64_t seed;         /* of the random numbers that decide which loads miss */
  uint32_t insertion;    /* of one comparison while an entry is inserted in a sorted stack */
  uint32_t subwarps; /* groups of lanes in a subgroup that may have loads in flight at once; 0, 1:
                        while one group waits for a load, so does its whole subgroup */
} spv_emu_cost;

/* Models by index, NULL past the last. The first is the default: each issue takes a cycle,
 * everything else is free. */
const char *spv_emu_cost_model(uint32_t index, const char **purpose);
/* Initializes `cost` with the model of that name. False: there is no such model. */
bool spv_emu_cost_find(const char *name, spv_emu_cost *cost);
/* Sets one number, by its name in cost.def. False: one line in `message`. */
bool spv_emu_cost_set(spv_emu_cost *cost, const char *key, const char *value, char *message,
                      size_t message_size);
/* Applies a model as text, with lines "KEY VALUE" (docs/cost.md), to an initialized one. False: one
 * line in `message`, with the line's number. */
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
  uint8_t
      swizzle[4]; /* of what is read: numbers of VkComponentSwizzle, so 0 is the component itself */
} spv_emu_image;

typedef struct spv_emu_sampler {
  uint32_t set, binding, element;
  uint32_t mag_filter, min_filter, mipmap_mode; /* numbers of Vulkan's enums */
  uint32_t address_mode[3], border_color;
  float min_lod, max_lod, lod_bias;
  bool unnormalized, compare;
  uint32_t compare_op;
} spv_emu_sampler;

/* A group of lanes, or a set of them in a register. */
typedef enum spv_emu_group {
  SPV_EMU_GROUP_RUNS,
  SPV_EMU_GROUP_WAITS,
  SPV_EMU_GROUP_REGISTER,
} spv_emu_group;

/* Callbacks about a policy's state during a run; each may be NULL. Blocks are named by the id of
 * their OpLabel. */
typedef struct spv_emu_trace {
  void *user;
  /* A subgroup issued `count` instructions: those of a block, or those that the policy adds after
   * the block. After each of them the stack has `depth` entries. `issue`: how many instructions
   * this subgroup issued before. */
  void (*issued)(void *user, uint64_t subgroup, uint64_t issue, uint32_t count, uint32_t block,
                 uint32_t depth);
  /* Under pdom and ssy: an instruction that operates on the stack ("SSY", "BRA", "SYNC", …);
   * `entry` follows for each entry that it pops, then for each that it pushes. */
  void (*step)(void *user, uint64_t subgroup, const char *name);
  /* `lanes`: those of the entry (bit i % 64 of word i / 64); `next`: the block that they run next;
   * `rejoin`: under pdom the block where they reconverge; 0: none. */
  void (*entry)(void *user, bool pushed, const uint64_t *lanes, uint32_t next, uint32_t rejoin);
  uint64_t subgroups; /* increased by every run */
  const char *policy; /* set by every run */
  uint32_t lanes;     /* of a subgroup; set by every run */
  /* Called before each block, under every policy but opt: first for the group that runs the block,
   * then for the groups that wait, then for the registers of policy barrier. `step`: how many
   * blocks the subgroup has run; `place`: the block that the group runs or waits for, or the
   * register's number. Under policies that regroup lanes, the subgroup is a workgroup. */
  void (*group)(void *user, uint64_t subgroup, uint64_t step, spv_emu_group kind, uint32_t place,
                const uint64_t *lanes);
} spv_emu_trace;

struct spv_emu_result;

/* Callbacks about what subgroups issue, in order, under any policy but opt, which has no
 * schedule. */
typedef struct spv_emu_schedule {
  void *user;
  uint64_t subgroups; /* how many subgroups of a dispatch are reported, the first ones unless
                         `spread` is set */
  uint64_t *spread;   /* if not NULL, the reported subgroups are at equal distances: number i of
                         n is subgroup i * all / n, where `all` is the number of subgroups in the
                         dispatch (of a long draw, in its first part); the run sets *spread to
                         `all` after `begun` */
  /* Called when a run that is not skipped begins; its subgroups have `lanes` lanes. */
  void (*begun)(void *user, const spv_emu_program *program, uint32_t lanes);
  /* A subgroup issues part `part` of the program (an index in spv_emu_result.parts), which has
   * `count` instructions, for the lanes in `lanes` (bit i % 64 of word i / 64), perhaps none. If
   * `part` is SPV_EMU_NO_PART, it issues `count` instructions that the policy adds. Several threads
   * may call this concurrently, but not for the same subgroup. */
  void (*issued)(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                 const uint64_t *lanes);
  /* Called when the run has ended, whatever its outcome; may be NULL. */
  void (*ended)(void *user, const struct spv_emu_result *result);
} spv_emu_schedule;

#define SPV_EMU_NO_PART UINT32_MAX

/* A debugger of lanes (docs/debugger.md), or a trace of values: the program must have been loaded to
 * be debugged. The run has one thread. `opt`, which has no schedule, is not debugged. */
typedef struct spv_emu_debug {
  void *user;
  /* Returns the next command, which is valid until the next call; NULL: there are no more, and the
   * run goes on without stops. NULL instead of the function: there are no commands. */
  const char *(*read)(void *user);
  /* Takes what a command prints: whole lines. */
  void (*write)(void *user, const char *text);
  /* A trace of the values with these names, a row for each change, as CSV. */
  const char *const *names;
  uint32_t name_count;
  bool *found; /* by name: set to true if it meant something where lanes were; NULL: not wanted */
  void (*row)(void *user, const char *line); /* the line has no end */
} spv_emu_debug;

/* An instruction by which the lanes of a subgroup communicate. */
typedef struct spv_emu_subgroup_op {
  uint32_t opcode;
  const char *name; /* "OpGroupNonUniformBallot" */
  const char *function;
  uint32_t block;    /* id of its OpLabel */
  uint32_t line;     /* 0: not known */
  const char *place; /* "main.comp:11"; empty: not known */
} spv_emu_subgroup_op;

/* Which lanes run each subgroup operation together: the program must have been loaded with
 * spv_emu_load_options.tangles. The run has one thread if the program has such operations. `opt`,
 * which has no schedule, reports nothing. */
typedef struct spv_emu_tangles {
  void *user;
  /* A subgroup of `size` lanes issues an operation for the lanes in `lanes` (bit i % 64 of word
   * i / 64); the operation belongs to the program. */
  void (*issued)(void *user, uint64_t subgroup, uint32_t size, const spv_emu_subgroup_op *op,
                 const uint64_t *lanes);
} spv_emu_tangles;

/* Called now and then during a run: by each thread at the start and the end of a dispatch, and
 * after every 2^16 issues between. Several threads may call concurrently. */
typedef struct spv_emu_progress {
  void *user;
  /* `issued`: what this thread has issued since its last call. `done`: how many of the dispatch's
   * `subgroups` have ended. Return false to end the run with SPV_EMU_PARTIAL. */
  bool (*go_on)(void *user, uint64_t issued, uint64_t done, uint64_t subgroups);
} spv_emu_progress;

/* The cost of fragments at each pixel, or of invocations of a dispatch at the x and y of their
 * GlobalInvocationID, row by row. An issue counts once for each lane that its
 * subgroup has at the pixel, active or not; samples and primitives that share a pixel add up. So
 * the sum of `issues` - `lost` is lane_instructions - helper_instructions, and the sum of `issues`,
 * `outside` and `unused` is issues times lanes of a subgroup, for the subgroups that ended. */
typedef struct spv_emu_heat {
  uint32_t width, height; /* of the framebuffer, or invocations in x and y; 0: nothing has run */
  uint64_t *issues;
  uint64_t *lost;     /* of `issues`: while the lane was inactive, or a helper lane */
  uint64_t outside;   /* issues at pixels outside the framebuffer, in quads on its edge */
  uint64_t unused;    /* issues of lanes without a quad, in subgroups that are not full */
  uint32_t *subgroup; /* the last one that had a lane at the pixel: 1 + its number in its draw; 0:
                         none has */
} spv_emu_heat;

/* Frees the numbers, and sets the heat to zeros. */
void spv_emu_heat_free(spv_emu_heat *heat);

/* A priority order of a whole program. Of each place only `block` and `part` are used. Places of
 * the program that are not listed follow in the default order. */
typedef struct spv_emu_order {
  const spv_emu_place *places;
  uint32_t count;
} spv_emu_order;

/* An option of a policy, and its value. */
typedef struct spv_emu_choice {
  const char *flag;  /* of spv_emu_policy_option_at: "--barrier-placement" */
  const char *value; /* "ipdom"; of a listing: its text. NULL: the default */
} spv_emu_choice;

/* Whether blocks run as machine code, made with LLVM while the program runs. All figures, results and
 * messages are the same. */
typedef enum spv_emu_native {
  SPV_EMU_NATIVE_DEFAULT, /* as SPV_EMU_NATIVE in the environment says, or off */
  SPV_EMU_NATIVE_OFF,     /* everything is interpreted */
  SPV_EMU_NATIVE_AUTO,    /* code is made for what runs often, if LLVM is there */
  SPV_EMU_NATIVE_ON,      /* code is made for what runs */
  SPV_EMU_NATIVE_CHECK,   /* the same, and what it computes is interpreted, too, and compared: a
                             difference is a fault */
} spv_emu_native;

typedef struct spv_emu_run_options {
  const char *policy;   /* a name of spv_emu_policy; NULL: structured if it applies, else maximal */
  const char *priority; /* lrpo (NULL), rpo, or @BLOCK,BLOCK,… */
  const spv_emu_order *orders; /* used instead of `priority`: the first order whose places are all
                                  in the program; it is an error if there is none */
  uint32_t order_count;        /* 0: as `priority` says */
  uint32_t groups[3];          /* number of workgroups */
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
  uint64_t opt_budget; /* states that `opt` may visit, divided equally among the subgroups, at least
                          64 for each; 0: 65,536 */
  bool strict;         /* an access out of bounds is a fault */
  spv_emu_trace *trace;     /* for policies with a stack (none, pdom, tf-stack, structured, maximal,
                               ssy); needs one thread. NULL: no trace */
  bool list;                /* the result contains the program that the policy runs, if any */
  const spv_emu_cost *cost; /* NULL: a cycle for each issue */
  const spv_emu_schedule *schedule; /* NULL: none */
  const spv_emu_progress *progress; /* NULL: none */
  const spv_emu_debug *debug;       /* of draws, of the fragment shader; NULL: none */
  const spv_emu_tangles *tangles;   /* of draws, of all their shaders; NULL: not reported */
  spv_emu_heat *heat; /* draws and dispatches add to it; all zero, or left by earlier ones; those of
                       another size add nothing. opt, which has no schedule, adds nothing. NULL: not wanted */
  bool backwards;     /* workgroups, and the subgroups of each, from the last to the first */
  bool garbage;       /* variables without an initializer start as bytes that are not zero */
  bool races;         /* count the races and lane_races of spv_emu_result; in one thread, whatever
                         `threads` says */
  /* Options of policies; those of other policies than `policy` do not count, and of two for one
   * option the last does. */
  const spv_emu_choice *choices;
  uint32_t choice_count;
  /* Find where lanes are lost (spv_emu_result.detailed). `calls`: only calls, and if the program
   * has any; `causes`: also loops, and what is needed. Such a run takes longer. */
  bool calls, causes;
  spv_emu_native native;
} spv_emu_run_options;

/* A mode by its name: off, auto, on, check. False: there is none of that name. */
bool spv_emu_native_mode(const char *name, spv_emu_native *mode);
/* What this build makes machine code with, as "LLVM 15"; NULL: it cannot. The library itself is
 * opened when it is needed first. */
const char *spv_emu_native_library(void);
/* NULL: programs can run as machine code; else a line that says why not. */
const char *spv_emu_native_refuses(void);

/* A block, or, if calls split the block, one of its parts, and how often it ran. */
typedef struct spv_emu_part {
  uint32_t block;             /* index in spv_emu_result.blocks */
  uint32_t part;              /* how many of the block's calls come before it */
  uint32_t issues;            /* instructions in it that count */
  uint64_t executions, lanes; /* how often it ran; sum of the active lanes */
  uint64_t diverged;          /* of `executions`: its branch sent lanes to several blocks */
  uint64_t needed; /* with `causes`: executions that no schedule can do without: of the lane that
                        runs it most often, summed over the subgroups that ended */
  uint32_t branch; /* with `causes`: the branch that decides whether lanes get here, the nearest
                        one in the function; SPV_EMU_NO_BRANCH: none does */
  uint32_t loop;   /* with `causes`: the innermost loop around it; SPV_EMU_NO_LOOP: none */
} spv_emu_part;

#define SPV_EMU_NO_BRANCH UINT32_MAX
#define SPV_EMU_NO_LOOP UINT32_MAX

/* A function that the entry reaches. */
typedef struct spv_emu_function {
  const char *name;
  uint32_t id;                                    /* of the OpFunction */
  uint64_t issues, lane_instructions;             /* of its own blocks */
  uint64_t total_issues, total_lane_instructions; /* with those of the functions that it calls */
} spv_emu_function;

/* A call in the module. An issue counts for each call through which a lane of it came, so several
 * calls of a function may have more issues together than the function. */
typedef struct spv_emu_call_site {
  uint32_t caller, callee;            /* in spv_emu_result.functions */
  uint32_t part;                      /* ends in the call */
  uint32_t file, line;                /* SPV_EMU_NO_FILE, 0: not known */
  uint64_t executions, lanes;         /* how often it was issued; sum of the active lanes */
  uint64_t issues, lane_instructions; /* of the callee and of what that calls, for these lanes */
} spv_emu_call_site;

/* A branch or switch with several targets. */
typedef struct spv_emu_branch {
  uint32_t part; /* ends in it: how often it ran and diverged */
  uint32_t file, line;
  uint32_t targets;
  uint32_t loop; /* the innermost loop that lanes may leave here; SPV_EMU_NO_LOOP: none */
} spv_emu_branch;

/* A cycle of the control-flow graph. A lane ends an iteration when it returns to the header, or leaves
 * from a block that leads to the header. */
typedef struct spv_emu_loop {
  uint32_t part;        /* the header */
  uint32_t file, line;  /* of the first block that has a line; SPV_EMU_NO_FILE, 0: not known */
  uint32_t outer;       /* the loop around it; SPV_EMU_NO_LOOP: none */
  uint64_t entries;     /* how often lanes entered it together */
  uint64_t entered;     /* these lanes */
  uint64_t lanes;       /* that have left it */
  uint64_t iterations;  /* of these lanes, together */
  uint32_t least, most; /* iterations of one lane */
} spv_emu_loop;

typedef enum spv_emu_outcome {
  SPV_EMU_RAN,
  SPV_EMU_SKIP,     /* the policy does not apply; the message says why */
  SPV_EMU_DEADLOCK, /* at a barrier that some lanes of the subgroup cannot reach; or (barrier) all
                       lanes of a subgroup wait for one another */
  SPV_EMU_LIMIT,    /* max_issues was exceeded */
  SPV_EMU_FAULT,
  SPV_EMU_PARTIAL,  /* ended by spv_emu_progress; the figures cover what ran until then */
  SPV_EMU_LIVELOCK, /* lanes of a subgroup repeat a loop forever while the others wait for them */
} spv_emu_outcome;

typedef struct spv_emu_block { /* a SPIR-V block that the entry reaches */
  const char *function;
  uint32_t id;                 /* of its OpLabel */
  uint32_t line;               /* the first line in it; 0: not known */
  uint32_t issues;             /* instructions in it that count */
  uint64_t executions, lanes;  /* how often it ran; sum of the active lanes */
  uint32_t file;               /* of `line`, in spv_emu_source; SPV_EMU_NO_FILE: not known */
  uint32_t column;             /* of `line`, from 1; 0: not known */
  uint32_t last_line;          /* the highest line in it of the same file and call; 0: not known */
  const char *source_function; /* of the source, also if it was inlined; NULL: not known */
  uint32_t call; /* the inlined call that the block comes from; SPV_EMU_NO_CALL: none */
} spv_emu_block;

/* An instruction that broke a rule about uniformity (docs/vuid.md). */
typedef struct spv_emu_breach {
  const char *rule; /* a VUID or, if Vulkan has none, the part of SPIR-V that states the rule */
  const char *text; /* what is wrong */
  const char *function;
  uint32_t block;      /* id of its OpLabel */
  const char *opcode;  /* "OpLoad" */
  uint32_t operand;    /* id of the operand that differs; 0: the rule is not about an operand */
  uint32_t file, line; /* SPV_EMU_NO_FILE, 0: not known */
  uint64_t count;      /* issues that broke the rule; the other fields describe the first */
  uint64_t subgroup;   /* of the dispatch */
  uint32_t lane[2];    /* two lanes with different values, or an active lane and an inactive one */
  char value[2][40];   /* the operand's value in these lanes, or the descriptor; else empty */
} spv_emu_breach;

/* docs/emulator.md explains the figures. */
typedef struct spv_emu_result {
  const char *policy;
  uint32_t subgroup_size;
  spv_emu_outcome outcome;
  char message[512]; /* empty, or one line; after a complete run, a note on dropped accesses */
  uint64_t subgroups, issued, lane_instructions;
  double activity_factor;
  uint64_t overhead, noop_issues, phi, divergent_branches, reconvergences;
  uint64_t stack_pushes, stack_pops, stack_spills;
  uint32_t stack_max_depth;
  uint64_t memory_issues, memory_transactions;
  double memory_efficiency;
  uint64_t scalar_issues, branch_issues; /* under exec */
  uint64_t expansion_area; /* issues between unstructured branches and their post-dominators, while
                              some lane that had not ended was inactive */
  uint64_t cycles;
  uint64_t issue_cycles, branch_cycles, unwinding_cycles; /* of issues; of pushes; of pops */
  uint64_t loads, misses; /* latency model: loads and atomics on buffers */
  uint64_t load_cycles;   /* all waits for loads, hidden or not */
  uint64_t idle_cycles;   /* cycles without an issue */
  double utilisation;     /* issue_cycles / cycles */
  uint64_t out_of_bounds; /* accesses dropped */
  bool exact;             /* opt: `issued` is the minimum; false: it is a lower bound */
  spv_emu_block *blocks;
  spv_emu_part *parts; /* the same in every run of a program, except for the counts */
  uint32_t block_count, part_count;
  char *listing;      /* the program that the policy runs as text, if requested; else NULL */
  uint32_t *priority; /* block ids in priority order */
  uint32_t priority_count;
  uint64_t dispatch_subgroups; /* all of the dispatch, including those that did not run because
                                  the run ended early */
  uint64_t races; /* conflicting accesses to buffers and images, whose result depends on which
                     workgroups run at the same time: pairs of which at least one writes and not
                     both are atomic */
  bool fragments; /* the program is a fragment shader: the next two figures apply */
  uint64_t helper_instructions; /* of lane_instructions, those of helper lanes */
  uint64_t quad_breaks; /* derivatives in quads with only some lanes active, at least one of these
                           not a helper */
  /* As memory_issues and memory_transactions, but for images and texel buffers, and for the
   * attachments of draws (in the fragment shader's result). */
  uint64_t image_issues, image_transactions;
  uint64_t attachment_issues, attachment_transactions;
  spv_emu_breach *breaches; /* by place in the module; if the program was loaded with check_vuid or
                               check_convergence */
  uint32_t breach_count;
  uint32_t barriers_max_live; /* barrier: the most barriers with lanes in them at once */
  uint64_t barrier_spills;    /* barrier: moves of barriers that have no register */
  uint32_t added_code;        /* instructions that ssy, exec, jip and barrier place in the code */
  uint64_t at_most; /* opt: the issues of the best schedule found; equal to `issued` if `exact` */
  uint64_t lane_slots; /* `issued` times `subgroup_size`: what idle lanes take, too */
  /* Where lanes are lost, if the run counted it: the options asked for it, and the policy is neither
   * opt nor one that repacks lanes. */
  bool detailed;
  spv_emu_function *functions;
  spv_emu_call_site *calls; /* by place in the module */
  spv_emu_loop *loops;      /* with `causes`; a loop comes after the one around it */
  spv_emu_branch *branches; /* with `causes` */
  uint32_t function_count, call_count, loop_count, branch_count;
  uint64_t lane_races; /* as `races`, but of invocations of one workgroup, also in its memory; no
                          barrier is between them */
} spv_emu_result;

/* Why fewer lanes are active at a line than come to a function. */
typedef enum spv_emu_cause_kind {
  SPV_EMU_CAUSE_LOOP,   /* lanes leave a loop around the line */
  SPV_EMU_CAUSE_BRANCH, /* lanes take another arm of a branch or switch */
  SPV_EMU_CAUSE_EXIT,   /* lanes run the line where they leave a loop, in different iterations */
} spv_emu_cause_kind;

typedef struct spv_emu_cause {
  spv_emu_cause_kind kind;
  uint32_t index; /* in spv_emu_result.loops; of a branch or an exit in .branches */
  double outside,
      inside; /* active lanes, on average: of those that enter the loop together, or come
                             to the branch; at the line, or at the next cause on the way to it */
} spv_emu_cause;

enum { SPV_EMU_CAUSES = 2 };

/* A source line that wastes lanes or, if the module has no lines, a part of the program. */
typedef struct spv_emu_waste {
  uint32_t file, line;    /* SPV_EMU_NO_FILE, 0: it is a part */
  uint32_t part;          /* of the line's parts the one with the most idle lanes */
  uint64_t issues, lanes; /* of its instructions; sum of the active lanes */
  uint64_t avoidable; /* issues that exceed what is needed (spv_emu_part.needed): no schedule saves
                             more */
  uint64_t idle;      /* lanes that are not active, summed over the issues */
  spv_emu_cause causes[SPV_EMU_CAUSES]; /* those by which most lanes are lost come first */
  uint32_t cause_count;
  uint32_t call; /* in spv_emu_result.calls: of its function, the call through which the most lanes
                    are lost; SPV_EMU_NO_CALL: it is not called */
} spv_emu_waste;

/* The lines and parts that have something to save or idle lanes, those with the most to save first.
 * `result`: of a run of the program with spv_emu_run_options.causes, else the list is empty. The
 * caller frees it; NULL: out of memory. */
spv_emu_waste *spv_emu_wastes(const spv_emu_program *program, const spv_emu_result *result,
                              uint32_t *count);
/* Compares two for qsort: the one with the most to save first; with `idle` the one with the most idle
 * lanes. */
int spv_emu_waste_order(const spv_emu_waste *a, const spv_emu_waste *b, bool idle);

/* Lists of transforms that may save issues, for spv_emu_load_options.transform, by index, NULL past
 * the last: `best`, the lists that it tries, and further ones. *order: for `orders`; NULL: the
 * transforms' own. */
const char *spv_emu_transform_list(uint32_t index, const char **order);

/* SPV_EMU_OK: *result is set, whatever the outcome. Else `message` is set. */
spv_emu_status spv_emu_run(const spv_emu_program *program, const spv_emu_run_options *options,
                           spv_emu_result **result, char *message, size_t message_size);
void spv_emu_result_free(spv_emu_result *result);

/* Policies by index, NULL past the last: name and one line of purpose. */
const char *spv_emu_policy(uint32_t index, const char **purpose);

typedef enum spv_emu_option_kind {
  SPV_EMU_OPTION_NAME,    /* the value is a name, or a list of names */
  SPV_EMU_OPTION_LISTING, /* the value is the text of the program to run, perhaps edited, instead of
                             the policy's other options; on the command line, a file's name */
  SPV_EMU_OPTION_DUMP,    /* only on the command line: the file for spv_emu_result.listing */
} spv_emu_option_kind;

typedef struct spv_emu_policy_option {
  const char *policy; /* whose */
  const char *flag;   /* "--barrier-placement" */
  const char *help;   /* the lines of --help */
  spv_emu_option_kind kind;
} spv_emu_policy_option;

/* The options of all policies by index. False: past the last. */
bool spv_emu_policy_option_at(uint32_t index, spv_emu_policy_option *option);

/* The CPU instruction sets that the emulator can use on this machine, by index, NULL past the last.
 * It uses the last one, unless the environment variable SPV_EMU_ISA names another. Results are the
 * same. */
const char *spv_emu_instruction_set(uint32_t index);

/* ---- listings -------------------------------------------------------------------------------- */

typedef struct spv_emu_use {
  uint32_t part, count; /* `count` instructions of the part that count as issues */
} spv_emu_use;

typedef struct spv_emu_line {
  const char *text;   /* not terminated; empty if it is not known */
  uint32_t length;    /* bytes, without the line end */
  uint32_t use, uses; /* the line's entries in spv_emu_listing.uses: the first, and how many */
  uint32_t number;    /* of a source line, in its file, from 1 */
} spv_emu_line;

/* A file of the listing: contiguous lines. */
typedef struct spv_emu_section {
  uint32_t file; /* in spv_emu_source */
  uint32_t line, lines;
} spv_emu_section;

typedef struct spv_emu_listing {
  bool source; /* false: the lines are the disassembly of the functions */
  const spv_emu_line *lines;
  uint32_t line_count;
  const spv_emu_use *uses;
  const spv_emu_section *sections; /* of the source */
  uint32_t section_count;
  spv_emu_line unplaced; /* in a listing of the source: the instructions without a line */
} spv_emu_listing;

/* What a line costs. */
typedef struct spv_emu_charge {
  uint64_t issues, lanes; /* of its instructions; the sum of their active lanes */
} spv_emu_charge;

/* `result` must come from a run of the listing's program. */
spv_emu_charge spv_emu_line_charge(const spv_emu_result *result, const spv_emu_listing *listing,
                                   const spv_emu_line *line);

/* The source lines, file by file: all lines of a file whose text is known; of any other file only
 * the lines that have instructions. If no instruction has a line, or `source` is false: the
 * functions' disassembly. NULL: out of memory. */
spv_emu_listing *spv_emu_list(const spv_emu_program *program, bool source);
void spv_emu_listing_free(spv_emu_listing *listing);

/* The functions' control-flow graphs in Graphviz' language; nodes are named "b" and the OpLabel's
 * id. The caller frees the text. Empty: there are more than `most` blocks, or more than 4 * `most`
 * edges. NULL: out of memory. */
char *spv_emu_draw(const spv_emu_program *program, uint32_t most);

/* The program's disassembly, which the caller frees; NULL: out of memory. A remark after each label
 * and each counted instruction says how often it ran, and for how many lanes on average. */
char *spv_emu_annotate(const spv_emu_program *program, const spv_emu_result *result);
/* The listing of the source: before each line the issues of its instructions and their average
 * lanes; empty if no instruction has a line. */
char *spv_emu_annotate_source(const spv_emu_program *program, const spv_emu_result *result);
/* The same with columns for several results of the program, one for each policy. */
char *spv_emu_annotate_all(const spv_emu_program *program, const spv_emu_result *const *results,
                           uint32_t count);
char *spv_emu_annotate_source_all(const spv_emu_program *program,
                                  const spv_emu_result *const *results, uint32_t count);
/* The cost of each call and function, with all that it calls in turn, in such columns; empty if none
 * of the results has counted calls. The caller frees the text; NULL: out of memory. */
char *spv_emu_annotate_calls(const spv_emu_result *const *results, uint32_t count);

#endif
