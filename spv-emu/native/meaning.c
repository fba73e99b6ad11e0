/* SPDX-License-Identifier: Apache-2.0 */
/* meaning: see meaning.h. The table is a hash table with open addressing. */
#include "spv-emu/native/meaning.h"

#include "spv-emu/engine/step.h"
#include "spv-emu/memory/memory.h"
#include "spv-emu/subgroup/subgroup.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>

typedef struct Slot {
  EmuHandler *run;
  EmuMeaning meaning;
} Slot;

struct EmuMeanings {
  SrArena *arena;
  Slot *slots;
  uint32_t room, count;
};

static Slot *slot_of(const EmuMeanings *m, EmuHandler *run) {
  uint64_t hash = (uint64_t)(uintptr_t)run * 0x9e3779b97f4a7c15u;
  uint32_t at = (uint32_t)(hash >> 32) & (m->room - 1);
  while (m->slots[at].run && m->slots[at].run != run)
    at = (at + 1) & (m->room - 1);
  return &m->slots[at];
}

static void grow(EmuMeanings *m) {
  const EmuMeanings old = *m;
  m->room = old.room ? 2 * old.room : 4096;
  m->slots = SR_NEW(m->arena, Slot, m->room);
  for (uint32_t i = 0; i < old.room; i++)
    if (old.slots[i].run)
      *slot_of(m, old.slots[i].run) = old.slots[i];
}

/* The first meaning of a handler stays. */
static void add(EmuMeanings *m, EmuHandler *run, EmuMeaning meaning) {
  if (!run)
    return;
  if (2 * m->count >= m->room)
    grow(m);
  Slot *slot = slot_of(m, run);
  if (slot->run)
    return;
  *slot = (Slot){run, meaning};
  m->count++;
}

/* ---- the tables of an instruction set -------------------------------------------------------- */

/* Opcodes of arithmetic, conversion and comparison end below this, as do the numbers of the
 * extended instructions. */
enum { OPCODES = 512, STEPS = EMU_STEP_VECTOR_SELECT + 1 };

static void add_by_kind(EmuMeanings *m, const EmuIsa *isa, uint32_t op, EmuKind kind) {
  const EmuMeaning of = {.kind = (uint8_t)kind, .op = op};
  EmuMeaning alu = of, glsl = of, opencl = of;
  alu.family = EMU_FAMILY_ALU;
  glsl.family = EMU_FAMILY_GLSL;
  opencl.family = EMU_FAMILY_OPENCL;
  add(m, isa->alu((SpvOp)op, kind), alu);
  add(m, isa->glsl(op, kind), glsl);
  add(m, isa->opencl(op, kind), opencl);
  for (uint8_t to = 0; to < EMU_KINDS; to++) {
    EmuMeaning convert = of;
    convert.family = EMU_FAMILY_CONVERT;
    convert.to = to;
    add(m, isa->convert((SpvOp)op, kind, (EmuKind)to), convert);
  }
}

static void add_op(EmuMeanings *m, const EmuIsa *isa, uint32_t op) {
  for (uint32_t kind = 0; kind < EMU_KINDS; kind++)
    add_by_kind(m, isa, op, (EmuKind)kind);
}

/* The instructions that alu_fused.c fuses. */
static const uint32_t fused[] = {
#define WHOLE(name, ...) name,
#define REAL(name, ...) name,
#include "spv-emu/alu/alu_fused.def"
};
enum { FUSED = sizeof fused / sizeof *fused };

static void add_fused(EmuMeanings *m, const EmuIsa *isa, uint32_t op, EmuKind kind) {
  EmuMeaning of = {.kind = (uint8_t)kind, .op = op, .family = EMU_FAMILY_ALU_ON};
  add(m, isa->alu_on((SpvOp)op, kind), of);
  for (uint32_t i = 0; i < FUSED; i++) {
    of.then = fused[i];
    of.family = EMU_FAMILY_PRODUCTS;
    add(m, isa->products((SpvOp)op, (SpvOp)fused[i], kind), of);
    of.family = EMU_FAMILY_PAIR;
    for (uint32_t right = 0; right < 2; right++) {
      of.right = right;
      add(m, isa->pair((SpvOp)op, (SpvOp)fused[i], kind, right), of);
    }
    of.right = false;
  }
}

static void add_rows(EmuMeanings *m, const EmuIsa *isa) {
  for (uint8_t bytes = 1; bytes <= 8; bytes *= 2) {
    add(m, isa->move[bytes], (EmuMeaning){.family = EMU_FAMILY_MOVE, .bytes = bytes});
    add(m, isa->move_on[bytes], (EmuMeaning){.family = EMU_FAMILY_MOVE_ON, .bytes = bytes});
  }
  for (uint8_t kind = 0; kind < EMU_KINDS; kind++) {
    add(m, isa->index[kind], (EmuMeaning){.family = EMU_FAMILY_INDEX, .kind = kind});
    add(m, isa->index_address[kind], (EmuMeaning){.family = EMU_FAMILY_ADDRESS, .kind = kind});
  }
  add(m, emu_load, (EmuMeaning){.family = EMU_FAMILY_LOAD});
  add(m, emu_store, (EmuMeaning){.family = EMU_FAMILY_STORE});
}

static void add_lanes(EmuMeanings *m) {
  for (uint32_t op = SpvOpGroupNonUniformElect; op <= SpvOpGroupNonUniformQuadSwap; op++)
    for (uint8_t kind = 0; kind < EMU_KINDS; kind++)
      for (uint32_t group = 0; group <= SpvGroupOperationClusteredReduce; group++)
        add(m, emu_lanes_find((SpvOp)op, (EmuKind)kind, group),
            (EmuMeaning){.family = EMU_FAMILY_LANES, .kind = kind, .op = op, .then = group});
}

const EmuMeanings *emu_meanings(SrArena *arena, const EmuIsa *isa) {
  EmuMeanings *m = SR_NEW(arena, EmuMeanings, 1);
  m->arena = arena;
  add_rows(m, isa);
  add_lanes(m);
  for (uint32_t op = 1; op < OPCODES; op++)
    add_op(m, isa, op);
  for (uint32_t op = EMU_STEP_FIRST + 1; op < STEPS; op++)
    add_op(m, isa, op);
  for (uint32_t i = 0; i < FUSED; i++) {
    add_fused(m, isa, fused[i], EMU_U32);
    add_fused(m, isa, fused[i], EMU_F32);
  }
  return m;
}

EmuMeaning *emu_meaning(const EmuMeanings *m, EmuHandler *run) {
  return &slot_of(m, run)->meaning;
}
