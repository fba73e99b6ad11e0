/* SPDX-License-Identifier: Apache-2.0 */
/* tool_csv: see tool_csv.h. */
#include "passes/tool/tool_csv.h"

#include <string.h>

void tool_csv_text(FILE *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}
