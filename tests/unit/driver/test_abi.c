/* SPDX-License-Identifier: Apache-2.0 */
/* The ABI of spvreconv.h: numbers and offsets that are compiled into programs. Structs may get more
 * members at the end; nothing else that is listed here changes within a major version. Offsets are
 * those of 64-bit systems. */
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <string.h>

typedef struct Place {
  const char *field;
  size_t is, was;
} Place;

#define AT(type, field, place)                                                                     \
  { #type "." #field, offsetof(type, field), place }

static const Place places[] = {
    AT(spvreconv_options, size, 0),
    AT(spvreconv_options, transform, 8),
    AT(spvreconv_options, order, 16),
    AT(spvreconv_options, uniformity, 24),
    AT(spvreconv_options, scope, 32),
    AT(spvreconv_options, target_env, 40),
    AT(spvreconv_options, validate, 48),
    AT(spvreconv_options, max_growth, 52),
    AT(spvreconv_options, strip_debug, 56),
    AT(spvreconv_options, want, 60),
    AT(spvreconv_options, message, 64),
    AT(spvreconv_options, message_user, 72),
    AT(spvreconv_options, resize, 80),
    AT(spvreconv_options, resize_user, 88),
    AT(spvreconv_options, lowering, 96),
    AT(spvreconv_options, drawing, 104),
    AT(spvreconv_options, drawing_user, 112),
    AT(spvreconv_options, max_blocks, 120),
    AT(spvreconv_options, max_ids, 124),
    AT(spvreconv_options, max_nesting, 128),
    AT(spvreconv_options, check_walks, 132),
    AT(spvreconv_options, profiles, 136),
    AT(spvreconv_options, profile_count, 144),
    AT(spvreconv_options, tail_copy, 148),
    AT(spvreconv_options, goal, 152),
    AT(spvreconv_options, structure, 160),
    AT(spvreconv_options, phis, 168),
    AT(spvreconv_options, bounded, 176),
    AT(spvreconv_options, bounded_user, 184),
    AT(spvreconv_bounded, function, 0),
    AT(spvreconv_bounded, function_id, 8),
    AT(spvreconv_bounded, block, 12),
    AT(spvreconv_bounded, file, 16),
    AT(spvreconv_bounded, line, 24),
    AT(spvreconv_bounded, lane, 32),
    AT(spvreconv_record, lanes, 0),
    AT(spvreconv_record, named, 4),
    AT(spvreconv_graph, blocks, 0),
    AT(spvreconv_graph, edges, 4),
    AT(spvreconv_graph, instructions, 8),
    AT(spvreconv_graph, branches, 12),
    AT(spvreconv_graph, divergent_branches, 16),
    AT(spvreconv_graph, uniform_branches, 20),
    AT(spvreconv_graph, switches, 24),
    AT(spvreconv_graph, loops, 28),
    AT(spvreconv_graph, irreducible_loops, 32),
    AT(spvreconv_graph, multi_exit_loops, 36),
    AT(spvreconv_graph, reducible, 40),
    AT(spvreconv_graph, structured, 41),
    AT(spvreconv_graph, reconverging, 42),
    AT(spvreconv_graph, frontier_average, 48),
    AT(spvreconv_graph, frontier_max, 56),
    AT(spvreconv_graph, frontier_join_blocks, 60),
    AT(spvreconv_graph, frontier_join_edges, 64),
    AT(spvreconv_graph, pdom_join_points, 68),
    AT(spvreconv_graph, code_expansion_percent, 72),
    AT(spvreconv_graph, expansion_area, 80),
    AT(spvreconv_graph, frontier_checks, 88),
    AT(spvreconv_graph, folding_nodes, 92),
    AT(spvreconv_graph, folding_conditions, 96),
    AT(spvreconv_frontier, function, 0),
    AT(spvreconv_frontier, block, 4),
    AT(spvreconv_frontier, waiting, 8),
    AT(spvreconv_frontier, waiting_count, 16),
    AT(spvreconv_frontier, checks, 24),
    AT(spvreconv_frontier, check_count, 32),
    AT(spvreconv_counts, flow_blocks, 0),
    AT(spvreconv_counts, virtual_blocks, 4),
    AT(spvreconv_counts, dispatch_blocks, 8),
    AT(spvreconv_counts, selectors, 12),
    AT(spvreconv_counts, forward_copies, 16),
    AT(spvreconv_counts, backward_copies, 20),
    AT(spvreconv_counts, cuts, 24),
    AT(spvreconv_counts, duplicated_blocks, 28),
    AT(spvreconv_counts, duplicated_instructions, 32),
    AT(spvreconv_counts, added_blocks, 36),
    AT(spvreconv_counts, added_instructions, 40),
    AT(spvreconv_counts, added_phis, 44),
    AT(spvreconv_counts, merged_blocks, 48),
    AT(spvreconv_counts, merged_instructions, 52),
    AT(spvreconv_counts, interacting_in_edges, 56),
    AT(spvreconv_counts, interacting_out_edges, 60),
    AT(spvreconv_counts, rerouted_uniform_branches, 64),
    AT(spvreconv_counts, phi_variables, 68),
    AT(spvreconv_counts, forward_copy_edges, 72),
    AT(spvreconv_function, name, 0),
    AT(spvreconv_function, id, 8),
    AT(spvreconv_function, before, 16),
    AT(spvreconv_function, after, 24),
    AT(spvreconv_function, transform, 32),
    AT(spvreconv_function, order, 40),
    AT(spvreconv_function, order_count, 48),
    AT(spvreconv_function, best_order, 56),
    AT(spvreconv_function, choice, 64),
    AT(spvreconv_function, violations_repaired, 72),
    AT(spvreconv_function, structure, 80),
    AT(spvreconv_function, cost_before, 88),
    AT(spvreconv_function, cost_after, 96),
    AT(spvreconv_choice, transforms, 0),
    AT(spvreconv_choice, order, 8),
    AT(spvreconv_choice, lanes, 16),
    AT(spvreconv_choice, recorded, 20),
    AT(spvreconv_choice, input, 24),
    AT(spvreconv_choice, structurize, 32),
    AT(spvreconv_choice, chosen, 40),
    AT(spvreconv_choice, tried, 48),
    AT(spvreconv_choice, tried_count, 56),
    AT(spvreconv_tried, transforms, 0),
    AT(spvreconv_tried, order, 8),
    AT(spvreconv_tried, verdict, 16),
    AT(spvreconv_tried, why, 24),
    AT(spvreconv_tried, cost, 32),
    AT(spvreconv_cost, frontier_issues, 0),
    AT(spvreconv_cost, stack_issues, 8),
    AT(spvreconv_cost, instructions, 16),
    AT(spvreconv_pass, name, 0),
    AT(spvreconv_pass, milliseconds, 8),
    AT(spvreconv_profile, size, 0),
    AT(spvreconv_profile, block_count, 8),
    AT(spvreconv_profile, path_count, 12),
    AT(spvreconv_profile, subgroup_count, 16),
    AT(spvreconv_profile, issues, 24),
    AT(spvreconv_profile, reaches_barrier, 32),
    AT(spvreconv_profile, blocks, 40),
    AT(spvreconv_profile, path_end, 48),
    AT(spvreconv_profile, subgroup_end, 56),
    AT(spvreconv_profile, budget, 64),
    AT(spvreconv_profile, resize, 72),
    AT(spvreconv_profile, resize_user, 80),
    AT(spvreconv_profile, functions, 88),
    AT(spvreconv_profile, labels, 96),
    AT(spvreconv_profile, parts, 104),
};

static void test_places(void **state) {
  (void)state;
  if (sizeof(void *) != 8) {
    print_message("not a 64-bit system: places are not looked at\n");
    skip();
  }
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (places[i].is != places[i].was)
      fail_msg("%s is at %zu, and was at %zu", places[i].field, places[i].is, places[i].was);
}

static void test_numbers(void **state) {
  (void)state;
  assert_int_equal(SPVRECONV_OK, 0);
  assert_int_equal(SPVRECONV_BAD_INPUT, 1);
  assert_int_equal(SPVRECONV_BAD_OPTION, 2);
  assert_int_equal(SPVRECONV_BUG, 3);
  assert_int_equal(SPVRECONV_OUT_OF_MEMORY, 4);
  assert_int_equal(SPVRECONV_VALIDATE_AUTO, 0);
  assert_int_equal(SPVRECONV_VALIDATE_FULL, 1);
  assert_int_equal(SPVRECONV_VALIDATE_NONE, 2);
  assert_int_equal(SPVRECONV_WANT_STATS, 1);
  assert_int_equal(SPVRECONV_WANT_CFG_DOT, 2);
  assert_int_equal(SPVRECONV_WANT_UNIFORMITY, 4);
  assert_int_equal(SPVRECONV_WANT_EXPLAIN, 8);
  assert_int_equal(SPVRECONV_WANT_WAVE, 16);
  assert_int_equal(SPVRECONV_WANT_ASSEMBLY, 32);
  assert_int_equal(SPVRECONV_WANT_COST, 256);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
