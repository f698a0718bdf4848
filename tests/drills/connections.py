#!/usr/bin/env python3
"""Idle, silent and half-open connections on both ports of a server with 1,024 descriptors, from one
address and from many; a server that can't open any more; and one behind a proxy that says for whom
it connects. A game client must be served meanwhile or within seconds, and everything must be normal
afterwards.
  connections.py TERRANED TERRANE"""
import contextlib
import resource
import socket
import sys
import tempfile
import threading
import time

from http2 import PREFACE, SETTINGS, frame
from terraned import Server, world_hash

TERRANED, TERRANE = sys.argv[1:3]
CROWD = 1_200
PATIENCE_S = 20
failures = 0


def check(name, is_right, said):
    global failures
    failures += not is_right
    print(f"drill {name}: {said}{'' if is_right else ' FAILED'}", flush=True)


def connect(address, source="127.0.0.1", first=b""):
    host, port = address.rsplit(":", 1)
    connection = socket.create_connection((host, int(port)), 10, (source, 0))
    if first:
        connection.sendall(first)
    connection.settimeout(10)
    return connection


def still_open(connections):
    """Those that the server has not closed. Whatever it has sent is read."""
    left = []
    for each in connections:
        each.setblocking(False)
        try:
            while each.recv(65536):
                pass
            each.close()
        except BlockingIOError:
            left.append(each)
        except OSError:
            each.close()
    return left


def await_closed(connections, start):
    """@return seconds from `start` until the server has closed them all; None if it does not."""
    while connections and time.monotonic() - start < PATIENCE_S:
        connections = still_open(connections)
        time.sleep(0.02)
    return None if connections else time.monotonic() - start


def still_open_soon(connections, most=None):
    """Those that are left once the server has seen them all, and no more than `most` are."""
    start = time.monotonic()
    time.sleep(0.5)  # for the server to see the last of them
    left = still_open(connections)
    while most is not None and len(left) > most and time.monotonic() - start < PATIENCE_S:
        time.sleep(0.05)
        left = still_open(left)
    return left


def seen(server, port):
    """How many connections to a port the server has accepted, to keep them or not."""
    lines = server.page("/metrics")[1].splitlines()
    names = [f"terrane_connections_{what}_total{{port" for what in ("accepted", "refused")]
    mine = [line for line in lines if line.startswith(tuple(names)) and f'"{port}"' in line]
    return sum(float(line.split()[-1]) for line in mine)


@contextlib.contextmanager
def crowd(server, port, sources, count=CROWD):
    """Connections that say nothing; those that the server leaves open."""
    address = server.grpc if port == "grpc" else server.http
    wanted = seen(server, port) + count
    held = [connect(address, sources[i % len(sources)]) for i in range(count)]
    while seen(server, port) < wanted:
        time.sleep(0.02)
    held = still_open(held)
    try:
        yield held
    finally:
        for each in held:
            each.close()


def await_ready(server, status):
    """@return seconds until readiness says so; None if it does not."""
    start = time.monotonic()
    while server.page("/readyz")[0] != status:
        if time.monotonic() - start > PATIENCE_S:
            return None
        time.sleep(0.05)
    return time.monotonic() - start


