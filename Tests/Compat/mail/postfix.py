"""Our SMTP against Postfix, with its own TLS and its own check of passwords.

Argument: the folder of the built processes. Needs root, since Postfix does, and Debian's postfix, sasl2-bin and
libsasl2-modules.
"""
import email
import email.policy
import json
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

binaries = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[3]
password = "right-horse"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def eventually(what, true, seconds=20):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.1)


class Postfix:
    """A Postfix of its own: folders, port, certificate, and one user with a password."""

    def __init__(self, folder, port, *, tls="encrypt", name="localhost"):
        self.folder, self.port = folder, port
        for part in ("etc", "queue", "data", "mail"):
            (folder / part).mkdir(parents=True)
        user = pwd.getpwnam("postfix")
        os.chown(folder / "data", user.pw_uid, user.pw_gid)
        os.chown(folder / "mail", user.pw_uid, user.pw_gid)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
             "-addext", f"subjectAltName=DNS:{name}", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
            check=True, capture_output=True)
        subprocess.run(
            ["saslpasswd2", "-c", "-p", "-f", folder / "sasldb", "-u", "localhost", "latchkey"],
            input=password.encode(), check=True)
        os.chown(folder / "sasldb", user.pw_uid, user.pw_gid)
        (folder / "etc/sasl").mkdir()
        (folder / "etc/sasl/smtpd.conf").write_text(
            f"pwcheck_method: auxprop\nauxprop_plugin: sasldb\nsasldb_path: {folder}/sasldb\nmech_list: PLAIN LOGIN\n")
        (folder / "etc/main.cf").write_text(f"""\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = localhost
mydestination =
mynetworks =
virtual_mailbox_domains = example.com
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = static:all
virtual_uid_maps = static:{user.pw_uid}
virtual_gid_maps = static:{user.pw_gid}
virtual_minimum_uid = 1
smtpd_tls_security_level = {tls}
smtpd_tls_cert_file = {folder}/cert.pem
smtpd_tls_key_file = {folder}/key.pem
smtpd_tls_auth_only = {'no' if tls == 'none' else 'yes'}
smtpd_sasl_auth_enable = yes
smtpd_sasl_local_domain = localhost
cyrus_sasl_config_path = {folder}/etc/sasl
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_recipient_access texthash:{folder}/etc/recipients, permit_sasl_authenticated, reject
""")
        (folder / "etc/recipients").write_text("gone@example.com 550 5.1.1 no such mailbox\n")
        # No chroot: what it needs lies here, nowhere else.
        (folder / "etc/master.cf").write_text(f"""\
{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
tlsmgr unix - - n 1000? 1 tlsmgr
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
virtual unix - n n - - virtual
error unix - - n - - error
retry unix - - n - - error
postlog unix-dgram n - n - 1 postlogd
""")
        for path in folder.rglob("*"):
            if path.is_dir():
                path.chmod(0o755)

    def __enter__(self):
        subprocess.run(["postfix", "-c", self.folder / "etc", "start"], check=True, capture_output=True)
        return self

    def __exit__(self, *_):
        subprocess.run(["postfix", "-c", self.folder / "etc", "stop"], check=True, capture_output=True)

    @property
    def log(self):
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    @property
    def mails(self):
        box = self.folder / "mail/all"
        if not box.exists():
            return []
        parts = box.read_bytes().split(b"\nFrom ")
        return [email.message_from_bytes(part.split(b"\n", 1)[1], policy=email.policy.default) for part in parts]


