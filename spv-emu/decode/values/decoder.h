/* SPDX-License-Identifier: Apache-2.0 */
/* decoder: what is known of a module's ids during decoding: types, constants, pointers, values as
 * registers; and the instructions that are emitted on registers.
 *
 * Every SSA value is a list of *registers*, one for each scalar in it (pointers, images and
 * samplers count as scalars; see the table). A register is a number until all functions are
 * decoded. Then registers that are live only inside one block share the rows of a small pool, which
 * stays in the first-level cache; the others get a row each. Instructions are emitted with
 * registers in the fields d, a, b, c and in their lists; the allocator (registers.c) turns them
 * into byte offsets of rows and makes the two streams.
 *
 *   kind of value            registers
 *   bool, numbers            1
 *   vector, matrix, array,   those of its components, in order; matrices by column
 *   struct
 *   pointer                  1 EMU_U64, an address (bytecode.h); pointers that are known while
 *                            decoding (variables, chains from them) get one only when needed; of
 *                            an image or sampler, its index in their table
 *   image, sampler           1 EMU_U32, an index in the table of images or samplers (resource.h)
 *   sampled image            2: image, sampler
 *
 *   decode_register.c  registers, and the instructions emitted on them
 *   decode_constant.c  bits of constant scalars
 *   decode_type.c      types by id: scalar kinds, sizes, layouts
 *   decode_value.c     values as registers
 *   decode_pointer.c   pointers that are known while decoding, access chains
 *   decode_address.c   addresses of places, as registers */
#ifndef EMU_DECODER_H
#define EMU_DECODER_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/base/compiler.h"
#include "passes/base/map.h"
#include "spv-emu/alu/isa.h"
#include "spv-emu/engine/bytecode.h"

#include <spv-emu/spv_emu.h>

/* ---- types: decode_type.c -------------------------------------------------------------------- */

typedef struct EmuMember {
  uint64_t offset;        /* bytes in memory */
  uint32_t row_offset;    /* in rows: bytes of one lane */
  uint32_t matrix_stride; /* stride of a matrix in it; 0: none is declared */
  bool row_major;
} EmuMember;

typedef struct EmuType {
  uint16_t op;            /* SpvOpType…; SpvOpNop: the id is not a type */
  uint8_t kind;           /* EmuKind of a scalar, or of the scalars in a vector or matrix */
  uint32_t element;       /* type id: of vectors, matrices, arrays; pointee */
  uint32_t count;         /* number of elements or members */
  uint32_t components;    /* registers of a value; 0: none, as for void or an empty struct */
  bool value;             /* the type has values: it is not a run-time array, and not too large */
  uint64_t size;          /* bytes in memory, without padding at the end; 0 for run-time arrays */
  uint32_t align;         /* in memory, if no layout is declared */
  uint64_t stride;        /* of arrays and of vectors' components, in memory */
  uint64_t row_size;      /* in rows: bytes of one lane */
  uint32_t depth;         /* nesting depth of its composites */
  uint32_t member;        /* structs: the first in d->members */
  uint32_t storage_class; /* pointers */
} EmuType;

/* The layout of a matrix, which the struct member around it declares. */
typedef struct EmuMatrix {
  uint32_t stride; /* 0: none is declared, so it is the size of a column */
  bool row_major;
} EmuMatrix;

/* A decoration of a struct's member, and the next one of the same struct. */
typedef struct EmuMemberNote {
  SrRef ref;
  uint32_t next; /* in d->member_notes; SR_NONE */
} EmuMemberNote;

/* One step of a walk through a type's parts. */
typedef struct EmuLevel {
  uint32_t type;
  uint32_t next; /* the next element or member */
  uint64_t offset;
  uint64_t component; /* for a vector: bytes between components; 0: as the type says */
  EmuMatrix matrix;
} EmuLevel;

/* ---- pointers: decode_pointer.c -------------------------------------------------------------- */

