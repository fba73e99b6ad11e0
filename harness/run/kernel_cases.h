/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_cases: writes a case for each kernel of an OpenCL C file, with made-up arguments, so that
 * kernels can run without their programs. */
#ifndef HN_KERNEL_CASES_H
#define HN_KERNEL_CASES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HnKernelCases {
  const char *path;           /* of the OpenCL C */
  const char *folder;         /* where FILE.KERNEL.amber is written; created if it is missing */
  const char *const *options; /* for the compilers, besides -I of the file's folder */
  uint32_t option_count;
  const char *const *settings; /* NAME=VALUE for arguments by value that are not made up */
  uint32_t setting_count;
  uint64_t seed; /* for the arguments that are made up */
} HnKernelCases;

/* Prints the name of each file written. For a kernel with an argument that no case can give, prints
 * a line on standard error instead of writing a file. False: a message is on standard error. */
bool hn_kernel_cases(const HnKernelCases *wanted);

#endif
