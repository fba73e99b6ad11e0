# SPDX-License-Identifier: Apache-2.0
# spvreconv, and the code that it shares with the other commands.

file(GLOB cli_sources CONFIGURE_DEPENDS passes/cli/*.c)
set(cli_shared_sources ${cli_sources})
list(FILTER cli_shared_sources INCLUDE REGEX "/cli_(arguments|csv|environment|file|folder|graphviz|json|left_out|limit|run|source|usage)\\.c$")
set(cli_profile_sources ${CMAKE_SOURCE_DIR}/passes/cli/cli_profile.c)
list(REMOVE_ITEM cli_sources ${cli_shared_sources} ${cli_profile_sources})

add_library(spv_cli STATIC ${cli_shared_sources})
target_include_directories(spv_cli PUBLIC passes)
target_link_libraries(spv_cli PUBLIC spv_compile jansson spirv_tools) # C++'s runtime with it

add_library(spv_profile STATIC ${cli_profile_sources})
target_link_libraries(spv_profile PUBLIC spv_cli spvreconv_static)

add_executable(spvreconv ${cli_sources})
target_link_libraries(spvreconv PRIVATE spv_profile)

# Statically if all its libraries are available as static ones, glibc included.
if(SPVRECONV_STATIC AND NOT SPVRECONV_SANITIZE)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  set(CMAKE_REQUIRED_LIBRARIES ${JANSSON_LIBRARY} ${SPIRV_TOOLS_LIBRARY} ${cxx_runtime} m)
  check_c_source_compiles("char *json_object(void), *spvSoftwareVersionString(void);
    int main(void) { return !json_object() || !spvSoftwareVersionString(); }" has_static_libraries)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(has_static_libraries)
    target_link_options(spvreconv PRIVATE -static)
  else()
    message(STATUS "spvreconv is linked dynamically: not all of its libraries are installed as static ones")
  endif()
endif()
