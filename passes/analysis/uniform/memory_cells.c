/* SPDX-License-Identifier: Apache-2.0 */
/* memory_cells: see memory_cells.h. `root` of a pointer is the variable or parameter from which the
 * pointer was computed; 0: it is not known. */
#include "passes/analysis/uniform/memory_cells.h"

#include "passes/base/sort.h"
#include "passes/base/vec.h"
#include "passes/ir/memory_operands.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"

enum { VOLATILE = 1, ALIASED = 2, WRITTEN = 4, ESCAPES = 8, PRIVATE = 16, FLAT = 32 };
enum { CLASSES = 32, CLASS_PHYSICAL = 31, CLASS_OTHER = 30 };
/* marks in root[] besides ids */
#define UNVISITED SR_NONE
#define VISITING (SR_NONE - 1)

struct SrMemory {
  SrArena *arena;
  const SrModule *m;
  uint32_t *root;    /* by id */
  uint32_t *parent;  /* by id: union-find of cells; SR_NONE: not a cell */
  uint8_t *flags;    /* by id; the facts of a cell's representative hold for the whole cell */
  uint32_t *builtin; /* by id: its BuiltIn decoration, or SR_NONE */
  bool wrote[CLASSES], wrote_unknown[CLASSES]; /* through any pointer; one of unknown root */
  bool has_volatile[CLASSES];                  /* of the module's variables */
  bool anywhere;      /* something wrote through a pointer of which nothing is known */
  bool buffer_blocks; /* storage buffers are declared as BufferBlock, in storage class Uniform */
};

/* ---- pointers ---- */

static uint32_t class_index(uint32_t storage) {
  if (storage == SpvStorageClassPhysicalStorageBuffer)
    return CLASS_PHYSICAL;
  return storage < CLASS_OTHER ? storage : CLASS_OTHER;
}

/* The pointer from which an instruction computes another, or 0. */
static uint32_t base_of(const SrModule *m, SrRef def) {
  uint32_t base = sr_chain_base(m, def);
  if (base)
    return base;
  switch (sr_inst(m, def)->op) {
  case SpvOpCopyObject:
  case SpvOpBitcast:
  case SpvOpPtrCastToGeneric:
  case SpvOpGenericCastToPtr:
    return sr_words(m, def)[3];
  default:
    return 0;
  }
}

static uint32_t find_root(SrMemory *mem, uint32_t id) {
  uint32_t x = id, root = 0;
  while (mem->root[x] == UNVISITED) {
    mem->root[x] = VISITING;
    SrRef def = sr_def(mem->m, x);
    if (def == SR_NONE)
      break;
    uint16_t op = sr_inst(mem->m, def)->op;
    if (sr_is_variable(op) || op == SpvOpFunctionParameter) {
      mem->root[x] = x;
      break;
    }
    uint32_t base = base_of(mem->m, def);
    if (!base)
      break;
    x = base;
  }
  if (mem->root[x] != VISITING && mem->root[x] != UNVISITED)
    root = mem->root[x];
  for (x = id; mem->root[x] == VISITING;) { /* also ends if, in dead code, x is computed from x */
    mem->root[x] = root;
    SrRef def = sr_def(mem->m, x);
    uint32_t base = def == SR_NONE ? 0 : base_of(mem->m, def);
    if (!base)
      break;
    x = base;
  }
  return root;
}

/* ---- cells ---- */

static uint32_t find_cell(const SrMemory *mem, uint32_t id) {
  while (mem->parent[id] != id) {
    mem->parent[id] = mem->parent[mem->parent[id]];
    id = mem->parent[id];
  }
  return id;
}

static bool is_cell(const SrModule *m, uint32_t root) {
  uint32_t storage = sr_pointer_class(m, root);
  if (storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate)
    return true;
  return storage == SpvStorageClassGeneric && sr_def_op(m, root) == SpvOpFunctionParameter;
}

static uint32_t cell_of_root(SrMemory *mem, uint32_t root) {
  if (!root || !is_cell(mem->m, root))
    return SR_NONE;
  if (mem->parent[root] == SR_NONE) {
    mem->parent[root] = root;
    if (sr_pointer_class(mem->m, root) == SpvStorageClassPrivate)
      mem->flags[root] |= PRIVATE;
  }
  return find_cell(mem, root);
}