/* What is known of a pointer during decoding. */
typedef struct EmuPointer {
  uint32_t segment;   /* SR_NONE: `dynamic` is a whole address */
  uint64_t offset;    /* added to the address */
  uint32_t dynamic;   /* register with the EMU_U32 offset, or with the EMU_U64 address;
                         EMU_NO_ROW: none */
  uint32_t type;      /* pointee's type id */
  EmuMatrix matrix;   /* layout of a matrix in the pointee */
  uint64_t component; /* bytes between components, if the pointee is a vector in a row-major matrix;
                         0: as the type says */
  bool rows;          /* offsets are in rows, not in bytes of memory */
  bool image; /* the pointee is not memory, but entry `offset` + `dynamic` of the table of images or
                 samplers */
  uint32_t descriptors; /* the pointee is an array of descriptors: its number of segments or
                           entries, of which this is the first; the next index selects one. 0:
                           not an array */
} EmuPointer;

/* ---- registers ------------------------------------------------------------------------------- */

typedef enum EmuRegisterUse {
  EMU_REGISTER_UNUSED,
  EMU_REGISTER_LOCAL,  /* used in one block, `block` */
  EMU_REGISTER_SHARED, /* used by several blocks, or by a block and an edge into it */
  EMU_REGISTER_FIXED,  /* has its row already: constants, variables, inputs */
} EmuRegisterUse;

typedef struct EmuRegister {
  uint8_t kind, use;
  bool value; /* it is the result of an instruction, which writes it before any other instruction
                 reads it */
  uint32_t block; /* for a local register: its block; for a constant: its index in
                     d->constant_list */
  uint32_t row;   /* bytes per lane from the start of its region; finally a byte offset */
} EmuRegister;

/* An instruction before registers have rows; without a handler: a barrier. */
typedef struct EmuEmitted {
  EmuIns ins;
  uint32_t written, count; /* registers of the list: number of those written, which come first;
                              number of all */
  bool masked;
  bool dropped;  /* not needed */
  bool compares; /* it is a comparison, and leaves the lanes for which it holds in EmuLanes.yes */
  uint8_t kind;  /* kind of the operands of `op` */
  uint16_t op;   /* the opcode for which EmuIsa.alu gave the handler; 0: it came from elsewhere */
} EmuEmitted;

typedef struct EmuPair { /* one move of the current edge */
  uint32_t to, from;
} EmuPair;

typedef struct EmuRange {
  uint32_t first, count;
} EmuRange;

typedef struct EmuValue {
  uint32_t *at; /* registers; the array never moves */
  uint32_t count;
} EmuValue;

typedef struct EmuConstant {
  uint64_t bits;
  uint32_t reg;
  uint32_t next; /* in its bucket */
  uint8_t kind;
} EmuConstant;

#define EMU_CONSTANT_BITS 12          /* log2 of the buckets */
#define EMU_PLACED (SR_NONE - 1)      /* as EmuRegister.block: the register has its row */
#define EMU_MAX_INVOCATIONS 65536u    /* of a workgroup */
#define EMU_MAX_FILE (1u << 30)       /* bytes of a register file */
#define EMU_RUNTIME_DESCRIPTORS 4096u /* room for an array of descriptors without a length */

