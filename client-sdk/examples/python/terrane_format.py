"""Decodes encoded chunks, following proto/FORMAT.md and nothing else. Python's standard library
only: slow, and meant to be read. The sections named here are those of that document.

    chunk = terrane_format.decode(encoded)
    chunk["height"][y * chunk["size"] + x]
"""

from typing import NamedTuple

from terrane_bits import LOW_32, Bytes, Damaged, need, signed
from terrane_lists import (Placement, Room, Structure, decode_placements, read_rooms,
                           read_structures)
from terrane_samples import decode_partial, decode_raster, decode_regions
from xxh3 import xxh3_64

__all__ = ["FORMATS", "LAYERS", "Damaged", "Placement", "Room", "Structure", "decode"]

FORMATS = (2,)  # the format versions that decode() reads

HEADER_BYTES = 8
ENTRY_BYTES = 10


class Layer(NamedTuple):
    """A layer of samples."""
    name: str
    width: int  # bytes of a sample
    is_signed: bool
    codings: frozenset  # beside constant and raw


LAYERS = {
    1: Layer("height", 4, True, frozenset({2})),
    2: Layer("temperature", 2, True, frozenset({2})),
    3: Layer("humidity", 2, True, frozenset({2})),
    4: Layer("biome", 1, False, frozenset({3})),
    5: Layer("water", 4, True, frozenset({2, 3, 4})),
    6: Layer("forest", 1, False, frozenset({2, 3})),
    7: Layer("rocks", 1, False, frozenset({2, 3})),
}
PLACEMENTS, STRUCTURES = 8, 9


def decode_samples(layer, coding, source, size):
    _, width, is_signed, codings = LAYERS[layer]
    need(coding <= 1 or coding in codings, f"coding {coding} of layer {layer} is unknown")
    if coding <= 1:
        samples = [source.number(width) for _ in range(1 if coding == 0 else size * size)]
        samples = [signed(sample, width) if is_signed else sample for sample in samples]
        return samples * size * size if coding == 0 else samples
    if coding == 2:
        samples = decode_raster(source, size, width)
        return samples if is_signed else [sample & 0xFF for sample in samples]
    return (decode_regions if coding == 3 else decode_partial)(source, size, width)


def sections(data, size_log2, lod, count):
    """Yields (layer, coding, payload); checks the table and the checksums."""
    offset, previous = HEADER_BYTES + ENTRY_BYTES * count, 0
    need(len(data) >= offset, "the section table is cut off")
    for at in range(HEADER_BYTES, offset, ENTRY_BYTES):
        entry = Bytes(data[at:at + ENTRY_BYTES])
        layer, coding, length, checksum = (entry.number(n) for n in (1, 1, 4, 4))
        need(previous < layer <= 31, "layer ids must grow, from 1 to 31")
        need(offset + length <= len(data), "a payload is cut off")
        payload = data[offset:offset + length]
        seed = layer | coding << 8 | size_log2 << 16 | lod << 24 | length << 32
        need(xxh3_64(payload, seed) & LOW_32 == checksum, "a checksum does not match")
        yield layer, coding, payload
        previous, offset = layer, offset + length
    need(offset == len(data), "bytes follow the last section")


def decode(data):
    """The chunk, as a dictionary: "size", "lod", and what there is of "height", "temperature",
    "humidity", "biome", "water", "forest", "rocks" (lists of size * size integers, rows of growing
    x, first the row of the smallest y), "placements", "structures" and "rooms" (lists of
    Placement, Structure and Room). Raises Damaged.

    data -- bytes
    """
    need(len(data) >= HEADER_BYTES and data[:3] == b"TRC", "not an encoded chunk")
    version, size_log2, lod, count, reserved = data[3:HEADER_BYTES]
    need(version in FORMATS, f"format version {version}")
    need(4 <= size_log2 <= 7 and lod <= 16 and count <= 31 and reserved == 0, "the header")
    size = 1 << size_log2
    chunk = {"size": size, "lod": lod}
    for layer, coding, payload in list(sections(data, size_log2, lod, count)):
        source = Bytes(payload)
        if layer in LAYERS:
            chunk[LAYERS[layer].name] = decode_samples(layer, coding, source, size)
        elif layer == PLACEMENTS:
            need(coding == 5, f"coding {coding} of placements is unknown")
            chunk["placements"] = decode_placements(source, size, lod)
        elif layer == STRUCTURES:
            need(coding == 6, f"coding {coding} of structures is unknown")
            need(lod <= 4, "structures at a coarse level of detail")
            chunk["structures"] = read_structures(source, size, lod)
            chunk["rooms"] = read_rooms(source, size, lod)
        else:
            continue  # a layer of a later version
        need(source.at == len(payload), "bytes follow the last of a section")
    return chunk
