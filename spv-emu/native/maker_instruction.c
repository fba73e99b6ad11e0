/* SPDX-License-Identifier: Apache-2.0 */
/* maker_instruction: the part of maker.h that names the rows of an instruction, and computes it by
 * code of lower.h, by that of maker_access.c or maker_lanes.c, or by its handler. */
#include "spv-emu/native/lower.h"
#include "spv-emu/native/maker.h"

static uint32_t operand_row(const EmuMaker *m, const EmuIns *i, uint32_t at) {
  const uint32_t rows[3] = {i->a, i->b, i->c};
  return at < 3 ? rows[at] : m->p->rows.at[i->list];
}

static void name_list(EmuMaker *m, const EmuIns *i, bool written) {
  const EmuAccess *access = &m->p->accesses.at[i->x];
  for (uint32_t n = 0; n < access->leaf_count; n++) {
    EmuKind kind = (EmuKind)m->p->leaves.at[access->leaf + n].kind;
    emu_maker_name_row(m, m->p->rows.at[i->list + n], emu_kind_bytes(kind), written);
  }
}

void emu_maker_name(EmuMaker *m, const EmuIns *i) {
  EmuMeaning *what = emu_meaning(m->u->meanings, i->run);
  if (emu_lower_covers(m->b, what)) {
    for (uint32_t at = 0; at < emu_lower_operands(what, i); at++)
      if (operand_row(m, i, at) != EMU_NO_ROW)
        emu_maker_name_row(m, operand_row(m, i, at), emu_lower_bytes(what, at), false);
    emu_maker_name_row(m, i->d, what->result, true);
  } else if (emu_maker_crosses(m->u, i)) {
    emu_maker_name_crossing(m, what, i);
  } else if (emu_maker_accesses(m->u, i)) {
    if (i->a != EMU_NO_ROW)
      emu_maker_name_row(m, i->a, sizeof(uint32_t), false);
    name_list(m, i, what->family == EMU_FAMILY_LOAD);
  } else if (emu_maker_touches_list(m, what, i) && what->family == EMU_FAMILY_LOAD) {
    name_list(m, i, true);
  }
}

static EmuOperand operand(EmuMaker *m, uint32_t at) {
  const EmuMakerRow *row = at == EMU_NO_ROW ? NULL : emu_maker_row(m, at);
  if (!row)
    return (EmuOperand){NULL, NULL};
  EmuVector value = emu_maker_get(m, row);
  return (EmuOperand){value,
                      row->constant ? emu_build_splat(m->b, 8 * row->bytes, row->bits) : value};
}

static void compute(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  EmuLowerArgs args = {.x = i->x};
  for (uint32_t at = 0; at < emu_lower_operands(what, i); at++)
    args.in[at] = operand(m, operand_row(m, i, at));
  EmuVector test, value = emu_lower(m->b, what, &args, &test);
  m->test = test ? test : m->test;
  const EmuMakerRow *row = emu_maker_row(m, i->d);
  if (what->family == EMU_FAMILY_ALU_ON || what->family == EMU_FAMILY_MOVE_ON)
    value = emu_maker_for_active(m, row, value);
  emu_maker_set(m, row, value);
}

bool emu_maker_covers(EmuMaker *m, const EmuIns *i) {
  return emu_lower_covers(m->b, emu_meaning(m->u->meanings, i->run));
}

void emu_maker_execute(EmuMaker *m, const EmuIns *i) {
  EmuMeaning *what = emu_meaning(m->u->meanings, i->run);
  if (emu_lower_covers(m->b, what))
    compute(m, what, i);
  else if (emu_maker_crosses(m->u, i))
    emu_maker_cross(m, what, i);
  else if (emu_maker_accesses(m->u, i))
    emu_maker_access(m, what, i);
  else
    emu_maker_call(m, what, i);
}
