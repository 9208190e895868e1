"""Makes a virtual environment that holds exactly the given packages, unless it is there already.

python3 install.py FOLDER [--needs-of PACKAGE [--but PATTERN] [--and REQUIREMENT]...]
    [--then SCRIPT] REQUIREMENT...

The packages come without their dependencies. --needs-of adds what one of them names as its own, except those whose
name begins as --but says. --then, a file beside this one, runs in the new environment. A kernel lock beside the folder lets a second caller wait for the first; it frees itself when its
holder dies. The stamp is written last, so an interrupted installation is done again.
"""

import argparse
import fcntl
import json
import pathlib
import shutil
import subprocess
import sys
import venv

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("folder", type=pathlib.Path)
options.add_argument("requirements", nargs="+")
options.add_argument("--needs-of")
options.add_argument("--but", default="$")
options.add_argument("--then")
options.add_argument("--and", action="append", default=[], dest="more")
args = options.parse_args()

stamp = args.folder / "installed.txt"
python = args.folder / "bin" / "python"
wanted = "\n".join(sys.argv[2:])

LIST_NEEDS = """
import importlib.metadata, json, re, sys
package, pattern = sys.argv[1:]
needs = importlib.metadata.requires(package)
print(json.dumps([need for need in needs if "extra ==" not in need and not re.match(pattern, need)]))
"""


def is_complete():
    return python.exists() and stamp.exists() and stamp.read_text() == wanted


def pip(*arguments):
    command = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run(
        [*command, "--only-binary", ":all:", *arguments],
        check=True,
        pass_fds=[lock.fileno()],
    )


def uv(*arguments):
    """Gigabytes of wheels are unpacked several times faster than by pip."""
    command = [args.folder / "bin" / "uv", "pip", "install", "--quiet", "--python", python]
    subprocess.run([*command, "--no-build", *arguments], check=True, pass_fds=[lock.fileno()])


def install():
    if args.needs_of is None:
        pip("--no-deps", *args.requirements)
        return
    pip("uv==0.13.9")
    uv("--no-deps", *args.requirements)
    listed = subprocess.run(
        [python, "-c", LIST_NEEDS, args.needs_of, args.but], check=True, stdout=subprocess.PIPE
    )
    uv(*json.loads(listed.stdout), *args.more)


args.folder.parent.mkdir(parents=True, exist_ok=True)
with open(f"{args.folder}.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not is_complete():
        shutil.rmtree(args.folder, ignore_errors=True)
        venv.create(args.folder, with_pip=True)
        install()
        if args.then is not None:
            then = pathlib.Path(__file__).with_name(args.then)
            subprocess.run([python, then], check=True, pass_fds=[lock.fileno()])
        stamp.write_text(wanted)
