/* SPDX-License-Identifier: Apache-2.0 */
/* Policy exec: the wave-level program that it runs, from the module and from listings, unchanged
 * and edited; its counts; the listings that it refuses. */
#include "tests/unit/unit.h"

#include <spv-emu/spv_emu.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8, WORDS = 64, MESSAGE = 512 };

/* Buffer 0:0 is written: out[i]; buffer 0:1 is read-only, so loads at one address are uniform. */
static const char head[] = "; Version: 1.3\n"
                           "OpCapability Shader\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %1 \"main\" %2\n"
                           "OpExecutionMode %1 LocalSize 8 1 1\n"
                           "OpDecorate %2 BuiltIn LocalInvocationIndex\n"
                           "OpDecorate %3 ArrayStride 4\n"
                           "OpDecorate %4 BufferBlock\n"
                           "OpMemberDecorate %4 0 Offset 0\n"
                           "OpDecorate %5 DescriptorSet 0\n"
                           "OpDecorate %5 Binding 0\n"
                           "OpDecorate %6 DescriptorSet 0\n"
                           "OpDecorate %6 Binding 1\n"
                           "OpDecorate %6 NonWritable\n"
                           "%7 = OpTypeVoid\n"
                           "%8 = OpTypeFunction %7\n"
                           "%9 = OpTypeInt 32 0\n"
                           "%62 = OpTypeFunction %9 %9\n"
                           "%10 = OpTypeBool\n"
                           "%11 = OpConstant %9 0\n"
                           "%12 = OpConstant %9 1\n"
                           "%13 = OpConstant %9 2\n"
                           "%14 = OpConstant %9 4\n"
                           "%15 = OpConstant %9 100\n"
                           "%16 = OpConstant %9 264\n"
                           "%3 = OpTypeRuntimeArray %9\n"
                           "%4 = OpTypeStruct %3\n"
                           "%17 = OpTypePointer Uniform %4\n"
                           "%18 = OpTypePointer Uniform %9\n"
                           "%19 = OpTypePointer Input %9\n"
                           "%2 = OpVariable %19 Input\n"
                           "%5 = OpVariable %17 Uniform\n"
                           "%6 = OpVariable %17 Uniform\n"
                           "%1 = OpFunction %7 None %8\n"
                           "%20 = OpLabel\n"
                           "%21 = OpLoad %9 %2\n"
                           "%22 = OpAccessChain %18 %5 %11 %21\n"
                           "%23 = OpAccessChain %18 %6 %11 %11\n"
                           "%24 = OpLoad %9 %23\n" /* uniform */
                           "%25 = OpULessThan %10 %21 %14\n";

/* Lanes 0 to 3 enter the outer block; all of these except lane 1 enter the inner one, to which a
 * uniform branch may lead, too. */
static const char nest[] = "OpSelectionMerge %49 None\n"
                           "OpBranchConditional %25 %30 %49\n"
                           "%30 = OpLabel\n"
                           "%31 = OpIEqual %10 %24 %12\n"
                           "%32 = OpIEqual %10 %21 %12\n"
                           "OpSelectionMerge %45 None\n"
                           "OpBranchConditional %31 %33 %45\n"
                           "%33 = OpLabel\n"
                           "OpSelectionMerge %40 None\n"
                           "OpBranchConditional %32 %40 %34\n"
                           "%34 = OpLabel\n"
                           "OpStore %22 %13\n"
                           "OpBranch %40\n"
                           "%40 = OpLabel\n"
                           "OpBranch %45\n"
                           "%45 = OpLabel\n"
                           "%46 = OpLoad %9 %22\n"
                           "%47 = OpIAdd %9 %46 %15\n"
                           "OpStore %22 %47\n"
                           "OpBranch %49\n"
                           "%49 = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

/* ---- running --------------------------------------------------------------------------------- */

typedef struct Shot {
  spv_emu_status status;
  char message[MESSAGE]; /* where the status is not OK */
  spv_emu_result *result;
  uint32_t out[WORDS], in[WORDS];
} Shot;

typedef struct Fixture {
  spvreconv_result *lowered; /* the words, and the listing */
  const char *listing;
  spv_emu_program *program;
} Fixture;