typedef struct EmuDecode {
  SrModule *m;
  SrArena *arena, *scratch;
  EmuProgram *p;
  const EmuIsa *isa;
  const spv_emu_load_options *options;
  const SrUniform *uniform;
  uint32_t extended_glsl, extended_opencl; /* ids of the instruction sets */
  bool physical;                           /* pointers have bytes: Physical32, Physical64 */

  /* by id */
  EmuType *types;
  EmuValue *values;   /* count 0: none yet */
  uint32_t *pointers; /* in pointer_list; SR_NONE */
  SrBits *used;       /* used by a function */
  uint32_t *block_of; /* of OpLabel: the first part's index in p->blocks; of OpFunction: index */

  /* decode_workgroup.c's */
  bool shared_blocks; /* the variables in workgroup memory are blocks */
  SrMap shared_array; /* by type: an array of it in workgroup memory; 0: with several strides */
  uint32_t aliased;   /* the segment of the first Aliased block; SR_NONE: none yet */

  /* decode_stage.c's */
  uint32_t *member_first; /* by id of a struct: in member_notes; NULL: not yet found */
  SR_VEC(EmuMemberNote) member_notes;
  uint32_t *locations;     /* by id of a type: number of locations that it takes; NULL: not yet
                              counted */
  uint32_t helper_segment; /* segment of HelperInvocation; 0: there is none */
  /* decode_interpolate.c's */
  uint32_t *hidden[EMU_HIDDEN_END - EMU_HIDDEN_FIRST]; /* registers of hidden builtins, or NULL */
  SrMap corners; /* (segment of an input) * 4 + corner: the segment of its values there */

  SR_VEC(EmuPointer) pointer_list;
  SR_VEC(EmuMember) members;
  SR_VEC(EmuLevel) levels; /* scratch of emu_type_leaves */
  SR_VEC(EmuRegister) registers;
  SR_VEC(EmuEmitted) emitted; /* of all blocks; see block_code */
  EmuRange *block_code;       /* by block: its part of `emitted` */
  SR_VEC(EmuConstant) constant_list;
  uint32_t *constant_buckets;
  SrMap fixed;          /* register by place in the fixed region */
  uint64_t fixed_bytes; /* bytes of that region so far, per lane */

  /* decode_flow.c's */
  SR_VEC(uint32_t) reached;    /* functions of the module, by index in the program */
  uint32_t *function_index_of; /* by id: index in the module */
  SrMap edge_of;               /* by label: edges of the current block */
  SR_VEC(EmuPair) pairs;
  SR_VEC(uint32_t) ready, todo;
  uint32_t *source_of, *held_in; /* by register */
  uint32_t table_room;

  /* the current function and block */
  const SrFunction *function;
  uint32_t function_index;
  uint32_t block; /* in p->blocks */

  /* decode_alias.c's, by id */
  SrBits *alias_loads; /* the loaded value can be the variable's registers */
  SrBits *escapes;     /* used in a block other than that of its definition */
  uint32_t *last_use;  /* by id of the current block */
} EmuDecode;

/* Ends decoding, because an id without registers, or a register without a constant, is used as if
 * it had them. This is an error of the decoder: an assertion fails; without assertions the module
 * is refused. */
_Noreturn void emu_register_missing(const EmuDecode *d);

/* The register with number `reg`, which must exist: EMU_NO_ROW is not a register. */
static inline EmuRegister *emu_register(const EmuDecode *d, uint32_t reg) {
  if (reg >= d->registers.count)
    emu_register_missing(d);
  return &d->registers.at[reg];
}

/* `reg`, which must be the number of a register. */
static inline uint32_t emu_register_real(const EmuDecode *d, uint32_t reg) {
  return emu_register(d, reg) ? reg : EMU_NO_ROW;
}

static inline EmuKind emu_register_kind(const EmuDecode *d, uint32_t reg) {
  return (EmuKind)emu_register(d, reg)->kind;
}

/* The bits of a register that holds a constant. */
static inline uint64_t emu_register_bits(const EmuDecode *d, uint32_t reg) {
  uint32_t constant = emu_register(d, reg)->block;
  if (constant >= d->constant_list.count)
    emu_register_missing(d);
  return d->constant_list.at[constant].bits;
}

/* Must the register keep its value between blocks (registers.c)? Only for registers in use. */
static inline bool emu_register_is_kept(const EmuDecode *d, uint32_t reg) {
  return emu_register(d, reg)->use != EMU_REGISTER_LOCAL;
}

static inline bool emu_is_graphics(const EmuDecode *d) {
  uint32_t model = d->p->model;
  return model == SpvExecutionModelVertex || model == SpvExecutionModelGeometry ||
         model == SpvExecutionModelFragment;
}

