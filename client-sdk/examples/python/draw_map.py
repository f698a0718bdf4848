#!/usr/bin/python3
"""Draws a map of a Terrane world: streams chunks, decodes them, and writes a PNG.

    draw_map.py --center 1000,-500 --radius 4 --lod 3 --out map.png

Needs Debian's python3-grpcio, python3-protobuf, python3-numpy, python3-pil and protobuf-compiler.
"""

import argparse
import sys

import numpy
from PIL import Image

import terrane_client

NO_WATER = -524288            # a water sample where there is none
DEEP = 160                    # blocks under water where it gets no darker
SEA = numpy.array([38, 84, 138], numpy.float64)
STEEPEST = 1.6                # blocks a block: slopes are drawn as if no steeper
TYPICAL_SLOPE = 0.35          # heights are exaggerated until the mean slope is that


def fetch(client, world, limits, options):
    """The layers of the square, as arrays of (rows, columns); row 0 is the smallest y."""
    numbers = {info.name: info.layer for info in world.layers}
    wanted = {name: numbers[name] for name in ("height", "biome", "water") if name in numbers}
    size, span = world.chunk_size, world.chunk_size << options.lod
    middle = [coordinate // span for coordinate in options.center]
    first = [coordinate - options.radius for coordinate in middle]
    last = [coordinate + options.radius for coordinate in middle]
    edge = (2 * options.radius + 1) * size
    layers = {name: numpy.zeros((edge, edge), numpy.int32) for name in wanted}
    stream = client.chunks(options.world, options.seed, first, last, options.lod,
                           wanted.values(), limits)
    for (x, y), chunk in stream:
        row, column = (y - first[1]) * size, (x - first[0]) * size
        for name, layer in layers.items():
            samples = numpy.array(chunk[name], numpy.int32).reshape(size, size)
            layer[row:row + size, column:column + size] = samples
    return layers, [coordinate * span for coordinate in first]


def biome_colors(world):
    """An array of 256 colours, by biome id."""
    colors = numpy.zeros((256, 3), numpy.float64)
    for biome in world.biomes:
        colors[biome.id] = [biome.color >> 16, biome.color >> 8 & 255, biome.color & 255]
    return colors


def light_on(surface, spacing):
    """How bright each sample is, about 1: light from the north-west."""
    south, east = numpy.gradient(surface, spacing)
    mean = numpy.hypot(south, east).mean()
    exaggeration = min(max(TYPICAL_SLOPE / mean, 0.4), 12) if mean > 0 else 1
    south, east = (numpy.clip(s * exaggeration, -STEEPEST, STEEPEST) for s in (south, east))
    facing = (1 - 0.6 * east - 0.6 * south) / numpy.sqrt(1 + east**2 + south**2)
    return numpy.clip(0.25 + 0.75 * facing, 0.3, 1.5)


def draw_biomes(world, layers, lod):
    """Each sample in its biome's colour, and nothing else."""
    return biome_colors(world)[layers["biome"]]


def draw_relief(world, layers, lod):
    """Biomes in the light of their heights; water is darker where it is deep."""
    ground = layers["height"] / 16.0
    surface = numpy.maximum(ground, world.sea_level / 16.0)
    if "water" in layers:
        water = numpy.where(layers["water"] == NO_WATER, -numpy.inf, layers["water"] / 16.0)
        surface = numpy.maximum(surface, water)
    depth = surface - ground
    land = biome_colors(world)[layers["biome"]] * light_on(ground, 1 << lod)[..., None]
    deep = numpy.clip(depth / DEEP, 0, 1)[..., None]
    return numpy.where(depth[..., None] > 0, SEA * (1.25 - 0.8 * numpy.sqrt(deep)), land)


STYLES = {"relief": draw_relief, "biomes": draw_biomes}


def block(text):
    x, y = text.split(",")
    return int(x), int(y)


def parse():
    parser = argparse.ArgumentParser(description="Draws a map of a Terrane world.")
    parser.add_argument("--server", default="127.0.0.1:4150", help="address (%(default)s)")
    parser.add_argument("--tls-ca", metavar="FILE", help="encrypt; who vouches for the server")
    parser.add_argument("--world", default="continents", help="name of a world (%(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="which of its variants (%(default)s)")
    parser.add_argument("--center", type=block, default=(0, 0), metavar="X,Y",
                        help="block in the middle of the picture (0,0); --center=-5,3 if negative")
    parser.add_argument("--radius", type=int, default=4,
                        help="chunks around the middle one (%(default)s)")
    parser.add_argument("--lod", type=int, default=3,
                        help="level of detail: a pixel is 2^lod blocks (%(default)s)")
    parser.add_argument("--style", choices=STYLES, default="relief", help="(%(default)s)")
    parser.add_argument("--out", default="map.png", help="the picture (%(default)s)")
    parser.add_argument("--samples", metavar="FILE.npz",
                        help="write the samples too, as arrays of numpy")
    return parser.parse_args()


def main():
    options = parse()
    try:
        client = terrane_client.Client(options.server, options.tls_ca)
        world, limits = client.world(options.world)
        layers, first_block = fetch(client, world, limits, options)
    except terrane_client.Failed as failure:
        sys.exit(f"draw_map: {failure}")
    if options.samples:
        numpy.savez_compressed(options.samples, first_block=first_block, **layers)
    pixels = STYLES[options.style](world, layers, options.lod)
    Image.fromarray(numpy.clip(pixels + 0.5, 0, 255).astype(numpy.uint8)).save(options.out)
    edge = pixels.shape[0]
    print(f"{options.out}: {edge} x {edge} pixels of {1 << options.lod} blocks, "
          f"from block {first_block[0]},{first_block[1]}")


if __name__ == "__main__":
    main()
