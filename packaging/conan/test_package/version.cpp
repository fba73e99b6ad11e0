/* SPDX-License-Identifier: Apache-2.0 */
/* The library that is linked is at least as new as the header. */
#include <spvreconv/spvreconv.hpp>

#include <cstdio>

int main() {
  std::printf("spvreconv %s, %zu transforms\n", spvreconv_version_string(),
              spvreconv::transforms().size());
  return spvreconv_version() < SPVRECONV_VERSION_NUMBER;
}
