/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_tree: see dynamic_tree.h. */
#include "passes/transform/reconverge/dynamic_tree.h"

#include <assert.h>

#define OPEN(node) (2 * (node))
#define CLOSE(node) (2 * (node) + 1)

static SrBracket *at(const SrDynamicTree *t, uint32_t x) {
  return &t->bracket.at[x];
}

static int32_t value(uint32_t x) {
  return x & 1 ? -1 : 1;
}

/* ---- the splay tree ---- */

static int32_t sum_of(const SrDynamicTree *t, uint32_t x) {
  return x == SR_NONE ? 0 : at(t, x)->sum;
}

static void update(SrDynamicTree *t, uint32_t x) {
  SrBracket *b = at(t, x);
  int32_t left = sum_of(t, b->left), right = sum_of(t, b->right), v = value(x);
  b->size = 1;
  b->sum = left + v + right;
  b->least = left + v;
  b->most = v + right;
  b->span = b->own;
  if (b->left != SR_NONE) {
    const SrBracket *l = at(t, b->left);
    b->size += l->size;
    b->least = l->least < b->least ? l->least : b->least;
    b->most = l->most + v + right > b->most ? l->most + v + right : b->most;
    b->span = sr_span_join(b->span, l->span);
  }
  if (b->right != SR_NONE) {
    const SrBracket *r = at(t, b->right);
    b->size += r->size;
    b->least = left + v + r->least < b->least ? left + v + r->least : b->least;
    b->most = r->most > b->most ? r->most : b->most;
    b->span = sr_span_join(b->span, r->span);
  }
}

static void replace_child(SrDynamicTree *t, uint32_t up, uint32_t old, uint32_t new) {
  if (up == SR_NONE)
    return;
  if (at(t, up)->left == old)
    at(t, up)->left = new;
  else
    at(t, up)->right = new;
}

static void rotate(SrDynamicTree *t, uint32_t x) {
  uint32_t p = at(t, x)->up, up = at(t, p)->up;
  bool is_left = at(t, p)->left == x;
  uint32_t inner = is_left ? at(t, x)->right : at(t, x)->left;
  if (is_left) {
    at(t, p)->left = inner;
    at(t, x)->right = p;
  } else {
    at(t, p)->right = inner;
    at(t, x)->left = p;
  }
  if (inner != SR_NONE)
    at(t, inner)->up = p;
  at(t, p)->up = x;
  at(t, x)->up = up;
  replace_child(t, up, p, x);
  update(t, p);
}

static void splay(SrDynamicTree *t, uint32_t x) {
  for (uint32_t p; (p = at(t, x)->up) != SR_NONE; rotate(t, x)) {
    uint32_t up = at(t, p)->up;
    if (up != SR_NONE)
      rotate(t, (at(t, up)->left == p) == (at(t, p)->left == x) ? p : x);
  }
  update(t, x);
}

/* The number of brackets before x. */
static uint32_t place(SrDynamicTree *t, uint32_t x) {
  splay(t, x);
  return at(t, x)->left == SR_NONE ? 0 : at(t, at(t, x)->left)->size;
}

/* Detaches a child from the root x; returns it. */
static uint32_t take_child(SrDynamicTree *t, uint32_t x, uint32_t *side) {
  uint32_t child = *side;
  if (child != SR_NONE) {
    at(t, child)->up = SR_NONE;
    *side = SR_NONE;
    update(t, x);
  }
  return child;
}

/* Split off the sequence before x, or after x, and return its root; x becomes the root of the
 * rest. */
static uint32_t split_before(SrDynamicTree *t, uint32_t x) {
  splay(t, x);
  return take_child(t, x, &at(t, x)->left);
}

static uint32_t split_behind(SrDynamicTree *t, uint32_t x) {
  splay(t, x);
  return take_child(t, x, &at(t, x)->right);
}

static uint32_t join(SrDynamicTree *t, uint32_t a, uint32_t b) {
  if (a == SR_NONE || b == SR_NONE)
    return a == SR_NONE ? b : a;
  while (at(t, a)->right != SR_NONE)
    a = at(t, a)->right;
  splay(t, a);
  at(t, a)->right = b;
  at(t, b)->up = a;
  update(t, a);
  return a;
}

static void insert_before(SrDynamicTree *t, uint32_t where, uint32_t x) {
  join(t, join(t, split_before(t, where), x), where);
}

static void take_out(SrDynamicTree *t, uint32_t x) {
  uint32_t left = split_before(t, x), right = split_behind(t, x);
  join(t, left, right);
}

/* ---- the tree ---- */

static void new_bracket(SrDynamicTree *t, uint32_t x) {
  if (x >= t->bracket.count) {
    SR_RESERVE(t->arena, &t->bracket, x + 1 - t->bracket.count);
    t->bracket.count = x + 1;
  }
  *at(t, x) = (SrBracket){.up = SR_NONE, .left = SR_NONE, .right = SR_NONE, .own = SR_NO_SPAN};
  update(t, x);
}

SrDynamicTree sr_dynamic_tree_new(SrArena *arena) {
  SrDynamicTree t = {.arena = arena};
  new_bracket(&t, OPEN(0));
  new_bracket(&t, CLOSE(0));
  join(&t, OPEN(0), CLOSE(0));
  return t;
}