/* ---- by all files ------------------------------------------------------------------------------
 */

/* The registers of a value, by component; *count: their number. Constants and undefined values have
 * registers, too. */
const uint32_t *emu_use(EmuDecode *d, uint32_t id, uint32_t *count);
/* The only register of a scalar value. */
uint32_t emu_use1(EmuDecode *d, uint32_t id);
/* The scalar kind of a type; for a vector or matrix the kind of its components, for pointers
 * EMU_U64, for images and samplers EMU_U32. */
EmuKind emu_type_kind(const EmuDecode *d, uint32_t type);
uint32_t emu_type_components(EmuDecode *d, uint32_t type);
/* The type id of a value. */
uint32_t emu_type_of(const EmuDecode *d, uint32_t id);
/* Sets *value to the zero-extended value of an integer constant, specialized or not. False: the id
 * is not an integer constant. */
bool emu_constant_value(EmuDecode *d, uint32_t id, uint64_t *value);

/* New registers for the result of instruction r, one for each component of its type; the caller
 * fills them with instructions. */
const uint32_t *emu_define(EmuDecode *d, SrRef r, uint32_t *count);
/* Makes existing registers the result of r (a shuffle, a copy); emits no code. */
void emu_alias(EmuDecode *d, SrRef r, const uint32_t *registers, uint32_t count);
/* A register for an intermediate result. */
uint32_t emu_temp(EmuDecode *d, EmuKind kind);
/* A register that always holds these bits. */
uint32_t emu_bits(EmuDecode *d, EmuKind kind, uint64_t bits);
/* Adds a list of `count` registers; returns its start, for EmuIns.list. */
uint32_t emu_list(EmuDecode *d, const uint32_t *registers, uint32_t count);

/* Emits an instruction that computes whole rows and may run on inactive lanes. d = run(a, b, c). */
void emu_emit(EmuDecode *d, EmuHandler *run, uint32_t to, uint32_t a, uint32_t b, uint32_t c);
void emu_emit_x(EmuDecode *d, EmuHandler *run, uint32_t to, uint32_t a, uint32_t b, uint32_t c,
                uint32_t x);
/* Emits an instruction whose handler reads and writes only active lanes: memory, images,
 * communication between lanes. Its list has `count` registers; it writes `d` and the first
 * `written` of the list, and reads a, b, c and the others. */
void emu_emit_masked(EmuDecode *d, const EmuIns *ins, uint32_t written, uint32_t count);

/* Refuses the module with one line that has the function, block and word of r. Returns false. */
bool emu_refuse(const EmuDecode *d, SrRef r, const char *format, ...) SR_PRINTF(3, 4);

SrModule *emu_module(const EmuDecode *d);
EmuProgram *emu_program(const EmuDecode *d);
/* An arena that lives as long as the program; one that is freed after decoding. */
SrArena *emu_arena(const EmuDecode *d);
SrArena *emu_scratch(const EmuDecode *d);
/* Operand i (from 0, type and result id not counted) of instruction r; 0 if it has fewer. */
uint32_t emu_operand(const EmuDecode *d, SrRef r, uint32_t i);
uint32_t emu_operand_count(const EmuDecode *d, SrRef r);

/* ---- by one file -------------------------------------------------------------------------------
 */

/* decode_type.c */
/* Declares an OpType…, in module order. */
bool emu_type_declare(EmuDecode *d, SrRef r);
/* False, with a message: instruction `r` has a value of a type that cannot have values (a run-time
 * array, or a type that is too large). */
