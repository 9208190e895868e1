"""Makes a virtual environment that holds exactly the given packages, unless it is there already.

python3 install.py FOLDER REQUIREMENT...

A kernel lock beside the folder lets a second caller wait for the first; it frees itself when its
holder dies. The stamp is written last, so an interrupted installation is done again.
"""

import fcntl
import pathlib
import shutil
import subprocess
import sys
import venv

folder, requirements = pathlib.Path(sys.argv[1]), sys.argv[2:]
stamp = folder / "installed.txt"
python = folder / "bin" / "python"
wanted = "\n".join(requirements)


def is_complete():
    return python.exists() and stamp.exists() and stamp.read_text() == wanted


folder.parent.mkdir(parents=True, exist_ok=True)
with open(f"{folder}.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not is_complete():
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run(
            [*pip, "--no-deps", "--only-binary", ":all:", *requirements],
            check=True,
            pass_fds=[lock.fileno()],
        )
        stamp.write_text(wanted)
