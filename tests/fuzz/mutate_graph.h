/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_graph: changes a module's control flow and keeps its values correct, so that every
 * transform must accept most mutants. */
#ifndef FUZZ_MUTATE_GRAPH_H
#define FUZZ_MUTATE_GRAPH_H

#include "tests/equiv/gen/rng.h"

#include <stdbool.h>
#include <stddef.h>

/* One to four changes of one function: an edge added, dropped or redirected; a block split, copied,
 * merged into the one before it; an edge made two, or several made one; merge instructions dropped;
 * a branch turned into a switch; a switch's targets shared, its selector in another type, an edge
 * from the join of its arms back into one. Then phis get an operand for each predecessor, and
 * values that no longer dominate their uses go through variables. *out is to be freed. False, *out
 * NULL: the reader refuses the module, it has no body, or SPIR-V's limits are exceeded. */
bool mutate_graph(Rng *rng, const uint32_t *words, size_t count, uint32_t **out, size_t *out_count);

#endif
