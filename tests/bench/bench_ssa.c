/* SPDX-License-Identifier: Apache-2.0 */
/* bench_ssa: fills a graph with instructions, with at most eight values live across a block.
 *
 * Problem: SSA code that looks like a compiler's, in any graph, with few live values. Method: a
 * program over eight registers. Each block reads some, computes 2 to 4 values and writes some back.
 * The first JOINED registers get a phi where different values meet, like a variable that is
 * assigned on both sides. The other registers count as dead where different values meet, so a read
 * of one always names a value from a dominating block, without a phi: these are the values whose
 * dominance a structurizer can break. The value of a register at a block is an optimistic fixed
 * point: it starts as NOTHING, and may become a value, then a phi (or DEAD); phis stay once placed.
 * Phis that are not read are dropped at the end. */
#include "tests/bench/bench_graph.h"

#include "tests/equiv/gen/emit.h"

#include <stdlib.h>
#include <string.h>

enum { JOINED = 4, REGISTERS = 8 };
#define NOTHING UINT32_MAX    /* not reached yet */
#define DEAD (UINT32_MAX - 1) /* several values: must not be read */

/* By block: the value of each register on entry and exit, and which of them are phis here. */
typedef struct Held {
  uint32_t in[REGISTERS], out[REGISTERS];
  uint32_t phi; /* bit set */
  uint32_t written;
} Held;

static void find_preds(BenchFunction *f) {
  uint32_t edges = 0;
  for (uint32_t b = 0; b < f->count; b++)
    for (uint32_t s = 0; s < f->block[b].succ_count; s++)
      f->block[f->block[b].succ[s]].pred_count++;
  for (uint32_t b = 0; b < f->count; b++) {
    f->block[b].pred_first = edges;
    edges += f->block[b].pred_count;
    f->block[b].pred_count = 0;
  }
  f->pred = emit_resize(NULL, edges * sizeof *f->pred);
  for (uint32_t b = 0; b < f->count; b++)
    for (uint32_t s = 0; s < f->block[b].succ_count; s++) {
      BenchBlock *to = &f->block[f->block[b].succ[s]];
      f->pred[to->pred_first + to->pred_count++] = b;
    }
}

/* Numbers the instructions: 2 to 4 for each block. The results of the last two are written to two
 * registers, one of the first JOINED and one of the others. */
static void lay_out(BenchFunction *f, Held *held, Rng *rng) {
  f->values = BENCH_PARAMETERS;
  for (uint32_t b = 0; b < f->count; b++) {
    BenchBlock *block = &f->block[b];
    block->op_first = f->op_count;
    block->op_count = rng_range(rng, 2, 4);
    f->op_count += block->op_count;
    uint32_t first = f->values;
    f->values += block->op_count;
    if (block->succ_count == 2)
      block->test = f->values++;
    for (uint32_t r = 0; r < REGISTERS; r++)
      held[b].in[r] = held[b].out[r] = NOTHING;
    uint32_t joined = rng_below(rng, JOINED), other = rng_range(rng, JOINED, REGISTERS - 1);
    held[b].out[joined] = first + block->op_count - 1;
    held[b].out[other] = first + block->op_count - 2;
    held[b].written = 1u << joined | 1u << other;
  }
}

/* The value of register r at the start of block b, as far as it is known. */
static uint32_t meet(const BenchFunction *f, const Held *held, uint32_t b, uint32_t r) {
  const BenchBlock *block = &f->block[b];
  uint32_t value = NOTHING;
  if (b == 0)
    return r < BENCH_PARAMETERS ? r : DEAD;
  for (uint32_t p = 0; p < block->pred_count; p++) {
    uint32_t from = held[f->pred[block->pred_first + p]].out[r];
    if (value == NOTHING)
      value = from;
    else if (from != NOTHING && from != value)
      return DEAD;
  }
  return value;
}

static bool update(BenchFunction *f, Held *held, uint32_t b) {
  bool changed = false;
  for (uint32_t r = 0; r < REGISTERS; r++) {
    if (held[b].phi >> r & 1)
      continue;
    uint32_t value = meet(f, held, b, r);
    if (value == DEAD && r < JOINED) {
      held[b].phi |= 1u << r;
      value = f->values++;
    }
    if (value == held[b].in[r] || held[b].in[r] == DEAD)
      continue;
    held[b].in[r] = value;
    if (!(held[b].written >> r & 1))
      held[b].out[r] = value;
    changed = true;
  }
  return changed;
}

/* Sweeps until nothing changes; blocks are nearly in the order in which values flow. */
static void solve(BenchFunction *f, Held *held) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->count; b++)
      changed |= update(f, held, b);
  }
}

