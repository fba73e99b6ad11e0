/* SPDX-License-Identifier: Apache-2.0 */
/* open_tree_dot: see open_tree_dot.h. */
#include "passes/transform/reconverge/open_tree_dot.h"

#include "passes/base/text.h"
#include "passes/ir/label.h"

typedef struct Picture {
  SrText out;
  const SrOpenDrawing *d;
  SrOpenTree *t;
  const char **names; /* by id */
} Picture;

/* ---- names ---- */

static uint32_t flow_number(const SrOpenTree *t, uint32_t node) {
  uint32_t number = 0;
  for (uint32_t n = 0; n < node; n++)
    number += sr_open_at(t, n)->kind == SR_OPEN_FLOW;
  return number;
}

static void put_name(Picture *p, uint32_t node) {
  const SrOpenNode *n = sr_open_at(p->t, node);
  if (n->kind == SR_OPEN_ROOT) {
    sr_text_add(&p->out, "Root");
    return;
  }
  if (n->kind == SR_OPEN_FLOW) {
    sr_text_add(&p->out, "FLOW%u", flow_number(p->t, node));
    return;
  }
  uint32_t id = p->d->f->blocks[n->block].id;
  if (p->names[id])
    sr_label_escape(&p->out, p->names[id], 24);
  else
    sr_text_add(&p->out, "%%%u", id);
  if (n->kind == SR_OPEN_VIRTUAL)
    sr_text_add(&p->out, "_V");
}

/* ---- nodes and edges ---- */

static void put_node(Picture *p, uint32_t node) {
  const SrOpenNode *n = sr_open_at(p->t, node);
  const char *color = !n->visited && node            ? "#b0b8c0"
                      : sr_open_is_armed(p->t, node) ? "#d9480f"
                                                     : "#22303c";
  sr_text_add(&p->out, "  n%u [label=\"", node);
  put_name(p, node);
  sr_text_add(&p->out, "\", color=\"%s\", fontcolor=\"%s\"", color, color);
  if (n->kind == SR_OPEN_FLOW)
    sr_text_add(&p->out, ", shape=box");
  sr_text_add(&p->out, "];\n");
}

/* Writes the root, the nodes in the tree, and the nodes not visited yet. */
static void put_nodes(Picture *p) {
  for (uint32_t n = 0; n < p->t->node.count; n++) {
    const SrOpenNode *node = sr_open_at(p->t, n);
    if (n == 0 || node->in_tree || (!node->visited && node->rank != SR_NONE))
      put_node(p, n);
  }
}

static void put_tree(Picture *p) {
  for (uint32_t n = 1; n < p->t->node.count; n++)
    if (sr_open_at(p->t, n)->in_tree)
      sr_text_add(&p->out, "  n%u -> n%u [arrowhead=none, penwidth=1.4];\n",
                  sr_dynamic_tree_parent(&p->t->tree, n), n);
}

/* Writes the open edges of visited nodes. */
static void put_outgoing(Picture *p) {
  SrOpenTree *t = p->t;
  for (uint32_t rank = 0; rank < t->ranks; rank++) {
    uint32_t target = t->sequence[rank];
    if (sr_open_at(t, target)->visited)
      continue;
    const SrDynamicTreeNodes *holders = sr_open_holders(t, rank);
    for (uint32_t i = 0; i < holders->count; i++)
      sr_text_add(&p->out, "  n%u -> n%u [style=dotted];\n", holders->at[i], target);
  }
}

/* Writes the edges of nodes not visited yet into visited ones. */
static void put_incoming(Picture *p) {
  SrOpenTree *t = p->t;
  for (uint32_t rank = 0; rank < t->ranks; rank++) {
    const SrOpenNode *n = sr_open_at(t, t->sequence[rank]);
    for (uint32_t e = n->edge; !n->visited && e < n->edge + n->edges; e++) {
      uint32_t target = t->sequence[t->edge.at[e].target_rank];
      if (sr_open_at(t, target)->visited && sr_open_at(t, target)->in_tree)
        sr_text_add(&p->out, "  n%u -> n%u [style=dashed, constraint=false];\n", t->sequence[rank],
                    target);
    }
  }
}

static void put_file_name(SrText *out, const char *text) {
  for (size_t i = 0; i < 60 && text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    sr_text_put(out, plain ? &text[i] : "_", 1);
  }
}

void sr_open_tree_draw(void *drawing, SrOpenTree *t, uint32_t node) {
  SrOpenDrawing *d = drawing;
  SrMark mark = sr_arena_mark(d->scratch);
  SrText name = {.arena = d->scratch};
  Picture p = {
      .out = {.arena = d->scratch}, .d = d, .t = t, .names = sr_label_names(d->scratch, d->m)};
  const char *function = sr_function_name(d->m, d->scratch, d->f);
  put_file_name(&name, function);
  sr_text_add(&name, "-%u-%04u", d->f->id, ++d->step);
  sr_text_add(&p.out, "digraph open_tree {\n  label=\"function ");
  sr_label_escape(&p.out, function, 40);
  sr_text_add(&p.out, ", step %u: ", d->step);
  put_name(&p, node);
  sr_text_add(&p.out, "\";\n  node [shape=ellipse, fontname=\"sans-serif\"];\n");
  put_nodes(&p);
  put_tree(&p);
  put_outgoing(&p);
  put_incoming(&p);
  sr_text_add(&p.out, "}\n");
  d->drawing(d->user, sr_text_end(&name), sr_text_end(&p.out));
  sr_arena_reset(d->scratch, mark);
}
