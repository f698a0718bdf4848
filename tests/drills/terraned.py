"""A real terraned for drills in Python, with few descriptors."""
import os
import resource
import signal
import subprocess
import urllib.error
import urllib.request


class Server:
    """Runs until stop(); its soft and hard limit of descriptors are the usual soft one."""

    def __init__(self, program, data, *flags, descriptors=1024):
        self.program = program
        command = [program, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"]
        command += ["--data", data, *flags]
        limit = (descriptors, descriptors)
        self.log = open(data + ".log", "w+")
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit),
        )
        ready = self.process.stdout.readline()
        words = ready.replace(",", " ").split()
        if "grpc" not in words:
            raise RuntimeError(f"terraned did not start: {self.logged()}")
        self.grpc = words[words.index("grpc") + 1]
        self.http = words[words.index("http") + 1]

    def memory_mb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def health(self):
        """The exit code of its own health check."""
        command = [self.program, "--check-health", "--listen", self.grpc]
        return subprocess.run(command, stderr=subprocess.DEVNULL, timeout=30).returncode

    def processor_s(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def lowest_free_descriptor(self):
        used = {int(name) for name in os.listdir(f"/proc/{self.process.pid}/fd")}
        return next(number for number in range(len(used) + 1) if number not in used)

    def limit_descriptors(self, soft):
        hard = resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE)[1]
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (soft, hard))

    def page(self, path):
        """Status and text of a page of the HTTP port."""
        try:
            with urllib.request.urlopen(f"http://{self.http}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def metric(self, name):
        lines = self.page("/metrics")[1].splitlines()
        return next(float(line.split()[-1]) for line in lines if line.startswith(name + " "))

    def logged(self):
        self.log.flush()
        with open(self.log.name) as log:
            return log.read()

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        """@return its exit code"""
        if self.alive():
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


def world_hash(terrane, server, world="classic", reach=8):
    """What a game client gets of a world; empty if it is not served."""
    command = [terrane, "--server", server.grpc, "--world", world, "--timeout", "20"]
    command += ["hash", "--from", f"-{reach},-{reach}", "--to", f"{reach - 1},{reach - 1}"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=60)
    return done.stdout if done.returncode == 0 else ""
