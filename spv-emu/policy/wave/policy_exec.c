/* SPDX-License-Identifier: Apache-2.0 */
/* policy_exec: runs the wave-level program (wave.h) instead of the graph: an EXEC mask, rejoin
 * masks, scalar branches (F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU
 * Munich 2018, section 4.2; GCN).
 *
 * Only the program decides which block runs next, and with which lanes. It reads where lanes go
 * from the wave's flags: VCC, the lanes that go to the block's primary successor, and SCC, whether
 * the branch goes to its first target. If the program (an edited listing) sends lanes to another
 * block than their branch does, they run the block that the program names.
 *
 * If EXEC is empty, a block is issued as no-ops: nothing in it is evaluated, so a scalar load or
 * division cannot fault; SCC is 0, and a branch by table takes its first entry. The lowering keeps
 * a skip branch wherever this would make a difference.
 *
 * Rejoin masks begin with all bits set, so that a missing initialization has an effect. Lanes that
 * have ended never run again, whatever a mask holds.
 *
 * Added instructions are counted separately: the first branch after a block is its own terminator
 * (which is counted with the block even if the layout makes it unnecessary); the other branches and
 * all mask instructions are overhead. */
#include "spv-emu/policy/policy_groups.h"
#include "spv-emu/policy/wave/wave_program.h"

typedef struct Exec {
  SrArena *arena;
  const EmuWave *wave;
  EmuPolicyCounts *counts;
  uint32_t words;
  uint64_t *masks; /* rejoin masks, then EXEC, VCC and 0, each `words` long */
  bool *held;      /* by rejoin mask: it has been written, and has not joined EXEC since then */
  EmuMask live;
  uint32_t at; /* the instruction to run; after settle() a body */
  bool lost;   /* a uniform condition decided a branch although no lane was left to compute it */
  bool done, scc;
  bool own;    /* the last body's own branch has not been issued yet */
  uint32_t to; /* the block to which the first lanes of the last body went, or SR_NONE */
  SR_VEC(uint32_t) returns;
} Exec;

/* ---- the program ----------------------------------------------------------------------------- */

enum { LISTING, LOWERING };

static const EmuPolicyOption options[] = {
    [LISTING] =
        {.flag = "--wave",
         .help = "  --wave=FILE          policy exec runs this listing of spvreconv --dump-wave,\n"
                 "                       perhaps edited\n"},
    [LOWERING] = {.flag = "--lowering",
                  .help =
                      "  --lowering=LIST      how policy exec lowers, as spvreconv --lowering:\n"
                      "                       needed-skips, flow-blocks, branch-masks\n"},
    {0}};

static SrStatus build(const EmuPlacing *from, const char *text, const void **program,
                      const char **refused) {
  const EmuWave *wave = NULL;
  SR_CHECK(emu_wave_build(from->arena, from->diag, from->p, text,
                          emu_policy_value(from->table, LOWERING), &wave, refused));
  *program = wave;
  return SR_OK;
}

static SrStatus place(const EmuPlacing *from, const void **program, const char **refused) {
  return build(from, NULL, program, refused);
}

static SrStatus read(const EmuPlacing *from, const char *text, const void **program) {
  const char *refused = NULL;
  return build(from, text, program, &refused);
}

static const EmuPolicyProgram wave_program = {.listing = LISTING, .place = place, .read = read};

/* ---- the policy ------------------------------------------------------------------------------ */

static const char *refuses(SrArena *arena, const EmuBlockTable *table) {
  (void)arena;
  if (table->program)
    return NULL;
  return table->no_program ? table->no_program : "it has no wave-level program";
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  (void)plan;
  Exec *p = SR_NEW(arena, Exec, 1);
  *p = (Exec){
      .arena = arena, .wave = table->program, .counts = counts, .words = emu_mask_words(lanes)};
  p->masks = SR_NEW(arena, uint64_t, ((size_t)p->wave->wave->masks + 3) * p->words);
  p->held = SR_NEW(arena, bool, p->wave->wave->masks);
  return p;
}

/* ---- masks ----------------------------------------------------------------------------------- */

