"""Signs in, refreshes and uploads with an expired token, by real HTTP clients and through real proxies.

drive.py HTTP HTTPS CA INBOX EXPIRED [--clients NAME,NAME] [--proxies NAME,NAME] [--runs N] [--refused N] [--slow N]

Prints `ok NAME: words` or `not so NAME: words` for each client, and for each client through each proxy. With --refused it
only makes N uploads of 3 to 30 MB with each client over http and https, of which 99 in 100 must see their 401 or 413, and
with --slow N more at 1 MB/s, which all must.
"""
import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
JAVA = "/usr/share/java"
MEGABYTES = 8
REFUSED_MEGABYTES = (3, 30)
SLOW_BYTES_PER_SECOND = 1 << 20
# Clients that run at once: those in full use the machine, slow ones wait.
REFUSED_LANES, SLOW_LANES = 2, 14


def port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Clients:
    """The clients as commands that send one request: METHOD URL TOKEN TYPE FILE."""

    def __init__(self, names, authority, folder):
        self.environment = dict(os.environ, CA=authority, NODE_EXTRA_CA_CERTS=authority, NODE_PATH="/usr/share/nodejs")
        self.commands = {}
        for name in names:
            self.commands[name] = getattr(self, name)(folder, authority)

    def curl(self, folder, authority):
        return [HERE / "request.sh"]

    def python(self, folder, authority):
        return [sys.executable, HERE / "request.py"]

    def fetch(self, folder, authority):
        return ["node", HERE / "fetch.mjs"]

    def axios(self, folder, authority):
        return ["node", HERE / "axios.cjs"]

    def go(self, folder, authority):
        cache = {"GOCACHE": str(folder / "go"), "GO111MODULE": "off", "GOPATH": str(folder / "gopath")}
        subprocess.run(
            ["go", "build", "-o", folder / "request-go", HERE / "request.go"], check=True, env=dict(os.environ, **cache))
        return [folder / "request-go"]

    def jdk(self, folder, authority):
        return self.java("JDK", folder, authority)

    def okhttp(self, folder, authority):
        return self.java("OkHttp", folder, authority)

    def java(self, name, folder, authority):
        store = folder / "trusted.p12"
        if not store.exists():
            subprocess.run(
                ["keytool", "-importcert", "-noprompt", "-alias", "ca", "-file", authority, "-keystore", store,
                 "-storetype", "PKCS12", "-storepass", "changeit"], check=True, capture_output=True)
        path = f"{folder}:{JAVA}/okhttp.jar:{JAVA}/okio.jar"
        subprocess.run(["javac", "-d", folder, "-cp", path, HERE / f"{name}.java"], check=True, capture_output=True)
        return ["java", "-XX:TieredStopAtLevel=1", f"-Djavax.net.ssl.trustStore={store}",
                "-Djavax.net.ssl.trustStorePassword=changeit", "-cp", path, name]

    def send(self, name, method, url, token="", kind="", file=""):
        """The status and the body; 0 and the client's own words if it has read no response."""
        command = [str(word) for word in self.commands[name]] + [method, url, token, kind, str(file)]
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return 0, "no end within 120 s"
        if done.returncode != 0:
            return 0, done.stderr.strip()[-300:]
        status, _, body = done.stdout.partition("\n")
        return int(status), body


