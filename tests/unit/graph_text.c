/* SPDX-License-Identifier: Apache-2.0 */
/* graph_text: see graph_text.h. Lines are read twice: names first, then edges and facts. */
#include "tests/unit/graph_text.h"
#include "passes/base/vec.h"
#include "passes/tool/os/os_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *line) {
  fprintf(stderr, "graph text: %s: %s\n", what, line);
  abort();
}

/* The next word of *at, or NULL at the end. Words end at blanks. */
static char *next_word(SrArena *arena, const char **at) {
  *at += strspn(*at, " \t");
  size_t n = strcspn(*at, " \t");
  if (!n)
    return NULL;
  char *word = sr_strndup(arena, *at, n);
  *at += n;
  return word;
}

uint32_t graph_text_node(const GraphText *t, const char *name) {
  for (uint32_t b = 0; b < t->graph->count; b++)
    if (strcmp(t->names[b], name) == 0)
      return b;
  return SR_NONE;
}

typedef SR_VEC(const char *) Lines;

static Lines split_lines(SrArena *arena, const char *text) {
  Lines lines = {0};
  while (*text) {
    size_t n = strcspn(text, "\n");
    if (strspn(text, " \t") < n && *text != '#')
      SR_PUSH(arena, &lines, sr_strndup(arena, text, n));
    text += n + (text[n] != 0);
  }
  return lines;
}

/* The length of the block's name if the line defines a block, else 0. */
static size_t block_name(const char *line) {
  size_t n = strcspn(line, " :=");
  return line[n] == ':' ? n : 0;
}

static GraphFact read_fact(SrArena *arena, const char *line) {
  GraphFact f = {next_word(arena, &line), next_word(arena, &line), NULL};
  if (!f.subject || strcmp(f.subject, "=") == 0)
    f.subject = "";
  else if (strcmp(next_word(arena, &line), "=") != 0)
    stop("no '='", f.key);
  f.value = line + strspn(line, " \t");
  return f;
}

typedef SR_VEC(SrEdge) Edges;

/* Reads "B C (u)" after "A:"; returns whether the branch is divergent. */
static bool read_edges(SrArena *arena, const GraphText *t, uint32_t from, const char *line,
                       Edges *edges) {
  uint32_t n = 0;
  bool uniform = false;
  for (char *word; (word = next_word(arena, &line)); n++) {
    if (strcmp(word, "(u)") == 0) {
      uniform = true;
      continue;
    }
    uint32_t to = graph_text_node(t, word);
    if (to == SR_NONE)
      stop("no such block", word);
    SR_PUSH(arena, edges, (SrEdge){from, to});
  }
  return n > 1 && !uniform;
}

GraphText *graph_text_parse(SrArena *arena, const char *text) {
  GraphText *t = SR_NEW(arena, GraphText, 1);
  Lines lines = split_lines(arena, text);
  SrGraph named = {0};
  t->graph = &named;
  t->names = SR_NEW(arena, const char *, lines.count);
  t->facts = SR_NEW(arena, GraphFact, lines.count);
  for (uint32_t i = 0; i < lines.count; i++) {
    size_t n = block_name(lines.at[i]);
    if (n)
      t->names[named.count++] = sr_strndup(arena, lines.at[i], n);
    else
      t->facts[t->fact_count++] = read_fact(arena, lines.at[i]);
  }
  t->divergent = sr_bits_new(arena, named.count);
  Edges edges = {0};
  for (uint32_t i = 0, b = 0; i < lines.count; i++) {
    size_t n = block_name(lines.at[i]);
    if (n && read_edges(arena, t, b, lines.at[i] + n + 1, &edges))
      sr_bit_set(t->divergent, b);
    b += n > 0;
  }
  t->graph = sr_graph_new(arena, named.count, edges.at, edges.count);
  return t;
}

char *graph_text_names(SrArena *arena, const GraphText *t, const uint32_t *nodes, uint32_t count) {
  SR_VEC(char) out = {0};
  for (uint32_t i = 0; i < count; i++) {
    if (i)
      SR_PUSH(arena, &out, ' ');
    for (const char *c = t->names[nodes[i]]; *c; c++)
      SR_PUSH(arena, &out, *c);
  }
  SR_PUSH(arena, &out, 0);
  return out.at;
}

static char *read_all(SrArena *arena, const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f)
    stop("cannot open", path);
  SR_VEC(char) out = {0};
  for (int c; (c = fgetc(f)) != EOF;)
    SR_PUSH(arena, &out, (char)c);
  SR_PUSH(arena, &out, 0);
  fclose(f);
  return out.at;
}

uint32_t graph_text_each(const char *key, GraphCheck *check) {
  static const char folder[] = "tests/cfg";
  size_t count;
  char **names = os_folder_list(folder, &count), path[256];
  uint32_t n = 0, read = 0;
  for (size_t i = 0; names && i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    free(names[i]);
    if (!strstr(path, ".txt"))
      continue;
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    GraphText *t = graph_text_parse(&arena, read_all(&arena, path));
    for (uint32_t k = 0; k < t->fact_count; k++)
      if (strcmp(t->facts[k].key, key) == 0) {
        check(&arena, t, &t->facts[k], path);
        n++;
      }
    sr_heap_free_all(&heap);
    read++;
  }
  free(names);
  if (!read)
    stop("run from the project's root: no", "tests/cfg/*.txt");
  return n;
}
