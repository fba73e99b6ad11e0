/* SPDX-License-Identifier: Apache-2.0 */
/* graph_json: see graph_json.h. */
#include "spv-graph/graph_json.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_json.h"
#include "spv-graph/graph_builder.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads an integer member from `least` to `most`. If the member is missing, `*value` keeps its
 * value. */
static bool read_integer(const char *path, size_t at, json_t *object, const char *name,
                         uint64_t least, uint64_t most, uint64_t *value) {
  json_t *member = json_object_get(object, name);
  if (!member)
    return true;
  json_int_t given = json_integer_value(member);
  if (json_is_integer(member) && given >= 0 && (uint64_t)given >= least &&
      (uint64_t)given <= most) {
    *value = (uint64_t)given;
    return true;
  }
  tool_say(path, "blocks[%zu]: \"%s\" is not an integer from %" PRIu64 " to %" PRIu64, at, name,
           least, most);
  return false;
}

static bool read_share(const char *path, size_t at, json_t *object, double *share) {
  json_t *member = json_object_get(object, "taken");
  *share = member ? json_number_value(member) : -1;
  if (!member || (json_is_number(member) && *share >= 0 && *share <= 1))
    return true;
  tool_say(path, "blocks[%zu]: \"taken\" is not a number from 0 to 1", at);
  return false;
}

static bool read_term(const char *path, size_t at, json_t *object, uint32_t succ_count,
                      GraphTerm *term) {
  json_t *member = json_object_get(object, "term");
  *term = graph_term_default(succ_count);
  if (!member || (json_is_string(member) && graph_term_find(json_string_value(member), term)))
    return true;
  tool_say(path, "blocks[%zu]: \"term\" is none of fall, bra, cbra, brx, exit, cexit, none", at);
  return false;
}

static bool read_block(GraphBuilder *b, size_t at, json_t *object) {
  uint64_t id = UINT64_MAX, weight = GRAPH_DEFAULT_WEIGHT, calls = 0;
  json_t *succ = json_object_get(object, "succ"), *one;
  GraphBlock block = {.barrier = json_is_true(json_object_get(object, "barrier"))};
  if (!json_is_array(succ)) {
    tool_say(b->path, "blocks[%zu]: \"succ\" is not an array", at);
    return false;
  }
  if (!read_integer(b->path, at, object, "id", 0, INT64_MAX, &id) ||
      !read_integer(b->path, at, object, "w", 0, GRAPH_MOST_WEIGHT, &weight) ||
      !read_integer(b->path, at, object, "calls", 0, GRAPH_MOST_WEIGHT, &calls) ||
      !read_share(b->path, at, object, &block.taken) ||
      !read_term(b->path, at, object, (uint32_t)json_array_size(succ), &block.term))
    return false;
  if (id == UINT64_MAX) {
    tool_say(b->path, "blocks[%zu] has no \"id\"", at);
    return false;
  }
  block.id = id;
  block.weight = (uint32_t)weight;
  block.calls = (uint32_t)calls;
  if (!graph_builder_block(b, block))
    return false;
  size_t k;
  json_array_foreach(succ, k, one) {
    if (!json_is_integer(one) || json_integer_value(one) < 0) {
      tool_say(b->path, "blocks[%zu]: a successor is not the id of a block", at);
      return false;
    }
    graph_builder_succ(b, (uint64_t)json_integer_value(one));
  }
  return true;
}

static const char *read_name(SrArena *arena, json_t *object, const char *name) {
  json_t *member = json_object_get(object, name);
  return sr_strndup(arena, json_is_string(member) ? json_string_value(member) : "",
                    json_is_string(member) ? json_string_length(member) : 0);
}

static Graph *read_graph(SrArena *arena, const char *path, json_t *root) {
  GraphBuilder b = graph_builder(arena, path);
  json_t *blocks = json_object_get(root, "blocks"), *block;
  json_t *entry = json_object_get(root, "entry");
  if (!json_is_array(blocks)) {
    tool_say(path, "this is not a graph: there is no array \"blocks\"");
    return NULL;
  }
  size_t at;
  json_array_foreach(blocks, at, block) {
    if (!read_block(&b, at, block))
      return NULL;
  }
  b.graph->name = read_name(arena, root, "name");
  b.graph->kernel = read_name(arena, root, "kernel");
  uint64_t first = b.graph->block.count ? b.graph->block.at[0].id : 0;
  return graph_builder_end(&b,
                           json_is_integer(entry) ? (uint64_t)json_integer_value(entry) : first);
}

Graph *graph_json_read(SrArena *arena, const char *path, const char *text, size_t size) {
  json_error_t error;
  json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  if (!root) {
    tool_say(path, "line %d: %s", error.line, error.text);
    return NULL;
  }
  Graph *graph = read_graph(arena, path, root);
  json_decref(root);
  return graph;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_text(const char *name, const char *value, FILE *out) {
  json_t *text = tool_json_text(value);
  char *quoted = text ? json_dumps(text, JSON_ENCODE_ANY) : NULL;
  fprintf(out, "\"%s\":%s,", name, quoted ? quoted : "\"\"");
  free(quoted);
  json_decref(text);
}

static void write_block(const Graph *g, const GraphBlock *b, FILE *out) {
  fprintf(out, "{\"id\":%" PRIu64 ",\"w\":%" PRIu32 ",\"succ\":[", b->id, b->weight);
  for (uint32_t k = 0; k < b->succ_count; k++)
    fprintf(out, "%s%" PRIu64, k ? "," : "", g->block.at[g->succ.at[b->succ + k]].id);
  fprintf(out, "],\"barrier\":%s,\"term\":\"%s\",\"calls\":%" PRIu32, b->barrier ? "true" : "false",
          graph_term_name(b->term), b->calls);
  if (b->taken >= 0)
    fprintf(out, ",\"taken\":%.9g", b->taken);
  fputc('}', out);
}

void graph_json_write(const Graph *g, FILE *out) {
  fputc('{', out);
  write_text("name", g->name, out);
  write_text("kernel", g->kernel, out);
  fprintf(out, "\"entry\":%" PRIu64 ",\"blocks\":[\n", g->block.at[0].id);
  for (uint32_t i = 0; i < g->block.count; i++) {
    write_block(g, &g->block.at[i], out);
    fputs(i + 1 < g->block.count ? ",\n" : "\n", out);
  }
  fputs("]}\n", out);
}
