"""The rows of the table (docs/performance.md). A row has a name, a target in words, and a function that measures."""

import os
import shutil

import measure
import slices
from devices import Missing

FIO = shutil.which("fio") or "fio"


class Row:
    def __init__(self, name, target, measured):
        self.name, self.target, self.measured = name, target, measured


class Outcome:
    """What goes into the table: texts, and whether the target was met (None: nothing to compare with)."""

    def __init__(self, rate, cpu, detail, met):
        self.rate, self.cpu, self.detail, self.met = rate, cpu, detail, met


class Bench:
    """Commands and settings shared by the rows."""

    def __init__(self, build, devices, seconds, rounds, say):
        self.fathom, self.floors = os.path.join(build, "src", "fathom"), os.path.join(build, "bench")
        self.devices, self.seconds, self.rounds, self.say = devices, seconds, rounds, say

    def job(self, tool, target=None, **options):
        """A command line that both fathom and fio understand, reporting JSON."""
        given = {"name": "bench", "rw": "randread", "bs": "4k", "time_based": "1", "runtime": f"{self.seconds:g}s", "thread": "1"}
        if target:
            given.update(filename=self.devices.get(target), size="256m", invalidate="0")
        given.update(options)
        words = [f"--{key}={value}" for key, value in given.items() if value is not None]
        return " ".join([self.fathom if tool == "fathom" else FIO, "--output-format=json", *words])

    def floor(self, name, target, *args):
        path = os.path.join(self.floors, f"floor-{name}")
        if not os.access(path, os.X_OK):
            raise Missing(f"floor-{name} was not built")
        return " ".join([path, "-t", f"{self.seconds:g}", *args, self.devices.get(target) if target else "none"])

    def best(self, commands):
        """The fastest of some commands, by three rounds through all of them."""
        rates = {command: [] for command in commands}
        for _ in range(3):
            for command in commands:
                rates[command].append(measure.measure(command).rate)
        return max(commands, key=lambda command: sorted(rates[command])[1])

    def pair(self, a, b, least, by_cpu=True):
        found = measure.pairs(a, b, self.rounds)
        self.say(f"  A: {a}\n  B: {b}")
        rate = measure.Spread(x.rate / y.rate for x, y in found)
        cpu = measure.Spread(y.cpu_ns / x.cpu_ns for x, y in found)
        detail = (f"{measure.Spread(x.cpu_ns for x, _ in found).median:.1f} / "
                  f"{measure.Spread(y.cpu_ns for _, y in found).median:.1f} ns of CPU an I/O")
        return Outcome(rate.text(), cpu.text(), detail, None if least is None else max(rate.median, cpu.median if by_cpu else 0) >= least)


DEEP = {"iodepth": 32, "iodepth_batch": 16, "iodepth_batch_complete_min": 16}
TUNED = {"iodepth": 32, "iodepth_batch": 16, "iodepth_batch_complete_min": 1, "iodepth_batch_complete_max": 16,
         "registerfiles": 1, "fixedbufs": 1}
TUNED_AIO = {"iodepth": 32, "iodepth_batch": 16, "iodepth_batch_complete_min": 1, "iodepth_batch_complete_max": 16}


def need_fio():
    if not os.access(FIO, os.X_OK):
        raise Missing("fio is not installed")


def sync_row(engine, target, flag, least, **options):
    def measured(b):
        flags = (flag,) if flag else ()
        cached = ("-c",) if target == "file" else ()
        direct = {} if target == "file" else {"direct": 1}
        return b.pair(b.job("fathom", target, ioengine=engine, **direct, **options),
                      b.floor("sync", target, *cached, *flags), least)
    return measured


def sync_fio(engine, target, **options):
    def measured(b):
        need_fio()
        direct = {} if target == "file" else {"direct": 1}
        return b.pair(b.job("fathom", target, ioengine=engine, **direct, **options),
                      b.job("fio", target, ioengine=engine, **direct, **options), 1)
    return measured


def uring_cached(depth, least):
    def measured(b):
        mine = b.job("fathom", "file", ioengine="io_uring", iodepth=depth)
        batches = [n for n in (1, 4, 8, 16, 32) if n <= depth]
        floor = b.best([b.floor("io_uring", "file", "-c", "-m", "-d", str(depth), "-B", str(n)) for n in batches])
        return b.pair(mine, floor, least)
    return measured


