#!/usr/bin/env python3
"""The SDK through HAProxy and nginx as deploy/proxies sets them up, over TLS; and what no client
sends, through them: the server stays healthy, and honest clients are served as before.
  proxies.py TERRANED TERRANE DEPLOY"""
import contextlib
import hashlib
import http.client
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import hostile
from http2 import RST_STREAM, call_headers, frame, headers_frames
from terraned import Server, world_hash

MEMORY_LIMIT_MB = 512


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def make_certificate(directory):
    """For 127.0.0.1; vouches for itself."""
    chain, key = f"{directory}/chain.pem", f"{directory}/key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    command += " -subj /CN=terrane -addext subjectAltName=IP:127.0.0.1"
    done = [*command.split(), "-keyout", key, "-out", chain]
    subprocess.run(done, check=True, capture_output=True)
    return chain, key


def wait_for(port, process):
    for _ in range(200):
        if process.poll() is not None:
            raise RuntimeError("the proxy ended: it has said why")
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    raise RuntimeError("the proxy does not listen")


def start_haproxy(deploy, directory, chain, key, server, pages):
    port = free_port()
    with open(f"{directory}/both.pem", "w") as both:
        for part in (chain, key):
            with open(part) as text:
                both.write(text.read())
    where = {"TERRANE_BIND": f"127.0.0.1:{port}", "TERRANE_PEM": both.name}
    where |= {"TERRANE_SERVER": "127.0.0.1", "TERRANE_GRPC_PORT": server.split(":")[1]}
    where |= {"TERRANE_HTTP_PORT": pages.split(":")[1]}
    command = ["haproxy", "-db", "-f", f"{deploy}/proxies/haproxy.cfg"]
    process = subprocess.Popen(command, env=os.environ | where)
    wait_for(port, process)
    return process, f"127.0.0.1:{port}"


def start_nginx(deploy, directory, chain, key, server, pages):
    port = free_port()
    with open(f"{deploy}/proxies/nginx.conf") as text:
        lines = [line for line in text.read().splitlines() if not line.startswith("#")]
    configuration = "\n".join(lines)
    for name, value in (
        ("TERRANE_BIND", f"127.0.0.1:{port}"),
        ("TERRANE_CHAIN", chain),
        ("TERRANE_KEY", key),
        ("TERRANE_SERVER", server),
        ("TERRANE_HTTP", pages),
        ("TERRANE_CACHE", f"{directory}/kept"),
        ("worker_processes auto", "worker_processes 1"),
        ("worker_connections 20000", "worker_connections 900"),
    ):
        configuration = configuration.replace(name, value)
    user = "user root;" if os.geteuid() == 0 else ""  # who may write into the test's directory
    with open(f"{directory}/nginx.conf", "w") as made:
        made.write(f"daemon off; {user} pid {directory}/nginx.pid;\n{configuration}")
    command = ["nginx", "-p", directory, "-c", made.name, "-e", "stderr"]
    process = subprocess.Popen(command)
    wait_for(port, process)
    return process, f"127.0.0.1:{port}"


class Through:
    """A server as clients meet it behind a proxy."""

    def __init__(self, server, address):
        self.grpc, self.http, self.server = address, server.http, server

    def memory_mb(self):
        return self.server.memory_mb()


def flood_of_resets(through):
    """CVE-2023-44487: streams opened and reset at once, for five seconds."""
    reset = frame(RST_STREAM, 0, 0, b"\0\0\0\x08")
    sent = 0
    ends = time.monotonic() + 5
    while time.monotonic() < ends:
        with contextlib.suppress(OSError), hostile.connect(through.grpc) as connection:
            connection.sendall(hostile.opened(b""))
            for first in range(1, 20_000, 200):
                call = b""
                for stream in range(first, first + 200, 2):
                    call += headers_frames(stream, call_headers(hostile.CHUNKS))
                    call += reset[:5] + stream.to_bytes(4, "big") + reset[9:]
                connection.sendall(call)
                sent += 100
    return f"{sent} streams"


