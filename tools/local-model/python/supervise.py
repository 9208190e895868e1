"""Runs a server of several processes for as long as it is wanted, and says when it answers.

python3 supervise.py --model NAME [--port N] [--while-exists FILE] -- PROGRAM ARGUMENT...

`{port}` in an argument becomes the port, a free one by default. Without --while-exists the server runs until stdin
closes, which it does however the parent process ends; with it, until that file is removed. Once the server answers, its
address is printed, and written into that file as JSON. Whatever ends this program ends the server.
"""

import argparse
import ctypes
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

PR_SET_PDEATHSIG = 1

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("--model", required=True, help="the name it is served under")
options.add_argument("--port", type=int, default=0)
options.add_argument("--while-exists", type=pathlib.Path)
options.add_argument("command", nargs="+")
args = options.parse_args()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", args.port))
        return probe.getsockname()[1]


def wait_until_unwanted():
    if args.while_exists is None:
        sys.stdin.buffer.read()
    else:
        while args.while_exists.exists():
            time.sleep(0.2)
    end_group()


def end_group():
    """The server's workers are in our process group, and so are we."""
    os.killpg(0, signal.SIGKILL)


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def answers():
    try:
        return urllib.request.urlopen(f"{url}/health", timeout=10).status == 200
    except (urllib.error.URLError, OSError):
        return False


def tell():
    if args.while_exists is not None:
        about = {"url": url, "pid": os.getpid(), "model": args.model}
        with open(args.while_exists, "r+") as file:
            file.write(json.dumps(about))
    print(url, flush=True)


if os.getpgrp() != os.getpid():
    os.setpgid(0, 0)
port = free_port()
url = f"http://127.0.0.1:{port}"
server = subprocess.Popen(
    [part.replace("{port}", str(port)) for part in args.command],
    stdin=subprocess.DEVNULL,
    stdout=sys.stderr,
    preexec_fn=die_with_parent,
)
threading.Thread(target=wait_until_unwanted, daemon=True).start()
try:
    while server.poll() is None and not answers():
        time.sleep(0.5)
    if server.poll() is None:
        tell()
    server.wait()
finally:
    end_group()
