/* SPDX-License-Identifier: Apache-2.0 */
/* report_advise: which lines waste lanes, why, and which transforms help: as text and as JSON. */
#ifndef EMU_REPORT_ADVISE_H
#define EMU_REPORT_ADVISE_H

#include "spv-emu/report/report.h"

#include <jansson.h>
#include <stdio.h>

/* A list of transforms that helps. */
typedef struct EmuTried {
  const char *transform;
  const char *order; /* as --order; NULL: not given */
  uint64_t issues;
  char *command; /* that gives this figure, and that of the input as it is */
  char *write;   /* the command that writes the module; NULL: a script has several */
  const struct EmuTried *chosen; /* of `best`: the list that it chose; NULL: several, or none */
} EmuTried;

typedef struct EmuAdvice {
  const EmuReport *report;
  const EmuRow *row;     /* of the report: a run with spv_emu_run_options.causes */
  const EmuRow *least;   /* the same under policy opt */
  const EmuTried *tried; /* the best first */
  uint32_t tried_count;
  uint32_t measured; /* how many lists were measured */
  double percent;    /* a list that saves less is not among them */
} EmuAdvice;

enum { EMU_ADVISE_SENTENCE = 1024 };

/* How lanes are lost: "lanes leave the loop in line 8 after 3 to 64 iterations, …". `cause`: of
 * the part's program and result. */
void emu_advise_cause(const EmuPart *part, const spv_emu_cause *cause,
                      char text[EMU_ADVISE_SENTENCE]);
/* The text; false: out of memory. */
bool emu_advise_text(const EmuAdvice *advice, FILE *out);
/* NULL: out of memory. */
json_t *emu_advise_object(const EmuAdvice *advice);

#endif
