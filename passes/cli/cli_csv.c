/* SPDX-License-Identifier: Apache-2.0 */
/* cli_csv: see cli_csv.h. */
#include "cli/cli_csv.h"

#include <string.h>

void cli_csv_text(FILE *out, const char *text) {
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
