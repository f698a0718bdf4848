#!/usr/bin/env python3
"""Three servers behind HAProxy as deploy/proxies sets it up, found by DNS, and players who walk
there: what befalls one server, or the proxy, must not be noticed for long.
  replicas.py TERRANED PLAYERS DEPLOY"""
import contextlib
import json
import os
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

from proxies import free_port, make_certificate, wait_for
from terraned import Server

PLAYERS = 40
VIEW_AHEAD = 1.5  # seconds that players walk on with what they have
HOST = "terraned.test"
SCALE = float(os.environ.get("TERRANE_TIME_SCALE", "1"))


class Dns:
    """Says which addresses HOST has (RFC 1035): A records alone."""

    def __init__(self):
        self.addresses = []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            query, sender = self.socket.recvfrom(4096)
            end = query.index(b"\0", 12) + 1
            kind = struct.unpack(">H", query[end : end + 2])[0]
            found = self.addresses if kind == 1 else []
            header = query[:2] + struct.pack(">HHHHH", 0x8580, 1, len(found), 0, 0)
            record = struct.pack(">HHHIH", 0xC00C, 1, 1, 1, 4)
            answers = b"".join(record + socket.inet_aton(address) for address in found)
            self.socket.sendto(header + query[12 : end + 4] + answers, sender)


class Replicas:
    """Servers that share two ports, each at an address of its own."""

    def __init__(self, terraned, directory):
        self.terraned, self.directory = terraned, directory
        self.ports = free_port(), free_port()
        self.servers = {}
        self.dns = Dns()

    def start(self, number):
        address = f"127.0.0.{10 + number}"
        flags = ["--listen", f"{address}:{self.ports[0]}", "--http", f"{address}:{self.ports[1]}"]
        flags += ["--proxy-protocol", "--trusted-proxies", "127.0.0.1", "--log-level", "warning"]
        # so that those who stay are shared out anew while a drill lasts
        flags += ["--connection-age", "20", "--connection-age-grace", "5"]
        data = f"{self.directory}/data{number}"
        self.servers[number] = Server(self.terraned, data, *flags, descriptors=4096)
        if address not in self.dns.addresses:
            self.dns.addresses.append(address)

    def stop_all(self):
        return [server.stop() for server in self.servers.values()]

    def streams(self):
        """How many viewers each has."""
        wanted = 'terrane_open_calls{rpc="Explore"}'
        return {number: int(server.metric(wanted)) for number, server in self.servers.items()}


class Proxy:
    def __init__(self, deploy, directory, replicas):
        self.directory = directory
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.command = ["haproxy", "-W", "-db", "-f", f"{deploy}/proxies/haproxy.cfg"]
        self.environment = os.environ | {
            "TERRANE_BIND": self.address,
            "TERRANE_PEM": f"{directory}/both.pem",
            "TERRANE_SERVER": HOST,
            "TERRANE_DNS": replicas.dns.address,
            "TERRANE_REPLICAS": "8",
            "TERRANE_GRPC_PORT": str(replicas.ports[0]),
            "TERRANE_HTTP_PORT": str(replicas.ports[1]),
        }
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment)
        wait_for(self.port, self.process)

    def certificate(self):
        context = ssl.create_default_context(cafile=f"{self.directory}/chain.pem")
        with contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.port), timeout=10) as plain:
                with context.wrap_socket(plain, server_hostname="127.0.0.1") as shown:
                    return shown.getpeercert(binary_form=True)
        return None

    def renew_certificate(self):
        """Of another key; the first one vouches for it."""
        at = self.directory
        new = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=terrane"
        new += f" -addext subjectAltName=IP:127.0.0.1 -keyout {at}/new.key -out {at}/new.csr"
        sign = f"openssl x509 -req -in {at}/new.csr -CA {at}/chain.pem -CAkey {at}/key.pem"
        sign += f" -CAcreateserial -copy_extensions copy -days 2 -out {at}/new.pem"
        for command in (new, sign):
            subprocess.run(command.split(), check=True, capture_output=True)
        with open(f"{at}/next.pem", "w") as both:
            for part in ("new.pem", "chain.pem", "new.key"):
                with open(f"{at}/{part}") as text:
                    both.write(text.read())
        os.replace(both.name, f"{at}/both.pem")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)


