/* SPDX-License-Identifier: Apache-2.0 */
/* label: see label.h. */
#include "passes/ir/label.h"

void sr_label_escape(SrText *out, const char *text, size_t limit) {
  for (size_t i = 0; text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    if (i == limit) {
      sr_text_add(out, "…");
      return;
    }
    if (c == '<' || c == '>' || c == '&' || c == '"' || c < ' ' || c >= 127)
      sr_text_add(out, c < 127 && c >= ' ' ? "&#%u;" : "?", c);
    else
      sr_text_put(out, (const char *)&c, 1);
  }
}

const char **sr_label_names(SrArena *arena, const SrModule *m) {
  const char **names = SR_NEW(arena, const char *, sr_bound(m));
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpName && w[1] < sr_bound(m) && w[2] != 0)
      names[w[1]] = (const char *)&w[2];
  }
  return names;
}
