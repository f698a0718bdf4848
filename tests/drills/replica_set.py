"""Three servers behind HAProxy as deploy/proxies sets it up, found by DNS, and players who walk
there."""
import contextlib
import hashlib
import json
import os
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time

from proxies import free_port, wait_for
from terraned import Server

PLAYERS = 40
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
        self.access_file = f"{directory}/access.json"
        self.allow()
        self.worlds = {number: f"{directory}/worlds{number}" for number in range(1, 6)}
        for number in self.worlds:
            os.mkdir(self.worlds[number])

    def start(self, number):
        # where no drill has clients: the port of a connection just closed is taken for a minute
        address = f"127.0.9.{number}"
        flags = ["--listen", f"{address}:{self.ports[0]}", "--http", f"{address}:{self.ports[1]}"]
        flags += ["--proxy-protocol", "--trusted-proxies", "127.0.0.1", "--log-level", "warning"]
        # so that those who stay are shared out anew while a drill lasts
        flags += ["--connection-age", "20", "--connection-age-grace", "5"]
        flags += ["--access-file", self.access_file, "--allow-anonymous"]
        flags += ["--world-dir", self.worlds[number]]
        data = f"{self.directory}/data{number}"
        self.servers[number] = Server(self.terraned, data, *flags, descriptors=4096)
        if address not in self.dns.addresses:
            self.dns.addresses.append(address)

    def allow(self, *tokens):
        """Tokens whose holders may call, besides those who show none."""
        listed = [
            {"name": f"player-{i}", "sha256": hashlib.sha256(token.encode()).hexdigest()}
            for i, token in enumerate(tokens)
        ]
        with open(self.access_file + ".new", "w") as file:
            json.dump({"tokens": listed}, file)
        os.replace(file.name, self.access_file)

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

    def __init__(self, program, proxy, *more, token=None):
        """more: the world, and servers that have all its land"""
        command = [program, proxy.address, str(PLAYERS), *more]
        environment = os.environ | ({"TERRANE_TOKEN": token} if token else {})
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment
        )
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
