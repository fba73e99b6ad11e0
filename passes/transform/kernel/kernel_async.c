/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_async: see kernel_async.h.
 *
 *   event = copy to from n        for (i = number of the invocation; i < n; i += size)
 *                                   to[i] = from[i * stride]; */
#include "passes/transform/kernel/kernel_async.h"

#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_blocks.h"
#include "passes/transform/kernel/kernel_builtin.h"
#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_loop.h"
#include "passes/transform/kernel/kernel_rename.h"

typedef struct Async {
  SrKernels *k;
  SrKernelBlocks blocks;
} Async;

static bool is_event(const SrModule *m, uint32_t type) {
  return type && sr_def_op(m, type) == SpvOpTypeEvent;
}

static bool is_store_of_event(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->op == SpvOpStore && is_event(m, sr_kernel_type_of(m, sr_words(m, r)[2]));
}

static bool copies(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->op == SpvOpGroupAsyncCopy;
}

/* ---- the loop ---- */

static uint32_t load_builtin(SrEmit *e, SpvBuiltIn builtin, uint32_t type) {
  return sr_emit_load(e, type, sr_kernel_builtin_variable(e->k, builtin, type), false);
}

/* The number of invocations in a workgroup. */
static uint32_t size_of(SrEmit *e) {
  SrKernels *k = e->k;
  uint32_t u32 = sr_kernel_int(k, 32);
  uint32_t size = load_builtin(e, SpvBuiltInWorkgroupSize, sr_kernel_vector(k, u32, 3));
  uint32_t all = sr_emit_extract(e, u32, size, 0);
  for (uint32_t i = 1; i < 3; i++)
    all = sr_emit(e, SpvOpIMul, u32, SR_IDS(all, sr_emit_extract(e, u32, size, i)));
  return all;
}

/* Copies an element; the stride is that of the side that is not the workgroup's. */
static void copy_element(SrEmit *e, SrRef r, uint32_t index, uint32_t strided) {
  SrModule *m = e->k->m;
  const uint32_t to = sr_words(m, r)[4], from = sr_words(m, r)[5];
  bool gathers = sr_pointer_class(m, to) == SpvStorageClassWorkgroup;
  uint32_t type = sr_words(m, sr_def(m, sr_kernel_type_of(m, from)))[3];
  uint32_t value =
      sr_emit_load(e, type, sr_emit_element(e, from, gathers ? strided : index), false);
  sr_emit_store(e, sr_emit_element(e, to, gathers ? index : strided), value, false);
}

static void write_loop(Async *a, SrBlock *block, SrRef r) {
  SrKernels *k = a->k;
  uint32_t u32 = sr_kernel_int(k, 32);
  const uint32_t count = sr_words(k->m, r)[6], stride = sr_words(k->m, r)[7];
  SrKernelLoop l = sr_kernel_loop_begin(&a->blocks, block, r, u32);
  SrEmit e = {k, &l.before.list, SR_NONE, 0, 0};
  uint32_t first = load_builtin(&e, SpvBuiltInLocalInvocationIndex, u32), size = size_of(&e);
  uint32_t most = sr_emit_resized(&e, u32, count), step = sr_emit_resized(&e, u32, stride);
  e.list = &l.body.list;
  copy_element(&e, r, l.index, sr_emit(&e, SpvOpIMul, u32, SR_IDS(l.index, step)));
  sr_kernel_loop_end(&l, first, most, size);
}

/* ---- the walk ---- */

static void write_barrier(Async *a, SrBlock *block, SrRef r) {
  SrKernels *k = a->k;
  SrEmit e = {k, &block->list, r, 0, 0};
  uint32_t group = sr_kernel_u32(k, SpvScopeWorkgroup);
  uint32_t memory = SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask |
                    SpvMemorySemanticsCrossWorkgroupMemoryMask;
  sr_emit_void(&e, SpvOpControlBarrier, SR_IDS(group, group, sr_kernel_u32(k, memory)));
}

static SrStatus visit_block(void *user, SrBlock *block) {
  Async *a = user;
  SrModule *m = a->k->m;
  for (SR_EACH_SAFE(m, r, block->list)) {
    bool waits = sr_inst(m, r)->op == SpvOpGroupWaitEvents, loop = copies(m, r);
    if (!waits && !loop && !is_event(m, sr_inst(m, r)->type) && !is_store_of_event(m, r))
      continue;
    if (waits)
      write_barrier(a, block, r);
    if (loop)
      write_loop(a, block, r);
    sr_remove(m, &block->list, r); /* its type is still needed */
    SR_PUSH(a->k->arena, &a->k->replaced, r);
    if (loop)
      break;
  }
  return sr_check_bound(m);
}

static bool has_events(const SrModule *m) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpTypeEvent)
      return true;
  return false;
}

SrStatus sr_kernel_async(SrKernels *k) {
  Async a = {.k = k};
  if (!has_events(k->m))
    return SR_OK;
  a.blocks = sr_kernel_blocks_begin(k);
  SrStatus status = sr_kernel_blocks_visit(&a.blocks, &a, visit_block);
  sr_kernel_blocks_end(&a.blocks);
  sr_kernel_rename_forget(k);
  return status;
}