def fly(terrane, address):
    """An explorer's flight. @return its report, empty where it failed"""
    command = [terrane, "--server", address, "--timeout", "20", "bench", "fly", "--seconds", "4"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=90)
    return done.stdout if done.returncode == 0 and " outran" in done.stdout else ""


def make_access_file(directory, token):
    """Of one token; whoever shows none is let in, too, and shows a wrong one is not."""
    digest = hashlib.sha256(token.encode()).hexdigest()
    entry = {"name": "the game", "sha256": digest, "roles": ["read", "admin"]}
    with open(f"{directory}/access.json", "w") as made:
        json.dump({"tokens": [entry]}, made)
    return ["--access-file", made.name, "--allow-anonymous"]


def with_token(terrane, through, token):
    """What a client gets that shows one."""
    os.environ["TERRANE_TOKEN"] = token
    try:
        return world_hash(terrane, through)
    finally:
        del os.environ["TERRANE_TOKEN"]


def comes_back(terrane, through, expected):
    """Whether a client gets what it should, within a minute: it is at the attacker's own address,
    which the server may keep out for some seconds."""
    until = time.monotonic() + 60
    while world_hash(terrane, through) != expected:
        if time.monotonic() > until:
            return False
    return True


def administers(terrane, address, token):
    """Whether an administrator is let in, by the token, and whether anybody is without."""
    tell = [terrane, "--server", address, "--timeout", "20", "stats", "--json"]
    said = [
        subprocess.run(tell, env=dict(os.environ, TERRANE_TOKEN=shown), capture_output=True)
        for shown in (token, "")
    ]
    return [done.returncode == 0 for done in said]


def pages_through(address, chain, paths):
    """What a browser gets of the worlds by HTTP, over one connection: status, fields and body."""
    context = ssl.create_default_context(cafile=chain)
    connection = http.client.HTTPSConnection(address, timeout=30, context=context)
    pages = []
    for path in paths:
        connection.request("GET", path)
        answer = connection.getresponse()
        pages.append((answer.status, answer.headers, answer.read()))
    connection.close()
    return pages


def browse(address, chain, server, keeps):
    """@param keeps  whether the proxy keeps what may be kept
    @return what was wrong"""
    wrong = []
    named = [f"/v1/classic/7/{below}" for below in ("chunks/0/3/-4", "bundles/0/0/0")]
    named += [f"/v1/classic/7/tiles/relief/4/{x}/0.png" for x in range(4)]
    asked = 'terrane_http_requests_total{code="200"}'
    paths = [page[1].get("Location", "") for page in pages_through(address, chain, named)]
    first = pages_through(address, chain, paths)
    before = server.metric(asked)
    second = pages_through(address, chain, paths)
    reached = server.metric(asked) - before - 1  # one is for the metric
    if [page[0] for page in first] != [200] * len(paths):
        wrong.append(f"pages: {[(page[0], page[2][:200]) for page in first]}")
    if [page[2] for page in first] != [page[2] for page in second]:
        wrong.append("other pages the second time")
    # HAProxy asks for the server's health besides
    if reached > 0 if keeps else reached < len(paths):
        wrong.append(f"{reached} of {len(paths)} pages reached the server the second time")
    hidden = pages_through(address, chain, ["/metrics", "/healthz", "/readyz"])
    if [page[0] for page in hidden] != [404] * 3:
        wrong.append(f"what is for operators comes through: {[page[0] for page in hidden]}")
    json_path = "/v1/classic/7/mercator/terrarium.json"
    tiles = json.loads(pages_through(address, chain, [json_path])[0][2])["tiles"][0]
    if not tiles.startswith(f"https://{address}/v1/"):
        wrong.append(f"TileJSON leads elsewhere: {tiles}")
    viewer = pages_through(address, chain, ["/"])[0]
    for name in re.findall(rb'"([A-Za-z0-9_-]+\\.(?:js|css))"', viewer[2]):
        if pages_through(address, chain, ["/" + name.decode()])[0][0] != 200:
            wrong.append(f"of the viewer {name} is missing")
    if (viewer[0], b"<title>Terrane" in viewer[2]) != (200, True):
        wrong.append(f"no viewer: {viewer[0]} {viewer[2][:200]}")
    opened = [open_web_socket(address, chain, page) for page in (f"https://{address}", "https://x")]
    if opened != [101, 403]:
        wrong.append(f"WebSockets of its own pages and of others: {opened}")
    return wrong


