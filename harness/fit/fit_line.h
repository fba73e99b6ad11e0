/* SPDX-License-Identifier: Apache-2.0 */
/* fit_line: a line with steps through measured times. */
#ifndef FT_FIT_LINE_H
#define FT_FIT_LINE_H

#include <stdbool.h>
#include <stdint.h>

enum { FT_MOST = 128 /* points */ };

/* time(m) = start + slope * m + step * (steps at or before m) */
typedef struct FtLine {
  double start, slope;
  double error;         /* median distance of the points from the line */
  bool certain;         /* the slope is more than the errors explain */
  double step;          /* mean height of a step */
  uint32_t steps;       /* their number */
  uint32_t at[FT_MOST]; /* where they are */
} FtLine;

/* The line through time[0] to time[count - 1]; 2 <= count <= FT_MOST. A step is a difference of
 * neighbours that exceeds the median of all differences by more than half of it, and by more than
 * their errors explain; the slope is the mean of the other differences. If the slope is not certain,
 * the line has steps only if they explain most of its rise: a single late measurement is no step. */
FtLine ft_line(const double *time, uint32_t count);

#endif
