# SPDX-License-Identifier: Apache-2.0
# The code that the harness and the emulator share: AmberScript, and the conversion of shaders to SPIR-V. No Vulkan.

file(GLOB_RECURSE script_sources CONFIGURE_DEPENDS spv-emu/script/*.c spv-emu/format/*.c)
add_library(spv_script STATIC ${script_sources})
target_link_libraries(spv_script PUBLIC m png)

file(GLOB shader_sources CONFIGURE_DEPENDS harness/shader/*.c)
add_library(spv_shader STATIC ${shader_sources})
target_link_libraries(spv_shader PUBLIC spv_script spv_tool spirv_tools xxhash)
