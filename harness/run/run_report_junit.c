/* SPDX-License-Identifier: Apache-2.0 */
/* run_report_junit: see report.h. */
#include "harness/run/run_report.h"

#include "passes/tool/tool_json.h"

#include <stdlib.h>
#include <string.h>

/* Is it U+FFFE or U+FFFF? */
static bool is_no_character(const unsigned char *c) {
  return c[0] == 0xef && c[1] == 0xbf && (c[2] == 0xbe || c[2] == 0xbf);
}

/* Characters that XML 1.0 does not allow become '?', as do bytes that are not UTF-8. */
static void put_escaped(FILE *out, const char *text) {
  json_t *valid = tool_json_text(text);
  for (const unsigned char *c = (const unsigned char *)json_string_value(valid); c && *c; c++)
    switch (*c) {
    case '&':
      fputs("&amp;", out);
      break;
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      fputc(*c < ' ' || *c == 127 || is_no_character(c) ? '?' : *c, out);
      if (is_no_character(c))
        c += 2;
    }
  json_decref(valid);
}

static void put_element(FILE *out, const char *element, const HnResult *r) {
  fprintf(out, "      <%s message=\"%s", element, hn_outcome_name(r->outcome));
  if (r->message) {
    fputs(": ", out);
    put_escaped(out, r->message);
  }
  fputs("\"/>\n", out);
}

/* ---- attachments ---- */

typedef struct Attachments {
  FILE *out;
  const char *folder;
} Attachments;

static void put_attachment(void *user, const char *file) {
  const Attachments *a = user;
  fputs("[[ATTACHMENT|", a->out);
  put_escaped(a->out, a->folder);
  fputc('/', a->out);
  put_escaped(a->out, file);
  fputs("]]\n", a->out);
}

/* Names attachments by the convention of Jenkins and GitLab. */
static void put_attachments(FILE *out, const HnRun *run, size_t at, size_t device,
                            uint32_t variant) {
  char *folder = hn_report_folder(run, at, device, variant);
  Attachments attachments = {out, folder};
  if (!folder)
    return;
  fputs("      <system-out>\n", out);
  hn_artifacts_files(folder, put_attachment, &attachments);
  fputs("      </system-out>\n", out);
  free(folder);
}

/* ---- tests ---- */

static void put_test(FILE *out, const HnRun *run, size_t at, size_t device, uint32_t variant) {
  const HnResult *r = hn_run_result(run, at, device, variant);
  HnCount count = hn_outcome_count(r->outcome, run->variants[variant]);
  fputs("    <testcase classname=\"", out);
  put_escaped(out, run->cases.paths[at]);
  fputs("\" name=\"", out);
  put_escaped(out, run->variants[variant]);
  fprintf(out, "\" time=\"%.6f\">\n", 1e-6 * (double)r->wall_us);
  if (count == HN_COUNT_FAILED)
    put_element(out, r->outcome == HN_CRASH ? "error" : "failure", r);
  else if (r->outcome == HN_FLAKE)
    put_element(out, "flakyFailure", r); /* as Maven's Surefire writes it */
  else if (count != HN_COUNT_PASSED)
    put_element(out, "skipped", r);
  put_attachments(out, run, at, device, variant);
  fputs("    </testcase>\n", out);
}

static void put_suite(FILE *out, const HnRun *run, size_t device) {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  for (size_t at = 0; at < run->cases.count; at++)
    for (uint32_t v = 0; hn_run_finished(run, at, device) && v < run->variant_count; v++) {
      HnOutcome outcome = hn_run_result(run, at, device, v)->outcome;
      HnCount count = hn_outcome_count(outcome, run->variants[v]);
      tests++;
      errors += outcome == HN_CRASH;
      failures += count == HN_COUNT_FAILED && outcome != HN_CRASH;
      skipped += count == HN_COUNT_SKIPPED || count == HN_COUNT_NOT;
    }
  fputs("  <testsuite name=\"", out);
  put_escaped(out, run->devices.at[device].name);
  fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", tests,
          failures, errors, skipped);
  for (size_t at = 0; at < run->cases.count; at++)
    for (uint32_t v = 0; hn_run_finished(run, at, device) && v < run->variant_count; v++)
      put_test(out, run, at, device, v);
  fputs("  </testsuite>\n", out);
}

bool hn_report_junit(const HnRun *run, const char *path) {
  FILE *out = fopen(path, "w");
  if (!out)
    return false;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"spv-harness\">\n", out);
  for (size_t d = 0; d < run->devices.count; d++)
    put_suite(out, run, d);
  fputs("</testsuites>\n", out);
  bool good = !ferror(out);
  return fclose(out) == 0 && good;
}
