# SPDX-License-Identifier: Apache-2.0
"""The declarations of spvreconv.h for cffi.

The header is the only place that declares the interface: here its preprocessor lines are removed, which cffi does not
read. The result is a module of Python, spvreconv/_declarations.py: no compiler is needed, and the library is found when
the package is imported.

The header is $LIBSPVRECONV_HEADER, or that of this tree, or an installed one."""
import os
import re

from cffi import FFI

_HERE = os.path.dirname(os.path.abspath(__file__))
_PLACES = [
    os.environ.get("LIBSPVRECONV_HEADER", ""),
    os.path.join(_HERE, "../../passes/include/spvreconv/spvreconv.h"),
    "/usr/local/include/spvreconv/spvreconv.h",
    "/usr/include/spvreconv/spvreconv.h",
]


def _header():
    for place in _PLACES:
        if os.path.exists(place):
            with open(place, encoding="utf-8") as file:
                return file.read()
    raise SystemExit("spvreconv.h is not found: install libspvreconv-dev, or set LIBSPVRECONV_HEADER to its path")


def version():
    return re.search(r'#define SPVRECONV_VERSION "(.*)"', _header()).group(1)


def _declared():
    text = re.sub(r"/\*.*?\*/", " ", _header(), flags=re.S)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    text = re.sub(r"^#(?:.*\\\n)*.*\n", "", text, flags=re.M)
    return text.replace("SPVRECONV_EXPORT", "")


ffi = FFI()
ffi.set_source("spvreconv._declarations", None)
ffi.cdef(_declared())