def proxies(names, upstream, folder):
    """Starts proxies; returns their URLs and processes."""
    started = {}
    target = upstream.removeprefix("http://")
    for name in names:
        front = port()
        if name.startswith("nginx"):
            version = "" if name == "nginx" else 'proxy_http_version 1.1; proxy_set_header Connection "";'
            file = folder / f"{name}.conf"
            file.write_text(
                f"daemon off; pid {folder}/{name}.pid; error_log stderr; events {{}}\n"
                f"http {{ access_log off; client_body_temp_path {folder}/{name}-body; proxy_temp_path {folder}/{name}-p;\n"
                f"fastcgi_temp_path {folder}/{name}-f; uwsgi_temp_path {folder}/{name}-u; scgi_temp_path {folder}/{name}-s;\n"
                f"server {{ listen 127.0.0.1:{front}; client_max_body_size 0; location / {{\n"
                f"proxy_pass http://{target}; {version} proxy_set_header Host $host;\n"
                f"proxy_set_header X-Forwarded-For $remote_addr; proxy_request_buffering off; }} }} }}\n")
            command = ["/usr/sbin/nginx", "-p", folder, "-c", file]
        elif name == "haproxy":
            file = folder / "haproxy.cfg"
            file.write_text(
                "defaults\n mode http\n timeout connect 5s\n timeout client 60s\n timeout server 60s\n"
                f"frontend public\n bind 127.0.0.1:{front}\n option forwardfor\n default_backend latchkey\n"
                "backend latchkey\n option httpchk GET /healthz\n"
                f" server gateway {target} check inter 500ms fall 1 rise 1\n")
            command = ["/usr/sbin/haproxy", "-db", "-f", file]
        else:
            file = folder / "Caddyfile"
            file.write_text(
                "{\n admin off\n auto_https off\n}\n"
                f"http://127.0.0.1:{front} {{\n reverse_proxy {target} {{\n  health_uri /healthz\n"
                "  buffer_requests\n }\n}\n")
            command = ["caddy", "run", "--adapter", "caddyfile", "--config", file]
        log = open(folder / f"{name}.log", "wb")
        process = subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ, HOME=str(folder)))
        started[name] = (f"http://127.0.0.1:{front}", process)
    for name, (url, process) in started.items():
        wait_for(url)
    return started


class SlowLine:
    """A relay that takes what a client sends at 1 MB/s, and passes all else on as it comes."""

    PIECE = 16 << 10

    def __init__(self, base):
        scheme, _, target = base.partition("://")
        host, _, number = target.rpartition(":")
        self.target = (host.strip("[]"), int(number))
        # Its buffer is small, so that the client feels the rate.
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 << 10)
        self.base = f"{scheme}://{host}:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(self.target)
            for source, sink, rate in [(client, server, SLOW_BYTES_PER_SECOND), (server, client, None)]:
                threading.Thread(target=self.relay, args=(source, sink, rate), daemon=True).start()

    def relay(self, source, sink, rate):
        due = time.monotonic()
        try:
            while piece := source.recv(self.PIECE):
                sink.sendall(piece)
                if rate:
                    due = max(due, time.monotonic() - 1) + len(piece) / rate
                    time.sleep(max(0, due - time.monotonic()))
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            # Ended by either side; so is the other.
            for end in (source, sink):
                end.close()


def refused(clients, name, base, expired, files, runs):
    """Makes uploads that are refused by their head; returns a text for each that did not see its refusal."""
    wrong = []
    for run in range(runs):
        file = files[run * len(files) // runs]
        path, token, wanted = [("/api/upload", expired, 401), ("/auth/refresh", "", 413)][run % 2]
        status, body = clients.send(name, "POST", base + path, token, "application/octet-stream", file)
        if status != wanted:
            wrong.append(f"{file.stat().st_size >> 20} MB: {status} instead of {wanted} {body[-100:]}")
    return wrong


def run_refused(clients, names, places, expired, folder, runs, lanes, allowed, words):
    """Prints a line for each client; returns how many of them failed."""
    least, most = REFUSED_MEGABYTES
    files = []
    for megabytes in range(least, most + 1, 3):
        files.append(folder / f"upload-{megabytes}")
        files[-1].write_bytes(os.urandom(megabytes << 20))
    failed = 0
    with ThreadPoolExecutor(lanes) as pool:
        lines = [
            (name, [pool.submit(refused, clients, name, base, expired, files, runs) for base in places.values()])
            for name in names]
        for name, results in lines:
            wrong = [text for result in results for text in result.result()]
            count = runs * len(places)
            is_good = len(wrong) <= count * allowed
            seen = f"{count - len(wrong)} of {count} uploads {words} see their refusal"
            print(f"{'ok' if is_good else 'not so'} {name}: {'; '.join([seen] + wrong[:3])}", flush=True)
            failed += not is_good
    return failed


def wait_for(url):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url + "/healthz", timeout=5) as response:
                if response.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{url} does not pass the health check on")


