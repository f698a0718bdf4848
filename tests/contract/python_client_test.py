#!/usr/bin/python3
"""The Python example, as somebody who follows its README runs it, against a real server: its
pictures have the size and the colours that they should, its samples are those of the C++ client.
A stream that breaks is taken up again.
  python_client_test.py TERRANED TERRANE DRAW_MAP"""

import concurrent.futures
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import grpc
import numpy
from PIL import Image

TERRANED, TERRANE, DRAW_MAP = sys.argv[1:4]
EXAMPLE = pathlib.Path(__file__).parents[1] / "golden" / "codec" / "example.bin"
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


class BrokenStream(unittest.TestCase):
    """A server that sends one chunk and goes away, again and again."""

    def setUp(self):
        sys.path.insert(0, str(pathlib.Path(DRAW_MAP).parent))
        self.client_module = importlib.import_module("terrane_client")
        self.client_module.FIRST_PAUSE_S = 0
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(1))
        port = self.server.add_insecure_port("127.0.0.1:0")
        self.client = self.client_module.Client(f"127.0.0.1:{port}")
        self.asked = []
        self.server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(
            "terrane.v1.WorldService", {"GetChunks": grpc.unary_stream_rpc_method_handler(
                self.one_chunk,
                request_deserializer=self.client.service.GetChunksRequest.FromString,
                response_serializer=lambda message: message.SerializeToString())}),))
        self.server.start()

    def tearDown(self):
        self.client.channel.close()
        self.server.stop(None).wait()

    def one_chunk(self, request, context):
        coords = [(coord.x, coord.y) for coord in request.list.coords]
        self.asked.append(coords)
        response = self.client.service.GetChunksResponse()
        response.chunks.add(coord=request.list.coords[0], encoded=EXAMPLE.read_bytes())
        yield response
        if len(coords) > 1:
            context.abort(grpc.StatusCode.UNAVAILABLE, "draining")

    def chunks(self, first, last):
        limits = self.client.service.Limits(max_chunks_per_request=100)
        return [place for place, _ in self.client.chunks("any", 7, first, last, 0, [1], limits)]

    def test_what_has_come_is_not_asked_for_again(self):
        self.assertEqual(self.chunks((-1, 0), (1, 0)), [(-1, 0), (0, 0), (1, 0)])
        self.assertEqual(self.asked, [[(-1, 0), (0, 0), (1, 0)], [(0, 0), (1, 0)], [(1, 0)]])

    def test_it_gives_up_in_the_end(self):
        with self.assertRaisesRegex(self.client_module.Failed, "UNAVAILABLE: draining"):
            self.chunks((0, 0), (50, 0))
        self.assertEqual(len(self.asked), self.client_module.ATTEMPTS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