/* The value of a register, a value of this block, or a constant. */
static uint32_t draw_operand(const Held *held, uint32_t first, uint32_t done, Rng *rng) {
  uint32_t kind = rng_below(rng, 10), r = rng_below(rng, REGISTERS);
  if (kind < 2)
    return BENCH_CONSTANT | rng_below(rng, BENCH_CONSTANTS);
  if (kind < 5 && done > 0)
    return first + rng_below(rng, done);
  return held->in[r] != DEAD ? held->in[r] : held->in[r % JOINED];
}

static void compute(BenchFunction *f, const Held *held, Rng *rng) {
  uint32_t value = BENCH_PARAMETERS;
  f->op = emit_resize(NULL, f->op_count * sizeof *f->op);
  for (uint32_t b = 0; b < f->count; b++) {
    BenchBlock *block = &f->block[b];
    for (uint32_t k = 0; k < block->op_count; k++) {
      BenchOp *op = &f->op[block->op_first + k];
      op->kind = rng_below(rng, BENCH_AND + 1);
      op->value = value + k;
      op->a = draw_operand(&held[b], value, k, rng);
      op->b = draw_operand(&held[b], value, k, rng);
    }
    value += block->op_count;
    block->tested = value - 1;
    value += block->succ_count == 2;
  }
}

/* Which values are read, also through live phis. `at`: by value number less `first_phi`, a phi's
 * block * REGISTERS + register. */
static bool *find_live(const BenchFunction *f, const Held *held, const uint32_t *at,
                       uint32_t first_phi) {
  uint32_t phis = f->values - first_phi, depth = 0;
  bool *live = calloc(phis + 1u, sizeof *live);
  uint32_t *stack = emit_resize(NULL, (phis + 1u) * sizeof *stack);
  for (uint32_t k = 0; k < f->op_count; k++)
    for (int side = 0; side < 2; side++) {
      uint32_t v = (side ? f->op[k].b : f->op[k].a);
      if (v >= first_phi && !(v & BENCH_CONSTANT) && !live[v - first_phi]) {
        live[v - first_phi] = true;
        stack[depth++] = v - first_phi;
      }
    }
  while (depth > 0) {
    uint32_t phi = at[stack[--depth]];
    const BenchBlock *block = &f->block[phi / REGISTERS];
    for (uint32_t p = 0; p < block->pred_count; p++) {
      uint32_t v = held[f->pred[block->pred_first + p]].out[phi % REGISTERS];
      if (v >= first_phi && !live[v - first_phi]) {
        live[v - first_phi] = true;
        stack[depth++] = v - first_phi;
      }
    }
  }
  free(stack);
  return live;
}

static void write_phi(BenchFunction *f, const Held *held, uint32_t b, uint32_t r, uint32_t *args) {
  const BenchBlock *block = &f->block[b];
  f->phi[f->phi_count++] = (BenchPhi){held[b].in[r], *args};
  for (uint32_t p = 0; p < block->pred_count; p++)
    f->arg[(*args)++] = held[f->pred[block->pred_first + p]].out[r];
}

static void write_phis(BenchFunction *f, const Held *held, uint32_t first_phi) {
  uint32_t phis = f->values - first_phi, args = 0;
  uint32_t *at = emit_resize(NULL, phis * sizeof *at);
  size_t most = 0;
  for (uint32_t b = 0; b < f->count; b++)
    for (uint32_t r = 0; r < JOINED; r++)
      if (held[b].phi >> r & 1) {
        at[held[b].in[r] - first_phi] = b * REGISTERS + r;
        most += f->block[b].pred_count;
      }
  bool *live = find_live(f, held, at, first_phi);
  f->phi = emit_resize(NULL, phis * sizeof *f->phi);
  f->arg = emit_resize(NULL, most * sizeof *f->arg);
  for (uint32_t b = 0; b < f->count; b++) {
    f->block[b].phi_first = f->phi_count;
    for (uint32_t r = 0; r < JOINED; r++)
      if ((held[b].phi >> r & 1) && live[held[b].in[r] - first_phi])
        write_phi(f, held, b, r, &args);
    f->block[b].phi_count = f->phi_count - f->block[b].phi_first;
  }
  free(at);
  free(live);
}

void bench_fill(BenchFunction *f, Rng *rng) {
  Held *held = calloc(f->count, sizeof *held);
  if (!held)
    abort();
  find_preds(f);
  lay_out(f, held, rng);
  uint32_t first_phi = f->values;
  solve(f, held);
  compute(f, held, rng);
  write_phis(f, held, first_phi);
  free(held);
}