def open_web_socket(address, chain, origin):
    """@return the status of a request for Explore over WebSocket by a page of that origin"""
    context = ssl.create_default_context(cafile=chain)
    connection = http.client.HTTPSConnection(address, timeout=30, context=context)
    fields = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    fields |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": origin}
    connection.request("GET", "/v1/explore", headers=fields)
    status = connection.getresponse().status
    connection.close()
    return status


def drill(name, start, flags, terraned, terrane, deploy, expected):
    with tempfile.TemporaryDirectory() as directory:
        chain, key = make_certificate(directory)
        os.environ["TERRANE_TLS_CA"] = chain
        flags = [*flags, *make_access_file(directory, "terrane_right")]
        server = Server(terraned, directory + "/cache", "--log-level", "error", *flags)
        try:
            proxy, address = start(deploy, directory, chain, key, server.grpc, server.http)
        except Exception:
            server.stop()
            raise
        through = Through(server, address)
        context = ssl.create_default_context(cafile=chain)
        context.set_alpn_protocols(["h2"])
        hostile.protect = lambda plain: context.wrap_socket(plain, server_hostname="127.0.0.1")
        failures = []
        try:
            if world_hash(terrane, through) != expected:
                failures.append("other chunks than without a proxy")
            if with_token(terrane, through, "a_token") != "":
                failures.append("a wrong token is as good as none")
            if with_token(terrane, through, "terrane_right") != expected:
                failures.append("a token does not come through")
            if administers(terrane, address, "terrane_right") != [False, False]:
                failures.append("administration comes through the proxy")
            if not fly(terrane, address):
                failures.append("no flight")
            failures += browse(address, chain, server, keeps=name == "nginx")
            for attack in (
                hostile.malformed_headers,
                hostile.malformed_frames,
                flood_of_resets,
                hostile.continuation_flood,
            ):
                said = attack(through)
                right = comes_back(terrane, through, expected)
                print(
                    f"drill {name} {attack.__name__}: {said}; {server.memory_mb():.0f} MB; "
                    f"{'same chunks' if right else 'WRONG CHUNKS'}",
                    flush=True,
                )
                if not right or not server.alive() or server.memory_mb() > MEMORY_LIMIT_MB:
                    failures.append(attack.__name__)
            if not fly(terrane, address):
                failures.append("no flight afterwards")
        finally:
            hostile.protect = None
            proxy.terminate()
            proxy.wait(timeout=20)
            code = server.stop()
            del os.environ["TERRANE_TLS_CA"]
        if code != 0:
            failures.append(f"the server's exit code is {code}")
        for failure in failures:
            print(f"FAILED: {name}: {failure}\n{server.logged()[-2000:]}")
        return len(failures)


def main():
    terraned, terrane, deploy = sys.argv[1:4]
    os.environ["PATH"] += ":/usr/sbin"
    with tempfile.TemporaryDirectory() as data:
        alone = Server(terraned, data + "/cache", "--log-level", "error")
        expected = world_hash(terrane, alone)
        alone.stop()
    trusted = ["--trusted-proxies", "127.0.0.1"]
    told = ["--proxy-protocol", *trusted]
    failures = drill("haproxy", start_haproxy, told, terraned, terrane, deploy, expected)
    failures += drill("nginx", start_nginx, trusted, terraned, terrane, deploy, expected)
    return 1 if failures or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
