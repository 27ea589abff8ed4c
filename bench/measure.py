"""Runs a command and says how fast it was; compares two in interleaved pairs."""

import json
import os
import shlex
import statistics
import subprocess
import tempfile
import time


class Failed(Exception):
    """A command did not run, or measured nothing."""


class Sample:
    """One run: I/Os a second, ns of CPU an I/O (None when the command does not tell), seconds, peak memory in KiB."""

    def __init__(self, rate, cpu_ns, seconds, peak_kib, text):
        self.rate, self.cpu_ns, self.seconds, self.peak_kib, self.text = rate, cpu_ns, seconds, peak_kib, text


def numbers_of(text):
    """(I/Os per second, ns of CPU per I/O) from fio's JSON, over all jobs and directions."""
    jobs = json.loads(text[text.index("{"):text.rindex("}") + 1])["jobs"]
    ways = [job[way] for job in jobs for way in ("read", "write", "trim") if way in job]
    rate, ios = sum(way["iops"] for way in ways), sum(way["total_ios"] for way in ways)
    if not ios:
        raise Failed("did no I/O")
    cpu_ms = sum((job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] for job in jobs)
    return rate, cpu_ms * 1e6 / ios


def run(command, folder=None, discard=False):
    """(stdout, seconds, peak KiB, CPU seconds) of a command; Failed unless its status is 0."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        # A file for the output: a pipe would have to be read while the command runs.
        with subprocess.Popen(shlex.split(command), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL if discard else out, stderr=err, cwd=folder) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        out.seek(0)
        text = out.read().decode(errors="replace")
        if child.returncode:
            err.seek(0)
            raise Failed(f"{command}: status {child.returncode}\n{text[-1000:]}{err.read().decode(errors='replace')[-1000:]}")
    return text, seconds, usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def measure(command, folder=None):
    text, seconds, peak, _ = run(command, folder)
    try:
        rate, cpu_ns = numbers_of(text)
    except (ValueError, KeyError) as trouble:
        raise Failed(f"{command}: {trouble}\n{text[-1000:]}") from trouble
    return Sample(rate, cpu_ns, seconds, peak, text)


def pairs(a, b, rounds, folder=None):
    """[(Sample of a, Sample of b)]: A B A B ..., after one pair that warms up and is not counted."""
    measure(a, folder)
    measure(b, folder)
    return [(measure(a, folder), measure(b, folder)) for _ in range(rounds)]


class Spread:
    """Median and quartiles of some numbers."""

    def __init__(self, values):
        v = sorted(values)
        self.n, self.median = len(v), statistics.median(v)
        self.low, self.high = v[(len(v) - 1) // 4], v[len(v) - 1 - (len(v) - 1) // 4]

    def text(self, digits=3):
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}..{self.high:.{digits}f})"
