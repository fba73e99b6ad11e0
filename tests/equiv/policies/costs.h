/* SPDX-License-Identifier: Apache-2.0 */
/* costs: what cost models may change and what not. */
#ifndef POLICIES_COSTS_H
#define POLICIES_COSTS_H

#include "tests/equiv/policies/run.h"

/* Runs a policy; for every sixteenth module also with cost models: cycles are the issues plus the
 * costs of the model; with the latency model, one resident subgroup waits for each load, and
 * several do not wait longer. */
Outcome costs_run(const Case *c, const spv_emu_program *program, const char *policy);

#endif
