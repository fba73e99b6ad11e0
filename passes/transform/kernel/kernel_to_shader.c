/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_to_shader: see kernel_to_shader.h. The first round changes nothing: after it, every
 * function is known to be in SSA form. All kernels are read before the first is written, because
 * they share the variables of the module. */
#include "passes/transform/kernel/kernel_to_shader.h"

#include "passes/base/text.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/label.h"
#include "passes/transform/inline/inline.h"
#include "passes/transform/kernel/kernel_address.h"
#include "passes/transform/kernel/kernel_argument.h"
#include "passes/transform/kernel/kernel_async.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_copy.h"
#include "passes/transform/kernel/kernel_dead.h"
#include "passes/transform/kernel/kernel_element.h"
#include "passes/transform/kernel/kernel_finish.h"
#include "passes/transform/kernel/kernel_half.h"
#include "passes/transform/kernel/kernel_instruction.h"
#include "passes/transform/kernel/kernel_intern.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_promote.h"
#include "passes/transform/kernel/kernel_range.h"
#include "passes/transform/kernel/kernel_reflection.h"
#include "passes/transform/kernel/kernel_rename.h"
#include "passes/transform/kernel/kernel_several.h"
#include "passes/transform/kernel/kernel_variable.h"
#include "passes/transform/kernel/kernel_whole.h"
#include "passes/transform/kernel/kernel_wide.h"

#include <string.h>

/* ---- kernels ---- */

static bool is_kernel(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->op == SpvOpEntryPoint && sr_words(m, r)[1] == SpvExecutionModelKernel;
}

bool sr_kernel_to_shader_applies(const SrModule *m) {
  for (SR_EACH(m, r, m->globals))
    if (is_kernel(m, r))
      return true;
  return false;
}

static uint32_t function_of(const SrModule *m, uint32_t id) {
  uint32_t i = 0;
  while (m->functions[i].id != id)
    i++;
  return i;
}

static SrKernel *kernel_of(SrKernels *k, uint32_t function) {
  for (uint32_t i = 0; i < k->kernel.count; i++)
    if (k->kernel.at[i].function == function)
      return &k->kernel.at[i];
  return NULL;
}

static void read_mode(SrKernels *k, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  SrKernel *kernel =
      w[2] == SpvExecutionModeLocalSize ? kernel_of(k, function_of(k->m, w[1])) : NULL;
  for (uint32_t i = 0; kernel && i < 3; i++)
    kernel->size[i] = w[3 + i];
}

static void find_kernels(SrKernels *k) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, m->globals))
    if (is_kernel(m, r))
      SR_PUSH(k->arena, &k->kernel,
              (SrKernel){.function = function_of(m, sr_words(m, r)[2]),
                         .entry = r,
                         .name = sr_text_copy(m->arena, (const char *)&sr_words(m, r)[3])});
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpExecutionMode)
      read_mode(k, r);
}

static void drop_function(SrKernels *k, SrFunction *f) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, f->head))
    if (sr_inst(m, r)->result)
      m->def[sr_inst(m, r)->result] = SR_NONE;
  for (uint32_t b = 0; b < f->block_count; b++)
    sr_undefine_block(m, &f->blocks[b]);
  m->ids_gone = true;
  f->moved = f->block_count != 0; /* a declaration does not count as a function of the input */
  f->head = f->tail = (SrList){SR_NONE, SR_NONE};
  f->blocks = NULL;
  f->block_count = 0;
}

/* Kernels have their callees' code now, so only they stay. */
static void drop_other_functions(SrKernels *k) {
  for (uint32_t i = 0; i < k->m->function_count; i++)
    if (!kernel_of(k, i))
      drop_function(k, &k->m->functions[i]);
}

/* The steps rely on these sizes; the input may not have been validated. */
static SrStatus check_vectors(const SrModule *m) {
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpTypeVector &&
        (w[3] < 2 || w[3] > 16 || (w[3] > 4 && w[3] % 8 != 0)))
      return sr_fail(m->diag, SR_BAD_INPUT, SR_NOWHERE,
                     "%%%u is a vector of %u components: SPIR-V knows 2, 3, 4, 8 and 16", w[1],
                     w[3]);
  }
  return SR_OK;
}

/* Names of parameters, copied out of the pool, which grows. */
static void read_names(SrKernels *k) {
  SrModule *m = k->m;
  const char **names = sr_label_names(k->arena, m);
  k->name_count = sr_bound(m);
  k->names = SR_NEW(k->arena, const char *, k->name_count);
  for (uint32_t i = 0; i < k->kernel.count; i++)
    for (SR_EACH(m, r, m->functions[k->kernel.at[i].function].head)) {
      uint32_t id = sr_inst(m, r)->result;
      if (sr_inst(m, r)->op == SpvOpFunctionParameter && names[id])
        k->names[id] = sr_text_copy(m->arena, names[id]);
    }
}

/* ---- the steps ---- */

/* A kernel that cannot be converted is left out: its function, and its entry point. */
static void leave_out(SrKernels *k) {
  SR_PUSH(k->arena, &k->refused, (SrKernelRefusal){k->current->name, k->refusal});
  k->current->refused = true;
  k->refusal = NULL;
  k->joined.count = k->pending.count = 0;
  sr_kernel_rename_forget(k);
  drop_function(k, k->f);
  sr_remove(k->m, &k->m->globals, k->current->entry);
}

/* Takes a step for each kernel that none has refused. */
static SrStatus each(SrKernels *k, SrStatus (*step)(SrKernels *k)) {
  for (uint32_t i = 0; i < k->kernel.count; i++) {
    k->current = &k->kernel.at[i];
    k->f = &k->m->functions[k->current->function];
    if (k->current->refused)
      continue;
    SrStatus status = step(k);
    if (k->refusal)
      leave_out(k);
    else
      SR_CHECK(status);
  }
  return SR_OK;
}

