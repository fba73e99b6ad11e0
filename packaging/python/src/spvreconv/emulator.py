# SPDX-License-Identifier: Apache-2.0
"""The emulator: the command spv-emu and its JSON (docs/emulator.md)."""
import html
import json
import os
import subprocess
import tempfile

from . import words
from .library import Error

_COLUMNS = ("policy", "status", "issued", "activity_factor", "divergent_branches", "reconvergences", "cycles")


class Emulation:
    """The figures of one run for each policy. `results`, a list of dicts, and `json`, the whole, have the command's
    keys; emulation["pdom"] is the first result of that policy. `buffers`: contents after the run, by (set, binding), of
    the buffers that were given; only if there was one policy. A notebook shows a table."""

    def __init__(self, document, buffers, notes):
        self.json = document
        self.results = document["results"]
        self.buffers = buffers
        self.notes = notes

    def __getitem__(self, policy):
        for result in self.results:
            if result["policy"] == policy:
                return result
        raise KeyError(policy)

    def _repr_html_(self):
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        rows = ""
        for result in self.results:
            cells = (f"{value:.3f}" if isinstance(value, float) else str(value) for value in map(result.get, _COLUMNS))
            rows += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
        return f"<table><tr>{head}</tr>{rows}</table>"


def emulate(module, *arguments, policy=None, buffers=None):
    """Runs a module in the emulator. `policy`: a comma list, or "all". `buffers`: bytes, arrays or NumPy arrays by
    (set, binding). `arguments`: options of spv-emu, such as "--dispatch=2,1,1". Buffers that are not given are made
    up, unless "--buffers=given" is among them; `notes` of the result then says how."""
    data = words.read(module)
    command = [os.environ.get("SPV_EMU", "spv-emu"), "--json", *arguments]
    if policy:
        command.append(f"--policy={policy}")
    with tempfile.TemporaryDirectory() as folder:
        given = dict(buffers or {})
        dumps = {}
        for (group, binding), contents in given.items():
            path = os.path.join(folder, f"{group}-{binding}")
            contents = memoryview(contents).cast("B")
            with open(path, "wb") as file:
                file.write(contents)
            command.append(f"--buffer={group}:{binding}:u8[{len(contents)}]=@{path}")
            if policy and policy != "all" and "," not in policy:
                dumps[group, binding] = path + "-after"
                command.append(f"--dump-buffer={group}:{binding}:{path}-after")
        path = os.path.join(folder, "module")
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        try:
            run = subprocess.run([*command, path], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise Error("BAD_OPTION", f"{command[0]} is not found: install spvreconv, or set SPV_EMU") from None
        notes = run.stderr.replace(path, "module").strip()
        if not run.stdout.strip():
            raise Error("BAD_OPTION" if run.returncode == 2 else "BAD_INPUT", notes)
        after = {}
        for key, dump in dumps.items():
            if os.path.exists(dump):
                with open(dump, "rb") as file:
                    after[key] = file.read()
    return Emulation(json.loads(run.stdout), after, notes)
