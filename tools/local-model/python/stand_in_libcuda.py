"""Makes a libcuda.so.1 that knows of no GPU, for kernels that are linked to it and never call it on the CPU."""

import pathlib
import subprocess
import sys

NO_DEVICE = 100

folder = pathlib.Path(sys.prefix) / "stand-in"
folder.mkdir(exist_ok=True)
source = folder / "libcuda.c"
source.write_text(f"int cuPointerGetAttribute(void) {{ return {NO_DEVICE}; }}\n")
library = folder / "libcuda.so.1"
compiler = [sys.executable, "-m", "ziglang", "cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"]
subprocess.run([*compiler, "-o", library, source], check=True)
