"""A data hub on loopback: the routes that huggingface_hub asks for a data set's files, and what was asked."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit


class FakeHub:
    """Serves one data set at several revisions: `FakeHub("me/set", {"main": {"data/a.parquet": b"..."}})`."""

    def __init__(self, repository: str, revisions: Mapping[str, Mapping[str, bytes]]) -> None:
        self.repository = repository
        self.revisions = revisions
        self.asked: list[str] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                hub.asked.append(f"{self.command} {self.path}")
                status, headers, body = hub.answer(unquote(urlsplit(self.path).path))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def commit(self, revision: str) -> str:
        """The commit that a revision names: its own hash, or that of its name."""
        return revision if len(revision) == 40 else hashlib.sha1(revision.encode()).hexdigest()

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for a path."""
        by_commit = {self.commit(name): name for name in self.revisions}
        api = f"/api/datasets/{self.repository}"
        files = f"/datasets/{self.repository}/resolve/"
        if path.startswith(api):
            kind, _, rest = path.removeprefix(api).lstrip("/").partition("/")
            name = by_commit.get(rest.partition("/")[0], rest.partition("/")[0]) if rest else "main"
            if name not in self.revisions:
                return self._missing("RevisionNotFound")
            content = self.revisions[name]
            if kind == "tree":
                rows = [
                    {"type": "file", "path": file, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
                    for file, data in content.items()
                ]
                return 200, {"Content-Type": "application/json"}, json.dumps(rows).encode()
            info = {
                "id": self.repository,
                "sha": self.commit(name),
                "private": False,
                "tags": [],
                "siblings": [{"rfilename": file} for file in content],
            }
            return 200, {"Content-Type": "application/json"}, json.dumps(info).encode()
        if path.startswith(files):
            revision, _, file = path.removeprefix(files).partition("/")
            name = by_commit.get(revision, revision)
            data = self.revisions.get(name, {}).get(file)
            if data is None:
                return self._missing("EntryNotFound")
            tag = hashlib.sha256(data).hexdigest()
            return 200, {"ETag": f'"{tag}"', "X-Repo-Commit": self.commit(name)}, data
        return self._missing("RepoNotFound")

    @staticmethod
    def _missing(code: str) -> tuple[int, dict[str, str], bytes]:
        return 404, {"X-Error-Code": code, "Content-Type": "application/json"}, b'{"error": "not here"}'
