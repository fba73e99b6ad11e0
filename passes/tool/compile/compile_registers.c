/* SPDX-License-Identifier: Apache-2.0 */
/* compile_registers: see compile_registers.h. The class of a resource follows from its type; only
 * the text says which resources have [[vk::binding]]. The words are those of a module of glslang,
 * in the host's order; lengths are checked nevertheless. */
#include "passes/tool/compile/compile_registers.h"

#include <ctype.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, BOUND = 3, MOST_ARRAYS = 16 };

typedef enum Class { CLASS_B, CLASS_T, CLASS_U, CLASS_S } Class;

/* What is known of an id. */
typedef struct Id {
  const uint32_t *type;    /* the instruction OpType… */
  const uint32_t *name;    /* the instruction OpName; NULL: it has none */
  uint32_t *set, *binding; /* the words of its decorations, or NULL */
  bool read_only;          /* a block: NonWritable */
  bool block;              /* Block, and so not BufferBlock */
} Id;

typedef struct Resource {
  const Id *id, *pointee; /* the variable; its type, or that of an element */
  Class class;
  bool fixed; /* [[vk::binding]] */
} Resource;

typedef struct Registers {
  Id *ids;
  uint32_t bound;
  Resource *all;
  size_t count, room;
} Registers;

/* ---- the module ------------------------------------------------------------------------------ */

static void note_decoration(Id *id, uint32_t *w, uint32_t words, uint32_t decoration,
                            uint32_t value_at) {
  if (decoration == SpvDecorationBinding && value_at < words)
    id->binding = &w[value_at];
  else if (decoration == SpvDecorationDescriptorSet && value_at < words)
    id->set = &w[value_at];
  else if (decoration == SpvDecorationNonWritable)
    id->read_only = true;
  else if (decoration == SpvDecorationBlock)
    id->block = true;
}

static void note(Registers *r, uint32_t *w, uint32_t words) {
  uint32_t op = w[0] & 0xffff;
  if (words < 2 || w[1] >= r->bound)
    return;
  Id *id = &r->ids[w[1]];
  if (op == SpvOpName && words > 2)
    id->name = w;
  else if (op == SpvOpDecorate && words > 2)
    note_decoration(id, w, words, w[2], 3);
  else if (op == SpvOpMemberDecorate && words > 3)
    note_decoration(id, w, words, w[3], words);
  else if ((op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer) ||
           op == SpvOpTypeAccelerationStructureKHR)
    id->type = w;
}

/* What a pointer of this type points to, without arrays; NULL: nothing. */
static const Id *pointee_of(const Registers *r, uint32_t pointer) {
  const Id *id = pointer < r->bound ? &r->ids[pointer] : NULL;
  for (int i = 0; i < MOST_ARRAYS && id && id->type; i++) {
    uint32_t op = id->type[0] & 0xffff, next;
    if (op == SpvOpTypePointer)
      next = id->type[3];
    else if (op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray)
      next = id->type[2];
    else
      return i ? id : NULL;
    id = next < r->bound ? &r->ids[next] : NULL;
  }
  return NULL;
}

static Class class_of(const Id *type) {
  enum { SAMPLED_WORD = 7, IS_STORAGE = 2 };
  switch (type->type[0] & 0xffff) {
  case SpvOpTypeSampler:
    return CLASS_S;
  case SpvOpTypeImage:
    return type->type[SAMPLED_WORD] == IS_STORAGE ? CLASS_U : CLASS_T;
  case SpvOpTypeStruct:
    return type->block ? CLASS_B : type->read_only ? CLASS_T : CLASS_U;
  default:
    return CLASS_T;
  }
}

static bool add_variable(Registers *r, const uint32_t *w, uint32_t words) {
  if (words < 4 || w[2] >= r->bound || !r->ids[w[2]].binding)
    return true;
  const Id *id = &r->ids[w[2]], *pointee = pointee_of(r, w[1]);
  if (!pointee)
    return true;
  if (r->count == r->room) {
    size_t room = 2 * r->room + 16;
    Resource *more = realloc(r->all, room * sizeof *more);
    if (!more)
      return false;
    r->all = more;
    r->room = room;
  }
  r->all[r->count++] = (Resource){id, pointee, class_of(pointee), false};
  return true;
}

static void drop(Registers *r) {
  free(r->ids);
  free(r->all);
}

/* False: memory ran out. The caller drops *r in either case. */
static bool read_module(Registers *r, const CompileResult *result) {
  uint32_t *w = result->words;
  *r = (Registers){.bound = result->count > HEADER ? w[BOUND] : 0};
  r->ids = calloc(r->bound + 1u, sizeof *r->ids);
  bool good = r->ids != NULL;
  for (size_t at = HEADER, words; good && at < result->count; at += words) {
    words = w[at] >> 16;
    if (!words || words > result->count - at)
      break;
    note(r, w + at, (uint32_t)words);
    if ((w[at] & 0xffff) == SpvOpVariable)
      good = add_variable(r, w + at, (uint32_t)words);
  }
  return good;
}

