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
  /* The module or an option is wrong; the message says what. */
  SPV_EMU_BAD_INPUT,
  SPV_EMU_NO_MEMORY,
} spv_emu_status;

/* ---- loading --------------------------------------------------------------------------------- */

/* A value for a specialization constant. The entry names the constant by SpecId, result id or name.
 * The first entry for a constant counts. Two entries with `text` or `width` for one constant are an
 * error. */
typedef struct spv_emu_spec {
  /* The SpecId. A SpecId that no constant has is ignored. */
  uint32_t id;
  /* The value, truncated to the constant's width. */
  uint64_t bits;
  /* The result id, instead of `id`. 0: not used. */
  uint32_t result;
  /* The name, instead of `id` and `result`: an OpName, or a number. A number is a SpecId or, if no
   * constant has that SpecId, a result id. NULL: not used. */
  const char *name;
  /* The remaining fields are for entries with a name. */
  /* Set to true if there is such a constant. NULL: it is an error if there is none. */
  bool *found;
  /* The value as text, instead of `bits`: a number that the constant's type can hold, or true or
   * false for a bool. NULL: not used. */
  const char *text;
  /* If not 0, the constant must be a number of this width, and `bits` holds its bits. 0: the
   * constant must be an integer or a bool, unless `text` gives its value. */
  uint32_t width;
} spv_emu_spec;

typedef enum spv_emu_stage {
  /* Compute shaders and kernels. */
  SPV_EMU_COMPUTE,
  SPV_EMU_VERTEX,
  SPV_EMU_FRAGMENT,
  SPV_EMU_GEOMETRY,
} spv_emu_stage;

typedef struct spv_emu_load_options {
  /* The name of the entry point. NULL: the only one, or "main". */
  const char *entry;
  /* The transforms of spvreconv to run first. NULL: none. */
  const char *transform;
  /* Block orders for the transforms, as for spvreconv --order. The first one that fits the module's
   * blocks is used; it is an error if none does. Without any, the transforms use their defaults. */
  const char *const *orders;
  uint32_t order_count;
  const spv_emu_spec *specs;
  uint32_t spec_count;
  /* 1 to 1024. 0: the size of a workgroup, or 32 for graphics stages. */
  uint32_t subgroup_size;
  /* The size of a workgroup, for kernels that set none. It is an error if the module sets another
   * size. 0, 0, 0: 32, 1 and 1. */
  uint32_t local_size[3];
  /* Check at run time what the analysis proves uniform; a difference is a fault. */
  bool check_uniform;
  /* Find at run time where the module breaks rules about uniformity, under the policies structured
   * and maximal (spv_emu_result.breaches). */
  bool check_vuid;
  /* These words have been loaded before, and are not validated again. */
  bool known;
  /* The program can be run under a debugger, and runs slower. */
  bool debug;
  /* Runs of the program can report tangles (spv_emu_run_options.tangles). */
  bool tangles;
  /* Fill in spv_emu_binding.shape and spv_emu_push_constant_shape. */
  bool shapes;
  /* The stage of the entry point. */
  spv_emu_stage stage;
  /* Find at run time, under the same policies, operations of a subgroup or quad that only some of
   * its lanes run (spv_emu_result.breaches). */
  bool check_convergence;
} spv_emu_load_options;

typedef struct spv_emu_program spv_emu_program;

typedef enum spv_emu_number { SPV_EMU_UINT, SPV_EMU_SINT, SPV_EMU_FLOAT } spv_emu_number;

/* Numbers of one type, one after the other. */
typedef struct spv_emu_field {
  /* The name of the block's member that holds the numbers. "": it has none. */
  const char *name;
  spv_emu_number kind;
  uint32_t bits, count;
  /* In bytes, from the start of the record. */
  uint64_t offset;
} spv_emu_field;

/* Consecutive records with the same fields. */
typedef struct spv_emu_record {
  /* In bytes: from the start of the block to the first record, and from one record to the next. */
  uint64_t offset, stride;
  /* The number of records. 0: a run-time array. */
  uint64_t count;
  /* Sorted by offset. */
  const spv_emu_field *fields;
  uint32_t field_count;
} spv_emu_record;

/* The contents of a descriptor, of a kernel's parameter or of the push constants. */
typedef struct spv_emu_shape {
  /* The name of the variable, or of its type. "": neither has one. */
  const char *name;
  /* Of a buffer; sorted by offset, unless records share memory. */
  const spv_emu_record *records;
  uint32_t record_count;
  /* A uniform block; false: a storage buffer. */
  bool uniform;
  /* A kernel's parameter, and one that is passed by value. */
  bool parameter, value;
  /* Memory of the workgroup, which only needs a size. */
  bool local;
  /* An image or a sampler; if both are set, a combined image and sampler. */
  bool image, sampler;
  spv_emu_number texel;
  /* The bits of a component. */
  uint32_t texel_bits;
  /* An SpvDim, and an SpvImageFormat. */
  uint32_t dimension;
  uint32_t format;
  bool arrayed, multisampled, depth, storage;
} spv_emu_shape;

