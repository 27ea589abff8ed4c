#!/usr/bin/env python3
"""Those who follow a run in the tests.

follow.py take unix:PATH|tcp [N]   listen, write `port` (tcp), accept one connection, copy N lines (all) to `lines`, close
follow.py stall unix:PATH|tcp      accept one connection and read nothing until standard input ends
follow.py get URL|unix:PATH [TEXT] send a request (TEXT instead of a GET of the page), print status and type, body to `page`
follow.py idle URL N               N connections that say nothing, then a get
follow.py noise URL TEXT           send TEXT and wait until the other side closes, with or without an answer
follow.py crowd URL N              N gets at once, over connections that are all open before the first
follow.py hang URL                 ask, write `connected`, take nothing until the other side closes
"""

import os
import socket
import sys
import urllib.parse


def listen(where):
    if where == "tcp":
        s = socket.create_server(("127.0.0.1", 0))
        with open("port.new", "w", encoding="ascii") as f:
            f.write(str(s.getsockname()[1]))
        os.rename("port.new", "port")
        return s
    s = socket.socket(socket.AF_UNIX)
    s.bind("listening")
    s.listen(1)
    os.rename("listening", where[len("unix:"):])
    return s


def take(where, lines):
    conn = listen(where).accept()[0]
    with conn, conn.makefile("rb") as f, open("lines", "wb") as out:
        for n, line in enumerate(f, 1):
            out.write(line)
            if n == lines:
                break


def stall(where):
    server = listen(where)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    conn = server.accept()[0]
    with conn:
        sys.stdin.read()


def connect(url):
    s = socket.socket(socket.AF_UNIX) if url.startswith("unix:") else None
    if s:
        s.connect(url[len("unix:"):])
    else:
        parts = urllib.parse.urlsplit(url)
        s = socket.create_connection((parts.hostname, parts.port), 10)
    s.settimeout(10)
    return s


def get(url, text=None):
    if text is None:
        text = "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text; version=1.0.0\r\n\r\n"
    with connect(url) as s:
        s.sendall(text.encode("latin-1"))
        data = b""
        while True:
            more = s.recv(65536)
            if not more:
                break
            data += more
    head, _, body = data.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode("ascii").split("\r\n")[1:])
    if not text.startswith("HEAD"):
        assert int(fields["Content-Length"]) == len(body), (fields, len(body))
    else:
        assert int(fields["Content-Length"]) > 0 and not body, fields
    assert fields["Connection"] == "close"
    with open("page", "wb") as f:
        f.write(body)
    print(head.split(b" ")[1].decode(), fields.get("Content-Type", "-"))


def noise(url, text):
    try:
        with connect(url) as s:
            s.sendall(text.encode("latin-1"))
            while s.recv(65536):
                pass
    except OSError as e:
        assert isinstance(e, ConnectionError), e


def main(how, where, *more):
    if how == "take":
        take(where, int(more[0]) if more else None)
    elif how == "stall":
        stall(where)
    elif how == "get":
        get(where, *[m.encode().decode("unicode_escape") for m in more])
    elif how == "noise":
        noise(where, more[0].encode().decode("unicode_escape"))
    elif how == "crowd":
        crowd = [connect(where) for _ in range(int(more[0]))]
        for s in crowd:
            s.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        answers = [s.makefile("rb").read() for s in crowd]
        assert all(a.startswith(b"HTTP/1.1 200 OK\r\n") and a.endswith(b"# EOF\n") for a in answers), [a[:40] for a in answers]
    elif how == "hang":
        with connect(where) as s:
            s.settimeout(30)
            s.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n")
            with open("connected", "w", encoding="ascii"):
                pass
            s.recv(1)
    elif how == "idle":
        idle = [connect(where) for _ in range(int(more[0]))]
        get(where)
        assert idle
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