bool emu_type_has_value(EmuDecode *d, SrRef r, uint32_t type);
/* Applies the decorations of members; once, before the first type is used in memory. */
bool emu_types_finish(EmuDecode *d);
const EmuType *emu_type(const EmuDecode *d, uint32_t id);
bool emu_type_is_array(const EmuType *t);
/* Is it an image, a sampler, or both? */
bool emu_type_is_descriptor(const EmuType *t);
/* `offset`: in bytes of memory, or in the rows of one lane; see emu_type_leaves. */
typedef void EmuLeafFn(void *user, uint64_t offset, EmuKind kind);
/* Calls `leaf` for each scalar of a value of the type, in order, with its offset and kind. `rows`:
 * offsets are in rows, else in memory. `matrix`: the layout that the struct member around the value
 * declares. `component`: bytes between the components of a vector; 0: as the type says. */
void emu_type_leaves(EmuDecode *d, uint32_t type, bool rows, EmuMatrix matrix, uint64_t component,
                     EmuLeafFn *leaf, void *user);

/* decode_register.c */
uint32_t emu_register_new(EmuDecode *d, EmuKind kind, EmuRegisterUse use);
/* The register whose row starts at offset `place` of the fixed region, counted in bytes per lane
 * (times the number of lanes: in bytes). */
uint32_t emu_register_fixed(EmuDecode *d, EmuKind kind, uint64_t place);
/* Reserves `bytes` bytes per lane in the fixed region; *place: where they start, in the same unit.
 * False: the region would be too large; a message is set. */
bool emu_fixed_room(EmuDecode *d, SrRef r, uint64_t bytes, uint64_t *place);
void emu_set_value(EmuDecode *d, uint32_t id, const uint32_t *registers, uint32_t count);
/* Records that the register is used in the current block. */
void emu_register_note_use(EmuDecode *d, uint32_t reg);
/* decode_value.c */
/* Creates a register for each scalar of a type; *count: their number. */
uint32_t *emu_registers_new(EmuDecode *d, uint32_t type, EmuRegisterUse use, uint32_t *count);
/* The same, as the registers of value `id`. */
const uint32_t *emu_value_new(EmuDecode *d, uint32_t id, EmuRegisterUse use, uint32_t *count);

/* An integer as a register of EMU_U64. */
uint32_t emu_use_u64(EmuDecode *d, uint32_t id);

/* decode_constant.c */
/* Is this the opcode of a constant scalar whose bits are in the module, or given by the caller? */
bool emu_constant_is_scalar(SpvOp op);
/* The bits of such a constant. */
uint64_t emu_constant_bits(EmuDecode *d, uint32_t id);

/* decode_address.c */
/* The address of a place, as a register; for an image or sampler, the number of its entry. */
uint32_t emu_address_of(EmuDecode *d, const EmuPointer *place);
/* The lower half of an EMU_U64 register. */
uint32_t emu_narrow(EmuDecode *d, uint32_t reg);
/* The address of the start of a segment whose number is in an EMU_U32 register. */
uint32_t emu_address_of_segment(EmuDecode *d, uint32_t segment);
/* The number of the segment that an address points into, as an EMU_U32 register. */
uint32_t emu_segment_of_address(EmuDecode *d, uint32_t address);

/* decode_workgroup.c */
/* Finds the layout of workgroup memory, after all types are declared. */
void emu_workgroup_layout(EmuDecode *d);
/* Is a variable of the workgroup a block, so that decorations determine its layout? */
bool emu_workgroup_is_block(const EmuDecode *d, uint32_t variable);
/* Bytes (in rows: bytes per lane) from the pointee to the next element of the array that contains
 * it. False, with a message at `r`: unknown. */
bool emu_element_stride(EmuDecode *d, SrRef r, const EmuPointer *place, uint32_t pointer,
                        uint64_t *stride);

/* decode_pointer.c */
EmuPointer emu_pointer_of(EmuDecode *d, uint32_t pointer);
/* Records that pointer `id` points to the place. */
void emu_set_pointer(EmuDecode *d, uint32_t id, const EmuPointer *place);
/* OpAccessChain and similar. */
bool emu_decode_chain(EmuDecode *d, SrRef r);
/* Are variables of that storage class rows of the register file? */
bool emu_class_in_rows(const EmuDecode *d, uint32_t storage_class);

#endif