def idle_crowds(server, right):
    strangers = [f"127.0.0.{i}" for i in range(2, 13)]
    for name, sources in (("one address", ["127.0.0.2"]), ("eleven addresses", strangers)):
        with crowd(server, "grpc", sources) as grpc, crowd(server, "http", sources) as http:
            served = world_hash(TERRANE, server) == right
            page = server.page("/readyz")[0]
            said = f"{CROWD} connections to each port, {len(grpc)} and {len(http)} held"
            check(f"crowd of {name}", served and page == 200, f"{said}; served {served}, {page}")
        greedy, all_of_them = len(sources), 832
        fair = min(all_of_them // 4, all_of_them // (greedy + 1)) * greedy
        check(f"held by {name}", abs(len(grpc) - fair) <= greedy, f"{len(grpc)} of {fair}")


def a_full_port(server, right):
    """Only so many addresses can do that."""
    sources = [f"127.0.{i // 200 + 1}.{i % 200 + 1}" for i in range(CROWD)]
    with crowd(server, "grpc", sources) as held:
        unready = await_ready(server, 503)
        said = f"{len(held)} connections of as many addresses; not ready after {unready} s"
        check("full", unready is not None and len(held) == 832, said)
    ready = await_ready(server, 200)
    served = world_hash(TERRANE, server) == right
    check("no longer full", ready is not None and served, f"ready after {ready} s")


def half_handshakes(server):
    """All but the last must go when --handshake-timeout is over, that one with --idle-timeout."""
    settings = frame(SETTINGS, 0, 0)
    start = time.monotonic()
    groups = (
        ("silent", b""),
        ("half a preface", PREFACE[:10]),
        ("preface alone", PREFACE),
        ("half a frame", PREFACE + settings[:5]),
        ("no call", PREFACE + settings),
    )
    held = [[connect(server.grpc, "127.0.0.3", first) for _ in range(10)] for _, first in groups]
    for (name, _), connections in zip(groups, held):
        took = await_closed(connections, start)
        low, high = (1.5, 6) if name == "no call" else (0.5, 4)
        check(name, took is not None and low < took < high, f"closed after {took} s")


def the_same_address(server, right):
    """Nobody can tell a game client from a crowd at its own address: it waits for time-outs, for
    which the attempts of one call may not last."""
    with crowd(server, "grpc", ["127.0.0.1"]) as held:
        start = time.monotonic()
        took, served = 0, False
        while not served and took < PATIENCE_S:
            served = world_hash(TERRANE, server) == right
            took = time.monotonic() - start
        is_soon = served and took < 4
        check("crowd of one's own address", is_soon, f"{len(held)} held; served after {took:.1f} s")


class Proxy:
    """Passes bytes on from its own address, and says first that they are a client's."""

    ADDRESS = "127.0.0.9"

    def __init__(self, server, client):
        self.server, self.client = server, client
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.grpc = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def header(self):
        addresses = socket.inet_aton(self.client) + b"\x7f\0\0\1" + b"\x12\x34\x10\x36"
        return b"\r\n\r\n\0\r\nQUIT\n\x21\x11" + len(addresses).to_bytes(2, "big") + addresses

    def connect(self):
        return connect(self.server.grpc, self.ADDRESS, self.header())

    def accept(self):
        while True:
            near = self.listener.accept()[0]
            far = self.connect()
            far.settimeout(None)
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    @staticmethod
    def pass_on(source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


def proxied(server, right):
    """Who comes by way of a trusted proxy is known by their own address, in whatever counts."""
    player = Proxy(server, "203.0.113.7")
    served = world_hash(TERRANE, player) == right
    metrics = server.page("/metrics")[1]
    known = 'terrane_client_processors{client="203.0.113.7"}' in metrics
    check("a proxy's client", served and known, f"served: {served}, known by its address: {known}")
    greedy = Proxy(server, "203.0.113.8")
    held = still_open_soon([greedy.connect() for _ in range(100)], most=20)
    served = world_hash(TERRANE, player) == right and world_hash(TERRANE, server) == right
    said = f"{len(held)} of 100 connections held; others served: {served}"
    check("a proxy's greedy client", len(held) == 20 and served, said)
    for each in held:
        each.close()
    start = time.monotonic()
    for name, first in (("silent", b""), ("another protocol", PREFACE)):
        took = await_closed([connect(server.grpc, Proxy.ADDRESS, first)], start)
        check(f"a proxy that is {name}", took is not None and took < 4, f"closed after {took} s")


def no_descriptors(server, right):
    probe = connect(server.http)  # as a balancer keeps it
    ask = b"GET /readyz HTTP/1.1\r\nHost: here\r\n\r\n"

    def await_status(status):
        start = time.monotonic()
        while time.monotonic() - start < PATIENCE_S:
            probe.sendall(ask)
            if status in probe.recv(65536):
                return True
            time.sleep(0.05)
        return False

    ports = [server.grpc, server.http] * 50
    ready = await_status(b" 200 ")
    # One may be had, and those that are given back meanwhile by connections from before.
    server.limit_descriptors(server.lowest_free_descriptor() + 1)
    left = still_open_soon([connect(port) for port in ports], most=len(ports) // 10)
    away = len(ports) - len(left)
    unready = await_status(b" 503 ")
    said = f"{away} of {len(ports)} connections turned away; not ready: {unready}"
    check("no descriptors", ready and unready and len(left) <= len(ports) // 10, said)

    server.limit_descriptors(3)  # now not even the reserve is of use
    used = server.processor_s()
    waiting = still_open_soon([connect(port) for port in ports])
    used = server.processor_s() - used
    said = f"{len(waiting)} connections wait; {used:.2f} s of processor time meanwhile"
    check("no reserve", len(waiting) == len(ports) and used < 0.3, said)
    for each in waiting:
        each.close()

    server.limit_descriptors(1024)
    ready = await_status(b" 200 ")
    served = world_hash(TERRANE, server) == right
    check("descriptors again", ready and served, f"ready: {ready}, served: {served}")


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < 2 * CROWD + 100:
        print(f"this process may open {hard} files, and needs {2 * CROWD + 100}")
        return 77
    with tempfile.TemporaryDirectory() as data:
        patient = Server(TERRANED, data + "/patient")
        right = world_hash(TERRANE, patient)
        check("alone", right != "", "served")
        idle_crowds(patient, right)
        a_full_port(patient, right)
        no_descriptors(patient, right)
        lines = patient.logged().count("closed as soon as they came")
        check("log", 1 <= lines <= 6, f"{lines} lines of refused connections")
        check("end", patient.stop() == 0, "clean")
        hasty = Server(
            TERRANED, data + "/hasty", "--handshake-timeout", "1", "--idle-timeout", "2"
        )
        half_handshakes(hasty)
        the_same_address(hasty, right)
        check("end", hasty.stop() == 0, "clean")
        behind = Server(
            TERRANED, data + "/behind", "--handshake-timeout", "1", "--proxy-protocol",
            "--trusted-proxies", Proxy.ADDRESS, "--max-connections-per-client", "20",
        )
        proxied(behind, right)
        check("end", behind.stop() == 0, "clean")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