/* A descriptor, or array of descriptors, that the module declares. */
typedef struct spv_emu_binding {
  uint32_t set, binding;
  /* The number of descriptors. 0: a run-time array; its length is the number of those that are
   * bound. */
  uint32_t count;
  /* An image, a sampler, or both. */
  bool image;
  /* The module may write to it. */
  bool written;
  /* The id of the OpVariable. */
  uint32_t id;
  /* Its OpName. NULL: it has none. */
  const char *name;
  /* The OpName of the variable's struct, or of the struct of its elements. NULL: none. */
  const char *block;
  /* NULL: spv_emu_load_options.shapes was not set. */
  const spv_emu_shape *shape;
} spv_emu_binding;

/* On failure, writes one line to `message` ("function main, block %27: … (word 412)"). `words` is a
 * binary in either byte order, and is not kept. */
spv_emu_status spv_emu_load(const uint32_t *words, size_t count,
                            const spv_emu_load_options *options, spv_emu_program **program,
                            char *message, size_t message_size);
void spv_emu_free(spv_emu_program *program);
/* A notice about a loaded module for the user, one line; NULL: none. */
const char *spv_emu_notice(const spv_emu_program *program);
const spv_emu_binding *spv_emu_bindings(const spv_emu_program *program, uint32_t *count);
/* The bytes of push constants that the module declares. */
uint32_t spv_emu_push_constant_bytes(const spv_emu_program *program);
/* The shape of the push constants. NULL: there are none, or spv_emu_load_options.shapes was not
 * set. */
const spv_emu_shape *spv_emu_push_constant_shape(const spv_emu_program *program);
/* An input or output of a graphics stage: one number at a location. */
typedef struct spv_emu_port {
  /* The name of the variable. NULL: it has none. */
  const char *name;
  uint32_t location, component;
  spv_emu_number kind;
  uint32_t bits;
} spv_emu_port;

/* The ports, sorted by location and component. */
const spv_emu_port *spv_emu_inputs(const spv_emu_program *program, uint32_t *count);
const spv_emu_port *spv_emu_outputs(const spv_emu_program *program, uint32_t *count);
/* Does the fragment shader write FragDepth? */
bool spv_emu_writes_depth(const spv_emu_program *program);
/* The stage of the entry point named `entry`. NULL: of any entry point; among several, compute (and
 * kernels) comes before fragment, and fragment before vertex. If no entry point has such a stage,
 * or if `words` is not a module, the result is SPV_EMU_COMPUTE, and spv_emu_load says what is
 * wrong. */
spv_emu_stage spv_emu_stage_of(const uint32_t *words, size_t count, const char *entry);

/* A specialization constant for which the load options gave a value. */
typedef struct spv_emu_constant {
  /* Its id in the module. */
  uint32_t result;
  /* It has a SpecId, which is `id`. */
  bool decorated;
  uint32_t id;
  /* SPV_EMU_UINT for a bool. */
  spv_emu_number kind;
  /* The width of the number. 0: a bool. */
  uint32_t bits;
  /* The bits of the number; 0 or 1 for a bool. */
  uint64_t value;
} spv_emu_constant;

/* All these constants, each once. */
const spv_emu_constant *spv_emu_constants(const spv_emu_program *program, uint32_t *count);

/* The size of a workgroup: three numbers. */
const uint32_t *spv_emu_local_size(const spv_emu_program *program);

/* A source file. */
typedef struct spv_emu_file {
  /* As the compiler wrote it; may be empty. */
  const char *name;
  /* `size` bytes. NULL: neither the module nor the caller supplied it. */
  const char *text;
  size_t size;
} spv_emu_file;

/* A call in the source that the compiler inlined. */
typedef struct spv_emu_call {
  /* The function that contains the call. NULL: not known. */
  const char *function;
  /* The place of the call. SPV_EMU_NO_FILE and 0: not known. */
  uint32_t file, line;
  /* The inlined call that contains it. SPV_EMU_NO_CALL: there is none. */
  uint32_t outer;
} spv_emu_call;

#define SPV_EMU_NO_FILE UINT32_MAX
#define SPV_EMU_NO_CALL UINT32_MAX

/* The source of the functions that the entry reaches, from the module's debug information: OpSource
 * and OpLine, NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100. */
typedef struct spv_emu_source {
  const spv_emu_file *files;
  /* An outer call comes before those inside it. */
  const spv_emu_call *calls;
  uint32_t file_count, call_count;
} spv_emu_source;

/* The result belongs to the program. */
const spv_emu_source *spv_emu_source_of(const spv_emu_program *program);
/* Supplies the text of a file that the module does not hold; the text is copied. No other thread
 * may list the program at the same time. False: out of memory. */
bool spv_emu_give_text(spv_emu_program *program, uint32_t file, const char *text, size_t size);

/* A block that the entry reaches, or, if calls split the block, one of its parts. */
typedef struct spv_emu_place {
  /* The ids of the OpFunction and the OpLabel. */
  uint32_t function, block;
  /* How many of the block's calls come before it. */
  uint32_t part;
  /* Its index in spv_emu_result.parts. */
  uint32_t index;
  /* The number of its instructions that count. */
  uint32_t issues;
  /* It contains, or leads to, a barrier wider than a subgroup. */
  bool reaches_barrier;
} spv_emu_place;

