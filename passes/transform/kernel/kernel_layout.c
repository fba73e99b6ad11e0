/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_layout: see kernel_layout.h. */
#include "passes/transform/kernel/kernel_layout.h"

#include "passes/ir/decorations.h"
#include "passes/ir/integer.h"

typedef struct Measure {
  uint32_t size, align;
} Measure;

struct SrKernelLayout {
  Measure *of; /* by id of a type */
  uint32_t room;
};

static uint64_t round_up(uint64_t size, uint32_t align) {
  return (size + align - 1) / align * align;
}

/* 0: 4 GiB or more */
static uint32_t limited(uint64_t size) {
  return size > UINT32_MAX ? 0 : (uint32_t)size;
}

static Measure measure_struct(SrKernels *k, SrRef r) {
  SrModule *m = k->m;
  bool packed = sr_is_decorated(m, sr_inst(m, r)->result, SpvDecorationCPacked);
  uint64_t size = 0;
  uint32_t align = 1;
  for (uint32_t i = 2; i < sr_word_count(m, r); i++) {
    Measure member = k->layout->of[sr_words(m, r)[i]];
    if (!member.size)
      return (Measure){0};
    member.align = packed ? 1 : member.align;
    align = align > member.align ? align : member.align;
    size = round_up(size, member.align) + member.size;
  }
  return (Measure){limited(round_up(size, align)), align};
}

static Measure measure(SrKernels *k, SrRef r) {
  SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  const Measure *of = k->layout->of;
  SrInteger length;
  uint32_t bytes;
  switch (sr_inst(m, r)->op) {
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
    return (Measure){w[2] / 8, w[2] / 8};
  case SpvOpTypeVector:
    bytes = of[w[2]].size * (w[3] == 3 ? 4 : w[3]);
    return (Measure){bytes, bytes};
  case SpvOpTypeArray:
    if (!sr_integer_constant(m, w[3], &length) || length.bits > UINT32_MAX)
      return (Measure){0};
    return (Measure){limited(of[w[2]].size * length.bits), of[w[2]].align};
  case SpvOpTypePointer:
  case SpvOpTypeEvent:
    return (Measure){8, 8};
  case SpvOpTypeStruct:
    return measure_struct(k, r);
  default:
    return (Measure){0};
  }
}

void sr_kernel_layout_begin(SrKernels *k) {
  SrModule *m = k->m;
  k->layout = SR_NEW(k->arena, struct SrKernelLayout, 1);
  k->layout->room = sr_bound(m);
  k->layout->of = SR_NEW(k->arena, Measure, k->layout->room);
  for (SR_EACH(m, r, m->globals)) /* before structs with pointers to themselves */
    if (sr_inst(m, r)->op == SpvOpTypePointer)
      k->layout->of[sr_inst(m, r)->result] = measure(k, r);
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->result)
      k->layout->of[sr_inst(m, r)->result] = measure(k, r);
}

uint32_t sr_kernel_size_of(const SrKernels *k, uint32_t type) {
  if (type < k->layout->room)
    return k->layout->of[type].size;
  return 0;
}

uint32_t sr_kernel_align_of(const SrKernels *k, uint32_t type) {
  uint32_t align = type < k->layout->room ? k->layout->of[type].align : 0;
  return align ? align : 1;
}

uint64_t sr_kernel_member_offset(const SrKernels *k, uint32_t type, uint32_t member) {
  SrModule *m = k->m;
  const uint32_t *w = sr_words(m, sr_def(m, type));
  bool packed = sr_is_decorated(m, type, SpvDecorationCPacked);
  uint64_t at = 0;
  for (uint32_t i = 0;; i++) {
    at = round_up(at, packed ? 1 : sr_kernel_align_of(k, w[2 + i]));
    if (i == member)
      return at;
    at += sr_kernel_size_of(k, w[2 + i]);
  }
}
