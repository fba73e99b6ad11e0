/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_half: see kernel_half.h. */
#include "passes/transform/kernel/kernel_half.h"

#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_math.h"
#include "passes/transform/kernel/kernel_rename.h"

#include <spirv/unified1/OpenCL.std.h>

enum { PART = 4 /* components that are accessed together */ };

/* A call of one of the functions. */
typedef struct Half {
  SrEmit *e;
  uint32_t offset, pointer; /* in vectors; to halves */
  uint32_t data;            /* that is stored; 0: it loads */
  uint32_t type, count;     /* of the floats: their vector, its components */
  uint32_t stride;          /* halves from one vector to the next */
  const char *rounds;       /* in half.def */
} Half;

static bool is_half(uint32_t number, bool *loads, bool *aligned) {
  *loads = number == OpenCLstd_Vload_half || number == OpenCLstd_Vload_halfn ||
           number == OpenCLstd_Vloada_halfn;
  *aligned = number == OpenCLstd_Vloada_halfn || number == OpenCLstd_Vstorea_halfn ||
             number == OpenCLstd_Vstorea_halfn_r;
  return *loads || *aligned ||
         (number >= OpenCLstd_Vstore_half && number <= OpenCLstd_Vstore_halfn_r);
}

static const char *rounding(uint32_t number, uint32_t mode) {
  static const char *const by_mode[] = {"half_to_nearest", "half_to_zero", "half_upwards",
                                        "half_downwards"};
  bool chosen = number == OpenCLstd_Vstore_half_r || number == OpenCLstd_Vstore_halfn_r ||
                number == OpenCLstd_Vstorea_halfn_r;
  return by_mode[chosen && mode < 4 ? mode : 0];
}

/* The pointer to half number `more` of the vector. */
static uint32_t element(const Half *h, uint32_t halves, uint32_t more) {
  SrEmit *e = h->e;
  SrKernels *k = e->k;
  uint32_t type = sr_kernel_type_of(k->m, h->offset), index = h->offset;
  if (h->stride > 1)
    index = sr_emit(e, SpvOpIMul, type, SR_IDS(index, sr_kernel_constant(k, type, h->stride)));
  if (more)
    index = sr_emit(e, SpvOpIAdd, type, SR_IDS(index, sr_kernel_constant(k, type, more)));
  return sr_emit(e, SpvOpPtrAccessChain, sr_kernel_type_of(k->m, halves), SR_IDS(halves, index));
}

/* vload of `count` integers if `value` is 0, else vstore. */
static uint32_t access(const Half *h, uint32_t pointer, uint32_t value, uint32_t count) {
  SrEmit *e = h->e;
  SrKernels *k = e->k;
  SrModule *m = k->m;
  uint32_t u16 = sr_kernel_int(k, 16), zero = sr_kernel_null(k, sr_kernel_type_of(m, h->offset));
  if (count == 1 && value) {
    sr_emit_store(e, pointer, value, false);
    return 0;
  }
  if (count == 1)
    return sr_emit_load(e, u16, pointer, false);
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpExtInst, value ? sr_kernel_void(k) : sr_kernel_vector(k, u16, count), id);
  sr_put_id(m, k->opencl_set);
  sr_put_literal(m, value ? OpenCLstd_Vstoren : OpenCLstd_Vloadn);
  if (value)
    sr_put_id(m, value);
  sr_put_id(m, zero);
  sr_put_id(m, pointer);
  if (!value)
    sr_put_literal(m, count);
  sr_insert_before(m, e->list, e->before, sr_end(m));
  m->home[id] = e->home;
  return id;
}

static uint32_t load_part(const Half *h, uint32_t pointer, uint32_t count) {
  SrKernels *k = h->e->k;
  uint32_t words = sr_kernel_vector(k, sr_kernel_int(k, 32), count);
  uint32_t halves = access(h, pointer, 0, count);
  uint32_t wide = sr_emit(h->e, SpvOpUConvert, words, &halves, 1);
  return sr_kernel_math_call(sr_kernel_math_begin(h->e, count), "float_of_half", &wide, 1);
}

static void store_part(const Half *h, uint32_t pointer, uint32_t value, uint32_t count) {
  SrKernels *k = h->e->k;
  uint32_t halves = sr_kernel_vector(k, sr_kernel_int(k, 16), count);
  uint32_t wide = sr_kernel_math_call(sr_kernel_math_begin(h->e, count), h->rounds, &value, 1);
  (void)access(h, pointer, sr_emit(h->e, SpvOpUConvert, halves, &wide, 1), count);
}

/* `count` components of the data, beginning with `first`. */
static uint32_t part_of(const Half *h, uint32_t first, uint32_t count) {
  SrKernels *k = h->e->k;
  if (h->count <= PART)
    return h->data;
  return sr_emit_components(h->e, sr_kernel_vector(k, sr_kernel_scalar_of(k->m, h->type), count),
                            h->data, first);
}

static void write(Half *h, uint32_t result) {
  SrEmit *e = h->e;
  SrKernels *k = e->k;
  SpvStorageClass class = (SpvStorageClass)sr_pointer_class(k->m, h->pointer);
  uint32_t type = sr_kernel_pointer(k, class, sr_kernel_int(k, 16)), part[4], parts = 0;
  uint32_t halves = sr_emit(e, SpvOpBitcast, type, &h->pointer, 1);
  for (uint32_t i = 0; i < h->count; i += PART) {
    uint32_t count = h->count < PART ? h->count : PART, pointer = element(h, halves, i);
    if (h->data)
      store_part(h, pointer, part_of(h, i, count), count);
    else
      part[parts++] = load_part(h, pointer, count);
  }
  e->result = result;
  if (parts > 1)
    (void)sr_emit_last(e, SpvOpCompositeConstruct, h->type, part, parts);
  else if (parts)
    (void)sr_emit_is(e, part[0]);
}

static SrStatus visit(SrKernels *k, SrBlock *block, uint32_t home, SrRef r, bool *changed) {
  SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  bool loads, aligned;
  if (sr_inst(m, r)->op != SpvOpExtInst || w[3] != k->opencl_set ||
      !is_half(w[4], &loads, &aligned))
    return SR_OK;
  SrEmit e = {k, &block->list, r, home, 0};
  const uint32_t at = loads ? 5 : 6;
  Half h = {.e = &e,
            .offset = w[at],
            .pointer = w[at + 1],
            .data = loads ? 0 : sr_kernel_same(k, w[5]),
            .rounds = rounding(w[4], w[sr_word_count(m, r) - 1])};
  h.type = loads ? sr_inst(m, r)->type : sr_kernel_type_of(m, h.data);
  h.count = sr_kernel_components(m, h.type);
  h.stride = aligned && h.count == 3 ? 4 : h.count;
  if (sr_kernel_bits(m, h.type) != 32)
    return sr_kernel_refuse(k, r, "halves of floats of %u bits", sr_kernel_bits(m, h.type));
  write(&h, loads ? sr_inst(m, r)->result : 0);
  sr_kernel_rename_remove(k, &block->list, r);
  *changed = true;
  return sr_check_bound(m);
}

SrStatus sr_kernel_half(SrKernels *k) {
  bool changed = false;
  for (uint32_t b = 0; b < k->f->block_count; b++) {
    SrBlock *block = &k->f->blocks[b];
    for (SR_EACH_SAFE(k->m, r, block->list))
      SR_CHECK(visit(k, block, b, r, &changed));
  }
  if (changed)
    sr_kernel_rename(k);
  return SR_OK;
}
