"""What the runs of this harness use: zram devices, files, a memory cgroup, disturbers. Gone at the end."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from devices import Devices, Missing, write_text  # noqa: E402, pylint: disable=wrong-import-position

STOLEN = 0.01  # of a CPU
AGAIN = 30
CGROUP = "/sys/fs/cgroup"


class NotQuiet(Exception):
    """Something else kept using the CPUs."""


def has_memory(parent):
    """Version 2 with the memory controller, or version 1's folder of it; where version 1 is used, the place of version 2 is a
    plain folder."""
    try:
        with open(f"{parent}/cgroup.controllers", encoding="ascii") as f:
            return "memory" in f.read().split()
    except OSError:
        return os.path.exists(f"{parent}/memory.limit_in_bytes")


def procs_back(folder, parent):
    """A cgroup can be removed when nobody is in it; what is killed takes a moment to leave."""
    for _ in range(50):
        try:
            with open(f"{folder}/cgroup.procs", encoding="ascii") as f:
                for pid in f.read().split():
                    with contextlib.suppress(OSError):
                        write_text(f"{parent}/cgroup.procs", pid)
            os.rmdir(folder)
            return
        except OSError:
            time.sleep(0.1)
    print(f"trust: {folder} could not be removed", file=sys.stderr)


class Machine(Devices):
    def __init__(self, folder):
        super().__init__(folder)
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            raise Missing("the worker and its disturbers need two CPUs")
        self.worker_cpu, self.other_cpu = cpus[-1], cpus[0]
        self.running = []  # disturbers

    def full_zram(self):
        """A zram device with data that shrinks to a half, in its first 128 MiB: reading 256 KiB takes some 100 us."""
        path = self.zram()  # another one than get("zram")
        half = bytearray(4096)
        with open(path, "r+b", buffering=0) as f:
            for _ in range(128 << 20 >> 20):
                block = bytearray()
                for _ in range(256):
                    half[:2048] = os.urandom(2048)
                    block += half
                f.write(block)
            os.fsync(f.fileno())
        return path

    def sparse(self):
        """A file of holes: reading it fills the page cache and touches no device."""
        path = os.path.join(self.folder, "holes")
        with open(path, "wb") as f:
            f.truncate(256 << 20)
        return path

    def cgroup(self):
        """A cgroup in which 16 MiB are the most: whoever reads more gives back pages all the time. Nobody else is hurt."""
        for parent, knob in ((CGROUP, "memory.high"), (f"{CGROUP}/memory", "memory.limit_in_bytes")):
            folder = f"{parent}/fathom-trust.{os.getpid()}"
            if not has_memory(parent):
                continue
            with contextlib.suppress(OSError):
                os.mkdir(folder)
                self.undo.append(lambda folder=folder, parent=parent: procs_back(folder, parent))
                write_text(f"{folder}/{knob}", str(16 << 20))
                return folder
        raise Missing("no memory cgroup can be made here")

    def warm(self, path):
        """All of a file into the page cache."""
        with open(path, "rb") as f:
            while f.read(1 << 20):
                pass
        return contextlib.nullcontext()

    def others(self):
        """Seconds of CPU time so far of everything that is neither one of our runs nor one of our disturbers, and what the
        hypervisor took."""
        with open("/proc/stat", encoding="ascii") as f:
            fields = [int(word) for word in f.readline().split()[1:]]
        ticks, stolen = sum(fields[:3]), fields[7]
        for pid in [c.pid for c in self.running]:
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                ticks -= sum(map(int, f.read().rpartition(")")[2].split()[11:13]))
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        second = os.sysconf("SC_CLK_TCK")
        return ticks / second - ended.ru_utime - ended.ru_stime, stolen / second

    def alone(self, run, seconds, say, limit=0.05):
        """What `run` returns, from a time when others used no more than `limit` of a CPU; a run that was not alone is done again."""
        for _ in range(AGAIN):
            before = self.others()
            result = run()
            used, stolen = (b - a for a, b in zip(before, self.others()))
            if used <= limit * seconds and stolen <= STOLEN * seconds:
                return result
            say(f"  not alone: others used {used:.2f} s of CPU time, the hypervisor kept {stolen:.2f} s; again")
        raise NotQuiet("the machine is not quiet")

    @contextlib.contextmanager
    def disturbed(self, *words):
        """While the block runs, so does a disturber; the words are those of `disturb`."""
        with subprocess.Popen([sys.executable, f"{HERE}/disturb", *map(str, words)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE) as child:
            try:
                if child.stdout.readline() != b"ready\n":
                    raise Missing(f"the disturber did not start: {' '.join(map(str, words))}")
                self.running.append(child)
                yield
            finally:
                child.kill()
                child.wait()
                self.running = [c for c in self.running if c is not child]

    @contextlib.contextmanager
    def stopping(self, pid, on_ms, period_ms):
        """A process that is stopped now and then; it goes on at the end whatever happens."""
        try:
            with self.disturbed("stop", pid, on_ms, period_ms):
                yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
