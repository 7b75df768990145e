"""The process that holds a local model: llama.cpp's HTTP server, and nothing else.

Started by `eduflow.engine.local` as `python -m eduflow.engine.local_child`. It prints one JSON line with its URL when
the model is loaded, and ends when its standard input ends, which is when its parent ends, however that ends.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import signal
import sys
import threading


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--context", type=int, required=True, help="tokens per slot")
    parser.add_argument("--parallel", type=int, required=True)
    args = parser.parse_args()
    _die_with_parent()

    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = args.model
    params.n_ctx = args.context * args.parallel
    params.n_parallel = args.parallel
    params.cpuparams.n_threads = args.threads
    params.cpuparams_batch.n_threads = args.threads
    params.use_jinja = True
    params.ui = False
    params.port = args.port
    server = xllamacpp.Server(params)
    print(json.dumps({"url": server.listening_address}), flush=True)
    threading.Event().wait()


def _die_with_parent() -> None:
    def watch() -> None:
        while os.read(0, 4096):
            continue
        os._exit(0)

    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C goes to the whole group; the parent decides what ends.
    threading.Thread(target=watch, daemon=True).start()
    if sys.platform == "linux":
        # The watcher needs the GIL, which native code may hold for good; the kernel doesn't.
        parent = os.getppid()
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


if __name__ == "__main__":
    main()
