# SPDX-License-Identifier: Apache-2.0
"""The package gives what the commands give: the same bytes, figures and messages. Run by tests/languages/python.sh."""
import array
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import spvreconv

SHADER = pathlib.Path("shaders/irreducible/two_entries.spvasm")
BIN = pathlib.Path(os.environ["SPV_EMU"]).parent
BUFFER = "--buffer=0:0:u32[256]=random:1"


def command(name, *arguments):
    return subprocess.run([BIN / name, *arguments], capture_output=True, check=True).stdout


class Transforms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out.spv")
            command("spvreconv", "--structurize", SHADER, "-o", out)
            cls.expected = out.read_bytes()

    def test_same_bytes_of_every_kind_of_module(self):
        words = spvreconv.run(SHADER, "none").module
        for module in (SHADER, SHADER.read_text(), words, array.array("I", words), memoryview(bytearray(words))):
            self.assertEqual(spvreconv.run(module, "structurize").module, self.expected)
        self.assertFalse(spvreconv.run(self.expected, "structurize").changed)

    def test_figures_are_those_of_the_command(self):
        result = spvreconv.run(SHADER, "struct-copy", want=["stats"])
        known = json.loads(command("spvreconv", "--struct-copy", "--json", SHADER))["functions"][0]
        function = result.functions[0]
        self.assertEqual(function.name, known["name"])
        self.assertEqual(function.order, known["order"])
        for part in ("before", "after", "transform"):
            figures = vars(getattr(function, part))
            for key in figures.keys() & known[part].keys():
                self.assertAlmostEqual(figures[key], known[part][key], msg=key)
            self.assertGreater(len(figures.keys() & known[part].keys()), 10)

    def test_choices_of_best(self):
        choice = spvreconv.run(SHADER, "best", want=["stats"]).functions[0].choice
        self.assertGreater(len(choice.tried), 3)
        self.assertIn(choice.transforms, [tried.transforms for tried in choice.tried if tried.verdict == "chosen"])
        self.assertGreater(choice.chosen.instructions, 0)

    def test_lists_of_frontiers(self):
        frontiers = spvreconv.run(SHADER, "none", want=["frontier"]).frontiers
        known = json.loads(command("spvreconv", "--transform=none", "--print-frontier", "--json", SHADER))
        expected = [tuple(one[key] for key in ("block", "frontier", "checks")) for one in known["functions"][0]["frontiers"]]
        self.assertEqual([(one.block, one.waiting, one.checks) for one in frontiers], expected)
        self.assertTrue(any(one.waiting for one in frontiers))

    def test_violations(self):
        (violation,) = spvreconv.explain(SHADER)
        self.assertEqual((violation.function, violation.rule, len(violation.entries)), ("main", "back_edge_target", 2))
        self.assertEqual(spvreconv.explain(self.expected), [])

    def test_findings(self):
        with tempfile.TemporaryDirectory() as folder:
            module = pathlib.Path(folder, "compact.spv")
            command("spvreconv", "--transform=none", "shaders/subgroup/compact.comp", "-o", module)
            findings = spvreconv.lint(module)
        self.assertEqual({found.rule for found in findings}, {"subgroup"})
        self.assertIn("differs between the lanes", findings[0].reasons[-1].text)

    def test_options(self):
        self.assertLess(len(spvreconv.run(self.expected, "none", strip_debug=True).module), len(self.expected))
        text = spvreconv.run(SHADER, "structurize", structure="any", order="rpo", want=["assembly"]).text("assembly")
        self.assertIn("OpLoopMerge", text)
        self.assertIn("structurize", spvreconv.transforms())

    def test_compare(self):
        check = spvreconv.compare(spvreconv.run(SHADER, "none").module, self.expected)
        self.assertEqual((check.differences, check.functions), (0, 1))
        other = spvreconv.run(SHADER.read_text().replace("OpIAdd", "OpISub"), "none").module
        with self.assertRaises(spvreconv.Error) as caught:
            spvreconv.compare(other, self.expected)
        self.assertEqual(caught.exception.status, "BUG")
        self.assertEqual(caught.exception.result.check.differences, 1)

    def test_errors(self):
        for status, call in (
            ("BAD_INPUT", lambda: spvreconv.run(b"abc")),
            ("BAD_INPUT", lambda: spvreconv.run(b"abcdefgh")),
            ("BAD_INPUT", lambda: spvreconv.run("OpNothing")),
            ("BAD_OPTION", lambda: spvreconv.run(SHADER, "polish")),
        ):
            with self.assertRaises(spvreconv.Error) as caught:
                call()
            self.assertEqual(caught.exception.status, status)
        for options in ({"colour": "red"}, {"want": ["colour"]}, {"message": None}, {"size": 1}):
            with self.assertRaises(TypeError):
                spvreconv.run(SHADER, **options)

    def test_notices(self):
        result = spvreconv.run(SHADER, "structurize")
        self.assertEqual(result.notices, [])
        with self.assertRaises(AttributeError):
            spvreconv.run(SHADER, validate="sometimes")


class Emulator(unittest.TestCase):
    def test_same_json(self):
        known = json.loads(command("spv-emu", "--json", "--policy=all", "--dispatch=8,1,1", SHADER, BUFFER))
        emulation = spvreconv.emulate(SHADER, "--dispatch=8,1,1", BUFFER, policy="all")
        self.assertEqual(emulation.results, known["results"])
        self.assertEqual(emulation["opt"]["policy"], "opt")
        self.assertIn("<td>tf-stack</td>", emulation._repr_html_())

    def test_buffers(self):
        given = array.array("I", range(256))
        buffers = [
            spvreconv.emulate(module, "--dispatch=8,1,1", policy="maximal", buffers={(0, 0): given}).buffers[0, 0]
            for module in (SHADER, spvreconv.run(SHADER, "structurize").module)
        ]
        self.assertEqual(buffers[0], buffers[1])
        self.assertNotEqual(buffers[0], given.tobytes())

    def test_errors(self):
        for status, call in (
            ("BAD_OPTION", lambda: spvreconv.emulate(SHADER, policy="x")),
            ("BAD_INPUT", lambda: spvreconv.emulate(b"abcdefgh")),
        ):
            with self.assertRaises(spvreconv.Error) as caught:
                call()
            self.assertEqual(caught.exception.status, status)


if __name__ == "__main__":
    sys.exit(unittest.main())
