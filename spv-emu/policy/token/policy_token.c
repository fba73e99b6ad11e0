/* SPDX-License-Identifier: Apache-2.0 */
/* policy_token: `ssy`, the token stack of Nvidia's machines from Tesla to Maxwell (Białas and
 * Strzelecki, Benchmarking the cost of thread divergence in CUDA, PPAM 2015, section III, after
 * Coon et al., US patent 8,312,254). Runs the program of token_place.h.
 *
 * The machine has the mask of the active lanes, a program counter and a stack of tokens: mask,
 * kind, program counter. The stack starts empty.
 *
 *   SSY, PBK, PCNT   push a token with the mask and the PC to continue at
 *   predicated BRA   if all lanes go to one target, that is the new PC. Else (algorithm 1) a DIV
 *                    token with the target is pushed for the lanes that do not go first, one for
 *                    each further arm of a switch
 *   .S               (algorithm 2) a token is popped; its mask and PC are the new ones. The
 *                    carrier, which has the .S, is issued with the new mask
 *   BRK, CONT        the lanes are inactive until the token of PBK or PCNT is popped; if no lane is
 *                    active, a token is popped
 *   CAL              pushes a token with the PC after the call
 *   RET              the lanes are inactive until the token of CAL is popped; since no lane is
 *                    active, a token is popped
 *   EXIT             the lanes have ended; if no lane is active, a token is popped
 *
 * Lanes that have ended are removed from the mask of a popped token. If it has no other lanes, the
 * next token is popped, too; each costs a pop.
 *
 * Overhead is the instructions that are in no block of the program: SSY, PBK, PCNT and carriers.
 * BRK and CONT are their blocks' branches. */
#include "spv-emu/policy/policy_groups.h"
#include "spv-emu/policy/token/token_place.h"

typedef enum TokenKind {
  TOKEN_SYNC = EMU_REGION_SYNC,
  TOKEN_BREAK = EMU_REGION_BREAK,
  TOKEN_CONT = EMU_REGION_CONT,
  TOKEN_CALL,
  TOKEN_DIV,
} TokenKind;

typedef struct Token {
  uint8_t kind;
  bool met;       /* not for DIV: lanes have reached the point */
  uint32_t outer; /* not for DIV: the token of the outer region, or SR_NONE */
  uint32_t to;    /* instruction */
  EmuMask lanes;
} Token;

typedef struct Ssy {
  SrArena *arena;
  const EmuTokens *tokens;
  const EmuBlockTable *table;
  EmuPolicyCounts *counts;
  uint32_t words;
  uint32_t at;     /* the instruction to run; after settle() a body */
  uint32_t last;   /* `at` at the last call of `returns` */
  uint32_t region; /* the token of the innermost region, or SR_NONE */
  bool done;
  EmuMask on, live;
  SR_VEC(Token) stack;
  SR_VEC(uint32_t) by_rank; /* of a branch, by rank: targets */
  /* Only with a log: the tokens of the current instruction. */
  SR_VEC(EmuStackEntry) noted;
  SR_VEC(EmuMask) masks;
} Ssy;

static SrStatus place(const EmuPlacing *from, const void **program, const char **refused) {
  *program = emu_tokens_place(from->arena, from->table, refused);
  return SR_OK;
}

static void print(const void *program, const EmuBlockTable *table, SrText *text) {
  emu_tokens_print(program, table, text);
}

static const EmuPolicyProgram token_program = {
    .dump = "--dump-tokens",
    .dump_help = "  --dump-tokens=FILE   policy ssy: the program that it runs, - for standard\n"
                 "                       output\n",
    .listing = SR_NONE,
    .place = place,
    .print = print,
};

static const char *refuses(SrArena *arena, const EmuBlockTable *table) {
  const char *why;
  return emu_policy_program(&token_program, arena, table, &why) ? NULL : why;
}

/* SSY, PBK, PCNT and carriers. */
static uint32_t count_code(SrArena *arena, const EmuBlockTable *table) {
  const char *why;
  const EmuTokens *tokens = emu_policy_program(&token_program, arena, table, &why);
  uint32_t count = 0;
  for (uint32_t i = 0; i < tokens->code.count; i++) {
    uint8_t op = tokens->code.at[i].op;
    count += op == EMU_TOKEN_PUSH || op == EMU_TOKEN_SYNC;
  }
  return count;
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  (void)plan;
  Ssy *p = SR_NEW(arena, Ssy, 1);
  const char *why;
  *p = (Ssy){.arena = arena,
             .tokens = emu_policy_program(&token_program, arena, table, &why),
             .table = table,
             .counts = counts,
             .words = emu_mask_words(lanes)};
  return p;
}

