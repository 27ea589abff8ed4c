"""What the rows read from: made when a row wants it, gone at the end."""

import os
import shutil
import subprocess
import tempfile

SIZE = 256 << 20


class Missing(Exception):
    """This machine does not offer it."""


def write_text(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def random_file(path):
    with open(path, "wb") as f:
        for _ in range(SIZE >> 20):
            f.write(os.urandom(1 << 20))
        f.flush()
        os.fsync(f.fileno())
    return path


class Devices:
    def __init__(self, folder):
        self.folder = tempfile.mkdtemp(prefix="fathom-bench.", dir=folder)
        self.made, self.undo = {}, [lambda: shutil.rmtree(self.folder)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for step in reversed(self.undo):
            step()

    def get(self, name):
        if name not in self.made:
            self.made[name] = getattr(self, name)()
        return self.made[name]

    def memory(self):
        """A folder that no disk slows down."""
        folder = tempfile.mkdtemp(prefix="fathom-bench.", dir="/dev/shm")
        self.undo.append(lambda: shutil.rmtree(folder))
        return folder

    def file(self):
        """A file of random bytes in the page cache."""
        path = random_file(os.path.join(self.folder, "data"))
        with open(path, "rb") as f:
            while f.read(1 << 20):
                pass
        return path

    def zram(self):
        """A zram device that nothing was written to: 2 us a read, all of it in the calling thread."""
        control = "/sys/class/zram-control"
        if os.geteuid() or not os.path.exists(control):
            raise Missing("zram needs root and the zram module")
        with open(f"{control}/hot_add", encoding="ascii") as f:
            number = f.read().strip()
        self.undo.append(lambda: write_text(f"{control}/hot_remove", number))
        write_text(f"/sys/block/zram{number}/disksize", str(SIZE))
        return f"/dev/zram{number}"

    def loop(self):
        """A loop device on a file of tmpfs."""
        if os.geteuid() or not shutil.which("losetup"):
            raise Missing("a loop device needs root and losetup")
        path = random_file(os.path.join(self.get("memory"), "data"))
        done = subprocess.run(["losetup", "-f", "--show", path], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Missing(f"losetup: {done.stderr.strip()}")
        device = done.stdout.strip()
        self.undo.append(lambda: subprocess.run(["losetup", "-d", device], check=False))
        return device
