/* SPDX-License-Identifier: Apache-2.0 */
/* module: a SPIR-V module in memory.
 *
 * Every instruction's words are in one growable pool, with one bit per word that says whether it is
 * an id; that makes renaming and def-use queries exact for any instruction, including those of
 * extensions unknown to this project. An SrInst is a small record that points into the pool and
 * links to its neighbours. Records are referred to by dense indices (SrRef), never by pointers,
 * since their array grows.
 *
 *   globals    everything before the first function
 *   functions  each with a head (OpFunction, parameters, debug lines), blocks, and a tail
 *              (OpFunctionEnd); a block's list starts at its OpLabel (or at debug lines before it)
 *              and ends with its terminator
 *   tail       what follows the last function (debug lines), usually nothing
 *
 * Ids index `def` (the defining instruction) and `home` (its block, by index in the function).
 * reader.h lists what the reader guarantees. */
#ifndef SR_MODULE_H
#define SR_MODULE_H

#include "passes/base/arena.h"
#include "passes/base/bitset.h"
#include "passes/base/diag.h"
#include "passes/base/vec.h"

#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.h>

typedef uint32_t SrRef; /* index in module->inst, or SR_NONE */

typedef struct SrInst {
  uint32_t at;          /* its first word in the pool */
  SrRef prev, next;     /* neighbours in its list */
  uint32_t type;        /* result type id, or 0 */
  uint32_t result;      /* result id, or 0 */
  uint16_t op;          /* SpvOp */
  uint8_t first;        /* index of the first word that is an operand (1, 2 or 3) */
  bool added : 1;       /* not in the input: a transform made it */
  bool nonsemantic : 1; /* OpExtInst of a NonSemantic or debug instruction set */
  bool unknown : 1;     /* newer than the grammar: which of its words are ids is not known */
} SrInst;

typedef struct SrList {
  SrRef first, last;
} SrList;

typedef struct SrBlock {
  uint32_t id; /* of its OpLabel */
  SrRef label; /* the OpLabel */
  SrList list; /* all instructions, terminator last */
  bool added;  /* not in the input */
  bool part;   /* was split off a block of the input; that block keeps its id */
} SrBlock;

typedef struct SrFunction {
  uint32_t id;       /* of OpFunction */
  SrRef name;        /* OpName, else OpEntryPoint, else OpString; SR_NONE: unnamed */
  SrList head, tail; /* OpFunction … last parameter; OpFunctionEnd */
  SrBlock *blocks;   /* in module order; block 0 is the entry; none for a declaration */
  uint32_t block_count;
  SrRef unknown;      /* its first instruction that the grammar does not know; SR_NONE: none */
  uint32_t misplaced; /* id of the first block with a merge instruction that the reader dropped,
                         since it does not directly precede the terminator; 0: there is none */
  bool unread; /* an unknown instruction may end a block: all instructions but the last are in
                  `head`, and there are no blocks, as if it were a declaration */
  bool moved;  /* a transform has moved its blocks into its only caller: nothing is left of it */
  uint8_t promises; /* SrPromise bits (promise.h) of the entry points that call it */
} SrFunction;

typedef struct SrModule {
  SrArena *arena;
  SrDiag *diag;
  uint32_t header[5]; /* magic, version, generator, id bound, schema; bound kept up to date */
  SR_VEC(uint32_t) pool;
  SrBits *is_id; /* one bit per word of the pool; grows with it */
  uint32_t is_id_room;
  SR_VEC(SrInst) inst;
  SrRef *def;     /* by id: defining instruction */
  uint32_t *home; /* by id: index of its block in its function; SR_NONE outside of blocks */
  uint32_t id_room;
  SrList globals, tail;
  SrFunction *functions;
  uint32_t function_count;
  uint32_t input_words;  /* words of the input */
  uint32_t input_bound;  /* the input's id bound: ids from it on were added */
  bool logical_pointers; /* addressing model Logical or PhysicalStorageBuffer64 */
  bool shader;           /* declares or implies Shader: structured control flow is required */
  bool has_undef;        /* there is, or was, an OpUndef */
  bool has_volatile;     /* something is decorated Volatile */
  uint16_t too_long;     /* opcode of an added instruction that is too long, or 0; see sr_finish */
  bool ids_gone;         /* blocks were dropped; their ids have lost their definitions */
  struct SrIntern *intern;           /* types and constants by content; constants.h */
  struct SrDecorations *decorations; /* by id; decorations.h */
  struct SrIdTable *names;           /* by id: its OpName; decorations.h */
  struct SrIdTable *id_tables;       /* free tables; id_table.h */
  struct SrKernelList
      *kernels;               /* how the kernels that were converted take their arguments, or NULL;
                                     transform/kernel */
  struct SrIdTable *hints[2]; /* of selections, of loops; NULL: none are kept; hint.h */
} SrModule;

