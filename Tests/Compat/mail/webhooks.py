"""Webhooks signed by Svix' own client against a whole Latchkey: it accepts them, and refuses what that client would refuse.

Argument: the folder of the built processes.
"""
import base64
import datetime
import json
import os
import pathlib
import tempfile
import types
import urllib.error
import urllib.request

from svix.webhooks import Webhook

from postfix import Stack

roots = "/etc/ssl/certs/ca-certificates.crt"
old, new = ("whsec_" + base64.b64encode(os.urandom(32)).decode() for _ in range(2))


def event(address):
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    return json.dumps({
        "type": "email.bounced", "created_at": now,
        "data": {"email_id": "0", "from": "login@example.com", "to": [address], "subject": "", "created_at": now,
                 "bounce": {"type": "Permanent", "subType": "General", "message": "no such mailbox"}}})


class Sender:
    """Signs and sends webhooks as Svix does."""

    def __init__(self, base):
        self.base, self.sent = base, 0

    def status(self, body, *secrets, age=0, sends=None):
        """The status of a webhook with a signature by each of the secrets; `sends` is the body sent in place of the signed."""
        self.sent += 1
        message, at = f"msg_{self.sent}", datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=age)
        headers = {
            "Content-Type": "application/json", "svix-id": message, "svix-timestamp": str(int(at.timestamp())),
            "svix-signature": " ".join(Webhook(secret).sign(message, at, body) for secret in secrets)}
        request = urllib.request.Request(f"{self.base}/webhooks/resend", (sends or body).encode(), headers)
        try:
            return urllib.request.urlopen(request).status
        except urllib.error.HTTPError as error:
            return error.code


def statements(latchkey):
    sender, stranger = Sender(latchkey.base), "whsec_" + base64.b64encode(os.urandom(32)).decode()
    body = event("ann@example.com")
    yield sender.status(body, stranger) == 400
    yield sender.status(body, new, age=3600) == 400
    yield sender.status(body, new, age=-3600) == 400
    yield sender.status(body, new, sends=body + " ") == 400
    # None of these was believed.
    yield latchkey.ask("ann@example.com") != 422
    yield sender.status(body, new) == 200
    yield latchkey.ask("ann@example.com") == 422
    # While a secret is replaced, Svix signs by both, and Latchkey accepts either.
    yield sender.status(event("bob@example.com"), stranger, new) == 200
    yield sender.status(event("cleo@example.com"), old) == 200
    yield [latchkey.ask(f"{name}@example.com") for name in ("bob", "cleo")] == [422, 422]


with tempfile.TemporaryDirectory(prefix="latchkey-webhooks-", dir="/tmp") as name:
    folder = pathlib.Path(name) / "latchkey"
    (folder / "secrets").mkdir(parents=True, mode=0o700)
    secret = folder / "secrets/resend_webhook_secret"
    secret.write_text(f"{old}|{new}\n")
    secret.chmod(0o600)
    # No mail server listens there: none of these mails has to arrive.
    with Stack(folder, types.SimpleNamespace(port=9), certificate=roots, security="none") as latchkey:
        results = list(statements(latchkey))
assert all(results), results
print(f"svix' client: {len(results)} statements hold")
