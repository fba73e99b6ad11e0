/* fuzz: what a fuzz target is, and what its parts share.
 *
 * A target is one source, fuzz_NAME.c, with libFuzzer's entry function. Built with clang and
 * -DSPVRECONV_FUZZ=ON it is a libFuzzer program; with afl-clang-fast a persistent AFL++ one; with
 * any compiler a program that runs the files it is given (fuzz_main.c). Whatever does not hold ends
 * the process, through fuzz_die or a sanitizer.
 *
 * An input is a whole file as a user has it. How it is treated is drawn from what it holds, a
 * module's generator word, which means nothing else, so every finding is a plain .spv. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* A module's generator word; the first of a SPIR-V file is its magic number. */
enum { FUZZ_GENERATOR = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints one line and aborts. */
__attribute__((format(printf, 1, 2), noreturn)) void fuzz_die(const char *format, ...);

/* The input's whole words, in a block of their exact size, so that a sanitizer sees reads past it;
 * to be freed. */
uint32_t *fuzz_words(const uint8_t *data, size_t size, size_t *count);

#endif