static uint64_t *mask(const Exec *p, uint32_t operand) {
  uint32_t rejoin = p->wave->wave->masks;
  uint32_t index = operand < rejoin ? operand : rejoin + (SR_WAVE_EXEC - operand);
  return &p->masks[(size_t)index * p->words];
}

static bool any(const uint64_t *m, uint32_t words) {
  uint64_t all = 0;
  for (EMU_WORDS(i, words))
    all |= m[i];
  return all != 0;
}

static uint64_t evaluate(SrWaveOp op, uint64_t a, uint64_t b) {
  switch (op) {
  case SR_WAVE_AND:
    return a & b;
  case SR_WAVE_ANDN2:
    return a & ~b;
  case SR_WAVE_OR:
    return a | b;
  default:
    return a;
  }
}

static void run_mask(Exec *p, const SrWaveInst *i) {
  uint64_t *dst = mask(p, i->dst), *a = mask(p, i->a);
  uint64_t *b = i->op == SR_WAVE_MOV ? a : mask(p, i->b);
  bool joins = i->op == SR_WAVE_OR && i->dst == SR_WAVE_EXEC;
  if (i->op == SR_WAVE_OR && any(a, p->words) && any(b, p->words))
    p->counts->reconvergences++; /* they meet in EXEC, or where they wait */
  for (EMU_WORDS(w, p->words)) {
    dst[w] = evaluate((SrWaveOp)i->op, a[w], b[w]);
    if (i->dst == SR_WAVE_EXEC)
      dst[w] &= p->live.w[w];
  }
  if (i->dst < p->wave->wave->masks)
    p->held[i->dst] = true;
  if (joins && i->b < p->wave->wave->masks)
    p->held[i->b] = false;
  p->counts->masks++;
  p->counts->added++;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* The table's entry for the block that lanes went to; the first entry if there are no lanes. */
static uint32_t look_up(const Exec *p, const SrWaveInst *i) {
  uint32_t low = i->target, high = i->target + i->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->wave->place_for[middle] < p->to)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < i->target + i->count && p->wave->place_for[low] == p->to;
  return found ? low : i->target;
}

/* Only an edited listing can nest more calls than there are functions; then the wave ends. */
static void call(Exec *p, const SrWaveInst *i) {
  if (p->returns.count >= p->wave->depth) {
    p->done = true;
    return;
  }
  SR_PUSH(p->arena, &p->returns, p->at + 1);
  p->at = p->wave->place[i->target];
}

static void come_back(Exec *p) {
  if (p->returns.count)
    p->at = SR_POP(&p->returns);
  else
    p->done = true;
}

static bool is_taken(Exec *p, SrWaveOp op) {
  bool uniform = op == SR_WAVE_SCC0 || op == SR_WAVE_SCC1;
  p->lost |= uniform && !emu_mask_any(&p->live, p->words);
  bool lanes = any(mask(p, SR_WAVE_EXEC), p->words);
  return op == SR_WAVE_EXECZ    ? !lanes
         : op == SR_WAVE_EXECNZ ? lanes
         : op == SR_WAVE_SCC0   ? !p->scc
         : op == SR_WAVE_SCC1   ? p->scc
                                : true;
}

static void run_branch(Exec *p, const SrWaveInst *i) {
  if (!p->own) {
    p->counts->branches++;
    p->counts->added++;
  }
  p->own = false;
  if (i->op == SR_WAVE_CALL)
    call(p, i);
  else if (i->op == SR_WAVE_RETURN)
    come_back(p);
  else if (i->op == SR_WAVE_END)
    p->done = true;
  else if (i->op == SR_WAVE_TABLE)
    p->at = p->wave->place[look_up(p, i)];
  else
    p->at = is_taken(p, (SrWaveOp)i->op) ? p->wave->place[i->target] : p->at + 1;
}

/* ---- the policy ------------------------------------------------------------------------------ */

