/* SPDX-License-Identifier: Apache-2.0 */
/* run_test: the main function of a program that has all test_*.c of one folder, so that a folder is
 * linked once:
 *
 *   PROGRAM TEST
 *
 * Each of these files has a main function, which the build compiles under the name of the file; the
 * one that is named runs, alone in its process. TEST_LIST is a file that the build writes
 * (tests.cmake), with the line TEST(test_NAME) for each. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name(void);
#include TEST_LIST
#undef TEST

int main(int argc, char **argv) {
  const char *wanted = argc == 2 ? argv[1] : "";
#define TEST(name)                                                                                 \
  if (strcmp(wanted, #name) == 0)                                                                  \
    return name();
#include TEST_LIST
#undef TEST
  fprintf(stderr, "usage: %s TEST, which is one of:\n", argv[0]);
#define TEST(name) fputs("  " #name "\n", stderr);
#include TEST_LIST
#undef TEST
  return 2;
}
