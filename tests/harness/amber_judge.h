/* SPDX-License-Identifier: Apache-2.0 */
/* amber_judge: parses any text and checks that the result satisfies the contract of script.h. */
#ifndef AMBER_JUDGE_H
#define AMBER_JUDGE_H

#include "script/script.h"

/* The parser's status; -1: the contract is violated. */
int amber_judge(const char *text, size_t size, AmberMessage *message);

#endif