/* Runs to the next body; every cycle has one. */
static void settle(Exec *p) {
  while (!p->done) {
    const SrWaveInst *i = &p->wave->wave->code.at[p->at];
    if (i->op == SR_WAVE_BODY) {
      p->done = p->wave->block[p->at] == SR_NONE;
      return;
    }
    if (sr_wave_is_mask_op(i)) {
      run_mask(p, i);
      p->at++;
    } else {
      run_branch(p, i);
    }
  }
}

static void start(void *policy, const EmuMask *on) {
  Exec *p = policy;
  uint32_t masks = p->wave->wave->masks;
  memset(p->masks, 0xff, (size_t)masks * p->words * sizeof *p->masks);
  memset(&p->masks[(size_t)masks * p->words], 0, (size_t)3 * p->words * sizeof *p->masks);
  memset(p->held, 0, masks * sizeof *p->held);
  memcpy(mask(p, SR_WAVE_EXEC), on->w, p->words * sizeof *p->masks);
  emu_mask_copy(&p->live, on, p->words);
  p->at = p->wave->start;
  p->scc = p->own = p->lost = false;
  p->to = SR_NONE;
  p->returns.count = 0;
  p->done = !emu_mask_any(on, p->words);
  settle(p);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  const Exec *p = policy;
  if (p->done)
    return false;
  *block = p->wave->block[p->at];
  memcpy(on->w, mask(p, SR_WAVE_EXEC), p->words * sizeof *p->masks);
  return true;
}

static void went(void *policy, const EmuWent *w) {
  Exec *p = policy;
  uint32_t from = p->at, depth = p->returns.count;
  uint64_t *exec = mask(p, SR_WAVE_EXEC), *vcc = mask(p, SR_WAVE_VCC);
  uint32_t primary = p->wave->primary[p->at];
  emu_mask_drop(&p->live, &w->gone, p->words);
  for (EMU_WORDS(i, p->words)) {
    exec[i] &= p->live.w[i];
    vcc[i] = 0;
  }
  for (uint32_t i = 0; i < w->count; i++)
    if (w->targets[i].block == primary)
      memcpy(vcc, w->targets[i].lanes.w, p->words * sizeof *vcc);
  p->to = w->count ? w->targets->block : SR_NONE;
  p->scc = w->count && p->to == p->wave->first[p->at];
  p->own = true;
  p->counts->branches++;
  p->at++;
  settle(p);
  /* With no lane left (all were killed, or were helper lanes of quads that have ended), a loop with
   * a uniform condition would never end, since nothing computes the condition. */
  if (p->lost && p->at <= from && p->returns.count <= depth)
    p->done = true;
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Exec *p = policy;
  EmuMask left = p->live;
  for (EMU_WORDS(i, p->words))
    left.w[i] &= ~mask(p, SR_WAVE_EXEC)[i];
  for (uint32_t m = 0; m < p->wave->wave->masks; m++) {
    EmuMask here = left;
    for (EMU_WORDS(i, p->words))
      here.w[i] &= mask(p, m)[i];
    if (!p->held[m] || p->wave->home[m] == SR_NONE || !emu_mask_any(&here, p->words))
      continue;
    tell(user, p->wave->home[m], &here);
    emu_mask_drop(&left, &here, p->words);
  }
}

/* Counts mask instructions, and branches that are not the first after a body. */
static uint32_t count_code(SrArena *arena, const EmuBlockTable *table) {
  (void)arena;
  const EmuWave *program = table->program;
  const SrWave *wave = program->wave;
  uint32_t count = 0;
  bool own = false;
  for (uint32_t i = 0; i < wave->code.count; i++) {
    const SrWaveInst *inst = &wave->code.at[i];
    bool body = inst->op == SR_WAVE_BODY, masks = sr_wave_is_mask_op(inst);
    count += !body && (masks || !own);
    own = body || (own && masks);
  }
  return count;
}

const EmuPolicy emu_policy_exec = {
    .name = "exec",
    .purpose = "the wave-level program: EXEC and rejoin masks, scalar branches",
    .scalar_code = true,
    .options = options,
    .program = &wave_program,
    .refuses = refuses,
    .code = count_code,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .waiting = waiting,
    .rule = "the program has cleared their bits in EXEC",
};