/* All places of the program, in the default priority order; the caller frees the array. NULL: out
 * of memory. */
spv_emu_place *spv_emu_places(const spv_emu_program *program, uint32_t *count);

/* ---- costs ----------------------------------------------------------------------------------- */

enum { SPV_EMU_COST_CLASSES = 15, SPV_EMU_COST_NAME = 64 };

/* A cost model, in cycles. spv_emu_cost_find initializes it; spv_emu_cost_set and
 * spv_emu_cost_parse change it. spv-emu/cost/cost.def lists the names of the members, and
 * docs/cost.md explains them. */
typedef struct spv_emu_cost {
  char name[SPV_EMU_COST_NAME];
  /* The cost of an issue, by class of instruction. */
  uint32_t classes[SPV_EMU_COST_CLASSES];
  /* The cost of a divergent branch: push, pop and carrier. It is paid at the pop. */
  uint32_t divergent;
  /* The number of stack entries on the chip. 0: all. */
  uint32_t entries;
  /* How many entries are spilled and reloaded together; at most `entries`. */
  uint32_t chunk;
  /* The cost of moving `chunk` entries off the chip, paid at the push, and of moving them back,
   * paid at the pop. */
  uint32_t spill, reload;
  /* Latency hiding: the number of subgroups that share the issue port. 0: subgroups never wait for
   * loads, and run one after the other. */
  uint32_t subgroups;
  /* How long a subgroup waits for a load that misses, and for one that hits. */
  uint32_t latency, hit;
  /* The number of memory segments in the cache. 0: there is no cache, and `miss` applies. */
  uint32_t cache;
  /* Without a cache: the probability that a load misses. */
  double miss;
  /* The seed of the random numbers that decide which loads miss. */
  uint64_t seed;
  /* The cost of a comparison while an entry is inserted in a sorted stack. */
  uint32_t insertion;
  /* The number of groups of lanes in a subgroup that may have loads in flight at once. 0 or 1:
   * while one group waits for a load, the whole subgroup waits. */
  uint32_t subwarps;
} spv_emu_cost;

/* The name of a model, by index; NULL past the last. The first is the default: each issue takes a
 * cycle, and everything else is free. */
const char *spv_emu_cost_model(uint32_t index, const char **purpose);
/* Initializes `cost` with the model of that name. False: there is no such model. */
bool spv_emu_cost_find(const char *name, spv_emu_cost *cost);
/* Sets one number, by its name in cost.def. On failure, writes one line to `message` and returns
 * false. */
bool spv_emu_cost_set(spv_emu_cost *cost, const char *key, const char *value, char *message,
                      size_t message_size);
/* Applies a model given as text, with lines "KEY VALUE" (docs/cost.md), to an initialized one. On
 * failure, writes one line with the line's number to `message` and returns false. */
bool spv_emu_cost_parse(const char *text, size_t size, spv_emu_cost *cost, char *message,
                        size_t message_size);

/* ---- running --------------------------------------------------------------------------------- */

typedef struct spv_emu_buffer {
  /* `element`: the index in a descriptor array. */
  uint32_t set, binding, element;
  /* Read and written in place. */
  void *bytes;
  uint64_t size;
} spv_emu_buffer;

/* Texels tightly packed: level by level, layer by layer (cube faces are layers), slice by slice,
 * row by row. A texel buffer is an image of one row. */
typedef struct spv_emu_image {
  uint32_t set, binding, element;
  /* The number of a VkFormat. */
  uint32_t format;
  uint32_t width, height, depth, layers, levels, samples;
  void *bytes;
  uint64_t size;
  /* How reads permute the components: numbers of VkComponentSwizzle. 0: the component itself. */
  uint8_t swizzle[4];
} spv_emu_image;

typedef struct spv_emu_sampler {
  uint32_t set, binding, element;
  /* Numbers of Vulkan's enums, as are the address modes, the border colour and `compare_op`. */
  uint32_t mag_filter, min_filter, mipmap_mode;
  uint32_t address_mode[3], border_color;
  float min_lod, max_lod, lod_bias;
  bool unnormalized, compare;
  uint32_t compare_op;
} spv_emu_sampler;

/* A group of lanes that runs or waits, or a set of lanes in a register. */
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
   * the block. After each of them, the stack has `depth` entries. `issue`: how many instructions
   * this subgroup issued before. */
  void (*issued)(void *user, uint64_t subgroup, uint64_t issue, uint32_t count, uint32_t block,
                 uint32_t depth);
  /* Under pdom and ssy: an instruction that operates on the stack ("SSY", "BRA", "SYNC", …). Calls
   * of `entry` follow, for each entry that it pops and then for each that it pushes. */
  void (*step)(void *user, uint64_t subgroup, const char *name);
  /* `lanes`: the lanes of the entry (bit i % 64 of word i / 64). `next`: the block that they run
   * next. `rejoin`: under pdom, the block where they reconverge. 0: there is none. */
  void (*entry)(void *user, bool pushed, const uint64_t *lanes, uint32_t next, uint32_t rejoin);
  /* Every run adds its subgroups to this number. */
  uint64_t subgroups;
  /* Every run sets these: the policy, and the lanes of a subgroup. */
  const char *policy;
  uint32_t lanes;
  /* Called before each block, under every policy but opt: first for the group that runs the block,
   * then for the groups that wait, then for the registers of policy barrier. `step`: how many
   * blocks the subgroup has run. `place`: the block that the group runs or waits for, or the
   * register's number. Under policies that regroup lanes, the subgroup is a workgroup. */
  void (*group)(void *user, uint64_t subgroup, uint64_t step, spv_emu_group kind, uint32_t place,
                const uint64_t *lanes);
} spv_emu_trace;