static void join_cells(SrMemory *mem, uint32_t a, uint32_t b) {
  if (a == b)
    return;
  mem->parent[b] = a;
  mem->flags[a] |= mem->flags[b];
}

/* ---- what instructions do ---- */

static void note_write_anywhere(SrMemory *mem) {
  mem->anywhere = true;
  memset(mem->wrote, true, sizeof mem->wrote);
  memset(mem->wrote_unknown, true, sizeof mem->wrote_unknown);
}

static void note_write(SrMemory *mem, uint32_t pointer) {
  if (sr_pointer_class(mem->m, pointer) == SR_NONE) {
    note_write_anywhere(mem);
    return;
  }
  uint32_t root = find_root(mem, pointer), cell = cell_of_root(mem, root);
  uint32_t storage = sr_pointer_class(mem->m, pointer), k = class_index(storage);
  if (cell != SR_NONE) {
    mem->flags[cell] |= WRITTEN;
    return;
  }
  mem->wrote[k] = true;
  if (root && sr_is_variable(sr_def_op(mem->m, root)))
    mem->flags[root] |= WRITTEN;
  else
    mem->wrote_unknown[k] = true;
  if (storage == SpvStorageClassGeneric)
    mem->wrote[SpvStorageClassWorkgroup] = mem->wrote[SpvStorageClassCrossWorkgroup] =
        mem->wrote_unknown[SpvStorageClassWorkgroup] =
            mem->wrote_unknown[SpvStorageClassCrossWorkgroup] = true;
  if (k == CLASS_PHYSICAL)
    mem->wrote[SpvStorageClassStorageBuffer] = mem->wrote_unknown[SpvStorageClassStorageBuffer] =
        true;
  if (k == CLASS_PHYSICAL && mem->buffer_blocks)
    mem->wrote[SpvStorageClassUniform] = mem->wrote_unknown[SpvStorageClassUniform] = true;
}

/* Records that the analysis follows the pointer no further: it may be used in any way. */
static void note_escape(SrMemory *mem, uint32_t pointer) {
  if (!sr_may_be_pointer(mem->m, pointer))
    return;
  note_write(mem, pointer);
  uint32_t cell = cell_of_root(mem, find_root(mem, pointer));
  if (cell != SR_NONE)
    mem->flags[cell] |= ESCAPES;
}

static void note_argument(SrMemory *mem, uint32_t argument, uint32_t parameter) {
  if (!sr_may_be_pointer(mem->m, argument))
    return;
  uint32_t a = cell_of_root(mem, find_root(mem, argument)), p = cell_of_root(mem, parameter);
  if (a != SR_NONE && p != SR_NONE) {
    join_cells(mem, a, p);
    return;
  }
  if (a != SR_NONE || p != SR_NONE) {
    note_escape(mem, argument);
    note_escape(mem, parameter);
  }
}

static void note_call(SrMemory *mem, SrRef r) {
  const SrModule *m = mem->m;
  uint32_t callee = sr_words(m, r)[3], count = sr_word_count(m, r), i = 4;
  bool has_body = false;
  SrRef p = sr_def(m, callee);
  if (p != SR_NONE && sr_inst(m, p)->op == SpvOpFunction) {
    for (p = sr_inst(m, p)->next; p != SR_NONE; p = sr_inst(m, p)->next)
      if (sr_inst(m, p)->op == SpvOpFunctionParameter && i < count)
        note_argument(mem, sr_words(m, r)[i++], sr_inst(m, p)->result);
    has_body = true;
  }
  for (i = has_body ? i : 4; i < count; i++)
    note_escape(mem, sr_words(m, r)[i]);
}

/* Any word of an instruction that the grammar does not know may be the id of a pointer, or else a
 * literal. */
static void note_unknown(SrMemory *mem, SrRef r) {
  for (uint32_t i = 1; i < sr_word_count(mem->m, r); i++)
    if (sr_pointer_class(mem->m, sr_words(mem->m, r)[i]) != SR_NONE)
      note_escape(mem, sr_words(mem->m, r)[i]);
}

