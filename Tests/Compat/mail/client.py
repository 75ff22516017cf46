"""Resend's own client, as it is, against latchkey-fakes: it sends mails and reads the responses. Both that client and Svix'
own, which signs Resend's webhooks, verify the webhooks of the fakes.

Arguments: the address of the fakes, the port at which webhooks are taken, their secret.
"""
import http.server
import json
import sys
import threading
import urllib.request

import resend
from svix.webhooks import Webhook, WebhookVerificationError

fakes, port, secret = sys.argv[1], int(sys.argv[2]), sys.argv[3]
events = []


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        payload = self.rfile.read(int(self.headers["content-length"])).decode()
        headers = {name: self.headers["svix-" + name] for name in ("id", "timestamp", "signature")}
        signed = {"svix-" + name: value for name, value in headers.items()}
        Webhook(secret).verify(payload, signed)
        try:
            Webhook(secret).verify(payload + " ", signed)
            raise AssertionError("a changed payload is verified")
        except WebhookVerificationError:
            pass
        events.append(resend.Webhooks.verify({"payload": payload, "headers": headers, "webhook_secret": secret}))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def refused(kind, **changes):
    """What the client raises for a mail that is not well, as its own exception."""
    try:
        resend.Emails.send({**mail, **changes})
    except resend.exceptions.ResendError as error:
        assert error.error_type == kind, (kind, error.error_type)
        return error
    raise AssertionError(f"{kind} was expected")


receiver = http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

resend.api_key = "re_test"
mail = {
    "from": "Acme <login@acme.example>", "to": ["ann@example.com"], "subject": "123456 is your code",
    "html": "<p>123456</p>", "text": "123456", "tags": [{"name": "category", "value": "otp"}],
}
first = resend.Emails.send(mail, {"idempotency_key": "k1"})
assert resend.Emails.send(mail, {"idempotency_key": "k1"})["id"] == first["id"]
assert resend.Emails.send(mail)["id"] != first["id"]
assert resend.Emails.get(first["id"])["subject"] == mail["subject"]
try:
    resend.Emails.send({**mail, "subject": "another"}, {"idempotency_key": "k1"})
    raise AssertionError("one key for two mails")
except resend.exceptions.ResendError as error:
    assert str(error.code) == "409" and error.error_type == "invalid_idempotent_request", error.error_type

assert str(refused("missing_required_field", subject="").code) == "422"
refused("validation_error", to=["no address"])
refused("invalid_from_address", **{"from": "nobody"})
resend.api_key = "wrong"
assert str(refused("invalid_api_key").code) == "403"
resend.api_key = "re_test"

for step in ({"status": 429, "name": "rate_limit_exceeded"}, {"status": 500, "name": "application_error"}):
    body = json.dumps([{"provider": "resend", **step}]).encode()
    urllib.request.urlopen(urllib.request.Request(fakes + "/fakes/script", body, method="POST"))
    assert str(refused(step["name"]).code) == str(step["status"])

resend.Emails.send({**mail, "to": ["bounced@resend.dev"]})
body = json.dumps({"type": "email.complained", "to": "ann@example.com"}).encode()
urllib.request.urlopen(urllib.request.Request(fakes + "/fakes/events", body, method="POST"))
for _ in range(100):
    if len(events) == 2:
        break
    threading.Event().wait(0.05)
assert sorted(event["type"] for event in events) == ["email.bounced", "email.complained"], events
assert all(set(event["data"]) >= {"email_id", "to", "created_at", "from", "subject"} for event in events)
print("resend's client and svix': 16 statements hold")