static void set_up(Fixture *f, const char *body, const char *lowering) {
  char text[1 << 14];
  snprintf(text, sizeof text, "%s%s", head, body);
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.want = SPVRECONV_WANT_WAVE;
  options.lowering = lowering;
  if (spvreconv_run_text(&options, text, strlen(text), &f->lowered) != SPVRECONV_OK)
    fail_msg("%s", spvreconv_result_message(f->lowered));
  f->listing = spvreconv_result_text(f->lowered, SPVRECONV_WANT_WAVE);
  const spv_emu_load_options load = {.subgroup_size = LANES, .check_uniform = true};
  char message[MESSAGE];
  size_t count;
  const uint32_t *words = spvreconv_result_words(f->lowered, &count);
  if (spv_emu_load(words, count, &load, &f->program, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s", message);
}

static void tear_down(Fixture *f) {
  spv_emu_free(f->program);
  spvreconv_result_destroy(f->lowered);
}

/* in[0] is `uniform`, the rest zeros. */
static void shoot(const Fixture *f, Shot *s, spv_emu_run_options options, uint32_t uniform) {
  *s = (Shot){.in = {uniform}};
  spv_emu_buffer buffers[] = {{0, 0, 0, s->out, sizeof s->out}, {0, 1, 0, s->in, sizeof s->in}};
  options.groups[0] = options.groups[1] = options.groups[2] = 1;
  options.buffers = buffers;
  options.buffer_count = 2;
  options.max_issues = 100000;
  s->status = spv_emu_run(f->program, &options, &s->result, s->message, sizeof s->message);
}

static void shoot_exec(const Fixture *f, Shot *s, const char *listing, uint32_t uniform) {
  shoot(f, s,
        (spv_emu_run_options){
            .policy = "exec", .choices = &(spv_emu_choice){"--wave", listing}, .choice_count = 1},
        uniform);
}

static void expect_out(const Shot *s, const uint32_t *want, uint32_t count) {
  assert_int_equal(s->status, SPV_EMU_OK);
  assert_int_equal(s->result->outcome, SPV_EMU_RAN);
  for (uint32_t i = 0; i < count; i++)
    if (s->out[i] != want[i])
      fail_msg("out[%u] is %u, not %u", i, s->out[i], want[i]);
}

static void drop_shot(Shot *s) {
  spv_emu_result_free(s->result);
}

/* The listing with the nth line that holds `from` changed: `from` in it to `to`. To be freed. */
static char *edited(const char *listing, uint32_t nth, const char *from, const char *to) {
  const char *at = listing - 1;
  for (uint32_t i = 0; i <= nth; i++)
    if (!(at = strstr(at + 1, from)))
      fail_msg("the listing has no '%s' number %u:\n%s", from, nth, listing);
  char *text = malloc(strlen(listing) + strlen(to) + 1);
  size_t before = (size_t)(at - listing);
  memcpy(text, listing, before);
  strcpy(text + before, to);
  strcat(text, at + strlen(from));
  return text;
}

/* ---- what it does ---------------------------------------------------------------------------- */

static const uint32_t inside[LANES] = {102, 100, 102, 102}, around[LANES] = {100, 100, 100, 100};

static void runs_the_program(void **state) {
  (void)state;
  static const char *const lowerings[] = {NULL,           "needed-skips",
                                          "flow-blocks",  "flow-blocks,needed-skips",
                                          "branch-masks", "branch-masks,flow-blocks"};
  for (uint32_t i = 0; i < sizeof lowerings / sizeof *lowerings; i++) {
    Fixture f;
    Shot s;
    set_up(&f, nest, lowerings[i]);
    for (uint32_t uniform = 0; uniform < 2; uniform++) {
      shoot_exec(&f, &s, NULL, uniform);
      expect_out(&s, uniform ? inside : around, LANES);
      drop_shot(&s);
      shoot_exec(&f, &s, f.listing, uniform);
      expect_out(&s, uniform ? inside : around, LANES);
      drop_shot(&s);
    }
    tear_down(&f);
  }
}

/* One mask instruction in the listing is changed; the lanes run as it says. */
static void runs_what_is_edited(void **state) {
  (void)state;
  static const struct {
    uint32_t nth;
    const char *from, *to;
    uint32_t want[LANES];
  } edits[] = {
      {0,
       "s_andn2_b64     exec, exec, vcc",
       "s_and_b64 exec, exec, vcc",
       {0, 0, 0, 0, 102, 102, 102, 102}},
      {0, "s_andn2_b64     exec, exec, vcc", "", {102, 100, 102, 102, 102, 102, 102, 102}},
      {1, "s_andn2_b64     exec, exec, vcc", "s_mov_b64 exec, vcc", {0, 102, 0, 0}},
      {0, "s_or_b64        exec, exec", "s_and_b64 exec, exec", {2, 0, 2, 2}},
      {0, "s_or_b64        exec, exec", "s_or_b64 vcc, exec", {102, 0, 102, 102}},
      {0, "s_mov_b64       s[2:3], vcc", "", {102, 100, 102, 102, 100, 100, 100, 100}},
  };
  Fixture f;
  set_up(&f, nest, NULL);
  for (uint32_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    char *text = edited(f.listing, edits[i].nth, edits[i].from, edits[i].to);
    Shot s;
    shoot_exec(&f, &s, text, 1);
    expect_out(&s, edits[i].want, LANES);
    drop_shot(&s);
    free(text);
  }
  tear_down(&f);
}

/* With needed skips the inner store and the uniform values there are issued without lanes; the
 * scalar load would be out of bounds. */
static void without_lanes(void **state) {
  (void)state;
  static const char body[] = "%29 = OpUGreaterThan %10 %21 %15\n" /* no lane */
                             "OpSelectionMerge %49 None\n"
                             "OpBranchConditional %29 %30 %49\n"
                             "%30 = OpLabel\n"
                             "%31 = OpAccessChain %18 %6 %11 %16\n"
                             "%32 = OpLoad %9 %31\n"
                             "%33 = OpUDiv %9 %12 %24\n"
                             "OpStore %22 %32\n"
                             "OpBranch %49\n"
                             "%49 = OpLabel\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n";
  Fixture f;
  Shot s, skips;
  set_up(&f, body, NULL);
  shoot(&f, &skips, (spv_emu_run_options){.policy = "exec", .strict = true}, 0);
  shoot(&f, &s,
        (spv_emu_run_options){.policy = "exec",
                              .strict = true,
                              .choices = &(spv_emu_choice){"--lowering", "needed-skips"},
                              .choice_count = 1},
        0);
  static const uint32_t zeros[LANES];
  expect_out(&s, zeros, LANES);
  expect_out(&skips, zeros, LANES);
  assert_int_equal(s.result->out_of_bounds, 0);
  assert_int_equal(skips.result->noop_issues, 0);
  assert_int_equal(s.result->noop_issues, 2); /* the store, and the block's OpBranch */
  assert_int_equal(s.result->scalar_issues, skips.result->scalar_issues + 3);
  assert_int_equal(s.result->issued, skips.result->issued + 5);
  assert_int_equal(s.result->lane_instructions, skips.result->lane_instructions);
  assert_null(strstr(f.listing, "v_div"));
  assert_non_null(strstr(f.listing, "s_div_u32"));
  drop_shot(&s);
  drop_shot(&skips);
  tear_down(&f);
}

static void counts(void **state) {
  (void)state;
  Fixture f;
  Shot s, pdom;
  set_up(&f, nest, NULL);
  shoot_exec(&f, &s, NULL, 1);
  shoot(&f, &pdom, (spv_emu_run_options){.policy = "pdom"}, 1);
  /* mov, andn2 and or for two masks; none for the mask that the uniform branch clears, since that
   * branch skips it; only the blocks' own branches */
  assert_int_equal(s.result->overhead, 6);
  assert_int_equal(s.result->issued, pdom.result->issued + 6);
  assert_int_equal(s.result->lane_instructions, pdom.result->lane_instructions);
  assert_int_equal(s.result->scalar_issues, 3 + 6); /* two chains and loads, a comparison */
  assert_int_equal(s.result->branch_issues, 7);     /* one for each block */
  assert_int_equal(s.result->reconvergences, 2);
  assert_int_equal(s.result->divergent_branches, 2);
  assert_int_equal(pdom.result->scalar_issues, 0);
  drop_shot(&s);
  drop_shot(&pdom);
  tear_down(&f);
}

/* A uniform OpSwitch is one scalar branch. */
static void table(void **state) {
  (void)state;
  static const char body[] = "OpSelectionMerge %49 None\n"
                             "OpSwitch %24 %33 7 %30 9 %31 8 %30\n"
                             "%30 = OpLabel\n"
                             "OpStore %22 %12\n"
                             "OpBranch %49\n"
                             "%31 = OpLabel\n"
                             "OpStore %22 %13\n"
                             "OpBranch %33\n"
                             "%33 = OpLabel\n"
                             "%34 = OpLoad %9 %22\n"
                             "%35 = OpIAdd %9 %34 %15\n"
                             "OpStore %22 %35\n"
                             "OpBranch %49\n"
                             "%49 = OpLabel\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n";
  Fixture f;
  set_up(&f, body, NULL);
  assert_non_null(strstr(f.listing, "s_branch_table  %24, @33, @30, @31  ; 7 @30, 9 @31, 8 @30\n"));
  static const uint32_t results[][2] = {{0, 100}, {7, 1}, {8, 1}, {9, 102}, {10, 100}};
  for (uint32_t i = 0; i < sizeof results / sizeof *results; i++)
    for (uint32_t k = 0; k < 2; k++) {
      Shot s;
      shoot_exec(&f, &s, k ? f.listing : NULL, results[i][0]);
      expect_out(&s, &results[i][1], 1);
      drop_shot(&s);
    }
  char *text = edited(f.listing, 0, "@33, @30, @31", "@33, @31, @30");
  Shot s;
  shoot_exec(&f, &s, text, 9);
  expect_out(&s, (const uint32_t[]){1}, 1);
  drop_shot(&s);
  free(text);
  tear_down(&f);
}

/* A callee runs with the caller's lanes, as a region of its own. */
static void calls(void **state) {
  (void)state;
  static const char body[] = "OpSelectionMerge %49 None\n"
                             "OpBranchConditional %25 %30 %49\n"
                             "%30 = OpLabel\n"
                             "%31 = OpFunctionCall %9 %60 %21\n"
                             "%32 = OpFunctionCall %9 %60 %31\n"
                             "OpStore %22 %32\n"
                             "OpBranch %49\n"
                             "%49 = OpLabel\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n"
                             "%60 = OpFunction %9 None %62\n"
                             "%63 = OpFunctionParameter %9\n"
                             "%64 = OpLabel\n"
                             "%65 = OpULessThan %10 %63 %13\n"
                             "OpSelectionMerge %68 None\n"
                             "OpBranchConditional %65 %66 %68\n"
                             "%66 = OpLabel\n"
                             "%67 = OpIAdd %9 %63 %15\n"
                             "OpBranch %68\n"
                             "%68 = OpLabel\n"
                             "%69 = OpPhi %9 %63 %64 %67 %66\n"
                             "%70 = OpIAdd %9 %69 %12\n"
                             "OpReturnValue %70\n"
                             "OpFunctionEnd\n";
  Fixture f;
  set_up(&f, body, NULL);
  static const uint32_t want[LANES] = {102, 103, 4, 5};
  for (uint32_t k = 0; k < 2; k++) {
    Shot s;
    shoot_exec(&f, &s, k ? f.listing : NULL, 0);
    expect_out(&s, want, LANES);
    drop_shot(&s);
  }
  tear_down(&f);
}

/* ---- what it refuses ------------------------------------------------------------------------- */

static void not_reconverging(void **state) {
  (void)state;
  static const char body[] = "OpSelectionMerge %49 None\n"
                             "OpBranchConditional %25 %30 %31\n"
                             "%30 = OpLabel\n"
                             "OpBranch %49\n"
                             "%31 = OpLabel\n"
                             "OpBranch %49\n"
                             "%49 = OpLabel\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n";
  char text[1 << 14], message[MESSAGE];
  snprintf(text, sizeof text, "%s%s", head, body);
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  Fixture f;
  assert_int_equal(spvreconv_run_text(&options, text, strlen(text), &f.lowered), SPVRECONV_OK);
  size_t count;
  const uint32_t *words = spvreconv_result_words(f.lowered, &count);
  const spv_emu_load_options load = {.subgroup_size = LANES};
  assert_int_equal(spv_emu_load(words, count, &load, &f.program, message, sizeof message),
                   SPV_EMU_OK);
  Shot s;
  shoot_exec(&f, &s, NULL, 0);
  assert_int_equal(s.status, SPV_EMU_OK);
  assert_int_equal(s.result->outcome, SPV_EMU_SKIP);
  assert_string_equal(s.result->message,
                      "function main, block %20: the branch diverges and no successor "
                      "post-dominates it: the function is not reconverging "
                      "(--transform=reconverge makes it so)");
  drop_shot(&s);
  shoot(&f, &s,
        (spv_emu_run_options){.policy = "exec",
                              .choices = &(spv_emu_choice){"--lowering", "wishful"},
                              .choice_count = 1},
        0);
  assert_int_equal(s.status, SPV_EMU_BAD_INPUT);
  assert_string_equal(
      s.message,
      "unknown lowering 'wishful'; lowerings are needed-skips, flow-blocks, branch-masks");
  tear_down(&f);
}

static void listings_refused(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *message;
  } edits[] = {
      {"v_cmp_lt_u32", "v_cmp_gt_u32", "the module's own instructions cannot be edited"},
      {".vcc            %25, @49", ".vcc %32, @49",
       "this is not the condition of the block's branch"},
      {".vcc            %25, @49", ".vcc %25, @45", "the branch has no such target"},
      {".vcc            %25, @49", "", "this is not the condition of the block's branch"},
      {".block          %34", ".block %98", "the module has no such block"},
      {".block          %34", ".block %34, 1", "the block has no such part"},
      {"s_cbranch_execz @49", "s_cbranch_execz @50", "the label that it leads to is not defined"},
      {"s_cbranch_execz @49", "s_cbranch_execz 49", "a label is missing, such as @12"},
      {"s_cbranch_execz @49", "s_cbranch_execz @49 now", "there is text after the instruction"},
      {"s_cbranch_execz @49", "s_hop @49", "there is no such instruction here"},
      {"s_cbranch_execz @49", "s_mov_b64 s[1:2], 0", "masks are pairs of registers"},
      {"s_cbranch_execz @49", "s_mov_b64 0, exec", "0 cannot be written"},
      {"s_cbranch_execz @49", "s_or_b64 exec, exec", "a word is missing or wrong"},
      {"s_cbranch_execz @49", "s_or_b64 exec, exec, m7", "an operand is wrong"},
      {"s_cbranch_execz @49", "@hop1:\ns_branch @hop1", "a number is missing or too large"},
      {"s_cbranch_execz @49", "@flow1:\ns_branch @flow1", "a cycle that contains no block"},
      {"s_cbranch_execz @49", "s_swappc_b64 ret, @flow1\ns_branch @49\n@flow1:\ns_setpc_b64 ret",
       "a call returns here that has run no block"},
      {"s_cbranch_execz @49", "s_branch_table %24, @49", "a table follows a block that ends in"},
      {"@45:", "@40:", "the label is defined already"},
      {"s_endpgm", "", "the program runs past its end"},
      {"@function1:", "@function20:", "the module has no such function"},
      {"@function1:", "", "@function1, the entry point's, is missing"},
  };
  Fixture f;
  set_up(&f, nest, NULL);
  for (uint32_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    char *text = edited(f.listing, 0, edits[i].from, edits[i].to);
    Shot s;
    shoot_exec(&f, &s, text, 0);
    if (s.status != SPV_EMU_BAD_INPUT || !strstr(s.message, edits[i].message) ||
        strncmp(s.message, "wave listing", 12) != 0)
      fail_msg("'%s' as '%s': %s", edits[i].from, edits[i].to, s.message);
    free(text);
  }
  tear_down(&f);
}

/* An edited program that loops forever reaches the limit; one whose lanes are lost ends. */
static void edited_into_a_loop(void **state) {
  (void)state;
  Fixture f;
  set_up(&f, nest, NULL);
  char *text = edited(f.listing, 0, "s_endpgm", "s_branch @45");
  Shot s;
  shoot_exec(&f, &s, text, 0);
  assert_int_equal(s.status, SPV_EMU_OK);
  assert_int_equal(s.result->outcome, SPV_EMU_LIMIT);
  drop_shot(&s);
  free(text);
  text = edited(f.listing, 0, "s_endpgm", "s_swappc_b64 ret, @function1\ns_endpgm");
  shoot_exec(&f, &s, text, 0);
  assert_int_equal(s.result->outcome, SPV_EMU_RAN);
  drop_shot(&s);
  free(text);
  text = edited(f.listing, 0, "s_endpgm", "s_setpc_b64 ret");
  shoot_exec(&f, &s, text, 1);
  expect_out(&s, inside, LANES);
  drop_shot(&s);
  free(text);
  tear_down(&f);
}

/* A listing with some lines dropped, moved or repeated, and words replaced by words of other
 * lines. */
static char *mutated(const char *listing, uint64_t *rng) {
  const char *lines[256];
  uint32_t count = 0;
  size_t room = 2 * strlen(listing) + 1, used = 0;
  for (const char *at = listing; *at && count < 256; at = strchr(at, '\n') + 1)
    lines[count++] = at;
  char *text = malloc(room);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t roll = unit_below(rng, 150), from = roll < 2 ? unit_below(rng, count) : i;
    size_t length = strcspn(lines[from], "\n"), keep = length;
    if (roll == 2)
      continue;
    if (roll == 3)
      keep = unit_below(rng, (uint32_t)length + 1);
    if (used + 2 * length + 64 >= room)
      break;
    used += (size_t)sprintf(text + used, "%.*s", (int)keep, lines[from]);
    if (roll == 3) {
      const char *other = lines[unit_below(rng, count)];
      used += (size_t)sprintf(text + used, " %.*s", (int)strcspn(other, " \n"), other);
    }
    used += (size_t)sprintf(text + used, "\n");
  }
  text[used] = 0;
  return text;
}

