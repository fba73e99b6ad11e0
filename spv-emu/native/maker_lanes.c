/* SPDX-License-Identifier: Apache-2.0 */
/* maker_lanes: votes, ballots, broadcasts, reductions and scans in machine code, as subgroup.h defines
 * them. In paths and arms a row is one vector, and m->on the lanes that take part, at least one. Sums and
 * products of floats, shuffles and instructions on clusters are calls of handlers: their order is by lane. */
#include "spv-emu/native/maker.h"

enum { BALLOT_ROWS = 4 };

typedef struct Lanes {
  EmuMaker *m;
  const EmuMeaning *what;
  const EmuIns *i;
  uint32_t bits; /* of a scalar */
} Lanes;

/* ---- what is covered ------------------------------------------------------------------------- */

static bool is_ballot(const EmuMeaning *what) {
  return what->op == SpvOpGroupNonUniformBallot;
}

static bool reads_ballot(const EmuMeaning *what) {
  return what->op == SpvOpGroupNonUniformInverseBallot ||
         what->op == SpvOpGroupNonUniformBallotBitCount;
}

static bool folds(const EmuMeaning *what) {
  switch (what->op) {
  case SpvOpGroupNonUniformIAdd:
  case SpvOpGroupNonUniformIMul:
  case SpvOpGroupNonUniformSMin:
  case SpvOpGroupNonUniformUMin:
  case SpvOpGroupNonUniformSMax:
  case SpvOpGroupNonUniformUMax:
  case SpvOpGroupNonUniformBitwiseAnd:
  case SpvOpGroupNonUniformBitwiseOr:
  case SpvOpGroupNonUniformBitwiseXor:
  case SpvOpGroupNonUniformLogicalAnd:
  case SpvOpGroupNonUniformLogicalOr:
  case SpvOpGroupNonUniformLogicalXor:
    return what->then <= SpvGroupOperationExclusiveScan;
  }
  return false;
}

static bool covers(const EmuMeaning *what) {
  switch (what->op) {
  case SpvOpGroupNonUniformElect:
  case SpvOpGroupNonUniformAll:
  case SpvOpGroupNonUniformAny:
  case SpvOpGroupNonUniformBroadcast:
  case SpvOpGroupNonUniformBroadcastFirst:
    return true;
  }
  return is_ballot(what) || reads_ballot(what) || folds(what);
}

