/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz: fuzz targets, and what their parts share.
 *
 * A target is one source, fuzz_NAME.c, with libFuzzer's entry function. Built with clang and
 * -DSPVRECONV_FUZZ=ON it is a libFuzzer program; with afl-clang-fast an AFL++ program in persistent
 * mode; with any compiler a program that runs the given files (fuzz_main.c). A failure ends the
 * process, through fuzz_die or a sanitizer.
 *
 * An input is a whole file, as a user has it. A module's generator word, which has no other
 * meaning, selects what the target does with the module, so every finding is a plain .spv. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Index of a module's generator word; word 0 is the magic number. */
enum { FUZZ_GENERATOR = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints one line and aborts. */
__attribute__((format(printf, 1, 2), noreturn)) void fuzz_die(const char *format, ...);

/* The input's whole words, in a block of their exact size, so that a sanitizer sees reads past it;
 * to be freed. */
uint32_t *fuzz_words(const uint8_t *data, size_t size, size_t *count);

#endif
