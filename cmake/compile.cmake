# SPDX-License-Identifier: Apache-2.0
# Shader sources to SPIR-V, for the commands. GLSL only where glslang is installed.

file(GLOB compile_sources CONFIGURE_DEPENDS passes/compile/*.c)
add_library(spv_compile STATIC ${compile_sources})
target_include_directories(spv_compile PUBLIC passes)
target_link_libraries(spv_compile PUBLIC spvreconv_static spirv_tools)
if(TARGET glslang)
  target_compile_definitions(spv_compile PRIVATE COMPILE_HAS_GLSLANG)
  target_link_libraries(spv_compile PUBLIC glslang)
else()
  message(STATUS "Not built: GLSL as input of spvreconv; missing: glslang")
endif()