static inline SrInst *sr_inst(const SrModule *m, SrRef r) {
  return &m->inst.at[r];
}
/* The words of an instruction; valid until the next instruction is made. */
static inline uint32_t *sr_words(const SrModule *m, SrRef r) {
  return &m->pool.at[m->inst.at[r].at];
}
static inline uint32_t sr_word_count(const SrModule *m, SrRef r) {
  return sr_words(m, r)[0] >> 16;
}
static inline uint32_t sr_bound(const SrModule *m) {
  return m->header[3];
}
/* Is word i of instruction r an id? (The result id and the result type id are.) */
static inline bool sr_word_is_id(const SrModule *m, SrRef r, uint32_t i) {
  return sr_bit(m->is_id, m->inst.at[r].at + i);
}
static inline SrRef sr_terminator(const SrBlock *b) {
  return b->list.last;
}
/* for (SR_EACH(m, r, list)) visits a list in order; the body may not unlink r. */
#define SR_EACH(m, r, list)                                                                        \
  SrRef r = (list).first;                                                                          \
  r != SR_NONE;                                                                                    \
  r = (m)->inst.at[r].next
/* for (SR_EACH_SAFE(m, r, list)): the body may unlink r; what it inserts after r is not visited. */
#define SR_EACH_SAFE(m, r, list) SR_EACH_SAFE_FROM(m, r, (list).first, SR_NONE)
/* The same for the instructions from `from` to the one before `end`. */
#define SR_EACH_SAFE_FROM(m, r, from, end)                                                         \
  SrRef r = (from), r##_next;                                                                      \
  r != (end) && (r##_next = (m)->inst.at[r].next, true);                                           \
  r = r##_next
/* for (SR_EACH_PHI(m, r, list)): the OpPhis of a block's list; the body may unlink r. */
#define SR_EACH_PHI(m, r, list)                                                                    \
  SR_EACH_SAFE(m, r, list)) if ((m)->inst.at[r].op == SpvOpPhi

/* The definition of an id, or SR_NONE. */
static inline SrRef sr_def(const SrModule *m, uint32_t id) {
  return id < sr_bound(m) ? m->def[id] : SR_NONE;
}
/* Opcode of an id's definition, SpvOpNop if it has none. */
SpvOp sr_def_op(const SrModule *m, uint32_t id);
/* The block that OpLabel `id` begins, as index in its function. */
static inline uint32_t sr_block_of(const SrModule *m, uint32_t id) {
  return m->home[id];
}
/* The merge instruction of a block (OpSelectionMerge, OpLoopMerge), or SR_NONE. */
SrRef sr_merge_inst(const SrModule *m, const SrBlock *b);
/* The first instruction after the OpLabel, the OpPhis and OpVariables, and the debug lines between
 * them. Ordinary instructions may be inserted before it. */
SrRef sr_first_ordinary(const SrModule *m, const SrBlock *b);
/* Does the block begin with OpPhis? Debug lines may come before them. */
bool sr_has_phis(const SrModule *m, const SrBlock *b);
/* Does the instruction count in statistics? Labels, phis, variables, debug lines, merges, OpNop,
 * OpUndef and NonSemantic instructions do not. */
bool sr_counts(const SrInst *inst);
/* How many instructions of the block count. */
uint32_t sr_count_instructions(const SrModule *m, const SrBlock *b);
/* The words of the function's blocks. */
uint64_t sr_count_words(const SrModule *m, const SrFunction *f);
bool sr_is_terminator(SpvOp op);
/* Is it a terminator without successors: OpReturn, OpKill, OpUnreachable, …? */
bool sr_is_leaf(SpvOp op);
bool sr_is_debug_line(const SrInst *inst);
/* Is it an OpExtInst of NonSemantic.DebugPrintf? It is nonsemantic, but its output is observed. */
bool sr_prints(const SrModule *m, SrRef r);

/* Walks the successor labels of a terminator in operand order, repeats included
 * (OpBranchConditional true, false; OpSwitch default, cases). Returns the index in the terminator
 * of the next target's word, or 0 at the end. `i` is the index returned before; 0 at the start. */
uint32_t sr_next_target(const SrModule *m, SrRef terminator, uint32_t i);

/* A function's name for messages and tables: that of SrFunction.name as the source has it
 * (mangled.h), else "%id". The text is in the pool or
 * in `arena`, and valid until the next instruction is made. */
const char *sr_function_name(const SrModule *m, SrArena *arena, const SrFunction *f);

#endif
