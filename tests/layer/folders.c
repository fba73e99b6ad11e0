/* SPDX-License-Identifier: Apache-2.0 */
/* folders: see folders.h. */
#include "tests/layer/folders.h"

#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64 };

static char *made[MOST];
static pid_t owner;

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(path);
}

static void remove_all(void) {
  for (int i = 0; made[i]; i++) {
    if (getpid() == owner)
      nftw(made[i], remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(made[i]);
    made[i] = NULL;
  }
}

char *folder_new(void) {
  int count = 0;
  while (made[count])
    count++;
  assert_true(count < MOST - 1);
  if (count == 0) {
    owner = getpid();
    atexit(remove_all);
  }
  char path[] = "/tmp/spvreconv-layer-XXXXXX";
  assert_non_null(mkdtemp(path));
  made[count] = strdup(path);
  return strdup(path);
}

char *folder_file(const char *folder, const char *name) {
  char *path;
  assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
  return path;
}

static int ends_so(const char *name, const char *ending) {
  size_t length = strlen(name), wanted = strlen(ending);
  return name[0] != '.' && length >= wanted && strcmp(name + length - wanted, ending) == 0;
}

size_t folder_count(const char *folder, const char *ending, char **path) {
  DIR *all = opendir(folder);
  assert_non_null(all);
  size_t count = 0;
  if (path)
    *path = NULL;
  for (struct dirent *entry; (entry = readdir(all));) {
    if (!ends_so(entry->d_name, ending))
      continue;
    count++;
    if (!path)
      continue;
    free(*path);
    *path = folder_file(folder, entry->d_name);
  }
  closedir(all);
  return count;
}

char *folder_text(const char *path) {
  uint8_t *bytes;
  size_t size;
  if (!compile_file_read(path, HN_FILE_MOST, &bytes, &size))
    return strdup("");
  char *text = strndup((const char *)bytes, size);
  free(bytes);
  return text;
}

size_t folder_lines(const char *path) {
  char *text = folder_text(path);
  size_t lines = 0;
  for (const char *p = text; (p = strchr(p, '\n')); p++)
    lines++;
  free(text);
  return lines;
}

char *folder_new_log(void) {
  char *folder = folder_new(), *path = folder_file(folder, "log");
  setenv("SPVRECONV_LOG", path, 1);
  free(folder);
  return path;
}

void folder_clear_environment(void) {
#define SR_VARIABLE(name) unsetenv("SPVRECONV_" #name);
#include "passes/names/variables.def"
}

char *folder_log;

int folder_set_up(void **state) {
  (void)state;
  folder_clear_environment();
  folder_log = folder_new_log();
  return 0;
}

int folder_tear_down(void **state) {
  (void)state;
  free(folder_log);
  return 0;
}
