#!/usr/bin/env python3
"""usage: openmetrics.py FILE...: check expositions against OpenMetrics 1.0.0, strictly; of several files, taken one
after the other from one process, also that no counter runs backwards."""

import re
import sys

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*\Z")
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*\Z")
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\Z")
SUFFIXES = {"counter": ["_total", "_created"], "gauge": [""], "info": ["_info"],
            "histogram": ["_bucket", "_count", "_sum", "_created"]}


def fail(line, why):
    raise ValueError(f"{why}: {line!r}")


def number(text, line):
    if text not in ("+Inf", "-Inf", "NaN") and not NUMBER.match(text):
        fail(line, "no number")
    return float(text.replace("Inf", "inf"))


def canonical(value):
    """How OpenMetrics wants the limits of buckets to be written."""
    if value == float("inf"):
        return "+Inf"
    text = repr(value)
    return re.sub(r"e([-+])(\d)\Z", r"e\g<1>0\2", text)


def labels_of(text, line):
    """What stands between the braces, and what comes after them."""
    found, at = {}, 1
    while text[at] != "}":
        if found:
            if text[at] != ",":
                fail(line, "no comma between labels")
            at += 1
        eq = text.index('="', at)
        key = text[at:eq]
        if not LABEL.match(key) or key.startswith("__") or key in found:
            fail(line, f"bad label {key}")
        value, at = "", eq + 2
        while text[at] != '"':
            if text[at] == "\\":
                if text[at + 1] not in '\\"n':
                    fail(line, "unknown escape")
                value += {"n": "\n"}.get(text[at + 1], text[at + 1])
                at += 2
            else:
                value += text[at]
                at += 1
        found[key] = value
        at += 1
    return found, text[at + 1:]


def sample_of(line):
    end = re.match(r"[^{ ]*", line).end()
    name, rest = line[:end], line[end:]
    if not NAME.match(name):
        fail(line, "bad name")
    labels, rest = labels_of(rest, line) if rest.startswith("{") else ({}, rest)
    if not re.match(r" \S+\Z", rest):
        fail(line, "not one value after one blank")
    return name, labels, number(rest[1:], line)


class Family:
    def __init__(self, name):
        self.name, self.type, self.unit, self.help, self.samples = name, None, None, None, []

    def metadata(self, word, text, line):
        key = word.lower()
        if self.samples:
            fail(line, "metadata after samples")
        if getattr(self, key) is not None:
            fail(line, f"a second {word}")
        setattr(self, key, text)

    def add(self, name, labels, value, line):
        suffix = name[len(self.name):]
        if self.type == "counter" and not 0 <= value < float("inf"):
            fail(line, "no value of a counter")
        if self.type == "info" and value != 1:
            fail(line, "an info is 1")
        if suffix == "_bucket" and "le" not in labels:
            fail(line, "a bucket without le")
        if suffix != "_bucket" and "le" in labels:
            fail(line, "le is for buckets")
        if suffix == "_bucket" and canonical(float(labels["le"].replace("Inf", "inf"))) != labels["le"]:
            fail(line, "le is not canonical")
        self.samples.append((suffix, labels, value))

    def check(self):
        if self.type is None:
            raise ValueError(f"{self.name}: no TYPE")
        if self.unit and (self.type == "info" or not self.name.endswith("_" + self.unit)):
            raise ValueError(f"{self.name}: does not end with its unit {self.unit}")
        seen = [(s, tuple(sorted(l.items()))) for s, l, _ in self.samples]
        if len(set(seen)) != len(seen):
            raise ValueError(f"{self.name}: one series twice")
        groups, order = {}, []
        for suffix, labels, value in self.samples:
            key = tuple(sorted((k, v) for k, v in labels.items() if k != "le"))
            if key in groups and order[-1] != key:
                raise ValueError(f"{self.name}: series interleaved")
            if key not in groups:
                order.append(key)
            groups.setdefault(key, []).append((suffix, labels, value))
        if self.type == "histogram":
            for group in groups.values():
                self.check_histogram(group)

    def check_histogram(self, group):
        buckets = [(float(l["le"].replace("Inf", "inf")), v) for s, l, v in group if s == "_bucket"]
        count = [v for s, _, v in group if s == "_count"]
        total = [v for s, _, v in group if s == "_sum"]
        if buckets != sorted(buckets) or [v for _, v in buckets] != sorted(v for _, v in buckets):
            raise ValueError(f"{self.name}: buckets are not cumulative")
        if not buckets or buckets[-1][0] != float("inf") or len(count) != 1 or len(total) != 1:
            raise ValueError(f"{self.name}: +Inf, count or sum is missing")
        if count[0] != buckets[-1][1] or total[0] < 0:
            raise ValueError(f"{self.name}: count is not that of +Inf")


def families_of(data):
    text = data.decode("utf-8")
    if not text.endswith("# EOF\n"):
        raise ValueError("does not end with # EOF")
    if "\r" in text:
        raise ValueError("a carriage return")
    families, now = {}, None
    for line in text[:-len("# EOF\n")].split("\n")[:-1]:
        if line.startswith("#"):
            found = re.match(r"# (TYPE|UNIT|HELP) (\S+) (.+)\Z", line)
            if not found:
                fail(line, "no metadata")
            word, name, rest = found.groups()
            if not NAME.match(name):
                fail(line, "bad name")
            if word == "TYPE" and rest not in SUFFIXES:
                fail(line, "unknown type")
            if word == "HELP" and re.search(r'\\[^\\"n]', rest):
                fail(line, "unknown escape")
            if now is None or now.name != name:
                if name in families:
                    fail(line, "a family in two places")
                now = families[name] = Family(name)
            now.metadata(word, rest, line)
            continue
        name, labels, value = sample_of(line)
        if now is None or name not in [now.name + s for s in SUFFIXES.get(now.type, [])]:
            fail(line, "belongs to no family above it")
        now.add(name, labels, value, line)
    return families


def check(data):
    families = families_of(data)
    made = {}
    for f in families.values():
        f.check()
        for suffix in SUFFIXES[f.type]:
            if made.setdefault(f.name + suffix, f.name) != f.name:
                raise ValueError(f"{f.name + suffix} could be of two families")
    return families


def counters(families):
    return {(f.name, s, tuple(sorted(l.items()))): v for f in families.values()
            for s, l, v in f.samples if f.type in ("counter", "histogram")}


def main(paths):
    before = {}
    for path in paths:
        with open(path, "rb") as f:
            families = check(f.read())
        now = counters(families)
        for key, value in before.items():
            if now.get(key, -1) < value:
                raise ValueError(f"{path}: {key} runs backwards")
        before = now
        print(f"{path}: {len(families)} families, {sum(len(f.samples) for f in families.values())} samples")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
