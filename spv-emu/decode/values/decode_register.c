/* SPDX-License-Identifier: Apache-2.0 */
/* decode_register: the module's words, registers, and the instructions emitted on them: functions
 * of decode.h and decoder.h that do not depend on types. */
#include "passes/ir/parse.h"
#include "spv-emu/decode/values/decoder.h"

#include <assert.h>
#include <spirv-tools/libspirv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the module ------------------------------------------------------------------------------ */

SrModule *emu_module(const EmuDecode *d) {
  return d->m;
}
EmuProgram *emu_program(const EmuDecode *d) {
  return d->p;
}
SrArena *emu_arena(const EmuDecode *d) {
  return d->arena;
}
SrArena *emu_scratch(const EmuDecode *d) {
  return d->scratch;
}

uint32_t emu_operand_count(const EmuDecode *d, SrRef r) {
  return sr_word_count(d->m, r) - sr_inst(d->m, r)->first;
}

uint32_t emu_operand(const EmuDecode *d, SrRef r, uint32_t i) {
  uint32_t word = sr_inst(d->m, r)->first + i;
  return word < sr_word_count(d->m, r) ? sr_words(d->m, r)[word] : 0;
}

uint32_t emu_type_of(const EmuDecode *d, uint32_t id) {
  SrRef def = sr_def(d->m, id);
  return def == SR_NONE ? 0 : sr_inst(d->m, def)->type;
}

/* "OpIAdd %7: "; returns the length, at most 80. */
static size_t name_instruction(const SrModule *m, SrRef r, char *text, size_t size) {
  uint32_t id = sr_inst(m, r)->result;
  int used = id ? snprintf(text, size, "Op%.50s %%%u: ", spvOpcodeString(sr_inst(m, r)->op), id)
                : snprintf(text, size, "Op%.50s: ", spvOpcodeString(sr_inst(m, r)->op));
  return (size_t)used;
}

/* The instruction made for the operation of an OpSpecConstantOp is not part of the module, so
 * messages give the place of the OpSpecConstantOp. */
static SrRef as_read(const SrModule *m, SrRef r) {
  uint32_t id = r == SR_NONE ? 0 : sr_inst(m, r)->result;
  return id ? sr_def(m, id) : r;
}

bool emu_refuse(const EmuDecode *d, SrRef r, const char *format, ...) {
  if (d->m->diag->status != SR_OK)
    return false;
  char text[320];
  size_t used = 0;
  if (r != SR_NONE)
    used = name_instruction(d->m, r, text, sizeof text);
  va_list list;
  va_start(list, format);
  vsnprintf(text + used, sizeof text - used, format, list);
  va_end(list);
  SrWhere where = SR_NOWHERE;
  if (d->function)
    where.function = sr_function_name(d->m, d->scratch, d->function);
  if (d->block != SR_NONE)
    where.block = d->p->blocks.at[d->block].id;
  r = as_read(d->m, r);
  if (r != SR_NONE && SR_HEADER_WORDS + sr_inst(d->m, r)->at < d->m->input_words)
    where.word = SR_HEADER_WORDS + sr_inst(d->m, r)->at;
  SrStatus status = sr_fail(d->m->diag, SR_BAD_INPUT, where, "%s", text);
  return status == SR_OK;
}

/* Jumps as if memory had run out; the API's entry point reports the refusal (load.c). */
void emu_register_missing(const EmuDecode *d) {
  assert(!"a value without registers is used");
  if (!emu_refuse(d, SR_NONE,
                  "a value without registers is used, an error of spv-emu: please report it with "
                  "the module"))
    longjmp(d->arena->heap->out_of_memory, 1);
  abort();
}

/* ---- registers ------------------------------------------------------------------------------- */

uint32_t emu_register_new(EmuDecode *d, EmuKind kind, EmuRegisterUse use) {
  SR_PUSH(d->scratch, &d->registers,
          (EmuRegister){.kind = (uint8_t)kind,
                        .use = (uint8_t)use,
                        .value = use == EMU_REGISTER_UNUSED,
                        .block = SR_NONE});
  return d->registers.count - 1;
}

bool emu_fixed_room(EmuDecode *d, SrRef r, uint64_t bytes, uint64_t *place) {
  *place = d->fixed_bytes;
  d->fixed_bytes += bytes;
  if (d->fixed_bytes * d->p->width <= EMU_MAX_FILE)
    return true;
  d->fixed_bytes = *place;
  return emu_refuse(
      d, r, "a subgroup's variables take more than %u MB: make arrays or --subgroup-size smaller",
      EMU_MAX_FILE >> 20);
}

