/* SPDX-License-Identifier: Apache-2.0 */
/* graph_dot_write: graphs in Graphviz' language, see graph_dot.h. A block's label is its id and its
 * weight; the first of two branches is drawn solid, the other one dashed. */
#include "spv-graph/graph_dot.h"

#include <inttypes.h>

/* Graphviz knows only \" in quotes; it reads two backslashes as two. The last of an odd number
 * before a quote, which would hide the quote, gets another one. */
static void write_quoted(const char *text, FILE *out) {
  bool hides = false;
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"')
      fputs(hides ? "\\\\" : "\\", out);
    fputc(*text, out);
    hides = *text == '\\' && !hides;
  }
  fputs(hides ? "\\\"" : "\"", out);
}

static void write_block(const Graph *g, const GraphBlock *b, FILE *out) {
  fprintf(out, "  %" PRIu64 " [label=\"%" PRIu64 ": %" PRIu32 "\" w=%" PRIu32 " term=%s", b->id,
          b->id, b->weight, b->weight, graph_term_name(b->term));
  if (b->barrier)
    fputs(" barrier=true", out);
  if (b->calls)
    fprintf(out, " calls=%" PRIu32, b->calls);
  if (b->taken >= 0)
    fprintf(out, " taken=%.9g", b->taken);
  fputs("]\n", out);
  for (uint32_t k = 0; k < b->succ_count; k++)
    fprintf(out, "  %" PRIu64 " -> %" PRIu64 "%s\n", b->id, g->block.at[g->succ.at[b->succ + k]].id,
            k == 1 ? " [style=dashed]" : "");
}

void graph_dot_write(const Graph *g, FILE *out) {
  fputs("digraph ", out);
  write_quoted(g->name, out);
  fputs(" {\n  graph [kernel=", out);
  write_quoted(g->kernel, out);
  fprintf(out, " entry=%" PRIu64 "]\n  node [shape=box]\n", g->block.at[0].id);
  /* all nodes come first, because a reader takes their order from here */
  for (uint32_t i = 0; i < g->block.count; i++)
    fprintf(out, "%s%" PRIu64, i ? "; " : "  ", g->block.at[i].id);
  fputc('\n', out);
  for (uint32_t i = 0; i < g->block.count; i++)
    write_block(g, &g->block.at[i], out);
  fputs("}\n", out);
}
