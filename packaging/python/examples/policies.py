# SPDX-License-Identifier: Apache-2.0
"""What structure saves: a module's issues under each policy of the emulator, as written and structured. The cells (# %%)
are those of a notebook.

    python3 policies.py MODULE"""
# %%
import pathlib
import sys

import spvreconv

module = pathlib.Path(sys.argv[1])

# %% What is wrong with it?
for violation in spvreconv.explain(module):
    print(violation.text)

# %% The same computation with structured control flow
result = spvreconv.run(module, "structurize", want=["stats", "check"])
for function in result.functions:
    print(function.name, function.before.blocks, "blocks before,", function.after.blocks, "after")

# %% The issues of both under every policy; "skip" where it does not apply
before = spvreconv.emulate(module, policy="all")
after = spvreconv.emulate(result.module, policy="all")
for old, new in zip(before.results, after.results):
    print(new["policy"].ljust(12), *(run["issued"] if run["status"] == "ok" else run["status"] for run in (old, new)))
