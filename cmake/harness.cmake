# SPDX-License-Identifier: Apache-2.0
# spv-harness.

file(GLOB_RECURSE harness_sources CONFIGURE_DEPENDS harness/*.c)
list(FILTER harness_sources EXCLUDE REGEX "/harness/((script|shader|layer)/|cli/main\\.c$)")

# The objects; tests link these.
add_library(harness_core OBJECT ${harness_sources})
target_include_directories(harness_core PUBLIC harness PRIVATE passes)
target_link_libraries(harness_core PUBLIC spv_emu_front spv_shader spv_cli vulkan_headers sqlite
                                          ${CMAKE_DL_LIBS})

add_executable(spv-harness harness/cli/main.c)
target_link_libraries(spv-harness PRIVATE harness_core)
