#!/usr/bin/env python3
"""What no client sends: malformed HTTP/2 frames and headers, floods of resets, continuations and
connections, random bytes on both ports. The server must stay alive with bounded memory, answer
honest clients as before, and end cleanly.
  hostile.py TERRANED TERRANE"""
import os
import random
import resource
import socket
import struct
import sys
import tempfile
import time

from http2 import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PING,
    PREFACE,
    RST_STREAM,
    SETTINGS,
    call_headers,
    frame,
    header,
    headers_frames,
)
from terraned import Server, world_hash

LIST = "/terrane.v1.WorldService/ListWorlds"
CHUNKS = "/terrane.v1.WorldService/GetChunks"
MEMORY_LIMIT_MB = 512


protect = None  # makes a connection a TLS one, for those who set it


def connect(address, source="127.0.0.1"):
    host, port = address.rsplit(":", 1)
    plain = socket.create_connection((host, int(port)), timeout=5, source_address=(source, 0))
    return protect(plain) if protect else plain


def send(address, data, answer_s=0.2):
    """Sends bytes on a new connection and reads whatever comes; being cut off is a fine answer."""
    try:
        with connect(address) as connection:
            connection.sendall(data)
            connection.settimeout(answer_s)
            while connection.recv(65536):
                pass
    except OSError:
        pass


def opened(payload):
    return PREFACE + frame(SETTINGS, 0, 0) + payload


def malformed_headers(server):
    """Among them the shape of CVE-2023-1428: an invalid value that gRPC knows by name, then more
    than the headers' limit."""
    count = 0
    for extra in (0, 9_000, 20_000, 70_000, 300_000):
        big = header("x-big", "a" * extra) if extra else b""
        for block in (
            call_headers(LIST, te="x"),
            call_headers(LIST, p_scheme="x"),
            call_headers(LIST) + header("grpclb_client_stats", "x"),
            call_headers(LIST, p_path=None),
            call_headers(LIST, p_method="GET"),
            call_headers(LIST, p_authority=None),
            call_headers(LIST, content_type="text/html"),
            call_headers("x" * 2000),
            call_headers(""),
            call_headers(LIST) + header("grpc-timeout", "99999999999999999999H"),
            call_headers(LIST) + header("grpc-timeout", "-1S"),
            call_headers(LIST) + header("grpc-encoding", "gzip,gzip"),
            call_headers(LIST) + header("UPPER", "x"),
            call_headers(LIST) + header("x-bin", b"\xff\x00not base64!"),
            call_headers(LIST) + header("", "x"),
            call_headers(LIST) + header("a\r\nb", "c\r\nd"),
            call_headers(LIST) * 3,
        ):
            call = headers_frames(1, block + big) + frame(DATA, END_STREAM, 1, b"\0\0\0\0\0")
            send(server.grpc, opened(call), 0.05)
            count += 1
    return f"{count} header blocks"


def malformed_frames(server):
    hpack = [
        b"\xff" * 20,
        b"\x80",
        b"\xbf\xff\xff\xff\xff\x0f",
        b"\x3f\xe1\xff\xff\xff\x0f",
        b"\x00\x7f\xff\xff\xff\xff\x0f",
        b"\x40\x81",
    ]
    shapes = [frame(HEADERS, END_HEADERS, 1, block) for block in hpack]
    call = headers_frames(1, call_headers(CHUNKS))
    shapes += [
        frame(CONTINUATION, END_HEADERS, 1, b"x"),
        frame(HEADERS, END_HEADERS, 0, b""),
        frame(HEADERS, END_HEADERS, 2, b""),
        frame(SETTINGS, 0, 0, b"\0" * 5),
        frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0xffffffff)),
        frame(PING, 0, 0, b"1"),
        frame(8, 0, 0, struct.pack(">I", 0)),
        frame(8, 0, 1, struct.pack(">I", 0x7fffffff)),
        frame(RST_STREAM, 0, 0, b"\0\0\0\0"),
        frame(7, 0, 0, b""),
        frame(99, 255, 77, b"?" * 100),
        b"\xff\xff\xff" + b"\x00" * 6,
        frame(DATA, 0, 1, b"x" * 16384),
        call + frame(DATA, END_STREAM, 1, b"\0\xff\xff\xff\xff" + b"x" * 1000),
        call + frame(DATA, END_STREAM, 1, b"\x01\0\0\0\x04abcd"),
        call + frame(DATA, END_STREAM, 1, b"\0\0"),
        call + frame(DATA, 0, 1, b"\0\0\0\0\x01"),
    ]
    for shape in shapes:
        send(server.grpc, opened(shape), 0.05)
    for preface in (
        b"",
        PREFACE[:10],
        b"GET / HTTP/1.1\r\n\r\n",
        PREFACE + PREFACE,
        b"\x16\x03\x01\x02\x00\x01\x00",
    ):
        send(server.grpc, preface, 0.05)
    return f"{len(shapes) + 5} shapes"