static void note(SrMemory *mem, SrRef r) {
  const SrModule *m = mem->m;
  if (sr_inst(m, r)->unknown) {
    note_unknown(mem, r);
    return;
  }
  if (sr_chain_base(m, r))
    return;
  switch (sr_inst(m, r)->op) {
  case SpvOpLoad:
  case SpvOpAtomicLoad:
  case SpvOpCooperativeMatrixLoadNV:
  case SR_OP_COOPERATIVE_MATRIX_LOAD:
  case SpvOpPtrCastToGeneric:
  case SpvOpGenericCastToPtr:
  case SpvOpCopyObject:
  case SpvOpArrayLength:
  case SR_OP_UNTYPED_ARRAY_LENGTH:
  case SpvOpLifetimeStart:
  case SpvOpLifetimeStop:
  case SpvOpPtrEqual:
  case SpvOpPtrNotEqual:
  case SpvOpPtrDiff:
  case SpvOpImageTexelPointer:
  case SpvOpVariable:
  case SR_OP_UNTYPED_VARIABLE:
    return;
  case SpvOpBitcast: /* to an integer: the analysis does not follow it */
    if (sr_pointer_class(m, sr_inst(m, r)->result) == SR_NONE)
      note_escape(mem, sr_words(m, r)[3]);
    return;
  case SpvOpStore:
    note_write(mem, sr_words(m, r)[1]);
    note_escape(mem, sr_words(m, r)[2]);
    return;
  case SpvOpCopyMemory:
  case SpvOpCopyMemorySized:
    note_escape(mem, sr_words(m, r)[1]);
    return;
  case SpvOpFunctionCall:
    note_call(mem, r);
    return;
  default:
    if (!sr_inst(m, r)->nonsemantic)
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
        if (sr_word_is_id(m, r, i))
          note_escape(mem, sr_words(m, r)[i]);
  }
}

/* ---- decorations ---- */

static void decorate(SrMemory *mem, uint32_t id, const uint32_t *words) {
  if (words[0] == SpvDecorationVolatile)
    mem->flags[id] |= VOLATILE;
  else if (words[0] == SpvDecorationAliased)
    mem->flags[id] |= ALIASED;
  else if (words[0] == SpvDecorationFlat)
    mem->flags[id] |= FLAT;
  else if (words[0] == SpvDecorationBuiltIn)
    mem->builtin[id] = words[1];
  else if (words[0] == SpvDecorationBufferBlock)
    mem->buffer_blocks = true;
}

static void read_decorations(SrMemory *mem) {
  const SrModule *m = mem->m;
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    uint16_t op = sr_inst(m, r)->op;
    if (op == SpvOpDecorate)
      decorate(mem, w[1], &w[2]);
    else if (op == SpvOpMemberDecorate && w[3] != SpvDecorationBuiltIn)
      decorate(mem, w[1], &w[3]);
    else if (op == SpvOpGroupDecorate)
      for (uint32_t i = 2; i < sr_word_count(m, r); i++) {
        mem->flags[w[i]] |= mem->flags[w[1]];
        if (mem->builtin[w[1]] != SR_NONE)
          mem->builtin[w[i]] = mem->builtin[w[1]];
      }
  }
}

/* The element type of an array, if that is defined before the array (in a module that was not
 * validated it need not be); 0 for other types. */
static uint32_t element_of(const SrModule *m, uint32_t type) {
  SrRef def = sr_def(m, type);
  uint32_t op = sr_def_op(m, type);
  if (op != SpvOpTypeArray && op != SpvOpTypeRuntimeArray)
    return 0;
  uint32_t element = sr_words(m, def)[2];
  return sr_def(m, element) < def ? element : 0;
}

/* Gives a variable the flags of its struct, or of the struct in its arrays. */
static void inherit_flags(SrMemory *mem, uint32_t variable) {
  const SrModule *m = mem->m;
  uint32_t type = sr_variable_type(m, sr_def(m, variable));
  if (!type)
    return;
  for (uint32_t element = type; element; element = element_of(m, element))
    type = element;
  mem->flags[variable] |= mem->flags[type] & (VOLATILE | ALIASED);
}

