# SPDX-License-Identifier: Apache-2.0
# 64-bit ARM
set(triple aarch64-linux-gnu)
set(machine aarch64)
set(emulator qemu-aarch64-static)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
