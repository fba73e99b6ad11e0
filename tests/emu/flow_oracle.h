/* flow_oracle: maximal re-convergence by its definition, slowly: every lane has its key, a list of
 * (place, iteration) down the loops around it; calls continue below the calling block's place. */
#ifndef FLOW_ORACLE_H
#define FLOW_ORACLE_H

#include "flow_run.h"

extern const EmuPolicy flow_oracle_maximal;

#endif
