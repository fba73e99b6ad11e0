# SPDX-License-Identifier: Apache-2.0
# 32-bit x86
set(triple i686-linux-gnu)
set(machine i686)
set(emulator qemu-i386-static)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