/* ---- logging --------------------------------------------------------------------------------- */

/* Notes that a token is pushed or popped. */
static void note(Ssy *p, const Token *t) {
  if (!p->counts->log)
    return;
  SR_RESERVE(p->arena, &p->masks, 1);
  emu_mask_copy(&p->masks.at[p->masks.count++], &t->lanes, p->words);
  SR_PUSH(p->arena, &p->noted,
          (EmuStackEntry){.next = emu_tokens_block(p->tokens, t->to), .rejoin = SR_NONE});
}

/* Reports an instruction that has pushed or popped the noted tokens. */
static void tell_step(Ssy *p, const char *name, bool ends, bool pushes) {
  if (!p->counts->log)
    return;
  uint32_t count = p->noted.count;
  for (uint32_t i = 0; i < count; i++)
    p->noted.at[i].lanes = &p->masks.at[i];
  const EmuStackStep step = {.name = name,
                             .added = !ends,
                             .ends = ends,
                             .popped = pushes ? 0 : count,
                             .pushed = pushes ? count : 0,
                             .entries = p->noted.at};
  emu_log_step(p->counts, &step);
  p->noted.count = p->masks.count = 0;
}

/* ---- the stack ------------------------------------------------------------------------------- */

static void push(Ssy *p, TokenKind kind, const EmuMask *lanes, uint32_t to) {
  SR_RESERVE(p->arena, &p->stack, 1);
  Token *t = &p->stack.at[p->stack.count++];
  t->kind = (uint8_t)kind;
  t->met = false;
  t->to = to;
  emu_mask_copy(&t->lanes, lanes, p->words);
  if (kind != TOKEN_DIV) {
    t->outer = p->region;
    p->region = p->stack.count - 1;
  }
  if (p->counts->max_depth < p->stack.count)
    p->counts->max_depth = p->stack.count;
  emu_count_pushes(p->counts, 1);
  note(p, t);
}

/* Pops until lanes are active. Returns the kind of the last token. */
static TokenKind pop(Ssy *p) {
  TokenKind kind = TOKEN_SYNC;
  while (p->stack.count) {
    Token *t = &SR_POP(&p->stack);
    kind = (TokenKind)t->kind;
    if (kind != TOKEN_DIV)
      p->region = t->outer;
    p->at = t->to;
    emu_mask_copy(&p->on, &t->lanes, p->words);
    emu_mask_keep(&p->on, &p->live, p->words);
    emu_count_pops(p->counts, 1);
    note(p, t);
    if (emu_mask_any(&p->on, p->words))
      return kind;
  }
  p->done = true;
  return kind;
}

/* Lanes have reached the point of the innermost region. */
static void meet(Ssy *p) {
  Token *t = &p->stack.at[p->region];
  p->counts->reconvergences += t->met;
  t->met = true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void run_sync(Ssy *p) {
  meet(p);
  p->counts->carriers += pop(p) == TOKEN_DIV;
  p->counts->added++;
  tell_step(p, "SYNC", false, false);
}

static void run_push(Ssy *p, const EmuTokenInst *i) {
  push(p, (TokenKind)i->kind, &p->on, i->to);
  p->counts->added++;
  p->at++;
  tell_step(p, emu_push_name(i->kind), false, true);
}

/* Runs to the next body; every cycle has one. */
static void settle(Ssy *p) {
  while (!p->done) {
    const EmuTokenInst *i = &p->tokens->code.at[p->at];
    if (i->op == EMU_TOKEN_BODY)
      return;
    if (i->op == EMU_TOKEN_PUSH)
      run_push(p, i);
    else if (i->op == EMU_TOKEN_SYNC)
      run_sync(p);
    else
      p->at = i->to;
  }
}

/* ---- branches -------------------------------------------------------------------------------- */

static const EmuTokenArm *arm_for(const Ssy *p, const EmuTokenInst *i, uint32_t block) {
  const EmuTokenArm *arms = &p->tokens->arms.at[i->arm];
  uint32_t low = 0, high = i->arms;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (arms[middle].block <= block)
      low = middle;
    else
      high = middle;
  }
  return &arms[low];
}

/* Makes the lanes that break or continue inactive; collects the targets of the others, by rank. */
static void part(Ssy *p, const EmuTokenInst *i, const EmuWent *w) {
  p->by_rank.count = 0;
  for (uint32_t k = 0; k < w->count; k++) {
    const EmuTokenArm *arm = arm_for(p, i, w->targets[k].block);
    if (arm->to == SR_NONE) {
      meet(p);
      continue;
    }
    uint32_t at = p->by_rank.count;
    SR_PUSH(p->arena, &p->by_rank, k);
    for (; at && arm_for(p, i, w->targets[p->by_rank.at[at - 1]].block)->rank > arm->rank; at--)
      p->by_rank.at[at] = p->by_rank.at[at - 1];
    p->by_rank.at[at] = k;
  }
}