class Stack:
    """Latchkey, with its mail by one mail server."""

    def __init__(self, folder, postfix, *, certificate=None, given=password, security="starttls", **settings):
        (folder / "secrets").mkdir(parents=True, mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        secret = folder / "secrets/smtp_password"
        secret.write_text(given)
        secret.chmod(0o600)
        self.folder = folder
        environment = dict(
            os.environ, LATCHKEY_DATA_DIR=str(folder), LATCHKEY_PORT="0", LATCHKEY_INBOX_PORT="0",
            LATCHKEY_POLICIES_DIR=str(root / "deploy/policies"), LATCHKEY_POLICY="howru", MAIL_SENDER="smtp", SMTP_HOST="localhost",
            SMTP_PORT=str(postfix.port), SMTP_SECURITY=security, SMTP_USER="latchkey",
            SMTP_CA_FILE=str(certificate or postfix.folder / "cert.pem"), MAIL_FROM="HowRU <login@example.com>",
            **settings)
        self.process = subprocess.Popen(
            [binaries / "supervisor", "--stop-with-parent"], env=environment, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        for line in self.process.stdout:
            if line.startswith("ready "):
                self.base = line.split()[1]
                return self
        raise AssertionError("Latchkey does not start: " + (self.folder / "log/otp.log").read_text()[-500:])

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def post(self, path, **body):
        request = urllib.request.Request(
            self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def ask(self, address, **more):
        return self.post("/auth/magic-link/request", email=address, **more)[0]

    def control(self, *arguments):
        done = subprocess.run(
            [root / "deploy/ctl", *arguments], env=dict(os.environ, LATCHKEY_DATA_DIR=str(self.folder)),
            capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def mails_sign_in(folder):
    with Postfix(folder / "postfix", free_port()) as postfix, Stack(folder / "latchkey", postfix) as stack:
        assert stack.ask("ann@example.com", challenge="c" * 43, locale="ar") == 200
        eventually("the mail is delivered", lambda: len(postfix.mails) == 1)
        mail = postfix.mails[0]
        assert not mail.defects and not any(part.defects for part in mail.walk()), mail.defects
        assert mail["from"] == "HowRU <login@example.com>" and mail["to"] == "ann@example.com"
        code = "".join(character for character in mail["subject"] if character.isdigit())
        assert code in mail.get_body(("plain",)).get_content()
        assert 'dir="rtl"' in mail.get_body(("html",)).get_content()
        status, answer = stack.post("/auth/magic-link/verify", email="ann@example.com", code=code)
        assert status == 200 and answer["user"]["email"] == "ann@example.com", (status, answer)
        assert "TLS connection established" in postfix.log or "sasl_method=" in postfix.log
        assert "sasl_username=latchkey" in postfix.log
        # One connection serves the next mail too.
        before = postfix.log.count(": connect from")
        for number in range(5):
            assert stack.ask(f"user{number}@example.com") == 200
        assert postfix.log.count(": connect from") <= before + 1, "a connection for each mail"
        # An address that the server does not know is blocked, and no mail is sent to it again.
        for _ in range(2):
            assert stack.ask("gone@example.com") == 422
        assert postfix.log.count("no such mailbox") == 1
        status, output = stack.control("messages", "send-test", "--to", "ops@example.com")
        assert status == 0, output


def refused(folder, postfix, tells=None, **settings):
    """The mail does not go out; where the operator is not told of the password, that has not gone out either."""
    with postfix, Stack(folder / "latchkey", postfix, **settings) as stack:
        assert stack.ask("ann@example.com") == 503
        status, output = stack.control("messages", "send-test", "--to", "ops@example.com")
        assert status != 0 and (tells is None or tells in output), output
        assert postfix.mails == [] and "sasl_method=" not in postfix.log, postfix.log
        assert tells or "auth=" not in postfix.log, postfix.log


def main():
    shown = 0
    with tempfile.TemporaryDirectory(prefix="latchkey-postfix-", dir="/tmp") as name:
        work = pathlib.Path(name)
        work.chmod(0o755)
        mails_sign_in(work / "1")
        shown += 1
        refused(work / "2", Postfix(work / "2/postfix", free_port()), "smtp_password", given="wrong-horse")
        refused(work / "3", Postfix(work / "3/postfix", free_port(), tls="none"))
        refused(work / "4", Postfix(work / "4/postfix", free_port(), name="mail.elsewhere.example"))
        foreign = Postfix(work / "5/foreign", free_port())
        refused(work / "5", Postfix(work / "5/postfix", free_port()), certificate=foreign.folder / "cert.pem")
        shown += 4
    print(f"Postfix: {shown} statements hold: mails sign in; wrong password, no STARTTLS, another name and a foreign "
          "certificate send nothing")


if __name__ == "__main__":
    main()
