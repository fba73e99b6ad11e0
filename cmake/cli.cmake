# SPDX-License-Identifier: Apache-2.0
# The command spvreconv.

file(GLOB cli_sources CONFIGURE_DEPENDS passes/cli/*.c)
add_executable(spvreconv ${cli_sources})
target_link_libraries(spvreconv PRIVATE spv_tool)
if(WIN32) # the import library of the DLL has the same name
  set_target_properties(spvreconv PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/imports)
endif()

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