struct spv_emu_result;

/* Callbacks about what subgroups issue, in order, under any policy but opt, which has no
 * schedule. */
typedef struct spv_emu_schedule {
  void *user;
  /* How many subgroups of a dispatch are reported: the first ones, unless `spread` is set. */
  uint64_t subgroups;
  /* If not NULL, the reported subgroups are spread evenly: number i of n is subgroup i * all / n,
   * where `all` is the number of subgroups in the dispatch (of a long draw, in its first part). The
   * run sets *spread to `all` after it calls `begun`. */
  uint64_t *spread;
  /* Called when a run that is not skipped begins. Its subgroups have `lanes` lanes. */
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

/* A debugger of lanes (docs/debugger.md), or a trace of values. It needs a program that was loaded
 * with spv_emu_load_options.debug. The run has one thread. `opt`, which has no schedule, is not
 * debugged. */
typedef struct spv_emu_debug {
  void *user;
  /* Returns the next command, which is valid until the next call. NULL: there are no more, and the
   * run goes on without stops. The member itself may be NULL: there are no commands. */
  const char *(*read)(void *user);
  /* Receives what a command prints: whole lines. */
  void (*write)(void *user, const char *text);
  /* The names whose values are traced, as CSV: a row for each change. */
  const char *const *names;
  uint32_t name_count;
  /* By name: set to true if the name had a meaning at some place that lanes came to. NULL: not
   * wanted. */
  bool *found;
  /* Receives a row, without a newline. */
  void (*row)(void *user, const char *line);
} spv_emu_debug;

/* An instruction by which the lanes of a subgroup communicate. */
typedef struct spv_emu_subgroup_op {
  uint32_t opcode;
  /* Such as "OpGroupNonUniformBallot". */
  const char *name;
  const char *function;
  /* The id of the OpLabel. */
  uint32_t block;
  /* 0: not known. */
  uint32_t line;
  /* Such as "main.comp:11". Empty: not known. */
  const char *place;
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

/* The cost of fragments at each pixel, or of a dispatch's invocations at the x and y of their
 * GlobalInvocationID, row by row. An issue counts once for each lane that its subgroup has at the
 * pixel, active or not. The issues of samples and primitives that share a pixel add up. So the sum
 * of `issues` - `lost` is lane_instructions - helper_instructions, and the sum of `issues`,
 * `outside` and `unused` is issues times lanes of a subgroup, for the subgroups that ended. */
typedef struct spv_emu_heat {
  /* The size of the framebuffer, or the invocations in x and y. 0: nothing has run. */
  uint32_t width, height;
  uint64_t *issues;
  /* How many of `issues` came while the lane was inactive, or a helper lane. */
  uint64_t *lost;
  /* The issues at pixels outside the framebuffer, in quads on its edge. */
  uint64_t outside;
  /* The issues of lanes without a quad, in subgroups that are not full. */
  uint64_t unused;
  /* The last subgroup that had a lane at the pixel, as 1 + its number in its draw. 0: none had. */
  uint32_t *subgroup;
} spv_emu_heat;

/* Frees the numbers, and sets the heat to zeros. */
void spv_emu_heat_free(spv_emu_heat *heat);

/* A priority order of a whole program. Only `block` and `part` of each place are used. Places of
 * the program that are not listed follow in the default order. */
typedef struct spv_emu_order {
  const spv_emu_place *places;
  uint32_t count;
} spv_emu_order;

/* An option of a policy, and its value. */
typedef struct spv_emu_choice {
  /* As in spv_emu_policy_option, such as "--barrier-placement". */
  const char *flag;
  /* Such as "ipdom"; for a listing, its text. NULL: the default. */
  const char *value;
} spv_emu_choice;

/* Whether blocks run as machine code, which LLVM makes while the program runs. All figures, results
 * and messages are the same. */
typedef enum spv_emu_native {
  /* As the environment variable SPV_EMU_NATIVE says; off if it is not set. */
  SPV_EMU_NATIVE_DEFAULT,
  /* Everything is interpreted. */
  SPV_EMU_NATIVE_OFF,
  /* If LLVM is available, code that runs often is compiled. */
  SPV_EMU_NATIVE_AUTO,
  /* All code that runs is compiled. */
  SPV_EMU_NATIVE_ON,
  /* All code that runs is compiled and also interpreted. A difference is a fault. */
  SPV_EMU_NATIVE_CHECK,
} spv_emu_native;

typedef struct spv_emu_run_options {
  /* A name that spv_emu_policy returns. NULL: structured if it applies, else maximal. */
  const char *policy;
  /* lrpo (or NULL), rpo, or @BLOCK,BLOCK,… */
  const char *priority;
  /* Used instead of `priority`, unless there are none: the first order whose places are all in the
   * program. It is an error if there is no such order. */
  const spv_emu_order *orders;
  uint32_t order_count;
  /* The number of workgroups. */
  uint32_t groups[3];
  const spv_emu_buffer *buffers;
  uint32_t buffer_count;
  const spv_emu_image *images;
  uint32_t image_count;
  const spv_emu_sampler *samplers;
  uint32_t sampler_count;
  const void *push_constants;
  uint32_t push_constant_bytes;
  /* The size of a memory transaction, a power of two. 0: 128. */
  uint32_t segment_bytes;
  /* The most issues of the dispatch. 0: 10^9. */
  uint64_t max_issues;
  /* 0: 1. */
  uint32_t threads;
  /* The most states that `opt` visits. They are divided equally among the subgroups, at least 64
   * for each. 0: 65,536. */
  uint64_t opt_budget;
  /* An access out of bounds is a fault. */
  bool strict;
  /* For policies with a stack (none, pdom, tf-stack, structured, maximal, ssy); needs one thread.
   * NULL: no trace. */
  spv_emu_trace *trace;
  /* If the policy runs a program of its own, the result has its listing. */
  bool list;
  /* NULL: each issue takes a cycle. */
  const spv_emu_cost *cost;
  /* NULL: none. */
  const spv_emu_schedule *schedule;
  const spv_emu_progress *progress;
  /* In a draw, the fragment shader is debugged. NULL: no debugger. */
  const spv_emu_debug *debug;
  /* In a draw, all shaders report. NULL: no reports. */
  const spv_emu_tangles *tangles;
  /* Draws and dispatches add to it. It must be all zero, or left by earlier runs; a run of another
   * size adds nothing. Neither does opt, which has no schedule. NULL: not wanted. */
  spv_emu_heat *heat;
  /* Workgroups, and the subgroups of each, run from the last to the first. */
  bool backwards;
  /* Variables without an initializer start as bytes that are not zero. */
  bool garbage;
  /* Count the races and lane_races of spv_emu_result. The run has one thread, whatever `threads`
   * says. */
  bool races;
  /* Options of policies. Those of policies other than `policy` are ignored. If an option occurs
   * twice, the last one counts. */
  const spv_emu_choice *choices;
  uint32_t choice_count;
  /* Find where lanes are lost (spv_emu_result.detailed), which takes longer. `calls`: only by
   * calls, if the program has any. `causes`: also by loops and branches, and which executions are
   * needed. */
  bool calls, causes;
  spv_emu_native native;
} spv_emu_run_options;

/* Finds a mode by its name: off, auto, on or check. False: no mode has that name. */
bool spv_emu_native_mode(const char *name, spv_emu_native *mode);
/* The library with which this build makes machine code, such as "LLVM 15". NULL: it makes none. The
 * library is opened when it is first needed. */
const char *spv_emu_native_library(void);
/* Why programs cannot run as machine code, in one line. NULL: they can. */
const char *spv_emu_native_refuses(void);

/* A block, or, if calls split the block, one of its parts, and how often it ran. The last three
 * fields are set with spv_emu_run_options.causes. */
typedef struct spv_emu_part {
  /* The index in spv_emu_result.blocks. */
  uint32_t block;
  /* How many of the block's calls come before it. */
  uint32_t part;
  /* The number of its instructions that count. */
  uint32_t issues;
  /* How often it ran, and the sum of the active lanes. */
  uint64_t executions, lanes;
  /* How often its branch sent lanes to several blocks. */
  uint64_t diverged;
  /* The executions that no schedule can save: those of the lane that runs it most often, summed
   * over the subgroups that ended. */
  uint64_t needed;
  /* The nearest branch in the function that decides whether lanes get here. SPV_EMU_NO_BRANCH: none
   * does. */
  uint32_t branch;
  /* The innermost loop around it. SPV_EMU_NO_LOOP: there is none. */
  uint32_t loop;
} spv_emu_part;

#define SPV_EMU_NO_BRANCH UINT32_MAX
#define SPV_EMU_NO_LOOP UINT32_MAX

/* A function that the entry reaches. */
typedef struct spv_emu_function {
  const char *name;
  /* The id of the OpFunction. */
  uint32_t id;
  /* Of its own blocks. */
  uint64_t issues, lane_instructions;
  /* The same, with those of the functions that it calls. */
  uint64_t total_issues, total_lane_instructions;
} spv_emu_function;

/* A call in the module. An issue counts for each call through which one of its lanes came, so the
 * calls of a function may have more issues together than the function. */
typedef struct spv_emu_call_site {
  /* Indices in spv_emu_result.functions. */
  uint32_t caller, callee;
  /* The part that ends in the call. */
  uint32_t part;
  /* SPV_EMU_NO_FILE and 0: not known. */
  uint32_t file, line;
  /* How often it was issued, and the sum of the active lanes. */
  uint64_t executions, lanes;
  /* Of the callee and of all that it calls, for these lanes. */
  uint64_t issues, lane_instructions;
} spv_emu_call_site;

/* A branch or switch with several targets. */
typedef struct spv_emu_branch {
  /* The part that ends in it, which says how often it ran and diverged. */
  uint32_t part;
  uint32_t file, line;
  uint32_t targets;
  /* The innermost loop that lanes may leave here. SPV_EMU_NO_LOOP: there is none. */
  uint32_t loop;
} spv_emu_branch;

/* A cycle of the control-flow graph. A lane ends an iteration when it returns to the header, or
 * leaves from a block that leads to the header. */
typedef struct spv_emu_loop {
  /* The header. */
  uint32_t part;
  /* The place of the first block that has a line. SPV_EMU_NO_FILE and 0: not known. */
  uint32_t file, line;
  /* The loop around it. SPV_EMU_NO_LOOP: there is none. */
  uint32_t outer;
  /* How often lanes entered it together, and how many lanes that were in all. */
  uint64_t entries;
  uint64_t entered;
  /* How many lanes have left it, and their iterations together. */
  uint64_t lanes;
  uint64_t iterations;
  /* The fewest and the most iterations of one lane. */
  uint32_t least, most;
} spv_emu_loop;

typedef enum spv_emu_outcome {
  SPV_EMU_RAN,
  /* The policy does not apply; the message says why. */
  SPV_EMU_SKIP,
  /* Some lanes of the subgroup cannot reach a barrier. Under policy barrier: all lanes of a
   * subgroup wait for one another. */
  SPV_EMU_DEADLOCK,
  /* max_issues was exceeded. */
  SPV_EMU_LIMIT,
  SPV_EMU_FAULT,
  /* spv_emu_progress ended the run. The figures cover what ran until then. */
  SPV_EMU_PARTIAL,
  /* Some lanes of a subgroup repeat a loop forever while the others wait for them. */
  SPV_EMU_LIVELOCK,
} spv_emu_outcome;

/* A SPIR-V block that the entry reaches. */
typedef struct spv_emu_block {
  const char *function;
  /* The id of its OpLabel. */
  uint32_t id;
  /* The first source line in it. 0: not known. */
  uint32_t line;
  /* The number of its instructions that count. */
  uint32_t issues;
  /* How often it ran, and the sum of the active lanes. */
  uint64_t executions, lanes;
  /* The file of `line`, in spv_emu_source. SPV_EMU_NO_FILE: not known. */
  uint32_t file;
  /* The column of `line`, from 1. 0: not known. */
  uint32_t column;
  /* The highest line in it that belongs to the same file and call. 0: not known. */
  uint32_t last_line;
  /* The function in the source, also if it was inlined. NULL: not known. */
  const char *source_function;
  /* The inlined call that the block comes from. SPV_EMU_NO_CALL: there is none. */
  uint32_t call;
} spv_emu_block;

/* An instruction that broke a rule about uniformity (docs/vuid.md). */
typedef struct spv_emu_breach {
  /* A VUID or, if Vulkan has none, the part of SPIR-V that states the rule. */
  const char *rule;
  /* What is wrong. */
  const char *text;
  const char *function;
  /* The id of the OpLabel. */
  uint32_t block;
  /* Such as "OpLoad". */
  const char *opcode;
  /* The id of the operand that differs. 0: the rule is not about an operand. */
  uint32_t operand;
  /* SPV_EMU_NO_FILE and 0: not known. */
  uint32_t file, line;
  /* The number of issues that broke the rule. The other fields describe the first. */
  uint64_t count;
  /* The number of the subgroup in the dispatch. */
  uint64_t subgroup;
  /* Two lanes with different values, or an active lane and an inactive one. */
  uint32_t lane[2];
  /* The operand's value in these lanes, or the descriptor; else empty. */
  char value[2][40];
} spv_emu_breach;

/* docs/emulator.md explains the figures. */
typedef struct spv_emu_result {
  const char *policy;
  uint32_t subgroup_size;
  spv_emu_outcome outcome;
  /* Empty, or one line. After a complete run, a note on dropped accesses. */
  char message[512];
  uint64_t subgroups, issued, lane_instructions;
  double activity_factor;
  uint64_t overhead, noop_issues, phi, divergent_branches, reconvergences;
  uint64_t stack_pushes, stack_pops, stack_spills;
  uint32_t stack_max_depth;
  uint64_t memory_issues, memory_transactions;
  double memory_efficiency;
  /* Under policy exec. */
  uint64_t scalar_issues, branch_issues;
  /* The issues between unstructured branches and their post-dominators, while some lane that had
   * not ended was inactive. */
  uint64_t expansion_area;
  uint64_t cycles;
  /* The cycles of issues, of pushes and of pops. */
  uint64_t issue_cycles, branch_cycles, unwinding_cycles;
  /* In the latency model: the loads and atomics on buffers, and how many of them missed. */
  uint64_t loads, misses;
  /* All waits for loads, hidden or not. */
  uint64_t load_cycles;
  /* The cycles without an issue. */
  uint64_t idle_cycles;
  /* issue_cycles / cycles. */
  double utilisation;
  /* The accesses out of bounds, which were dropped. */
  uint64_t out_of_bounds;
  /* Under opt: `issued` is the minimum; false: it is a lower bound. */
  bool exact;
  spv_emu_block *blocks;
  /* The same in every run of a program, except for the counts. */
  spv_emu_part *parts;
  uint32_t block_count, part_count;
  /* The program that the policy runs, as text, if the options asked for it; else NULL. */
  char *listing;
  /* The ids of the blocks in priority order. */
  uint32_t *priority;
  uint32_t priority_count;
  /* All subgroups of the dispatch, including those that did not run because the run ended early. */
  uint64_t dispatch_subgroups;
  /* The pairs of conflicting accesses to buffers and images by workgroups that may run at the same
   * time: at least one of the two writes, and not both are atomic. */
  uint64_t races;
  /* The program is a fragment shader, and the next two figures apply. */
  bool fragments;
  /* How many of lane_instructions are those of helper lanes. */
  uint64_t helper_instructions;
  /* The derivatives in quads in which only some lanes are active, at least one of them not a
   * helper. */
  uint64_t quad_breaks;
  /* As memory_issues and memory_transactions, but for images and texel buffers, and for the
   * attachments of draws (in the fragment shader's result). */
  uint64_t image_issues, image_transactions;
  uint64_t attachment_issues, attachment_transactions;
  /* By place in the module, if the program was loaded with check_vuid or check_convergence. */
  spv_emu_breach *breaches;
  uint32_t breach_count;
  /* Under policy barrier: the most barriers that had lanes in them at once, and how often a barrier
   * without a register was moved. */
  uint32_t barriers_max_live;
  uint64_t barrier_spills;
  /* The instructions that ssy, exec, jip and barrier place in the code. */
  uint32_t added_code;
  /* Under opt: the issues of the best schedule that was found. If `exact`, this equals `issued`. */
  uint64_t at_most;
  /* `issued` times `subgroup_size`, so that idle lanes count, too. */
  uint64_t lane_slots;
  /* Where lanes are lost. Counted if the options asked for it, and the policy is neither opt nor
   * one that repacks lanes. */
  bool detailed;
  spv_emu_function *functions;
  /* By place in the module. */
  spv_emu_call_site *calls;
  /* With `causes`. A loop comes after the one around it. */
  spv_emu_loop *loops;
  spv_emu_branch *branches;
  uint32_t function_count, call_count, loop_count, branch_count;
  /* As `races`, but between invocations of one workgroup that no barrier separates, and also in the
   * workgroup's memory. */
  uint64_t lane_races;
} spv_emu_result;

/* Why fewer lanes are active at a line than enter its function. */
typedef enum spv_emu_cause_kind {
  /* Lanes leave a loop around the line. */
  SPV_EMU_CAUSE_LOOP,
  /* Lanes take another arm of a branch or switch. */
  SPV_EMU_CAUSE_BRANCH,
  /* Lanes run the line where they leave a loop, in different iterations. */
  SPV_EMU_CAUSE_EXIT,
} spv_emu_cause_kind;

typedef struct spv_emu_cause {
  spv_emu_cause_kind kind;
  /* The index in spv_emu_result.loops, or, of a branch or an exit, in .branches. */
  uint32_t index;
  /* Active lanes, on average. `outside`: those that enter the loop together, or come to the branch.
   * `inside`: those at the line, or at the next cause on the way to it. */
  double outside, inside;
} spv_emu_cause;

enum { SPV_EMU_CAUSES = 2 };

/* A source line that wastes lanes or, if the module has no lines, a part of the program. */
typedef struct spv_emu_waste {
  /* SPV_EMU_NO_FILE and 0: it is a part. */
  uint32_t file, line;
  /* The part of the line that has the most idle lanes. */
  uint32_t part;
  /* The issues of its instructions, and the sum of the active lanes. */
  uint64_t issues, lanes;
  /* The issues beyond those that are needed (spv_emu_part.needed). No schedule saves more. */
  uint64_t avoidable;
  /* The lanes that are not active, summed over the issues. */
  uint64_t idle;
  /* The causes by which the most lanes are lost come first. */
  spv_emu_cause causes[SPV_EMU_CAUSES];
  uint32_t cause_count;
  /* The call of its function through which the most lanes are lost, in spv_emu_result.calls.
   * SPV_EMU_NO_CALL: the function is not called. */
  uint32_t call;
} spv_emu_waste;

/* The lines and parts where something can be saved or lanes are idle, those where the most can be
 * saved first. If `result` comes from a run without spv_emu_run_options.causes, the list is empty.
 * The caller frees it. NULL: out of memory. */
spv_emu_waste *spv_emu_wastes(const spv_emu_program *program, const spv_emu_result *result,
                              uint32_t *count);
/* Compares two for qsort: the one where more can be saved comes first or, with `idle`, the one with
 * more idle lanes. */
int spv_emu_waste_order(const spv_emu_waste *a, const spv_emu_waste *b, bool idle);

/* Lists of transforms that may save issues, for spv_emu_load_options.transform, by index: `best`,
 * the lists that it tries, and further ones. NULL past the last. *order is for `orders`. NULL: the
 * transforms use their defaults. */
const char *spv_emu_transform_list(uint32_t index, const char **order);

/* Runs the program. If it returns SPV_EMU_OK, *result is set, whatever the outcome; else `message`
 * is. */
spv_emu_status spv_emu_run(const spv_emu_program *program, const spv_emu_run_options *options,
                           spv_emu_result **result, char *message, size_t message_size);
void spv_emu_result_free(spv_emu_result *result);

/* A policy's name, and its purpose in one line, by index; NULL past the last. */
const char *spv_emu_policy(uint32_t index, const char **purpose);

typedef enum spv_emu_option_kind {
  /* The value is a name, or a list of names. */
  SPV_EMU_OPTION_NAME,
  /* The value is the text of the program to run, perhaps edited; the policy's other options are not
   * used. On the command line, the value is a file's name. */
  SPV_EMU_OPTION_LISTING,
  /* The file for spv_emu_result.listing. Only on the command line. */
  SPV_EMU_OPTION_DUMP,
} spv_emu_option_kind;

typedef struct spv_emu_policy_option {
  /* The name of the policy. */
  const char *policy;
  /* Such as "--barrier-placement". */
  const char *flag;
  /* The lines of --help. */
  const char *help;
  spv_emu_option_kind kind;
} spv_emu_policy_option;

/* The options of all policies, by index; false past the last. */
bool spv_emu_policy_option_at(uint32_t index, spv_emu_policy_option *option);

/* The CPU instruction sets that the emulator can use on this machine, by index; NULL past the last.
 * It uses the last one, unless the environment variable SPV_EMU_ISA names another. Results are the
 * same. */
const char *spv_emu_instruction_set(uint32_t index);

/* ---- listings -------------------------------------------------------------------------------- */

/* Instructions of one part that belong to a line. */
typedef struct spv_emu_use {
  /* The part, and how many of its instructions that count as issues. */
  uint32_t part, count;
} spv_emu_use;

typedef struct spv_emu_line {
  /* Not terminated; empty if it is not known. `length` is in bytes, without the line end. */
  const char *text;
  uint32_t length;
  /* The line's entries in spv_emu_listing.uses: the first, and how many. */
  uint32_t use, uses;
  /* The number of a source line in its file, from 1. */
  uint32_t number;
} spv_emu_line;

/* A file of the listing: contiguous lines. */
typedef struct spv_emu_section {
  /* The file's index in spv_emu_source. */
  uint32_t file;
  /* The first line, and the number of lines. */
  uint32_t line, lines;
} spv_emu_section;

typedef struct spv_emu_listing {
  /* The lines are those of the source; false: of the functions' disassembly. */
  bool source;
  const spv_emu_line *lines;
  uint32_t line_count;
  const spv_emu_use *uses;
  /* The files of the source. */
  const spv_emu_section *sections;
  uint32_t section_count;
  /* In a listing of the source: the instructions without a line. */
  spv_emu_line unplaced;
} spv_emu_listing;

/* The cost of a line: the issues of its instructions, and the sum of their active lanes. */
typedef struct spv_emu_charge {
  uint64_t issues, lanes;
} spv_emu_charge;

/* `result` must come from a run of the listing's program. */
spv_emu_charge spv_emu_line_charge(const spv_emu_result *result, const spv_emu_listing *listing,
                                   const spv_emu_line *line);

/* The source lines, file by file: all lines of a file whose text is known, and only the lines with
 * instructions of any other file. If no instruction has a line, or `source` is false, the listing
 * is the functions' disassembly. NULL: out of memory. */
spv_emu_listing *spv_emu_list(const spv_emu_program *program, bool source);
void spv_emu_listing_free(spv_emu_listing *listing);

/* The functions' control-flow graphs in Graphviz' language; a node's name is "b" and the id of the
 * OpLabel. The caller frees the text. It is empty if there are more than `most` blocks, or more
 * than 4 * `most` edges. NULL: out of memory. */
char *spv_emu_draw(const spv_emu_program *program, uint32_t most);

/* The next five functions return a text, which the caller frees. NULL: out of memory. */

/* The program's disassembly. A remark after each label and each counted instruction says how often
 * it ran, and for how many lanes on average. */
char *spv_emu_annotate(const spv_emu_program *program, const spv_emu_result *result);
/* The listing of the source. Before each line are the issues of its instructions and their average
 * lanes. The text is empty if no instruction has a line. */
char *spv_emu_annotate_source(const spv_emu_program *program, const spv_emu_result *result);
/* The same two with columns for several results of the program, such as one for each policy. */
char *spv_emu_annotate_all(const spv_emu_program *program, const spv_emu_result *const *results,
                           uint32_t count);
char *spv_emu_annotate_source_all(const spv_emu_program *program,
                                  const spv_emu_result *const *results, uint32_t count);
/* The cost of each call and function, with all that it calls in turn, in such columns. The text is
 * empty if none of the results has counted calls. */
char *spv_emu_annotate_calls(const spv_emu_result *const *results, uint32_t count);

#endif
