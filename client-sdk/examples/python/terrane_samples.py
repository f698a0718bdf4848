"""Squares of samples: sections 6, 7 and 8 of FORMAT.md."""

from terrane_bits import Bits, from_zigzag, need, read_digits, signed

# Section 6: raster.

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
KINDS = [(1, 32, 3), (2, 9, 1), (2, 5, 1)]  # digits a symbol, base, order
SPARSE = 3


def read_dense(source, count, kind, shift):
    digits, base, order = KINDS[kind]
    residuals = read_digits(source, count, digits, base, 4)
    bits = Bits(source)
    for i, digit in enumerate(residuals):
        if digit == base - 1:
            residuals[i] += bits.exp_golomb(order)
    if shift > 0:
        residuals = [digit << shift | bits.read(shift) for digit in residuals]
    bits.finish()
    return residuals


def read_sparse(source, count):
    said = source.varint()
    need(said <= count, "more residuals than samples")
    tokens = read_digits(source, said, 1, 64, 1) if said > 0 else []
    bits, residuals = Bits(source), []
    for token in tokens:
        gap = token % 32
        if gap >= 8:
            rest = 2 + (gap - 8) // 2
            gap = ((2 + gap % 2) << rest) + bits.read(rest)
        value = 3 + bits.exp_golomb(1) if token >= 32 else 1 + bits.read(1)
        residuals += [0] * gap + [value]
        need(len(residuals) <= count, "residuals lie behind the last sample")
    bits.finish()
    return residuals + [0] * (count - len(residuals))


def predicted_row(predictor, residuals, above, above2):
    """A row of numbers, from the two above it (which are the same one for row 1)."""
    def neighbours(row):  # row(i-2) ... row(i+1) at [i:i+4]
        before = 2 * row[0] - row[1]
        return [2 * before - row[0], before, *row, 2 * row[-1] - row[-2]]

    left, weights, weights2 = WEIGHTS[predictor]
    north, north2 = neighbours(above), neighbours(above2)
    row = [(above[0] if predictor == 0 else 2 * above[0] - above2[0]) + residuals[0]]
    for i in range(1, len(residuals)):
        total = left * row[i - 1] + 8
        total += sum(w * n for w, n in zip(weights, north[i:i + 4]))
        total += sum(w * n for w, n in zip(weights2, north2[i:i + 4]))
        row.append((total >> 4) + residuals[i])
    return row


def first_row(predictor, residuals):
    row = []
    for i, residual in enumerate(residuals):
        if i == 0:
            row.append(residual)
        elif i == 1 or predictor == 0:
            row.append(row[i - 1] + residual)
        else:
            row.append(2 * row[i - 1] - row[i - 2] + residual)
    return row


def decode_raster(source, size, width):
    first, second = source.number(1), source.number(1)
    predictor, kind, shift, narrow = first % 16, first // 16, second % 16, second // 16
    need(predictor <= 7 and kind <= 3 and narrow <= 1 and shift <= (4 if narrow else 12),
         "the raster's first bytes")
    need(kind != SPARSE or shift == 0, "sparse residuals have no shift")
    base, scale = source.zigzag(), source.varint()
    if kind == SPARSE:
        numbers = read_sparse(source, size * size)
    else:
        numbers = read_dense(source, size * size, kind, shift)
    need(max(numbers) < (1 << 10 if narrow else 1 << 24), "a residual is too large")
    residuals = [from_zigzag(number) for number in numbers]
    rows = [first_row(predictor, residuals[:size])]
    for y in range(1, size):
        above, above2 = rows[y - 1], rows[max(y - 2, 0)]
        rows.append(predicted_row(predictor, residuals[y * size:(y + 1) * size], above, above2))
        # here, so that a hostile payload's numbers do not grow without end
        need(0 <= min(rows[y]) and max(rows[y]) < (1 << 9 if narrow else 1 << 20),
             "a number is out of range")
    need(0 <= min(rows[0]) and max(rows[0]) < (1 << 9 if narrow else 1 << 20),
         "a number is out of range")
    return [signed(base + scale * number, width) for row in rows for number in row]


# Section 7: regions.


def read_regions_row(tokens, bits, above, colours):
    """A row of colours. tokens is an iterator; colours is how many there are."""
    size = len(above)
    row, start, colour, least = [0] * size, 0, above[0], 0
    while start < size:
        candidates = [k for k in range(start + 1, size) if above[k - 1] == colour != above[k]]
        candidates.append(size)
        token = next(tokens, None)
        while token == 0:
            need(len(candidates) > 1, "a token skips what is not there")
            candidates.pop(0)
            token = next(tokens, None)
        need(token is not None, "tokens end too early")
        if token == 1:
            border = bits.read(size.bit_length())
            after = bits.read((colours - 1).bit_length()) if border < size else None
        else:
            border = candidates[0] + from_zigzag(token - 2)
            need(border >= size or candidates[0] < size, "a border without a colour")
            after = above[candidates[0]] if candidates[0] < size else None
        need(least <= border <= size, "a border is out of place")
        need(border == size or (after < colours and after != colour), "a border's colour")
        row[start:border] = [colour] * (border - start)
        start, colour, least = border, after, border + 1
    return row


def decode_regions(source, size, width):
    palette = [source.take(width) for _ in range(source.number(1) + 1)]
    count = source.varint()
    need(1 <= count <= size * size, "the number of tokens")
    tokens = iter(read_digits(source, count, 1, 19, 1))
    bits, samples = Bits(source), []
    above = [0] * size  # colours as indices into the palette
    for _ in range(size):
        above = read_regions_row(tokens, bits, above, len(palette))
        samples += [palette[index] for index in above]
    need(next(tokens, None) is None, "tokens follow the last row")
    bits.finish()
    return [signed(int.from_bytes(bits_of, "little"), width) if width > 1 else bits_of[0]
            for bits_of in samples]


# Section 8: partial.


def decode_partial(source, size, width):
    nothing = signed(source.number(width), width)
    length = source.varint()
    end = source.at + length
    there = decode_regions(source, size, 1)
    need(source.at == end, "the length of the regions")
    need(max(there) <= 1, "a region is neither 0 nor 1")
    samples = decode_raster(source, size, width)
    return [sample if mask else nothing for sample, mask in zip(samples, there)]
