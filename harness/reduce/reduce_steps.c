/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_steps: see reduce_steps.h. */
#include "harness/reduce/reduce_steps.h"

#include "passes/ir/finish.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"
#include "passes/transform/strip_debug.h"

#include <stdlib.h>
#include <string.h>

/* What is to be done with a module, and what comes of it. */
typedef struct Task {
  enum { PREPARE, COUNT, APPLY, MEASURE } what;
  SrReduceKind kind;
  const SrReduceRules *rules;
  uint32_t first, count;
  bool initialize;
  uint32_t number; /* COUNT, MEASURE */
  HnModule module; /* PREPARE, APPLY; malloc'd */
} Task;

static uint64_t words_of(const SrModule *m) {
  uint64_t words = 0;
  for (uint32_t i = 0; i < m->function_count; i++)
    words += sr_count_words(m, &m->functions[i]);
  return words;
}

static void keep_words(SrModule *m, Task *task) {
  size_t count;
  if (sr_finish(m) != SR_OK)
    return;
  const uint32_t *words = sr_write(m, m->arena, &count);
  uint32_t *kept = malloc(count * sizeof *kept);
  if (!kept)
    return;
  memcpy(kept, words, count * sizeof *kept);
  task->module = (HnModule){kept, count};
}

static void prepare(SrModule *m, Task *task) {
  static const SrReduceRules rules = {false};
  (void)sr_strip_debug(m, m->arena);
  if (task->initialize)
    sr_reduce_initialize(m);
  sr_reduce_apply(m, SR_REDUCE_BODY, &rules, 0, 0);
  keep_words(m, task);
}

static void apply(SrModule *m, Task *task) {
  uint64_t before = words_of(m);
  sr_reduce_apply(m, task->kind, task->rules, task->first, task->count);
  if (words_of(m) < before)
    keep_words(m, task);
}

static uint32_t measure(const SrModule *m) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      count += sr_count_instructions(m, &m->functions[i].blocks[b]);
  return count;
}

static void work(SrModule *m, Task *task) {
  switch (task->what) {
  case PREPARE:
    prepare(m, task);
    break;
  case COUNT:
    task->number = sr_reduce_count(m, task->kind, task->rules);
    break;
  case APPLY:
    apply(m, task);
    break;
  case MEASURE:
    task->number = measure(m);
    break;
  }
}

static void run_task(HnModule module, Task *task) {
  SrHeap heap = {0};
  SrDiag diag = {0};
  SrModule *m;
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory) == 0) {
    SrArena arena = sr_arena_new(&heap);
    if (sr_read(&arena, &diag, module.words, module.count, &m) == SR_OK)
      work(m, task);
  }
  sr_heap_free_all(&heap);
}

HnModule hn_reduce_prepared(HnModule module, bool initialize) {
  Task task = {.what = PREPARE, .initialize = initialize};
  run_task(module, &task);
  return task.module;
}

uint32_t hn_reduce_steps(HnModule module, SrReduceKind kind, const SrReduceRules *rules) {
  Task task = {.what = COUNT, .kind = kind, .rules = rules};
  run_task(module, &task);
  return task.number;
}

HnModule hn_reduce_after(HnModule module, SrReduceKind kind, const SrReduceRules *rules,
                         uint32_t first, uint32_t count) {
  Task task = {.what = APPLY, .kind = kind, .rules = rules, .first = first, .count = count};
  run_task(module, &task);
  return task.module;
}

uint32_t hn_reduce_size(HnModule module) {
  Task task = {.what = MEASURE};
  run_task(module, &task);
  return task.number;
}