def deep_floor(engine, target):
    def measured(b):
        mine = b.job("fathom", target, ioengine=engine, iodepth=32, direct=1)
        batches = [["-B", str(n)] for n in (1, 8, 16, 32)] + [["-m", "-B", str(n)] for n in (1, 4)]
        floor = b.best([b.floor(engine, target, "-d", "32", *batch) for batch in batches])
        return b.pair(mine, floor, 0.98, by_cpu=False)
    return measured


def deep_fio(engine, target):
    def measured(b):
        need_fio()
        tuned = TUNED if engine == "io_uring" else TUNED_AIO
        mine = b.job("fathom", target, ioengine=engine, iodepth=32, direct=1)
        fio = b.best([b.job("fio", target, ioengine=engine, direct=1, iodepth=32),
                      b.job("fio", target, ioengine=engine, direct=1, **tuned)])
        return b.pair(mine, fio, 1, by_cpu=False)
    return measured


NULL = {"ioengine": "null", "size": "200g"}


def null_fio(b, **options):
    need_fio()
    return b.pair(b.job("fathom", **NULL, **options), b.job("fio", **NULL, **options), 8)


def null_cost(b):
    """ns per I/O, with the two clock reads of this machine brought to 32 ns."""
    found = measure.pairs(b.job("fathom", **NULL), b.floor("null", None, "-n"), b.rounds)
    own = measure.Spread(x.cpu_ns for x, _ in found)
    clock = measure.Spread(y.cpu_ns for _, y in found)
    cost = measure.Spread(x.cpu_ns - y.cpu_ns + 32 for x, y in found)
    return Outcome("", cost.text(1) + " ns", f"{own.median:.1f} ns here, of which two clock reads {clock.median:.1f}", cost.median <= 60)


def null_floor(b):
    """At most 1.15 of the time of two clock reads, a permuted block and two histogram adds."""
    return b.pair(b.job("fathom", **NULL), b.floor("null", None), 1 / 1.15)


BLOCK = 4096
GIB = 1 << 30


def sliced(pairs):
    """Outcome of slices of one CPU, the first of each pair by the second."""
    rate, cpu = measure.Spread(x.rate / y.rate for x, y in pairs), measure.Spread(y.cpu_ns / x.cpu_ns for x, y in pairs)
    detail = " / ".join(f"{measure.Spread(1e9 / z.rate for z in side).median:.1f}" for side in zip(*pairs))
    return Outcome(rate.text(), cpu.text(), f"{detail} ns an I/O, {rate.n} pairs of slices", rate.median >= 0.98)


def coverage(gib):
    """Twelve times two new processes, thirty slices of 30 ms each: where a process lies in memory is chance as well."""
    def measured(b):
        own = dict(NULL, size=f"{gib}g", runtime="600s")
        a, c = b.job("fathom", **own), b.job("fathom", **own, norandommap=1)
        b.say(f"  A: {a}\n  B: {c}")
        return sliced([pair for _ in range(12) for pair in slices.alternate(a, c, b.devices.get("memory"), 0.03, 30)])
    return measured


def whole_pass(gib):
    """Speed of the last 5 % of one pass against its first 5 %, by two processes that are there at the same time."""
    def measured(b):
        blocks, seconds = gib * GIB // BLOCK, 0.02 if gib < 500 else 0.04
        command = b.job("fathom", ioengine="null", size=f"{gib}g", runtime=None, time_based=None)
        rounds = max(1, int(0.05 * blocks * 42e-9 / seconds) - 1)
        b.say(f"  {command}")
        found = []
        for _ in range(24):
            for first, last in slices.alternate(command, command, b.devices.get("memory"), seconds, rounds, 0.952 * blocks):
                if first.end <= 0.05 * blocks and last.begin >= 0.95 * blocks and last.end < blocks:
                    found.append((last, first))
            if len(found) >= 40:
                break
        if len(found) < 20:
            raise measure.Failed("too few slices at the ends of a pass")
        return sliced(found)
    return measured


def memory_each(b):
    """Peak memory of 65 workers less that of one, by 64, without buffer (4 KiB) and histogram (19 KiB)."""
    def peak(jobs):
        return measure.measure(b.job("fathom", ioengine="null", size="1600g", numjobs=jobs, runtime="200ms")).peak_kib
    each = measure.Spread((peak(65) - peak(1)) / 64 - 4 - 19 for _ in range(3))
    return Outcome(each.text(0) + " KiB", "", "", each.median <= 1024)


