/* SPDX-License-Identifier: Apache-2.0 */
/* maker_access: loads and stores in machine code.
 *
 * It does for a row what memory.c does for a chunk: the offsets of the active lanes are tested together
 * against the segment's size, and the places that they touch are counted as bits of one word
 * (cost/transactions.h). The scalars are moved as a *line*, consecutive bytes of which each lane has
 * its own, as one scalar for all lanes, or as a gather or scatter. In all other cases the handler is
 * called: a lane is out of bounds, the places are not within 64 of each other, the run looks for
 * races, records a time line or packs lanes. So there is one place that writes messages. */
#include "spv-emu/native/maker.h"

enum { MOST_LEAVES = 16, MOST_OFFSET = INT32_MAX };

/* ---- what is covered ------------------------------------------------------------------------- */

typedef struct Reach {
  uint64_t first,
      end;    /* the bytes of the leaves, from the access's own offset on; in rows whole ones */
  bool solid; /* there is no byte between them */
} Reach;

static Reach reach_of(const EmuProgram *p, const EmuAccess *access, bool rows) {
  Reach r = {.first = UINT64_MAX, .solid = true};
  for (uint32_t n = 0; n < access->leaf_count; n++) {
    const EmuLeaf *leaf = &p->leaves.at[access->leaf + n];
    uint64_t from = leaf->offset, bytes = emu_kind_bytes((EmuKind)leaf->kind);
    uint64_t end = from + bytes * (rows ? p->width : 1);
    if (n && (from < r.first || from > r.end))
      r.solid = false;
    r.first = from < r.first ? from : r.first;
    r.end = end > r.end ? end : r.end;
  }
  return r;
}

/* Narrower scalars would be moved one by one. */
static bool is_wide(const EmuProgram *p, const EmuAccess *access) {
  for (uint32_t n = 0; n < access->leaf_count; n++)
    if (emu_kind_bytes((EmuKind)p->leaves.at[access->leaf + n].kind) < 4)
      return false;
  return access->leaf_count && access->leaf_count <= MOST_LEAVES;
}

/* The last of several lanes with one address is the one whose value stays: the handler stores chunk
 * by chunk, and in each leaf by leaf. */
static bool keeps_order(const EmuProgram *p, const EmuAccess *access, const EmuIns *i) {
  return i->a != EMU_NO_ROW && (p->width == EMU_CHUNK || access->leaf_count == 1);
}

static bool covers(const EmuProgram *p, const EmuIns *i, bool store) {
  const EmuAccess *access = &p->accesses.at[i->x];
  if (access->segment == SR_NONE || !is_wide(p, access))
    return false;
  const EmuSegment *segment = &p->segments.at[access->segment];
  const Reach r = reach_of(p, access, segment->space == EMU_SPACE_ROWS);
  uint64_t end = access->offset + r.end;
  if (access->offset > MOST_OFFSET || end > MOST_OFFSET || (segment->counted && !r.solid))
    return false;
  switch ((EmuSpace)segment->space) {
  case EMU_SPACE_BUFFER:
    return !store || keeps_order(p, access, i);
  case EMU_SPACE_WORKGROUP:
    return end <= segment->size && (!store || (segment->writable && keeps_order(p, access, i)));
  case EMU_SPACE_ROWS:
    return end <= segment->size && (!store || segment->writable);
  default:
    return false;
  }
}

bool emu_maker_accesses(const EmuUnit *u, const EmuIns *i) {
  const EmuMeaning *what = emu_meaning(u->meanings, i->run);
  return (what->family == EMU_FAMILY_LOAD || what->family == EMU_FAMILY_STORE) &&
         u->program->width <= EMU_PATH_LANES &&
         covers(u->program, i, what->family == EMU_FAMILY_STORE);
}

/* ---- one access ------------------------------------------------------------------------------ */

