/* SPDX-License-Identifier: Apache-2.0 */
/* capture_index: see capture_index.h. Markdown; the tables are sorted by time, or by the number of
 * workgroups of pipelines without a time. */
#include "harness/capture/capture_index.h"

#include <errno.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *hash_of(const CpRow *row, char text[LY_HASH_TEXT]) {
  ly_hash_print(row->module, text);
  return text;
}

/* Writes text of the application into a cell of a table. */
static void write_cell(FILE *out, const char *text) {
  for (const char *c = text; *c; c++)
    fputc(*c == '|' || *c == '`' || (unsigned char)*c < ' ' ? '?' : *c, out);
}

static int by_cost(const void *x, const void *y) {
  const CpRow *a = *(const CpRow *const *)x, *b = *(const CpRow *const *)y;
  if (a->seconds != b->seconds)
    return a->seconds < b->seconds ? 1 : -1;
  return (a->workgroups < b->workgroups) - (a->workgroups > b->workgroups);
}

static void write_row(FILE *out, const CpRow *row) {
  char hash[LY_HASH_TEXT];
  fprintf(out, "| `%s` | ", hash_of(row, hash));
  write_cell(out, row->entry);
  fputs(" | ", out);
  write_cell(out, row->name);
  fprintf(out, " | %llu | %llu | ", (unsigned long long)row->dispatches,
          (unsigned long long)row->workgroups);
  if (row->timed)
    fprintf(out, "%.3f", 1e3 * row->seconds);
  fprintf(out, " | %llu |\n", (unsigned long long)row->captured);
}

static void write_pipelines(FILE *out, const CpSession *s) {
  const CpRow **rows = malloc((s->row_count + 1u) * sizeof *rows);
  if (!rows)
    return;
  for (uint32_t i = 0; i < s->row_count; i++)
    rows[i] = &s->rows[i];
  qsort(rows, s->row_count, sizeof *rows, by_cost);
  fputs("\n## Pipelines\n\nDispatches and draws are counted when they are recorded; only "
        "dispatches are timed. Of draws, vertices count as workgroups.\n\n"
        "| module | entry point | name | dispatches | workgroups | ms | chosen |\n"
        "| --- | --- | --- | ---: | ---: | ---: | ---: |\n",
        out);
  for (uint32_t i = 0; i < s->row_count; i++)
    if (rows[i]->dispatches)
      write_row(out, rows[i]);
  free(rows);
}

static void write_entries(FILE *out, const CpSession *s) {
  fputs("\n## Captured\n\n", out);
  if (!s->entry_count)
    fputs("Nothing.\n", out);
  for (uint32_t i = 0; i < s->entry_count; i++) {
    const CpEntry *e = &s->entries[i];
    char hash[LY_HASH_TEXT];
    fprintf(out, "- [%s](%s): %s %llu, module `%s`, ", e->file, e->file,
            e->draw ? "draw" : "dispatch", (unsigned long long)e->number,
            hash_of(&s->rows[e->row], hash));
    if (e->draw)
      fprintf(out, "%u vertices, %u instances", e->groups[0], e->groups[1]);
    else
      fprintf(out, "%u x %u x %u workgroups", e->groups[0], e->groups[1], e->groups[2]);
    fprintf(out, ", %llu bytes", (unsigned long long)e->bytes);
    if (e->seconds > 0)
      fprintf(out, ", %.3f ms", 1e3 * e->seconds);
    fputc('\n', out);
  }
}

static void write_refusals(FILE *out, const CpSession *s) {
  if (!s->refusal_count)
    return;
  fputs("\n## Not captured\n\n", out);
  for (uint32_t i = 0; i < s->refusal_count; i++) {
    const CpRefusal *r = &s->refusals[i];
    char hash[LY_HASH_TEXT];
    fprintf(out, "- %s %llu", s->rows[r->row].draws ? "draw" : "dispatch",
            (unsigned long long)r->first);
    if (r->count > 1)
      fprintf(out, " and %llu more", (unsigned long long)r->count - 1);
    fprintf(out, ", module `%s`: %s\n", hash_of(&s->rows[r->row], hash), r->why);
  }
}

void cp_index_write(CpSession *s) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return;
  fputs("# Capture of ", out);
  write_cell(out, program_invocation_short_name);
  fputs("\n\nspvreconv " SPVRECONV_VERSION, out);
  if (s->device) {
    fputs(", device ", out);
    write_cell(out, s->device);
  }
  fprintf(out, "; %llu dispatches recorded, %u captured\n", (unsigned long long)s->numbered,
          s->entry_count);
  write_pipelines(out, s);
  write_entries(out, s);
  write_refusals(out, s);
  if (fclose(out) == 0) {
    struct iovec part = {text, size};
    ly_folder_put(&s->folder, "INDEX.md", &part, 1);
  }
  free(text);
}
