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
#include "passes/transform/kernel/kernel_argument.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_dead.h"
#include "passes/transform/kernel/kernel_element.h"
#include "passes/transform/kernel/kernel_finish.h"
#include "passes/transform/kernel/kernel_instruction.h"
#include "passes/transform/kernel/kernel_intern.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_range.h"
#include "passes/transform/kernel/kernel_reflection.h"
#include "passes/transform/kernel/kernel_variable.h"

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

/* Kernels have their callees' code now, so only they stay. */
static void drop_other_functions(SrKernels *k) {
  SrModule *m = k->m;
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[i];
    if (kernel_of(k, i))
      continue;
    for (SR_EACH(m, r, f->head))
      if (sr_inst(m, r)->result)
        m->def[sr_inst(m, r)->result] = SR_NONE;
    for (uint32_t b = 0; b < f->block_count; b++)
      sr_undefine_block(m, &f->blocks[b]);
    m->ids_gone = true;
    f->head = f->tail = (SrList){SR_NONE, SR_NONE};
    f->blocks = NULL;
    f->block_count = 0;
    f->moved = true;
  }
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

static void enter(SrKernels *k, SrKernel *kernel) {
  k->current = kernel;
  k->f = &k->m->functions[kernel->function];
}

static SrStatus read(SrKernels *k) {
  for (uint32_t i = 0; i < k->kernel.count; i++) {
    enter(k, &k->kernel.at[i]);
    SR_CHECK(sr_kernel_argument_read(k, k->current));
    SR_CHECK(sr_kernel_base_find(k));
  }
  return SR_OK;
}

static SrStatus write(SrKernels *k) {
  for (uint32_t i = 0; i < k->kernel.count; i++) {
    enter(k, &k->kernel.at[i]);
    sr_kernel_range_find(k);
    SR_CHECK(sr_kernel_variable_function(k));
    SrRef first = sr_first_ordinary(k->m, &k->f->blocks[0]);
    SR_CHECK(sr_kernel_argument_write(k, k->current));
    SR_CHECK(sr_kernel_instruction_all(k, first));
    sr_kernel_argument_drop(k);
    sr_kernel_dead_values(k);
    SR_CHECK(sr_kernel_instruction_check(k));
  }
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
  }
  for (uint32_t i = 0; i < k->sampler.count; i++)
    sampler[i] = k->sampler.at[i];
  m->kernels = SR_NEW(m->arena, SrKernelList, 1);
  *m->kernels = (SrKernelList){kernel, sampler, k->kernel.count, k->sampler.count};
}

static SrStatus convert(SrPassRun *r) {
  SrModule *m = r->m;
  SrKernels k = {.m = m,
                 .arena = r->arena,
                 .base_of = sr_ids_take(m),
                 .same = sr_ids_take(m),
                 .low = sr_ids_take(m),
                 .decorations = sr_decoration_place(m),
                 .next_spec_id = 3};
  bool *changed = SR_NEW(r->arena, bool, m->function_count);
  SrTransformCounts *counts = SR_NEW(r->arena, SrTransformCounts, m->function_count);
  /* A function may have pointers as parameters, which a shader's has not. */
  SR_CHECK(sr_inline_module(r->arena, m, r->options.max_growth, true, counts, changed));
  find_kernels(&k);
  drop_other_functions(&k);
  sr_kernel_intern_begin(&k);
  sr_kernel_layout_begin(&k);
  sr_kernel_finish_begin(&k);
  sr_kernel_base_variables(&k);
  read_names(&k);
  SR_CHECK(read(&k));
  sr_kernel_element_choose(&k);
  SR_CHECK(sr_kernel_variable_module(&k));
  SR_CHECK(write(&k));
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