void sr_dynamic_tree_add(SrDynamicTree *t, uint32_t node, uint32_t parent) {
  new_bracket(t, OPEN(node));
  new_bracket(t, CLOSE(node));
  insert_before(t, CLOSE(parent), join(t, OPEN(node), CLOSE(node)));
}

void sr_dynamic_tree_remove(SrDynamicTree *t, uint32_t node) {
  take_out(t, OPEN(node));
  take_out(t, CLOSE(node));
}

void sr_dynamic_tree_move(SrDynamicTree *t, uint32_t top, uint32_t under) {
  uint32_t left = split_before(t, OPEN(top)), right = split_behind(t, CLOSE(top));
  join(t, left, right);
  splay(t, OPEN(top));
  insert_before(t, CLOSE(under), OPEN(top));
}

bool sr_dynamic_tree_holds(SrDynamicTree *t, uint32_t a, uint32_t b) {
  if (a == b)
    return true;
  uint32_t x = place(t, OPEN(b));
  return place(t, OPEN(a)) < x && x < place(t, CLOSE(a));
}

/* The last bracket of the sequence `root` that is opened but not closed in it. */
static uint32_t last_open(const SrDynamicTree *t, uint32_t root) {
  int32_t sum = 0;
  for (uint32_t x = root;;) {
    const SrBracket *b = at(t, x);
    if (b->right != SR_NONE && sum + at(t, b->right)->most > 0) {
      x = b->right;
      continue;
    }
    sum += sum_of(t, b->right) + value(x);
    if (sum > 0)
      return x;
    x = b->left;
  }
}

uint32_t sr_dynamic_tree_parent(SrDynamicTree *t, uint32_t node) {
  uint32_t left = split_before(t, OPEN(node)), x = last_open(t, left);
  splay(t, x);
  join(t, x, OPEN(node));
  return x / 2;
}

/* The first bracket, or the last one, where the prefix sum of the sequence is least. */
static uint32_t least_prefix(const SrDynamicTree *t, uint32_t root, bool first) {
  int32_t least = at(t, root)->least; /* the prefix sum to find, relative to the subtree of x */
  for (uint32_t x = root;;) {
    const SrBracket *b = at(t, x);
    int32_t here = sum_of(t, b->left) + value(x);
    bool left = b->left != SR_NONE && at(t, b->left)->least == least;
    bool right = b->right != SR_NONE && here + at(t, b->right)->least == least;
    if (first ? left : !right && here != least)
      x = b->left;
    else if (first ? here == least : !right)
      return x;
    else {
      least -= here;
      x = b->right;
    }
  }
}

/* If b's branch comes before a, it ends at the outermost closing bracket between b's end and a. */
static uint32_t branch_on_left(SrDynamicTree *t, uint32_t a, uint32_t b) {
  uint32_t left = split_before(t, CLOSE(b)), middle = split_before(t, OPEN(a));
  uint32_t x = least_prefix(t, middle, true);
  splay(t, x);
  join(t, join(t, left, x), OPEN(a));
  return x / 2;
}

/* If b's branch comes after a, it begins at the first bracket after the outermost closing one
 * between a and b. */
static uint32_t branch_on_right(SrDynamicTree *t, uint32_t a, uint32_t b) {
  uint32_t left = split_before(t, OPEN(a)), middle = split_before(t, OPEN(b));
  uint32_t x = least_prefix(t, middle, false);
  splay(t, x);
  uint32_t next = at(t, x)->right;
  while (next != SR_NONE && at(t, next)->left != SR_NONE)
    next = at(t, next)->left;
  next = next == SR_NONE ? OPEN(b) : next;
  join(t, join(t, left, x), OPEN(b));
  splay(t, next);
  return next / 2;
}

uint32_t sr_dynamic_tree_branch(SrDynamicTree *t, uint32_t a, uint32_t b) {
  return place(t, OPEN(a)) < place(t, OPEN(b)) ? branch_on_right(t, a, b) : branch_on_left(t, a, b);
}

/* ---- spans ---- */

void sr_dynamic_tree_set(SrDynamicTree *t, uint32_t node, SrSpan span) {
  splay(t, OPEN(node));
  at(t, OPEN(node))->own = span;
  update(t, OPEN(node));
}

SrSpan sr_dynamic_tree_span(SrDynamicTree *t, uint32_t node) {
  uint32_t left = split_before(t, OPEN(node)), right = split_behind(t, CLOSE(node));
  SrSpan span = at(t, CLOSE(node))->span;
  join(t, join(t, left, CLOSE(node)), right);
  return span;
}

void sr_dynamic_tree_collect(SrDynamicTree *t, uint32_t node, SrDynamicTreeNodes *out) {
  uint32_t left = split_before(t, OPEN(node)), right = split_behind(t, CLOSE(node));
  SrDynamicTreeNodes stack = {0};
  for (uint32_t x = CLOSE(node); x != SR_NONE || stack.count;) {
    if (x != SR_NONE && at(t, x)->span.low != SR_NONE) {
      SR_PUSH(t->arena, &stack, x);
      x = at(t, x)->left;
      continue;
    }
    if (!stack.count)
      break;
    x = SR_POP(&stack);
    if (at(t, x)->own.low != SR_NONE)
      SR_PUSH(t->arena, out, x / 2);
    x = at(t, x)->right;
  }
  join(t, join(t, left, CLOSE(node)), right);
}