class Walk:
    """Players who walk while something happens."""

    def __init__(self, program, proxy):
        command = [program, proxy.address, str(PLAYERS)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "walking\n":
            raise RuntimeError("the players never got ground underfoot")

    def report(self):
        self.process.send_signal(signal.SIGTERM)
        return json.loads(self.process.communicate(timeout=120)[0])


def until(what, seconds):
    """Whether it comes true in time."""
    ends = time.monotonic() + seconds * SCALE
    while not what():
        if time.monotonic() > ends:
            return False
        time.sleep(0.05)
    return True


def is_ready(server):
    with contextlib.suppress(OSError):
        return server.page("/readyz")[0] == 200
    return False


def killed(replicas, _):
    """kill -9 of one, which comes back."""
    time.sleep(2)
    victim = replicas.servers[2]
    victim.process.kill()
    victim.process.wait()
    time.sleep(6)
    replicas.start(2)
    time.sleep(4)
    return []


def restarted_one_by_one(replicas, _):
    wrong = []
    for number in list(replicas.servers):
        if replicas.servers[number].stop() != 0:
            wrong.append(f"server {number} did not end well")
        replicas.start(number)
        if not until(lambda n=number: is_ready(replicas.servers[n]), 10):
            wrong.append(f"server {number} does not get ready")
        time.sleep(2)  # for the proxy to see it
    return wrong


def one_added(replicas, _):
    replicas.start(4)
    fair = PLAYERS / len(replicas.servers)
    began = time.monotonic()
    if not until(lambda: replicas.streams()[4] >= 0.7 * fair, 60):
        return [f"the new server has not got its share in a minute: {replicas.streams()}"]
    print(f"drill replicas: it had 70 % of its share after {time.monotonic() - began:.1f} s")
    return []


def proxy_restarted(_, proxy):
    time.sleep(1)
    proxy.stop()
    proxy.start()
    time.sleep(5)
    return []


def certificate_changed(_, proxy):
    """A new one three times, which clients that come then must see."""
    wrong = []
    seen = {None, proxy.certificate()}
    for _ in range(3):
        time.sleep(2)
        proxy.renew_certificate()
        proxy.process.send_signal(signal.SIGUSR2)
        if not until(lambda: proxy.certificate() not in seen, 5):
            wrong.append("the proxy shows its old certificate")
        seen.add(proxy.certificate())
    time.sleep(2)
    return wrong


def one_hangs(replicas, _):
    """It says nothing for twenty seconds, and then goes on."""
    time.sleep(1)
    victim = replicas.servers[1].process
    victim.send_signal(signal.SIGSTOP)
    time.sleep(20)
    victim.send_signal(signal.SIGCONT)
    time.sleep(4)
    return []


# what happens, and for how many seconds at most a player's stream may be gone; without ground
# underfoot none may ever be for longer than that but what the view ahead lasts
DRILLS = (
    (killed, 2),
    (restarted_one_by_one, 1.5),
    (one_added, 1.5),
    (proxy_restarted, 2),
    (certificate_changed, 1.5),
    (one_hangs, 5),
)


def drill(what, most_pause, replicas, proxy, players):
    walk = Walk(players, proxy)
    wrong = what(replicas, proxy)
    viewers = replicas.streams()
    met = walk.report()
    print(f"drill replicas {what.__name__}: {json.dumps(met)}; viewers in the end {viewers}")
    if met["longest_pause_s"] > most_pause * SCALE:
        wrong.append(f"a stream was gone for {met['longest_pause_s']} s, {most_pause} allowed")
    if met["longest_blind_s"] > 0.1 + max(0, most_pause * SCALE - VIEW_AHEAD):
        wrong.append(f"a player had no ground for {met['longest_blind_s']} s")
    wrong += [f"{met[name]} {name}" for name in ("twice", "wrong", "failed", "ended") if met[name]]
    if met["failed_calls"] or met["calls"] < 100:
        wrong.append(f"{met['failed_calls']} of {met['calls']} calls failed")
    for each in wrong:
        print(f"FAILED: {what.__name__}: {each}")
    sys.stdout.flush()
    return len(wrong)


def main():
    terraned, players, deploy = sys.argv[1:4]
    only = sys.argv[4:]
    os.environ["PATH"] += ":/usr/sbin"
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        chain, key = make_certificate(directory)
        with open(f"{directory}/both.pem", "w") as both:
            for part in (chain, key):
                with open(part) as text:
                    both.write(text.read())
        os.environ["TERRANE_TLS_CA"] = chain
        replicas = Replicas(terraned, directory)
        proxy = None
        try:
            for number in (1, 2, 3):
                replicas.start(number)
            proxy = Proxy(deploy, directory, replicas)
            for what, most_pause in DRILLS:
                if not only or what.__name__ in only:
                    failures += drill(what, most_pause, replicas, proxy, players)
        finally:
            if proxy is not None:
                proxy.stop()
            codes = replicas.stop_all()
        if any(codes):
            print(f"FAILED: the servers' exit codes are {codes}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
