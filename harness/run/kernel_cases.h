/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_cases: writes a case for each kernel of a file of OpenCL C, with arguments that are made
 * up, so that kernels can be run without the programs that they belong to. */
#ifndef HN_KERNEL_CASES_H
#define HN_KERNEL_CASES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HnKernelCases {
  const char *path;           /* of the OpenCL C */
  const char *folder;         /* where FILE.KERNEL.amber is written; made if it is missing */
  const char *const *options; /* for the compilers, besides -I of the file's folder */
  uint32_t option_count;
  const char *const *settings; /* NAME=VALUE of arguments by value that are not made up */
  uint32_t setting_count;
  uint64_t seed; /* of the arguments that are made up */
} HnKernelCases;

/* Prints the name of each file written. A kernel with an argument that no case can give gets no
 * file, but a line on standard error. False: a message is on standard error. */
bool hn_kernel_cases(const HnKernelCases *wanted);

#endif