typedef struct Access {
  EmuMaker *m;
  const EmuIns *i;
  const EmuAccess *of;
  const EmuSegment *segment;
  Reach reach;
  bool store, rows;
  EmuVector start;  /* the host's address of offset 0 of the access */
  EmuVector limit;  /* 32 bits: the largest offset in bounds */
  EmuVector offset; /* by lane; NULL: 0 in all lanes */
  EmuVector line;   /* the lanes' scalars are a line, which begins at offset `from` */
  EmuVector from;
} Access;

static Access access_of(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  Access a = {.m = m, .i = i, .of = &m->p->accesses.at[i->x]};
  a.segment = &m->p->segments.at[a.of->segment];
  a.rows = a.segment->space == EMU_SPACE_ROWS;
  a.reach = reach_of(m->p, a.of, a.rows);
  a.store = what->family == EMU_FAMILY_STORE;
  return a;
}

static EmuVector load_number(const EmuMaker *m, EmuVector from, size_t offset, uint32_t bits) {
  return emu_maker_number(m, bits, emu_build_after(m->b, from, emu_build_number(m->b, 64, offset)));
}

static EmuVector load_pointer(const EmuMaker *m, EmuVector from, size_t offset) {
  const EmuBuild *b = m->b;
  EmuVector at = emu_build_after(b, from, emu_build_number(b, 64, offset));
  return b->l->LLVMBuildLoad2(b->at, emu_build_pointer(b), at, "");
}

static EmuVector is_null(const EmuBuild *b, EmuVector pointer) {
  EmuVector bits = b->l->LLVMBuildPtrToInt(b->at, pointer, emu_build_int(b, 64), "");
  return emu_build_icmp(b, LLVMIntEQ, bits, emu_build_number(b, 64, 0));
}

static EmuVector negate(const EmuBuild *b, EmuVector test) {
  return emu_build_xor(b, test, emu_build_number(b, 1, 1));
}

static EmuVector all_lanes(const EmuBuild *b) {
  return emu_build_number(b, b->lanes, b->lanes == 64 ? UINT64_MAX : UINT32_MAX);
}

/* Does the test hold in all active lanes? */
static EmuVector in_all_active(const Access *a, EmuVector test) {
  const EmuBuild *b = a->m->b;
  EmuVector all = all_lanes(b);
  EmuVector off = emu_build_xor(b, emu_maker_bits(a->m, a->m->on), all);
  return emu_build_icmp(b, LLVMIntEQ, emu_build_or(b, emu_maker_bits(a->m, test), off), all);
}

/* ---- the segment ----------------------------------------------------------------------------- */

/* A bound buffer may be shorter than the access. Returns whether the handler is not needed for it. */
static EmuVector find_buffer(Access *a) {
  const EmuMaker *m = a->m;
  const EmuBuild *b = m->b;
  EmuVector all = load_pointer(m, m->lanes, offsetof(EmuLanes, segments));
  EmuVector at =
      emu_build_after(b, all, emu_build_number(b, 64, a->of->segment * sizeof(EmuSegment)));
  EmuVector bytes = load_pointer(m, at, offsetof(EmuSegment, bytes)),
            size = load_number(m, at, offsetof(EmuSegment, size), 64);
  EmuVector need = emu_build_number(b, 64, a->of->offset + a->reach.end);
  EmuVector good =
      emu_build_and(b, negate(b, is_null(b, bytes)), emu_build_icmp(b, LLVMIntUGE, size, need));
  if (a->store) {
    EmuVector writable = load_number(m, at, offsetof(EmuSegment, writable), 8);
    good =
        emu_build_and(b, good, emu_build_icmp(b, LLVMIntNE, writable, emu_build_number(b, 8, 0)));
  }
  EmuVector room = emu_build_sub(b, size, need), most = emu_build_number(b, 64, MOST_OFFSET);
  EmuVector large = emu_build_icmp(b, LLVMIntUGT, room, most);
  a->limit =
      b->l->LLVMBuildTrunc(b->at, emu_build_select(b, large, most, room), emu_build_int(b, 32), "");
  a->start = emu_build_after(b, bytes, emu_build_number(b, 64, a->of->offset));
  return good;
}

