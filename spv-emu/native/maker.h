/* SPDX-License-Identifier: Apache-2.0 */
/* maker: the parts from which all units (unit.h) are made: rows as values, and instructions.
 *
 * A first pass over the instructions names the rows, the second builds the code. A row is a slot on
 * the stack, which LLVM turns into values. */
#ifndef EMU_MAKER_H
#define EMU_MAKER_H

#include "passes/base/map.h"
#include "spv-emu/native/unit.h"

typedef struct EmuMakerRow {
  uint32_t row;   /* its offset in the register file */
  uint32_t bytes; /* of a lane */
  bool written;
  bool constant;
  uint64_t bits; /* of a constant */
  EmuVector slot;
} EmuMakerRow;

/* Rows by offset. */
typedef struct EmuMakerScope {
  SrMap index;
  SR_VEC(EmuMakerRow) rows;
} EmuMakerScope;

typedef struct EmuMaker {
  EmuUnit *u;
  EmuBuild *b;
  const EmuProgram *p;
  EmuMakerScope kept;   /* rows that outlive a block */
  EmuMakerScope *local; /* by block of the unit: rows of this block only */
  EmuMakerScope *here;  /* that of the current block */
  EmuVector lanes;      /* EmuLanes * */
  EmuVector file;       /* the register file, at the first lane of the vector */
  EmuVector first;      /* number of this lane */
  EmuVector on;         /* a bit for each of these lanes: those whose values change */
  EmuVector test;       /* the last comparison; NULL: a handler's, or none */
  uint32_t block;       /* of a path: that of the current step */
  bool called;          /* the current block calls a handler */
  bool wrong;           /* rows overlap */
} EmuMaker;

/* A maker that builds vectors of `lanes` lanes, for a unit of `blocks` blocks. */
EmuMaker emu_maker_new(EmuUnit *u, uint32_t lanes, uint32_t blocks);
/* Begins a function whose first parameter is EmuLanes *, and ends it. */
void emu_maker_begin(EmuMaker *m, LLVMTypeRef type, const char *name);
void emu_maker_end(EmuMaker *m);

/* ---- the first pass -------------------------------------------------------------------------- */

void emu_maker_name_row(EmuMaker *m, uint32_t row, uint32_t bytes, bool written);
/* Names the rows of an instruction. */
void emu_maker_name(EmuMaker *m, const EmuIns *i);
/* Sets m->wrong if rows overlap. */
void emu_maker_check(EmuMaker *m, const EmuMakerScope *scope);
/* Finds out which rows of m->kept are constants. */
void emu_maker_constants(EmuMaker *m);

/* ---- rows ------------------------------------------------------------------------------------ */

/* The row with that offset. NULL: the first pass has not named it. */
EmuMakerRow *emu_maker_row(EmuMaker *m, uint32_t row);
/* Make the slots, load all rows from the register file, and store those that are written. */
void emu_maker_slots(const EmuMaker *m, EmuMakerScope *scope);
void emu_maker_fetch(const EmuMaker *m, const EmuMakerScope *scope);
void emu_maker_put_back_written(const EmuMaker *m, const EmuMakerScope *scope);
void emu_maker_put_back(const EmuMaker *m, const EmuMakerRow *row);
void emu_maker_fetch_row(const EmuMaker *m, const EmuMakerRow *row);
EmuVector emu_maker_get(const EmuMaker *m, const EmuMakerRow *row);
void emu_maker_set(const EmuMaker *m, const EmuMakerRow *row, EmuVector value);
/* `value` in the lanes of m->on, and the row's old value in the others. */
EmuVector emu_maker_for_active(const EmuMaker *m, const EmuMakerRow *row, EmuVector value);

/* ---- instructions ---------------------------------------------------------------------------- */

/* Does the instruction have only the operands a, b, c and, for some, the first row of the list? */
bool emu_maker_is_arithmetic(const EmuMeaning *what);
/* Is it a load or store that names its segment, and only touches the rows of its own list? */
bool emu_maker_touches_list(const EmuMaker *m, const EmuMeaning *what, const EmuIns *i);
/* Is the instruction covered (lower.h)? */
bool emu_maker_covers(EmuMaker *m, const EmuIns *i);
/* Computes the instruction, or calls its handler. */
void emu_maker_execute(EmuMaker *m, const EmuIns *i);
/* Calls its handler. */
void emu_maker_call(EmuMaker *m, const EmuMeaning *what, const EmuIns *i);

/* ---- loads and stores (maker_access.c) ------------------------------------------------------- */

/* Is it a load or store for which paths and arms have code? The code calls the handler in rare
 * cases. */
bool emu_maker_accesses(const EmuUnit *u, const EmuIns *i);
/* Loads or stores for the lanes of m->on, which are those of s->on. */
void emu_maker_access(EmuMaker *m, const EmuMeaning *what, const EmuIns *i);

/* ---- lanes that communicate (maker_lanes.c) --------------------------------------------------- */

/* Is it such an instruction for which there is code, in paths and arms? It calls no handler. */
bool emu_maker_crosses(const EmuUnit *u, const EmuIns *i);
/* Names its rows; computes it for the lanes of m->on. */
void emu_maker_name_crossing(EmuMaker *m, const EmuMeaning *what, const EmuIns *i);
void emu_maker_cross(EmuMaker *m, const EmuMeaning *what, const EmuIns *i);

/* ---- masks and numbers ----------------------------------------------------------------------- */

/* The address of a field of EmuLanes. */
EmuVector emu_maker_field(const EmuMaker *m, size_t offset);
/* Sets m->on to s->on_row. */
void emu_maker_read_on(EmuMaker *m);
/* The lanes for which a test holds, as an integer with a bit for each, and back. */
EmuVector emu_maker_bits(const EmuMaker *m, EmuVector test);
EmuVector emu_maker_test(const EmuMaker *m, EmuVector bits);
EmuVector emu_maker_number_slot(const EmuMaker *m, uint32_t bits, EmuVector value);
EmuVector emu_maker_number(const EmuMaker *m, uint32_t bits, EmuVector from);

/* Does the end of the block read the row: its branch, or the moves of its edges? */
bool emu_maker_end_reads(const EmuProgram *p, const EmuBlock *block, uint32_t row);

#endif