bool emu_maker_crosses(const EmuUnit *u, const EmuIns *i) {
  const EmuMeaning *what = emu_meaning(u->meanings, i->run);
  return what->family == EMU_FAMILY_LANES && u->program->width <= EMU_PATH_LANES && covers(what);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static uint32_t bytes_of(const EmuMeaning *what) {
  bool test = what->op == SpvOpGroupNonUniformElect || what->op == SpvOpGroupNonUniformAll ||
              what->op == SpvOpGroupNonUniformAny || is_ballot(what) || reads_ballot(what);
  return test ? sizeof(uint32_t) : emu_kind_bytes((EmuKind)what->kind);
}

void emu_maker_name_crossing(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  if (i->a != EMU_NO_ROW && !reads_ballot(what) && what->op != SpvOpGroupNonUniformElect)
    emu_maker_name_row(m, i->a, bytes_of(what), false);
  if (what->op == SpvOpGroupNonUniformBroadcast)
    emu_maker_name_row(m, i->b, sizeof(uint32_t), false);
  for (uint32_t n = 0; n < BALLOT_ROWS && (is_ballot(what) || reads_ballot(what)); n++)
    emu_maker_name_row(m, m->p->rows.at[i->list + n], sizeof(uint32_t), is_ballot(what));
  if (!is_ballot(what))
    emu_maker_name_row(m, i->d, bytes_of(what), true);
}

static EmuVector get(const Lanes *c, uint32_t row) {
  return emu_maker_get(c->m, emu_maker_row(c->m, row));
}

static void give(const Lanes *c, uint32_t at, EmuVector value) {
  const EmuMakerRow *row = emu_maker_row(c->m, at);
  emu_maker_set(c->m, row, emu_maker_for_active(c->m, row, value));
}

static EmuVector list_row(const Lanes *c, uint32_t n) {
  return get(c, c->m->p->rows.at[c->i->list + n]);
}

/* A boolean of one bit as a scalar of a row. */
static EmuVector as_bool(const EmuBuild *b, EmuVector test) {
  return b->l->LLVMBuildSExt(b->at, test, emu_build_int(b, 32), "");
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static EmuVector on_bits(const Lanes *c) {
  return emu_maker_bits(c->m, c->m->on);
}

static EmuVector first_lane(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  return emu_build_intrinsic(b, "llvm.cttz", (EmuVector[]){on_bits(c), emu_build_number(b, 1, 0)},
                             2);
}

static EmuVector scalar_at(const EmuBuild *b, EmuVector row, EmuVector lane) {
  return b->l->LLVMBuildExtractElement(b->at, row, lane, "");
}

/* The active lanes in which row a, of booleans, is true. */
static EmuVector yes_bits(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector test = emu_build_icmp(b, LLVMIntNE, get(c, c->i->a), emu_build_splat(b, 32, 0));
  return emu_build_and(b, emu_maker_bits(c->m, test), on_bits(c));
}

/* A vector whose lanes have the numbers of `of`. */
static EmuVector by_lane(const EmuBuild *b, uint32_t bits, uint64_t of(uint32_t lane)) {
  EmuVector lanes[EMU_PATH_LANES];
  for (uint32_t i = 0; i < b->lanes; i++)
    lanes[i] = emu_build_number(b, bits, of(i));
  return b->l->LLVMConstVector(lanes, b->lanes);
}

/* ---- votes and broadcasts -------------------------------------------------------------------- */

static void elect(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector on = on_bits(c), none = emu_build_number(b, b->lanes, 0);
  EmuVector lowest = emu_build_and(b, on, emu_build_sub(b, none, on));
  give(c, c->i->d, emu_build_sext(b, emu_maker_test(c->m, lowest), 32));
}

static void vote(const Lanes *c, bool all) {
  const EmuBuild *b = c->m->b;
  EmuVector yes = yes_bits(c);
  EmuVector held = all ? emu_build_icmp(b, LLVMIntEQ, yes, on_bits(c))
                       : emu_build_icmp(b, LLVMIntNE, yes, emu_build_number(b, b->lanes, 0));
  give(c, c->i->d, emu_build_in_all(b, as_bool(b, held)));
}

static void broadcast_first(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector value = scalar_at(b, get(c, c->i->a), first_lane(c));
  give(c, c->i->d, emu_build_in_all(b, value));
}

/* From a lane that is not active: 0. */
static void broadcast(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector from = scalar_at(b, get(c, c->i->b), first_lane(c));
  EmuVector inside = emu_build_icmp(b, LLVMIntULT, from, emu_build_number(b, 32, b->lanes));
  EmuVector lane = emu_build_select(b, inside, from, emu_build_number(b, 32, 0));
  EmuVector active = emu_build_and(b, inside, scalar_at(b, c->m->on, lane));
  EmuVector value = scalar_at(b, get(c, c->i->a), lane);
  value = emu_build_select(b, active, value, emu_build_number(b, c->bits, 0));
  give(c, c->i->d, emu_build_in_all(b, value));
}

/* ---- ballots --------------------------------------------------------------------------------- */

/* Lanes 32 n to 32 n + 31 of a set, as 32 bits. */
static EmuVector chunk_of(const EmuBuild *b, EmuVector set, uint32_t n) {
  if (32 * n >= b->lanes)
    return emu_build_number(b, 32, 0);
  EmuVector high = emu_build_lshr(b, set, emu_build_number(b, b->lanes, 32 * n));
  return b->lanes == 32 ? set : b->l->LLVMBuildTrunc(b->at, high, emu_build_int(b, 32), "");
}

static void ballot(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector yes = yes_bits(c);
  for (uint32_t n = 0; n < BALLOT_ROWS; n++)
    give(c, c->m->p->rows.at[c->i->list + n], emu_build_in_all(b, chunk_of(b, yes, n)));
}

static uint64_t own_bit(uint32_t lane) {
  return (uint64_t)1 << lane % 32;
}
static uint64_t in_second_row(uint32_t lane) {
  return lane >= 32;
}

static void inverse_ballot(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector row = list_row(c, 0);
  if (b->lanes > 32)
    row = emu_build_select(b, by_lane(b, 1, in_second_row), list_row(c, 1), row);
  EmuVector bit = emu_build_and(b, row, by_lane(b, 32, own_bit));
  give(c, c->i->d,
       emu_build_sext(b, emu_build_icmp(b, LLVMIntNE, bit, emu_build_splat(b, 32, 0)), 32));
}

/* The bits of the lanes that the subgroup has. */
static EmuVector existing(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector size = emu_maker_number(c->m, 32, emu_maker_field(c->m, offsetof(EmuLanes, size)));
  EmuVector wide = b->l->LLVMBuildZExt(b->at, size, emu_build_int(b, 64), "");
  EmuVector all = emu_build_number(b, 64, UINT64_MAX), most = emu_build_number(b, 64, 63);
  EmuVector below = emu_build_shl(b, all, emu_build_and(b, wide, most));
  EmuVector full = emu_build_icmp(b, LLVMIntUGT, wide, most);
  return emu_build_select(b, full, all, emu_build_xor(b, below, all));
}

static uint64_t low_up_to(uint32_t lane) {
  return lane < 32 ? ((uint64_t)2 << lane) - 1 : UINT32_MAX;
}
static uint64_t low_below(uint32_t lane) {
  return lane < 32 ? ((uint64_t)1 << lane) - 1 : UINT32_MAX;
}
static uint64_t high_up_to(uint32_t lane) {
  return lane < 32 ? 0 : ((uint64_t)2 << (lane - 32)) - 1;
}
static uint64_t high_below(uint32_t lane) {
  return lane < 32 ? 0 : ((uint64_t)1 << (lane - 32)) - 1;
}

/* Which bits of row n each lane counts. */
static EmuVector counted(const Lanes *c, uint32_t n) {
  static uint64_t (*const masks[2][2])(uint32_t lane) = {{low_up_to, low_below},
                                                         {high_up_to, high_below}};
  const EmuBuild *b = c->m->b;
  if (c->what->then != SpvGroupOperationReduce)
    return by_lane(b, 32, masks[n][c->what->then == SpvGroupOperationExclusiveScan]);
  EmuVector high = emu_build_lshr(b, existing(c), emu_build_number(b, 64, 32 * n));
  return emu_build_in_all(b, b->l->LLVMBuildTrunc(b->at, high, emu_build_int(b, 32), ""));
}

static void count_ballot(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector sum = NULL;
  for (uint32_t n = 0; 32 * n < b->lanes; n++) {
    EmuVector bits = emu_build_and(b, list_row(c, n), counted(c, n));
    EmuVector count = emu_build_intrinsic(b, "llvm.ctpop", &bits, 1);
    sum = sum ? emu_build_add(b, sum, count) : count;
  }
  give(c, c->i->d, sum);
}

/* ---- reductions and scans of integers --------------------------------------------------------- */

static EmuVector choose(const EmuBuild *b, LLVMIntPredicate is, EmuVector x, EmuVector y) {
  return emu_build_select(b, emu_build_icmp(b, is, x, y), x, y);
}

static EmuVector join(const Lanes *c, EmuVector x, EmuVector y) {
  const EmuBuild *b = c->m->b;
  switch (c->what->op) {
  case SpvOpGroupNonUniformIAdd:
    return emu_build_add(b, x, y);
  case SpvOpGroupNonUniformIMul:
    return emu_build_mul(b, x, y);
  case SpvOpGroupNonUniformSMin:
    return choose(b, LLVMIntSLT, x, y);
  case SpvOpGroupNonUniformUMin:
    return choose(b, LLVMIntULT, x, y);
  case SpvOpGroupNonUniformSMax:
    return choose(b, LLVMIntSGT, x, y);
  case SpvOpGroupNonUniformUMax:
    return choose(b, LLVMIntUGT, x, y);
  case SpvOpGroupNonUniformBitwiseOr:
  case SpvOpGroupNonUniformLogicalOr:
    return emu_build_or(b, x, y);
  case SpvOpGroupNonUniformBitwiseXor:
  case SpvOpGroupNonUniformLogicalXor:
    return emu_build_xor(b, x, y);
  default:
    return emu_build_and(b, x, y);
  }
}

static uint64_t neutral(const Lanes *c) {
  uint64_t ones = UINT64_MAX >> (64 - c->bits), sign = (uint64_t)1 << (c->bits - 1);
  switch (c->what->op) {
  case SpvOpGroupNonUniformIMul:
    return 1;
  case SpvOpGroupNonUniformSMin:
    return sign - 1;
  case SpvOpGroupNonUniformSMax:
    return sign;
  case SpvOpGroupNonUniformUMin:
  case SpvOpGroupNonUniformBitwiseAnd:
  case SpvOpGroupNonUniformLogicalAnd:
    return ones;
  }
  return 0;
}

/* Each lane gets the value of the one `by` lanes before it, the first ones get the neutral value. */
static EmuVector shifted(const EmuBuild *b, EmuVector row, EmuVector none, uint32_t by) {
  EmuVector from[EMU_PATH_LANES];
  for (uint32_t i = 0; i < b->lanes; i++)
    from[i] = emu_build_number(b, 32, i < by ? b->lanes : i - by);
  return b->l->LLVMBuildShuffleVector(b->at, row, none, b->l->LLVMConstVector(from, b->lanes), "");
}

/* By doubling: after each step a lane has joined the values of twice as many lanes. */
static void fold(const Lanes *c) {
  const EmuBuild *b = c->m->b;
  EmuVector none = emu_build_splat(b, c->bits, neutral(c));
  EmuVector value = emu_build_select(b, c->m->on, get(c, c->i->a), none);
  for (uint32_t by = 1; by < b->lanes; by *= 2)
    value = join(c, value, shifted(b, value, none, by));
  if (c->what->then == SpvGroupOperationExclusiveScan)
    value = shifted(b, value, none, 1);
  else if (c->what->then == SpvGroupOperationReduce)
    value = emu_build_in_all(b, scalar_at(b, value, emu_build_number(b, 32, b->lanes - 1)));
  give(c, c->i->d, value);
}

/* ---- all ------------------------------------------------------------------------------------- */

void emu_maker_cross(EmuMaker *m, const EmuMeaning *what, const EmuIns *i) {
  const Lanes c = {m, what, i, 8 * bytes_of(what)};
  switch (what->op) {
  case SpvOpGroupNonUniformElect:
    elect(&c);
    break;
  case SpvOpGroupNonUniformAll:
  case SpvOpGroupNonUniformAny:
    vote(&c, what->op == SpvOpGroupNonUniformAll);
    break;
  case SpvOpGroupNonUniformBroadcast:
    broadcast(&c);
    break;
  case SpvOpGroupNonUniformBroadcastFirst:
    broadcast_first(&c);
    break;
  case SpvOpGroupNonUniformBallot:
    ballot(&c);
    break;
  case SpvOpGroupNonUniformInverseBallot:
    inverse_ballot(&c);
    break;
  case SpvOpGroupNonUniformBallotBitCount:
    count_ballot(&c);
    break;
  default:
    fold(&c);
  }
}
