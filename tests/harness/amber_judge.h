/* amber_judge: parses any text, and says whether what came of it keeps the contract of script.h. */
#ifndef AMBER_JUDGE_H
#define AMBER_JUDGE_H

#include "script/script.h"

/* What came of it, AMBER_OK and so on; -1: something does not hold. */
int amber_judge(const char *text, size_t size, AmberMessage *message);

#endif
