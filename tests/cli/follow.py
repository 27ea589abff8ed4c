#!/usr/bin/env python3
"""Those who follow a run in the tests.

follow.py take unix:PATH|tcp [N]   listen, write `port` (tcp), accept one connection, copy N lines (all) to `lines`, close
follow.py stall unix:PATH|tcp      accept one connection and read nothing until standard input ends
follow.py get URL|unix:PATH [TEXT] send a request (TEXT instead of a GET of the page), print status and type, body to `page`
follow.py idle URL N          N connections that say nothing, then a get
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
    assert int(fields["Content-Length"]) == len(body), (fields, len(body))
    assert fields["Connection"] == "close"
    with open("page", "wb") as f:
        f.write(body)
    print(head.split(b" ")[1].decode(), fields["Content-Type"])


def main(how, where, *more):
    if how == "take":
        take(where, int(more[0]) if more else None)
    elif how == "stall":
        stall(where)
    elif how == "get":
        get(where, *[m.encode().decode("unicode_escape") for m in more])
    elif how == "idle":
        idle = [connect(where) for _ in range(int(more[0]))]
        get(where)
        assert idle
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
