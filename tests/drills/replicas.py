#!/usr/bin/env python3
"""Three servers behind HAProxy and players who walk there (replica_set.py): what befalls one
server, or the proxy, must not be noticed for long.
  replicas.py TERRANED PLAYERS DEPLOY [DRILL...]"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from proxies import make_certificate
from replica_set import PLAYERS, SCALE, Proxy, Replicas, Walk, is_ready, until
from terraned import Server

VIEW_AHEAD = 1.5  # seconds that players walk on with what they have


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


def world_file(replicas, stretch):
    """A world of the name "drill". Another stretch stands for what an upgrade to other versions of
    the generator's stages changes: the fingerprint, and the land."""
    command = [replicas.terraned, "--print-world", "classic"]
    world = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    world["name"] = "drill"
    world["classic"]["stretch"] = stretch
    return json.dumps(world)


def put_world(directory, text):
    with open(f"{directory}/drill.new", "w") as file:
        file.write(text)
    os.replace(file.name, f"{directory}/drill.json")


def offers(server, name):
    return f'"{name}"' in server.page("/v1/worlds")[1]


def plain_server(replicas, name, text):
    """One that has a world alone, for comparison."""
    os.mkdir(f"{replicas.directory}/{name}")
    put_world(f"{replicas.directory}/{name}", text)
    flags = ["--world-dir", f"{replicas.directory}/{name}", "--log-level", "warning"]
    return Server(replicas.terraned, f"{replicas.directory}/data-{name}", *flags)


def upgraded_one_by_one(replicas, proxy, players):
    """Each server in turn is stopped and comes back with other land under the same name."""
    before, after = world_file(replicas, 1.58), world_file(replicas, 1.6)
    alone = [plain_server(replicas, "before", before), plain_server(replicas, "after", after)]
    wrong = []
    for number, server in replicas.servers.items():
        put_world(replicas.worlds[number], before)
        if not until(lambda s=server: offers(s, "drill"), 10):
            wrong.append(f"server {number} does not offer the world")
    walk = Walk(players, proxy, "drill", *(server.grpc for server in alone))
    for number in list(replicas.servers):
        if replicas.servers[number].stop() != 0:
            wrong.append(f"server {number} did not end well")
        put_world(replicas.worlds[number], after)
        replicas.start(number)
        if not until(lambda n=number: is_ready(replicas.servers[n]), 10):
            wrong.append(f"server {number} does not get ready")
        if not replicas.servers[number].metric("terrane_cache_stale_entries"):
            wrong.append(f"server {number} does not know its old chunks from its new ones")
        time.sleep(2)  # for the proxy to see it
    time.sleep(2)
    met = walk.report()
    print(f"drill replicas upgraded_one_by_one: {json.dumps(met)}")
    if met["new_worlds"] < PLAYERS:
        wrong.append(f"only {met['new_worlds']} of {PLAYERS} players came to the new land")
    if sum(server.stop() for server in alone) != 0:
        wrong.append("the servers alone did not end well")
    return wrong + faults_of(met, 1.5)


def token_revoked(replicas, proxy, players):
    """Those with a token that is withdrawn are sent away with a reason, and nobody else is."""
    tokens = [f"terrane_{i:064x}" for i in (1, 2)]
    replicas.allow(*tokens)
    time.sleep(2)  # files are looked at once a second
    stays, goes = (Walk(players, proxy, token=token) for token in tokens)
    time.sleep(2)
    began = time.monotonic()
    replicas.allow(tokens[0])
    wrong = []
    if not until(lambda: sum(replicas.streams().values()) <= PLAYERS, 10):
        wrong.append(f"streams of the token that was revoked go on: {replicas.streams()}")
    print(f"drill replicas: they were gone after {time.monotonic() - began:.1f} s")
    time.sleep(2)
    gone, met = goes.report(), stays.report()
    print(f"drill replicas token_revoked: {json.dumps(gone)}; others {json.dumps(met)}")
    if gone["ended"] != PLAYERS or not gone["failed_calls"]:
        wrong.append(f"of those whose token was revoked {gone['ended']} of {PLAYERS} ended")
    return wrong + faults_of(met, 1.5)


def faults_of(met, most_pause):
    """@param most_pause  seconds that a player's stream may be gone"""
    wrong = []
    if met["longest_pause_s"] > most_pause * SCALE:
        wrong.append(f"a stream was gone for {met['longest_pause_s']} s, {most_pause} allowed")
    if met["longest_blind_s"] > 0.1 + max(0, most_pause * SCALE - VIEW_AHEAD):
        wrong.append(f"a player had no ground for {met['longest_blind_s']} s")
    bad = ("twice", "wrong", "failed", "ended", "mixed")
    wrong += [f"{met[name]} {name}" for name in bad if met[name]]
    if met["failed_calls"] or met["calls"] < 100:
        wrong.append(f"{met['failed_calls']} of {met['calls']} calls failed")
    return wrong


def drill(what, most_pause, replicas, proxy, players):
    walk = Walk(players, proxy)
    wrong = what(replicas, proxy)
    viewers = replicas.streams()
    met = walk.report()
    print(f"drill replicas {what.__name__}: {json.dumps(met)}; viewers in the end {viewers}")
    return wrong + faults_of(met, most_pause)


def tell(what, wrong):
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
                    failures += tell(what, drill(what, most_pause, replicas, proxy, players))
            for what in (token_revoked, upgraded_one_by_one):
                if not only or what.__name__ in only:
                    failures += tell(what, what(replicas, proxy, players))
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