/* The kernels that are left; fails if there are none. */
static SrStatus keep_kernels(SrKernels *k) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < k->kernel.count; i++)
    if (!k->kernel.at[i].refused)
      k->kernel.at[count++] = k->kernel.at[i];
  k->kernel.count = count;
  if (count)
    return SR_OK;
  for (uint32_t i = 1; i < k->refused.count; i++)
    sr_notice(k->m->diag, SR_NOWHERE, "%s", k->refused.at[i].reason);
  return sr_fail(k->m->diag, SR_BAD_INPUT, SR_NOWHERE, "%s", k->refused.at[0].reason);
}

/* What the other steps need not know of: these change the kernel itself. */
static SrStatus simplify(SrKernels *k) {
  sr_kernel_dead_values(k); /* such as copies of undefined pointers, which inlining leaves */
  SR_CHECK(sr_kernel_promote(k));
  SR_CHECK(sr_kernel_async(k));
  SR_CHECK(sr_kernel_copy(k));
  SR_CHECK(sr_kernel_half(k));
  SR_CHECK(sr_kernel_whole(k));
  SR_CHECK(sr_kernel_address(k));
  SR_CHECK(sr_kernel_several(k));
  return sr_kernel_wide(k);
}

static SrStatus read(SrKernels *k) {
  SR_CHECK(sr_kernel_argument_read(k, k->current));
  return sr_kernel_base_find(k);
}

static SrStatus write(SrKernels *k) {
  sr_kernel_range_find(k);
  SR_CHECK(sr_kernel_variable_function(k));
  SrRef first = sr_first_ordinary(k->m, &k->f->blocks[0]);
  SR_CHECK(sr_kernel_argument_write(k, k->current));
  SR_CHECK(sr_kernel_instruction_all(k, first));
  sr_kernel_argument_drop(k);
  sr_kernel_dead_values(k);
  return SR_OK;
}

/* Copies of what the library says about kernels; they live as long as the module. */
static void keep_list(const SrKernels *k) {
  SrModule *m = k->m;
  SrKernel *kernel = SR_NEW(m->arena, SrKernel, k->kernel.count);
  SrKernelSampler *sampler = SR_NEW(m->arena, SrKernelSampler, k->sampler.count);
  for (uint32_t i = 0; i < k->kernel.count; i++) {
    const uint32_t count = k->kernel.at[i].argument.count;
    SrKernelArgument *argument = SR_NEW(m->arena, SrKernelArgument, count);
    for (uint32_t j = 0; j < count; j++)
      argument[j] = k->kernel.at[i].argument.at[j];
    kernel[i] = k->kernel.at[i];
    kernel[i].argument.at = argument;
    kernel[i].dimensions_spec_id = kernel[i].asks_dimensions ? k->dimensions_spec_id : 0;
  }
  for (uint32_t i = 0; i < k->sampler.count; i++)
    sampler[i] = k->sampler.at[i];
  SrKernelRefusal *refused = SR_NEW(m->arena, SrKernelRefusal, k->refused.count);
  for (uint32_t i = 0; i < k->refused.count; i++)
    refused[i] = k->refused.at[i];
  m->kernels = SR_NEW(m->arena, SrKernelList, 1);
  *m->kernels =
      (SrKernelList){kernel, sampler, refused, k->kernel.count, k->sampler.count, k->refused.count};
}

static SrStatus convert(SrPassRun *r) {
  SrModule *m = r->m;
  SrKernels k = {.m = m,
                 .arena = r->arena,
                 .base_of = sr_ids_take(m),
                 .same = sr_ids_take(m),
                 .low = sr_ids_take(m),
                 .decorations = sr_decoration_place(m),
                 .next_spec_id = 3,
                 .address = sr_ids_take(m),
                 .addresses = r->argument && strcmp(r->argument, "native") != 0,
                 .native = r->argument && strcmp(r->argument, "address") != 0};
  bool *changed = SR_NEW(r->arena, bool, m->function_count);
  SrTransformCounts *counts = SR_NEW(r->arena, SrTransformCounts, m->function_count);
  SR_CHECK(check_vectors(m));
  /* A function may have pointers as parameters, which a shader's has not. */
  SR_CHECK(sr_inline_module(r->arena, m, r->options.needed_growth, true, counts, changed));
  find_kernels(&k);
  drop_other_functions(&k);
  sr_kernel_intern_begin(&k);
  sr_kernel_layout_begin(&k);
  sr_kernel_finish_begin(&k);
  SR_CHECK(each(&k, simplify));
  sr_kernel_layout_begin(&k); /* again: there may be new types */
  sr_kernel_base_variables(&k);
  read_names(&k);
  SR_CHECK(each(&k, read));
  sr_kernel_element_choose(&k);
  sr_kernel_variable_module(&k);
  SR_CHECK(each(&k, write));
  SR_CHECK(keep_kernels(&k));
  sr_kernel_reflection_write(&k);
  sr_kernel_finish_end(&k);
  keep_list(&k);
  return sr_check_bound(m);
}

SrStatus sr_kernel_to_shader(SrPassRun *r, SrFunction *f, bool *changed) {
  if (r->round == 0) {
    r->again = true;
    return SR_OK;
  }
  if (!r->kept) {
    r->kept = r->m;
    SR_CHECK(convert(r));
  }
  *changed = f->block_count != 0; /* the first one may have been dropped */
  return SR_OK;
}
