"""A small client of a Terrane server: gRPC from Debian, chunks decoded by terrane_format.

Nothing is generated beforehand: protoc makes the messages from the .proto files when the client
starts. Calls that can be repeated are repeated.
"""

import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import grpc

import terrane_format

HERE = pathlib.Path(__file__).resolve().parent
# in the source tree, and in an installed one (share/doc/terrane/examples/python)
PROTO_FOLDERS = (HERE.parents[2] / "proto", HERE.parents[3] / "terrane" / "proto")
SCHEMAS = ("terrane/v1/chunk.proto", "terrane/v1/explore.proto", "terrane/v1/world_service.proto")

ATTEMPTS = 6
FIRST_PAUSE_S = 0.2  # doubles with every attempt
DEADLINE_S = 120
PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED)


class Failed(Exception):
    """A call that did not succeed, or an answer that can't be; says why."""


def make_messages():
    """The modules of world_service.proto and chunk.proto, fresh from protoc."""
    folder = next((f for f in PROTO_FOLDERS if (f / SCHEMAS[0]).exists()), None)
    if folder is None:
        raise Failed(f"{SCHEMAS[0]} is in none of: {', '.join(map(str, PROTO_FOLDERS))}")
    with tempfile.TemporaryDirectory() as made:
        subprocess.run(["protoc", "-I", folder, "--python_out", made, *SCHEMAS], check=True)
        sys.path.insert(0, made)
        try:
            return (importlib.import_module("terrane.v1.world_service_pb2"),
                    importlib.import_module("terrane.v1.chunk_pb2"))
        finally:
            sys.path.remove(made)


class Client:
    """Calls of terrane.v1.WorldService. They block, at most for DEADLINE_S each."""

    def __init__(self, address, tls_ca=None):
        """`tls_ca`: a file of who vouches for the server; None: in the clear. Shows the token in
        the variable TERRANE_TOKEN, if there is one."""
        self.service, self.chunk = make_messages()
        token = os.environ.get("TERRANE_TOKEN")
        self.shown = [("authorization", f"Bearer {token}")] if token else []
        if tls_ca is None:
            self.channel = grpc.insecure_channel(address)
            return
        with open(tls_ca, "rb") as file:
            trusted = grpc.ssl_channel_credentials(file.read())
        self.channel = grpc.secure_channel(address, trusted)

    def _call(self, kind, name, response):
        """One of the service's calls: its path is all that gRPC needs to know."""
        return kind(f"/terrane.v1.WorldService/{name}",
                    request_serializer=lambda message: message.SerializeToString(),
                    response_deserializer=getattr(self.service, response).FromString)

    def world(self, name):
        """A World, and the server's Limits."""
        get_world = self._call(self.channel.unary_unary, "GetWorld", "GetWorldResponse")
        request = self.service.GetWorldRequest(name=name)
        for attempt in range(ATTEMPTS):
            try:
                response = get_world(request, timeout=DEADLINE_S, metadata=self.shown)
                return response.world, response.limits
            except grpc.RpcError as error:
                pause_after(error, attempt)

    def chunks(self, world_name, seed, first, last, lod, layers, limits):
        """Yields ((x, y), decoded chunk) for all chunks from `first` to `last`, both included, in
        the order in which they are ready. `layers` are numbers, as in chunk.proto."""
        missing = [(x, y) for y in range(first[1], last[1] + 1)
                   for x in range(first[0], last[0] + 1)]
        for start in range(0, len(missing), limits.max_chunks_per_request):
            part = missing[start:start + limits.max_chunks_per_request]
            request = self.service.GetChunksRequest(
                world=self.chunk.WorldRef(name=world_name, seed=seed), lod=lod, layers=layers,
                formats=terrane_format.FORMATS)
            yield from self._stream(request, set(part))

    def _stream(self, request, missing):
        """Asks for chunks until none is missing: a stream that breaks goes on where it was."""
        get_chunks = self._call(self.channel.unary_stream, "GetChunks", "GetChunksResponse")
        for attempt in range(ATTEMPTS):
            del request.list.coords[:]
            for x, y in sorted(missing):
                request.list.coords.add(x=x, y=y)
            try:
                for response in get_chunks(request, timeout=DEADLINE_S, metadata=self.shown):
                    for failure in response.failures:
                        raise Failed(f"chunk ({failure.coord.x}, {failure.coord.y}): "
                                     f"{failure.message}")
                    for chunk in response.chunks:
                        place = (chunk.coord.x, chunk.coord.y)
                        if place not in missing:
                            raise Failed(f"chunk {place} came without being asked for")
                        missing.remove(place)
                        yield place, decoded(place, chunk.encoded)
                if missing:
                    raise Failed(f"{len(missing)} chunks did not come")
                return
            except grpc.RpcError as error:
                pause_after(error, attempt)


def decoded(place, encoded):
    try:
        return terrane_format.decode(encoded)
    except terrane_format.Damaged as damage:
        raise Failed(f"chunk {place} is damaged: {damage}") from damage


def pause_after(error, attempt):
    """Waits before the next attempt; raises Failed when there is no use in one."""
    if error.code() not in PASSING or attempt + 1 == ATTEMPTS:
        raise Failed(f"{error.code().name}: {error.details()}") from error
    time.sleep(FIRST_PAUSE_S * 2**attempt)
