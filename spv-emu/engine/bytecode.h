/* SPDX-License-Identifier: Apache-2.0 */
/* bytecode: the decoded program.
 *
 * A module becomes blocks of instructions for the lane engine. An instruction is a pointer to the
 * function that executes it for a whole subgroup, and the rows that it reads and writes. (A row has
 * one scalar for each lane: lanes.h.) A SPIR-V instruction on a vector becomes one instruction for
 * each component. Composites do not exist at run time: instructions that construct, extract or
 * shuffle them only rename rows. Issues are still counted in SPIR-V instructions: each block stores
 * how many it has (docs/emulator.md).
 *
 * A *block* here is a basic block or, if that contains calls, one of the parts between the calls. A
 * part that ends in a call continues at the callee's entry; when the callee returns, its lanes
 * continue in the next part. Registers are static: SPIR-V has no recursion.
 *
 * Each block has two streams of instructions. `full` runs when all lanes that have not ended are
 * active, and writes whole rows. `some` runs when only some of them are active: it computes a
 * result that is live out of the block in a spare row, and then moves it to the active lanes only.
 * It still writes a result that is live only inside the block to the whole row, since the other
 * lanes hold no value there. */
#ifndef EMU_BYTECODE_H
#define EMU_BYTECODE_H

#include "passes/source/source_walk.h"
#include "spv-emu/engine/lanes.h"

#define EMU_NO_ROW UINT32_MAX

enum { EMU_MOST_PLACE = 128 }; /* bytes of "main.comp:11" in a message */

struct EmuLanes;
struct EmuImageOp;
struct spv_emu_subgroup_op;
struct EmuIns;
typedef void EmuHandler(struct EmuLanes *s, const struct EmuIns *i);

typedef struct EmuIns {
  EmuHandler *run;
  uint32_t d;       /* row written, or EMU_NO_ROW */
  uint32_t a, b, c; /* rows read, or EMU_NO_ROW */
  uint32_t list;    /* index of further rows in program->rows; the handler knows their meaning */
  uint32_t x;       /* a number, or an index in one of the program's tables */
} EmuIns;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory consists of segments, one for each variable and each bound buffer. An address is segment
 * << EMU_SEGMENT_SHIFT | byte offset, so a pointer of any storage class fits in a row of EMU_U64;
 * pointers can be selected, compared, and cast to integers and back; every access is checked
 * against the size of its segment. There is no segment 0, so an access through a null pointer is
 * out of bounds. */
#define EMU_SEGMENT_SHIFT 40
#define EMU_OFFSET_MASK (((uint64_t)1 << EMU_SEGMENT_SHIFT) - 1)
#define EMU_MAX_SEGMENTS (1u << 20)

typedef enum EmuSpace {
  EMU_SPACE_NONE,
  EMU_SPACE_ROWS,      /* rows of the register file, one for each scalar: Function, Private, Input,
                          Output under logical addressing. Offsets count row bytes: the row of an
                          n-byte scalar takes n * width bytes, and lane i is n * i bytes into it */
  EMU_SPACE_LANE,      /* bytes that each lane has for itself, in the register file, lane by lane:
                          Function and Private of kernels */
  EMU_SPACE_WORKGROUP, /* bytes of the workgroup */
  EMU_SPACE_BUFFER,    /* bytes that the caller binds: StorageBuffer, Uniform, PushConstant,
                          PhysicalStorageBuffer, CrossWorkgroup, UniformConstant data */
} EmuSpace;

typedef struct EmuSegment {
  uint8_t space;  /* EmuSpace */
  bool writable;  /* if false, stores are dropped, like stores out of bounds */
  bool counted;   /* accesses count as memory instructions, with transactions (docs/emulator.md) */
  bool zeroed;    /* WORKGROUP: it has an initializer, which is zero */
  uint32_t at;    /* ROWS, LANE: byte offset in the register file; WORKGROUP: in its memory */
  uint64_t size;  /* bytes; for LANE, bytes per lane */
  uint8_t *bytes; /* BUFFER: owned by the caller that binds it */
  uint32_t id;    /* of the OpVariable, for messages; 0: there is none */
  const char *name; /* of the variable, or of its block; NULL: none */
} EmuSegment;

/* A scalar that a load, store or atomic accesses. */
typedef struct EmuLeaf {
  uint32_t offset; /* bytes (ROWS: of rows) from the address */
  uint8_t kind;    /* EmuKind; EMU_BOOL takes 4 bytes of memory */
} EmuLeaf;

