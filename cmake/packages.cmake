# The libraries that everything is built on: SPIRV-Tools (static, C++ inside), the SPIR-V headers,
# jansson and cmocka.
find_package(PkgConfig REQUIRED)

find_path(SPIRV_TOOLS_INCLUDE spirv-tools/libspirv.h REQUIRED)
find_path(SPIRV_HEADERS_INCLUDE spirv/unified1/spirv.h REQUIRED)
find_library(SPIRV_TOOLS_LIBRARY NAMES libSPIRV-Tools.a SPIRV-Tools REQUIRED)

# SPIRV-Tools' C++ runtime goes into the binaries, not beside them: loading it is the larger part of
# the start-up time of a small run.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
                OUTPUT_VARIABLE cxx_runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT IS_ABSOLUTE "${cxx_runtime}" OR NOT EXISTS "${cxx_runtime}")
  set(cxx_runtime stdc++)
endif()

add_library(spirv_tools INTERFACE)
target_include_directories(spirv_tools SYSTEM INTERFACE ${SPIRV_TOOLS_INCLUDE}
                           ${SPIRV_HEADERS_INCLUDE})
target_link_libraries(spirv_tools INTERFACE ${SPIRV_TOOLS_LIBRARY} ${cxx_runtime} m)
# libspirv.h is C++ at heart and defines a constant; in C that is one definition per source file, and
# only weak ones may meet.
target_compile_definitions(spirv_tools INTERFACE
                           "kDefaultMaxIdBound=kDefaultMaxIdBound __attribute__((weak))")

find_path(JANSSON_INCLUDE jansson.h REQUIRED)
find_library(JANSSON_LIBRARY NAMES libjansson.a jansson REQUIRED)
add_library(jansson INTERFACE)
target_include_directories(jansson SYSTEM INTERFACE ${JANSSON_INCLUDE})
target_link_libraries(jansson INTERFACE ${JANSSON_LIBRARY})

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# ---- the harness ---------------------------------------------------------------------------------

# GLSL to SPIR-V; its C API sits on C++ libraries that need each other.
find_path(GLSLANG_INCLUDE glslang/Include/glslang_c_interface.h REQUIRED)
add_library(glslang INTERFACE)
target_include_directories(glslang SYSTEM INTERFACE ${GLSLANG_INCLUDE})
target_link_libraries(glslang INTERFACE -Wl,--start-group)
foreach(part glslang SPIRV MachineIndependent GenericCodeGen OSDependent OGLCompiler
        glslang-default-resource-limits)
  find_library(GLSLANG_${part} NAMES lib${part}.a REQUIRED)
  target_link_libraries(glslang INTERFACE ${GLSLANG_${part}})
endforeach()
find_library(SPIRV_TOOLS_OPT NAMES libSPIRV-Tools-opt.a REQUIRED)
target_link_libraries(glslang INTERFACE ${SPIRV_TOOLS_OPT} ${SPIRV_TOOLS_LIBRARY} ${cxx_runtime}
                                        -Wl,--end-group)

# Vulkan: the headers; the loader is opened at run time.
find_path(VULKAN_INCLUDE vulkan/vulkan.h REQUIRED)
add_library(vulkan_headers INTERFACE)
target_include_directories(vulkan_headers SYSTEM INTERFACE ${VULKAN_INCLUDE})

find_path(SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(SQLITE_LIBRARY NAMES sqlite3 REQUIRED)
add_library(sqlite INTERFACE)
target_include_directories(sqlite SYSTEM INTERFACE ${SQLITE_INCLUDE})
target_link_libraries(sqlite INTERFACE ${SQLITE_LIBRARY})

find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY NAMES libxxhash.a xxhash REQUIRED)
add_library(xxhash INTERFACE)
target_include_directories(xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE})
target_link_libraries(xxhash INTERFACE ${XXHASH_LIBRARY})

# ---- the emulator --------------------------------------------------------------------------------

# Vector mathematics.
find_path(SLEEF_INCLUDE sleef.h REQUIRED)
find_library(SLEEF_LIBRARY NAMES sleef REQUIRED)
add_library(sleef INTERFACE)
target_include_directories(sleef SYSTEM INTERFACE ${SLEEF_INCLUDE})
target_link_libraries(sleef INTERFACE ${SLEEF_LIBRARY})

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
