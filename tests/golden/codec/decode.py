#!/usr/bin/env python3
"""Decodes an encoded chunk, following proto/FORMAT.md and nothing else; Python's standard library only.

decode.py FILE             prints the chunk as text
decode.py --check FOLDER   decodes every .bin there and compares with the .txt beside it

Checksums are not verified: XXH3 is not in the standard library.
"""

import pathlib
import struct
import sys

# layer: name, bytes of a sample, whether it is signed, codings beside constant and raw
LAYERS = {
    1: ("height", 4, True, {2}),
    2: ("temperature", 2, True, {2}),
    3: ("humidity", 2, True, {2}),
    4: ("biome", 1, False, {3}),
    5: ("water", 4, True, {2, 3, 4}),
    6: ("forest", 1, False, {2, 3}),
    7: ("rocks", 1, False, {2, 3}),
}
LOW32 = 0xFFFFFFFF


class Damaged(Exception):
    """The bytes are not an encoded chunk; says why."""


def need(condition, message):
    if not condition:
        raise Damaged(message)


class Bytes:
    """A cursor over a payload."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        need(self.at + count <= len(self.data), "payload ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, count):
        return int.from_bytes(self.take(count), "little")

    def varint(self):
        value = 0
        for shift in range(0, 35, 7):
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                need(value <= LOW32, "varint exceeds 32 bits")
                return value
        raise Damaged("varint is longer than 5 bytes")


class Bits:
    """Bits, lowest first, from a cursor's place on; finish() moves the cursor behind the last byte begun."""

    def __init__(self, source):
        self.source, self.pending, self.count = source, 0, 0

    def read(self, count):
        while self.count < count:
            self.pending |= self.source.number(1) << self.count
            self.count += 8
        value = self.pending & ((1 << count) - 1)
        self.pending >>= count
        self.count -= count
        return value

    def exp_golomb(self, order):
        zeros = 0
        while self.read(1) == 0:
            zeros += 1
            need(zeros < 24, "too many zeros")
        return (1 << zeros + order) + self.read(zeros + order) - (1 << order)

    def finish(self):
        need(self.pending == 0, "padding bits are not zero")


def signed(value, count):
    """The number of `count` bytes that has these bits in two's complement."""
    value &= (1 << 8 * count) - 1
    return value - (1 << 8 * count) if value >> (8 * count - 1) else value


def unfold(folded):
    return folded >> 1 ^ -(folded & 1) & LOW32


def read_code(source, base, symbols):
    """Lengths of the codes of symbols 0, 1, ...; 0 where there is none."""
    count = source.number(1) + 1
    need(count <= symbols, "too many symbols")
    lengths, bits, place = [], Bits(source), 1
    for symbol in range(count):
        if symbol >= place * base:
            place *= base
        expected = 3 if symbol == 0 else lengths[symbol - place]
        length = 12 - bits.exp_golomb(0) if expected == 12 else expected - signed(unfold(bits.exp_golomb(1)), 4)
        need(1 <= length <= 12, "length")
        lengths.append(length)
    bits.finish()
    lengths = [length % 12 for length in lengths]
    need(sum(2048 >> length for length in lengths if length) == 2048, "lengths do not fill the code")
    return lengths


def code_table(lengths):
    """(length, code) -> symbol."""
    table, code = {}, 0
    for length in range(1, 12):
        for symbol in [s for s, l in enumerate(lengths) if l == length]:
            table[length, code] = symbol
            code += 1
        code *= 2
    return table


