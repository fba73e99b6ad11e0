/* SPDX-License-Identifier: Apache-2.0 */
/* effects: atomics and barriers between the stores of a block, and values decorated NonUniform. */
#include "tests/equiv/gen/body.h"

#include <spirv/unified1/spirv.h>

enum { ACQUIRE_RELEASE_UNIFORM = 0x48 };

static void store(Body *b) {
  uint32_t pointer = body_pick(b, b->now, KIND_U32_PTR);
  EMIT(&b->words, SpvOpStore, pointer, body_pick(b, b->now, KIND_U32));
}

static void barrier(Body *b) {
  World *w = b->w;
  EMIT(&b->words, SpvOpMemoryBarrier, world_constant(w, SpvScopeDevice),
       world_constant(w, ACQUIRE_RELEASE_UNIFORM));
}

static void atomic(Body *b) {
  World *w = b->w;
  uint32_t pointer = body_pick(b, b->now, KIND_U32_PTR), x = body_pick(b, b->now, KIND_U32);
  uint32_t id = emit_id(&w->m);
  EMIT(&b->words, SpvOpAtomicIAdd, w->t_u32, id, pointer, world_constant(w, SpvScopeDevice),
       w->small[0], x);
  body_add(b, KIND_U32, id);
}

static void nonuniform(Body *b) {
  World *w = b->w;
  uint32_t x = body_load(b, w->t_u32, body_pick(b, b->now, KIND_U32_PTR));
  world_decorate(w, x, SpvDecorationNonUniform);
  body_add(b, KIND_U32, x);
}

void body_effects(Body *b) {
  if (rng_percent(&b->w->rng, 50))
    return;
  store(b);
  if (rng_percent(&b->w->rng, 60))
    barrier(b);
  if (rng_percent(&b->w->rng, 60))
    atomic(b);
  if (rng_percent(&b->w->rng, 30))
    nonuniform(b);
  store(b);
}
