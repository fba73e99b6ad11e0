# SPDX-License-Identifier: Apache-2.0
# What the commands share: files, limits, usage, JSON, CSV, and shader sources to SPIR-V. GLSL only
# where glslang is installed.

file(GLOB_RECURSE tool_sources CONFIGURE_DEPENDS passes/tool/*.c)
# passes/tool/os has a file for each kind of system.
if(WIN32)
  set(other_system posix)
else()
  set(other_system windows)
endif()
list(FILTER tool_sources EXCLUDE REGEX "/passes/tool/os/[^/]*_${other_system}\\.c$")
if(WIN32)
  list(REMOVE_ITEM tool_sources ${CMAKE_SOURCE_DIR}/passes/tool/os/os_libc_windows.c) # machine.cmake
endif()
if(EMSCRIPTEN) # there are no programs, processes and signals
  list(FILTER tool_sources EXCLUDE REGEX "/os_(path|process|signals|task)_posix\\.c$")
  list(APPEND tool_sources passes/tool/os/os_task_windows.c web/wasm/programs.c)
endif()
add_library(spv_tool STATIC ${tool_sources})
target_link_libraries(spv_tool PUBLIC spvreconv_static jansson spirv_tools) # C++'s runtime with it
if(TARGET glslang)
  target_compile_definitions(spv_tool PRIVATE COMPILE_HAS_GLSLANG)
  target_link_libraries(spv_tool PUBLIC glslang m)
else()
  message(STATUS "Not built: GLSL as input of spvreconv; missing: glslang")
endif()
