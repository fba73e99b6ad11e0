/* SPDX-License-Identifier: Apache-2.0 */
/* operands: see operands.h.
 *
 * An enumerant may have operands of its own, its parameters, which follow it directly. The grammar
 * nests them at most two deep, which bounds the recursion from parameters to enumerants. The
 * recursion from OpSpecConstantOp to the instruction that it folds is bounded, too (take_folded).
 *
 * Unknown enumerants: the operands that follow are read as if the enumerant had no parameters;
 * words left over at the end are taken to be its parameters. In SPIR-V, decorations and execution
 * modes with ids and with literals are different instructions (OpDecorateId, OpExecutionModeId),
 * image operands are all ids, and the controls of loops and selections have only literals. For all
 * others (memory operands), it is not known which words are ids. */
#include "passes/ir/operands.h"

#include "passes/ir/grammar.h"

typedef struct Walk {
  SrOperands *o;
  uint32_t at;     /* the next word */
  bool open_ended; /* an unknown enumerant was found */
} Walk;

static bool problem(Walk *w, const char *text) {
  w->o->problem = text;
  return false;
}

static uint32_t left(const Walk *w) {
  return w->o->count - w->at;
}

static bool take_words(Walk *w, uint32_t n) {
  if (left(w) < n)
    return problem(w, "ends in the middle of an operand");
  w->at += n;
  return true;
}

static bool take_id(Walk *w, uint32_t *id) {
  uint32_t at = w->at;
  if (!take_words(w, 1))
    return false;
  sr_bit_set(w->o->is_id, w->o->base + at);
  if (id)
    *id = w->o->words[at];
  return true;
}

static bool take_string(Walk *w) {
  const char *text = (const char *)&w->o->words[w->at];
  const char *end = memchr(text, 0, left(w) * sizeof(uint32_t));
  if (!end)
    return problem(w, "has a string without an end");
  if (w->o->strings)
    sr_bit_set(w->o->strings, w->at);
  w->at += (uint32_t)(end - text) / 4 + 1;
  return true;
}

/* The number of words of a literal of `type`; 0: it is not a numeric type. */
static uint32_t literal_words(const Walk *w, uint32_t type) {
  SrRef r = sr_def(w->o->m, type);
  if (r == SR_NONE ||
      (sr_inst(w->o->m, r)->op != SpvOpTypeInt && sr_inst(w->o->m, r)->op != SpvOpTypeFloat))
    return 0;
  uint32_t width = sr_words(w->o->m, r)[2];
  return width / 32 + (width % 32 != 0);
}

static bool take_number(Walk *w) {
  uint32_t n = literal_words(w, w->o->type);
  return n ? take_words(w, n) : problem(w, "is a literal, but its type is not that of a number");
}

/* Takes a literal and an id: in an OpSwitch the literal has the type of the selector, the first
 * operand. */
static bool take_case(Walk *w) {
  uint32_t n = 1;
  if ((w->o->words[0] & 0xffff) == SpvOpSwitch) {
    SrRef selector = sr_def(w->o->m, w->o->words[1]);
    n = selector == SR_NONE ? 0 : literal_words(w, sr_inst(w->o->m, selector)->type);
    if (n == 0)
      return problem(w, "selects by a value that is not a number");
  }
  return take_words(w, n) && take_id(w, NULL);
}

static bool take_list(Walk *w, SrOperandList list);

/* ---- extended instructions ---- */

static bool take_ids(Walk *w) {
  while (left(w))
    if (!take_id(w, NULL))
      return false;
  return true;
}

static const char *set_name(const Walk *w, uint32_t id) {
  SrRef r = sr_def(w->o->m, id);
  if (r == SR_NONE || sr_inst(w->o->m, r)->op != SpvOpExtInstImport)
    return NULL;
  return (const char *)&sr_words(w->o->m, r)[2];
}

static bool is_debug_set(const char *name) {
  return strncmp(name, "NonSemantic.", 12) == 0 || strcmp(name, "DebugInfo") == 0 ||
         strcmp(name, "OpenCL.DebugInfo.100") == 0;
}

/* Takes the number of an extended instruction and its operands; the id before the number is that of
 * the imported set. All operands of NonSemantic sets are ids (SPV_KHR_non_semantic_info). */
static bool take_extended(Walk *w) {
  if (!take_words(w, 1))
    return false;
  const char *name = set_name(w, w->o->words[w->at - 2]);
  if (!name)
    return problem(w, "is not of an imported instruction set");
  w->o->nonsemantic = is_debug_set(name);
  const SrSetRow *set = sr_grammar_set(name);
  SrOperandList list = set ? sr_grammar_extended(set, w->o->words[w->at - 1]) : NULL;
  if (list)
    return take_list(w, list);
  if (strncmp(name, "NonSemantic.", 12) == 0)
    return take_ids(w);
  w->o->unknown = true;
  w->at = w->o->count;
  return true;
}