def flood_until_sent_away(server, source, call):
    """The bytes of a call are sent again and again, until the server wants no more of them."""
    away = 'terrane_clients_sent_away_total{port="grpc"}'
    before = server.metric(away)
    sent = 0
    started = time.monotonic()
    while server.metric(away) == before:
        if time.monotonic() > started + 60:
            raise RuntimeError(f"{sent} calls, and it has not been sent away")
        try:
            with connect(server.grpc, source) as connection:
                connection.sendall(opened(b""))
                for first in range(1, 10_000, 200):
                    connection.sendall(b"".join(map(call, range(first, first + 200, 2))))
                    sent += 100
        except OSError:
            pass
    return f"{sent} streams in {time.monotonic() - started:.1f} s, then sent away"


def rapid_resets(server):
    """CVE-2023-44487: streams opened and reset at once."""

    def call(stream):
        reset = frame(RST_STREAM, 0, stream, b"\0\0\0\x08")
        return headers_frames(stream, call_headers(CHUNKS)) + reset

    return flood_until_sent_away(server, "127.0.0.7", call)


def calls_that_expire_at_once(server):
    """The same without a reset: the deadline ends them."""
    headers = call_headers(CHUNKS) + header("grpc-timeout", "1n")

    def call(stream):
        return headers_frames(stream, headers)

    return flood_until_sent_away(server, "127.0.0.8", call)


def continuation_flood(server):
    sent = 0
    for stream in (1, 3):
        try:
            with connect(server.grpc) as connection:
                connection.sendall(opened(frame(HEADERS, 0, stream, call_headers(LIST))))
                part = frame(CONTINUATION, 0, stream, header("x-flood", "a" * 16_000))
                for _ in range(4_000):
                    connection.sendall(part)
                    sent += len(part)
        except OSError:
            pass
    return f"{sent / 1e6:.1f} MB sent before it was cut off"


def headers_flood(server):
    """Headers of 150 kB, ten times what a call may have, as fast as a gigabit a second brings
    them: once gRPC held each such call until its connection ended."""
    call = call_headers(LIST) + header("x-big", "a" * 150_000)
    peak = sent = 0
    started = time.monotonic()
    while time.monotonic() < started + 4:
        try:
            with connect(server.grpc, "127.0.0.10") as connection:
                connection.sendall(opened(b""))
                for stream in range(1, 1_000, 2):
                    connection.sendall(headers_frames(stream, call))
                    sent += 1
                    peak = max(peak, server.memory_mb())
                    time.sleep(max(0, started + sent * 0.0012 - time.monotonic()))
                    if time.monotonic() > started + 4:
                        break
        except OSError:
            time.sleep(0.05)
    if peak > MEMORY_LIMIT_MB:
        raise RuntimeError(f"{peak:.0f} MB with {sent} calls of {len(call)} bytes of headers")
    return f"{sent} calls, {peak:.0f} MB"


