/* SPDX-License-Identifier: Apache-2.0 */
/* compile_ids: see compile_ids.h. Without their debug instructions, both modules are the same
 * sequence of instructions, so that the n-th result of one is the n-th of the other. Ids that only
 * debug instructions define (strings) get new ones after those of the plain module. */
#include "passes/tool/compile/compile_ids.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, BOUND = 3 };

/* A module, and where its ids are. */
typedef struct Ids {
  const uint32_t *words;
  size_t count;
  size_t at;        /* the next instruction */
  bool *is_id;      /* by word */
  uint32_t *result; /* by word that begins an instruction: its result, or 0 */
} Ids;

static bool is_debug(uint32_t op) {
  return op == SpvOpString || op == SpvOpLine || op == SpvOpNoLine || op == SpvOpSource ||
         op == SpvOpSourceContinued || op == SpvOpSourceExtension || op == SpvOpModuleProcessed;
}

static spv_result_t note(void *user, const spv_parsed_instruction_t *inst) {
  Ids *ids = user;
  ids->result[ids->at] = inst->result_id;
  for (uint16_t i = 0; i < inst->num_operands; i++)
    switch (inst->operands[i].type) {
    case SPV_OPERAND_TYPE_ID:
    case SPV_OPERAND_TYPE_TYPE_ID:
    case SPV_OPERAND_TYPE_RESULT_ID:
    case SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID:
    case SPV_OPERAND_TYPE_SCOPE_ID:
      ids->is_id[ids->at + inst->operands[i].offset] = true;
      break;
    default:
      break;
    }
  ids->at += inst->num_words;
  return SPV_SUCCESS;
}

static bool read_ids(const CompileResult *from, Ids *ids) {
  *ids = (Ids){.words = from->words, .count = from->count, .at = HEADER};
  ids->is_id = calloc(from->count + 1, sizeof *ids->is_id);
  ids->result = calloc(from->count + 1, sizeof *ids->result);
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  bool good =
      ids->is_id && ids->result && context &&
      spvBinaryParse(context, ids, from->words, from->count, NULL, note, NULL) == SPV_SUCCESS;
  spvContextDestroy(context);
  return good;
}

static void free_ids(Ids *ids) {
  free(ids->is_id);
  free(ids->result);
}

static size_t next(const Ids *ids, size_t at) {
  do
    at += ids->words[at] >> 16;
  while (at < ids->count && is_debug(ids->words[at] & 0xffff));
  return at;
}

static size_t first(const Ids *ids) {
  return is_debug(ids->words[HEADER] & 0xffff) ? next(ids, HEADER) : HEADER;
}

/* Maps the results of `lines` to those of `plain`. False: the sequences differ. */
static bool map_results(const Ids *lines, const Ids *plain, uint32_t *map) {
  size_t a = first(lines), b = first(plain);
  for (; a < lines->count && b < plain->count; a = next(lines, a), b = next(plain, b)) {
    if (lines->words[a] != plain->words[b])
      return false;
    if (lines->result[a])
      map[lines->result[a]] = plain->result[b];
  }
  return a >= lines->count && b >= plain->count;
}

/* Are the sequences equal, but for their ids? */
static bool is_same(const Ids *lines, const Ids *plain, const uint32_t *map) {
  size_t a = first(lines), b = first(plain);
  for (; a < lines->count; a = next(lines, a), b = next(plain, b))
    for (uint32_t i = 1; i < lines->words[a] >> 16; i++) {
      uint32_t word = lines->words[a + i];
      if ((lines->is_id[a + i] ? map[word] : word) != plain->words[b + i])
        return false;
    }
  return true;
}

static void renumber(CompileResult *to, const Ids *lines, uint32_t *map, uint32_t bound) {
  for (size_t at = HEADER; at < lines->count; at += lines->words[at] >> 16)
    if (lines->result[at] && !map[lines->result[at]])
      map[lines->result[at]] = bound++;
  for (size_t i = HEADER; i < lines->count; i++)
    if (lines->is_id[i])
      to->words[i] = map[to->words[i]];
  to->words[BOUND] = bound;
}

void compile_ids_take(CompileResult *lines, const CompileResult *plain) {
  Ids a, b = {0};
  if (lines->count <= HEADER || plain->count <= HEADER)
    return;
  bool good = read_ids(lines, &a) && read_ids(plain, &b);
  uint32_t *map = good ? calloc(lines->words[BOUND] + 1u, sizeof *map) : NULL;
  if (map && map_results(&a, &b, map) && is_same(&a, &b, map))
    renumber(lines, &a, map, plain->words[BOUND]);
  free(map);
  free_ids(&a);
  free_ids(&b);
}