static void note_variable(SrMemory *mem, uint32_t variable) {
  inherit_flags(mem, variable);
  if (mem->flags[variable] & VOLATILE)
    mem->has_volatile[class_index(sr_pointer_class(mem->m, variable))] = true;
}

typedef struct Binding {
  uint64_t place;
  uint32_t variable;
} Binding;

static int by_place(const void *a, const void *b) {
  const Binding *x = a, *y = b;
  return x->place != y->place ? (x->place < y->place ? -1 : 1)
                              : (x->variable > y->variable) - (x->variable < y->variable);
}

/* Variables with the same descriptor are the same memory: a write to one is a write to all. */
static void share_bindings(SrMemory *mem) {
  const SrModule *m = mem->m;
  uint32_t bound = sr_bound(m), n = 0;
  SrArena scratch = sr_arena_new(mem->arena->heap);
  uint32_t *set = SR_NEW(&scratch, uint32_t, bound), *binding = SR_NEW(&scratch, uint32_t, bound);
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpDecorate && w[2] == SpvDecorationDescriptorSet)
      set[w[1]] = w[3];
    if (sr_inst(m, r)->op == SpvOpDecorate && w[2] == SpvDecorationBinding) {
      n += binding[w[1]] == 0;
      binding[w[1]] = w[3] + 1;
    }
  }
  Binding *at = SR_NEW(&scratch, Binding, n + 1);
  n = 0;
  for (uint32_t id = 0; id < bound; id++)
    if (binding[id])
      at[n++] = (Binding){(uint64_t)set[id] << 32 | (binding[id] - 1), id};
  sr_sort(&scratch, at, n, sizeof *at, by_place);
  for (uint32_t i = 0, end; i < n; i = end) {
    uint8_t all = 0;
    for (end = i; end < n && at[end].place == at[i].place; end++)
      all |= mem->flags[at[end].variable] & WRITTEN;
    for (uint32_t k = i; k < end; k++)
      mem->flags[at[k].variable] |= all;
  }
  sr_arena_free(&scratch);
}

/* ---- building and queries ---- */

SrMemory *sr_memory_build(SrArena *arena, const SrModule *m, const SrBits *open) {
  SrMemory *mem = SR_NEW(arena, SrMemory, 1);
  mem->arena = arena;
  mem->m = m;
  mem->root = sr_new_none(arena, sr_bound(m));
  mem->parent = sr_new_none(arena, sr_bound(m));
  mem->builtin = sr_new_none(arena, sr_bound(m));
  mem->flags = SR_NEW(arena, uint8_t, sr_bound(m));
  read_decorations(mem);
  for (SR_EACH(m, r, m->globals))
    if (sr_is_variable(sr_inst(m, r)->op))
      note_variable(mem, sr_inst(m, r)->result);
  for (uint32_t f = 0; f < m->function_count; f++) {
    const SrFunction *fn = &m->functions[f];
    if (sr_bit(open, f))
      for (SR_EACH(m, r, fn->head))
        if (sr_inst(m, r)->op == SpvOpFunctionParameter)
          note_escape(mem, sr_inst(m, r)->result);
    for (uint32_t b = 0; b < fn->block_count; b++)
      for (SR_EACH(m, r, fn->blocks[b].list))
        note(mem, r);
  }
  share_bindings(mem);
  for (uint32_t id = 1; id < sr_bound(m); id++)
    if (sr_pointer_class(m, id) != SR_NONE)
      cell_of_root(mem, find_root(mem, id));
  return mem;
}

uint32_t sr_memory_root(const SrMemory *mem, uint32_t pointer) {
  return mem->root[pointer] == UNVISITED ? 0 : mem->root[pointer];
}

uint32_t sr_memory_cell(const SrMemory *mem, uint32_t pointer) {
  uint32_t root = sr_memory_root(mem, pointer);
  if (root == 0 || mem->parent[root] == SR_NONE)
    return SR_NONE;
  return find_cell(mem, root);
}