/* A load, store or atomic. */
typedef struct EmuAccess {
  uint32_t segment; /* the address is in this segment, and the instruction's row a holds EMU_U32
                       offsets in it; SR_NONE: row a holds whole addresses, EMU_U64 */
  uint64_t offset;  /* added to the address */
  uint32_t leaf;    /* first in program->leaves */
  uint32_t leaf_count;
  uint32_t aligned; /* the alignment that the instruction promises, in bytes; 0: that of its type */
  uint32_t inst;    /* index of the SPIR-V instruction, for messages */
} EmuAccess;

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct EmuMove { /* copies row a to row d, for the lanes that take an edge */
  uint32_t d, a;
  uint32_t bytes; /* of one lane: 1, 2, 4 or 8 */
} EmuMove;

typedef struct EmuEdge {
  uint32_t to;    /* block; SR_NONE: no block */
  uint32_t move;  /* first in program->moves: to the phis, or parameters, of the target */
  uint32_t moves; /* number of moves; executed in order; none writes a row that a later one reads */
} EmuEdge;

typedef enum EmuEnd {
  EMU_END_BRANCH, /* edges: the target */
  EMU_END_IF,     /* edges: true, false, or one for both; row is EMU_BOOL */
  EMU_END_SWITCH, /* edges: default, then each other target once; see EmuSwitchCase */
  EMU_END_CALL,   /* edges: the callee's entry, with the arguments' moves; lanes return to `next` */
  EMU_END_RETURN, /* edges: one to no block, which moves the result to the callee's rows */
  EMU_END_EXIT,   /* the invocations end: return from the entry point */
  EMU_END_KILL,   /* the invocations end without outputs: OpKill, OpTerminateInvocation */
  EMU_END_UNREACHABLE, /* a fault */
} EmuEnd;

typedef struct EmuSwitchCase {
  uint64_t value; /* zero-extended from the selector's kind */
  uint32_t edge;  /* index among the block's edges */
} EmuSwitchCase;

/* A barrier: the subgroup waits before these instructions of the two streams. */
typedef struct EmuStop {
  uint32_t full, some;
  SrRef inst; /* its SPIR-V instruction */
} EmuStop;

/* In a program to be debugged: a SPIR-V instruction that counts as an issue, and where its code
 * begins in the two streams. */
typedef struct EmuStep {
  SrRef inst;
  uint32_t at; /* while decoding: the instruction of the block at which it begins */
  uint32_t full, some;
} EmuStep;

/* The steps of a block, in program->steps. */
typedef struct EmuStepRange {
  uint32_t first, count;
} EmuStepRange;

typedef struct EmuBlock {
  uint32_t id;       /* of the OpLabel */
  uint32_t function; /* index in program->functions */
  uint32_t part;     /* how many of the block's calls come before this part */
  uint32_t full, full_count;
  uint32_t some, some_count; /* in program->code */
  uint8_t end;               /* EmuEnd */
  uint8_t kind;              /* EmuKind of the switch's selector */
  bool compared;             /* the condition is the result of the last instruction, a comparison */
  uint32_t row;              /* condition, selector */
  uint32_t edge, edges;      /* in program->edges */
  uint32_t cases, case_count; /* EMU_END_SWITCH: in program->cases, by ascending value */
  uint32_t next;              /* EMU_END_CALL: the block after the call; else SR_NONE */
  uint32_t merge, cont; /* declared merge block and continue target; SR_NONE: none. Only on the part
                           that ends in the branch */
  uint32_t stop, stops; /* in program->stops: barriers inside */
  bool uniform;         /* the branch is proven uniform */
  bool unhashed;        /* it may change what livelock.h does not hash: images, the clock */
  uint32_t issues;      /* instructions that count, the terminator included */
  uint32_t overhead;    /* of these, those that a transform added */
  uint32_t scalar;      /* those that `exec` issues once for the whole subgroup (wave_unit.h) */
  uint32_t phis;
  SrRef first, last;   /* its SPIR-V instructions, for listings; SR_NONE: it has none of its own */
  SrSourcePlace place; /* place of its first instruction with a line, or else of its first
                          instruction */
  uint32_t last_line;  /* the highest line in it of the same file and inlined call; 0: not known */
  SrSourcePlace end_place; /* of its last instruction: the branch or call that it ends in */
} EmuBlock;