/* Its size is known. */
static EmuVector find_fixed(Access *a) {
  const EmuBuild *b = a->m->b;
  uint64_t room = a->segment->size - a->of->offset - a->reach.end;
  EmuVector base =
      a->rows ? a->m->file : load_pointer(a->m, a->m->lanes, offsetof(EmuLanes, shared));
  a->limit = emu_build_number(b, 32, room < MOST_OFFSET ? room : MOST_OFFSET);
  a->start = emu_build_after(b, base, emu_build_number(b, 64, a->segment->at + a->of->offset));
  return emu_build_number(b, 1, 1);
}

/* Is nothing recorded but counts? */
static EmuVector is_plain(const Access *a) {
  const EmuMaker *m = a->m;
  const EmuBuild *b = m->b;
  if (a->rows)
    return emu_build_number(b, 1, 1);
  EmuVector plain = is_null(b, load_pointer(m, m->lanes, offsetof(EmuLanes, races)));
  if (!a->segment->counted)
    return plain;
  EmuVector seen = load_pointer(m, m->lanes, offsetof(EmuLanes, seen));
  plain =
      emu_build_and(b, plain, is_null(b, load_pointer(m, m->lanes, offsetof(EmuLanes, timeline))));
  return emu_build_and(b, plain, is_null(b, load_pointer(m, seen, offsetof(EmuSeen, pack))));
}

/* ---- offsets --------------------------------------------------------------------------------- */

static uint32_t leaf_bytes(const Access *a, uint32_t n) {
  return emu_kind_bytes((EmuKind)a->m->p->leaves.at[a->of->leaf + n].kind);
}

/* What lies between the bytes of two consecutive lanes in all rows of `bytes` bytes. */
static EmuVector by_lane(const EmuBuild *b, uint32_t bytes) {
  EmuVector lanes[EMU_PATH_LANES];
  for (uint32_t i = 0; i < b->lanes; i++)
    lanes[i] = emu_build_number(b, 32, i * bytes);
  return b->l->LLVMConstVector(lanes, b->lanes);
}

/* The distance of consecutive lanes in a line: what a lane accesses; in rows, offsets are equal. */
static uint32_t stride_of(const Access *a) {
  return a->rows ? 0 : (uint32_t)(a->reach.end - a->reach.first);
}

/* Looks if the lanes access one piece of memory, each the bytes after those of the lane before. */
static void find_line(Access *a) {
  const EmuBuild *b = a->m->b;
  if (!a->offset) {
    a->line = emu_build_number(b, 1, 1);
    a->from = emu_build_number(b, 32, 0);
    return;
  }
  EmuVector start = emu_build_sub(b, a->offset, by_lane(b, stride_of(a)));
  a->from = b->l->LLVMBuildExtractElement(b->at, start, emu_build_number(b, 32, 0), "");
  EmuVector equal = emu_build_icmp(b, LLVMIntEQ, start, emu_build_in_all(b, a->from));
  a->line =
      emu_build_and(b, in_all_active(a, equal), emu_build_icmp(b, LLVMIntULE, a->from, a->limit));
}

/* The offset of the last lane of a line. */
static EmuVector last_of_line(const Access *a) {
  const EmuBuild *b = a->m->b;
  return emu_build_add(b, a->from, emu_build_number(b, 32, (b->lanes - 1) * stride_of(a)));
}

/* Is it a line of all lanes, in bounds? */
static EmuVector is_whole_line(const Access *a) {
  const EmuBuild *b = a->m->b;
  EmuVector on = emu_maker_bits(a->m, a->m->on);
  EmuVector all = emu_build_icmp(b, LLVMIntEQ, on, all_lanes(b));
  EmuVector inside = emu_build_icmp(b, LLVMIntULE, last_of_line(a), a->limit);
  return emu_build_and(b, emu_build_and(b, all, inside), a->line);
}

static void read_offsets(Access *a) {
  EmuMaker *m = a->m;
  const EmuBuild *b = m->b;
  if (a->i->a == EMU_NO_ROW)
    return;
  EmuVector row = emu_maker_get(m, emu_maker_row(m, a->i->a));
  a->offset = emu_build_select(b, m->on, row, emu_build_splat(b, 32, 0));
}

