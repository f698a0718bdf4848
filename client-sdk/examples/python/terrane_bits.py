"""Numbers, bits and symbols of FORMAT.md: its first page and section 5."""

LOW_32 = 0xFFFFFFFF


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
        need(self.at + count <= len(self.data), "the payload ends too early")
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
                need(value <= LOW_32, "a varint exceeds 32 bits")
                return value
        raise Damaged("a varint is longer than 5 bytes")

    def zigzag(self):
        """A varint that is a zigzag number of 32 bits."""
        return signed(from_zigzag(self.varint()), 4)


class Bits:
    """Bits, lowest first, from a cursor on; finish() leaves it behind the last byte begun."""

    def __init__(self, source):
        self.source, self.pending, self.count = source, 0, 0

    def read(self, count):
        while self.count < count:
            self.pending |= self.source.number(1) << self.count
            self.count += 8
        value = self.pending & (1 << count) - 1
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
    return value - (1 << 8 * count) if value >> 8 * count - 1 else value


def from_zigzag(number):
    return number >> 1 if number % 2 == 0 else -(number + 1 >> 1)


# Section 5: symbols.


def read_lengths(source, base, symbols):
    """Lengths of the codes of symbols 0, 1, ...; 0 where there is none."""
    absent = 12
    count = source.number(1) + 1
    need(count <= symbols, "too many symbols")
    lengths, bits, place = [], Bits(source), 1
    for symbol in range(count):
        if symbol >= place * base:
            place *= base
        expected = 3 if symbol == 0 else lengths[symbol - place]
        if expected == absent:
            length = absent - bits.exp_golomb(0)
        else:
            length = expected - from_zigzag(bits.exp_golomb(1))
        need(1 <= length <= absent, "the length of a code")
        lengths.append(length)
    bits.finish()
    lengths = [length % absent for length in lengths]
    need(sum(2048 >> length for length in lengths if length) == 2048,
         "lengths do not fill the code")
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


def read_stream(source, count, table):
    symbols, left, byte = [], 0, 0
    for _ in range(count):
        length, code = 0, 0
        while (length, code) not in table:
            if left == 0:
                byte, left = source.number(1), 8
            left -= 1
            length, code = length + 1, code << 1 | byte >> left & 1
        symbols.append(table[length, code])
    need(byte & (1 << left) - 1 == 0, "padding bits are not zero")
    return symbols


def read_digits(source, count, digits, base, streams):
    table = code_table(read_lengths(source, base, base**digits))
    sizes = [source.number(2) for _ in range(streams - 1)] + [None]
    symbols = []
    for size in sizes:
        begin = source.at
        symbols += read_stream(source, count // digits // streams, table)
        need(size in (None, source.at - begin), "a stream does not end where it should")
    if digits == 1:
        return symbols
    return [digit for symbol in symbols for digit in divmod(symbol, base)]