typedef struct EmuFunction {
  uint32_t id;
  const char *name;
  uint32_t first, count; /* its blocks; the first is the entry */
  uint32_t row;          /* EMU_U32: by lane, the block that the lane returns to */
  bool structured;       /* follows the rules of structured control flow */
} EmuFunction;

/* ---- the program ----------------------------------------------------------------------------- */

typedef struct EmuBuiltin { /* an input to be filled at the start of a subgroup */
  uint32_t builtin;         /* SpvBuiltIn */
  uint32_t row;             /* of the first component */
  uint32_t stride;          /* bytes from one component's row to the next */
  uint32_t components;
  uint8_t kind;   /* EMU_U32, EMU_U64 (kernels), EMU_F32 */
  uint8_t corner; /* for a geometry shader's input: the vertex of the primitive */
} EmuBuiltin;

/* How a fragment's input varies over its primitive. */
typedef enum EmuVarying {
  EMU_VARY_PERSPECTIVE,
  EMU_VARY_LINEAR,
  EMU_VARY_FLAT,                           /* the value at corner 0 */
  EMU_VARY_LAST_CORNER = EMU_VARY_FLAT + 2 /* FLAT + n: the value at corner n */
} EmuVarying;
typedef enum EmuVaryingAt { EMU_VARY_CENTER, EMU_VARY_CENTROID, EMU_VARY_SAMPLE } EmuVaryingAt;

/* A scalar of an input or output with a Location. */
typedef struct EmuPort {
  uint32_t location;
  uint8_t component;   /* 0 to 3; a 64-bit scalar takes this component and the next */
  uint8_t index;       /* for a fragment shader's output: 1 is the second source of blending */
  uint8_t kind;        /* EmuKind */
  uint8_t varying, at; /* EmuVarying, EmuVaryingAt: for a fragment shader's input */
  uint32_t row;
  bool sign; /* an integer that is sign-extended */
} EmuPort;

/* Builtins that no module can name, for interpolation at a point of a fragment that the shader
 * chooses; all except the positions are EMU_F64. */
typedef enum EmuHiddenBuiltin {
  EMU_HIDDEN_FIRST = 1 << 20,
  EMU_HIDDEN_PLANES = EMU_HIDDEN_FIRST, /* emu_weight_planes: each one's value at the centre, dx,
                                           dy */
  EMU_HIDDEN_LINEAR_PLANES,             /* the same without perspective */
  EMU_HIDDEN_CENTROID,                  /* x and y from the centre, in pixels */
  EMU_HIDDEN_SPOTS, /* x, y: EMU_U64 with the position of sample n in bits 4 n to 4 n + 3 */
  EMU_HIDDEN_END
} EmuHiddenBuiltin;

/* What a graphics stage declares besides its code. */
typedef struct EmuStageFacts {
  bool early_tests;   /* EarlyFragmentTests */
  bool post_depth;    /* PostDepthCoverage: SampleMask has only the samples that pass the early
                         tests */
  bool writes_memory; /* has stores, atomics or image writes */
  bool ends_early; /* OpKill and similar instructions: coverage is known only after the shader has
                      run */
  bool demotes;    /* OpDemoteToHelperInvocation */
  bool quads;      /* it needs other lanes of the quad: derivatives, quad operations */
  bool per_sample; /* runs once for each sample */
  bool interlock;  /* fragments of one pixel run one after the other, in drawing order */
  uint32_t depth;  /* SpvExecutionModeDepthGreater, Less or Unchanged; 0: any */
} EmuStageFacts;

/* A geometry shader. The vertices that its lanes emit are in the register file, lane by lane:
 * `most` vertices of `words` EMU_U64 each: the outputs, the components of output builtins, then 1
 * if the vertex starts a strip. */
typedef struct EmuGeometry {
  uint32_t corners, made; /* vertices of an input primitive, and of an output primitive: 1 to 3 */
  uint32_t most;          /* OutputVertices */
  uint32_t invocations;   /* for each primitive */
  uint32_t words;
  uint32_t at;                   /* a byte offset in the file, like the next two */
  uint32_t count_row, start_row; /* EMU_U32: vertices so far; 1: the next one starts a strip */
} EmuGeometry;

typedef struct EmuConstantRow {
  uint32_t row;
  uint8_t kind;
  uint64_t bits;
} EmuConstantRow;

