"""Our SMTP against mail servers that are hard to please: one that wants a host name with a dot, one that never speaks, and
refusals whose words have to reach the operator.

Argument: the folder of the built processes.
"""
import pathlib
import socketserver
import sys
import tempfile
import threading

from postfix import Stack, eventually

roots = "/etc/ssl/certs/ca-certificates.crt"


class Server(socketserver.ThreadingTCPServer):
    """A mail server in the clear that keeps what it is told; `refusals` are its replies by command."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, silent=False, **refusals):
        super().__init__(("127.0.0.1", 0), Session)
        self.silent, self.refusals = silent, refusals
        self.greetings, self.recipients, self.mails = [], [], []
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Session(socketserver.StreamRequestHandler):
    def handle(self):
        if self.server.silent:
            self.rfile.read()
            return
        self.say("220 mx.example ESMTP")
        try:
            for line in self.rfile:
                self.answer(line.decode().strip())
        except (ConnectionError, ValueError):
            pass

    def say(self, text):
        self.wfile.write(text.replace("\n", "\r\n").encode() + b"\r\n")

    def answer(self, line):
        verb = line.split(" ")[0].upper()
        if verb == "EHLO":
            self.server.greetings.append(line[5:])
            if "." not in line:
                return self.say("550 5.7.1 Helo command rejected: need fully-qualified hostname")
            return self.say("250-mx.example\n250 8BITMIME")
        if verb == "RCPT":
            self.server.recipients.append(line)
        if verb in self.server.refusals:
            return self.say(self.server.refusals[verb])
        if verb == "DATA":
            self.say("354 go on")
            mail = b"".join(iter(self.rfile.readline, b".\r\n"))
            self.server.mails.append(mail.decode())
        if verb == "HELO" and "." not in line:
            return self.say("550 5.7.1 Helo command rejected: need fully-qualified hostname")
        self.say("221 bye" if verb == "QUIT" else "250 fine")


def stack(folder, server, **settings):
    return Stack(folder, server, certificate=roots, security="none", **settings)


def test(latchkey):
    status, output = latchkey.control("messages", "send-test", "--to", "ops@example.com")
    return status == 0, output


def host_names(folder):
    with Server() as server, stack(folder / "default", server) as latchkey:
        assert latchkey.ask("ann@example.com") == 200 and len(server.mails) == 1
        assert set(server.greetings) == {"example.com"}, server.greetings
    with Server() as server, stack(folder / "named", server, SMTP_HELO="auth.acme.example") as latchkey:
        assert test(latchkey)[0] and set(server.greetings) == {"auth.acme.example"}, server.greetings
    with Server() as server, stack(folder / "bare", server, SMTP_HELO="latchkey") as latchkey:
        works, output = test(latchkey)
        assert not works and "need fully-qualified hostname" in output and "SMTP_HELO" in output, output
    return 3


def silence(folder):
    with Server(silent=True) as server, stack(folder / "silent", server) as latchkey:
        works, output = test(latchkey)
        assert not works and "timed_out" in output and "no greeting" in output, output
    return 1


def words(folder):
    refusal = "550-5.7.1 <ann@example.com>: Recipient address rejected:\n550 5.7.1 sender login@example.com is not ours"
    with Server(RCPT=refusal) as server, stack(folder / "refused", server) as latchkey:
        assert latchkey.ask("ann@example.com") == 503
        works, output = test(latchkey)
        assert not works and "RCPT: 550 5.7.1" in output and "Recipient address rejected" in output, output
        log = folder / "refused/log/otp.log"
        eventually("the reply is logged", lambda: "Recipient address rejected" in log.read_text())
        line = next(line for line in log.read_text().splitlines() if "otp.send.failed" in line)
        assert "true" in line and "ann@" not in line and "login@" not in line, line
        eventually("it is traced", lambda: "RCPT: 550 5.7.1" in latchkey.control("otp", "trace", "ann@example.com")[1])
    for number, reply in enumerate(("550 no such user here", "550 5.4.1 Recipient address rejected: Access denied")):
        with Server(RCPT=reply) as server, stack(folder / f"gone{number}", server) as latchkey:
            assert [latchkey.ask("gone@example.com") for _ in range(2)] == [422, 422]
            assert len(server.recipients) == 1, server.recipients
    return 3


with tempfile.TemporaryDirectory(prefix="latchkey-mail-", dir="/tmp") as name:
    work = pathlib.Path(name)
    count = host_names(work) + silence(work) + words(work)
print(f"mail servers: {count} statements hold: host names with a dot, a server that never speaks, the words of refusals")
