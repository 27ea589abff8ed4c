#!/usr/bin/env python3
"""Runs the suites of a table (see scripts/suites) in a few lanes, counts every test, prints what failed.

usage: runner.py TABLE [--only NAME,...] [--list]
"""

import json
import os
import re
import subprocess
import sys
import threading
import time

SKIP = 77
LANES = int(os.environ.get("FATHOM_CHECK_LANES", "2"))
LIMIT_S = int(os.environ.get("FATHOM_CHECK_LIMIT", "1200"))  # one suite; the whole is far below
SHOWN = 80  # lines of a failure


class Count:
    """What a suite's tests came to: numbers, and words for what failed or was skipped."""

    def __init__(self):
        self.passed = 0
        self.failures = []  # (name, text)
        self.skips = []  # (name, reason)

    def failed(self, name, text=""):
        self.failures.append((name, text))

    def skipped(self, name, reason=""):
        self.skips.append((name, reason or "no reason given"))

    def total(self):
        return self.passed + len(self.failures) + len(self.skips)


TAP_LINE = re.compile(r"^(not )?ok\b\s*(\d+)?\s*(?:-\s*)?([^#]*)(?:#\s*(skip|todo)\S*\s*(.*))?$", re.IGNORECASE)


def count_tap(text, count, prefix):
    """Counts the lines of TAP; a plan that was not kept or a bail-out is a failure. False when there is no TAP."""
    planned, seen, name, about = None, 0, None, []

    def close():
        if name is not None:
            count.failed(name, "\n".join(about))

    for line in text.splitlines():
        plan = re.match(r"^1\.\.(\d+)(?:\s*#\s*skip\S*\s*(.*))?", line, re.IGNORECASE)
        found = TAP_LINE.match(line)
        if plan:
            planned = int(plan.group(1))
            if planned == 0 and plan.group(2) is not None:
                count.skipped(prefix + "all", plan.group(2))
        elif line.startswith("Bail out!"):
            count.failed(prefix + "bail out", line)
        elif found:
            close()
            name, about = None, []
            seen += 1
            bad, number, title, directive, reason = found.groups()
            title = prefix + (title.strip() or f"test {number}")
            if directive and directive.lower() == "skip":
                count.skipped(title, reason.strip())
            elif bad and not directive:
                name = title
            else:
                count.passed += 1
        elif name is not None:
            about.append(line)
    close()
    if planned is None and seen == 0:
        return False
    if planned is None or planned != seen:
        count.failed(prefix + "plan", f"{planned} tests were planned, {seen} reported")
    return True


CMOCKA_LINE = re.compile(r"^\[ +(RUN|OK|SKIPPED) +\] (\S.*)$")


def count_cmocka(out, err, count, prefix):
    """Counts cmocka's cases. False when the output is not cmocka's.

    Failures are on standard error and the rest is not, so what started and neither passed nor was skipped has failed.
    """
    seen = {"RUN": [], "OK": [], "SKIPPED": []}
    for found in filter(None, map(CMOCKA_LINE.match, out.splitlines())):
        seen[found.group(1)].append(found.group(2))
    for name in seen["RUN"]:
        if name in seen["OK"]:
            seen["OK"].remove(name)
            count.passed += 1
        elif name in seen["SKIPPED"]:
            seen["SKIPPED"].remove(name)
            count.skipped(prefix + name, reason_of(out, name))
        else:
            count.failed(prefix + name, (out + err)[-4000:])
    return bool(seen["RUN"])


def reason_of(out, name):
    """The line a test printed just before it skipped itself."""
    lines = out.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("[ RUN") and line.endswith(" " + name) and at + 1 < len(lines):
            return "" if lines[at + 1].startswith("[") else lines[at + 1].strip()
    return ""


def count_meson(path, count):
    """Counts the tests of a meson log and the cases inside each. False when there is no log: no test, or meson failed."""
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8", errors="replace") as log:
        for row in map(json.loads, log):
            name, result = row["name"].split(" / ")[-1], row["result"]
            out, err = row.get("stdout") or "", row.get("stderr") or ""
            before = len(count.failures)
            counted = count_cmocka(out, err, count, name + ": ") or count_tap(out, count, name + ": ")
            good = result in ("OK", "EXPECTEDFAIL")
            if result == "SKIP" and not counted:
                count.skipped(name, out.strip().splitlines()[-1] if out.strip() else "")
            elif not counted and good:
                count.passed += 1
            elif not good and result != "SKIP" and len(count.failures) == before:
                count.failed(name, f"{result}, status {row.get('returncode')}\n" + (out + err)[-4000:])
    return True