bool sr_memory_escapes(const SrMemory *mem, uint32_t cell) {
  return mem->anywhere || mem->flags[cell] & ESCAPES;
}

bool sr_memory_changes_outside(const SrMemory *mem, uint32_t cell) {
  return (mem->flags[cell] & PRIVATE) && (mem->flags[cell] & WRITTEN);
}

/* May the builtin differ between lanes of a subgroup or, with `workgroup`, of a workgroup? */
static bool builtin_differs(uint32_t builtin, bool workgroup) {
  switch (builtin) {
  case SpvBuiltInNumWorkgroups:
  case SpvBuiltInWorkgroupSize:
  case SpvBuiltInWorkgroupId:
  case SpvBuiltInWorkDim:
  case SpvBuiltInGlobalSize:
  case SpvBuiltInEnqueuedWorkgroupSize:
  case SpvBuiltInGlobalOffset:
  case SpvBuiltInSubgroupMaxSize:
  case SpvBuiltInNumSubgroups:
  case SpvBuiltInNumEnqueuedSubgroups:
  case SpvBuiltInDeviceIndex:
    return false;
  case SpvBuiltInSubgroupSize: /* the last subgroup of an OpenCL workgroup may be smaller */
  case SpvBuiltInSubgroupId:
    return workgroup;
  default:
    return true;
  }
}

/* May a load from memory that other invocations share differ between lanes? Such memory keeps its
 * value if the module never writes it. */
static bool shared_differs(const SrMemory *mem, uint32_t root, uint32_t k) {
  if (root && sr_is_variable(sr_def_op(mem->m, root)) && !(mem->flags[root] & ALIASED))
    return (mem->flags[root] & WRITTEN) || mem->wrote_unknown[k];
  return mem->wrote[k];
}

bool sr_memory_load_differs(const SrMemory *mem, SrRef load, bool workgroup) {
  const SrModule *m = mem->m;
  const uint32_t *w = sr_words(m, load);
  uint32_t root = mem->root[w[3]] == UNVISITED ? 0 : mem->root[w[3]];
  bool is_volatile = sr_memory_has(m, load, SpvMemoryAccessVolatileMask);
  uint32_t storage = sr_pointer_class(m, w[3]);
  bool known = root && sr_is_variable(sr_def_op(m, root));
  if (is_volatile || (root && (mem->flags[root] & VOLATILE)) ||
      (!known && mem->has_volatile[class_index(storage)]))
    return true;
  switch (storage) {
  case SpvStorageClassPushConstant:
  case SpvStorageClassUniformConstant:
    return false;
  case SpvStorageClassInput:
    return !root || builtin_differs(mem->builtin[root], workgroup);
  case SpvStorageClassUniform:
  case SpvStorageClassStorageBuffer:
  case SpvStorageClassCrossWorkgroup:
  case SpvStorageClassWorkgroup:
    return shared_differs(mem, root, class_index(storage));
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
  case SpvStorageClassGeneric:
    return sr_memory_cell(mem, w[3]) == SR_NONE;
  default:
    return true;
  }
}

/* The variable of an input that is loaded; 0: it is something else. */
static uint32_t loaded_input(const SrMemory *mem, SrRef load) {
  uint32_t pointer = sr_words(mem->m, load)[3];
  return sr_pointer_class(mem->m, pointer) == SpvStorageClassInput ? sr_memory_root(mem, pointer)
                                                                   : 0;
}

uint32_t sr_memory_loaded_builtin(const SrMemory *mem, SrRef load) {
  uint32_t root = loaded_input(mem, load);
  return root ? mem->builtin[root] : SR_NONE;
}

bool sr_memory_loads_of_primitive(const SrMemory *mem, SrRef load) {
  uint32_t root = loaded_input(mem, load);
  if (!root)
    return false;
  switch (mem->builtin[root]) {
  case SpvBuiltInPrimitiveId:
  case SpvBuiltInFrontFacing:
  case SpvBuiltInLayer:
  case SpvBuiltInViewportIndex:
  case SpvBuiltInViewIndex:
    return true;
  default:
    return mem->flags[root] & FLAT;
  }
}
