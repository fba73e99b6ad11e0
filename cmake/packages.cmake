# SPDX-License-Identifier: Apache-2.0
# The libraries that everything is built on, as targets with their include folders and libraries.
#
# Only SPIRV-Tools and the SPIR-V headers, with their grammar (grammar.cmake), are required. Any other library that is
# missing has no target, and what needs it is not built (can_build below). -DNAME_LIBRARY=OFF, or -DNAME_INCLUDE=OFF where
# there are headers only, treats one as missing.

# ---- required ------------------------------------------------------------------------------------

find_path(SPIRV_TOOLS_INCLUDE spirv-tools/libspirv.h REQUIRED)
find_path(SPIRV_HEADERS_INCLUDE spirv/unified1/spirv.h REQUIRED)
# Debian 12 has static libraries only.
if(SPVRECONV_SPIRV_TOOLS STREQUAL "shared")
  find_library(SPIRV_TOOLS_LIBRARY NAMES SPIRV-Tools-shared REQUIRED)
elseif(SPVRECONV_SPIRV_TOOLS STREQUAL "static")
  find_library(SPIRV_TOOLS_LIBRARY NAMES libSPIRV-Tools.a SPIRV-Tools REQUIRED)
elseif(SPVRECONV_SPIRV_TOOLS STREQUAL "")
  find_library(SPIRV_TOOLS_LIBRARY NAMES SPIRV-Tools-shared libSPIRV-Tools.a SPIRV-Tools REQUIRED)
else()
  message(FATAL_ERROR "SPVRECONV_SPIRV_TOOLS is shared or static, not '${SPVRECONV_SPIRV_TOOLS}'")
endif()
message(STATUS "SPIRV-Tools: ${SPIRV_TOOLS_LIBRARY}")

# SPIRV-Tools' C++ runtime is linked statically: loading it would be most of the start-up time of a
# small run.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
                OUTPUT_VARIABLE cxx_runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
if(APPLE OR EMSCRIPTEN)
  set(cxx_runtime c++)
elseif(NOT IS_ABSOLUTE "${cxx_runtime}" OR NOT EXISTS "${cxx_runtime}")
  set(cxx_runtime stdc++)
endif()

add_library(spirv_tools INTERFACE)
target_include_directories(spirv_tools SYSTEM INTERFACE ${SPIRV_TOOLS_INCLUDE}
                           ${SPIRV_HEADERS_INCLUDE})
target_link_libraries(spirv_tools INTERFACE ${SPIRV_TOOLS_LIBRARY} ${cxx_runtime} m)
# libspirv.h defines a constant, which in C++ is local to a file. In C each source file that includes it would
# define it, and only weak definitions may occur more than once; on Windows, those that are `selectany`.
set(repeatable weak)
if(WIN32)
  set(repeatable selectany)
endif()
target_compile_definitions(spirv_tools INTERFACE
                           "kDefaultMaxIdBound=kDefaultMaxIdBound __attribute__((${repeatable}))")

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# ---- optional ------------------------------------------------------------------------------------

# optional_library TARGET PREFIX HEADER [NAME...]: adds the target if the header and the library are found;
# NAME are alternative names of the library
function(optional_library target prefix header)
  find_path(${prefix}_INCLUDE ${header})
  if(ARGN)
    find_library(${prefix}_LIBRARY NAMES ${ARGN})
  endif()
  if(${prefix}_INCLUDE AND (${prefix}_LIBRARY OR NOT ARGN))
    add_library(${target} INTERFACE)
    target_include_directories(${target} SYSTEM INTERFACE ${${prefix}_INCLUDE})
    target_link_libraries(${target} INTERFACE ${${prefix}_LIBRARY})
  endif()
endfunction()

optional_library(jansson JANSSON jansson.h libjansson.a jansson)
optional_library(xxhash XXHASH xxhash.h libxxhash.a xxhash)
optional_library(sleef SLEEF sleef.h sleef) # vector mathematics
if(TARGET sleef AND SLEEF_LIBRARY MATCHES "\\.a$")
  target_compile_definitions(sleef INTERFACE SLEEF_STATIC_LIBS) # not imported from a DLL
endif()
optional_library(sqlite SQLITE sqlite3.h sqlite3)
optional_library(png PNG png.h png)
if(TARGET png AND PNG_LIBRARY MATCHES "\\.a$") # which needs zlib
  find_library(ZLIB_LIBRARY NAMES libz.a z REQUIRED)
  target_link_libraries(png INTERFACE ${ZLIB_LIBRARY})
endif()
optional_library(vulkan_headers VULKAN vulkan/vulkan.h) # the tools open the loader at run time
optional_library(vulkan_loader VULKAN vulkan/vulkan.h vulkan)
optional_library(opencl_headers OPENCL CL/cl.h) # as with Vulkan, the tools open the loader
optional_library(cgraph CGRAPH graphviz/cgraph.h cgraph) # reads Graphviz' language
optional_library(cmocka CMOCKA cmocka.h libcmocka-static.a cmocka)

# Machine code for the emulator: the headers of LLVM's C API. The library is opened at run time.
option(SPVRECONV_LLVM "The emulator can compile with LLVM (15 to 19), if its headers are installed" ON)
if(SPVRECONV_LLVM AND NOT CMAKE_CROSSCOMPILING) # these headers are of this machine's LLVM
  find_path(LLVM_INCLUDE llvm-c/LLJIT.h PATHS /usr/lib/llvm-19/include /usr/lib/llvm-18/include
            /usr/lib/llvm-17/include /usr/lib/llvm-16/include /usr/lib/llvm-15/include NO_DEFAULT_PATH)
  optional_library(llvm LLVM llvm-c/LLJIT.h)
endif()

# GLSL to SPIR-V. Its C API uses C++ libraries that need each other; since version 14 there are fewer of them.
# (A project in C cannot use glslang's own CMake package: it links SPIRV-Tools after the runtime.)
optional_library(glslang GLSLANG glslang/Include/glslang_c_interface.h libglslang.a glslang)
if(TARGET glslang)
  set(parts ${GLSLANG_LIBRARY})
  foreach(part SPIRV MachineIndependent GenericCodeGen OSDependent OGLCompiler
          glslang-default-resource-limits SPIRV-Tools-opt)
    find_library(GLSLANG_${part} NAMES lib${part}.a ${part})
    if(GLSLANG_${part})
      list(APPEND parts ${GLSLANG_${part}})
    endif()
  endforeach()
  list(APPEND parts ${SPIRV_TOOLS_LIBRARY} ${cxx_runtime})
  if(has_link_groups)
    set(parts -Wl,--start-group ${parts} -Wl,--end-group)
  endif()
  set_target_properties(glslang PROPERTIES INTERFACE_LINK_LIBRARIES "${parts}")
endif()

# can_build VARIABLE WHAT TARGET...: sets VARIABLE to whether all these targets exist; prints which are missing
function(can_build variable what)
  set(missing "")
  foreach(target ${ARGN})
    if(NOT TARGET ${target})
      list(APPEND missing ${target})
    endif()
  endforeach()
  list(JOIN missing ", " names)
  if(missing)
    message(STATUS "Not built: ${what}; missing: ${names}")
    set(${variable} OFF PARENT_SCOPE)
  else()
    set(${variable} ON PARENT_SCOPE)
  endif()
endfunction()