static EmuVector is_inside(const Access *a) {
  const EmuBuild *b = a->m->b;
  if (!a->offset)
    return emu_build_number(b, 1, 1);
  return in_all_active(a, emu_build_icmp(b, LLVMIntULE, a->offset, emu_build_in_all(b, a->limit)));
}

/* ---- counting -------------------------------------------------------------------------------- */

/* The places of the first and the last byte that a lane, or all lanes, access. */
typedef struct Places {
  EmuVector first, last;
} Places;

static EmuVector shift_of(const Access *a) {
  return emu_maker_number(a->m, 32, emu_maker_field(a->m, offsetof(EmuLanes, segment_shift)));
}

/* Of a byte after an offset. */
static EmuVector place(const Access *a, EmuVector offset, uint64_t byte) {
  const EmuBuild *b = a->m->b;
  EmuVector at = emu_build_number(b, 32, a->of->offset + byte);
  return emu_build_lshr(b, emu_build_add(b, offset, at), shift_of(a));
}

static EmuVector places_by_lane(const Access *a, uint64_t byte) {
  const EmuBuild *b = a->m->b;
  EmuVector at = emu_build_splat(b, 32, a->of->offset + byte);
  return emu_build_lshr(b, emu_build_add(b, a->offset, at), emu_build_in_all(b, shift_of(a)));
}

/* By lane, from the lowest one of all lanes on. Returns whether they can be bits of a word. */
static EmuVector find_places(const Access *a, Places *p) {
  const EmuBuild *b = a->m->b;
  if (!a->offset || !a->segment->counted)
    return emu_build_number(b, 1, 1);
  p->first = places_by_lane(a, a->reach.first);
  p->last = places_by_lane(a, a->reach.end - 1);
  EmuVector active = emu_build_select(b, a->m->on, p->first, emu_build_splat(b, 32, UINT32_MAX));
  EmuVector low =
      emu_build_in_all(b, emu_build_intrinsic(b, "llvm.vector.reduce.umin", &active, 1));
  p->first = emu_build_sub(b, p->first, low);
  p->last = emu_build_sub(b, p->last, low);
  return in_all_active(a, emu_build_icmp(b, LLVMIntULT, p->last, emu_build_splat(b, 32, 64)));
}

/* How many different places the active lanes touch. */
static EmuVector count_places(const Access *a, const Places *p) {
  const EmuBuild *b = a->m->b;
  EmuVector most = emu_build_splat(b, 64, 63);
  EmuVector first = emu_build_and(b, emu_build_zext(b, p->first, 64), most),
            last = emu_build_and(b, emu_build_zext(b, p->last, 64), most);
  /* all bits from the first to the last */
  EmuVector bits = emu_build_sub(b, emu_build_shl(b, emu_build_splat(b, 64, 2), last),
                                 emu_build_shl(b, emu_build_splat(b, 64, 1), first));
  EmuVector active = emu_build_select(b, a->m->on, bits, emu_build_splat(b, 64, 0));
  EmuVector all = emu_build_intrinsic(b, "llvm.vector.reduce.or", &active, 1);
  return emu_build_intrinsic(b, "llvm.ctpop", &all, 1);
}

/* The same if there is none between that they do not touch. */
static EmuVector count_range(const Access *a, EmuVector from, EmuVector last) {
  const EmuBuild *b = a->m->b;
  EmuVector more =
      emu_build_sub(b, place(a, last, a->reach.end - 1), place(a, from, a->reach.first));
  return emu_build_add(b, b->l->LLVMBuildZExt(b->at, more, emu_build_int(b, 64), ""),
                       emu_build_number(b, 64, 1));
}

static void add_to(const Access *a, size_t count, EmuVector more) {
  const EmuBuild *b = a->m->b;
  EmuVector at = emu_maker_field(a->m, count);
  b->l->LLVMBuildStore(b->at, emu_build_add(b, emu_maker_number(a->m, 64, at), more), at);
}

