"""What the statements run against: a whole Latchkey with the policy of this folder, or the small GoTrue of gotrue.py."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import secrets
import select
import signal
import socket
import struct
import subprocess
import time
import urllib.parse

from gotrue import ADMIN_KEY, REDIRECT, GoTrue

root = pathlib.Path(__file__).resolve().parents[3]
here = pathlib.Path(__file__).resolve().parent


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.text = status, {k.lower(): v for k, v in headers}, body.decode(errors="replace")

    @property
    def json(self):
        return json.loads(self.text)

    def __repr__(self):
        return f"{self.status} {self.text[:300]}"


def send(method, url, body=None, headers=None, timeout=30):
    """One request; follows no redirect. A body is JSON unless it is bytes."""
    parts = urllib.parse.urlsplit(url)
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"Content-Type": "application/json"} if data is not None else {}
    connection = http.client.HTTPConnection(parts.netloc, timeout=timeout)
    try:
        connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), data, {**sent, **(headers or {})})
        response = connection.getresponse()
        return Answer(response.status, response.getheaders(), response.read())
    finally:
        connection.close()


def lose(method, url, body=None, headers=None):
    """Sends a request, waits until its response is there, and closes the connection without reading it."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    data = None if body is None else json.dumps(body).encode()
    sent = {"Content-Type": "application/json"} if data is not None else {}
    connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), data, {**sent, **(headers or {})})
    assert select.select([connection.sock], [], [], 30)[0], "no response within 30 s"
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class World:
    """What both have in common."""

    redirect, admin_key = REDIRECT, ADMIN_KEY
    # Numbers whose first digits differ, because limits count by prefix.
    def phone(self):
        return f"+1555{secrets.randbelow(9000) + 1000}{secrets.randbelow(900) + 100}"

    def email(self):
        return f"{secrets.token_hex(6)}@example.com"

    @property
    def auth(self):
        return self.base + "/auth/v1"

    def messages(self, to):
        raise NotImplementedError

    def newest(self, to, before=0):
        """The newest message to a phone number or an address, once there are more than `before`."""
        end = time.monotonic() + 15
        while len(found := self.messages(to)) <= before:
            assert time.monotonic() < end, f"no message to {to} within 15 s"
            time.sleep(0.1)
        return found[0]

    def code(self, to, before=0):
        message = self.newest(to, before)
        return message.get("code") or re.search(r"\b\d{6}\b", message["text"])[0]

    def link(self, to, before=0):
        message = self.newest(to, before)
        return message.get("link") or re.search(r"https?://\S+", message["text"])[0]


class Simulation(World):
    """The small GoTrue, to see that the statements themselves are right, and that they fail when an answer is wrong."""

    is_real = False

    def __init__(self, spoil=None):
        self.old = GoTrue()
        self.gotrue = GoTrue(spoil, previous=self.old)
        self.base = self.gotrue.base

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def messages(self, to):
        return [m for m in reversed(self.gotrue.messages) if m["to"] == to.lstrip("+")]

    def identity_token(self, subject, nonce):
        return f"good.{subject}.x"

    def sign_in_at_provider(self, location):
        return location


class Deployment(World):
    """A whole Latchkey with an old server beside it."""

    is_real = True

    def __init__(self, binaries, folder):
        self.binaries, self.folder, self.old = binaries, folder / "data", GoTrue()
        (self.folder / "secrets").mkdir(parents=True, mode=0o700)
        self.folder.chmod(0o700)
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        policy, text = folder / "supabase.yaml", (here / "policy.yaml").read_text()
        policy.write_text(text.replace("http://127.0.0.1:9/", self.old.base + "/").replace(":8080", f":{port}"))
        for name, text in {"supabase_keys": f"compat {self.admin_key}\n", "oidc_google": "client-secret\n"}.items():
            secret = self.folder / "secrets" / name
            secret.write_text(text)
            secret.chmod(0o600)
        self.environment = dict(
            os.environ, LATCHKEY_DATA_DIR=str(self.folder), LATCHKEY_PORT=str(port), LATCHKEY_INBOX_PORT="0",
            LATCHKEY_POLICIES_DIR=str(root / "deploy/policies"), LATCHKEY_POLICY=str(policy), LATCHKEY_FAKES="1")

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.binaries / "supervisor", "--stop-with-parent"], env=self.environment, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.startswith("ready "):
                self.base = line.split()[1].rstrip("/")
            if line.startswith("inbox "):
                self.inbox = line.split()[1].rstrip("/")
                self.fakes = f"http://127.0.0.1:{(self.folder / 'run/fakes.port').read_text().strip()}"
                return self
        logs = {p.name: p.read_text()[-400:] for p in (self.folder / "log").glob("*.log")}
        raise AssertionError(f"Latchkey does not start: {logs}")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def messages(self, to):
        return send("GET", f"{self.inbox}/api/messages?to={urllib.parse.quote(to)}").json

    def identity_token(self, subject, nonce):
        query = urllib.parse.urlencode({"provider": "google", "subject": subject, "nonce": nonce})
        return send("GET", f"{self.fakes}/fakes/identity-token?{query}").text

    def sign_in_at_provider(self, location):
        """Opens the page of a provider, presses its button, and returns the URL that the callback leads to."""
        page = send("GET", location)
        request = re.search(r'name="request" value="([0-9a-f]+)"', page.text)[1]
        subject = secrets.token_hex(6)
        answer = send("POST", self.fakes + "/fakes/sign-in", f"request={request}&action=continue&subject={subject}".encode(),
                      {"Content-Type": "application/x-www-form-urlencoded"})
        return send("GET", answer.headers["location"]).headers["location"]

    @contextlib.contextmanager
    def paused(self, name):
        """Stops one of the deployment's processes for a while, so that calls to it hang."""
        process = int((self.folder / f"run/{name}.pid").read_text())
        os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process, signal.SIGCONT)

    def control(self, *arguments):
        done = subprocess.run(
            [root / "deploy/ctl", *arguments], env=dict(os.environ, LATCHKEY_DATA_DIR=str(self.folder)),
            capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
