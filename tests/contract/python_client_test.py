#!/usr/bin/python3
"""The Python example, as somebody who follows its README runs it, against a real server: its
pictures have the size and the colours that they should, its samples are those of the C++ client.
  python_client_test.py TERRANED TERRANE DRAW_MAP"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
from PIL import Image

TERRANED, TERRANE, DRAW_MAP = sys.argv[1:4]
SIZE = 64   # samples along one edge of a chunk of `continents`
SEED = "7"


class PythonClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = subprocess.Popen(
            [TERRANED, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data",
             cls.folder.name + "/data", "--log-level", "error"], stdout=subprocess.PIPE, text=True)
        ready = cls.server.stdout.readline().replace(",", " ").split()
        cls.address = ready[ready.index("grpc") + 1]

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()
        cls.folder.cleanup()

    def run_draw_map(self, *options):
        return subprocess.run(["/usr/bin/python3", DRAW_MAP, "--server", self.address, *options],
                              capture_output=True, text=True, timeout=120)

    def draw(self, name, *options):
        """The picture, and the samples beside it."""
        picture = pathlib.Path(self.folder.name) / f"{name}.png"
        samples = picture.with_suffix(".npz")
        done = self.run_draw_map("--seed", SEED, "--out", picture, "--samples", samples, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return numpy.array(Image.open(picture)), numpy.load(samples)

    def ask(self, *words):
        done = subprocess.run([TERRANE, "--server", self.address, "--seed", SEED, *words],
                              capture_output=True, text=True, check=True, timeout=60)
        return json.loads(done.stdout)

    def test_samples_are_those_of_the_cpp_client(self):
        _, samples = self.draw("lod3", "--radius", "2", "--center=700,-900", "--lod", "3")
        span = SIZE << 3
        x0, y0 = samples["first_block"] // span
        for row, column in ((0, 0), (1, 3), (4, 4)):
            chunk = self.ask("--world", "continents", "chunk", f"{x0 + column},{y0 + row}",
                             "--lod", "3", "--json")
            for layer in ("height", "biome", "water"):
                part = samples[layer][row * SIZE:(row + 1) * SIZE,
                                      column * SIZE:(column + 1) * SIZE]
                expected = chunk["layers"][layer]["samples"]
                self.assertEqual(part.ravel().tolist(), expected, f"{layer} of {row}, {column}")

    def test_pixels_have_the_colours_of_their_biomes(self):
        picture, samples = self.draw("biomes", "--radius", "3", "--lod", "4", "--style", "biomes")
        self.assertEqual(picture.shape, (7 * SIZE, 7 * SIZE, 3))
        worlds = self.ask("worlds", "--json")
        worlds = worlds["worlds"] if isinstance(worlds, dict) else worlds
        biomes = next(w for w in worlds if w["name"] == "continents")["biomes"]
        seen = set()
        for y in range(0, 7 * SIZE, 37):
            for x in range(0, 7 * SIZE, 37):
                color = biomes[samples["biome"][y, x]]["color"]
                self.assertEqual("#%02x%02x%02x" % tuple(picture[y, x]), color)
                seen.add(color)
        self.assertGreater(len(seen), 5, "a square of 7,168 blocks has more than a few biomes")

    def test_relief_shows_land_and_sea(self):
        picture, samples = self.draw("relief", "--radius", "3", "--lod", "4")
        self.assertEqual(picture.shape, (7 * SIZE, 7 * SIZE, 3))
        under_water = samples["height"] < 0
        self.assertTrue(0 < under_water.sum() < under_water.size)
        blue = picture[..., 2].astype(int) - picture[..., 0]
        self.assertGreater(blue[under_water].min(), 20, "the sea is blue")
        self.assertGreater(len(numpy.unique(picture.reshape(-1, 3), axis=0)), 1000, "land is lit")

    def test_refusals_are_told_in_one_line(self):
        refused = self.run_draw_map("--world", "atlantis")
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, r"^draw_map: NOT_FOUND: .*atlantis.*\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