typedef struct EmuBinding { /* a descriptor, or array of them, that the module declares */
  uint32_t set, binding;
  uint32_t id;          /* of the OpVariable */
  uint32_t first, room; /* first entry and number of entries: of a buffer in `segments`; of an image
                           or sampler in resource.h's tables; a combined image and sampler has the
                           same entries in both tables */
  uint32_t count;       /* as declared; 0: a run-time array */
  uint32_t storage_class; /* SpvStorageClass */
  bool image;             /* image, sampler or both; else a buffer */
  bool written;           /* may be written by the module */
  bool used;              /* a function that the entry point can reach uses it */
} EmuBinding;

/* A rule about uniformity at one instruction (breach.h). */
typedef struct EmuDemand {
  uint8_t rule;   /* EmuRule */
  uint8_t shift;  /* the value is in the bits from this one up */
  bool image;     /* the value is an entry of the table of images */
  uint32_t block; /* in program->blocks */
  SrRef inst;
  uint32_t operand; /* id; 0: the rule is not about an operand */
} EmuDemand;

typedef struct EmuLiteralSampler { /* an OpConstantSampler */
  uint32_t index;                  /* in the table of samplers */
  uint32_t mode;                   /* SpvSamplerAddressingMode */
  bool normalized, linear;
} EmuLiteralSampler;

typedef struct EmuProgram {
  SrArena *arena;
  SrModule *module;
  uint32_t model; /* SpvExecutionModel */
  EmuStageFacts facts;
  EmuGeometry geometry;
  SrSource *source; /* holds the files, functions and calls that the reached functions refer to */
  uint32_t entry;   /* the entry point's function, index in `functions` */
  uint32_t local_size[3]; /* size of a workgroup */
  uint32_t lanes;         /* size of a subgroup */
  uint32_t width;         /* lanes per row: `lanes`, rounded up to a multiple of EMU_CHUNK */
  uint32_t file_bytes;    /* size of a register file */
  uint32_t temporary;     /* rows from this offset on hold values of one execution of a block */
  uint32_t shared_bytes;  /* size of a workgroup's memory */
  bool barriers;          /* has an OpControlBarrier wider than the subgroup */
  bool subgroup_barriers; /* has one of the subgroup */
  uint32_t lane_op;       /* SpvOp of an instruction by which lanes communicate; 0: there is none */
  bool ballots;           /* it has ballots: subgroups of at most 128 lanes */
  bool reads_clock;       /* it has OpReadClockKHR */
  bool whole_groups;      /* it has group operations of scope Workgroup: a workgroup must fit in one
                             subgroup */
  SR_VEC(EmuIns) code;
  SR_VEC(uint32_t) rows; /* lists of rows */
  SR_VEC(EmuBlock) blocks;
  SR_VEC(EmuEdge) edges;
  SR_VEC(EmuMove) moves;
  SR_VEC(EmuSwitchCase) cases;
  SR_VEC(EmuStop) stops;
  SR_VEC(EmuStep) steps;
  EmuStepRange *steps_of; /* by block; NULL unless the program is to be debugged */
  SR_VEC(EmuFunction) functions;
  SR_VEC(EmuSegment) segments;
  SR_VEC(EmuAccess) accesses;
  SR_VEC(EmuLeaf) leaves;
  SR_VEC(struct EmuImageOp) image_ops; /* image.h */
  SR_VEC(EmuConstantRow) constants;
  SR_VEC(EmuBuiltin) builtins;
  SR_VEC(EmuBuiltin) results; /* builtins that the stage writes */
  SR_VEC(EmuPort) inputs, outputs;
  SR_VEC(EmuBinding) bindings;
  SR_VEC(EmuLiteralSampler) literal_samplers;
  SR_VEC(EmuDemand) demands;                       /* empty: no rules are checked */
  SR_VEC(struct spv_emu_subgroup_op) subgroup_ops; /* empty: tangles are not reported (tangle.h) */
  uint32_t push_segment; /* segment of the push constants; 0: the module has none */
  uint32_t push_bytes;
  uint32_t image_count;               /* entries of the tables of images and samplers */
  const struct spv_emu_shape *shapes; /* by binding; NULL: not requested */
  const struct spv_emu_shape *push_shape;
  const struct EmuDebugInfo *debug; /* debug_info.h; NULL: the program is not to be debugged */
} EmuProgram;

#endif
