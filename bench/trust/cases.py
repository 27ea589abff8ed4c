"""The disturbers and the code each has to be named by."""

import contextlib


class Case:
    """`job` is the run without; with the disturber it is `changed` (when given), and `around(machine)` or, for what has to know
    the process, `during(machine, pid)` is a context manager that holds while it runs. `others`: the share of a CPU that may go
    elsewhere; more, and the machine was not ours."""

    def __init__(self, name, code, job, changed=None, around=None, during=None, others=0.05):
        self.name, self.code, self.job, self.changed = name, code, job, changed or job
        self.others = others
        self.around = around or (lambda machine: contextlib.nullcontext())
        self.during = during or (lambda machine, pid: contextlib.nullcontext())


ZRAM = "--filename={zram} --ioengine=psync --direct=1"
FILE = "--filename={file} --size=256m --ioengine=io_uring --direct=1"
FULL = "--filename={full_zram} --size=128m --ioengine=psync --direct=1"
WRITE = "--filename={file} --ioengine=psync --rw=write --bs=64k"


def other(*words):
    """A disturber; CPU and OTHER stand for the worker's CPU and the other one, names of devices for their paths."""
    def around(machine):
        named = {"CPU": lambda: machine.worker_cpu, "OTHER": lambda: machine.other_cpu}
        for name in ("zram", "sparse", "cgroup"):
            named[name.upper()] = lambda name=name: machine.get(name)
        return machine.disturbed(*(named[word]() if word in named else word for word in words))
    return around


CASES = [
    Case("CPU hog on the worker's CPU", "cpu-contention", ZRAM, around=other("spin", "CPU")),
    Case("hog, 1 ms of every 10 ms", "cpu-contention", ZRAM, around=other("duty", "CPU", 1, 10)),
    Case("hog, 10 ms of every 100 ms", "cpu-contention", ZRAM, around=other("duty", "CPU", 10, 100)),
    Case("second reader of the device", "other-io", ZRAM, around=other("read", "OTHER", "ZRAM")),
    Case("reads that the page cache answers", "page-cache", ZRAM,
         changed=ZRAM.replace("direct=1", "direct=0") + " --invalidate=0",
         around=lambda machine: machine.warm(machine.get("zram"))),
    # A file on a real disk takes I/O that must not wait, zram does not.
    Case("io_uring on zram, without it on a file", "iowq-punt", FILE,
         changed=ZRAM.replace("psync", "io_uring"), others=0.2),  # the kernel's threads are not all put down to us
    Case("memory pressure", "memory-pressure", ZRAM, around=other("memory", "OTHER", "SPARSE", "CGROUP"),
         others=0.1),  # the kernel tidies up
    Case("SIGSTOP for 100 ms of every 500 ms", "stopped", ZRAM,
         during=lambda machine, pid: machine.stopping(pid, 100, 500), others=0.3),  # /proc/stat counts on meanwhile
    # What a job does to itself.
    Case("half the CPU for the first half second", "ramp-short", ZRAM,
         during=lambda machine, pid: machine.disturbed("duty", machine.worker_cpu, 10, 10, 0.5, 1000)),
    Case("4 KiB and 256 KiB in one job, without it 4 to 16 KiB", "mixed-sizes", FULL + " --bsrange=4k-16k",
         changed=FULL + " --bssplit=4k/50:256k/50"),
    Case("direct writes that nothing syncs", "write-cache", WRITE + " --size=64m --direct=1 --fdatasync=16",
         changed=WRITE + " --size=64m --direct=1", others=0.2),  # the kernel's part of writing
    # Less than the file in all: at its end what is in the page cache is written out.
    Case("buffered writes that nothing syncs", "write-back", WRITE + " --size=256m --rate=80m --end_fsync=1",
         changed=WRITE + " --size=256m --rate=80m", others=0.2),
]
