/* SPDX-License-Identifier: Apache-2.0 */
/* fit_report: what fit prints about a device, as text and as JSON. */
#ifndef FT_FIT_REPORT_H
#define FT_FIT_REPORT_H

#include "harness/fit/fit.h"

#include <jansson.h>
#include <stdio.h>

/* A row of the table: policies that form the same tangles in all programs. */
typedef struct FtRow {
  uint32_t policies[HN_POLICIES]; /* indices in FtFit */
  uint32_t count;
} FtRow;

enum { FT_KINDS = 16 };

/* Observations that a policy does not explain, by what is wrong. */
typedef struct FtKind {
  char name[64];
  size_t count;
} FtKind;

/* ---- fit_rows.c ---- */

/* The rows, those that explain most observations first; the last ones are of policies that apply
 * to no program. Returns their number. */
uint32_t ft_rows(const FtFit *fit, FtRow rows[HN_POLICIES]);
/* The first place in program order, and on a lane's path; NULL: all is explained. */
const FtPlace *ft_first_place(const FtScore *score);
/* The kinds of what is not explained, the most frequent first; the last one may stand for all
 * others. Returns their number. */
uint32_t ft_kinds(const FtScore *score, FtKind kinds[FT_KINDS]);
/* "agrees with `structured` in 412 of 412; with `maximal` in 409: the 3: …" */
void ft_put_sentence(const FtFit *fit, const FtRow *rows, uint32_t count, FILE *out);
/* One line about the times. */
void ft_put_times(const FtTimes *times, FILE *out);

/* ---- fit_report.c ---- */

void ft_report_text(const FtFit *fit, FILE *out);

/* ---- fit_json.c ---- */

json_t *ft_report_json(const FtFit *fit);
/* Prints the object with these devices. False: it cannot be written. */
bool ft_report_print(json_t *devices, FILE *out);

#endif
