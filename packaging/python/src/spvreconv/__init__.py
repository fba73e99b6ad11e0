# SPDX-License-Identifier: Apache-2.0
"""Structured control flow for SPIR-V, and a model of a subgroup that measures what divergence costs.

    import spvreconv

    result = spvreconv.run(module, "structurize")
    print(spvreconv.emulate(result.module, policy="pdom,opt")["pdom"]["issued"])

A module is the bytes of a SPIR-V binary (bytes, an array, a NumPy array), assembly text (str), or the path of a file
with either (pathlib.Path). Functions raise Error if they fail.

The shared library libspvreconv is loaded when this package is imported, from $LIBSPVRECONV if that is set;
emulate() runs the command spv-emu, or $SPV_EMU."""
from .emulator import Emulation, emulate
from .library import Error, Result, compare, explain, lint, run, transforms, version

__all__ = ["Emulation", "Error", "Result", "compare", "emulate", "explain", "lint", "run", "transforms", "version"]
__version__ = version()
