"""verifiers' environment server with one worker; prints its address, then its processor time for each line it reads."""

import asyncio
import json
import resource
import sys
import threading

from verifiers.v1.serve import EnvServer
from verifiers.v1.utils.loaders import resolve_env_config


def used() -> float:
    """Microseconds of this process and of the programs that it ran to their end."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1e6 * sum(usage.ru_utime + usage.ru_stime for usage in usages)


def report() -> None:
    for _line in sys.stdin:
        print(json.dumps({"cpu": used()}), flush=True)


config = resolve_env_config(
    {
        "taskset": {"id": "bench_sums"},
        "agent": {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}},
    }
)
server = EnvServer(config, address="tcp://127.0.0.1:0", max_concurrent=int(sys.argv[1]))
print(json.dumps({"address": server.address}), flush=True)
threading.Thread(target=report, daemon=True).start()
asyncio.run(server.run())
