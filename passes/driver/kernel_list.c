/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_list: see kernel_list.h. */
#include "passes/driver/kernel_list.h"

#include "passes/base/text.h"
#include "passes/transform/kernel/kernel_state.h"

static const spvreconv_argument_kind kinds[] = {
    [SR_PASS_BUFFER] = SPVRECONV_ARGUMENT_BUFFER,
    [SR_PASS_SAMPLED_IMAGE] = SPVRECONV_ARGUMENT_SAMPLED_IMAGE,
    [SR_PASS_STORAGE_IMAGE] = SPVRECONV_ARGUMENT_STORAGE_IMAGE,
    [SR_PASS_SAMPLER] = SPVRECONV_ARGUMENT_SAMPLER,
    [SR_PASS_LOCALS] = SPVRECONV_ARGUMENT_LOCAL,
    [SR_PASS_CONSTANT] = SPVRECONV_ARGUMENT_PUSH_CONSTANT,
    [SR_PASS_UNIFORM] = SPVRECONV_ARGUMENT_UNIFORM,
};

static spvreconv_argument_kind kind_of(const SrKernelArgument *a) {
  if (!a->is_address)
    return kinds[a->pass];
  return a->pass == SR_PASS_UNIFORM ? SPVRECONV_ARGUMENT_ADDRESS_UNIFORM
                                    : SPVRECONV_ARGUMENT_ADDRESS;
}

static spvreconv_argument argument(SrArena *arena, const SrKernel *k, const SrKernelArgument *a) {
  return (spvreconv_argument){.name = sr_text_copy(arena, a->name ? a->name : ""),
                              .kind = kind_of(a),
                              .set = a->set,
                              .binding = a->pass == SR_PASS_UNIFORM ? k->value_binding : a->binding,
                              .offset = a->offset,
                              .size = a->size,
                              .spec_id = a->spec_id,
                              .element_size = a->element_size};
}

static spvreconv_kernel kernel(SrArena *arena, const SrKernel *k) {
  spvreconv_argument *all = SR_NEW(arena, spvreconv_argument, k->argument.count);
  for (uint32_t i = 0; i < k->argument.count; i++)
    all[i] = argument(arena, k, &k->argument.at[i]);
  return (spvreconv_kernel){.name = sr_text_copy(arena, k->name),
                            .workgroup = {k->size[0], k->size[1], k->size[2]},
                            .push_constants =
                                k->value_pass == SR_PASS_CONSTANT ? k->value_bytes : 0,
                            .arguments = all,
                            .argument_count = k->argument.count,
                            .dimensions_spec_id = k->dimensions_spec_id};
}

void sr_kernel_list(spvreconv_result *result, const SrModule *m) {
  const SrKernelList *list = m->kernels;
  SrArena *arena = &result->arena;
  for (uint32_t i = 0; list && i < list->kernel_count; i++)
    SR_PUSH(arena, &result->kernels, kernel(arena, &list->kernel[i]));
  for (uint32_t i = 0; list && i < list->refused_count; i++)
    SR_PUSH(arena, &result->refusals,
            (spvreconv_refusal){sr_text_copy(arena, list->refused[i].kernel),
                                sr_text_copy(arena, list->refused[i].reason)});
  for (uint32_t i = 0; list && i < list->sampler_count; i++)
    SR_PUSH(arena, &result->samplers,
            (spvreconv_sampler){1, list->sampler[i].binding, list->sampler[i].mask});
}
