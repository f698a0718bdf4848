#!/usr/bin/env python3
"""Mixed load for a while on a server whose cache holds a part of the land: crowds walk, single
chunks, points, searches, tiles and bundles are asked for. What the server holds (memory,
descriptors, threads, the cache's file) and how long players wait must not grow.
  soak.py TERRANED TERRANE SECONDS"""
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from terraned import Server

CACHE_MIB = 64  # the crowd's land makes several times as much
ROUND_S = 20
SCALE = float(os.environ.get("TERRANE_TIME_SCALE", "1"))


class Browsing:
    """Tiles and bundles, a few a second, each at another place."""

    def __init__(self, server):
        self.server, self.pages, self.failed, self.stopped = server, 0, 0, False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.stopped:
            place = self.pages
            kind = ("tiles/relief/4/{}/3.png", "bundles/0/{}/1", "points/{},5")[place % 3]
            url = f"http://{self.server.http}/v1/continents/1/" + kind.format(place % 1000)
            try:
                urllib.request.urlopen(url, timeout=30).read()
            except OSError:
                self.failed += 1
            self.pages += 1
            time.sleep(0.1)

    def stop(self):
        self.stopped = True
        self.thread.join()


def anonymous_mb(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024


def crowd(terrane, server):
    command = [terrane, "--server", server.grpc, "bench", "crowd", "--json", "--players", "100"]
    command += ["--seconds", str(ROUND_S), "--speed", "60", "--spread", "6000"]
    command += ["--place-seed", "7"]
    return json.loads(subprocess.run(command, check=True, text=True, capture_output=True).stdout)


def asks(terrane, server, number):
    common = [terrane, "--server", server.grpc, "--world", "continents", "--seed", "1"]
    for command in (
        ["sample", f"{number * 977},{-number * 311}"],
        ["locate", "biome", "forest", "--near", f"{number * 500},0"],
        ["spawn"],
    ):
        subprocess.run(common + command, capture_output=True, timeout=60)


def round_of(terrane, server, number):
    met = crowd(terrane, server)
    asks(terrane, server, number)
    held = {
        "anonymous_mb": round(anonymous_mb(server), 1),
        "descriptors": len(os.listdir(f"/proc/{server.process.pid}/fd")),
        "threads": server.threads(),
        "file_mb": round(os.path.getsize(server.data + "/data.mdb") / 2**20, 1),
        "hits": int(server.metric("terrane_cache_hits_total")),
        "evictions": int(server.metric("terrane_cache_evictions_total")),
        "wait_p99_ms": met["walk_wait_p99_ms"],
        "missed": met["walk_missed_chunks"],
    }
    print(f"soak {number}: {json.dumps(held)}", flush=True)
    return held


def grown(rounds, name, factor, more):
    """Whether it was larger in the last third than at any time in the third before."""
    third = max(1, len(rounds) // 3)
    before = max(held[name] for held in rounds[-2 * third : -third])
    last = sorted(held[name] for held in rounds[-third:])[third // 2]
    return [f"{name} has grown from {before} to {last}"] if last > before * factor + more else []


def main():
    terraned, terrane, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    with tempfile.TemporaryDirectory() as directory:
        flags = ["--cache-size", f"{CACHE_MIB}MiB", "--memory-cache", "32MiB"]
        data = directory + "/cache"
        server = Server(terraned, data, *flags, "--log-level", "warning", descriptors=4096)
        server.data = data
        browsing = Browsing(server)
        ends, rounds, wrong = time.monotonic() + seconds, [], []
        try:
            while time.monotonic() < ends or len(rounds) < 3:
                rounds.append(round_of(terrane, server, len(rounds)))
        finally:
            browsing.stop()
            code = server.stop()
        wrong += grown(rounds, "anonymous_mb", 1.05, 4)
        wrong += grown(rounds, "descriptors", 1, 4)
        wrong += grown(rounds, "threads", 1, 2)
        wrong += grown(rounds, "wait_p99_ms", 1.5 * SCALE, 5 * SCALE)
        if max(held["file_mb"] for held in rounds) > CACHE_MIB:
            wrong.append("the cache's file is larger than it may be")
        if not rounds[-1]["evictions"]:
            wrong.append("the cache never had to make room: the land was too small")
        if browsing.failed or sum(held["missed"] for held in rounds):
            wrong.append(f"{browsing.failed} pages failed, or chunks were missed")
        if code != 0 or server.logged():
            wrong.append(f"exit code {code}, log: {server.logged()[-2000:]}")
        print(f"soak: {len(rounds)} rounds, {browsing.pages} pages")
    for each in wrong:
        print(f"FAILED: {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
