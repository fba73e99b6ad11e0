/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_reflection: see kernel_reflection.h. The instructions come after the functions, since they
 * name these. */
#include "passes/transform/kernel/kernel_reflection.h"

#include "passes/ir/edit.h"
#include "passes/transform/kernel/kernel_finish.h"
#include "passes/transform/kernel/kernel_intern.h"

#include <spirv/unified1/NonSemanticClspvReflection.h>

static const char SET[] = "NonSemantic.ClspvReflection.5";

typedef struct Reflect {
  SrKernels *k;
  uint32_t set, type; /* void */
} Reflect;

/* An instruction whose operands are ids. */
static uint32_t put(Reflect *t, uint32_t number, const uint32_t *ids, uint32_t count) {
  SrModule *m = t->k->m;
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpExtInst, t->type, id);
  SR_LAST(&m->inst).nonsemantic = true;
  sr_put_id(m, t->set);
  sr_put_literal(m, number);
  for (uint32_t i = 0; i < count; i++)
    sr_put_id(m, ids[i]);
  sr_append(m, &m->tail, sr_end(m));
  return id;
}

/* The same where the operands after `first` (0: none) are numbers. */
static uint32_t put_numbers(Reflect *t, uint32_t number, uint32_t first, const uint32_t *numbers,
                            uint32_t count, uint32_t last) {
  uint32_t ids[8], n = 0;
  if (first)
    ids[n++] = first;
  for (uint32_t i = 0; i < count; i++)
    ids[n++] = sr_kernel_u32(t->k, numbers[i]);
  if (last)
    ids[n++] = last;
  return put(t, number, ids, n);
}

static uint32_t put_info(Reflect *t, const SrKernelArgument *a) {
  if (!a->name)
    return 0;
  uint32_t name = sr_kernel_finish_string(t->k, a->name);
  return put(t, NonSemanticClspvReflectionArgumentInfo, &name, 1);
}

static void put_argument(Reflect *t, const SrKernel *kernel, uint32_t id,
                         const SrKernelArgument *a) {
  uint32_t info = put_info(t, a);
  const uint32_t descriptor[] = {a->number, a->set, a->binding};
  switch (a->pass) {
  case SR_PASS_BUFFER:
    put_numbers(t, NonSemanticClspvReflectionArgumentStorageBuffer, id, descriptor, 3, info);
    break;
  case SR_PASS_SAMPLED_IMAGE:
    put_numbers(t, NonSemanticClspvReflectionArgumentSampledImage, id, descriptor, 3, info);
    break;
  case SR_PASS_STORAGE_IMAGE:
    put_numbers(t, NonSemanticClspvReflectionArgumentStorageImage, id, descriptor, 3, info);
    break;
  case SR_PASS_SAMPLER:
    put_numbers(t, NonSemanticClspvReflectionArgumentSampler, id, descriptor, 3, info);
    break;
  case SR_PASS_LOCALS:
    put_numbers(t, NonSemanticClspvReflectionArgumentWorkgroup, id,
                (const uint32_t[]){a->number, a->spec_id, a->element_size}, 3, info);
    break;
  case SR_PASS_CONSTANT:
    put_numbers(t,
                a->is_address ? NonSemanticClspvReflectionArgumentPointerPushConstant
                              : NonSemanticClspvReflectionArgumentPodPushConstant,
                id, (const uint32_t[]){a->number, a->offset, a->size}, 3, info);
    break;
  case SR_PASS_UNIFORM:
    put_numbers(t,
                a->is_address ? NonSemanticClspvReflectionArgumentPointerUniform
                              : NonSemanticClspvReflectionArgumentPodUniform,
                id, (const uint32_t[]){a->number, 0, kernel->value_binding, a->offset, a->size}, 5,
                info);
    break;
  }
}

static void put_kernel(Reflect *t, const SrKernel *kernel) {
  SrKernels *k = t->k;
  uint32_t function = k->m->functions[kernel->function].id;
  uint32_t name = sr_kernel_finish_string(k, kernel->name);
  uint32_t id = put(t, NonSemanticClspvReflectionKernel,
                    (const uint32_t[]){function, name, sr_kernel_u32(k, kernel->argument.count),
                                       sr_kernel_u32(k, 0), sr_kernel_finish_string(k, "")},
                    5);
  for (uint32_t i = 0; i < kernel->argument.count; i++)
    put_argument(t, kernel, id, &kernel->argument.at[i]);
  if (kernel->size[0])
    put_numbers(t, NonSemanticClspvReflectionPropertyRequiredWorkgroupSize, id, kernel->size, 3, 0);
}

void sr_kernel_reflection_write(SrKernels *k) {
  Reflect t = {k, sr_kernel_finish_import(k, SET), sr_kernel_void(k)};
  for (uint32_t i = 0; i < k->kernel.count; i++)
    put_kernel(&t, &k->kernel.at[i]);
  if (k->size_vector)
    put_numbers(&t, NonSemanticClspvReflectionSpecConstantWorkgroupSize, 0,
                (const uint32_t[]){0, 1, 2}, 3, 0);
  if (k->dimensions)
    put_numbers(&t, NonSemanticClspvReflectionSpecConstantWorkDim, 0, &k->dimensions_spec_id, 1, 0);
  for (uint32_t i = 0; i < k->sampler.count; i++)
    put_numbers(&t, NonSemanticClspvReflectionLiteralSampler, 0,
                (const uint32_t[]){1, k->sampler.at[i].binding, k->sampler.at[i].mask}, 3, 0);
}
