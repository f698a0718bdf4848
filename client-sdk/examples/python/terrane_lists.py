"""What stands in a chunk: sections 9 and 10 of FORMAT.md."""

from typing import NamedTuple

from terrane_bits import Bits, need, signed


class Placement(NamedTuple):
    """x and y are blocks from the chunk's first one."""
    x: int
    y: int
    kind: int
    turn: int  # 1/256 of a full turn
    scale: int  # percent


class Structure(NamedTuple):
    """All coordinates are blocks from the chunk's first one."""
    x: int
    y: int
    kind: int
    rooms: int
    from_x: int
    from_y: int
    to_x: int
    to_y: int


class Room(NamedTuple):
    """All coordinates are blocks from the chunk's first one; structure_x and _y are its anchor."""
    x: int
    y: int
    floor: int  # 1/16 block
    structure_x: int
    structure_y: int
    index: int
    kind: int
    piece: int
    turn: int  # quarter turns
    open_doors: int


def decode_placements(source, size, lod):
    need(lod == 0, "placements at a coarse level of detail")
    count = source.varint()
    need(1 <= count <= size**2, "the number of placements")
    order = source.number(1)
    kinds = source.take(source.number(1) + 1)
    least_turn, turn_bits, least_scale, scale_bits = source.take(4)
    need(order <= 14 and turn_bits <= 8 and scale_bits <= 8, "the placements' first bytes")
    bits, place, placements = Bits(source), -1, []
    for _ in range(count):
        place += 1 + bits.exp_golomb(order)
        kind = bits.read((len(kinds) - 1).bit_length())
        turn = least_turn + bits.read(turn_bits)
        scale = least_scale + bits.read(scale_bits)
        need(place < size**2, "a placement lies behind the last block")
        need(kind < len(kinds) and turn <= 255 and scale <= 255, "a placement's numbers")
        placements.append(Placement(place % size, place // size, kinds[kind], turn, scale))
    bits.finish()
    return placements


def read_structures(source, size, lod):
    across, place, structures = size << lod, -1, []
    count = source.varint()
    need(count <= size**2, "the number of structures")
    for _ in range(count):
        place += 1 + source.varint()
        need(place < across**2, "a structure lies behind the last block")
        x, y = place % across, place // across
        kind, rooms = source.number(1), source.varint()
        need(rooms <= 65535, "the number of a structure's rooms")
        from_x, from_y = x + source.zigzag(), y + source.zigzag()
        to_x, to_y = from_x + source.varint(), from_y + source.varint()
        structures.append(Structure(x, y, kind, rooms, from_x, from_y, to_x, to_y))
    return structures


def read_rooms(source, size, lod):
    left = source.varint()
    need(left <= (size**2 if lod == 0 else 0), "the number of rooms")
    floor, last, rooms = 0, (), []
    while left > 0:
        x, y = source.zigzag(), source.zigzag()
        kind, count = source.number(1), source.varint()
        need(1 <= count <= left, "the number of a group's rooms")
        left -= count
        index = -1
        for _ in range(count):
            index += 1 + source.varint()
            place, turn = divmod(source.varint(), 4)
            floor = signed(floor + source.zigzag(), 4)
            piece, doors = source.take(2)
            need(index <= 65535 and place < size**2, "a room's index or place is too large")
            need(last < (y, x, index), "rooms are out of order")
            last = (y, x, index)
            rooms.append(Room(place % size, place // size, floor, x, y, index, kind, piece, turn,
                              doors))
    return rooms