/* Any listing is refused or runs, to its end or to the limit. */
static void mutated_listings(void **state) {
  (void)state;
  uint32_t ran = 0;
  Fixture f;
  set_up(&f, nest, NULL);
  for (uint64_t seed = 1; seed <= unit_seeds(20000); seed++) {
    uint64_t rng = seed;
    char *text = mutated(f.listing, &rng);
    Shot s;
    shoot_exec(&f, &s, text, seed % 2);
    if (s.status == SPV_EMU_OK) {
      ran++;
      assert_true(s.result->outcome == SPV_EMU_RAN || s.result->outcome == SPV_EMU_LIMIT);
    } else if (s.status != SPV_EMU_BAD_INPUT || strchr(s.message, '\n')) {
      fail_msg("seed %u: status %d, %s", (unsigned)seed, (int)s.status, s.message);
    }
    drop_shot(&s);
    free(text);
  }
  print_message("%u of 20000 run\n", ran);
  assert_true(ran > 200);
  tear_down(&f);
}

/* A barrier inside a divergent region: the message names the waiting lanes. */
static void barrier(void **state) {
  (void)state;
  static const char body[] = "OpSelectionMerge %49 None\n"
                             "OpBranchConditional %25 %30 %49\n"
                             "%30 = OpLabel\n"
                             "OpControlBarrier %13 %13 %16\n"
                             "OpBranch %49\n"
                             "%49 = OpLabel\n"
                             "OpReturn\n"
                             "OpFunctionEnd\n";
  Fixture f;
  Shot s;
  set_up(&f, body, NULL);
  shoot_exec(&f, &s, NULL, 0);
  assert_int_equal(s.result->outcome, SPV_EMU_DEADLOCK);
  assert_string_equal(s.result->message,
                      "function main, block %30: 4 lanes (the first 0) at the barrier while others "
                      "of the subgroup wait: 4 lanes (the first 4) at block %49");
  drop_shot(&s);
  tear_down(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_the_program),
      cmocka_unit_test(runs_what_is_edited),
      cmocka_unit_test(without_lanes),
      cmocka_unit_test(counts),
      cmocka_unit_test(table),
      cmocka_unit_test(calls),
      cmocka_unit_test(not_reconverging),
      cmocka_unit_test(listings_refused),
      cmocka_unit_test(edited_into_a_loop),
      cmocka_unit_test(mutated_listings),
      cmocka_unit_test(barrier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
