/* mutate_graph: changes a module's control flow and keeps its values right, so that most mutants
 * are modules that every transform must take. */
#ifndef FUZZ_MUTATE_GRAPH_H
#define FUZZ_MUTATE_GRAPH_H

#include "rng.h"

#include <stdbool.h>
#include <stddef.h>

/* One to four changes of one function: an edge added, dropped or led elsewhere; a block split,
 * copied, merged into the one before it; two ways made of an edge, or one of several; merge
 * instructions dropped; a branch turned into a switch; a switch's targets shared, its selector in
 * another type, a way from where its arms join back into one. Then phis get an operand for each
 * predecessor, and values that no longer dominate their uses go through variables. *out is to be
 * freed. False, *out NULL: the reader does not take the module, it has no body, or SPIR-V's limits
 * are exceeded. */
bool mutate_graph(Rng *rng, const uint32_t *words, size_t count, uint32_t **out, size_t *out_count);

#endif
