/* SPDX-License-Identifier: Apache-2.0 */
/* fit_line: see fit_line.h. */
#include "harness/fit/fit_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A difference is a step, and a line rises, from this many errors on. */
static const double certain_errors = 4;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *values, uint32_t count) {
  double sorted[FT_MOST];
  memcpy(sorted, values, count * sizeof *values);
  qsort(sorted, count, sizeof *sorted, by_value);
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* The steps, by the median of the differences; `height` is the sum of their differences. */
static void find_steps(FtLine *line, const double *differences, uint32_t count, double *height) {
  double errors[FT_MOST], usual = median(differences, count);
  for (uint32_t i = 0; i < count; i++)
    errors[i] = fabs(differences[i] - usual);
  double error = median(errors, count);
  *height = 0;
  for (uint32_t i = 0; i < count; i++) {
    double above = differences[i] - usual;
    if (above <= fabs(usual) / 2 || above <= certain_errors * error)
      continue;
    line->at[line->steps++] = i + 1;
    *height += differences[i];
  }
}

/* What remains of the times without slope and steps, each step with its own height. */
static void flatten(const FtLine *line, const double *time, uint32_t count, double *rest) {
  uint32_t before = 0;
  double high = 0;
  for (uint32_t m = 0; m < count; m++) {
    if (before < line->steps && line->at[before] == m) {
      high += time[m] - time[m - 1] - line->slope;
      before++;
    }
    rest[m] = time[m] - line->slope * m - high;
  }
}

/* Are the steps more than chance, though the slope may not be? */
static bool steps_are_certain(const FtLine *line, double rise, double height) {
  return line->steps && height < 2 * rise && line->step > certain_errors * line->error;
}

FtLine ft_line(const double *time, uint32_t count) {
  double differences[FT_MOST] = {0}, rest[FT_MOST], height, rise = time[count - 1] - time[0];
  FtLine line = {0};
  for (uint32_t m = 1; m < count; m++)
    differences[m - 1] = time[m] - time[m - 1];
  find_steps(&line, differences, count - 1, &height);
  uint32_t others = count - 1 - line.steps;
  line.slope = others ? (rise - height) / others : 0;
  line.step = line.steps ? height / line.steps - line.slope : 0;
  flatten(&line, time, count, rest);
  line.start = median(rest, count);
  for (uint32_t m = 0; m < count; m++)
    rest[m] = fabs(rest[m] - line.start);
  line.error = median(rest, count);
  line.certain = line.slope * (count - 1) > certain_errors * line.error;
  if (!line.certain && !steps_are_certain(&line, rise, height))
    line.steps = 0;
  return line;
}