def connection_flood(server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    wanted = min(10_000, hard - 200)
    peak = 0
    for address in (server.grpc, server.http):
        held = []
        try:
            for _ in range(wanted):
                held.append(connect(address))
        except OSError:
            pass
        peak = max(peak, server.memory_mb())
        for connection in held:
            connection.close()
        print(f"    {len(held)} connections to {address}")
    return f"{peak:.0f} MB with {wanted} connections held"


def random_bytes(server):
    generator = random.Random(4150)
    for i in range(400):
        data = generator.randbytes(generator.choice((1, 30, 1_000, 40_000)))
        if i % 3 == 0:
            data = opened(data)
        if i % 3 == 1:
            data = b"GET /" + data
        send((server.grpc, server.http)[i % 2], data, 0.02)
    return "400 connections"


def open_calls(server, method, body, connections, calls):
    """Calls that do not end, from another address than honest ones."""
    opened_connections = []
    for _ in range(connections):
        connection = connect(server.grpc, "127.0.0.9")
        data = opened(b"")
        for stream in range(1, 2 * calls, 2):
            data += headers_frames(stream, call_headers(method))
            data += frame(DATA, 0, stream, body)
        connection.sendall(data)
        opened_connections.append(connection)
    return opened_connections


def half_messages(server):
    """Messages of 4 MiB that do not go on: whoever sends whole ones is served meanwhile, and the
    others are told that theirs takes too long."""
    half = struct.pack(">BI", 0, (4 << 20) - 16) + bytes(100)
    held = open_calls(server, LIST, half, connections=4, calls=25)
    started = time.monotonic()
    for _ in range(10):
        code = server.health()
        if code != 0:
            raise RuntimeError(f"health: exit code {code}")
    health_s = (time.monotonic() - started) / 10
    while server.metric('terrane_requests_total{rpc="ListWorlds",code="DEADLINE_EXCEEDED"}') < 100:
        if time.monotonic() > started + 60:
            raise RuntimeError("half a request is waited for without end")
        time.sleep(0.2)
    over_s = time.monotonic() - started
    for connection in held:
        connection.close()
    return f"100 calls, over after {over_s:.1f} s; a health check took {1e3 * health_s:.0f} ms"


def reflection_flood(server):
    """Each call of reflection takes a thread."""
    method = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
    held = open_calls(server, method, b"", connections=4, calls=250)
    most = 0
    for _ in range(20):
        most = max(most, server.threads())
        time.sleep(0.05)
    for connection in held:
        connection.close()
    if most > 100:
        raise RuntimeError(f"{most} threads")
    return f"1000 calls, {most} threads"


def half_requests(server):
    """HTTP that never ends, or has no end of headers."""
    for text in (
        b"GET /metrics HTTP/1.1\r\n",
        b"GET /metrics HTTP/1.1\r\nx: " + b"a" * 100_000,
        b"POST /metrics HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /metrics HTTP/9.9\r\n\r\n",
        b"\r\n" * 10_000,
        b"GET /metrics HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n" * 2_000,
    ):
        send(server.http, text, 0.2)
    return "8 requests"


def main():
    terraned, terrane = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as data:
        everywhere = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(everywhere)})  # one processor: what is too much goes by those
        server = Server(terraned, data + "/cache", "--log-level", "error")
        os.sched_setaffinity(0, everywhere)
        failures = 0
        try:
            before = world_hash(terrane, server)
            idle = server.memory_mb()
            for attack in (
                malformed_headers,
                malformed_frames,
                rapid_resets,
                calls_that_expire_at_once,
                continuation_flood,
                headers_flood,
                random_bytes,
                half_messages,
                reflection_flood,
                half_requests,
                connection_flood,
            ):
                started = time.monotonic()
                said = attack(server)
                if not server.alive():
                    code = server.process.returncode
                    print(f"FAILED: {attack.__name__}: the server died with {code}")
                    return 1
                memory = server.memory_mb()
                right = world_hash(terrane, server) == before
                print(
                    f"drill {attack.__name__}: {said}; "
                    f"{memory:.0f} MB after {time.monotonic() - started:.1f} s; "
                    f"{'same chunks' if right else 'WRONG CHUNKS'}",
                    flush=True,
                )
                failures += (not right) + (memory > MEMORY_LIMIT_MB)
            print(
                f"memory: {idle:.0f} MB before, {server.memory_mb():.0f} MB after, "
                f"limit {MEMORY_LIMIT_MB} MB"
            )
        finally:
            code = server.stop()
        print(f"exit code {code}")
        return 1 if failures or code != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
