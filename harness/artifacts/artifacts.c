/* SPDX-License-Identifier: Apache-2.0 */
/* artifacts: see artifacts.h. */
#include "harness/artifacts/artifacts.h"

#include "harness/artifacts/artifact_contents.h"
#include "harness/artifacts/artifact_folder.h"
#include "harness/artifacts/modules.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_json.h"
#include "passes/tool/tool_shell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the name of a folder -------------------------------------------------------------------- */

/* Adds `path` as a path below the folder: "." is left out, ".." becomes "__". */
static void add_path(FILE *out, const char *path) {
  for (; *path; path += strspn(path, "/")) {
    size_t length = strcspn(path, "/");
    if (length == 2 && strncmp(path, "..", 2) == 0) {
      fputs("/__", out);
    } else if (length && !(length == 1 && *path == '.')) {
      fputc('/', out);
      hn_folder_add_name(out, path, length);
    }
    path += length;
  }
}

char *hn_artifacts_folder(const char *folder, const char *path, const char *device,
                          const char *variant) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "%s/", folder);
  hn_folder_add_name(out, device, strlen(device));
  add_path(out, path);
  fputc('/', out);
  hn_folder_add_name(out, variant, strlen(variant));
  if (fclose(out) == 0)
    return text;
  free(text);
  return NULL;
}