class Suite:
    def __init__(self, row):
        self.name, self.group, self.format, needs, self.command = (cell.strip() for cell in row.split("|", 4))
        self.needs = [n for n in re.split(r"[ ,]+", needs) if n]
        self.state = "waiting"  # running, done
        self.count = Count()
        self.seconds = 0.0

    def good(self):
        return self.state == "done" and not self.count.failures

    def run(self, jobs):
        start = time.monotonic()
        try:
            done = subprocess.run(["bash", "-c", self.command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=LIMIT_S, env=dict(os.environ, jobs=str(jobs)))
            status, text = done.returncode, done.stdout.decode("utf-8", "replace")
        except subprocess.TimeoutExpired as late:
            status, text = -1, (late.stdout or b"").decode("utf-8", "replace") + f"\ngave up after {LIMIT_S} s"
        self.seconds = time.monotonic() - start
        self.read(status, text)

    def read(self, status, text):
        count, last = self.count, (text.strip().splitlines() or [""])[-1]
        if status == SKIP:
            count.skipped(self.name, last)
            return
        if self.format == "exit":
            if status == 0:
                count.passed += 1
            else:
                count.failed(self.name, text)
            return
        log = f"{self.format.split(':')[1]}/meson-logs/{self.name}.json"
        counted = count_meson(log, count) or "No tests defined" in text or "No suitable tests" in text
        if not counted or (status != 0 and not count.failures):
            count.failed(self.name, f"status {status}\n{text[-4000:]}")


def read_table(path, only):
    with open(path, encoding="utf-8") as table:
        suites = [Suite(row) for row in table if row.strip() and not row.startswith("#")]
    if not only:
        return suites
    by_name = {s.name: s for s in suites}
    keep = {s.name for s in suites if s.name in only or s.group in only}
    if not keep:
        sys.exit(f"runner: no suite or group is named {', '.join(only)}")
    todo = list(keep)
    while todo:
        for need in by_name[todo.pop()].needs:
            if need not in keep:
                keep.add(need)
                todo.append(need)
    return [s for s in suites if s.name in keep]


class Runner:
    def __init__(self, suites):
        self.suites = suites
        self.by_name = {s.name: s for s in suites}
        self.turn = threading.Condition()
        self.jobs = max(1, (os.cpu_count() or 1) // LANES)

    def next(self):
        """The first suite whose needs are over, None when all are taken. Call with self.turn held."""
        while True:
            waiting = [s for s in self.suites if s.state == "waiting"]
            if not waiting:
                return None
            for s in waiting:
                if all(self.by_name[n].state == "done" for n in s.needs):
                    s.state = "running"
                    return s
            self.turn.wait()

    def lane(self):
        while True:
            with self.turn:
                suite = self.next()
            if suite is None:
                return
            # A need that was skipped (no clang, say) skips what follows; one that failed fails it.
            broken = [n for n in suite.needs if self.by_name[n].count.failures]
            absent = [n for n in suite.needs if self.by_name[n].format == "exit" and self.by_name[n].count.skips]
            if broken:
                suite.count.failed(suite.name, f"not run: {broken[0]} failed")
            elif absent:
                suite.count.skipped(suite.name, f"{absent[0]}: {self.by_name[absent[0]].count.skips[0][1]}")
            else:
                suite.run(self.jobs)
            with self.turn:
                suite.state = "done"
                self.say(suite)
                self.turn.notify_all()

    def say(self, suite):
        c = suite.count
        what = f"{c.passed} passed, {len(c.failures)} failed, {len(c.skips)} skipped" if c.total() else "none yet"
        print(f"{suite.name:<12} {what:<40} {suite.seconds:6.1f} s", flush=True)

    def run(self):
        lanes = [threading.Thread(target=self.lane) for _ in range(LANES)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()


def report(suites):
    skips = {}
    for s in suites:
        for name, reason in s.count.skips:
            skips.setdefault(reason, []).append(f"{s.name}: {name}")
    if skips:
        print("\nSkipped:")
    for reason, names in skips.items():
        print(f"  {reason}: {', '.join(names[:6])}{' ...' if len(names) > 6 else ''}")
    for s in suites:
        for name, text in s.count.failures:
            lines = text.rstrip().splitlines()
            if len(lines) > SHOWN:
                lines = lines[:SHOWN // 2] + [f"... {len(lines) - SHOWN} lines more ..."] + lines[-SHOWN // 2:]
            print(f"\n--- FAILED {s.name}: {name}", *lines, sep="\n")
    print(summary(suites), flush=True)


def summary(suites):
    passed = sum(s.count.passed for s in suites)
    failed = sum(len(s.count.failures) for s in suites)
    skipped = sum(len(s.count.skips) for s in suites)
    return f"\n{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


def main(argv):
    if not argv or argv[0].startswith("-"):
        sys.exit(__doc__.strip())
    only, listing, rest = [], False, argv[1:]
    while rest:
        arg = rest.pop(0)
        if arg == "--only" and rest:
            only += rest.pop(0).split(",")
        elif arg == "--list":
            listing = True
        else:
            sys.exit(__doc__.strip())
    suites = read_table(argv[0], only)
    if listing:
        for s in suites:
            print(f"{s.name:<12} {s.group:<8} {s.command}")
        return 0
    start = time.monotonic()
    Runner(suites).run()
    print(f"\n{time.monotonic() - start:.0f} s in {LANES} lanes")
    report(suites)
    return 1 if any(s.count.failures for s in suites) or not sum(s.count.passed for s in suites) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
