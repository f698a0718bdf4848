#!/usr/bin/env python3
"""Heights of a world without a server: terrane_core through ctypes.

    terrane worlds continents --save continents.world     (once, where there is a server)
    ./local.py continents.world --seed 7 100,-50 0,0      heights of blocks
    TERRANE_CORE names the library where the system does not find libterrane_core.so.
"""
import argparse
import ctypes
import os
import re
import sys
from ctypes import POINTER, byref, c_char, c_int16, c_int32, c_int64, c_size_t, c_uint8, c_uint32
from ctypes import c_uint64, c_void_p

ABI_VERSION = 1
NO_WATER = -524288


class Error(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("code", c_int32), ("message", c_char * 504)]

    def __init__(self):
        super().__init__(ctypes.sizeof(Error))


class Block(ctypes.Structure):
    _fields_ = [("x", c_int64), ("y", c_int64)]


class Sample(ctypes.Structure):
    _fields_ = [
        ("height_q4", c_int32), ("water_q4", c_int32), ("temperature_d", c_int16),
        ("humidity_d", c_int16), ("biome", c_uint8), ("forest_p", c_uint8), ("rocks_p", c_uint8),
    ]


def load_library():
    """The library, with the signatures of what is called here."""
    core = ctypes.CDLL(os.environ.get("TERRANE_CORE", "libterrane_core.so"))
    core.terrane_world_open.restype = c_int32
    core.terrane_world_open.argtypes = [c_uint32, c_void_p, c_size_t, POINTER(c_void_p),
                                        POINTER(Error)]
    core.terrane_world_close.restype = None
    core.terrane_world_close.argtypes = [c_void_p]
    core.terrane_world_sample.restype = c_int32
    core.terrane_world_sample.argtypes = [c_void_p, c_uint64, POINTER(Block), c_size_t,
                                          POINTER(Sample), POINTER(Error)]
    return core


class World:
    """A world that this process makes the land of. Close it, or use it with `with`."""

    def __init__(self, core, contents):
        self.core, self.handle, error = core, c_void_p(), Error()
        if core.terrane_world_open(ABI_VERSION, contents, len(contents), byref(self.handle),
                                   byref(error)):
            raise ValueError(error.message.decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.core.terrane_world_close(self.handle)
        self.handle = None

    def sample(self, seed, blocks):
        """The layers at (x, y) blocks: a Sample each."""
        error, samples = Error(), (Sample * len(blocks))()
        if self.core.terrane_world_sample(self.handle, seed, (Block * len(blocks))(*blocks),
                                          len(blocks), samples, byref(error)):
            raise ValueError(error.message.decode())
        return samples


def block_of(text):
    """"X,Y" as two numbers."""
    x, y = (int(part) for part in text.split(","))
    if max(abs(x), abs(y)) >= 1 << 63:
        raise ValueError(f"{text} is outside of every world")
    return x, y


def seed_of(text):
    if not 0 <= int(text) < 1 << 64:
        raise ValueError(f"{text} is not from 0 to 2^64 - 1")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description="Heights of a world, without a server.")
    parser.add_argument("file", help="what `terrane worlds NAME --save FILE` has written")
    parser.add_argument("--seed", type=seed_of, default=1)
    parser.add_argument("blocks", nargs="+", type=block_of, metavar="X,Y")
    # argparse takes -100,50 for an option
    options = parser.parse_args([re.sub(r"^(?=-\d+,)", " ", word) for word in sys.argv[1:]])
    with open(options.file, "rb") as file:
        contents = file.read()
    try:
        with World(load_library(), contents) as world:
            for (x, y), sample in zip(options.blocks, world.sample(options.seed, options.blocks)):
                water = "" if sample.water_q4 <= sample.height_q4 else (
                    f", water up to {sample.water_q4 / 16}")
                print(f"{x},{y}: height {sample.height_q4 / 16}{water}")
    except (OSError, ValueError) as error:
        sys.exit(f"local.py: {error}")


if __name__ == "__main__":
    main()