/* ---- [[vk::binding]] in the text ------------------------------------------------------------- */

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *p) {
  while (isspace((unsigned char)*p))
    p++;
  return p;
}

/* What follows [[ … ]] and further attributes. */
static const char *after_attributes(const char *p) {
  do {
    p = strstr(p, "]]");
    p = p ? skip_blanks(p + 2) : NULL;
  } while (p && strncmp(p, "[[", 2) == 0);
  return p;
}

/* The name that the declaration at p declares: the last word before its array, register, value or
 * end, template arguments left out. */
static const char *declared_name(const char *p, size_t *length) {
  const char *name = p;
  *length = 0;
  for (int depth = 0; *p && (depth > 0 || !strchr(":;[={,", *p));) {
    size_t n = 0;
    while (is_word(p[n]))
      n++;
    if (n && depth == 0) {
      name = p;
      *length = n;
    }
    depth += (*p == '<') - (*p == '>');
    p += n ? n : 1;
  }
  return name;
}

static bool has_name(const Id *id, const char *name, size_t length) {
  const char *own = id->name ? (const char *)&id->name[2] : "";
  size_t room = id->name ? ((id->name[0] >> 16) - 2) * sizeof *id->name : 0;
  return length && strnlen(own, room) == length && memcmp(own, name, length) == 0;
}

/* A constant buffer has the name of its block. */
static void fix(Registers *r, const char *name, size_t length) {
  for (size_t i = 0; i < r->count; i++)
    if (has_name(r->all[i].id, name, length) || has_name(r->all[i].pointee, name, length))
      r->all[i].fixed = true;
}

/* Preprocessed, the attribute is [[vk :: binding(N)]]. */
static void fix_stated(Registers *r, const char *text) {
  for (const char *p = text; (p = strstr(p, "[[")) != NULL; p += 2) {
    const char *word = skip_blanks(p + 2);
    if (strncmp(word, "vk", 2) != 0 || strncmp(word = skip_blanks(word + 2), "::", 2) != 0 ||
        strncmp(skip_blanks(word + 2), "binding", 7) != 0)
      continue;
    size_t length;
    const char *declaration = after_attributes(p);
    if (!declaration)
      return;
    const char *name = declared_name(declaration, &length);
    fix(r, name, length);
  }
}

/* ---- bindings -------------------------------------------------------------------------------- */

/* Registers of class number c move by (first + c) * step. */
typedef struct Shift {
  uint32_t step, first;
} Shift;

static const Shift none = {0, 0};

static uint32_t shift_of(Shift shift, Class class) {
  return (shift.first + class) * shift.step;
}

static uint32_t binding_of(const Resource *x, Shift shift) {
  return *x->id->binding + (x->fixed ? 0 : shift_of(shift, x->class));
}

static uint32_t set_of(const Resource *x) {
  return x->id->set ? *x->id->set : 0;
}

/* Do two resources that need not share a binding share one? Those of one class share on purpose. */
static bool collide(const Registers *r, Shift shift) {
  for (size_t i = 0; i < r->count; i++)
    for (size_t k = 0; k < i; k++) {
      const Resource *a = &r->all[i], *b = &r->all[k];
      if (a->class != b->class && !(a->fixed && b->fixed) && set_of(a) == set_of(b) &&
          binding_of(a, shift) == binding_of(b, shift))
        return true;
    }
  return false;
}

/* The first shift that leaves no collision; if possible, one that does not move constant
 * buffers. */
static Shift choose(const Registers *r) {
  static const Shift all[] = {{100, 0}, {1000, 0}, {10000, 0}, {100, 1}, {1000, 1}, {10000, 1}};
  size_t i = 0, last = sizeof all / sizeof *all - 1;
  while (i < last && collide(r, all[i]))
    i++;
  return all[i];
}

static void apply(CompileResult *result, Registers *r, Shift shift) {
  for (size_t i = 0; i < r->count; i++)
    *r->all[i].id->binding = binding_of(&r->all[i], shift);
  free(result->note);
  if (asprintf(&result->note,
               "registers of several classes have the same numbers: bindings are %u + N for bN, %u "
               "+ N for tN, %u + N for uN, %u + N for sN",
               shift_of(shift, CLASS_B), shift_of(shift, CLASS_T), shift_of(shift, CLASS_U),
               shift_of(shift, CLASS_S)) < 0)
    result->note = NULL;
}

bool compile_registers_collide(const CompileResult *result) {
  Registers r;
  bool found = read_module(&r, result) && collide(&r, none);
  drop(&r);
  return found;
}

void compile_registers_shift(CompileResult *result, const char *text) {
  Registers r;
  if (read_module(&r, result)) {
    fix_stated(&r, text);
    if (collide(&r, none))
      apply(result, &r, choose(&r));
  }
  drop(&r);
}