def two_workers(b):
    def command(jobs):
        return b.job("fathom", **NULL, numjobs=jobs, cpus_allowed="0,1", cpus_allowed_policy="split")
    found = measure.pairs(command(2), command(1), b.rounds)
    rate = measure.Spread(x.rate / y.rate for x, y in found)
    cpu = measure.Spread(2 * y.cpu_ns / x.cpu_ns for x, y in found)
    b.say(f"  A: {command(2)}")
    return Outcome(rate.text(), cpu.text(), "cpu: twice the ratio of CPU time per I/O", max(rate.median, cpu.median) >= 1.95)


def logs(store):
    """Every I/O with its latencies and offset in logs, against none. The logs go to memory (a disk takes
    less than what is written here) and are emptied between runs by the next run."""
    def measured(b):
        extra = {"write_lat_log": os.path.join(b.devices.get("memory"), "log"), "log_offset": 1, "log_format": store}
        found = measure.pairs(b.job("fathom", **NULL, iodepth=2, **extra), b.job("fathom", **NULL, iodepth=2), b.rounds)
        rate = measure.Spread(x.rate / y.rate for x, y in found)
        cpu = measure.Spread(y.cpu_ns / x.cpu_ns for x, y in found)
        peak = max(x.peak_kib for x, _ in found) / 1024
        b.say("  A: " + b.job("fathom", **NULL, iodepth=2, **extra))
        return Outcome(rate.text(), cpu.text(), f"{measure.Spread(x.rate / 1e6 for x, _ in found).median:.1f} M I/Os a second with logs, "
                       f"peak memory {peak:.0f} MiB", max(rate.median, cpu.median) >= 0.8 and peak <= 64)
    return measured


ENTRIES = 10000000


def read_log(words):
    """Entries a second that `fathom log` makes of a binary log, by wall and by CPU time."""
    def measured(b):
        path = os.path.join(b.devices.folder, "big_io.1.binlog")
        if not os.path.exists(path):
            measure.run(b.job("fathom", ioengine="null", size="200g", runtime=None, time_based=None, number_ios=ENTRIES, iodepth=2,
                              write_lat_log=os.path.join(b.devices.folder, "big"), log_offset=1, log_format="binary"))
        command = " ".join([b.fathom, "log", *words, path])
        found = [measure.run(command, discard=True) for _ in range(b.rounds)]
        b.say(f"  {command}")
        wall, cpu = measure.Spread(ENTRIES / x[1] / 1e6 for x in found), measure.Spread(ENTRIES / x[3] / 1e6 for x in found)
        return Outcome(wall.text(1) + " M/s", cpu.text(1) + " M/s", f"peak memory {max(x[2] for x in found) / 1024:.0f} MiB",
                       max(wall.median, cpu.median) >= 20)
    return measured


def many_workers(b):
    command = b.job("fathom", ioengine="null", size="200g", numjobs=1024, runtime="2s", group_reporting=1)
    found = [measure.measure(command) for _ in range(3)]
    b.say(f"  {command}")
    beyond, peak = measure.Spread(x.seconds - 2 for x in found), max(x.peak_kib for x in found) / 1024
    return Outcome(beyond.text(2) + " s", f"{peak:.0f} MiB", "", beyond.median <= 3 and peak <= 300)


def fresh_data(bs):
    def measured(b):
        command = b.job("fathom", ioengine="null", size="200g", rw="write", bs=bs, refill_buffers=1)
        found = [measure.measure(command) for _ in range(b.rounds)]
        b.say(f"  {command}")
        size = 4096 if bs == "4k" else 1 << 20
        speed, wall = (measure.Spread(size / ns for ns in times) for times in ([x.cpu_ns for x in found], [1e9 / x.rate for x in found]))
        return Outcome(wall.text(2) + " GB/s", speed.text(2) + " GB/s", "cpu: bytes by CPU time", max(speed.median, wall.median) >= 10)
    return measured


def default_data(b):
    """What the default change of the write data costs, against leaving it alone."""
    own = {"ioengine": "null", "size": "200g", "rw": "randwrite"}
    return b.pair(b.job("fathom", **own), b.job("fathom", **own, scramble_buffers=0), None)