static void branch(Ssy *p, const EmuTokenInst *i, const EmuWent *w) {
  part(p, i, w);
  if (!p->by_rank.count) {
    pop(p);
    tell_step(p, emu_leave_name(i->kind), true, false);
    return;
  }
  for (uint32_t k = p->by_rank.count; k-- > 0;) {
    const EmuTarget *t = &w->targets[p->by_rank.at[k]];
    uint32_t to = arm_for(p, i, t->block)->to;
    if (k) {
      emu_log_divergence(p->counts, 1);
      push(p, TOKEN_DIV, &t->lanes, to);
    } else {
      emu_mask_copy(&p->on, &t->lanes, p->words);
      p->at = to;
    }
  }
  tell_step(p, "BRA", true, true);
}

static void call(Ssy *p, const EmuTokenInst *i, const EmuTarget *t) {
  push(p, TOKEN_CALL, &t->lanes, i->to);
  emu_mask_copy(&p->on, &t->lanes, p->words);
  p->at = p->tokens->entry[p->table->function[t->block]];
  tell_step(p, "CAL", true, true);
}

/* The active lanes leave: they have returned or ended. */
static void leave(Ssy *p, bool returned) {
  if (returned)
    meet(p);
  pop(p);
  tell_step(p, returned ? "RET" : "EXIT", true, false);
}

/* ---- the policy ------------------------------------------------------------------------------ */

static void start(void *policy, const EmuMask *on) {
  Ssy *p = policy;
  emu_mask_copy(&p->on, on, p->words);
  emu_mask_copy(&p->live, on, p->words);
  p->stack.count = 0;
  p->region = SR_NONE;
  p->done = !emu_mask_any(on, p->words);
  p->at = p->tokens->entry[p->table->entry_function];
  settle(p);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  const Ssy *p = policy;
  if (p->done)
    return false;
  *block = p->tokens->code.at[p->at].block;
  emu_mask_copy(on, &p->on, p->words);
  return true;
}

static void went(void *policy, const EmuWent *w) {
  Ssy *p = policy;
  emu_mask_drop(&p->live, &w->gone, p->words);
  emu_mask_keep(&p->on, &p->live, p->words);
  p->at++;
  while (p->tokens->code.at[p->at].op == EMU_TOKEN_PUSH)
    run_push(p, &p->tokens->code.at[p->at]);
  const EmuTokenInst *i = &p->tokens->code.at[p->at];
  if (!w->count || w->kind == EMU_WENT_RETURN)
    leave(p, w->count != 0);
  else if (w->kind == EMU_WENT_CALL)
    call(p, i, w->targets);
  else
    branch(p, i, w);
  settle(p);
}

static bool stays(void *policy, uint32_t to, bool *joined) {
  (void)joined;
  Ssy *p = policy;
  const EmuTokenInst *i = &p->tokens->code.at[p->at + 1];
  if (i->op != EMU_TOKEN_BRANCH)
    return false;
  uint32_t place = arm_for(p, i, to)->to;
  if (place == SR_NONE || p->tokens->code.at[place].op != EMU_TOKEN_BODY)
    return false;
  p->at = place;
  return true;
}

/* EmuPolicy.waiting. The lanes that wait at a token are those of its mask that are neither active
 * nor wait at a token above it. */
static bool returns(void *policy) {
  Ssy *p = policy;
  bool same = p->at == p->last;
  p->last = p->at;
  return same;
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Ssy *p = policy;
  EmuMask left, here;
  emu_mask_copy(&left, &p->live, p->words);
  emu_mask_drop(&left, &p->on, p->words);
  for (uint32_t i = p->stack.count; i-- > 0;) {
    const Token *t = &p->stack.at[i];
    emu_mask_copy(&here, &t->lanes, p->words);
    emu_mask_keep(&here, &left, p->words);
    emu_mask_drop(&left, &here, p->words);
    if (emu_mask_any(&here, p->words))
      tell(user, emu_tokens_block(p->tokens, t->to), &here);
  }
}

const EmuPolicy emu_policy_ssy = {
    .name = "ssy",
    .purpose = "the token stack: SSY, predicated branches, .S carriers, PBK, BRK",
    .stacked = true,
    .starts_empty = true,
    .program = &token_program,
    .logs_divergence = true,
    .meets_in_place = true,
    .refuses = refuses,
    .code = count_code,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .stays = stays,
    .returns = returns,
    .waiting = waiting,
    .rule = "another entry of the token stack runs first",
};
