"""Just enough HTTP/2 to be rude with: frames and header blocks as bytes, nothing checked.
RFC 9113 and RFC 7541."""
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, CONTINUATION = 0, 1, 3, 4, 6, 9
END_STREAM, END_HEADERS = 1, 4


def frame(kind, flags, stream, payload=b""):
    length = struct.pack(">I", len(payload))[1:]
    return length + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def integer(value, prefix_bits, first=0):
    limit = (1 << prefix_bits) - 1
    if value < limit:
        return bytes([first | value])
    out = bytearray([first | limit])
    value -= limit
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    out.append(value)
    return bytes(out)


def header(name, value):
    """A literal header field that is not indexed."""
    name, value = name.encode(), value if isinstance(value, bytes) else value.encode()
    return b"\x00" + integer(len(name), 7) + name + integer(len(value), 7) + value


def call_headers(method, **replaced):
    """The headers of a gRPC call; replaced: header=value, _ for -, leading p_ for the colon; None
    leaves it out."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": method,
        ":authority": "localhost",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    for name, value in replaced.items():
        fields[(":" + name[2:] if name.startswith("p_") else name).replace("_", "-")] = value
    return b"".join(header(n, v) for n, v in fields.items() if v is not None)


def headers_frames(stream, block, flags=END_HEADERS, largest=16384):
    """A header block, with CONTINUATION frames where one frame is too small."""
    parts = [block[i:i + largest] for i in range(0, len(block), largest)] or [b""]
    frames = b""
    for i, part in enumerate(parts):
        last = flags if i == len(parts) - 1 else flags & ~END_HEADERS
        frames += frame(HEADERS if i == 0 else CONTINUATION, last, stream, part)
    return frames