def code_for(inbox, phone):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with urllib.request.urlopen(f"{inbox}/api/messages?to={phone.replace('+', '%2B')}") as response:
            messages = json.load(response)
        if messages and messages[0].get("code"):
            return messages[0]["code"]
        time.sleep(0.05)
    raise SystemExit("no code has come")


def tokens(body):
    reply = json.loads(body)
    return reply.get("tokens", reply)


def live(clients, name, base, inbox, folder):
    """Signs in and refreshes; returns what went wrong, or nothing."""
    def post(path, **members):
        file = folder / "body.json"
        file.write_text(json.dumps(members))
        return clients.send(name, "POST", base + path, "", "application/json", file)

    phone = f"+1555{random.randrange(1_000_000, 10_000_000)}"
    status, body = post("/auth/otp/request", phoneNumber=phone, countryCode="US")
    if status != 200:
        return f"the code's request is {status} {body}"
    status, body = post("/auth/otp/verify", phoneNumber=phone, countryCode="US", code=code_for(inbox, phone))
    if status != 200:
        return f"the sign-in is {status} {body}"
    status, body = post("/auth/refresh", refreshToken=tokens(body)["refreshToken"])
    if status != 200:
        return f"the refresh is {status} {body}"
    status, body = clients.send(name, "GET", base + "/users/me", tokens(body)["accessToken"])
    return None if status == 200 else f"the profile is {status} {body}"


def main():
    parser = argparse.ArgumentParser()
    for word in ["http", "https", "ca", "inbox", "expired"]:
        parser.add_argument(word)
    parser.add_argument("--clients", default="curl,python,fetch,axios")
    parser.add_argument("--proxies", default="")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--refused", type=int, default=0)
    parser.add_argument("--slow", type=int, default=0)
    words = parser.parse_args()
    names = words.clients.split(",")
    folder = Path(tempfile.mkdtemp())
    started, failed = {}, 0
    try:
        clients = Clients(names, words.ca, folder)
        if words.refused:
            places = {"http": words.http, "https": words.https}
            failed += run_refused(
                clients, names, places, words.expired, folder, words.refused, REFUSED_LANES, 0.01, "of 3 to 30 MB")
            places = {place: SlowLine(base).base for place, base in places.items()}
            if words.slow:
                failed += run_refused(
                    clients, names, places, words.expired, folder, words.slow, SLOW_LANES, 0, "at 1 MB/s")
            sys.exit(1 if failed else 0)
        started = proxies([name for name in words.proxies.split(",") if name], words.http, folder)
        upload = folder / "upload"
        upload.write_bytes(os.urandom(MEGABYTES << 20))
        places = {"http": words.http, "https": words.https} | {name: url for name, (url, _) in started.items()}
        for place, base in places.items():
            for name in names:
                wrong = live(clients, name, base, words.inbox, folder)
                for _ in range(0 if wrong else words.runs):
                    status, body = clients.send(
                        name, "POST", base + "/api/upload", words.expired, "application/octet-stream", upload)
                    if status != 401:
                        wrong = f"the upload with an expired token is {status} {body}"
                        break
                print(f"{'not so' if wrong else 'ok'} {name}-{place}: {wrong or 'signs in, refreshes, and sees the 401'}", flush=True)
                failed += wrong is not None
    finally:
        for _, process in started.values():
            process.terminate()
            process.wait()
        shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


main()