static void count(const Access *a, EmuVector places) {
  add_to(a, offsetof(EmuLanes, counts.memory_issues), emu_build_number(a->m->b, 64, 1));
  add_to(a, offsetof(EmuLanes, counts.memory_transactions), places);
}

/* ---- moving ---------------------------------------------------------------------------------- */

static EmuVector leaf_start(const Access *a, uint32_t n) {
  const EmuBuild *b = a->m->b;
  uint32_t offset = a->m->p->leaves.at[a->of->leaf + n].offset;
  return emu_build_after(b, a->start, emu_build_number(b, 64, offset));
}

static EmuMakerRow *leaf_row(const Access *a, uint32_t n) {
  return emu_maker_row(a->m, a->m->p->rows.at[a->i->list + n]);
}

/* Booleans are 0 or 1 in memory, and 0 or ~0 in rows. */
static bool converts(const Access *a, uint32_t n) {
  return !a->rows && a->m->p->leaves.at[a->of->leaf + n].kind == EMU_BOOL;
}

static void put_row(const Access *a, uint32_t n, EmuVector value) {
  const EmuBuild *b = a->m->b;
  if (converts(a, n))
    value = emu_build_sext(b, emu_build_icmp(b, LLVMIntNE, value, emu_build_splat(b, 32, 0)), 32);
  emu_maker_set(a->m, leaf_row(a, n), value);
}

static EmuVector row_value(const Access *a, uint32_t n) {
  EmuVector value = emu_maker_get(a->m, leaf_row(a, n));
  return converts(a, n) ? emu_build_and(a->m->b, value, emu_build_splat(a->m->b, 32, 1)) : value;
}

/* Moves a leaf from or to `at`: a pointer, or one for each lane. */
static void move_to(const Access *a, uint32_t n, EmuVector at, const char *load,
                    const char *store) {
  const EmuBuild *b = a->m->b;
  EmuVector one = emu_build_number(b, 32, 1), old = emu_maker_get(a->m, leaf_row(a, n));
  LLVMTypeRef types[2] = {b->l->LLVMTypeOf(old), b->l->LLVMTypeOf(at)};
  if (a->store)
    emu_build_typed(b, store, types, (EmuVector[]){row_value(a, n), at, one, a->m->on}, 4);
  else
    put_row(a, n, emu_build_typed(b, load, types, (EmuVector[]){at, one, a->m->on, old}, 4));
}

static void move_line(const Access *a, uint32_t n) {
  const EmuBuild *b = a->m->b;
  EmuVector from = b->l->LLVMBuildZExt(b->at, a->from, emu_build_int(b, 64), "");
  move_to(a, n, emu_build_after(b, leaf_start(a, n), from), "llvm.masked.load",
          "llvm.masked.store");
}

static void move_each(const Access *a, uint32_t n) {
  const EmuBuild *b = a->m->b;
  EmuVector offset = a->offset;
  if (a->rows)
    offset = emu_build_add(b, offset, by_lane(b, leaf_bytes(a, n)));
  move_to(a, n, emu_build_after(b, leaf_start(a, n), emu_build_sext(b, offset, 64)),
          "llvm.masked.gather", "llvm.masked.scatter");
}

/* Loads one scalar for all lanes. */
static void load_same(const Access *a, uint32_t n) {
  const EmuBuild *b = a->m->b;
  const EmuMakerRow *row = leaf_row(a, n);
  EmuVector value =
      b->l->LLVMBuildLoad2(b->at, emu_build_int(b, 8 * row->bytes), leaf_start(a, n), "");
  b->l->LLVMSetAlignment(value, 1);
  put_row(a, n, emu_maker_for_active(a->m, row, emu_build_in_all(b, value)));
}

static void move_all(const Access *a, void move(const Access *a, uint32_t n)) {
  for (uint32_t n = 0; n < a->of->leaf_count; n++)
    move(a, n);
}

