/* SPDX-License-Identifier: Apache-2.0 */
/* amber_judge: parses any text and checks that the result satisfies the contract of script.h. */
#ifndef AMBER_JUDGE_H
#define AMBER_JUDGE_H

#include "spv-emu/script/script.h"

/* The parser's status; -1: the contract is violated. */
int amber_judge(const char *text, size_t size, AmberMessage *message);
/* The files of such a text (AmberFiles.read): each contains its own path; those with a path of odd
 * length cannot be read. */
bool amber_judge_file(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size);

#endif
