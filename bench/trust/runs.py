"""One run of Fathom and what it said of itself."""

import json
import shlex
import subprocess

from machine import Missing


class Failed(Exception):
    """A run did not end well."""


# Told as notes in runs as short as these; a false one would be one all the same.
NOTES = {"write-cache", "mixed-sizes", "ramp-short", "write-back"}


class Run:
    """The job's part of the JSON: `codes` of all findings, `disturbing` those that spoil the verdict, `counted` also NOTES."""

    def __init__(self, job):
        self.job = job
        verdict = job["fathom"]["verdict"]
        self.word = verdict["verdict"]
        self.findings = verdict["findings"]
        self.codes = {f["code"] for f in self.findings}
        self.disturbing = {f["code"] for f in self.findings if f["severity"] != "note"}
        self.counted = self.disturbing | self.codes & NOTES

    def latency(self, percentile=None, undisturbed=False):
        """ns of completion: a percentile, None for the mean; of the undisturbed seconds only. None when there are none."""
        whole, part = self.job["read"]["clat_ns"], self.job["fathom"].get("undisturbed", {}).get("read_clat_ns")
        lat = part if undisturbed else whole
        if not lat or not lat["N"]:
            return None
        return lat["percentile"][f"{percentile:.6f}"] if percentile else lat["mean"]


def command(program, machine, options, seconds):
    text = options if "--isolate" in options else f"--cpus_allowed={machine.worker_cpu} {options}"
    for name in ("zram", "full_zram", "file"):
        if "{" + name + "}" in text:
            text = text.replace("{" + name + "}", machine.get(name))
    return [program, "--output-format=json", "--name=trust", "--rw=randread", "--bs=4k", "--norandommap", "--time_based",
            f"--runtime={seconds}", *shlex.split(text)]


def run(program, machine, options, seconds, during=None):
    words = command(program, machine, options, seconds)
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            if during:
                with during(machine, child.pid):
                    out, err = child.communicate(timeout=seconds + 30)
            else:
                out, err = child.communicate(timeout=seconds + 30)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"{shlex.join(words)}: does not end") from late
        finally:
            child.kill()
    if child.returncode:
        raise Failed(f"{shlex.join(words)}: status {child.returncode}\n{err.decode(errors='replace')[-1000:]}")
    return Run(json.loads(out)["jobs"][0])


__all__ = ["Failed", "Missing", "Run", "command", "run"]