bool hn_artifacts_exist(const char *folder, const char *path, const char *device,
                        const char *variant) {
  char *own = hn_artifacts_folder(folder, path, device, variant), *mark = NULL;
  bool exist = own && asprintf(&mark, "%s/failure.json", own) >= 0 && access(mark, R_OK) == 0;
  free(own);
  free(mark);
  return exist;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* If the failed variant differs from another one, the command runs both. */
static char *command_of(const HnArtifacts *artifacts, const HnFailure *failure) {
  char *text = NULL, *device = NULL, *transform = NULL;
  size_t size;
  bool both = failure->reference && !failure->is_device &&
              strcmp(failure->reference, failure->variant) != 0;
  bool good = asprintf(&device, "--device=%s", failure->device) >= 0 &&
              asprintf(&transform, "--transform=%s%s%s", both ? failure->reference : "",
                       both ? "+" : "", failure->variant) >= 0;
  FILE *out = good ? open_memstream(&text, &size) : NULL;
  if (out) {
    fprintf(out, "%s ", artifacts->command);
    tool_shell_word(out, device);
    fputc(' ', out);
    tool_shell_word(out, transform);
    fputc(' ', out);
    tool_shell_word(out, failure->path);
    good = fclose(out) == 0;
  }
  free(device);
  free(transform);
  if (good)
    return text;
  free(text);
  return NULL;
}

static void write_script(HnFolder *folder, const char *command) {
  char *text, *file = hn_folder_file(folder, "rerun.sh");
  mode_t mask = umask(0);
  umask(mask);
  if (asprintf(&text,
               "#!/bin/sh\n# Runs just this again; arguments are further options.\n%s \"$@\"\n",
               command) < 0)
    text = NULL;
  hn_folder_write_text(folder, "rerun.sh", text);
  if (file)
    chmod(file, 0777 & ~mask);
  free(file);
}

/* ---- failure.json, failure.txt --------------------------------------------------------------- */

static json_t *text_or_null(const char *text) {
  return text ? tool_json_text(text) : json_null();
}

static json_t *object_of(const HnFailure *failure, const char *command) {
  json_t *o = json_object();
  json_object_set_new(o, "case", tool_json_text(failure->path));
  json_object_set_new(o, "device", tool_json_text(failure->device));
  json_object_set_new(o, "variant", tool_json_text(failure->variant));
  json_object_set_new(o, "outcome", json_string(hn_outcome_name(failure->result->outcome)));
  json_object_set_new(o, "message", text_or_null(failure->result->message));
  json_object_set_new(o, "differs_from", text_or_null(failure->reference));
  json_object_set_new(o, "command", text_or_null(command));
  return o;
}

static const char *get_text(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static json_int_t get_count(const json_t *o, const char *key) {
  return json_integer_value(json_object_get(o, key));
}

static void print_buffer(FILE *out, const json_t *b) {
  const json_t *largest = json_object_get(b, "largest_error");
  fprintf(out, "buffer %s: %lld of %lld elements differ", get_text(b, "name"),
          (long long)get_count(b, "differing"), (long long)get_count(b, "elements"));
  if (!get_count(b, "numbers")) {
    fputs(" (only bytes between the numbers)\n", out);
    return;
  }
  if (json_is_real(largest))
    fprintf(out, "; the largest error is %.9g", json_real_value(largest));
  else
    fputs("; the largest error is infinite", out);
  fprintf(out, ", at element %lld, byte %lld: %s, expected %s\n",
          (long long)get_count(b, "element"), (long long)get_count(b, "byte"),
          get_text(b, "actual"), get_text(b, "expected"));
}

static char *text_of(const json_t *o) {
  char *text = NULL;
  size_t size, i;
  const json_t *entry;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "case:    %s\ndevice:  %s\nvariant: %s\n%s: %s\n\n", get_text(o, "case"),
          get_text(o, "device"), get_text(o, "variant"), get_text(o, "outcome"),
          get_text(o, "message"));
  json_array_foreach(json_object_get(o, "buffers"), i, entry) print_buffer(out, entry);
  json_array_foreach(json_object_get(o, "notes"), i, entry)
      fprintf(out, "%s\n", json_string_value(entry));
  fprintf(out, "\nTo run just this again:\n\n%s\n", get_text(o, "command"));
  if (fclose(out) == 0)
    return text;
  free(text);
  return NULL;
}

static void write_log(HnFolder *folder, int log) {
  ToolInput in = {0};
  if (log < 0 || lseek(log, 0, SEEK_SET) < 0)
    return;
  if (tool_read_all(log, &in) && in.count)
    hn_folder_write(folder, "log.txt", in.bytes, in.count);
  free(in.bytes);
  lseek(log, 0, SEEK_END);
}

/* ---- all files of a failure ------------------------------------------------------------------ */

/* The object as text. The caller frees it. */
static char *dump(const json_t *o) {
  char *json = json_dumps(o, JSON_INDENT(2)), *text;
  if (!json || asprintf(&text, "%s\n", json) < 0)
    text = NULL;
  free(json);
  return text;
}

static void write_all(HnFolder *folder, const HnFailure *failure, const char *command) {
  json_t *o = object_of(failure, command), *notes = json_array();
  if (failure->script)
    hn_modules_write(folder, failure->script, failure->before, failure->after, notes);
  json_object_set_new(o, "buffers", hn_contents_write(folder, failure, notes));
  json_object_set_new(o, "notes", notes);
  write_log(folder, failure->log);
  hn_folder_write_text(folder, "failure.txt", text_of(o));
  if (folder->good) /* written last, so that it shows that all other files are there */
    hn_folder_write_text(folder, "failure.json", dump(o));
  json_decref(o);
}

bool hn_artifacts_write(const HnArtifacts *artifacts, const HnFailure *failure) {
  char *path =
      hn_artifacts_folder(artifacts->folder, failure->path, failure->device, failure->variant);
  char *command = command_of(artifacts, failure);
  bool good = path && command;
  if (good) {
    HnFolder folder = hn_folder_make(path);
    if (folder.good) {
      write_script(&folder, command);
      write_all(&folder, failure, command);
    }
    good = folder.good;
  }
  free(path);
  free(command);
  return good;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The order of the files. The picture that shows most comes first, for services that show one
 * file. */
static int rank(const char *name) {
  return tool_has_suffix(name, ".difference.png") ? 0 : tool_has_suffix(name, ".png") ? 1 : 2;
}

void hn_artifacts_files(const char *folder, void (*visit)(void *user, const char *file),
                        void *user) {
  size_t count;
  char **names = hn_folder_list(folder, &count);
  for (int wanted = 0; wanted < 3; wanted++)
    for (size_t i = 0; i < count; i++)
      if (rank(names[i]) == wanted)
        visit(user, names[i]);
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

void hn_artifacts_free(HnArtifacts *artifacts) {
  free(artifacts->folder);
  free(artifacts->command);
  *artifacts = (HnArtifacts){0};
}