def read_digits(source, count, digits, base, streams):
    table = code_table(read_code(source, base, base ** digits))
    ends = [source.number(2) for _ in range(streams - 1)] + [None]
    values = []
    for size in ends:
        begin = source.at
        left, byte = 0, 0
        for _ in range(count // digits // streams):
            length, code = 0, 0
            while (length, code) not in table:
                if left == 0:
                    byte, left = source.number(1), 8
                left -= 1
                length, code = length + 1, code << 1 | byte >> left & 1
            symbol = table[length, code]
            values += [symbol] if digits == 1 else [symbol // base, symbol % base]
        need(byte & (1 << left) - 1 == 0, "padding bits are not zero")
        need(size is None or source.at == begin + size, "a stream does not end where it should")
    return values


# Weights in 1/16: of the sample to the left, of N(i-2 ... i+1), of NN(i-2 ... i+1).
WEIGHTS = [
    (16, (0, 0, 0, 0), (0, 0, 0, 0)),
    (16, (0, -16, 16, 0), (0, 0, 0, 0)),
    (16, (-8, -8, 8, 8), (4, 4, -4, -4)),
    (8, (0, 0, 8, 0), (0, 0, 0, 0)),
    (8, (-1, 1, 8, 8), (-1, -1, -2, -4)),
    (8, (1, 2, 5, 7), (-2, -2, -2, -1)),
    (8, (-4, 11, 3, -1), (-2, 0, 0, 1)),
    (8, (1, 3, 5, 7), (-3, -3, -2, 0)),
]


def neighbours(row, i):
    """row(i-2) ... row(i+1), where beside its ends the row goes on as a straight line."""
    before = 2 * row[0] - row[1]
    padded = [2 * before - row[0], before] + row + [2 * row[-1] - row[-2]]
    return padded[i:i + 4]


def read_dense(source, count, grouping, shift):
    digits, base = [(1, 32), (2, 9), (2, 5)][grouping]
    residuals = read_digits(source, count, digits, base, 4)
    bits = Bits(source)
    for i, digit in enumerate(residuals):
        if digit == base - 1:
            residuals[i] += bits.exp_golomb(3 if digits == 1 else 1)
    if shift > 0:
        residuals = [digit << shift | bits.read(shift) for digit in residuals]
    bits.finish()
    return residuals


def read_sparse(source, count):
    tokens = source.varint()
    need(tokens <= count, "number of residuals")
    tokens = read_digits(source, tokens, 1, 64, 1) if tokens > 0 else []
    bits, residuals = Bits(source), []
    for token in tokens:
        gap = token % 32
        if gap >= 8:
            rest = 2 + (gap - 8) // 2
            gap = (2 + gap % 2) * 2 ** rest + bits.read(rest)
        residuals += [0] * gap + [3 + bits.exp_golomb(1) if token >= 32 else 1 + bits.read(1)]
    bits.finish()
    need(len(residuals) <= count, "residuals behind the last sample")
    return residuals + [0] * (count - len(residuals))


def decode_raster(source, size, read):
    first, second = source.number(1), source.number(1)
    predictor, grouping, shift, narrow = first % 16, first // 16, second % 16, second // 16
    need(predictor <= 7 and grouping <= 3 and narrow <= 1 and shift <= (4 if narrow else 12), "raster's first bytes")
    need(grouping < 3 or shift == 0, "shift of sparse residuals")
    base, scale = unfold(source.varint()), source.varint()
    folded = read_sparse(source, size * size) if grouping == 3 else read_dense(source, size * size, grouping, shift)
    need(max(folded) < 2 ** (10 if narrow else 24), "residual too large")
    residuals = [signed(unfold(number), 4) for number in folded]
    rows = []
    for y in range(size):
        above = rows[y - 1] if y > 0 else None
        above2 = rows[y - 2] if y > 1 else above
        row = []
        for i in range(size):
            residual = residuals[y * size + i]
            if y == 0:
                expected = 0 if i == 0 else row[i - 1] if i == 1 or predictor == 0 else 2 * row[i - 1] - row[i - 2]
                number = expected + residual
            elif i == 0:
                number = (above[0] if predictor == 0 else 2 * above[0] - above2[0]) + residual
            else:
                left, weights, weights2 = WEIGHTS[predictor]
                total = 16 * residual + 8
                total += sum(w * n for w, n in zip(weights, neighbours(above, i)))
                total += sum(w * n for w, n in zip(weights2, neighbours(above2, i)))
                number = (left * row[i - 1] + total) >> 4
            need(0 <= number < (1 << 9 if narrow else 1 << 20), "number out of range")
            row.append(number)
        rows.append(row)
    return [read(base + scale * number) for row in rows for number in row]


def decode_regions(source, size, width, read):
    palette = [read(source.number(width)) for _ in range(source.number(1) + 1)]
    count = source.varint()
    need(1 <= count <= size * size, "number of tokens")
    tokens = iter(read_digits(source, count, 1, 19, 1))
    bits, samples = Bits(source), []
    above = [0] * size  # colours as indices into the palette
    for _ in range(size):
        row, start, colour, least = [0] * size, 0, above[0], 0
        while start < size:
            borders = [k for k in range(start + 1, size) if above[k - 1] == colour != above[k]] + [size]
            token = next(tokens, None)
            while token == 0:
                need(len(borders) > 1, "skips what is not there")
                borders.pop(0)
                token = next(tokens, None)
            need(token is not None, "tokens end too early")
            if token == 1:
                border = bits.read(size.bit_length())
                after = bits.read((len(palette) - 1).bit_length()) if border < size else 0
            else:
                folded = token - 2
                border = borders[0] + (folded // 2 if folded % 2 == 0 else -(folded + 1) // 2)
                need(border >= size or borders[0] < size, "border without a colour")
                after = above[borders[0]] if borders[0] < size else 0
            need(least <= border <= size, "border out of place")
            need(border == size or (after < len(palette) and after != colour), "colour")
            row[start:border] = [colour] * (border - start)
            start, colour, least = border, after, border + 1
        samples += [palette[index] for index in row]
        above = row
    need(next(tokens, None) is None, "tokens follow the last row")
    bits.finish()
    return samples


def decode_partial(source, size, width, read):
    nothing = read(source.number(width))
    end = source.varint() + source.at
    mask = decode_regions(source, size, 1, lambda bits: bits)
    need(source.at == end, "length of the regions")
    need(max(mask) <= 1, "a region is neither 0 nor 1")
    return [sample if there else nothing for sample, there in zip(decode_raster(source, size, read), mask)]


def decode_samples(layer, coding, source, size):
    _, width, is_signed, codings = LAYERS[layer]
    need(coding <= 1 or coding in codings, f"coding {coding} of layer {layer} comes from a newer server")

    def read(bits):
        return signed(bits, width) if is_signed else bits & (1 << 8 * width) - 1

    if coding == 0:
        return [read(source.number(width))] * size ** 2
    if coding == 1:
        return [read(source.number(width)) for _ in range(size ** 2)]
    if coding == 2:
        return decode_raster(source, size, read)
    return (decode_regions if coding == 3 else decode_partial)(source, size, width, read)


def decode_placements(source, size, lod):
    """Lines of text, as for the other objects."""
    need(lod == 0, "placements at a coarse level of detail")
    count = source.varint()
    need(1 <= count <= size ** 2, "number of placements")
    order = source.number(1)
    kinds = source.take(source.number(1) + 1)
    least_turn, turn_bits, least_scale, scale_bits = source.take(4)
    need(order <= 14 and turn_bits <= 8 and scale_bits <= 8, "placements' first bytes")
    bits, place, lines = Bits(source), -1, []
    for _ in range(count):
        place += 1 + bits.exp_golomb(order)
        kind = bits.read((len(kinds) - 1).bit_length())
        turn, scale = least_turn + bits.read(turn_bits), least_scale + bits.read(scale_bits)
        need(place < size ** 2 and kind < len(kinds) and turn <= 255 and scale <= 255, "placement")
        lines.append(f"placement {place % size} {place // size} {kinds[kind]} {turn} {scale}")
    bits.finish()
    return lines


def decode_structures(source, size, lod):
    need(lod <= 4, "structures at a coarse level of detail")
    across, place, lines = size << lod, -1, []
    count = source.varint()
    need(count <= size ** 2, "number of structures")
    for _ in range(count):
        place += 1 + source.varint()
        need(place < across ** 2, "structure behind the last block")
        x, y = place % across, place // across
        kind, rooms = source.number(1), source.varint()
        need(rooms <= 65535, "number of a structure's rooms")
        from_x, from_y = x + signed(unfold(source.varint()), 4), y + signed(unfold(source.varint()), 4)
        to_x, to_y = from_x + source.varint(), from_y + source.varint()
        lines.append(f"structure {x} {y} {kind} {rooms} {from_x} {from_y} {to_x} {to_y}")
    left = source.varint()
    need(left <= (size ** 2 if lod == 0 else 0), "number of rooms")
    floor, last = 0, ()
    while left > 0:
        x, y = signed(unfold(source.varint()), 4), signed(unfold(source.varint()), 4)
        kind, count = source.number(1), source.varint()
        need(1 <= count <= left, "number of a group's rooms")
        left -= count
        index = -1
        for _ in range(count):
            index += 1 + source.varint()
            place = source.varint()
            turn, place = place % 4, place // 4
            floor = signed(floor + unfold(source.varint()), 4)
            piece, doors = source.take(2)
            need(index <= 65535 and place < size ** 2 and last < (y, x, index), "room")
            last = (y, x, index)
            lines.append(f"room {place % size} {place // size} {floor} {x} {y} {index} {kind} {piece} {turn} {doors}")
    return lines


def decode_section(layer, coding, payload, size, lod):
    """The section's lines of text."""
    source = Bytes(payload)
    if layer in LAYERS:
        samples = decode_samples(layer, coding, source, size)
        lines = [LAYERS[layer][0]] + [" ".join(map(str, samples[y * size:(y + 1) * size])) for y in range(size)]
    else:
        need(coding == layer - 3, f"coding {coding} of layer {layer} comes from a newer server")
        lines = (decode_placements if layer == 8 else decode_structures)(source, size, lod)
    need(source.at == len(payload), "bytes follow the last of the section")
    return lines


def decode(data):
    """The chunk's text."""
    need(len(data) >= 8 and data[:3] == b"TRC", "not an encoded chunk")
    version, log2_size, lod, sections, reserved = data[3:8]
    need(version == 2, f"format version {version}")
    need(4 <= log2_size <= 7 and lod <= 16 and sections <= 31 and reserved == 0, "header")
    size, offset, previous = 1 << log2_size, 8 + 10 * sections, 0
    text = [f"size {size}", f"lod {lod}"]
    need(len(data) >= offset, "section table")
    for section in range(sections):
        layer, coding, length, _ = struct.unpack_from("<BBII", data, 8 + 10 * section)
        need(previous < layer <= 31 and offset + length <= len(data), "section table")
        previous = layer
        if layer <= 9:
            text += decode_section(layer, coding, data[offset:offset + length], size, lod)
        offset += length
    need(offset == len(data), "bytes follow the last section")
    return "\n".join(text) + "\n"


def check(folder):
    vectors = sorted(pathlib.Path(folder).glob("*.bin"))
    wrong = [v.name for v in vectors if decode(v.read_bytes()) != v.with_suffix(".txt").read_text()]
    print(f"{len(vectors)} vectors, wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong or not vectors else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2]))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(decode(pathlib.Path(sys.argv[1]).read_bytes()))
