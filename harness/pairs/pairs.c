/* SPDX-License-Identifier: Apache-2.0 */
/* pairs: see pairs.h. */
#include "harness/pairs/pairs.h"

#include "harness/base/message.h"
#include "passes/tool/tool_folder.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct List {
  const HnPairsOptions *options;
  char **paths; /* paths below the folder */
  size_t count, room;
  char **message;
} List;

static bool is_wanted(const List *list, const char *path, const char *below) {
  CompileLanguage language;
  CompileStage stage;
  const char *filter = list->options->filter;
  return (!filter || fnmatch(filter, below, 0) == 0) &&
         (compile_kind_of(path, &language, &stage) || tool_is_module(path));
}

static bool add(void *user, const char *path, const char *below) {
  List *list = user;
  if (!is_wanted(list, path, below))
    return true;
  if (list->count == list->room) {
    size_t room = list->room ? 2 * list->room : 64;
    char **more = realloc(list->paths, room * sizeof *more);
    if (!more)
      return hn_message_set(list->message, path, "out of memory");
    list->paths = more;
    list->room = room;
  }
  list->paths[list->count] = strdup(below);
  return list->paths[list->count++] || hn_message_set(list->message, path, "out of memory");
}

static bool fail_folder(void *user, const char *path) {
  const List *list = user;
  return hn_message_set(list->message, path, strerror(errno));
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_folder(List *list, const char *folder) {
  const ToolFolderVisitor visitor = {add, NULL, fail_folder, list};
  if (!tool_folder_visit(folder, &visitor))
    return false;
  if (!list->count)
    return hn_message_set(list->message, folder,
                          list->options->filter
                              ? "no module or shader matches the filter"
                              : "no module (.spv, .spvasm) or shader is below this folder");
  qsort(list->paths, list->count, sizeof *list->paths, by_text);
  return true;
}

/* Moves each path to the pairs, or to the paths that only one folder has. */
static void match(List lists[2], HnPairs *p) {
  size_t at[2] = {0, 0};
  while (at[0] < lists[0].count || at[1] < lists[1].count) {
    int order = at[0] == lists[0].count   ? 1
                : at[1] == lists[1].count ? -1
                                          : strcmp(lists[0].paths[at[0]], lists[1].paths[at[1]]);
    int from = order > 0;
    char **path = &lists[from].paths[at[from]++];
    if (order)
      p->alone[from][p->alone_count[from]++] = *path;
    else
      p->paths[p->count++] = *path, at[1]++;
    *path = NULL;
  }
}

static bool make_room(HnPairs *p, const List lists[2]) {
  size_t most = lists[0].count < lists[1].count ? lists[0].count : lists[1].count;
  p->paths = calloc(most + 1, sizeof *p->paths);
  for (int i = 0; i < 2; i++)
    p->alone[i] = calloc(lists[i].count + 1, sizeof *p->alone[i]);
  return p->paths && p->alone[0] && p->alone[1];
}

/* Makes the shared memory to which children write what they measure. */
static bool share(HnPairs *p) {
  p->bytes = (p->count + 1) * sizeof *p->at;
  void *memory = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  p->at = memory;
  for (size_t i = 0; i < p->count; i++)
    p->at[i].path = p->paths[i];
  return true;
}

bool hn_pairs_find(const HnPairsOptions *options, HnPairs *p, char **message) {
  List lists[2];
  *p = (HnPairs){.options = options};
  bool good = true;
  for (int i = 0; i < 2; i++) {
    lists[i] = (List){.options = options, .message = message};
    good = good && list_folder(&lists[i], options->folders[i]);
  }
  if (good && !make_room(p, lists))
    good = hn_message_set(message, options->folders[0], "out of memory");
  if (good) {
    match(lists, p);
    good = share(p) || hn_message_set(message, options->folders[0], "out of memory");
  }
  if (good && !p->count)
    good = hn_message_set(message, options->folders[1],
                          "no file has the path of one in the first folder");
  for (int i = 0; i < 2; i++) {
    for (size_t k = 0; k < lists[i].count; k++)
      free(lists[i].paths[k]);
    free(lists[i].paths);
  }
  return good;
}

void hn_pairs_free(HnPairs *p) {
  for (size_t i = 0; i < p->count; i++)
    free(p->paths[i]);
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < p->alone_count[side]; i++)
      free(p->alone[side][i]);
    free(p->alone[side]);
  }
  free(p->paths);
  if (p->at)
    munmap(p->at, p->bytes);
}