static void move_line_or_each(const Access *a) {
  const EmuBuild *b = a->m->b;
  LLVMBasicBlockRef line = emu_build_block(b), each = emu_build_block(b), end = emu_build_block(b);
  b->l->LLVMBuildCondBr(b->at, a->line, line, each);
  emu_build_into(b, line);
  move_all(a, move_line);
  b->l->LLVMBuildBr(b->at, end);
  emu_build_into(b, each);
  move_all(a, move_each);
  b->l->LLVMBuildBr(b->at, end);
  emu_build_into(b, end);
}

/* ---- rows that are variables ----------------------------------------------------------------- */

/* Rows of the segment may be named by other instructions, too. */
static void exchange_rows(const Access *a, bool back) {
  const EmuMaker *m = a->m;
  for (uint32_t i = 0; a->rows && i < m->kept.rows.count; i++) {
    const EmuMakerRow *row = &m->kept.rows.at[i];
    if (row->row + row->bytes * m->p->width <= a->segment->at ||
        row->row >= a->segment->at + a->segment->size)
      continue;
    if (!back)
      emu_maker_fetch_row(m, row);
    else if (row->written)
      emu_maker_put_back(m, row);
  }
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A line of all lanes; goes on with all others, and ends at `end`. */
static void take_whole_line(const Access *a, EmuVector sound, LLVMBasicBlockRef end) {
  const EmuBuild *b = a->m->b;
  bool one = a->of->leaf_count == 1;
  if (!a->offset || a->rows || !(one || b->gathers))
    return;
  LLVMBasicBlockRef line = emu_build_block(b), other = emu_build_block(b);
  b->l->LLVMBuildCondBr(b->at, emu_build_and(b, sound, is_whole_line(a)), line, other);
  emu_build_into(b, line);
  if (a->segment->counted)
    count(a, count_range(a, a->from, last_of_line(a)));
  move_all(a, one ? move_line : move_each);
  b->l->LLVMBuildBr(b->at, end);
  emu_build_into(b, other);
}

/* Any other lanes that need no handler. */
static void take_each(const Access *a, const Places *p) {
  const EmuBuild *b = a->m->b;
  if (a->segment->counted)
    count(a, a->offset ? count_places(a, p) : count_range(a, a->from, a->from));
  if (a->offset && a->rows && b->gathers)
    move_line_or_each(a);
  else
    move_all(a, !a->offset && !a->rows    ? load_same
                : a->offset && b->gathers ? move_each
                                          : move_line);
}

/* Needs the access no handler? NULL: it always does. */
static EmuVector needs_none(const Access *a, EmuVector sound, Places *places) {
  const EmuBuild *b = a->m->b;
  bool lines = !a->offset || a->rows || a->of->leaf_count == 1;
  if (!lines && !b->gathers)
    return NULL;
  sound = emu_build_and(b, sound, is_inside(a));
  sound = emu_build_and(b, sound, find_places(a, places));
  return b->gathers ? sound : emu_build_and(b, sound, a->line);
}

void emu_maker_access(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  const EmuBuild *b = m->b;
  Access a = access_of(m, what, i);
  Places places = {NULL, NULL};
  LLVMBasicBlockRef end = emu_build_block(b);
  exchange_rows(&a, true);
  EmuVector sound = a.segment->space == EMU_SPACE_BUFFER ? find_buffer(&a) : find_fixed(&a);
  sound = emu_build_and(b, sound, is_plain(&a));
  read_offsets(&a);
  find_line(&a);
  take_whole_line(&a, sound, end);
  EmuVector good = needs_none(&a, sound, &places);
  if (good) {
    LLVMBasicBlockRef each = emu_build_block(b), call = emu_build_block(b);
    b->l->LLVMBuildCondBr(b->at, good, each, call);
    emu_build_into(b, each);
    take_each(&a, &places);
    b->l->LLVMBuildBr(b->at, end);
    emu_build_into(b, call);
  }
  emu_maker_call(m, what, i);
  b->l->LLVMBuildBr(b->at, end);
  emu_build_into(b, end);
  if (a.store)
    exchange_rows(&a, false);
}
