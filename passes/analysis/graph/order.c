/* SPDX-License-Identifier: Apache-2.0 */
/* order: the orders by name; see order.h. */
#include "passes/analysis/graph/order.h"

#include <string.h>

static const struct {
  const char *name;
  SrOrderFn *make;
} orders[] = {{"df", sr_order_df},
              {"dfpd", sr_order_dfpd},
              {"bf", sr_order_bf},
              {"bfpd", sr_order_bfpd},
              {"rpo", sr_order_rpo},
              {"domreg", sr_order_domreg},
              {"lrpo", sr_order_lrpo},
              {"ocelot", sr_order_ocelot},
              {"dfpd-oldest", sr_order_dfpd_oldest},
              {"bfpd-successor", sr_order_bfpd_successor},
              {"cdep", sr_order_cdep}};

enum { TRIED = sizeof orders / sizeof *orders - 3 };

const char *sr_order_name(size_t index) {
  return index < TRIED ? orders[index].name : NULL;
}

SrOrderFn *sr_order_find(const char *name) {
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (strcmp(orders[i].name, name) == 0)
      return orders[i].make;
  return NULL;
}