def quick(words, most_ms):
    def measured(b):
        command = f"{b.fathom} {words}"
        if "1000" in words:
            path = os.path.join(b.devices.folder, "1000.fio")
            with open(path, "w", encoding="ascii") as f:
                f.write("[global]\nioengine=null\nsize=1g\nbs=4k\n")
                for i in range(1000):
                    f.write(f"[job{i}]\nrw=randread\niodepth={i % 64 + 1}\n")
            command = f"{b.fathom} --parse-only {path}"
        found = measure.Spread(measure.run(command)[1] * 1e3 for _ in range(3 * b.rounds))
        return Outcome(found.text(1) + " ms", "", "", found.median <= most_ms)
    return measured


def short_run(b):
    command = f"{b.fathom} --name=one --ioengine=null --size=4k --bs=4k"
    found = measure.Spread(measure.run(command)[1] * 1e3 for _ in range(3 * b.rounds))
    return Outcome(found.text(1) + " ms", "", "one I/O from start to report", None)


ROWS = [
    Row("psync zram / floor", ">= 0.96", sync_row("psync", "zram", None, 0.96)),
    Row("psync cached / floor", ">= 0.96", sync_row("psync", "file", None, 0.96)),
    Row("pvsync2 hipri zram / floor", ">= 0.96", sync_row("pvsync2", "zram", "-p", 0.96, hipri=1)),
    Row("pvsync2 cached / floor", ">= 0.96", sync_row("pvsync2", "file", "-v", 0.96)),
    Row("psync zram / fio", "> 1", sync_fio("psync", "zram")),
    Row("psync cached / fio", "> 1", sync_fio("psync", "file")),
    Row("io_uring cached depth 1 / floor", ">= 0.93", uring_cached(1, 0.93)),
    Row("io_uring cached depth 32 / floor", ">= 0.95", uring_cached(32, 0.95)),
    Row("libaio loop depth 32 / floor", ">= 0.98", deep_floor("libaio", "loop")),
    Row("libaio file direct depth 32 / floor", ">= 0.98", deep_floor("libaio", "file")),
    Row("io_uring loop depth 32 / floor", ">= 0.98", deep_floor("io_uring", "loop")),
    Row("io_uring file direct depth 32 / floor", ">= 0.98", deep_floor("io_uring", "file")),
    Row("libaio loop depth 32 / fio tuned", ">= 1", deep_fio("libaio", "loop")),
    Row("io_uring loop depth 32 / fio tuned", ">= 1", deep_fio("io_uring", "loop")),
    Row("libaio file direct depth 32 / fio tuned", ">= 1", deep_fio("libaio", "file")),
    Row("io_uring file direct depth 32 / fio tuned", ">= 1", deep_fio("io_uring", "file")),
    Row("null depth 1 / fio", ">= 8", null_fio),
    Row("null depth 1 cost", "<= 60 ns with clock reads of 32 ns", null_cost),
    Row("null depth 1 / floor with two histograms", ">= 0.87", null_floor),
    Row("null depth 32 batch 16 / fio", ">= 8", lambda b: null_fio(b, **DEEP)),
    Row("null coverage / norandommap, 200 GB", ">= 0.98", coverage(200)),
    Row("null coverage / norandommap, 1.6 TB", ">= 0.98", coverage(1600)),
    Row("null pass 200 GB, last / first 5 %", ">= 0.98", whole_pass(200)),
    Row("null pass 1.6 TB, last / first 5 %", ">= 0.98", whole_pass(1600)),
    Row("memory per worker at 1.6 TB", "<= 1 MiB", memory_each),
    Row("two workers / one", ">= 1.95", two_workers),
    Row("logs binary: lat, slat, clat, offset / none", ">= 0.80, <= 64 MiB", logs("binary")),
    Row("logs text: lat, slat, clat, offset / none", ">= 0.80, <= 64 MiB", logs("text")),
    Row("binary log to percentiles", ">= 20 M entries/s", read_log([])),
    Row("binary log to text", ">= 20 M entries/s", read_log(["--text=lat"])),
    Row("1,024 workers, 2 s", "<= 3 s beyond, <= 300 MiB", many_workers),
    Row("refill_buffers 4k", ">= 10 GB/s", fresh_data("4k")),
    Row("refill_buffers 1m", ">= 10 GB/s", fresh_data("1m")),
    Row("default write data / scramble_buffers=0", "", default_data),
    Row("start: version", "<= 10 ms", quick("--version", 10)),
    Row("start: parse 1000 sections", "<= 100 ms", quick("--parse-only 1000", 100)),
    Row("start: one null I/O", "", short_run),
]