/* Takes the operands of the instruction that an OpSpecConstantOp folds. It must not fold another
 * OpSpecConstantOp, because then the nesting could be as deep as the instruction is long. */
static bool take_folded(Walk *w) {
  if (!take_words(w, 1))
    return false;
  uint32_t op = w->o->words[w->at - 1];
  if (op == SpvOpSpecConstantOp)
    return problem(w, "folds an OpSpecConstantOp");
  SrOperandList list = sr_grammar_instruction(op);
  if (!list) {
    w->o->unknown = true;
    w->at = w->o->count;
    return true;
  }
  while (*list == SR_KIND_IdResultType + 1 || *list == SR_KIND_IdResult + 1)
    list++;
  return take_list(w, list);
}

/* ---- enumerants ---- */

static bool take_parameters(Walk *w, unsigned kind, uint32_t value) {
  SrOperandList list = sr_grammar_enumerant(kind, value);
  if (!list)
    w->open_ended = true;
  return !list || take_list(w, list);
}

static bool take_enumerant(Walk *w, unsigned kind) {
  if (!take_words(w, 1))
    return false;
  uint32_t value = w->o->words[w->at - 1];
  if (!sr_grammar_is_mask(kind))
    return take_parameters(w, kind, value);
  for (uint32_t bits = value; bits; bits &= bits - 1)
    if (!take_parameters(w, kind, bits & -bits))
      return false;
  return true;
}

/* ---- an instruction ---- */

static bool take_operand(Walk *w, unsigned kind) {
  switch (kind) {
  case SR_KIND_IdResultType:
    w->o->has_type = true;
    return take_id(w, &w->o->type);
  case SR_KIND_IdResult:
    w->o->has_result = true;
    return take_id(w, &w->o->result);
  case SR_KIND_IdRef:
  case SR_KIND_IdScope:
  case SR_KIND_IdMemorySemantics:
    return take_id(w, NULL);
  case SR_KIND_LiteralInteger:
  case SR_KIND_LiteralFloat:
    return take_words(w, 1);
  case SR_KIND_LiteralString:
    return take_string(w);
  case SR_KIND_LiteralContextDependentNumber:
    return take_number(w);
  case SR_KIND_LiteralExtInstInteger:
    return take_extended(w);
  case SR_KIND_LiteralSpecConstantOpInteger:
    return take_folded(w);
  case SR_KIND_PairLiteralIntegerIdRef:
    return take_case(w);
  case SR_KIND_PairIdRefLiteralInteger:
    return take_id(w, NULL) && take_words(w, 1);
  case SR_KIND_PairIdRefIdRef:
    return take_id(w, NULL) && take_id(w, NULL);
  default:
    return take_enumerant(w, kind);
  }
}

static bool take_list(Walk *w, SrOperandList list) {
  for (; *list; list++) {
    unsigned kind = (*list & SR_OPERAND_KIND) - 1u;
    if (*list & SR_OPERAND_MANY) {
      while (left(w))
        if (!take_operand(w, kind))
          return false;
    } else if (!(*list & SR_OPERAND_OPTIONAL) || left(w)) {
      if (!take_operand(w, kind))
        return false;
    }
  }
  return true;
}

static bool in_range(uint32_t op, SpvOp first, SpvOp last) {
  return op >= (uint32_t)first && op <= (uint32_t)last;
}

/* Takes the parameters of an unknown enumerant; see the head of the file. */
static bool take_rest(Walk *w) {
  uint32_t op = w->o->words[0] & 0xffff;
  if (op == SpvOpDecorateId || op == SpvOpExecutionModeId ||
      in_range(op, SpvOpImageSampleImplicitLod, SpvOpImageWrite) ||
      in_range(op, SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseDrefGather) ||
      op == SpvOpImageSparseRead)
    return take_ids(w);
  w->o->unknown = op != SpvOpDecorate && op != SpvOpMemberDecorate && op != SpvOpExecutionMode &&
                  op != SpvOpLoopMerge && op != SpvOpSelectionMerge;
  w->at = w->o->count;
  return true;
}

bool sr_operands_walk(SrOperands *o) {
  Walk w = {.o = o, .at = 1};
  SrOperandList list = sr_grammar_instruction(o->words[0] & 0xffff);
  if (!list) {
    o->unknown = true;
    return true;
  }
  if (!take_list(&w, list))
    return false;
  if (left(&w) && !w.open_ended)
    return problem(&w, "has more words than operands");
  return !left(&w) || take_rest(&w);
}
