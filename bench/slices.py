"""Two jobs of fathom share a CPU in slices: one runs, the other is stopped, in turn. So moments are compared that lie some ten
milliseconds apart, and the jobs may be anywhere in their work: at the two ends of a pass for instance."""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

from measure import Failed

WINDOW = 0.002  # of the log that tells the speed
EDGE = 0.002    # after a signal this much is not counted: stamps are in ms, and caches fill
AHEAD = 50      # windows that tell the present speed
LIMIT = 100     # seconds until something must have happened


def on_one_cpu(command):
    """Pinned with the rest of the program, on the last CPU we may use: interrupts like the first."""
    return f"taskset -c {max(os.sched_getaffinity(0))} {command}" if shutil.which("taskset") else command


class Slice:
    """Whole windows of one slice: I/Os a second, ns of CPU an I/O, I/Os of the job before and after it."""

    def __init__(self, rate, cpu_ns, begin, end):
        self.rate, self.cpu_ns, self.begin, self.end = rate, cpu_ns, begin, end


class Job:
    """A running fathom with one worker, and how often it was let go from when to when."""

    def __init__(self, command, folder):
        self.folder = tempfile.mkdtemp(dir=folder)
        log = f" --write_iops_log=x --log_avg_msec={WINDOW * 1e3:g} --log_unix_epoch=1 --output=result"
        # pylint: disable-next=consider-using-with
        self.child = subprocess.Popen(shlex.split(on_one_cpu(command) + log), cwd=self.folder, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.turns = []  # (let go, stopped, ns of CPU in between)
        self.cpu = 0

    def log(self):
        """[(end of the window, I/Os in it)]; the last line may still be written."""
        try:
            with open(os.path.join(self.folder, "x_iops.1.log"), encoding="ascii") as f:
                lines = f.read().split("\n")[:-1]
        except FileNotFoundError:
            return []
        return [(int(line.split(",")[0]) / 1e3, int(line.split(",")[1]) * WINDOW) for line in lines]

    def wait(self, over):
        """Until over() is true; it runs meanwhile, and is stopped then."""
        end = time.monotonic() + LIMIT
        while not over():
            if self.child.poll() is not None or time.monotonic() > end:
                raise Failed(f"{shlex.join(self.child.args)}: ended early")
            time.sleep(0.001)
        self.stop()

    def begin(self):
        """Stop soon after the first I/O: what came before it takes a few ms of CPU."""
        self.wait(lambda: self.cpu_used() > 10e6)

    def reach(self, ios):
        """Stop at about so many I/Os. Its log comes late, so it is carried on at the speed of its last windows."""
        def over():
            windows = self.log()
            if len(windows) < AHEAD:
                return False
            late = time.time() - windows[-1][0]
            return sum(n for _, n in windows) + sum(n for _, n in windows[-AHEAD:]) / (AHEAD * WINDOW) * late >= ios
        self.wait(over)

    def cpu_used(self):
        """ns of all its threads; what was seen last when it has ended."""
        used, tasks = 0, f"/proc/{self.child.pid}/task"
        try:
            for task in os.listdir(tasks):
                with open(f"{tasks}/{task}/schedstat", encoding="ascii") as f:
                    used += int(f.read().split()[0])
        except OSError:
            return self.cpu
        return used

    def stop(self):
        self.child.send_signal(signal.SIGSTOP)
        stopped = time.time()
        time.sleep(0.001)
        before, self.cpu = self.cpu, self.cpu_used()
        return stopped, self.cpu - before

    def turn(self, seconds):
        begin = time.time()
        self.child.send_signal(signal.SIGCONT)
        time.sleep(seconds)
        self.turns.append((begin, *self.stop()))

    def finish(self):
        for number in (signal.SIGINT, signal.SIGCONT):
            self.child.send_signal(number)
        self.child.wait(LIMIT)

    def kill(self):
        self.child.kill()
        self.child.wait()
        shutil.rmtree(self.folder)

    def slices(self):
        """One for each turn, None where the log has less than half of its windows."""
        windows, out, turns = self.log(), [], self.turns
        for k, (begin, end, cpu_ns) in enumerate(turns):
            following = turns[k + 1][0] if k + 1 < len(turns) else end + 2 * WINDOW
            done = sum(n for at, n in windows if at <= begin)
            own = sum(n for at, n in windows if begin < at <= following)
            whole = [n for at, n in windows if at - WINDOW >= begin + EDGE and at <= end - EDGE / 2]
            fits = own and len(whole) * WINDOW >= (end - begin) / 2
            out.append(Slice(sum(whole) / len(whole) / WINDOW, cpu_ns / own, done, done + own) if fits else None)
        return out


def alternate(a, b, folder, seconds, rounds, b_from=0):
    """[(Slice of a, Slice of b)] of neighbouring turns; b is let run until it has done b_from I/Os before a starts. The first
    pair warms up and is not counted."""
    jobs = []
    try:
        jobs.append(Job(b, folder))
        if b_from:
            jobs[0].reach(b_from)
        else:
            jobs[0].begin()
        jobs.append(Job(a, folder))
        jobs[1].begin()
        for _ in range(rounds + 1):
            for job in reversed(jobs):
                if job.child.poll() is None:
                    job.turn(seconds)
        for job in jobs:
            job.finish()
        found = zip(jobs[1].slices(), jobs[0].slices())
        return [(x, y) for x, y in list(found)[1:] if x and y]
    finally:
        for job in jobs:
            job.kill()