uint32_t emu_register_fixed(EmuDecode *d, EmuKind kind, uint64_t place) {
  uint32_t reg = sr_map_get(&d->fixed, (uint32_t)place);
  if (reg != SR_NONE)
    return reg;
  reg = emu_register_new(d, kind, EMU_REGISTER_FIXED);
  emu_register(d, reg)->row = (uint32_t)place;
  sr_map_set(&d->fixed, (uint32_t)place, reg);
  return reg;
}

uint32_t emu_bits(EmuDecode *d, EmuKind kind, uint64_t bits) {
  uint32_t *bucket = &d->constant_buckets[(bits ^ bits >> 32 ^ (uint64_t)kind * 0x9e3779b9) *
                                              0x9e3779b97f4a7c15u >>
                                          (64 - EMU_CONSTANT_BITS)];
  for (uint32_t c = *bucket; c != SR_NONE; c = d->constant_list.at[c].next)
    if (d->constant_list.at[c].bits == bits && d->constant_list.at[c].kind == kind)
      return d->constant_list.at[c].reg;
  uint64_t place = d->fixed_bytes; /* the limit is checked after everything has been placed */
  d->fixed_bytes += emu_kind_bytes(kind);
  uint32_t reg = emu_register_new(d, kind, EMU_REGISTER_FIXED);
  emu_register(d, reg)->row = (uint32_t)place;
  emu_register(d, reg)->block = d->constant_list.count;
  SR_PUSH(d->scratch, &d->constant_list, (EmuConstant){bits, reg, *bucket, (uint8_t)kind});
  *bucket = d->constant_list.count - 1;
  return reg;
}

uint32_t emu_temp(EmuDecode *d, EmuKind kind) {
  return emu_register_new(d, kind, EMU_REGISTER_UNUSED);
}

void emu_register_note_use(EmuDecode *d, uint32_t reg) {
  if (reg == EMU_NO_ROW)
    return;
  EmuRegister *e = emu_register(d, reg);
  if (e->use == EMU_REGISTER_UNUSED) {
    e->use = d->options->debug ? EMU_REGISTER_SHARED : EMU_REGISTER_LOCAL;
    e->block = d->block;
  } else if (e->use == EMU_REGISTER_LOCAL && e->block != d->block) {
    e->use = EMU_REGISTER_SHARED;
  }
}

void emu_set_value(EmuDecode *d, uint32_t id, const uint32_t *registers, uint32_t count) {
  uint32_t *copy = SR_NEW_RAW(d->scratch, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    copy[i] = registers[i];
  d->values[id] = (EmuValue){copy, count};
}

void emu_alias(EmuDecode *d, SrRef r, const uint32_t *registers, uint32_t count) {
  emu_set_value(d, sr_inst(d->m, r)->result, registers, count);
}

/* ---- instructions ---------------------------------------------------------------------------- */

uint32_t emu_list(EmuDecode *d, const uint32_t *registers, uint32_t count) {
  uint32_t first = d->p->rows.count;
  SR_RESERVE(d->arena, &d->p->rows, count);
  for (uint32_t i = 0; i < count; i++)
    d->p->rows.at[first + i] = registers[i];
  d->p->rows.count += count;
  return first;
}

static void emit(EmuDecode *d, const EmuEmitted *e) {
  emu_register_note_use(d, e->ins.d);
  emu_register_note_use(d, e->ins.a);
  emu_register_note_use(d, e->ins.b);
  emu_register_note_use(d, e->ins.c);
  for (uint32_t i = 0; i < e->count; i++)
    emu_register_note_use(d, d->p->rows.at[e->ins.list + i]);
  SR_PUSH(d->scratch, &d->emitted, *e);
}

void emu_emit_x(EmuDecode *d, EmuHandler *run, uint32_t to, uint32_t a, uint32_t b, uint32_t c,
                uint32_t x) {
  emit(d, &(EmuEmitted){.ins = {.run = run, .d = to, .a = a, .b = b, .c = c, .x = x}});
}

void emu_emit(EmuDecode *d, EmuHandler *run, uint32_t to, uint32_t a, uint32_t b, uint32_t c) {
  emu_emit_x(d, run, to, a, b, c, 0);
}

void emu_emit_masked(EmuDecode *d, const EmuIns *ins, uint32_t written, uint32_t count) {
  emit(d, &(EmuEmitted){.ins = *ins, .written = written, .count = count, .masked = true});
}
